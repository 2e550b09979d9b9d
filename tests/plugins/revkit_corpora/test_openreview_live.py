"""OpenReview live, against a service on loopback that pages as OpenReview does."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest

from revkit.contracts import Corpus
from revkit.errors import OptionError, RunError
from revkit.model.paper import Paper, Skipped
from revkit_corpora.openreview import OpenReview
from revkit_corpora.openreview_live import OpenReviewLive

Load = Callable[[Corpus], tuple[list[Paper], list[Skipped]]]
VENUE = "ICLR.cc/2024/Conference"


def submission(version: str, number: int) -> dict[str, Any]:
    """A submission with a review and a decision, as the service gives it with its details."""

    def wrapped(**content: Any) -> dict[str, Any]:
        if version == "v1":
            return content
        return {key: {"value": value} for key, value in content.items()}

    def asked(kind: str) -> dict[str, Any]:
        name = f"{VENUE}/{kind}"
        if version == "v1":
            return {"invitation": name}
        return {"invitations": [name], "domain": VENUE}

    id_ = f"p{number}"
    reply = {"forum": id_, "replyto": id_}
    tail = f"Submission{number}/-/"
    review = {
        "id": f"r{number}",
        **reply,
        **asked(f"{tail}Official_Review"),
        "content": wrapped(rating="6: marginally above", review="Good."),
    }
    decision = {
        "id": f"d{number}",
        **reply,
        **asked(f"{tail}Decision"),
        "content": wrapped(decision="Accept (poster)" if number % 2 else "Reject"),
    }
    return {
        "id": id_,
        "forum": id_,
        **asked("-/Blind_Submission" if version == "v1" else "-/Submission"),
        "content": wrapped(title=f"Gates {number}", abstract="We study gates."),
        "details": {"directReplies" if version == "v1" else "replies": [review, decision]},
    }


class Service:
    """Gives the notes of one venue page by page; ``status`` and ``body`` replace its answers."""

    def __init__(self) -> None:
        self.asked: list[dict[str, str]] = []
        self.tokens: list[str] = []
        self.notes: list[dict[str, Any]] = []
        self.failures: list[tuple[int, bytes]] = []
        self.endless = False
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                parts = urlsplit(self.path)
                status, body = service.answer(parts.path, dict(parse_qsl(parts.query)))
                service.tokens.append(self.headers.get("Authorization", ""))
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *arguments: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))
        self._thread.start()

    def answer(self, path: str, asked: dict[str, str]) -> tuple[int, bytes]:
        assert path == "/notes"
        self.asked.append(asked)
        if self.failures:
            return self.failures.pop(0)
        names = [f"{VENUE}/-/Submission", f"{VENUE}/-/Blind_Submission"]
        notes = sorted(self.notes, key=lambda each: str(each["id"]))
        after = "" if self.endless else asked.get("after", "")
        found = [each for each in notes if each["id"] > after and asked["invitation"] in names]
        page = found[: int(asked["limit"])]
        return 200, json.dumps({"notes": page, "count": len(notes)}).encode()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@pytest.fixture
def service() -> Iterator[Service]:
    service = Service()
    yield service
    service.close()


def live(service: Service, folder: Path, **options: Any) -> OpenReviewLive:
    given = {"venue": VENUE, "page_size": 2, "per_second": 100.0, **options}
    return OpenReviewLive(path=str(folder / "notes"), base_url=service.url, **given)


@pytest.mark.parametrize("version", ["v1", "v2"])
def test_a_venue_is_asked_once_page_by_page(
    version: str, service: Service, tmp_path: Path, load: Load
) -> None:
    service.notes = [submission(version, number) for number in range(1, 6)]
    corpus = live(service, tmp_path, api=version)
    papers, skipped = load(corpus)
    assert skipped == []
    assert [paper.id for paper in papers] == ["p1", "p2", "p3", "p4", "p5"]
    assert [paper.labels.accept for paper in papers] == [True, False, True, False, True]
    assert all(paper.labels.ratings == (6,) for paper in papers)
    assert [asked.get("after") for asked in service.asked] == [None, "p2", "p4"]
    assert {asked["sort"] for asked in service.asked} == {"id"}
    again, _ = load(live(service, tmp_path, api=version))
    assert len(service.asked) == 3
    assert again == papers
    [kept] = (tmp_path / "notes").iterdir()
    from_file, _ = load(OpenReview(path=str(kept)))
    assert [paper.labels for paper in from_file] == [paper.labels for paper in papers]


def test_the_identity_is_what_was_read(service: Service, tmp_path: Path) -> None:
    service.notes = [submission("v2", 1)]
    first = live(service, tmp_path).identity()
    assert first == live(service, tmp_path, page_size=7, timeout=3.0).identity()
    service.notes = [submission("v2", 2)]
    assert first != live(service, tmp_path / "other").identity()


def test_two_venues_have_two_files(service: Service, tmp_path: Path) -> None:
    service.notes = [submission("v2", 1)]
    live(service, tmp_path).files()
    with pytest.raises(RunError, match="no public note for Other/2024/-/Submission"):
        live(service, tmp_path, venue="Other/2024").files()
    assert len([*(tmp_path / "notes").iterdir()]) == 1  # and nothing half written


def test_a_service_that_is_busy_is_asked_again(service: Service, tmp_path: Path) -> None:
    service.notes = [submission("v2", 1)]
    service.failures = [(429, b'{"message": "slow down"}')]
    assert len(live(service, tmp_path).files()) == 1
    assert len(service.asked) == 2


@pytest.mark.parametrize(
    ("status", "body", "part"),
    [
        (403, b'{"message": "Invitation is not public"}', "status 403: Invitation is not public"),
        (200, b'{"notes": 7}', "without a list of notes"),
        (200, b'{"notes": [7]}', "without a list of notes"),
        (200, b"<html>", "not JSON"),
    ],
)
def test_a_service_that_refuses(
    status: int, body: bytes, part: str, service: Service, tmp_path: Path
) -> None:
    service.failures = [(status, body)] * 2
    with pytest.raises(RunError, match=part):
        live(service, tmp_path, attempts=1).files()


def test_a_service_without_an_end(service: Service, tmp_path: Path) -> None:
    service.notes = [submission("v2", number) for number in range(1, 4)]
    service.endless = True
    with pytest.raises(RunError, match="no end of its notes"):
        live(service, tmp_path).files()


def test_a_token_goes_to_the_service_alone(
    service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = live(service, tmp_path, token_env="MY_TOKEN")
    assert corpus.ready() == ("openreview-live: the environment variable MY_TOKEN holds no token",)
    monkeypatch.setenv("MY_TOKEN", "a-secret-of-the-user")
    assert corpus.ready() == ()
    service.failures = [(403, b'{"message": "no: a-secret-of-the-user"}')]
    with pytest.raises(RunError) as error:
        corpus.files()
    assert "a-secret" not in str(error.value)
    service.notes = [submission("v2", 1)]
    [file] = corpus.files()
    assert service.tokens == ["Bearer a-secret-of-the-user"] * 2
    assert b"a-secret" not in file.path.read_bytes()


def test_options_that_cannot_be(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="base-url"):
        OpenReviewLive(path="x", base_url="nowhere", venue="x")
    with pytest.raises(OptionError, match="venue: is missing"):
        OpenReviewLive(path="x")
    (tmp_path / "file").write_text("x")
    with pytest.raises(RunError, match="not a folder"):
        OpenReviewLive(path=str(tmp_path / "file"), venue="x").files()


ARR = "aclweb.org/ACL/ARR/2024/June"


def test_a_cycle_of_arr(tmp_path: Path, load: Load) -> None:
    """ARR's own fields, as its form of 2024 on OpenReview names them."""

    def wrapped(**content: Any) -> dict[str, Any]:
        return {key: {"value": value} for key, value in content.items()}

    review = {
        "id": "r1",
        "forum": "a1",
        "replyto": "a1",
        "invitations": [f"{ARR}/Submission7/-/Official_Review"],
        "content": wrapped(
            paper_summary="They count gates.",
            summary_of_strengths="Clear.",
            summary_of_weaknesses="One town only.",
            comments_suggestions_and_typos="See line 3.",
            confidence="4 = Quite sure.",
            soundness="3.5",
            overall_assessment="2.5 = Borderline findings",
        ),
    }
    meta = {
        "id": "m1",
        "forum": "a1",
        "replyto": "a1",
        "invitations": [f"{ARR}/Submission7/-/Meta_Review"],
        "content": wrapped(metareview="Solid but small.", overall_assessment="3 = Findings"),
    }
    paper = {
        "id": "a1",
        "forum": "a1",
        "domain": ARR,
        "invitations": [f"{ARR}/-/Submission"],
        "content": wrapped(title="Gates", abstract="We count gates."),
        "details": {"replies": [review, meta]},
    }
    path = tmp_path / "arr.json"
    path.write_text(json.dumps([paper]), encoding="utf-8")
    [loaded], _ = load(OpenReview(path=str(path)))
    assert loaded.labels.ratings == (2.5,)
    assert loaded.labels.confidences == (4,)
    assert loaded.labels.scale is not None
    assert (loaded.labels.scale.minimum, loaded.labels.scale.maximum) == (1, 5)
    assert "One town only." in loaded.reviews[0].text
    assert loaded.reviews[-1].meta
