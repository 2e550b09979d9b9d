"""The tables of ReviewBench on records by hand; every figure computed on paper."""

from __future__ import annotations

import math
from typing import Any

import pytest

from revkit.errors import OptionError
from revkit.testing import tiny_records
from revkit_reviewbench.dimensions import NAMES
from revkit_reviewbench.metrics import BenchScores, BenchVector
from revkit_reviewbench.metrics.review_scores import NO_REVIEWS
from tests.plugins.revkit_reviewbench.bench_records import judged

SCORES: dict[tuple[str, str], list[float | str]] = {
    ("a", "p1"): [2, 1, 1, 0, 1, 1, 2, 0],  # 8
    ("a", "p2"): [1, 1, 0, 0, 1, 1, 2, -1],  # 5
    ("b", "p1"): [1, 0, 0, 0, 1, 0, 2, -2],  # 2
    ("c", "p1"): [1, 1, 1, 1, 1, 1, 1, 0],  # 7
    ("c", "p2"): [2, 2, 2, 2, 2, 2, "timeout", 0],  # no overall score
}
TALLY = {
    "a": {"planned": 2, "failed": 0, "empty": 0},
    "b": {"planned": 2, "failed": 1, "empty": 0},
    "c": {"planned": 2, "failed": 0, "empty": 0},
    "d": {"planned": 2, "failed": 1, "empty": 1},  # not one review
}


def rows(metric: Any, records: Any, **where: Any) -> list[dict[str, Any]]:
    return [
        row
        for row in metric.measure(records).records()
        if all(row[key] == value for key, value in where.items())
    ]


def test_scores_by_agent() -> None:
    a, b, c, d = rows(BenchScores(resamples=200), judged(SCORES, TALLY))
    means = [a[name.replace("-", "_")] for name in NAMES]
    assert means == [1.5, 1.0, 0.5, 0.0, 1.0, 1.0, 2.0, -0.5]
    assert a["overall"] == 6.5
    assert (a["n"], a["papers"], a["planned"], a["failed"]) == (2, 2, 2, 0)
    assert (b["overall"], b["n"], b["planned"], b["failed"]) == (2.0, 1, 2, 1)
    # A review that lacks one dimension counts for none of the means, and is not a zero.
    assert (c["overall"], c["n"], c["incomplete"], c["lost"]) == (7.0, 1, 1, "timeout 1")
    assert c["constructive_tone"] == 1.0
    assert (d["agent"], d["overall"], d["n"], d["failed"]) == ("d", None, 0, 2)


def test_a_table_warns_of_incomplete_reviews_and_of_few_papers() -> None:
    table = BenchScores(resamples=200).measure(judged(SCORES, TALLY))
    assert [(each.kind, each.text) for each in table.warnings] == [
        ("imprecise", "Only 2 reviewed papers: intervals from resampling may be too short."),
        (
            "incomplete",
            "e: 1 of 5 reviews lack a score on at least one dimension and have no overall score.",
        ),
    ]
    failed = {key: ["timeout"] * 8 for key in SCORES}
    (warning,) = [
        each
        for each in BenchScores(resamples=200).measure(judged(failed, TALLY)).warnings
        if each.kind == "no-figure"
    ]
    assert warning.text.startswith("e: 5 of 5 reviews lack")


def test_reports_show_the_overall_score_by_reviewer() -> None:
    table = BenchScores(resamples=200).measure(judged(SCORES, TALLY))
    (measure,) = table.measures
    shown = [r for r in table.records() if dict(measure.where).items() <= r.items()]
    assert [r[measure.column] for r in shown] == [6.5, 2.0, 7.0, None]


def test_one_reviewer_gains_nothing_and_the_notes_do_not_say_it_did() -> None:
    alone = {key: scores for key, scores in SCORES.items() if key[0] == "a"}
    notes = BenchScores(resamples=200).measure(judged(alone, {"a": TALLY["a"]})).notes
    assert not any("the reference is" in note for note in notes)


def test_gains_are_over_shared_papers() -> None:
    a, b, c, d = rows(BenchScores(resamples=200, reference="a"), judged(SCORES, TALLY))
    assert (a["gain"], a["gain_share"], a["shared"]) == (None, None, None)
    assert (b["gain"], b["gain_share"], b["shared"]) == (6.0, 3.0, 1)  # 8 - 2, on p1
    assert (c["gain"], c["gain_share"], c["shared"]) == (1.0, 1 / 7, 1)  # 8 - 7, on p1
    assert d["gain"] is None
    assert "no paper has complete reviews" in d["note"]


def test_the_best_is_the_reference_unless_one_is_named() -> None:
    table = BenchScores(resamples=200).measure(judged(SCORES, TALLY))
    a, _, c, _ = table.records()
    assert c["gain"] is None
    assert a["gain"] == -1.0  # 7 - 8 on the paper that both have: overall scores mislead here
    assert any("For 'e', the reference is 'c'" in note for note in table.notes)
    with pytest.raises(OptionError, match="unknown agent 'aa'"):
        BenchScores(reference="aa").measure(judged(SCORES, TALLY))


def test_stated_memory_is_the_last_column() -> None:
    a, b, *_ = rows(BenchScores(resamples=200, memory={"a": 30.0}), judged(SCORES, TALLY))
    assert (a["memory"], b["memory"]) == (30.0, None)
    table = BenchScores(resamples=200, memory={"a": 30.0}).measure(judged(SCORES, TALLY))
    assert (table.columns[-1].title, table.columns[-1].unit) == ("Memory", "GB")
    assert "memory" not in rows(BenchScores(resamples=200), judged(SCORES, TALLY))[0]
    with pytest.raises(OptionError, match="unknown agent 'aa'"):
        BenchScores(memory={"aa": 1.0}).measure(judged(SCORES, TALLY))


def test_a_gain_has_no_share_of_what_is_not_positive() -> None:
    scores: dict[Any, Any] = {**SCORES, ("b", "p1"): [0, 0, 0, 0, 0, 0, 1, -2]}
    (b,) = rows(BenchScores(resamples=200, reference="a"), judged(scores), agent="b")
    assert (b["overall"], b["gain"], b["gain_share"]) == (-1.0, 9.0, None)
    assert "too near zero for a ratio" in b["note"]


def test_a_gain_over_a_score_near_zero_is_given_in_points() -> None:
    """A score of 0.5 beside one of 8 would be a gain of 1,500 %."""
    near = [0, 0, 0, 0, 0, 0, 1, -0.5]
    scores: dict[Any, Any] = {**SCORES, ("b", "p1"): near, ("b", "p2"): near}
    table = BenchScores(resamples=200).measure(judged(scores))
    (b,) = (row for row in table.records() if row["agent"] == "b")
    assert b["overall"] == 0.5
    assert b["gain"] > 5
    assert b["gain_share"] is None
    assert "gain" not in table.fine


def test_overall_is_the_sum_of_its_row() -> None:
    scores: dict[tuple[str, str], list[float | str]] = {
        ("a", f"p{i}"): [(i * k) % 3 for k in range(1, 8)] + [-(i % 3)] for i in range(1, 30)
    }
    (row,) = rows(BenchScores(resamples=200), judged(scores))
    parts = [row[name.replace("-", "_")] for name in NAMES]
    assert row["overall"] == sum(parts)
    totals = [sum(float(score) for score in each) for each in scores.values()]
    assert math.isclose(row["overall"], sum(totals) / len(totals), rel_tol=1e-12)
    assert row["overall_low"] < row["overall"] < row["overall_high"]


def test_repeats_and_several_reviews_hang_together_by_paper() -> None:
    once = rows(BenchScores(resamples=500), judged(SCORES, TALLY), agent="a")[0]
    twice = rows(BenchScores(resamples=500), judged(SCORES, TALLY, repeats=2), agent="a")[0]
    assert (twice["n"], twice["papers"], twice["overall"]) == (4, 2, once["overall"])
    for end in ("overall_low", "overall_high"):
        assert twice[end] == once[end]


def test_the_vector() -> None:
    records = judged(SCORES, TALLY)
    (tone,) = rows(BenchVector(resamples=200), records, agent="c", dimension="constructive-tone")
    assert (tone["n"], tone["failed"], tone["lost"], tone["mean"]) == (1, 1, "timeout 1", 1.0)
    (core,) = rows(
        BenchVector(resamples=200), records, agent="c", dimension="core-contribution-accuracy"
    )
    assert (core["n"], core["mean"]) == (2, 1.5)  # here the incomplete review counts
    (pit,) = rows(
        BenchVector(resamples=200), records, agent="a", dimension="false-or-contradictory-claims"
    )
    assert (pit["lowest"], pit["middle"], pit["highest"], pit["mean"]) == (0, 1, 1, -0.5)
    assert len(rows(BenchVector(resamples=200), records)) == 4 * 8


def test_a_run_of_something_else_says_so() -> None:
    for metric in (BenchScores(), BenchVector()):
        table = metric.measure(tiny_records())
        assert table.rows == ()
        assert NO_REVIEWS in table.notes
