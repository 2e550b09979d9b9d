"""The agent `llm`."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import ClassVar, Literal

from revkit.contracts import Agent, Context, Conversation, ServiceName
from revkit.dataclass import dataclass
from revkit.files import digest
from revkit.forms import ExampleProblem, Form, FormProblem, load_examples
from revkit.model.criterion import Criterion
from revkit.model.exchange import Message, ModelReply, ModelRequest
from revkit.model.paper import Paper
from revkit.model.review import Failure, Outcome, Review, Scale
from revkit.model.roles import AgentRole
from revkit.model.training import TrainingExample, fitted
from revkit.model.values import Json, canonical_json
from revkit.model.variant import Rejection
from revkit.options import option, options_of
from revkit.prompting import (
    Answer,
    SamplingOptions,
    TemplateProblem,
    answer_of,
    answer_requests,
    ask,
    ask_shortened,
    assistant_turn,
    digests,
    does_not_fit,
    join_digests,
)
from revkit_llm.aggregate import aggregate_reviews, scale_of
from revkit_llm.form import built_in, load_form
from revkit_llm.judge_call import judge_template, judge_text
from revkit_llm.probe import SCHEMA, probe_turns, words_of
from revkit_llm.prompt import review_template, review_turns

# Each repeat has this many replicate numbers, so that a larger ensemble keeps its first members.
_MOST_MEMBERS = 100
_REFLECT = (
    "Read your review again with the paper at hand. Is each point true of this paper, is anything "
    "important missing, and do the scores follow from the reasons? Correct what is not right and "
    "reply with the whole review as one JSON object with the same fields; if nothing needs to be "
    "changed, reply with the same review."
)


@dataclass(frozen=True)
class Llm(SamplingOptions, Agent):
    """A language model that reviews a paper under the form of a venue.

    The form defines the fields, the JSON Schema of the reply, the scale and the rule for the
    verdict. The paper is passed as data between marks that it cannot contain. A reply that does not
    match the form is a Failure, never a score. Endpoint and request limits of the model are under
    services.llm of an experiment. Lu et al. ("The AI Scientist", 2024) call one language model that
    scores papers under a form an automated reviewer; its ensemble and reflection are options here.
    As a judge it scores a text by one criterion of a rubric (see `judge`).
    """

    name: ClassVar[str] = "llm"
    version: ClassVar[str] = "1"
    data: ClassVar[tuple[str, ...]] = ("forms/*.yaml", "judge.md", "template.md")
    uses: ClassVar[tuple[ServiceName, ...]] = ("llm",)
    form: str = option(
        "iclr",
        help="iclr, neurips, arr, severity-0-100, accept-score, or the path of a form (YAML).",
    )
    prompt: str | None = option(None, help="Path of a template; none: the built-in one.")
    judge_prompt: str | None = option(
        None, help="Path of a template for judging by rubrics; none: the built-in one."
    )
    few_shot: str | None = option(
        None, help="Path of examples (JSON Lines with paper and review), given before the paper."
    )
    ensemble: int = option(
        1,
        help="Number of reviews of each paper that are aggregated into one.",
        minimum=1,
        maximum=_MOST_MEMBERS,
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
        "digest the paper part by part and reviews the digests. The details record what was done.",
    )
    digest_tokens: int = option(
        2048,
        help="Maximum length of the digest of one part in tokens, under map-reduce.",
        minimum=1,
    )
    accept_at: float | None = option(
        None, help="The score from which the verdict is accept; none: that of the form."
    )

    probe: bool = option(
        True,
        help="Whether a run that measures reading-range asks once for marker words in the longest "
        "paper. It changes no review and no key.",
        later=True,
    )

    def problems(self) -> Sequence[tuple[str, str]]:
        problems = list(super().problems())
        try:
            form = self._form
        except FormProblem as error:
            problems.append(("form", str(error)))
        else:
            problems.extend(self._form_problems(form))
        for name, load, path in (
            ("prompt", review_template, self.prompt),
            ("judge-prompt", judge_template, self.judge_prompt),
        ):
            try:
                load(path)
            except TemplateProblem as error:
                problems.append((name, str(error)))
        return problems

    def _form_problems(self, form: Form) -> list[tuple[str, str]]:
        problems = []
        try:
            load_examples(self.few_shot, form)
        except ExampleProblem as error:
            problems.append(("few-shot", str(error)))
        if self.accept_at is not None:
            if form.decision:
                problems.append(("accept-at", "the form has a field for the verdict"))
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
        """The scale of the form; without its steps if the score of an ensemble is a mean."""
        return scale_of(self._member_scale, self.ensemble, self.aggregate)

    def identity(self) -> Json:
        """Return the options, with the content of form, template and examples instead of paths."""
        form = self._form
        examples = load_examples(self.few_shot, form)
        options = {name: value for name, value in options_of(self).items() if name != "probe"}
        return {
            **options,
            "form": digest(form.source),
            "prompt": digest(review_template(self.prompt).source),
            "judge-prompt": digest(judge_template(self.judge_prompt).source),
            "few-shot": digest(canonical_json([[e.paper, e.review] for e in examples])),
        }

    def review_roles(self) -> Sequence[AgentRole]:
        """Return the roles if there are several: digests of the parts of a long paper, members, and
        reflections.
        """
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
        """Return ``role`` if there are several roles."""
        return role if self.reflections or self.overflow == "map-reduce" else ""

    def files_needed(self) -> Sequence[str]:
        """Return the paths of the user's form, templates and examples."""
        form = () if self.form in built_in() else (self.form,)
        others = (self.prompt, self.judge_prompt, self.few_shot)
        return (*form, *(path for path in others if path is not None))

    def review(self, paper: Paper, ctx: Context) -> Outcome:
        """Ask the model for each member's review and aggregate the reviews."""
        if self.overflow == "truncate":
            outcome, cut = ask_shortened(paper, lambda text: self._panel(paper, text, ctx))
            return outcome if cut is None else _with_detail(outcome, "truncated", cut.to_json())
        outcome = self._panel(paper, paper.text, ctx)
        if self.overflow == "map-reduce" and does_not_fit(outcome):
            return self._of_digests(paper, ctx)
        return outcome

    @property
    def converses(self) -> bool:
        """Whether one member reviews whole papers: then no request waits for another."""
        return self.ensemble == 1 and self.overflow == "fail"

    def conversation(self, paper: Paper, ctx: Context) -> Conversation:
        """Ask the model for the review of the only member."""
        turns = self._turns(self._form, paper.title, paper.text)
        outcome = yield from self._member(self._form, turns, ctx.repeat * _MOST_MEMBERS)
        return self._aggregated([outcome])

    def judge(self, paper: Paper, criterion: Criterion, ctx: Context) -> Outcome:
        """Ask the model once for a level of ``criterion``; the form is not used.

        Uses the options model, temperature, max-tokens, parameters and judge-prompt.
        """
        template = judge_template(self.judge_prompt)
        return judge_text(paper, criterion, ctx, self.sampling, template)

    @property
    def probes(self) -> bool:
        """Return whether a run asks the model how far it reads."""
        return self.probe

    def repeat_markers(self, paper: Paper, ctx: Context) -> Sequence[str] | Failure:
        """Ask for the markers with the prompt of a review, truncated like a review if `overflow` is
        truncate. Digests contain no marker, so under map-reduce a paper beyond the window fails as
        "context".
        """
        form = self._form

        def repeated(text: str) -> Answer | Failure:
            turns = probe_turns(self._turns(form, paper.title, text))
            return ask(ctx.complete, self.sampling, turns, SCHEMA, role="probe", replicate=0)

        if self.overflow == "truncate":
            return words_of(ask_shortened(paper, repeated)[0])
        return words_of(repeated(paper.text))

    def training_example(
        self, paper: Paper, review: Mapping[str, Json], ctx: Context
    ) -> TrainingExample | Rejection:
        """Return a conversation that trains the model to write ``review`` in the fields of the
        form.

        It contains the whole paper.
        """
        form = self._form
        reply = fitted(review, form.schema, form.decision)
        if isinstance(reply, Rejection):
            return reply
        turns = self._turns(form, paper.title, paper.text)
        return TrainingExample((*turns, Message("assistant", reply)))

    def _of_digests(self, paper: Paper, ctx: Context) -> Outcome:
        """Return the review of digests of all parts; all members of an ensemble read the same
        digests.
        """
        sampling = replace(self.sampling, max_tokens=self.digest_tokens)
        replicate = ctx.repeat * _MOST_MEMBERS

        def digested(turns: tuple[Message, ...], schema: Mapping[str, Json]) -> Answer | Failure:
            return ask(ctx.complete, sampling, turns, schema, role="digest", replicate=replicate)

        found = digests(paper, digested, ctx.gather)
        if isinstance(found, Failure):
            return found
        outcome = self._panel(paper, join_digests(found), ctx)
        if isinstance(outcome, Failure) and does_not_fit(outcome):
            detail = f"the digests of {len(found)} parts do not fit either: {outcome.detail}"
            return Failure("context", detail, outcome.raw)
        parts: list[Json] = [digest.to_json() for digest in found]
        return _with_detail(outcome, "map-reduce", {"reviewed": "digests", "parts": parts})

    def _panel(self, paper: Paper, text: str, ctx: Context) -> Outcome:
        form = self._form
        turns = self._turns(form, paper.title, text)
        first = ctx.repeat * _MOST_MEMBERS
        members = range(first, first + self.ensemble)
        outcomes = ctx.gather(
            [
                partial(answer_requests, self._member(form, turns, number), ctx.complete)
                for number in members
            ]
        )
        return self._aggregated(outcomes)

    def _aggregated(self, outcomes: Sequence[Outcome]) -> Outcome:
        failures = [each for each in outcomes if isinstance(each, Failure)]
        if failures:
            if self.ensemble == 1:
                return failures[0]
            detail = f"{len(failures)} of {self.ensemble} members failed: {failures[0].detail}"
            return Failure(failures[0].kind, detail, failures[0].raw)
        reviews = [each for each in outcomes if isinstance(each, Review)]
        return aggregate_reviews(reviews, self.aggregate, self._member_scale)

    def _turns(self, form: Form, title: str, text: str) -> tuple[Message, ...]:
        examples = load_examples(self.few_shot, form)
        return review_turns(review_template(self.prompt), form, examples, title, text)

    def _member(self, form: Form, turns: tuple[Message, ...], replicate: int) -> Conversation:
        """Return one member's review, after all its reflections."""
        answer = yield from self._ask(turns, form, replicate, "reviewer")
        scores: list[Json] = []
        for _ in range(self.reflections):
            if isinstance(answer, Failure):
                return answer
            scores.append(answer.data[form.score])
            turns = (*turns, assistant_turn(form.canonical(answer.data)), Message("user", _REFLECT))
            answer = yield from self._ask(turns, form, replicate, "reflection")
        if isinstance(answer, Failure):
            return answer
        review = form.review(answer.data, self._member_scale)
        details: dict[str, Json] = {}
        if scores:
            details["scores-before-reflection"] = scores
        if answer.steps:
            details["reading"] = list(answer.steps)
        return replace(review, details={**review.details, **details}) if details else review

    def _ask(
        self, turns: tuple[Message, ...], form: Form, replicate: int, role: str
    ) -> Generator[ModelRequest, ModelReply | Failure, Answer | Failure]:
        request = self.sampling.request(
            turns, form.schema, replicate=replicate, role=self._named(role)
        )
        reply = yield request
        return reply if isinstance(reply, Failure) else answer_of(reply, turns, form.schema)


def _with_detail(outcome: Outcome, name: str, detail: Json) -> Outcome:
    if isinstance(outcome, Failure):
        return outcome
    return replace(outcome, details={**outcome.details, name: detail})
