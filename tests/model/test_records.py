"""Records: pairs, flips and shifts, by hand."""

from __future__ import annotations

import pytest

from revkit.model.records import Pair, VariantRow, Verdict, count_variants
from revkit.model.variant import VariantOutcome
from revkit.testing import tiny_records


def verdict(
    accept: bool | None, score: float | None, failure: str = "", perturbation: str = ""
) -> Verdict:
    return Verdict("a", "p", perturbation, 0, 0, accept, score, failure)


@pytest.mark.parametrize(
    ("before", "after", "flip", "shift", "failed"),
    [
        (verdict(True, 7.0), verdict(False, 4.0), True, -3.0, False),
        (verdict(False, 4.0), verdict(False, 5.0), False, 1.0, False),
        (verdict(None, 4.0), verdict(True, 5.0), None, 1.0, False),
        (verdict(True, None), verdict(False, 5.0), True, None, False),
        (verdict(None, None, "timeout"), verdict(True, 5.0), None, None, True),
        (verdict(True, 5.0), verdict(None, None, "refusal"), None, None, True),
    ],
)
def test_pairs(
    before: Verdict, after: Verdict, flip: bool | None, shift: float | None, failed: bool
) -> None:
    pair = Pair(before, after)
    assert (pair.flip, pair.shift, pair.failed) == (flip, shift, failed)


def test_the_tiny_records() -> None:
    records = tiny_records()
    assert [len(records.pairs(agent.name)) for agent in records.agents] == [5, 5]
    assert [pair.flip for pair in records.pairs("steady")] == [False, False, False, False, None]
    shaky = [(p.original.paper, p.variant.perturbation, p.flip) for p in records.pairs("shaky")]
    assert shaky == [
        ("tiny-numeric", "words", True),
        ("tiny-numeric", "length", False),
        ("tiny-author-year", "words", True),
        ("tiny-plain", "words", None),
        ("tiny-plain", "length", None),
    ]
    assert len(records.pairs("shaky", "length")) == 2
    assert [v.score for v in records.originals("steady")] == [7.0, 4.0, 3.0]
    assert records.labels["tiny-numeric"].accept is True
    with pytest.raises(KeyError):
        records.pairs("nobody")


def test_variants_are_counted_by_outcome() -> None:
    outcomes: tuple[VariantOutcome, ...] = ("made", "made", "made", "declined", "gate", "crashed")
    rows = [
        VariantRow(
            "p", "f", i, 0, 0, (), "" if each == "made" else "why", each, "g" * (each == "gate")
        )
        for i, each in enumerate(outcomes)
    ]
    counts = count_variants(rows)
    assert (counts.made, counts.declined, counts.gates, counts.crashed) == (3, 1, 1, 1)
    assert (counts.attempted, counts.rejected) == (6, 2)
    assert count_variants([]).attempted == 0
