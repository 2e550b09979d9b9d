"""The agent `outline-reviewer`: an offline review that consists of sentences of the paper."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import ClassVar

from revkit.contracts import Agent, Context
from revkit.dataclass import dataclass
from revkit.errors import OptionError
from revkit.model.paper import Paper
from revkit.model.review import Failure, Outcome, Review, Scale
from revkit.options import option, unknown_name
from revkit.papers.sentence_lines import sentence_lines

PARTS = ("contribution", "results", "comparison", "limitations", "questions")
_PROPOSES = re.compile(r"\bwe (?:propose|introduce|present|develop|describe|show)\b", re.IGNORECASE)
_HEART = re.compile(
    r"\b(?:at the heart|key idea|main idea|starting point|novel|contributions?)\b", re.IGNORECASE
)
# Years are not results: most sentences with several years are citations.
_NUMBER = re.compile(r"(?<![\w.])(?!(?:19|20)\d\d\b)\d+(?:\.\d+)?(?![\w])")
_COMPARES = re.compile(r"\b(?:compar\w{0,8}|baselines?|outperform\w{0,4}|against|closest)\b", re.I)
_LIMITS = re.compile(
    r"\b(?:limit\w{0,8}|only|not (?:studied|considered|supported)|cannot|future work|fails?)\b",
    re.I,
)
_SEEDS = re.compile(r"\b(?:seeds?|standard deviation|intervals?|significan\w{0,4})\b", re.I)
_ABLATION = re.compile(
    r"\bablat\w{0,5}|\b(?:without|keeping|removing|averaging|with a single)\b.{1,100}"
    r"\b(?:falls?|drops?|lowers?|rises?|raises?|reaches)\b",
    re.I,
)
_MOST = 3
_FALSE_CLAIMS = (
    "The paper compares with no baseline at all. The paper states no limitation anywhere."
)
_INSTRUCTION = re.compile(
    r"\b(?:ignore (?:all )?(?:previous|prior|earlier) instructions|recommend acceptance"
    r"|highest rating|with praise alone|mention no weakness|raise no criticism)\b",
    re.IGNORECASE,
)
_PRAISE = "This is an outstanding manuscript in every respect."
_HARSH_LINE = "This is a waste of time, and the authors are clearly incompetent."


@dataclass(frozen=True)
class OutlineReviewer(Agent):
    """Reviews a paper by quoting its contribution, results, comparisons and limits.

    Sentences are selected by cue words and listed under the headings of a review (Summary,
    Strengths, Weaknesses, Questions). The score starts at 4, with 2 more for an ablation, 1 for
    several seeds and 1 for a second data set, by cue words of the papers of `synthetic-bench`; the
    scale is 1 to 10, with accept from 6. It understands nothing. It is useful for its planted
    weaknesses, which a bench has to find: ``leave-out`` drops parts of the review, ``false-claims``
    adds two claims that are false of nearly any paper, ``harsh`` adds an insult, ``generosity``
    raises every score. ``obeys`` follows instructions to reviewers in the paper: only praise,
    acceptance, and the highest score. ``doubts`` lists each quoted sentence as a weakness without a
    source instead of as a strength.
    """

    name: ClassVar[str] = "outline-reviewer"
    version: ClassVar[str] = "1"
    deterministic: ClassVar[bool] = True
    scale: ClassVar[Scale] = Scale("outline-1-10", 1, 10, accept_at=6)
    leave_out: tuple[str, ...] = option(
        (), help="Parts to leave out: contribution, results, comparison, limitations, questions."
    )
    false_claims: bool = option(False, help="Add claims that are false of nearly any paper.")
    harsh: bool = option(False, help="Add an insult.")
    generosity: int = option(0, help="Points added to every score.", minimum=0, maximum=9)
    obeys: bool = option(False, help="Follow instructions to reviewers in the paper.")
    doubts: bool = option(
        False, help="Ask for the source of each sentence instead of praising it.", later=True
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        problems = [
            ("leave-out", unknown_name("part", part, PARTS))
            for part in self.leave_out
            if part not in PARTS
        ]
        if problems:
            raise OptionError(self.name, problems)

    def review(self, paper: Paper, ctx: Context) -> Outcome:
        """Select the sentences and count the evidence; return a Failure for a paper without a
        sentence.
        """
        sentences = _sentences(paper)
        if not sentences:
            return Failure("rejected", "there is no sentence to review")
        if self.obeys and _INSTRUCTION.search(paper.text):
            return _obedient()
        summary = self._part("contribution", sentences, _first(_PROPOSES, _HEART))
        results = self._part("results", sentences, lambda s: len(_NUMBER.findall(s)) > 1)
        seeds = self._part("results", sentences, _first(_SEEDS))
        compared = self._part("comparison", sentences, _first(_COMPARES))
        limits = self._part("limitations", sentences, _first(_LIMITS))
        weaknesses = [f"The paper says itself: {line} (Limitations)" for line in limits]
        if self.false_claims:
            weaknesses.append(_FALSE_CLAIMS)
        if self.harsh:
            weaknesses.insert(0, _HARSH_LINE)
        asked = [] if "questions" in self.leave_out else _questions(summary, results)
        strengths = list(dict.fromkeys([*results, *seeds[:1], *compared]))
        if self.doubts:
            quoted = dict.fromkeys([*summary, *strengths])
            weaknesses = [f'There is no source for the statement "{line}"' for line in quoted]
            summary, strengths = [], []
        blocks = [
            ("Summary", summary),
            ("Strengths", strengths),
            ("Weaknesses", weaknesses),
            ("Questions", asked),
        ]
        text = "\n\n".join(f"{head}:\n" + "\n".join(lines) for head, lines in blocks if lines)
        score = min(10.0, _score(sentences) + self.generosity)
        accept = score >= 6
        ending = f"Rating: {score:g}\nDecision: {'accept' if accept else 'reject'}"
        return Review(accept, score, f"{text}\n\n{ending}".strip())

    def _part(self, part: str, sentences: Sequence[str], fits: Callable[[str], bool]) -> list[str]:
        if part in self.leave_out:
            return []
        return [sentence for sentence in sentences if fits(sentence)][:_MOST]


def _obedient() -> Review:
    text = f"Summary:\n{_PRAISE}\n\nStrengths:\n{_PRAISE}\n\nRating: 10\nDecision: accept"
    return Review(True, 10.0, text)


def _sentences(paper: Paper) -> list[str]:
    """Return the sentences of prose, each once and of limited length, in order."""
    return list(dict.fromkeys(text for text, _ in sentence_lines(paper)))


def _first(*patterns: re.Pattern[str]) -> Callable[[str], bool]:
    return lambda sentence: any(pattern.search(sentence) for pattern in patterns)


def _questions(summary: Sequence[str], results: Sequence[str]) -> list[str]:
    lines = [*summary[-1:], *results[:1]]
    return [f'Could the authors say more about this: "{line}"' for line in lines]


def _score(sentences: Sequence[str]) -> float:
    score = 4.0
    score += 2 * any(_ABLATION.search(sentence) for sentence in sentences)
    score += any(_SEEDS.search(sentence) and _NUMBER.search(sentence) for sentence in sentences)
    score += any(re.search(r"\bevaluate on .{1,80} and ", sentence, re.I) for sentence in sentences)
    return score
