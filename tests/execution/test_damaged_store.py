"""Damaged answers of the store are set aside and computed or asked for again."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from revkit.cache import LOST_REPLY
from tests.execution.test_bundle import Asks
from tests.llm_server.server import LlmServer

Run = Callable[..., Any]


def damage(store: Path, holding: bytes, number: int = 0) -> int:
    """Cut the body of one answer that holds ``holding``; return how many keys have that answer."""
    with closing(sqlite3.connect(store)) as database, database:
        found = [
            (digest, body)
            for digest, body in database.execute("SELECT digest, body FROM content ORDER BY rowid")
            if not body.startswith(b"\1") and holding in zlib.decompress(body)
        ]
        digest, body = found[number]
        database.execute("UPDATE content SET body = ? WHERE digest = ?", (body[:-3], digest))
        keys = database.execute("SELECT count(*) FROM asked WHERE content = ?", (digest,))
        return int(keys.fetchone()[0])


@pytest.mark.parametrize(("kind", "named"), [(b'"columns"', "metric/"), (b'"toy.txt"', "report/")])
def test_tables_and_reports_are_computed_again(
    run_toy: Run, toy_spec: dict[str, Any], tmp_path: Path, kind: bytes, named: str
) -> None:
    true = run_toy(toy_spec)
    files = {path: path.read_bytes() for path in true.folder.rglob("*.csv")}
    assert damage(tmp_path / "store.db", kind) == 1
    again = run_toy(toy_spec)
    assert again.exit_code == 0
    (warning,) = again.warnings
    assert named in warning.detail
    assert {path: path.read_bytes() for path in again.folder.rglob("*.csv")} == files


@pytest.mark.parametrize("number", [0, 1])
def test_a_damaged_reply_is_asked_for_again(
    run_toy: Run, toy_spec: dict[str, Any], tmp_path: Path, number: int
) -> None:
    """Also where the review that was read from it is whole: its use of tokens would be unknown."""
    toy_spec["agents"] = {"asks": "asks"}
    toy_spec["perturbations"] = {}
    with LlmServer() as server:
        toy_spec["services"] = {"llm": {"default": {"base-url": server.url}}}
        true = run_toy(toy_spec, plugins=[Asks])
        asked = server.requests
        files = {path: path.read_bytes() for path in true.folder.rglob("*.jsonl")}
        lost = damage(tmp_path / "store.db", b"finish_reason", number)
        again = run_toy(toy_spec, plugins=[Asks])
        assert server.requests == asked + lost
        assert again.exit_code == 0
        (warning,) = again.warnings
        assert LOST_REPLY in warning.detail
        assert (
            f"{lost} of them are replies of language models, which are requested" in warning.detail
        )
        assert {path: path.read_bytes() for path in again.folder.rglob("*.jsonl")} == files
        assert run_toy(toy_spec, plugins=[Asks]).warnings == ()
        assert server.requests == asked + lost
