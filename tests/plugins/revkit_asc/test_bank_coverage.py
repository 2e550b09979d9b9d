"""Coverage counts what is there, and names what is thin."""

from __future__ import annotations

from dataclasses import replace

from revkit.model.paper import Labels
from revkit.model.rating_scale import RatingScale
from revkit.model.records import Anchors, PaperRow
from revkit.testing import check_component, tiny_records
from revkit_asc.bank.corpus import embedded_bank
from revkit_asc.bank.coverage import AnchorCoverage, Thresholds, coverage


def label(severity: float | None, tier: str = "none", topic: str = "a") -> Labels:
    return Labels(severity=severity, tier=tier, topic=topic)


def test_counts_by_hand() -> None:
    labels = [label(s) for s in (0, 0.1, 10, 10.1, 100)] + [
        label(55, "major", "b"),
        label(None, "", ""),
        Labels(ratings=(1.0, 1.0), scale=RatingScale("x-1-5", 1, 5), tier="reject", topic="b"),
    ]
    table = coverage(labels, Thresholds(2, 2, 1)).records()
    ranges = [row for row in table if row["stratum"] == "range"]
    # 100 twice: once stated, once as the worst rating of a scale from 1 to 5.
    assert [row["anchors"] for row in ranges] == [3, 1, 0, 0, 0, 1, 0, 0, 0, 2]
    assert [row["thin"] for row in ranges] == [False, *[True] * 8, False]
    tiers = {row["tier"]: row["anchors"] for row in table if row["stratum"] == "tier"}
    assert tiers == {"none": 5, "minor": 0, "major": 1, "reject": 1}
    cells = {(r["tier"], r["cluster"]): r["anchors"] for r in table if r["stratum"] == "cell"}
    assert len(cells) == 8
    assert cells["none", "a"] == 5
    assert cells["major", "b"] == cells["reject", "b"] == 1
    assert cells["major", "a"] == 0
    notes = " ".join(coverage(labels).notes)
    assert "1 of 8 anchors have no consensus." in notes
    assert "1 of 8 anchors have no tier." in notes


def test_the_embedded_bank_is_thin_nowhere() -> None:
    table = coverage([anchor.paper().labels for anchor in embedded_bank().bank.anchors])
    assert len(table.rows) == 10 + 4 + 28
    assert "0 of 42 strata are thin." in table.notes
    ranges = [row["anchors"] for row in table.records() if row["stratum"] == "range"]
    assert sum(ranges) == 240  # type: ignore[arg-type]


def test_the_metric_counts_the_anchors_of_a_run() -> None:
    check_component(AnchorCoverage)
    records = tiny_records()
    [note] = AnchorCoverage().measure(records).notes
    assert "no calibration" in note
    papers = [PaperRow(str(n), label(5.0 * n)) for n in range(20)]
    table = AnchorCoverage(per_range=3).measure(replace(records, anchors=Anchors(papers, [], [])))
    ranges = [row for row in table.records() if row["stratum"] == "range"]
    assert [row["anchors"] for row in ranges] == [3, 2, 2, 2, 2, 2, 2, 2, 2, 1]
    assert [row["thin"] for row in ranges] == [False, *[True] * 9]
