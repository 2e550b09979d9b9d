"""The agent `ai-scientist`."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, ClassVar, Literal

from revkit.contracts import Context
from revkit.dataclass import dataclass
from revkit.files import digest
from revkit.forms import ExampleProblem, load_examples
from revkit.model.exchange import Message
from revkit.model.paper import Paper
from revkit.model.review import Failure, Outcome, Review, Scale
from revkit.model.roles import AgentRole
from revkit.model.values import Json, canonical_json
from revkit.options import option
from revkit.prompting import Answer, Data, Places, Values, assistant_turn, name_failure, paper_data
from revkit_baselines.baseline import Baseline, bounded, panel, steps_of
from revkit_baselines.form import FormField, PartForm

_ROUNDS = 20  # slots of each member for its first review and its reflections
_CHAIR = 900
_LEANINGS = {
    "negative": "Where a paper is weak, or you are not sure of it, score low and reject.",
    "neutral": "",
    "positive": "Where a paper is strong, or you are not sure of it, score high and accept.",
}
FORM = PartForm(
    (
        FormField("Thoughts", "text", "Notes on this paper that your judgement will rest on."),
        FormField(
            "Summary", "text", "What the paper does and contributes, without praise or blame."
        ),
        FormField("Strengths", "list", "Its strengths."),
        FormField("Weaknesses", "list", "Its weaknesses."),
        FormField("Originality", "integer", "Is it new? 1 low to 4 very high.", 1, 4),
        FormField("Quality", "integer", "Is it technically sound? 1 low to 4 very high.", 1, 4),
        FormField("Clarity", "integer", "Is it clearly written? 1 low to 4 very high.", 1, 4),
        FormField("Significance", "integer", "Do its results matter? 1 low to 4 very high.", 1, 4),
        FormField("Questions", "list", "What the authors should answer."),
        FormField("Limitations", "list", "Limitations, and possible harm to society."),
        FormField(
            "Ethical Concerns", "boolean", "Is there anything that an ethics review should see?"
        ),
        FormField("Soundness", "integer", "1 poor, 2 fair, 3 good, 4 excellent.", 1, 4),
        FormField("Presentation", "integer", "1 poor, 2 fair, 3 good, 4 excellent.", 1, 4),
        FormField("Contribution", "integer", "1 poor, 2 fair, 3 good, 4 excellent.", 1, 4),
        FormField(
            "Overall",
            "integer",
            "1 very strong reject, 2 strong reject, 3 reject, 4 borderline reject, 5 borderline "
            "accept, 6 weak accept, 7 accept, 8 strong accept, 9 very strong accept, 10 award.",
            1,
            10,
        ),
        FormField("Confidence", "integer", "1 a guess to 5 certain.", 1, 5),
        FormField("Decision", "choice", "Your verdict.", values=("Accept", "Reject")),
    ),
    hidden=("Thoughts",),
)
NUMBERS = tuple(field.name for field in FORM.fields if field.type == "integer")
ASPECTS = tuple(name for name in NUMBERS if name not in ("Overall", "Confidence"))
_DONE = FormField(
    "Done", "boolean", "True if nothing is left to improve, so that this is the last."
)
_AGAIN = PartForm((FORM.fields[0], _DONE, *FORM.fields[1:]), hidden=("Thoughts", "Done"))
_SHOWN = PartForm(tuple(field for field in FORM.fields if field.name not in FORM.hidden))


@dataclass(frozen=True)
class Draft:
    """A draft of a review: the filled-in form and its conversation."""

    data: Mapping[str, Any]
    turns: tuple[Message, ...]
    answers: tuple[Answer, ...]
    overalls: tuple[int, ...]


@dataclass(frozen=True)
class AiScientist(Baseline):
    """The automated reviewer of "The AI Scientist": an ensemble, an area chair, and reflection.

    Lu et al. 2024, section 3 (the NeurIPS form, five reviews, five rounds of reflection, one
    example, temperature 0.1), with our prompts. The members review the paper independently;
    an area chair, who sees the reviews alone, writes one review of them; its numbers are replaced
    by the members' means, rounded to whole numbers with halves to the even one, as in the authors'
    code; then that review is reflected upon. The score is Overall (1-10) after the last reflection,
    the verdict its Decision; ``details["means"]`` holds the members' exact means. With one member
    there is no chair. A member, chair or reflection that fails makes the review a Failure: the
    authors' code goes on with the rest.
    """

    name: ClassVar[str] = "ai-scientist"
    version: ClassVar[str] = "1"
    data: ClassVar[tuple[str, ...]] = ("prompts/ai-scientist-*.md",)
    scale: ClassVar[Scale] = Scale(
        "neurips-1-10", 1, 10, values=tuple(float(each) for each in range(1, 11))
    )
    places: ClassVar[Mapping[str, Places]] = {
        "reviewer": Places(("form", "leaning"), ("paper",), ("form", "paper")),
        "chair": Places(("form", "leaning"), ("reviews",), ("form", "reviews")),
        "reflection": Places(("round", "rounds"), (), ()),
    }
    ensemble: int = option(5, help="How many members review each paper.", minimum=1, maximum=40)
    reflections: int = option(
        5,
        help="How often a review is reflected on and improved, at most; the model may stop. "
        "The authors' code counts the first review as a round: its 5 are 4 here.",
        minimum=0,
        maximum=10,
    )
    reflect_on: Literal["panel", "members"] = option(
        "panel",
        help="What is reflected on: panel (the aggregated review, as in the authors' code; its "
        "numbers may then differ from the means) or members (each review before the chair).",
    )
    leaning: Literal["negative", "neutral", "positive"] = option(
        "negative", help="What to do when in doubt; negative is the authors' default."
    )
    example: str | None = option(
        None,
        help="Path of examples (JSON Lines with paper and review, a filled-in form), given before "
        "the paper. The paper's best setting has one.",
    )

    def problems(self) -> Sequence[tuple[str, str]]:
        problems = list(super().problems())
        try:
            load_examples(self.example, _SHOWN)
        except ExampleProblem as error:
            problems.append(("example", str(error)))
        return problems

    def identity(self) -> Json:
        """Return the options, with the content of templates and examples instead of their paths."""
        identity: Any = super().identity()
        examples: Json = [[e.paper, e.review] for e in load_examples(self.example, _SHOWN)]
        return {**identity, "example": digest(canonical_json(examples))}

    def files_needed(self) -> Sequence[str]:
        """Return the paths of the user's templates and examples."""
        return (*super().files_needed(), *((self.example,) if self.example else ()))

    def review_roles(self) -> Sequence[AgentRole]:
        """Return the roles: members (by their template, "reviewer"), and area chair and reflection
        if there are any. The means that replace the chair's numbers are not in a prompt.
        """
        found = [self.role("reviewer", calls=self.ensemble)]
        alone = self.ensemble == 1
        if self.reflections and (alone or self.reflect_on == "members"):
            rounds = self.ensemble * self.reflections
            found.append(self.role("reflection", ["reviewer"], rounds))
        if not alone:
            found.append(self.role("chair", [found[-1].name]))
            if self.reflections and self.reflect_on == "panel":
                found.append(self.role("reflection", ["chair"], self.reflections))
        return found if len(found) > 1 else ()

    def review(self, paper: Paper, ctx: Context) -> Outcome:
        """Review ``paper`` with all members, the chair and the reflections."""
        opening = self._opening(paper)
        own = self.reflections if self.reflect_on == "members" or self.ensemble == 1 else 0
        outcomes = ctx.gather(
            [partial(self._member, opening, n, own, ctx) for n in range(self.ensemble)]
        )
        replies: list[Json] = [
            None if isinstance(each, Failure) else _numbers(each.data) for each in outcomes
        ]
        if self.ensemble == 1:
            only = outcomes[0]
            return only if isinstance(only, Failure) else _review(only, (), {})
        members = panel("member", outcomes, replies)
        if isinstance(members, Failure):
            return members
        means = {name: statistics.fmean(each.data[name] for each in members) for name in NUMBERS}
        draft = self._chaired(members, means, opening, ctx)
        if isinstance(draft, Failure):
            return draft
        if self.reflect_on == "panel":
            start = draft.overalls[-1]
            reflected = self._reflected(draft, _CHAIR, self.reflections, ctx)
            if isinstance(reflected, Failure):
                return name_failure(
                    f"reflection on the panel's review (Overall {start})", reflected
                )
            draft = reflected
        return _review(draft, members, means)

    def _opening(self, paper: Paper) -> tuple[Message, ...]:
        values: Values = {"form": FORM.description, "leaning": _LEANINGS[self.leaning]}
        found: tuple[Message, ...] = ()
        for each in load_examples(self.example, _SHOWN):
            found = self.turns("reviewer", {**values, "paper": Data("paper", each.paper)}, found)
            found = (*found, Message("assistant", each.review))
        found = self.turns(
            "reviewer", {**values, "paper": paper_data(paper.title, paper.text)}, found
        )
        # One set of instructions is enough for all examples and the paper.
        return tuple(each for n, each in enumerate(found) if n == 0 or each.role != "system")

    def _member(
        self, opening: tuple[Message, ...], number: int, reflections: int, ctx: Context
    ) -> Draft | Failure:
        answer = self.ask(opening, FORM.schema, number * _ROUNDS, ctx, "reviewer")
        if isinstance(answer, Failure):
            return answer
        draft = Draft(answer.data, opening, (answer,), (answer.data["Overall"],))
        return self._reflected(draft, number * _ROUNDS, reflections, ctx)

    def _chaired(
        self,
        members: Sequence[Draft],
        means: Mapping[str, float],
        opening: tuple[Message, ...],
        ctx: Context,
    ) -> Draft | Failure:
        """Return the chair's review with the members' means, as a reply to the paper."""
        reviews = tuple(
            Data(f"review {number}", FORM.canonical(member.data))
            for number, member in enumerate(members, 1)
        )
        values: Values = {
            "form": FORM.description,
            "leaning": _LEANINGS[self.leaning],
            "reviews": reviews,
        }
        messages = self.turns("chair", values)
        answer = self.ask(messages, FORM.schema, _CHAIR, ctx, "chair")
        if isinstance(answer, Failure):
            return name_failure("area chair", answer)
        # round() takes halves to the even number, as numpy's does in the authors' code.
        data = {**answer.data, **{name: round(mean) for name, mean in means.items()}}
        return Draft(data, opening, (answer,), (data["Overall"],))

    def _reflected(self, draft: Draft, slot: int, rounds: int, ctx: Context) -> Draft | Failure:
        """Return ``draft`` after at most ``rounds`` reflections."""
        for number in range(1, rounds + 1):
            values: Values = {"round": str(number), "rounds": str(rounds)}
            given = (*draft.turns, assistant_turn(FORM.canonical(draft.data)))
            messages = self.turns("reflection", values, given)
            answer = self.ask(messages, _AGAIN.schema, slot + number, ctx, "reflection")
            if isinstance(answer, Failure):
                return name_failure(f"reflection {number}", answer)
            overalls = (*draft.overalls, answer.data["Overall"])
            draft = Draft(answer.data, messages, (*draft.answers, answer), overalls)
            if answer.data["Done"]:
                break
        return draft


def _numbers(data: Mapping[str, Any]) -> dict[str, Json]:
    return {name: data[name] for name in (*NUMBERS, "Decision")}


def _review(draft: Draft, members: Sequence[Draft], means: Mapping[str, float]) -> Review:
    data = draft.data
    details: dict[str, Json] = {
        "review": bounded({name: data[name] for name in data if name not in ("Thoughts", "Done")}),
        "thoughts": bounded(data["Thoughts"]),
        "overall-by-round": list(draft.overalls),
    }
    answers = draft.answers
    if means:
        details["rule"] = "means of the members, rounded with halves to even, then reflection"
        details["means"] = dict(means)
        answers = (*(answer for each in members for answer in each.answers), *answers)
        details["members"] = [
            {**_numbers(each.data), "overall-by-round": list(each.overalls)} for each in members
        ]
    if steps := steps_of(answers):
        details["reading"] = steps
    return Review(
        accept=data["Decision"] == "Accept",
        score=float(data["Overall"]),
        text=FORM.text(data),
        confidence=float(data["Confidence"]),
        aspects={name.lower(): float(data[name]) for name in ASPECTS},
        details=details,
    )
