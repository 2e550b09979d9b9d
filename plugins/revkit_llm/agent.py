"""The agent `llm`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar, Literal

from revkit.contracts import Agent, Context, ServiceName
from revkit.errors import OptionError
from revkit.files import digest
from revkit.forms import Example, ExampleProblem, Form, FormProblem, load_examples
from revkit.model.criterion import Criterion
from revkit.model.exchange import Message, ModelReply, ModelRequest
from revkit.model.fence import mark_for
from revkit.model.paper import Paper
from revkit.model.review import Failure, Outcome, Review, Scale
from revkit.model.roles import AgentRole
from revkit.model.training import TrainingExample, fitted
from revkit.model.values import Json, canonical_json
from revkit.model.variant import Rejection
from revkit.options import option, options_of
from revkit_llm.aggregate import aggregated, scale_of
from revkit_llm.form import built_in, load_form
from revkit_llm.judging import judge_template, judged
from revkit_llm.map_reduce import digests, joined
from revkit_llm.overflow import cuts
from revkit_llm.prompt import Template, TemplateProblem, fenced, load_template, messages

# Replicate numbers leave room between repeats, so that a larger ensemble keeps its first members.
_MOST_MEMBERS = 100
_REFLECT = (
    "Read your review again with the paper at hand. Is each point true of this paper, is anything "
    "important missing, and do the scores follow from the reasons? Correct what is not right and "
    "reply with the whole review as one JSON object with the same fields; if nothing needs to be "
    "changed, reply with the same review."
)


@dataclass(frozen=True)
class Llm(Agent):
    """A language model that reviews a paper under the form of a venue.

    The form gives the fields, the JSON Schema of the reply, the scale and how the verdict follows.
    The paper is handed over as data between marks that it cannot hold. A reply that does not meet
    the form is a Failure, never a score. Where to reach the model and how hard stands under
    services.llm of an experiment. One language model that scores papers under a form is what Lu et
    al. ("The AI Scientist", 2024) call an automated reviewer; its ensemble and reflection are
    options here. As a judge it scores a text by one criterion of a rubric (see `judge`).
    """

    name: ClassVar[str] = "llm"
    version: ClassVar[str] = "1"
    data: ClassVar[tuple[str, ...]] = ("forms/*.yaml", "judge.md", "template.md")
    uses: ClassVar[tuple[ServiceName, ...]] = ("llm",)
    model: str = option(help="The model's name in litellm: provider/model, as openai/gpt-4.1.")
    form: str = option(
        "iclr",
        help="iclr, neurips, arr, severity-0-100, accept-score, or the path of a form (YAML).",
    )
    prompt: str | None = option(None, help="Path of a template; none: the built-in one.")
    judge_prompt: str | None = option(
        None, help="Path of a template for judging by rubrics; none: the built-in one."
    )
    temperature: float = option(0.0, help="Sampling temperature.", minimum=0, maximum=5)
    max_tokens: int = option(
        4096, help="Longest reply in tokens; one that is cut off there is a failure.", minimum=1
    )
    parameters: Mapping[str, bool | int | float | str] | None = option(
        None, help="More sampling parameters by their names in the OpenAI protocol, as top_p."
    )
    few_shot: str | None = option(
        None, help="Path of examples (JSON Lines with paper and review), given before the paper."
    )
    ensemble: int = option(
        1, help="How many reviews of each paper become one.", minimum=1, maximum=_MOST_MEMBERS
    )
    aggregate: Literal["mean", "median", "majority"] = option(
        "mean", help="Rule for the ensemble's score: mean, median or majority (ties: the worse)."
    )
    reflections: int = option(
        0, help="How often the model rereads and corrects its review.", minimum=0, maximum=10
    )
    overflow: Literal["fail", "truncate", "map-reduce"] = option(
        "fail",
        help="A paper beyond the window: fail; truncate, which leaves out sections from the "
        "appendix on, three quarters of the text at most; or map-reduce, which has the model "
        "digest the paper part by part and reviews the digests. The details tell what was done.",
    )
    digest_tokens: int = option(
        2048, help="Longest digest of one part in tokens, under map-reduce.", minimum=1
    )
    accept_at: float | None = option(
        None, help="The score from which the verdict is accept; none: as the form says."
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        problems: list[tuple[str, str]] = []
        if not self.model.strip():
            problems.append(("model", "is empty"))
        try:
            form = self._form
        except FormProblem as error:
            problems.append(("form", str(error)))
        else:
            problems.extend(self._form_problems(form))
        for name, load, path in (
            ("prompt", load_template, self.prompt),
            ("judge-prompt", judge_template, self.judge_prompt),
        ):
            try:
                load(path)
            except TemplateProblem as error:
                problems.append((name, str(error)))
        taken = {"temperature", "max_tokens", "n", "stream", "messages", "model", "response_format"}
        problems.extend(
            ("parameters", f"{name!r} is not to be set here")
            for name in sorted(taken & set(self.parameters or {}))
        )
        if problems:
            raise OptionError(self.name, problems)

    def _form_problems(self, form: Form) -> list[tuple[str, str]]:
        problems = []
        try:
            load_examples(self.few_shot, form)
        except ExampleProblem as error:
            problems.append(("few-shot", str(error)))
        if self.accept_at is not None:
            if form.decision:
                problems.append(("accept-at", "the form asks for the verdict itself"))
            elif not form.scale.minimum <= self.accept_at <= form.scale.maximum:
                problems.append(("accept-at", "lies outside the scale of the form"))
        return problems

    @property
    def _form(self) -> Form:
        return load_form(self.form)

    @property
    def _member_scale(self) -> Scale:
        scale = self._form.scale
        return scale if self.accept_at is None else replace(scale, accept_at=self.accept_at)

    @property
    def scale(self) -> Scale:
        """The scale of the form; between its steps where an ensemble's score is a mean."""
        return scale_of(self._member_scale, self.ensemble, self.aggregate)

    def identity(self) -> Json:
        """The options, with the content of form, template and examples in the place of paths."""
        form = self._form
        examples = load_examples(self.few_shot, form)
        return {
            **options_of(self),
            "form": digest(form.source),
            "prompt": digest(load_template(self.prompt).source),
            "judge-prompt": digest(judge_template(self.judge_prompt).source),
            "few-shot": digest(canonical_json([[e.paper, e.review] for e in examples])),
        }

    def models(self) -> Sequence[str]:
        """The one model that it asks."""
        return (self.model,)

    def review_roles(self) -> Sequence[AgentRole]:
        """Digests of the parts of a long paper, the members, and their reflections, as far as there
        are several of these."""
        found = []
        if self.overflow == "map-reduce":
            found.append(AgentRole("digest", self.model, calls=None))
        read = tuple(role.name for role in found)
        found.append(AgentRole("reviewer", self.model, (), read, self.ensemble))
        if self.reflections:
            rounds = self.ensemble * self.reflections
            found.append(AgentRole("reflection", self.model, (), (*read, "reviewer"), rounds))
        return found if len(found) > 1 else ()

    def _named(self, role: str) -> str:
        """``role`` where there are several to tell apart."""
        return role if self.reflections or self.overflow == "map-reduce" else ""

    def files_needed(self) -> Sequence[str]:
        """The form, the template and the examples, where they are files of the user's."""
        form = () if self.form in built_in() else (self.form,)
        others = (self.prompt, self.judge_prompt, self.few_shot)
        return (*form, *(path for path in others if path is not None))

    def review(self, paper: Paper, ctx: Context) -> Outcome:
        """Ask the model for each member's review and aggregate them."""
        outcome = self._panel(paper, paper.text, ctx)
        if self.overflow == "fail" or not _overflows(outcome):
            return outcome
        if self.overflow == "map-reduce":
            return self._of_digests(paper, ctx)
        for cut in cuts(paper):
            outcome = self._panel(paper, cut.text, ctx)
            if not _overflows(outcome):
                return _noted(outcome, "truncated", cut.to_json())
        return outcome

    def judge(self, paper: Paper, criterion: Criterion, ctx: Context) -> Outcome:
        """Ask the model once for a level of ``criterion``; the form plays no part in it.

        Of the options model, temperature, max-tokens, parameters and judge-prompt count.
        """
        return judged(
            paper,
            criterion,
            ctx,
            model=self.model,
            parameters=self._parameters,
            template=judge_template(self.judge_prompt),
        )

    def training_example(
        self, paper: Paper, review: Mapping[str, Json], ctx: Context
    ) -> TrainingExample | Rejection:
        """Teach the model to write ``review`` in the fields of the form, in one turn.

        The whole paper is handed over.
        """
        form = self._form
        reply = fitted(review, form.schema, form.decision)
        if isinstance(reply, Rejection):
            return reply
        turns = self._turns(form, paper.title, paper.text)
        return TrainingExample((*turns, Message("assistant", reply)))

    def _of_digests(self, paper: Paper, ctx: Context) -> Outcome:
        """The review of digests of all parts; all members of an ensemble read the same ones."""
        parameters = {**self._parameters, "max_tokens": self.digest_tokens}
        replicate = ctx.repeat * _MOST_MEMBERS

        def ask(turns: tuple[Message, ...], schema: Mapping[str, Json]) -> ModelReply | Failure:
            return ctx.complete(
                ModelRequest(self.model, turns, schema, parameters, replicate, "digest")
            )

        found = digests(paper, ask, ctx)
        if isinstance(found, Failure):
            return found
        outcome = self._panel(paper, joined(found), ctx)
        if isinstance(outcome, Failure) and outcome.kind == "context":
            told = f"the digests of {len(found)} parts do not fit either: {outcome.detail}"
            return Failure("context", told, outcome.raw)
        parts: list[Json] = [digest.to_json() for digest in found]
        return _noted(outcome, "map-reduce", {"reviewed": "digests", "parts": parts})

    def _panel(self, paper: Paper, text: str, ctx: Context) -> Outcome:
        form, scale = self._form, self._member_scale
        turns = self._turns(form, paper.title, text)
        first = ctx.repeat * _MOST_MEMBERS
        members = range(first, first + self.ensemble)
        outcomes = ctx.gather(
            [partial(self._member, form, turns, number, ctx) for number in members]
        )
        failures = [each for each in outcomes if isinstance(each, Failure)]
        if failures:
            if self.ensemble == 1:
                return failures[0]
            told = f"{len(failures)} of {self.ensemble} members failed: {failures[0].detail}"
            return Failure(failures[0].kind, told, failures[0].raw)
        reviews = [each for each in outcomes if isinstance(each, Review)]
        return aggregated(reviews, self.aggregate, scale)

    def _turns(self, form: Form, title: str, text: str) -> tuple[Message, ...]:
        template = load_template(self.prompt)
        examples = load_examples(self.few_shot, form)
        mark = self._mark(form, template, examples, title, text)
        return messages(
            template,
            venue=form.title,
            form=form.told,
            paper=fenced(title, text, mark),
            examples=tuple((fenced("", each.paper, mark), each.review) for each in examples),
        )

    @staticmethod
    def _mark(
        form: Form, template: Template, examples: tuple[Example, ...], title: str, text: str
    ) -> str:
        others = (each.paper for each in examples)
        return mark_for(digest(form.source + template.source), title, text, *others)

    def _member(
        self, form: Form, turns: tuple[Message, ...], replicate: int, ctx: Context
    ) -> Outcome:
        """One member's review, after all its reflections."""
        reply = ctx.complete(self._request(turns, form, replicate, "reviewer"))
        scores: list[Json] = []
        for _ in range(self.reflections):
            if isinstance(reply, Failure):
                return reply
            scores.append(_data(reply)[form.score])
            turns = (
                *turns,
                Message("assistant", canonical(reply, form)),
                Message("user", _REFLECT),
            )
            reply = ctx.complete(self._request(turns, form, replicate, "reflection"))
        if isinstance(reply, Failure):
            return reply
        review = form.review(_data(reply), self._member_scale)
        details: dict[str, Json] = {**review.details}
        if scores:
            details["scores-before-reflection"] = scores
        if reply.steps:
            details["reading"] = list(reply.steps)
        return replace(review, details=details)

    def _request(
        self, turns: tuple[Message, ...], form: Form, replicate: int, role: str
    ) -> ModelRequest:
        return ModelRequest(
            self.model, turns, form.schema, self._parameters, replicate, self._named(role)
        )

    @property
    def _parameters(self) -> dict[str, Json]:
        return {
            "temperature": self.temperature,
            "max_tokens": self.max_tokens,
            **(self.parameters or {}),
        }


def canonical(reply: ModelReply, form: Form) -> str:
    """A reply's object as JSON in the order of the form, whatever stood around it."""
    return form.canonical(_data(reply))


def _data(reply: ModelReply) -> Mapping[str, Any]:
    if not isinstance(reply.data, Mapping):
        raise TypeError("the gateway gave a reply without the object that was asked for")
    return reply.data


def _overflows(outcome: Outcome) -> bool:
    return isinstance(outcome, Failure) and outcome.kind == "context"


def _noted(outcome: Outcome, name: str, told: Json) -> Outcome:
    if isinstance(outcome, Failure):
        return outcome
    return replace(outcome, details={**outcome.details, name: told})
