"""What was stored and changed since, and what metrics, reports and searchers may not do."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import sys
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pytest

from revkit.cache import Store
from revkit.contracts import (
    Context,
    Metric,
    Reporter,
    RunView,
    Searcher,
    Services,
)
from revkit.errors import StoreError
from revkit.model.records import Records
from revkit.model.table import Column, Table
from revkit.model.work import Work
from revkit.options import option
from revkit.services import SearchService
from tests.execution.test_judging_and_calibration import (
    PARTS,
    calibrated,
    judged,
)

Run = Callable[..., Any]


def change(path: Path, keys: set[str], new: Callable[[Any], Any]) -> None:
    """Put ``new(value)`` in the place of each stored answer with ``keys``, and a fitting digest."""
    with sqlite3.connect(path) as database:
        for digest, body in database.execute("SELECT digest, body FROM content").fetchall():
            value = json.loads(zlib.decompress(body))
            if not isinstance(value, dict) or not keys <= {*value, *value.get("value", ())}:
                continue
            data = json.dumps(new(value)).encode()
            other = hashlib.sha256(data).digest()
            database.execute("DELETE FROM content WHERE digest = ?", (digest,))
            database.execute(
                "INSERT OR REPLACE INTO content VALUES (?, ?)", (other, zlib.compress(data))
            )
            database.execute("UPDATE asked SET content = ? WHERE content = ?", (other, digest))
    database.close()


def within(**fields: Any) -> Callable[[Any], Any]:
    return lambda value: {**value, "value": {**value["value"], **fields}}


@pytest.mark.parametrize(
    ("keys", "new"),
    [
        ({"curve"}, lambda value: None),
        ({"curve"}, lambda value: []),
        ({"curve"}, lambda value: {}),
        ({"curve"}, lambda value: {"curve": None, "refused": ""}),
        ({"curve"}, lambda value: {"curve": {"slope": -1.0}, "refused": ""}),
        ({"curve"}, lambda value: {"curve": {"slope": "x"}, "refused": ""}),
        ({"rows"}, lambda value: []),
        ({"rows"}, lambda value: {**value, "rows": [["too", "many", "cells"]]}),
        ({"rows"}, lambda value: {**value, "rows": 5}),
        ({"rows"}, lambda value: {**value, "rows": [["\ud800", 1]]}),
        ({"rows"}, lambda value: {**value, "columns": [{"name": 5}, {"name": "value"}]}),
        ({"toy.txt"}, lambda value: [1]),
        ({"toy.txt"}, lambda value: {"toy.txt": 5}),
        ({"score"}, lambda value: {**value, "value": {}}),
        ({"score"}, within(aspects=3)),
        ({"score"}, within(details=None)),
        ({"score"}, lambda value: {**value, "calls": ["zz"]}),
        ({"edits"}, within(edits=[{"start": 0, "end": 10**9, "new": "", "note": ""}])),
        ({"edits"}, within(edits=[{"start": "a", "end": 1, "new": "", "note": ""}])),
        ({"edits"}, within(edits=[], rejected="")),
        ({"edits"}, within(checks=[{"name": "x"}])),
    ],
)
def test_an_answer_that_cannot_be_one_is_refused(
    run_toy: Run, tmp_path: Path, keys: set[str], new: Callable[[Any], Any]
) -> None:
    given = {
        **calibrated(anchors="words"),
        "perturbations": {"borrow": "borrow"},
        "judges": {"j": "counting"},
        "rubrics": ["short"],
        "reports": ["toy-report"],
    }
    run_toy(given, plugins=PARTS)
    change(tmp_path / "store.db", keys, new)
    with pytest.raises(StoreError, match="move the file to another place"):
        run_toy(given, plugins=PARTS)


@dataclass(frozen=True)
class Changes(Metric):
    """Changes whatever it is given."""

    name: ClassVar[str] = "changes"
    version: ClassVar[str] = "1"

    def measure(self, records: Records) -> Table:
        pairs: Any = records.pairs("a")
        pairs.clear()
        held: list[Any] = [row.labels.extra for row in records.papers]
        held += [row.options for row in records.perturbations]
        for each in held:
            each["new"] = 1
        return Table.of(self.name, "Changes", [Column("x")], [])


@dataclass(frozen=True)
class Reads(Metric):
    """Tells what could have been changed."""

    name: ClassVar[str] = "reads"
    version: ClassVar[str] = "1"

    def measure(self, records: Records) -> Table:
        told: list[Any] = [
            len(records.pairs("a")),
            str([dict(paper.labels.extra) for paper in records.papers]),
            str([dict(row.options) for row in records.perturbations]),
        ]
        return Table.of(self.name, "Reads", [Column("x")], [{"x": value} for value in told])


@dataclass(frozen=True)
class ChangesView(Reporter):
    """Changes whatever it is given."""

    name: ClassVar[str] = "changes-view"
    version: ClassVar[str] = "1"

    def render(self, run: RunView) -> Any:
        for given in (run.spec, run.versions):
            given.clear()  # type: ignore[attr-defined]
        return {"c.txt": "c"}

    def summary(self, files: Any) -> str:
        files.clear()
        return ""


@dataclass(frozen=True)
class ReadsView(Reporter):
    """Tells what could have been changed."""

    name: ClassVar[str] = "reads-view"
    version: ClassVar[str] = "1"

    def render(self, run: RunView) -> Any:
        return {"r.txt": f"{len(run.spec)} {len(run.versions)}"}


def test_no_metric_or_report_changes_what_the_next_one_sees(run_toy: Run) -> None:
    def told(out: str, metrics: list[str], reports: list[str]) -> tuple[Any, str]:
        given = {
            **calibrated(anchors="words"),
            "perturbations": {"w": "toy-words", "b": "borrow"},
            "metrics": metrics,
            "reports": reports,
        }
        run = run_toy(given, out=out, plugins=[*PARTS, Changes, Reads, ChangesView, ReadsView])
        assert not run.faults
        return run.table("reads").rows, (run.folder / "r.txt").read_text(encoding="utf-8")

    alone = told("alone", ["reads"], ["reads-view"])
    assert told("after", ["changes", "reads"], ["changes-view", "reads-view"]) == alone


TABLES: dict[str, Callable[[], Table]] = {
    "surrogate": lambda: Table.of("odd", "O", [Column("a")], [{"a": "\ud800"}]),
    "column": lambda: Table.of("odd", "O", [Column("a", title=5)], []),  # type: ignore[arg-type]
    "title": lambda: Table.of("odd", None, [Column("a")], []),  # type: ignore[arg-type]
}


@dataclass(frozen=True)
class OddTable(Metric):
    """Gives a table that no file holds."""

    name: ClassVar[str] = "odd-table"
    version: ClassVar[str] = "1"
    how: str = option("surrogate", help="What is odd.")

    def measure(self, records: Records) -> Table:
        return TABLES[self.how]()


@pytest.mark.parametrize("how", TABLES)
def test_a_table_that_no_file_holds_is_a_fault(run_toy: Run, how: str) -> None:
    metrics = [{"use": "odd-table", "with": {"how": how}}, "shown"]
    run = run_toy({**judged(most=2), "metrics": metrics}, plugins=[*PARTS, OddTable])
    assert [(fault.kind, fault.name) for fault in run.faults] == [("metric", "odd-table")]
    assert list(run.tables) == ["shown"]


FOUND: dict[str, Callable[[], Any]] = {
    "text": lambda: ["a title"],
    "nan": lambda: [Work("t", score=float("nan"))],
    "title": lambda: [Work(5)],  # type: ignore[arg-type]
    "none": lambda: None,
    "leaves": lambda: sys.exit(3),
}


@dataclass(frozen=True)
class OddSearch(Searcher):
    """Finds what is no work."""

    name: ClassVar[str] = "odd-search"
    version: ClassVar[str] = "1"
    how: str = option("none", help="What it finds.")

    def search(self, query: str, limit: int, ctx: Context) -> Any:
        return FOUND[self.how]() if self.how in FOUND else [Work(query)]


def searched(store: Store, how: str) -> Any:
    return SearchService(OddSearch(how), store, Services())("gates", 3)


@pytest.mark.parametrize("how", FOUND)
def test_what_is_no_work_is_a_failed_search(how: str) -> None:
    with Store(None) as store:
        assert searched(store, how).kind == "crashed"


def test_a_found_work_that_was_changed_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    with Store(path) as store:
        assert searched(store, "well") == [Work("gates")]
        assert searched(store, "well") == [Work("gates")]
    data = b'[{"title": 5, "authors": []}]'
    with sqlite3.connect(path) as database:
        digest = hashlib.sha256(data).digest()
        database.execute("UPDATE content SET digest = ?, body = ?", (digest, zlib.compress(data)))
        database.execute("UPDATE asked SET content = ?", (digest,))
    database.close()
    with Store(path) as store, pytest.raises(StoreError, match="move the file to another place"):
        searched(store, "well")
