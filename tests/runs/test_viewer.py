"""The pages of `revkit view`: who is answered, what is shown, what can be written."""

from __future__ import annotations

import asyncio
import csv
import io
from collections.abc import Callable, Coroutine, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from revkit.errors import RunError
from revkit.execution import Prompt
from revkit.model.exchange import Message, ModelReply, ModelRequest
from revkit.runs import open_run
from revkit.runs.marks import Mark, Marks, agreement_of, marks_as_csv
from revkit.runs.viewer import HEADERS, Viewer, application
from revkit.runs.viewer_data import passages_of


@pytest.fixture
def viewer(
    run_toy: Callable[..., Any], toy_spec: dict[str, Any], tmp_path: Path
) -> Iterator[Viewer]:
    run_toy({**toy_spec, "repeats": 2}, out="runs/a")
    opened = [open_run(tmp_path / "runs/a")]
    (tmp_path / "view").mkdir()
    found = Viewer.of(opened, tmp_path / "view", tmp_path / "marks.sqlite", "Ada")
    yield found
    found.data.close()


def talk(viewer: Viewer, steps: Callable[[Any], Coroutine[Any, Any, None]]) -> None:
    """Serve the pages and run ``steps`` with a client that keeps cookies."""
    from aiohttp import ClientSession, CookieJar
    from aiohttp.test_utils import TestServer

    async def run() -> None:
        server = TestServer(application(viewer))
        await server.start_server()
        jar = CookieJar(unsafe=True)
        try:
            async with ClientSession(str(server.make_url("/")), cookie_jar=jar) as client:
                await steps(client)
        finally:
            await server.close()

    asyncio.run(run())


def test_only_who_has_the_token_is_answered(viewer: Viewer) -> None:
    async def steps(client: Any) -> None:
        for path in ("/", "/pairs?run=a", "/marks.csv", "/?token=wrong", "/viewer.css"):
            async with client.get(path) as answer:
                assert answer.status == 403
                assert "<" not in await answer.text()
        async with client.get("/", params={"token": viewer.token}) as answer:
            assert (answer.status, answer.url.query_string) == (200, "")
            assert HEADERS.items() <= dict(answer.headers).items()
            assert "/pairs?run=a" in await answer.text()
        # A page of another site that names this address has the cookie, but not the host.
        async with client.get("/", headers={"Host": "evil.example:80"}) as answer:
            assert answer.status == 403

    talk(viewer, steps)


def test_pages_list_filter_sort_and_search(viewer: Viewer) -> None:
    data = viewer.data
    flipped = data.find("pairs", {"run": "a", "only": "flipped"})
    assert all(row["flip"] > 0 for row in flipped.rows)
    same = data.find("pairs", {"run": "a", "only": "unflipped"})
    none = data.find("pairs", {"run": "a", "only": "failed"})
    every = data.find("pairs", {"run": "a"})
    assert every.total == flipped.total + same.total + none.total == data.counts("a")["pairs"]
    scores = [row["score"] for row in data.find("reviews", {"run": "a", "sort": "score"}).rows]
    known = [score for score in scores if score is not None]
    assert known == sorted(known)
    assert None not in scores[: len(known)]
    down = data.find("reviews", {"run": "a", "sort": "score", "desc": "1"}).rows
    assert [row["score"] for row in down][: len(known)] == known[::-1]
    paper = every.rows[0]["paper"]
    found = data.find("papers", {"run": "a", "q": paper.upper()})
    assert paper in {row["paper"] for row in found.rows}
    assert data.find("papers", {"run": "a", "q": "100%_'\""}).total == 0
    # A name of none of the columns is not a column, whatever it holds.
    assert data.find("papers", {"run": "a", "sort": 'x"; DROP TABLE paper'}).total == 6
    assert data.find("papers", {"run": "a", "page": "99"}).page == 1


def test_marks_are_written_once_for_each_question(viewer: Viewer) -> None:
    row = viewer.data.find("pairs", {"run": "a", "agent": "coin"}).rows[0]
    place = {key: str(row[key]) for key in ("agent", "paper", "family", "variant")} | {"run": "a"}

    async def steps(client: Any) -> None:
        async with client.post("/mark", data={**place, "comment": "x"}) as answer:
            assert answer.status == 403  # no token at all
        await client.get("/", params={"token": viewer.token})
        async with client.post("/mark", data={**place, "comment": "x"}) as answer:
            assert answer.status == 403  # a form of another page
        good = {**place, "form": viewer.form_token}
        other = {"Origin": "http://evil.example"}
        async with client.post("/mark", data=good, headers=other) as answer:
            assert answer.status == 403
        for value in ("yes", "no"):
            async with client.post("/mark", data={**good, "meaning-kept": value}) as answer:
                assert (answer.status, answer.url.path) == (200, "/pair")
        comment = "<script>alert(1)</script>"
        async with client.post("/mark", data={**good, "comment": comment}) as answer:
            text = await answer.text()
            assert comment not in text
            assert "&lt;script&gt;alert(1)" in text
        async with client.post("/mark", data={**good, "meaning-kept": "maybe"}) as answer:
            assert answer.status == 404
        async with client.post("/mark", data={**good, "agent": "nobody", "comment": "x"}) as answer:
            assert answer.status == 404
        async with client.get("/marks.csv") as answer:
            rows = list(csv.DictReader(io.StringIO(await answer.text())))
        assert [(row["reader"], row["question"], row["answer"]) for row in rows] == [
            ("Ada", "meaning-kept", "no"),
            ("Ada", "", ""),
        ]

    talk(viewer, steps)


def test_without_a_reader_nothing_is_written(
    run_toy: Callable[..., Any], toy_spec: dict[str, Any], tmp_path: Path
) -> None:
    run_toy(toy_spec, out="runs/a")
    (tmp_path / "view").mkdir()
    viewer = Viewer.of([open_run(tmp_path / "runs/a")], tmp_path / "view")
    row = viewer.data.find("pairs", {"run": "a"}).rows[0]
    place = {key: str(row[key]) for key in ("agent", "paper", "family", "variant")} | {"run": "a"}
    assert "<form" not in viewer.pair(place)
    with pytest.raises(RunError, match="only read"):
        viewer.save({**place, "comment": "x"})
    assert "DELETE" not in viewer.start()
    import sqlite3

    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        viewer.data._rows("DELETE FROM paper")
    viewer.data.close()


def mark(reader: str, paper: str, answer: str) -> Mark:
    return Mark("r", "a", paper, "f", 0, reader, "meaning-kept", answer)


def test_agreement_of_two_readers() -> None:
    answers = {"Ada": "yyynnnyn", "Bob": "yynnnyy?"}
    words = {"y": "yes", "n": "no", "?": "unsure"}
    marks = [
        mark(reader, f"p{i}", words[letter])
        for reader, letters in answers.items()
        for i, letter in enumerate(letters)
    ]
    (found,) = agreement_of(marks)
    # Seven pairs: yes-yes 3, yes-no 1, no-yes 1, no-no 2. po 5/7, pe (4 * 4 + 3 * 3) / 49 = 25/49.
    assert (found.first, found.second, found.n) == ("Ada", "Bob", 7)
    assert found.equal == pytest.approx(5 / 7)
    assert found.kappa == pytest.approx((5 / 7 - 25 / 49) / (1 - 25 / 49))
    assert found.low is not None
    assert found.low < found.kappa


def test_a_mark_is_checked(tmp_path: Path) -> None:
    marks = Marks(tmp_path / "m.sqlite")
    for wrong, match in (
        (mark("", "p", "yes"), "name of its reader"),
        (mark("Ada", "p", "maybe"), "unknown answer"),
        (Mark("r", "a", "p", "f", 0, "Ada", "", "", " "), "needs a comment"),
        (Mark("r", "a", "p", "f", 0, "Ada", "", "", "x" * 5_000), "at most 4,000"),
    ):
        with pytest.raises(RunError, match=match):
            marks.add(wrong)
    marks.add(Mark("r", "a", "p", "f", 0, "Ada", "", "", "=1+1"))
    marks.add(Mark("r", "a", "p", "f", 0, "Ada", "", "", "'@x\x1b"))
    assert "'=1+1" in marks_as_csv(marks.read())
    # An apostrophe of the text stays, and a control character becomes its picture.
    assert "''@x\u241b" in marks_as_csv(marks.read())
    (tmp_path / "text").write_text("no database" * 100)
    with pytest.raises(RunError, match="cannot be used for marks"):
        Marks(tmp_path / "text")


def test_passages_hold_the_text_around_edits() -> None:
    text = "a" * 500 + "old" + "b" * 100 + "more" + "c" * 900
    rows = [{"start": 500, "end": 503, "new": "new"}, {"start": 603, "end": 607, "new": ""}]
    (passage,) = passages_of(text, rows)
    assert [(piece.kind, len(piece.text)) for piece in passage] == [
        ("same", 200),
        ("deleted", 3),
        ("inserted", 3),
        ("same", 100),
        ("deleted", 4),
        ("same", 200),
    ]
    far = [rows[0], {"start": 1_400, "end": 1_400, "new": "x"}]
    assert len(passages_of(text, far)) == 2


def test_prompts_are_linked_and_shown_as_text(viewer: Viewer) -> None:
    """Only where a function finds them; a hostile prompt and reply stay text."""
    asked: list[tuple[Any, ...]] = []

    def prompts(*place: Any) -> list[Prompt]:
        asked.append(place)
        turns = (Message("system", "Be fair."), Message("user", "<script>alert(1)</script>"))
        reply = ModelReply("<img src=x onerror=alert(2)>")
        request = ModelRequest("openai/mock", turns, parameters={"max_tokens": 100}, role="chair")
        return [Prompt(request, reply, "ab" * 32), Prompt(request, None, "cd" * 32)]

    row = viewer.data.find("reviews", {"run": "a"}).rows[0]
    place = {key: str(row[key]) for key in ("agent", "paper", "family", "variant")}
    shown = viewer.review({"run": "a", **place})
    assert "/prompts?" not in shown
    with pytest.raises(RunError, match="--prompts"):
        viewer.prompts_of_review({"run": "a", **place})
    viewer = replace(viewer, prompts=prompts)
    with closing(viewer.data):
        assert "/prompts?" in viewer.review({"run": "a", **place})
        page = viewer.prompts_of_review({"run": "a", **place, "repeat": "1"})
        with pytest.raises(RunError, match="number of the repeat"):
            viewer.prompts_of_review({"run": "a", **place, "repeat": "x"})
    ((folder, *others),) = asked
    assert folder.name == "a"
    assert others == [row["agent"], row["paper"], row["family"], row["variant"], 1]
    assert "<script" not in page
    assert "<img" not in page
    for text in ("&lt;script&gt;alert(1)", "&lt;img src=x", "chair", "max_tokens 100", "ab" * 32):
        assert text in page
    assert page.count("it is not proved") == 1
