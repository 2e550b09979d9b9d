"""The judge `bench-evaluator`: a language model checks a review point by point."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Literal

from revkit.contracts import Agent, Context, ServiceName
from revkit.dataclass import dataclass
from revkit.errors import OptionError
from revkit.model.criterion import Criterion
from revkit.model.exchange import Message
from revkit.model.paper import Paper
from revkit.model.review import Failure, Outcome, Review, Scale
from revkit.model.values import Json
from revkit.options import option, options_of
from revkit.prompting import Data, Sampling, ask, assistant_turn, fill, mark_for, neutralize
from revkit_reviewbench.checklists import Checklist, Point
from revkit_reviewbench.dimensions import BY_NAME
from revkit_reviewbench.evaluators.control import NO_REVIEW, TOTAL
from revkit_reviewbench.evaluators.evaluator_reply import EvaluatorReply, faults_of, merits_of
from revkit_reviewbench.own_checklists import chosen_checklist
from revkit_reviewbench.prompt_parts import digest_of_prompt, parts, schema
from revkit_reviewbench.scoring import coverage, pitfall_score, positive_score

_PROMPT = "evaluator"


@dataclass(frozen=True)
class BenchEvaluator(Agent):
    """ReviewBench's evaluator (Li et al., section 3.2.3): a verdict for each key point by a model.

    The model gets the paper, the review and the checklist of one dimension, as data between marks.
    For each key point it states whether the review addresses it (addressed, partly, not) and
    whether the review makes a materially false claim about it, and quotes the review as evidence;
    for the pitfall, whether the fault is shown and severe. It gives no score: code computes the
    score from the verdicts (`revkit_reviewbench.scoring`), while in the paper the model applies
    the rule itself.

    Every quotation is searched in the review, after case, ligatures, quotes and line breaks are
    normalised. If a reply misses a key point, or quotes words that the review does not contain, the
    model is asked once more with the findings; if that does not help, it is a Failure ("schema").
    A dimension without a checklist is a Failure ("rejected"), never a zero. Verdicts and quotations
    are in the judgement's ``details``.
    """

    name: ClassVar[str] = "bench-evaluator"
    version: ClassVar[str] = "1"
    data: ClassVar[tuple[str, ...]] = (
        "revkit_reviewbench:prompts/*.md",
        "revkit_reviewbench:schemas/*.json",
    )
    uses: ClassVar[tuple[ServiceName, ...]] = ("llm",)
    scale: ClassVar[Scale] = TOTAL
    model: str = option(help="The model's name in litellm: provider/model, such as openai/gpt-4.1.")
    temperature: float = option(0.0, help="Sampling temperature.", minimum=0, maximum=5)
    max_tokens: int = option(4096, help="Maximum length of a reply in tokens.", minimum=1)
    below_half: Literal[0, 1] = option(
        0, help="The score of a review that addresses some key points, but less than half."
    )
    checklists: Literal["paper", "meta", "own"] = option(
        "paper",
        help="Judge by the rubrics of each paper. For papers that have none: by the meta-rubrics, "
        "or by own sentences of the paper.",
        later=True,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.model.strip():
            raise OptionError(self.name, [("model", "is empty")])

    def identity(self) -> Json:
        """Return the options, the prompt and both schemas."""
        return {**options_of(self), "prompt": digest_of_prompt(_PROMPT, "verdicts", "faults")}

    def models(self) -> Sequence[str]:
        """The model that it calls."""
        return (self.model,)

    def review(self, paper: Paper, ctx: Context) -> Outcome:
        """Refuse to review: this agent only judges by rubrics."""
        return Failure("rejected", NO_REVIEW)

    def judge(self, paper: Paper, criterion: Criterion, ctx: Context) -> Outcome:
        """Score a review on one dimension, from the model's verdicts on its key points."""
        checklist = chosen_checklist(paper, criterion.name, self.checklists)
        if checklist is None:
            return Failure("rejected", f"the paper has no checklist for {criterion.name!r}")
        pitfall = BY_NAME[checklist.dimension].pitfall
        form = _sized(schema("faults" if pitfall else "verdicts"), len(checklist.points))
        sampling = Sampling(self.model, self.temperature, self.max_tokens)
        turns = _turns(paper, checklist)
        findings: tuple[str, ...] = ()
        raw = ""
        for _ in range(2):
            answer = ask(ctx.complete, sampling, turns, form, replicate=ctx.repeat)
            if isinstance(answer, Failure):
                return answer
            reply = (faults_of if pitfall else merits_of)(answer.data, checklist, paper.text)
            if isinstance(reply, EvaluatorReply):
                return self._review(reply, again=len(turns) > 2)
            findings, raw = reply, answer.text
            lines = neutralize("\n".join(f"- {finding}" for finding in findings))
            again = fill(parts(_PROMPT)["again"], {"findings": lines})
            turns = (*turns, assistant_turn(answer.text), Message("user", again))
        return Failure("schema", "; ".join(findings)[:500], raw)

    def _review(self, reply: EvaluatorReply, *, again: bool) -> Review:
        details: dict[str, Json] = {"points": list(reply.points), "asked-again": again}
        if reply.merits:
            score = positive_score(reply.merits, below_half=self.below_half)
            details["coverage"] = coverage(reply.merits)
            text = f"{coverage(reply.merits):.0%} of the key points."
        else:
            score = pitfall_score(reply.faults)
            shown = sum(each.exhibited for each in reply.faults)
            text = f"{shown} of {len(reply.faults)} faults."
        return Review(score=float(score), text=text, details=details)


def _sized(form: dict[str, Json], count: int) -> dict[str, Json]:
    """Return the schema for exactly ``count`` verdicts."""
    properties: Any = form["properties"]
    sized = {
        name: {**value, "minItems": count, "maxItems": count} for name, value in properties.items()
    }
    return {**form, "properties": sized}


def _place(point: Point) -> str:
    if point.absent:
        return f" (the paper lacks this; it would be in: {point.place})"
    return f" ({point.place})" if point.place else ""


def _turns(paper: Paper, checklist: Checklist) -> tuple[Message, ...]:
    """Return the prompt: paper, review and key points in this order, so that calls share the
    longest possible prefix.
    """
    template = parts(_PROMPT)
    dimension = BY_NAME[checklist.dimension]
    sources = [each for each in paper.materials if each.role == "source"]
    texts = [text for each in sources for text in (each.title, each.text)]
    points = "\n".join(
        f"{number}. {point.point}" + _place(point)
        for number, point in enumerate(checklist.points, 1)
    )
    mark = mark_for(digest_of_prompt(_PROMPT), paper.text, points, *texts)
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
