"""The judge `bench-evaluator`: a language model finds, point by point, what a review says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from revkit.contracts import Agent, Context, ServiceName
from revkit.errors import OptionError
from revkit.model.criterion import Criterion
from revkit.model.exchange import Message
from revkit.model.paper import Paper
from revkit.model.review import Failure, Outcome, Review, Scale
from revkit.model.values import Json
from revkit.options import option, options_of
from revkit.prompting import Data, Sampling, ask, assistant_turn, fill, mark_for, neutralize
from revkit_reviewbench.checklists import Checklist, checklist_of
from revkit_reviewbench.dimensions import BY_NAME
from revkit_reviewbench.evaluators.control import NO_REVIEW, TOTAL
from revkit_reviewbench.evaluators.reading import EvaluatorReply, faults_of, merits_of
from revkit_reviewbench.prompting import digest_of_prompt, parts, schema
from revkit_reviewbench.scoring import coverage, pitfall_score, positive_score

_PROMPT = "evaluator"


@dataclass(frozen=True)
class BenchEvaluator(Agent):
    """ReviewBench's evaluator (Li et al., section 3.2.3): a verdict for each key point by a model.

    The model is given the paper, the review and the checklist of one dimension, as data between
    marks, and says for each key point whether the review addresses it (addressed, partly, not),
    with the words of the review that do, and whether the review makes a materially false claim
    about it, with those words; for the pitfall, whether the fault is shown and severe. It names no
    score: that follows from the verdicts in code (`revkit_reviewbench.scoring`), where the paper
    has the model apply the rule itself.

    Every quotation is looked up in the review, after case, ligatures, quotes and line breaks are
    brought to one form. A reply that misses a key point, or whose verdict rests on words that the
    review does not have, goes back once with what was found; if that does not help, it is a
    Failure ("schema"). A dimension without a checklist is a Failure ("rejected"), never a zero.
    Verdicts and quotations are in the judgement's ``details``.
    """

    name: ClassVar[str] = "bench-evaluator"
    version: ClassVar[str] = "1"
    data: ClassVar[tuple[str, ...]] = (
        "revkit_reviewbench:prompts/*.md",
        "revkit_reviewbench:schemas/*.json",
    )
    uses: ClassVar[tuple[ServiceName, ...]] = ("llm",)
    scale: ClassVar[Scale] = TOTAL
    model: str = option(help="The model's name in litellm: provider/model, as openai/gpt-4.1.")
    temperature: float = option(0.0, help="Sampling temperature.", minimum=0, maximum=5)
    max_tokens: int = option(4096, help="Longest reply in tokens.", minimum=1)
    below_half: Literal[0, 1] = option(
        0, help="The score of a review that addresses some key points, but less than half."
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.model.strip():
            raise OptionError(self.name, [("model", "is empty")])

    def identity(self) -> Json:
        """The options, and what is asked: the prompt and both schemas."""
        return {**options_of(self), "prompt": digest_of_prompt(_PROMPT, "verdicts", "faults")}

    def models(self) -> Sequence[str]:
        """The one model that it asks."""
        return (self.model,)

    def review(self, paper: Paper, ctx: Context) -> Outcome:
        """Refuse: it knows rubrics only."""
        return Failure("rejected", NO_REVIEW)

    def judge(self, paper: Paper, criterion: Criterion, ctx: Context) -> Outcome:
        """Score a review on one dimension, from the model's verdicts on its key points."""
        checklist = checklist_of(paper, criterion.name)
        if checklist is None:
            return Failure("rejected", f"the paper has no checklist for {criterion.name!r}")
        pitfall = BY_NAME[checklist.dimension].pitfall
        wanted = _sized(schema("faults" if pitfall else "verdicts"), len(checklist.points))
        sampling = Sampling(self.model, self.temperature, self.max_tokens)
        turns = _turns(paper, checklist)
        findings: tuple[str, ...] = ()
        raw = ""
        for _ in range(2):
            answer = ask(ctx.complete, sampling, turns, wanted, replicate=ctx.repeat)
            if isinstance(answer, Failure):
                return answer
            found = (faults_of if pitfall else merits_of)(answer.data, checklist, paper.text)
            if isinstance(found, EvaluatorReply):
                return self._review(found, again=len(turns) > 2)
            findings, raw = found, answer.text
            listed = neutralize("\n".join(f"- {finding}" for finding in findings))
            again = fill(parts(_PROMPT)["again"], {"findings": listed})
            turns = (*turns, assistant_turn(answer.text), Message("user", again))
        return Failure("schema", "; ".join(findings)[:500], raw)

    def _review(self, found: EvaluatorReply, *, again: bool) -> Review:
        details: dict[str, Json] = {"points": list(found.points), "asked-again": again}
        if found.merits:
            score = positive_score(found.merits, below_half=self.below_half)
            details["coverage"] = coverage(found.merits)
            text = f"{coverage(found.merits):.0%} of the key points."
        else:
            score = pitfall_score(found.faults)
            shown = sum(each.exhibited for each in found.faults)
            text = f"{shown} of {len(found.faults)} faults."
        return Review(score=float(score), text=text, details=details)


def _sized(wanted: dict[str, Json], count: int) -> dict[str, Json]:
    """The schema with room for exactly ``count`` verdicts."""
    properties: Any = wanted["properties"]
    sized = {
        name: {**value, "minItems": count, "maxItems": count} for name, value in properties.items()
    }
    return {**wanted, "properties": sized}


def _turns(paper: Paper, checklist: Checklist) -> tuple[Message, ...]:
    """The question: paper first, then review, then key points, so that what calls share is
    before what they do not."""
    template = parts(_PROMPT)
    dimension = BY_NAME[checklist.dimension]
    sources = [each for each in paper.materials if each.role == "source"]
    held = [text for each in sources for text in (each.title, each.text)]
    points = "\n".join(
        f"{number}. {point.point}" + (f" ({point.place})" if point.place else "")
        for number, point in enumerate(checklist.points, 1)
    )
    mark = mark_for(digest_of_prompt(_PROMPT), paper.text, points, *held)
    values = {
        "mark": mark,
        "paper": "\n\n".join(
            Data("paper", f"{each.title}\n\n{each.text}").between_marks(mark) for each in sources
        ),
        "review": Data("review", paper.text).between_marks(mark),
        "title": dimension.title,
        "asks": dimension.asks,
        "points": Data("key points", points).between_marks(mark),
        "reply": template["faults" if dimension.pitfall else "merits"],
    }
    return (
        Message("system", template["system"]),
        Message("user", fill(template["user"], values)),
    )
