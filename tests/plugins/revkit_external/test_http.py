"""Services on loopback that answer at once, by jobs, late, wrongly, or by sending one elsewhere."""

from __future__ import annotations

import email.utils
import json
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from revkit.contracts import Context
from revkit.errors import OptionError
from revkit.model.paper import Paper
from revkit.model.review import Failure
from revkit_external.http import Http

MAP = {"accept": {"path": "$.d", "labels": "@decision"}}
Answer = tuple[int, dict[str, str], bytes]


class Service:
    """A server whose answers are a function of the request; requests are kept."""

    def __init__(self) -> None:
        self.seen: list[tuple[str, str, dict[str, str], bytes]] = []
        self.answer: Callable[[int, str], Answer] = lambda number, path: (200, {}, b"")
        self.drip = 0.0
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                length = int(self.headers.get("content-length") or 0)
                body = self.rfile.read(length)
                headers = {name.lower(): value for name, value in self.headers.items()}
                service.seen.append((self.command, self.path, headers, body))
                status, more, data = service.answer(len(service.seen), self.path)
                self.send_response(status)
                for name, value in more.items():
                    self.send_header(name, value)
                if "Content-Length" not in more:
                    self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                try:
                    for start in range(0, len(data), 1 if service.drip else len(data) or 1):
                        self.wfile.write(data[start : start + (1 if service.drip else len(data))])
                        self.wfile.flush()
                        time.sleep(service.drip)
                except OSError:
                    pass

            do_POST = do_GET  # noqa: N815

            def log_message(self, *arguments: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.02,))
        self.thread.start()

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()


@pytest.fixture
def service() -> Iterator[Service]:
    made = Service()
    yield made
    made.close()


@pytest.fixture
def review(service: Service, paper: Paper, ctx: Context) -> Callable[..., Any]:
    def run(**options: Any) -> Any:
        submit = {"url": f"{service.url}/review", "json": {"paper": "{paper_text}"}}
        options = {"submit": submit, "map": MAP, "timeout": 5.0, **options}
        return Http(**options).review(paper, ctx)

    return run


def good(number: int, path: str) -> Answer:
    return 200, {}, b'{"d": "accept"}'


def test_one_shot(service: Service, review: Callable[..., Any], paper: Paper) -> None:
    service.answer = good
    assert review().accept is True
    method, path, headers, body = service.seen[0]
    assert (method, path) == ("POST", "/review")
    assert headers["content-type"] == "application/json"
    assert json.loads(body) == {"paper": paper.text}


def test_a_job(service: Service, review: Callable[..., Any]) -> None:
    answers: dict[str, list[bytes]] = {
        "/jobs": [b'{"job": {"id": "a/b 1"}}'],
        "/jobs/a%2Fb%201": [
            b'{"status": "queued"}',
            b'{"status": "running"}',
            b'{"status": "done"}',
        ],
        "/jobs/a%2Fb%201/letter": [b'{"d": "reject"}'],
    }
    service.answer = lambda number, path: (200, {}, answers[path].pop(0))
    outcome = review(
        submit={
            "url": f"{service.url}/jobs",
            "multipart": {"file": "@{paper_md}", "seed": "{seed}"},
            "capture": {"job": "$.job.id"},
        },
        poll={
            "url": service.url + "/jobs/{job}",
            "every": 0.02,
            "path": "$.status",
            "done": ["done"],
            "failed": ["failed"],
        },
        fetch={"url": service.url + "/jobs/{job}/letter"},
    )
    assert outcome.accept is False
    assert [path for _, path, _, _ in service.seen].count("/jobs/a%2Fb%201") == 3
    body = service.seen[0][3]
    assert b'filename="paper.md"' in body
    assert b"We gate tokens." in body
    assert b'name="seed"\r\n\r\n7\r\n' in body


def job(service: Service, **poll: Any) -> dict[str, Any]:
    return {
        "poll": {
            "url": f"{service.url}/state",
            "every": 0.05,
            "path": "$.status",
            "done": ["done"],
            "failed": ["failed", "cancelled"],
            **poll,
        }
    }


def test_a_job_that_fails_or_never_ends(service: Service, review: Callable[..., Any]) -> None:
    service.answer = lambda number, path: (200, {}, b'{"status": "cancelled"}')
    outcome = review(**job(service))
    assert (outcome.kind, outcome.detail) == ("provider", "job: its state is 'cancelled'")
    service.answer = lambda number, path: (200, {}, b'{"status": "running"}')
    outcome = review(**job(service), timeout=0.4)
    assert outcome.kind == "timeout"
    assert outcome.detail == "timeout: not done after 0.4 s; the last state was 'running'"
    service.answer = lambda number, path: (200, {}, b'{"state": "?"}')
    assert review(**job(service)).kind == "unparseable"


def test_statuses_and_retries(service: Service, review: Callable[..., Any]) -> None:
    def busy(number: int, path: str) -> Answer:
        return (409, {}, b"one job at a time") if number < 3 else good(number, path)

    service.answer = busy
    retry = {"max": 3, "on": ["status:409"], "backoff": 0.01}
    outcome = review(retry=retry)
    assert (outcome.accept, outcome.details["tries"]) == (True, 3)
    service.seen.clear()
    outcome = review()
    assert (outcome.kind, outcome.detail) == (
        "provider",
        "http: submit responded with status 409: one job at a time",
    )


def test_retry_after_is_honoured_and_bounded(service: Service, review: Callable[..., Any]) -> None:
    def limited(number: int, path: str) -> Answer:
        return (429, {"Retry-After": "1"}, b"") if number == 1 else good(number, path)

    service.answer = limited
    retry = {"max": 1, "on": ["status:429"], "backoff": 0.0}
    started = time.monotonic()
    assert review(retry=retry).accept is True
    assert time.monotonic() - started >= 1.0
    day = email.utils.formatdate(time.time() + 86400, usegmt=True)
    for header in ("86400", day):
        service.answer = lambda number, path, value=header: (503, {"Retry-After": value}, b"")  # type: ignore[misc]
        outcome = review(retry={"max": 3, "on": ["status:503"]})
        assert "asks to wait 86" in outcome.detail
        assert "retry.longest (60)" in outcome.detail


def test_no_redirect_to_another_host(
    service: Service, review: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SERVICE_KEY", "abcdef123456")
    other = Service()
    try:
        other.answer = good
        service.answer = lambda number, path: (307, {"Location": f"{other.url}/x"}, b"")
        submit = {
            "url": f"{service.url}/review",
            "headers": {"Authorization": "Bearer {secret:SERVICE_KEY}"},
            "json": {},
        }
        outcome = review(submit=submit)
        assert (outcome.kind, outcome.detail) == (
            "provider",
            "http: redirect to another host (127.0.0.1) is not followed",
        )
        assert service.seen[0][2]["authorization"] == "Bearer abcdef123456"
        captured = {**submit, "capture": {"next": "$.next"}}
        service.answer = lambda number, path: (200, {}, json.dumps({"next": other.url}).encode())
        outcome = review(submit=captured, fetch={"url": "{next}"})
        assert outcome.detail == "http: fetch would go to another host (127.0.0.1)"
        assert other.seen == []
        service.answer = lambda number, path: (
            good(number, path) if path == "/there" else (303, {"Location": "/there"}, b"")
        )
        assert review(submit=submit).accept is True
    finally:
        other.close()


def test_secrets_that_a_service_repeats_are_masked(
    service: Service, paper: Paper, ctx: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SERVICE_KEY", "abcdef123456")
    service.answer = lambda number, path: (401, {}, b"wrong key abcdef123456")
    submit = {"url": service.url, "headers": {"X-Key": {"secret": "SERVICE_KEY"}}, "json": {}}
    agent = Http(submit=submit, map=MAP)
    report = json.dumps(agent.explain(paper, ctx))
    assert service.seen[0][2]["x-key"] == "abcdef123456"
    assert "abcdef123456" not in report
    assert "wrong key ***" in report
    outcome = agent.review(paper, ctx)
    assert isinstance(outcome, Failure)
    assert "abcdef123456" not in outcome.raw + outcome.detail


def test_slow_large_broken_and_absent(service: Service, review: Callable[..., Any]) -> None:
    service.answer = lambda number, path: (200, {}, b'{"d": "accept"}' + b" " * 50)
    service.drip = 0.05
    outcome = review(timeout=0.5)
    assert outcome.kind == "timeout"
    service.drip = 0.0
    service.answer = lambda number, path: (200, {}, b"x" * 5000)
    assert review(max_output=1000).kind == "truncated"
    service.answer = lambda number, path: (200, {"Content-Length": "100"}, b'{"d": "accept"}')
    outcome = review(timeout=2.0)
    assert outcome.kind in ("provider", "timeout")
    service.answer = lambda number, path: (200, {}, b"<html>gateway</html>")
    assert review().kind == "unparseable"
    service.answer = lambda number, path: (200, {}, b"")
    assert review().detail == "parse: the output is empty"
    nobody = {"url": "http://127.0.0.1:9/", "json": {}}
    assert review(submit=nobody).kind == "provider"


def test_a_renderer_that_is_not_installed_is_reported_before_a_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from revkit_external import rendering

    submit = {"url": "http://127.0.0.1:9/", "multipart": {"file": "@{paper_pdf}"}}
    monkeypatch.setitem(rendering.LIBRARIES, "pdf", ("no-such-library",))
    troubles = Http(submit=submit, map=MAP).ready()
    assert len(troubles) == 1
    assert "a paper as pdf needs no-such-library" in troubles[0]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"submit": {}}, "submit.url: is required and missing"),
        ({"submit": {"url": "ftp://x"}}, "begins with http:// or https://"),
        ({"submit": {"url": "http://x/{secret:K}"}}, "put secrets into headers"),
        ({"submit": {"url": "http://x", "json": {}, "form": {}}}, "two bodies"),
        (
            {"submit": {"url": "http://x"}, "poll": {"url": "http://x"}},
            "poll.path: is required and missing",
        ),
        ({"submit": {"url": "http://x", "capture": {"a": "b"}}}, "did you mean '$.b'"),
        ({"submit": {"urll": "http://x"}}, "did you mean 'url'?"),
    ],
)
def test_options(options: dict[str, Any], expected: str) -> None:
    with pytest.raises(OptionError) as caught:
        Http(map=MAP, **options)
    assert expected in str(caught.value)
