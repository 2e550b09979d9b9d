"""What is stored is believed only where it is what was stored, and could be an answer."""

from __future__ import annotations

import csv
import hashlib
import json
import sqlite3
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pytest

import revkit
from revkit.errors import StoreError

Run = Callable[..., Any]


def rewrite(path: Path, change: Callable[[Any], Any], *, honest: bool) -> None:
    """Change the bodies of all stored reviews; ``honest`` gives them a digest that fits."""
    with sqlite3.connect(path) as database:
        rows = database.execute("SELECT digest, body FROM content").fetchall()
        for digest, body in rows:
            value = json.loads(zlib.decompress(body))
            if not isinstance(value, dict) or "score" not in value.get("value", {}):
                continue
            text = change(value)
            data = text.encode() if isinstance(text, str) else json.dumps(text).encode()
            new = hashlib.sha256(data).digest() if honest else digest
            packed = zlib.compress(data)
            database.execute("DELETE FROM content WHERE digest = ?", (digest,))
            database.execute("INSERT OR REPLACE INTO content VALUES (?, ?)", (new, packed))
            database.execute("UPDATE asked SET content = ? WHERE content = ?", (new, digest))
    database.close()


def with_score(score: str) -> Callable[[Any], Any]:
    def change(value: Any) -> str:
        value["value"]["score"] = "SCORE"
        return json.dumps(value).replace('"SCORE"', score)

    return change


@pytest.mark.parametrize("score", ["4", "14", "true", "NaN", "1e999", '"7"'])
@pytest.mark.parametrize("honest", [False, True])
def test_a_changed_score_is_no_score(
    run_toy: Run, toy_spec: dict[str, Any], tmp_path: Path, score: str, honest: bool
) -> None:
    if honest and score == "4":
        pytest.skip("a valid answer under a digest that fits cannot be told from a true one")
    true = run_toy(toy_spec)
    files = {path: path.read_bytes() for path in true.folder.rglob("*.jsonl")}
    rewrite(tmp_path / "store.db", with_score(score), honest=honest)
    if honest:  # changed on purpose
        with pytest.raises(StoreError, match="move the file to another place"):
            run_toy(toy_spec)
        return
    # A damaged answer is set aside and computed again.
    again = run_toy(toy_spec)
    assert again.exit_code == true.exit_code
    assert again.counts.computed > 0
    (warning,) = again.warnings
    assert warning.kind == "damaged-answers"
    assert f"{again.counts.computed} damaged answers in the store" in warning.detail
    assert "review/" in warning.detail
    assert {path: path.read_bytes() for path in again.folder.rglob("*.jsonl")} == files
    assert run_toy(toy_spec).warnings == ()


@dataclass(frozen=True)
class Returns(revkit.Agent):
    """Fails with a carriage return in its words."""

    name: ClassVar[str] = "returns"
    scale = revkit.Scale("1-10", 1, 10)

    def review(self, paper: revkit.Paper, ctx: revkit.Context) -> revkit.Outcome:
        return revkit.Failure("refusal", 'no\rway, "never"\n')


class Odd(BaseException):
    """No Exception."""


@dataclass(frozen=True)
class RaisesOdd(Returns):
    """Raises what is no Exception."""

    name: ClassVar[str] = "raises-odd"

    def review(self, paper: revkit.Paper, ctx: revkit.Context) -> revkit.Outcome:
        raise Odd("odd")


@dataclass(frozen=True)
class Clears(revkit.Metric):
    """Tries to take the verdicts away from the metrics after it."""

    name: ClassVar[str] = "clears"

    def measure(self, records: revkit.Records) -> revkit.Table:
        records.verdicts.clear()  # type: ignore[attr-defined]
        return revkit.Table("clears", "", (), ())


def test_a_carriage_return_stays_in_its_cell(run_toy: Run, toy_spec: dict[str, Any]) -> None:
    toy_spec["agents"] = {"a": "returns"}
    run = run_toy(toy_spec, plugins=[Returns])
    with (run.folder / "records" / "outcomes.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(run.records.verdicts)
    assert {row["detail"] for row in rows} == {'no\rway, "never"\n'}


def test_whatever_an_agent_raises_is_an_outcome(run_toy: Run, toy_spec: dict[str, Any]) -> None:
    toy_spec["agents"] = {"a": "raises-odd"}
    run = run_toy(toy_spec, plugins=[RaisesOdd])
    assert {verdict.failure for verdict in run.records.verdicts} == {"crashed"}


def test_a_metric_cannot_change_the_records(run_toy: Run, toy_spec: dict[str, Any]) -> None:
    toy_spec["metrics"] = ["clears", "toy-flips"]
    run = run_toy(toy_spec, plugins=[Clears])
    assert run.faults[0].name == "clears"
    assert run.records.verdicts
    assert run.table("toy-flips").rows
