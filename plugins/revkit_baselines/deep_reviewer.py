"""The agents `deep-reviewer` and `deep-reviewer-search`."""

from __future__ import annotations

import re
import statistics
from collections.abc import Mapping, Sequence
from functools import partial
from typing import ClassVar, Literal

from revkit.contracts import Context, ServiceName
from revkit.dataclass import dataclass
from revkit.model.paper import Paper
from revkit.model.review import Failure, Outcome, Review
from revkit.model.roles import AgentRole
from revkit.model.values import Json
from revkit.options import option
from revkit.prompting import Data, Places, Values, assistant_turn, name_failure, paper_data
from revkit_baselines.baseline import bounded
from revkit_baselines.layout import Blocks, Fields, blocks, fields, panel_layout, sections
from revkit_baselines.review_panel import (
    ReviewerReading,
    Simulating,
    failure,
    read,
    read_panel,
    unreadable,
)
from revkit_baselines.values import Unread, verdict

Rule = Literal["final", "reviewers"]
_QUESTIONS = ("questions", "question")
_MOST_QUESTIONS = 5
_LONGEST_QUESTION = 500
_LONGEST_PASSAGE = 1500
_BULLET = re.compile(r"(?:[-*+•]|\(?[0-9]{1,2}[.):]|Q[0-9]{1,2}[.:])[ \t]+")


@dataclass(frozen=True)
class Searched:
    """The questions of best mode and the passages found for them."""

    questions: tuple[str, ...]
    passages: tuple[tuple[str, ...] | Failure, ...]

    def to_json(self) -> list[Json]:
        return [
            {
                "question": question,
                "passages": f"{passages.kind}: {passages.detail}"
                if isinstance(passages, Failure)
                else bounded(list(passages)),
            }
            for question, passages in zip(self.questions, self.passages, strict=True)
        ]


@dataclass(frozen=True)
class DeepReviewer(Simulating):
    r"""DeepReviewer: a model that thinks in stages before one final review, in three modes.

    Zhu et al. 2025 ("DeepReview"), served by any endpoint that speaks the OpenAI protocol, with
    our prompts, which keep the structure of theirs: fast (the final review at once), standard
    (simulated reviewers, verification, final review), best (questions first, answered in a second
    turn, then as standard). The layout is read strictly (see `read_review`): the score is the
    final review's rating (1-10), or the mean of the simulated reviewers'; the verdict is the final
    review's decision. The paper's best mode answers questions through OpenScholar; this agent has
    no search and informs the model; `deep-reviewer-search` uses the searcher of the run.
    """

    name: ClassVar[str] = "deep-reviewer"
    version: ClassVar[str] = "1"
    data: ClassVar[tuple[str, ...]] = ("prompts/deep-reviewer-*.md",)
    places: ClassVar[Mapping[str, Places]] = {
        "fast": Places((), ("paper",), ("paper",)),
        "standard": Places(("reviewers",), ("paper",), ("paper",)),
        "best": Places(("reviewers",), ("paper",), ("paper",)),
        "answers": Places(("reviewers",), ("answers",), ("answers",)),
    }
    max_tokens: int = option(
        32768,
        help=(
            "Maximum length of a reply in tokens; a reply that is cut off there is a failure. "
            "Replies in standard and best mode often have 20,000 tokens."
        ),
        minimum=1,
    )
    mode: Literal["fast", "standard", "best"] = option(
        "standard", help="How much the model thinks: fast, standard or best."
    )
    score: Rule = option(
        "final",
        help="Which rating is the score: final (the final review's) or reviewers (the mean of the "
        "simulated reviewers').",
    )

    @classmethod
    def prompt_folder(cls) -> str:
        return "deep-reviewer"

    def problems(self) -> Sequence[tuple[str, str]]:
        problems = list(super().problems())
        if self.mode == "fast" and self.score == "reviewers":
            problems.append(("score", "fast mode simulates no reviewers"))
        return problems

    def review_roles(self) -> Sequence[AgentRole]:
        """Return the two turns of best mode, by their templates; the other modes have one call."""
        if self.mode != "best":
            return ()
        uses = tuple(name for name in self.uses if name == "searcher")
        return (self.role("best", uses=uses), self.role("answers", ["best"]))

    def review(self, paper: Paper, ctx: Context) -> Outcome:
        """Call the model once, or twice in best mode, and parse the reply."""
        values: Values = {
            "reviewers": str(self.reviewers),
            "paper": paper_data(paper.title, paper.text),
        }
        messages = self.turns(self.mode, values)
        answer = self.ask(messages, None, 0, ctx, self._named(self.mode))
        if isinstance(answer, Failure):
            return answer
        if self.mode != "best" or blocks(answer.text).contents("review"):
            steps = (*answer.steps, *(("no questions asked",) if self.mode == "best" else ()))
            return self._read(answer.text, steps, None)
        searched = self._searched(questions_of(answer.text), ctx)
        answers = _answers_text(searched)
        earlier = (*messages, assistant_turn(answer.text))
        values = {"reviewers": str(self.reviewers), "answers": Data("answers", answers)}
        messages = self.turns("answers", values, earlier)
        second = self.ask(messages, None, 1, ctx, self._named("answers"))
        if isinstance(second, Failure):
            return name_failure("second turn", second)
        return self._read(second.text, (*answer.steps, *second.steps), searched)

    def _named(self, role: str) -> str:
        """Return ``role`` if there are several roles."""
        return role if self.mode == "best" else ""

    def _read(self, text: str, steps: tuple[str, ...], searched: Searched | None) -> Outcome:
        panel = None if self.mode == "fast" else self.reviewers
        return read_review(text, panel, self.score, steps, searched)

    def _searched(self, questions: tuple[str, ...], ctx: Context) -> Searched:
        return Searched(questions, tuple(() for _ in questions))


@dataclass(frozen=True)
class DeepReviewerSearch(DeepReviewer):
    """DeepReviewer with a literature search: the searcher of the run answers the questions of best
    mode.

    Otherwise the same as `deep-reviewer`. Each question is searched for, and the abstracts found
    replace OpenScholar's passages. A failed search is shown to the model as "no passages" and
    recorded in ``details["questions"]``.
    """

    name: ClassVar[str] = "deep-reviewer-search"
    version: ClassVar[str] = "1"
    data: ClassVar[tuple[str, ...]] = ("prompts/deep-reviewer-*.md",)
    uses: ClassVar[tuple[ServiceName, ...]] = ("llm", "searcher")
    mode: Literal["fast", "standard", "best"] = option(
        "best", help="How much the model thinks: fast, standard or best; only best searches."
    )
    passages: int = option(
        5, help="How many works are shown for each question.", minimum=1, maximum=20
    )

    def _searched(self, questions: tuple[str, ...], ctx: Context) -> Searched:
        found = ctx.gather([partial(ctx.search, each, self.passages) for each in questions])
        return Searched(
            questions,
            tuple(
                works
                if isinstance(works, Failure)
                else tuple(
                    f"{work.title} ({work.year or 'no year'}). {work.abstract}"[:_LONGEST_PASSAGE]
                    for work in works[: self.passages]
                )
                for works in found
            ),
        )


def questions_of(text: str) -> tuple[str, ...]:
    """Return the lines in the block of questions, without numbers and bullets."""
    found = [each for name in _QUESTIONS for each in blocks(text).contents(name)]
    lines = [line.strip() for block in found for line in block.splitlines()]
    asked = [_BULLET.sub("", line, count=1)[:_LONGEST_QUESTION] for line in lines]
    return tuple(dict.fromkeys(line for line in asked if line and not line.startswith("#")))[
        :_MOST_QUESTIONS
    ]


def _answers_text(searched: Searched) -> str:
    if not searched.questions:
        return "You asked no question in the block for questions."
    parts = []
    for number, (question, answer) in enumerate(
        zip(searched.questions, searched.passages, strict=True), 1
    ):
        passages = () if isinstance(answer, Failure) else answer
        listed = "\n".join(f"- {each}" for each in passages) or "No passages were found."
        parts.append(f"Question {number}: {question}\n{listed}")
    return "\n\n".join(parts)


def read_review(
    text: str,
    reviewers: int | None,
    score: Rule = "final",
    steps: tuple[str, ...] = (),
    searched: Searched | None = None,
) -> Outcome:
    r"""Return the review in ``text``, a reply in DeepReviewer's layout.

    One block ``\boxed_review{ ... }`` with sections, among them Rating and Decision, is the final
    review. With ``reviewers`` (standard and best mode) one block ``\boxed_simreviewers{ ... }``
    must hold that many, each under its heading. Blocks of other names are not read.
    """
    found = blocks(text)
    final = _final(found, text)
    if isinstance(final, Failure):
        return final
    accept = verdict(final.get("decision", ()))
    rating = read(final)
    for part, value in (("rating", rating), ("decision", accept)):
        if isinstance(value, Unread):
            return failure(value.kind, f"final review: {part}: {value.why}", text)
    assert isinstance(rating, ReviewerReading)
    assert isinstance(accept, bool)
    panel: list[ReviewerReading] = []
    if reviewers is not None:
        simulated = found.contents("simreviewers")
        if len(simulated) != 1:
            if "simreviewers" in found.left_open:
                return failure("truncated", "the block of reviewers is not closed", text)
            return failure("unparseable", f"{len(simulated)} blocks of simulated reviewers", text)
        outcome = read_panel(panel_layout(simulated[0]).reviewers, reviewers, text)
        if isinstance(outcome, Failure):
            return outcome
        panel = outcome
    return _review(rating, accept, panel, score, steps, searched)


def _final(found: Blocks, text: str) -> Fields | Failure:
    final = found.contents("review")
    if "review" in found.left_open:
        return failure("truncated", "the final review is not closed", text)
    if not final:
        return unreadable("no final review in its own block", text)
    if len(final) > 1:
        return failure("unparseable", f"{len(final)} final reviews", text)
    return fields(sections(final[0]))


def _review(
    final: ReviewerReading,
    accept: bool,
    panel: Sequence[ReviewerReading],
    score: Rule,
    steps: tuple[str, ...],
    searched: Searched | None,
) -> Review:
    mean = statistics.fmean(each.rating for each in panel) if panel else None
    source = "the final review's rating" if score == "final" else "mean of the reviewers' ratings"
    details: dict[str, Json] = {
        "rule": f"score: {source}; verdict: the final review's decision",
        "final": final.to_json(),
    }
    if panel:
        details["reviewers"] = [each.to_json() for each in panel]
        details["mean-of-reviewers"] = mean
    if searched is not None:
        details["questions"] = searched.to_json()
    if steps:
        details["reading"] = list(steps)
    return Review(
        accept=accept,
        score=mean if score == "reviewers" else final.rating,
        text=final.text(),
        confidence=final.confidence,
        aspects=dict(final.aspects),
        details=details,
    )
