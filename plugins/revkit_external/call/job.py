"""The steps of a review by a service: submit, wait, fetch."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

from revkit.http import (
    MOST_REDIRECTS,
    HttpError,
    Request,
    Response,
    exchange,
    origin,
    retry_after,
)
from revkit.model.values import Json
from revkit_external.call.attempt import Answered, CallError
from revkit_external.call.bodies import form_body, json_body, multipart_body
from revkit_external.call.call_folders import Handed
from revkit_external.call.call_mask import CallMask
from revkit_external.call.placeholders import fill, fill_all
from revkit_external.call.process import clean
from revkit_external.parse.documents import parse
from revkit_external.parse.trouble import ReadingError, excerpt

_MOST_POLLS = 100_000


class Job:
    """The job of one paper at a service."""

    def __init__(
        self, parsed: Mapping[str, Any], place: Handed, mask: CallMask, seconds: float, most: int
    ) -> None:
        self.parsed = parsed
        self.seconds = seconds
        self.most = most
        self.place = place
        self.mask = mask
        self.values = dict(place.values)
        self.deadline = time.monotonic() + seconds
        self.home: tuple[str, str, int] | None = None
        self.steps: list[Json] = []
        self.last: Response | None = None

    def run(self) -> Answered:
        """Submit the job, wait for its end and return its answer. Raises `CallError`."""
        given: dict[str, Json] = {"requests": self.steps, "paper": dict(self.place.renderers)}
        try:
            response = self._submit()
            if self.parsed["poll"]:
                self._poll()
            if self.parsed["fetch"]:
                response = self._send(self.parsed["fetch"], "fetch")
            elif self.parsed["poll"]:
                response = self.last or response
        except (CallError, ReadingError) as error:
            after = error.after if isinstance(error, CallError) else None
            reasons = error.reasons if isinstance(error, CallError) else ()
            raise CallError(
                error.kind,
                self.mask(error.detail),
                reasons=reasons,
                given=given,
                shown=self._response(),
                after=after,
            ) from None
        text, bad = clean(response.body)
        notes = [f"{bad} bytes of the response were not UTF-8"] if bad else []
        details: dict[str, Json] = {}
        if self.place.renderers:
            details["paper"] = dict(self.place.renderers)
        return Answered(self.mask(text), given, self._response(), details, notes)

    def _response(self) -> dict[str, Json]:
        if self.last is None:
            return {}
        text, _ = clean(self.last.body)
        return {"status": self.last.status, "response": self.mask(text)}

    def _submit(self) -> Response:
        response = self._send(self.parsed["submit"], "submit")
        if self.parsed["capture"]:
            data = self._json(response, "submit")
            for name, path in self.parsed["capture"].items():
                self.values[name] = str(self._one(data, path, f"submit.capture.{name}"))
        return response

    def _poll(self) -> None:
        poll = self.parsed["poll"]
        state: Any = None
        for _ in range(_MOST_POLLS):
            try:
                data = self._json(self._send(poll, "poll"), "poll")
            except CallError as error:
                if error.kind == "timeout":
                    error.detail += f"; the last state was {excerpt(state)}"
                raise
            state = self._one(data, poll["path"], "poll.path")
            if str(state) in poll["done"]:
                return
            if str(state) in poll["failed"]:
                raise CallError("provider", f"job: its state is {excerpt(state)}", reasons=("job",))
            if time.monotonic() + poll["every"] >= self.deadline:
                raise CallError(
                    "timeout",
                    f"timeout: not done after {self.seconds:g} s; "
                    f"the last state was {excerpt(state)}",
                )
            time.sleep(poll["every"])
        raise CallError("timeout", f"timeout: polled {_MOST_POLLS} times")

    def _json(self, response: Response, step: str) -> Any:
        text, _ = clean(response.body)
        try:
            return parse(text, "json").data
        except ReadingError as error:
            raise CallError(error.kind, f"{step}: {error.detail}") from None

    @staticmethod
    def _one(data: Any, path: Any, name: str) -> Any:
        found = path.walk(data).found
        if len(found) != 1 or isinstance(found[0][1], dict | list) or found[0][1] is None:
            raise CallError("unparseable", f"{name}: there is not exactly one value at {path.text}")
        return found[0][1]

    def _send(self, step: Mapping[str, Any], name: str) -> Response:
        url = self._url(step["url"])
        body, type_ = self._body(step)
        headers = {
            key: text.replace("\r", "").replace("\n", "")
            for key, text in fill_all(
                dict(step.get("headers", {})), lambda text: fill(text, self.values)
            ).items()
        }
        if type_ and not any(key.lower() == "content-type" for key in headers):
            headers["Content-Type"] = type_
        method = step.get("method") or ("POST" if name == "submit" else "GET")
        place = _origin(url)
        self.home = self.home or place
        if place != self.home:
            raise CallError("provider", f"http: {name} would go to another host ({place[1]})")
        seen = {key: self.mask(text)[:300] for key, text in headers.items()}
        if name != "poll" or not self.last or self.last.url != url:
            self.steps.append(
                {
                    "step": name,
                    "method": method,
                    "url": self.mask(url),
                    "headers": seen,
                    "body": self.mask(clean((body or b"")[:2000])[0])[:300],
                }
            )
        response = self._exchange(Request(method, url, headers, body))
        self.last = response
        if not 200 <= response.status < 300:
            start = clean(response.body[:2000])[0].strip()[:200]
            raise CallError(
                "provider",
                f"http: {name} responded with status {response.status}: {start}",
                reasons=(f"status:{response.status}",),
                after=retry_after(response.headers),
            )
        return response

    def _exchange(self, request: Request) -> Response:
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise CallError("timeout", "timeout: the time limit for all steps has passed")
        try:
            return exchange(request, timeout=left, most=self.most, redirects=MOST_REDIRECTS)
        except HttpError as error:
            if error.fault == "timeout":
                raise CallError("timeout", "timeout: the server did not answer in time") from None
            raise CallError(error.kind, f"http: {error.detail}") from None

    def _url(self, template: str) -> str:
        """Return the address; inserted values are quoted, except a value at the beginning of the
        address.
        """
        captured = set(self.parsed["capture"])
        quoted = {
            key: value
            if key in captured and template.startswith(f"{{{key}}}")
            else quote(value, safe="")
            for key, value in self.values.items()
        }
        return fill(template, quoted)

    def _body(self, step: Mapping[str, Any]) -> tuple[bytes | None, str]:
        def filled(text: str) -> str:
            return fill(text, self.values)

        if "json" in step:
            return json_body(fill_all(step["json"], filled))
        if "form" in step:
            return form_body(fill_all(dict(step["form"]), filled))
        if "text" in step:
            return filled(step["text"]).encode(), "text/plain; charset=utf-8"
        if "multipart" in step:
            parts: dict[str, tuple[str, bytes]] = {}
            for name, text in step["multipart"].items():
                if text.startswith("@{paper_"):
                    path = Path(filled(text[1:]))
                    parts[name] = (path.name, path.read_bytes())
                else:
                    parts[name] = ("", filled(text).encode())
            return multipart_body(parts)
        return None, ""


def _origin(url: str) -> tuple[str, str, int]:
    try:
        return origin(url)
    except HttpError as error:
        raise CallError("provider", f"http: {error.detail}") from None
