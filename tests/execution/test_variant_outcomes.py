"""What became of a variant is a value: the words of a reason decide nothing."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

import revkit
from revkit.contracts import Agent, Constraint, Context, Corpus, Perturbation
from revkit.execution.old_format import notes_in, renew_answer
from revkit.execution.work import Answer, answer_from_json
from revkit.model.edits import Edit
from revkit.model.paper import LeftOut, Paper
from revkit.model.review import Review, Scale
from revkit.model.variant import Check, Rejection, Variant
from revkit.testing import toys

REASONS = (
    "the text is not English",
    "did not pass the language check",
    "no edit passed my eyes",
    "crashed: sentence splitter found no verb",
)


@dataclass(frozen=True)
class Declines(Perturbation):
    """Declines every paper with the reason given, or makes an edit where there is none."""

    name: ClassVar[str] = "declines"
    version: ClassVar[str] = "1"
    reason: str = ""

    def perturb(self, paper: Paper, ctx: Context) -> list[Edit] | Rejection:
        return Rejection(self.reason) if self.reason else [Edit(0, 0, "A ")]


@dataclass(frozen=True)
class Prunes(Constraint):
    """Takes every edit out."""

    name: ClassVar[str] = "prunes"
    version: ClassVar[str] = "1"

    def prune(self, paper: Paper, edits: Any, ctx: Context) -> list[Edit]:
        return []

    def check(self, paper: Paper, edits: Any, ctx: Context) -> Check:
        return Check("never", None, None, True)


@dataclass(frozen=True)
class Warns(Agent):
    """Warns about each of its reviews."""

    name: ClassVar[str] = "warns"
    version: ClassVar[str] = "1"
    scale = Scale("ten", 1, 10, accept_at=6)

    def review(self, paper: Paper, ctx: Context) -> Review:
        return Review(True, 7, warnings=("no searcher",))


SPEC = {
    "revkit": 1,
    "corpus": {"use": "toy-papers", "with": {"papers": 3}},
    "perturbations": {
        **{f"d{i}": {"use": "declines", "with": {"reason": r}} for i, r in enumerate(REASONS)},
        "pruned": {"use": "declines", "keep-if": ["prunes"]},
        "made": "declines",
    },
    "agents": {"mine": "warns"},
    "metrics": ["flip-rate", "outcomes"],
    "reports": ["terminal"],
}


@pytest.fixture
def done(tmp_path: Path) -> Callable[[], revkit.Run]:
    def run() -> revkit.Run:
        parts: list[Any] = [toys, Declines, Prunes, Warns]
        return revkit.run(SPEC, out=tmp_path / "run", store=tmp_path / "store.db", plugins=parts)

    return run


def test_a_family_that_declines_is_counted_so_whatever_it_says(
    done: Callable[[], revkit.Run],
) -> None:
    run = done()
    rows = {row.perturbation: row for row in run.records.variants}
    for number, reason in enumerate(REASONS):
        row = rows[f"d{number}"]
        assert (row.rejected, row.outcome, row.gate) == (reason, "declined", "")
    assert (rows["pruned"].outcome, rows["pruned"].gate) == ("gate", "prunes")
    assert (rows["made"].outcome, rows["made"].rejected) == ("made", "")
    text = " ".join(run.summary.split())
    assert "18 attempted, 15 rejected (12 could not be made, 3 failed a check of the edits)" in text
    assert "crashed" not in text.replace(f"The most frequent reason (3): {REASONS[3]}", "")
    assert run.exit_code == 0
    table = {row["family"]: row for row in run.table("flip-rate").records()}
    assert (table["d3"]["rejected"], table["d3"]["crashed"]) == (3, 0)


def old(value: dict[str, Any]) -> dict[str, Any]:
    """An answer as revkit 0.1.0 stored it."""
    body = dict(value["value"])
    if "edits" in body:
        del body["outcome"], body["gate"]
    else:
        warnings = body.pop("warnings")
        body["details"] = {"remarks": warnings} if warnings else {}
    return {**value, "value": body}


def age(store: Path) -> int:
    """Rewrite each answer of ``store`` in the old form; return how many there were."""
    aged = 0
    with sqlite3.connect(store) as database:
        for digest, data in database.execute("SELECT digest, body FROM content").fetchall():
            value = json.loads(zlib.decompress(data))
            if not isinstance(value, dict) or "value" not in value:
                continue
            new = json.dumps(old(value)).encode()
            database.execute("DELETE FROM content WHERE digest = ?", (digest,))
            row = (sha256(new).digest(), zlib.compress(new))
            database.execute("INSERT OR REPLACE INTO content VALUES (?, ?)", row)
            database.execute("UPDATE asked SET content = ? WHERE content = ?", (row[0], digest))
            aged += 1
    database.close()
    return aged


def test_answers_of_the_old_form_are_read_as_those_of_today(
    done: Callable[[], revkit.Run], tmp_path: Path
) -> None:
    first = done()
    rows = {name: list(first.rows(name)) for name in ("variants", "outcomes")}
    tables = [table.to_json() for table in first.tables.values()]
    assert age(tmp_path / "store.db") > 0
    again = done()
    assert again.counts.computed == 0
    assert again.records.variants == first.records.variants
    assert {v.warnings for v in again.records.verdicts} == {("no searcher",)}
    assert list(again.rows("variants")) == rows["variants"]
    stripped = [{**row, "details": {}} for row in again.rows("outcomes")]
    assert stripped == rows["outcomes"]
    assert [table.to_json() for table in again.tables.values()] == tables


NAMES = st.sampled_from(["near", "no edit passed ", "crashed:", "x y"])
CHECKS = st.lists(st.builds(Check, NAMES, st.none(), st.none(), st.booleans()), max_size=3)


@given(st.sampled_from(REASONS), CHECKS, st.integers(1, 5), NAMES)
def test_every_variant_that_a_store_may_hold_is_read_from_the_old_form(
    reason: str, checks: list[Check], dropped: int, constraint: str
) -> None:
    edits = (Edit(0, 1, "x"),)
    all_cut = f"no edit passed {constraint}"
    variants = [
        Variant(rejected=reason, outcome="declined"),
        Variant(dropped=dropped, rejected=all_cut, outcome="gate", gate=constraint),
        Variant(dropped=dropped, rejected="the edits cancel each other out", outcome="declined"),
    ]
    failed = next((check.name for check in checks if not check.passed), None)
    variants += [
        Variant(edits, tuple(checks), dropped)
        if failed is None
        else Variant(edits, tuple(checks), 0, f"did not pass {failed}", {}, "gate", failed)
    ]
    for variant in variants:
        value = json.loads(json.dumps(Answer(variant).to_json()))
        assert answer_from_json(renew_answer(value, "variant"), "variant").value == variant
        assert answer_from_json(renew_answer(old(value), "variant"), "variant").value == variant


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"outcome": "lost"}, "unknown outcome"),
        ({"outcome": "made", "rejected": "no"}, "with the reason 'no'"),
        ({"outcome": "declined"}, "with the reason ''"),
        ({"outcome": "declined", "rejected": "no", "gate": "g"}, "with the gate 'g'"),
    ],
)
def test_an_outcome_and_its_reason_agree(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Variant(**fields)


@dataclass(frozen=True)
class Given(Corpus):
    """One paper, with a note on a repair and one on what could not be used."""

    name: ClassVar[str] = "given"
    version: ClassVar[str] = "1"

    def papers(self, ctx: Context) -> list[Paper]:
        notes = ("a tab became a blank: left out", LeftOut("rating 1: 'x' is no score: left out"))
        return [Paper("p", "# A title\n\nSome text.\n", "A title", notes=notes)]


def test_a_note_on_what_was_left_out_survives_a_bundle(tmp_path: Path) -> None:
    given: dict[str, Any] = {**SPEC, "corpus": "given", "perturbations": {}}
    given["metrics"] = ["outcomes"]
    parts: list[Any] = [toys, Warns, Given]
    run = revkit.run(given, out=tmp_path / "run", store=tmp_path / "store.db", plugins=parts)
    assert "for example \"rating 1: 'x' is no score\"" in " ".join(run.summary.split())
    assert "! 1 of 1 paper: " in run.summary
    bundle = tmp_path / "b.zip"
    revkit.export(tmp_path / "run", bundle, store=tmp_path / "store.db", plugins=parts)
    assert revkit.replay(bundle, out=tmp_path / "again", plugins=parts).identical


def test_notes_of_the_old_form_are_read_by_their_end() -> None:
    notes = ["a tab became a blank", "rating 1: 'x' is no score: left out"]
    assert [isinstance(note, LeftOut) for note in notes_in({"notes": notes})] == [False, True]
    new = {"notes": notes, "left_out": notes[:1]}
    assert [isinstance(note, LeftOut) for note in notes_in(new)] == [True, False]
