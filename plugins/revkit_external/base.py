"""Base class of all external reviewers: read answers, check them, retry, and record."""

from __future__ import annotations

import time
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Literal

from revkit.contracts import Agent, Context
from revkit.dataclass import dataclass
from revkit.errors import OptionError, RunError
from revkit.http import MissingSecretError, read_secret
from revkit.model.criterion import Criterion
from revkit.model.paper import Paper
from revkit.model.review import Failure, FailureKind, Outcome, Review, Scale, checked
from revkit.model.values import Json, canonical_json, digest_of
from revkit.options import Nested, NestedItems, option, options_of
from revkit_external.call.attempt import Answered, CallError
from revkit_external.call.rates import Retry, slots
from revkit_external.digests import digest_of_file, started
from revkit_external.explanation import explain_review
from revkit_external.grammar import MapOptions, OutputOptions, Place, RuleOptions
from revkit_external.parse.documents import Document, parse
from revkit_external.parse.fields import Reading, read_fields
from revkit_external.parse.label_sets import SETS
from revkit_external.parse.mapping import (
    NUMBERS,
    Field,
    parse_labels,
    parse_map,
)
from revkit_external.parse.outputs import Output, cut_out, parse_output
from revkit_external.parse.rules import first_failing, parse_rules
from revkit_external.parse.trouble import ReadingError
from revkit_external.rendering import renderer
from revkit_external.tries import Try, count_tries, raw_of


@dataclass(frozen=True, kw_only=True)
class External(Agent):
    """The base class of the external reviewers: the options for reading, and the steps of a review.

    A review has these steps, each of which can fail with its reason: call the reviewer, parse its
    answer, check it by ``fail-if``, read the fields of ``map``, check ``require``.
    """

    default_output: ClassVar[str] = "response"
    not_in_key: ClassVar[tuple[str, ...]] = (
        "timeout",
        "concurrency",
        "retry",
        "kill-grace",
        "secrets",
        "endpoints",
        "keep-output",
        "outputs",
    )

    map: Nested[MapOptions] = option(help="The place and the meaning of each field of the review.")
    output: Nested[OutputOptions | None] = option(
        None, help="The place and the format of the answer."
    )
    fail_if: NestedItems[tuple[RuleOptions, ...] | None] = option(
        None,
        help=(
            "Rules on the parsed answer; if one matches, the answer is a failure of the kind of "
            "the first match."
        ),
    )
    require: tuple[str, ...] | None = option(
        None,
        help="Required fields of a review; by default the verdicts and scores of map.",
    )
    partial: Literal["fail", "keep"] = option(
        "fail",
        help="Treatment of a panel with missing members: as a failure, or as a review with a note.",
    )
    labels: Mapping[str, Mapping[str, Mapping[str, bool | int | float]]] | None = option(
        None, help="Your own label sets by name, for each field: use as '@name'."
    )
    accept_at: float | None = option(
        None, help="The score from which the agent accepts, if its scale implies a verdict."
    )
    lower_is_better: bool = option(False, help="Whether a low score is a good one (severity).")
    timeout: float = option(
        600.0, help="Seconds for one attempt with all of its steps.", minimum=0.1
    )
    concurrency: int = option(
        2, help="Maximum number of concurrent calls of this agent.", minimum=1
    )
    retry: Nested[Retry | None] = option(None, help="Retries; none by default.")
    secrets: tuple[str, ...] = option(
        (), help="Environment variables whose values are masked wherever they appear."
    )
    endpoints: tuple[str, ...] = option(
        (),
        help="Model endpoints whose calls a check counts: addresses in env or files, or names of "
        "environment variables that hold them.",
    )
    keep_output: int = option(
        20_000, help="Characters of the answer kept with each review.", minimum=0
    )

    def __post_init__(self) -> None:
        problems: list[tuple[str, str]] = []
        try:
            super().__post_init__()
        except OptionError as error:
            problems += error.problems
        else:
            self._check(problems)
        if problems:
            raise OptionError(self.name, problems)

    def _check(self, problems: list[tuple[str, str]]) -> None:
        """Read the nested options; subclasses add their own."""
        output = self._parse_output(Place(problems, "output"))
        self._parsed["output"] = output
        labels = Place(problems, "labels")
        sets = {
            name: {
                field: parse_labels(item, labels / name / field, verdict=field == "accept")
                for field, item in value.items()
            }
            for name, value in (self.labels or {}).items()
        }
        for name in sets:
            if f"@{name}" in SETS:
                (labels / name).wrong("is the name of a built-in set")
        fields = parse_map(self.map, Place(problems, "map"), output.format, sets)
        self._parsed["fields"] = fields
        self._parsed["rules"] = parse_rules(self.fail_if, Place(problems, "fail-if"), output.format)
        problems += [
            ("require", f"{name!r} is not a field of map: {', '.join(fields)}")
            for name in self.require or ()
            if name not in fields
        ]
        if self.accept_at is not None and "score" not in fields:
            problems.append(("accept-at", "needs a score in map"))

    def _parse_output(self, place: Place) -> Output:
        return parse_output(self.output, place, self.default_output)

    @cached_property
    def _written(self) -> dict[str, Json]:
        """Return the options as plain JSON, with only the keys that were set in nested options."""
        return options_of(self)

    @cached_property
    def _parsed(self) -> dict[str, Any]:
        return {}

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_parsed"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._check([])

    @property
    def fields(self) -> dict[str, Field]:
        """The checked ``map``."""
        found: dict[str, Field] = self._parsed["fields"]
        return found

    @property
    def scale(self) -> Scale:
        """The scale that ``map`` states for the score; 0 to 1 if no score is read."""
        score = self.fields.get("score")
        low, high = (score.to or score.scale or (0.0, 1.0)) if score else (0.0, 1.0)
        accept = self.fields.get("accept")
        at, lower = self.accept_at, self.lower_is_better
        if at is None and accept is not None and accept.like == "score":
            at, lower = (
                (accept.at_least, False) if accept.at_least is not None else (accept.at_most, True)
            )
        return Scale(f"{low:g}-{high:g}", low, high, not lower, at)

    def identity(self) -> Json:
        """Return the options that can change a review, and the known version of the reviewer."""
        options = {
            key: value for key, value in options_of(self).items() if key not in self.not_in_key
        }
        return {**options, "reviewer": self.reviewer_identity()}

    def data_files(self) -> list[Path]:
        """Return the files that options name by path and that are not code: a reviewer may write to
        them.
        """
        return []

    def watched_files(self) -> Mapping[str, Json]:
        """Return `data_files` with their digests, without the files that ``outputs`` declares."""
        digests = {str(path): self.digest(path) for path in self.data_files()}
        return {path: digest for path, digest in digests.items() if digest is not None}

    def pin_files(self, digests: Mapping[str, Json]) -> None:
        """Use ``digests`` for these files from now on."""
        self._parsed.setdefault("pinned", {}).update(digests)

    def digest(self, path: Path) -> Json:
        """Return the digest of a file in `identity`: None for an output of the reviewer, the pinned
        digest of a file that changed during a review, else the digest of its content.
        """
        outputs = (started(text) for text in getattr(self, "outputs", ()))
        if any(path == Path(text) or path.match(text) for text in outputs):
            return None
        pinned: dict[str, Json] = self._parsed.get("pinned", {})
        return pinned.get(str(path)) or digest_of_file(path)

    def reviewer_identity(self) -> Json:
        """Return what distinguishes versions of the reviewer, as far as this can be known."""
        return {}

    @property
    def formats(self) -> list[str]:
        """The formats in which the paper is written for the reviewer."""
        return []

    def renderers(self) -> list[Json]:
        """Return the names and versions of the renderers of `formats`, for `reviewer_identity`."""
        found: list[Json] = []
        for format in self.formats:
            try:
                found.append(renderer(format))
            except RunError:
                found.append(f"{format}: not installed")
        return found

    @abstractmethod
    def call(self, paper: Paper, ctx: Context, criterion: Criterion | None = None) -> Answered:
        """Call the reviewer once, as a judge if there is a ``criterion``. Raises `CallError`."""

    def ready(self) -> list[str]:
        """Return problems that would make every call fail, found without a call before a run.

        Here: secrets that are not set, and renderers that are not installed.
        """
        troubles = []
        for name in self.secret_names():
            try:
                read_secret(name)
            except MissingSecretError as error:
                troubles.append(str(error))
        for format in self.formats:
            try:
                renderer(format)
            except RunError as error:
                troubles.append(str(error))
        return troubles

    def secret_names(self) -> list[str]:
        """The environment variables whose values this agent uses and masks."""
        return sorted(self.secrets)

    def review(self, paper: Paper, ctx: Context) -> Outcome:
        """Call the reviewer, read its answer, and retry if ``retry`` allows it."""
        return self.tries(paper, ctx)[-1].outcome

    def judge(self, paper: Paper, criterion: Criterion, ctx: Context) -> Outcome:
        """Call the reviewer with the paper and the criterion, and read the score with the same
        ``map``.

        The score must be one of the criterion's levels: set ``to`` in ``map`` if the judge uses
        another range.
        """
        outcome = self.tries(paper, ctx, criterion)[-1].outcome
        if isinstance(outcome, Review) and outcome.score is None:
            return Failure("schema", "map reads no score, which a judgement needs", outcome.text)
        return checked(outcome, criterion.scale)

    def tries(self, paper: Paper, ctx: Context, criterion: Criterion | None = None) -> list[Try]:
        """Yield every attempt to review ``paper``; the last attempt counts."""
        retry = self.retry or Retry(max=0)
        done: list[Try] = []
        gate = slots(digest_of([self.name, canonical_json(options_of(self))]), self.concurrency)
        while True:
            with gate:
                done.append(self._try(paper, ctx, criterion))
            last = done[-1]
            if isinstance(last.outcome, Review) or not retry.again(len(done), last.reasons):
                break
            wait = retry.wait(len(done), last.after)
            if wait is None:
                message = (
                    f"{last.outcome.detail}; the server asks to wait {last.after:.0f} s, more than "
                    f"retry.longest ({retry.longest:g})"
                )
                last.outcome = replace(last.outcome, detail=message)
                break
            time.sleep(wait)
        if len(done) > 1:
            done[-1].outcome = count_tries(done[-1].outcome, len(done))
        return done

    def _try(self, paper: Paper, ctx: Context, criterion: Criterion | None) -> Try:
        try:
            answered = self.call(paper, ctx, *(() if criterion is None else (criterion,)))
        except CallError as error:
            raw = raw_of(error.shown)
            failure = Failure(error.kind, error.detail, raw)
            return Try(failure, error.reasons, error.after, given=error.given, shown=error.shown)
        except MissingSecretError as error:
            return Try(Failure("provider", str(error)), ("secret",), given={}, shown={})
        tried = Try(Failure("crashed"), (), None, answered)
        tried.given, tried.shown = answered.given, answered.shown
        try:
            tried.outcome = self._read(answered, tried)
        except ReadingError as error:
            tried.outcome = self._failure_of(error.kind, error.detail, tried.reading, answered)
        if isinstance(tried.outcome, Failure):
            tried.reasons = (tried.outcome.kind,)
        return tried

    def _failure_of(
        self, kind: FailureKind, detail: str, reading: Reading | None, answered: Answered
    ) -> Failure:
        """Return the failure after an answer, with the answer and the values that were read."""
        parts = {} if reading is None else {"read": reading.to_json()}
        return Failure(kind, detail, raw_of({**parts, **answered.shown, "answer": answered.text}))

    def _read(self, answered: Answered, tried: Try) -> Outcome:
        output: Output = self._parsed["output"]
        document = self._document(answered.text, output)
        tried.document = document
        reading = read_fields(document, self.fields, allow_partial=self.partial == "keep")
        tried.reading = reading
        failing = first_failing(document, self._parsed["rules"])
        if failing is not None:
            rule, message = failing
            if rule.kind != "partial":
                return self._failure_of(rule.kind, f"fail-if: {message}", reading, answered)
            reading.partial.append(message)
            if self.partial == "fail":
                return self._partial(reading, answered)
        return self._outcome_of(reading, answered)

    def _document(self, text: str, output: Output) -> Document:
        return parse(cut_out(text, output.cut), output.format)

    def _partial(self, reading: Reading, answered: Answered) -> Failure:
        detail = f"partial: {'; '.join(reading.partial)}"
        return self._failure_of("partial", detail, reading, answered)

    def _outcome_of(self, reading: Reading, answered: Answered) -> Outcome:
        required = self.require
        if required is None:
            required = tuple(name for name in ("accept", *NUMBERS) if name in self.fields)
        for name, trouble in reading.troubles.items():
            if name not in (*required, "accept", *NUMBERS):
                reading.notes.append(f"not read: {trouble.detail}")
            elif trouble.kind == "partial":
                reading.partial.append(trouble.detail)
                return self._partial(reading, answered)
            else:
                return self._failure_of(trouble.kind, trouble.detail, reading, answered)
        absent = [name for name in required if reading.values.get(name) is None]
        if absent:
            places = " and ".join(f"no {name} at {self._place(name)}" for name in absent)
            return self._failure_of("schema", f"incomplete: it has {places}", reading, answered)
        reading.notes += answered.notes
        review = reading.review()
        details = {**review.details, **answered.details}
        if self.keep_output:
            details["output"] = answered.text[: self.keep_output]
            if len(answered.text) > self.keep_output:
                details["output-cut"] = len(answered.text) - self.keep_output
        return replace(review, details=details)

    def _place(self, name: str) -> str:
        field = self.fields[name]
        return str(self.fields[field.like].source if field.like else field.source)

    def explain(self, paper: Paper, ctx: Context) -> dict[str, Json]:
        """Review one paper and report every step, for a person who configures an agent.

        Keys: ``given`` (what the reviewer got), ``printed`` (what came back), ``read`` (each field
        with its value, the native value and its place), ``alternatives`` (what else looks like a
        verdict), ``calls`` (to each of ``endpoints``), ``tries`` (each try's outcome), ``outcome``
        and ``scale``.
        """
        return explain_review(self, paper, ctx)
