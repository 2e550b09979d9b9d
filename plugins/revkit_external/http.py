"""The agent `http`: a service that takes a paper and gives a review, at once or as a job."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from revkit.contracts import Context
from revkit.errors import RunError
from revkit.model.criterion import Criterion
from revkit.model.paper import Paper
from revkit.model.values import Json
from revkit.options import option
from revkit_external.base import External
from revkit_external.calling.attempt import Answered, CallError
from revkit_external.calling.environment import secret_values
from revkit_external.calling.handing import handed
from revkit_external.calling.job import Job
from revkit_external.calling.masking import CallMask
from revkit_external.calling.placeholders import (
    FORMATS,
    check_placeholders,
    names_in,
    secrets_in,
    texts_in,
)
from revkit_external.grammar import Place
from revkit_external.reading.paths import compile_path

_BODIES = ("json", "form", "multipart", "text")
_STEP = ("method", "url", "headers", *_BODIES)


@dataclass(frozen=True, kw_only=True)
class Http(External):
    """Sends each paper to a service and reads the review from its response.

    ``submit`` is the request that hands over the paper. Where the answer is a job, ``capture``
    takes values such as its id from the response, ``poll`` asks for its state until one of ``done``
    or ``failed`` is there, and ``fetch`` gets the review; without them the first response is the
    review. One ``timeout`` holds for all steps together. Keys stand in headers as
    ``{secret:NAME}``; nothing is sent to another host than that of ``submit``, redirects included.

    Statuses from 400 on, and jobs that fail, are failures of kind "provider"; ``retry`` may name
    them as ``status:503``, and a ``Retry-After`` is honoured up to ``retry.longest``.
    """

    name: ClassVar[str] = "http"
    version: ClassVar[str] = "1"
    not_in_key: ClassVar[tuple[str, ...]] = (*External.not_in_key, "max-output")

    submit: Any = option(
        help="The first request: method, url, headers, capture, and one body of json, form, "
        "multipart (files as '@{paper_md}') or text."
    )
    poll: Any = option(
        None, help="How to wait for a job: url, headers, every (seconds), path, done, failed."
    )
    fetch: Any = option(None, help="The request for the finished review: url, headers.")
    max_output: int = option(20_000_000, help="Most bytes of a response.", minimum=1000)

    def _check(self, problems: list[tuple[str, str]]) -> None:
        super()._check(problems)
        submit = Place(problems, "submit")
        keys = submit.mapping(self.submit, (*_STEP, "capture"))
        self._parsed["submit"] = keys
        if "url" not in keys:
            submit.wrong("the key 'url' is missing")
        bodies = [body for body in _BODIES if body in keys]
        if len(bodies) > 1:
            submit.wrong(f"{' and '.join(bodies)} are two bodies; give one")
        captures = (submit / "capture").mapping(keys.get("capture", {}))
        self._parsed["capture"] = {}
        for name, text in captures.items():
            self._parsed["capture"][name] = _path(text, submit / "capture" / name)
        self._check_step(keys, submit, tuple(captures))
        self._check_poll(Place(problems, "poll"), tuple(captures))
        fetch = Place(problems, "fetch")
        self._parsed["fetch"] = (
            fetch.mapping(self.fetch, ("method", "url", "headers")) if self.fetch else None
        )
        if self._parsed["fetch"] is not None:
            self._check_step(self._parsed["fetch"], fetch, tuple(captures))

    def _check_step(self, keys: Mapping[str, Any], place: Place, captures: tuple[str, ...]) -> None:
        if "url" in keys:
            url = (place / "url").text(keys["url"])
            if url and not url.startswith(("http://", "https://", "{")):
                (place / "url").wrong("begins with http:// or https://")
            if secrets_in(url):
                (place / "url").wrong("addresses are logged by servers; put secrets into headers")
        if "method" in keys:
            (place / "method").choice(keys["method"], ("GET", "POST", "PUT", "PATCH"))
        (place / "headers").mapping(keys.get("headers", {}))
        for body in ("form", "multipart"):
            for name, text in (place / body).mapping(keys.get(body, {})).items():
                (place / body / name).text(text)
        (place / "json").json(keys.get("json"))
        check_placeholders(dict(keys), place, extra=captures)

    def _check_poll(self, place: Place, captures: tuple[str, ...]) -> None:
        self._parsed["poll"] = None
        if self.poll is None:
            return
        keys = place.mapping(
            self.poll, ("method", "url", "headers", "every", "path", "done", "failed")
        )
        for name in ("url", "path", "done"):
            if name not in keys:
                place.wrong(f"the key {name!r} is missing")
        self._check_step(keys, place, captures)
        self._parsed["poll"] = {
            **keys,
            "every": (place / "every").number(keys.get("every", 2.0), 0.01),
            "path": _path(keys.get("path", "$"), place / "path"),
            "done": (place / "done").words(keys.get("done", [])),
            "failed": (place / "failed").words(keys.get("failed", [])),
        }

    @property
    def formats(self) -> list[str]:
        """The formats in which the paper is laid out."""
        named = {name for text in texts_in(self.submit) for name in names_in(text)}
        return sorted(f for f in FORMATS if f"paper_{f}" in named)

    def secret_names(self) -> list[str]:
        """The variables behind ``{secret:NAME}``, and those of ``secrets``."""
        given = [self.submit, self.poll, self.fetch]
        return sorted({n for text in texts_in(given) for n in secrets_in(text)} | set(self.secrets))

    def reviewer_identity(self) -> Json:
        """Versions of the renderers; what runs behind the address cannot be known."""
        return {"renderers": self.renderers()}

    def call(self, paper: Paper, ctx: Context, criterion: Criterion | None = None) -> Answered:
        """Submit, wait and fetch once."""
        try:
            with handed(paper, ctx, self.formats, criterion) as place:
                given = [self.submit, self.poll, self.fetch]
                mask = CallMask(secret_values(given, (), self.secrets))
                return Job(self._parsed, place, mask, self.timeout, self.max_output).run()
        except RunError as error:
            raise CallError("crashed", CallMask()(str(error))) from None


def _path(value: Any, place: Place) -> Any:
    try:
        return compile_path(place.text(value))
    except ValueError as error:
        place.wrong(f"{value!r} {error}")
        return compile_path("$")
