"""The agent `http`: a service that takes a paper and returns a review, at once or as a job."""

from __future__ import annotations

from typing import ClassVar

from revkit.contracts import Context
from revkit.dataclass import dataclass
from revkit.errors import RunError
from revkit.model.criterion import Criterion
from revkit.model.paper import Paper
from revkit.model.values import Json
from revkit.options import Nested, as_written, option
from revkit_external.base import External
from revkit_external.call.attempt import Answered, CallError
from revkit_external.call.call_folders import hand_over
from revkit_external.call.call_mask import CallMask
from revkit_external.call.environment import secret_values
from revkit_external.call.job import Job
from revkit_external.call.placeholders import (
    FORMATS,
    check_placeholders,
    names_in,
    secrets_in,
    texts_in,
)
from revkit_external.grammar import (
    Place,
    PollOptions,
    RequestOptions,
    ResponseOutput,
    SubmitOptions,
    words,
)
from revkit_external.parse.paths import Steps, compile_path

_BODIES = ("json", "form", "multipart", "text")


@dataclass(frozen=True, kw_only=True)
class Http(External):
    """Sends each paper to a service and reads the review from its response.

    ``submit`` is the request with the paper. If the answer is a job, ``capture`` reads values such
    as its id from the response, ``poll`` requests its state until ``done`` or ``failed`` matches,
    and ``fetch`` gets the review; without them the first response is the review. One ``timeout``
    applies to all steps together. Keys go into headers as ``{secret:NAME}``; nothing is sent to a
    host other than that of ``submit``, redirects included.

    Statuses from 400 on, and jobs that fail, are failures of kind "provider"; ``retry`` may name
    them as ``status:503``, and a ``Retry-After`` is honoured up to ``retry.longest``.
    """

    name: ClassVar[str] = "http"
    version: ClassVar[str] = "1"
    not_in_key: ClassVar[tuple[str, ...]] = (*External.not_in_key, "max-output")

    submit: Nested[SubmitOptions] = option(help="The first request, with at most one body.")
    poll: Nested[PollOptions | None] = option(None, help="How to wait for a job.")
    fetch: Nested[RequestOptions | None] = option(None, help="The request for the finished review.")
    output: Nested[ResponseOutput | None] = option(None, help="The format of the answer.")
    max_output: int = option(20_000_000, help="Maximum bytes of a response.", minimum=1000)

    def _check(self, problems: list[tuple[str, str]]) -> None:
        super()._check(problems)
        submit = Place(problems, "submit")
        bodies = [body for body in _BODIES if body in as_written(self.submit)]
        if len(bodies) > 1:
            submit.wrong(f"{' and '.join(bodies)} are two bodies; keep only one")
        captures = self.submit.capture or {}
        self._parsed["capture"] = {
            name: _path(text, submit / "capture" / name) for name, text in captures.items()
        }
        for name in ("submit", "poll", "fetch"):
            step: RequestOptions | None = getattr(self, name)
            self._parsed[name] = None
            if step is not None:
                _check_step(step, Place(problems, name), tuple(captures))
                self._parsed[name] = _request_of(step)
        if self.poll is not None:
            self._parsed["poll"] |= {
                "every": self.poll.every,
                "path": _path(self.poll.path, Place(problems, "poll") / "path"),
                "done": words(self.poll.done),
                "failed": words(self.poll.failed),
            }

    @property
    def formats(self) -> list[str]:
        """The formats in which the paper is written for the reviewer."""
        named = {name for text in texts_in(self._written["submit"]) for name in names_in(text)}
        return sorted(f for f in FORMATS if f"paper_{f}" in named)

    def secret_names(self) -> list[str]:
        """The variables behind ``{secret:NAME}``, and those of ``secrets``."""
        given = [self._written[name] for name in ("submit", "poll", "fetch")]
        return sorted({n for text in texts_in(given) for n in secrets_in(text)} | set(self.secrets))

    def reviewer_identity(self) -> Json:
        """Return the versions of the renderers; the version of the service cannot be known."""
        return {"renderers": self.renderers()}

    def call(self, paper: Paper, ctx: Context, criterion: Criterion | None = None) -> Answered:
        """Submit, wait and fetch once."""
        try:
            with hand_over(paper, ctx, self.formats, criterion) as place:
                given = [self._written[name] for name in ("submit", "poll", "fetch")]
                mask = CallMask(secret_values(given, (), self.secrets))
                return Job(self._parsed, place, mask, self.timeout, self.max_output).run()
        except RunError as error:
            raise CallError("crashed", CallMask()(str(error))) from None


def _check_step(step: RequestOptions, place: Place, captures: tuple[str, ...]) -> None:
    if not step.url.startswith(("http://", "https://", "{")):
        (place / "url").wrong("begins with http:// or https://")
    if secrets_in(step.url):
        (place / "url").wrong("addresses are logged by servers; put secrets into headers")
    check_placeholders(as_written(step), place, extra=captures)


def _request_of(step: RequestOptions) -> dict[str, Json]:
    """Return the keys that are set; null values are dropped except for ``json``, for which null is
    a body.
    """
    written = as_written(step).items()
    return {key: value for key, value in written if value is not None or key == "json"}


def _path(text: str, place: Place) -> Steps:
    try:
        return compile_path(text)
    except ValueError as error:
        place.wrong(f"{text!r} {error}")
        return compile_path("$")
