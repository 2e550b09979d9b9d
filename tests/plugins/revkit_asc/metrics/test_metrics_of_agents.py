"""Each agent's map, bias by tier and topic, curves and reliability: by hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import scipy.stats

from revkit import stats
from revkit.model.records import Records
from revkit.model.table import Table
from revkit_asc.calibrators import Linear, MonotoneSpline
from revkit_asc.metrics import CalibrationAgents, CalibrationBias, CalibrationCurve

Build = Callable[..., Records]


def by(table: Table, *names: str) -> dict[tuple[Any, ...], dict[str, Any]]:
    return {tuple(row[name] for name in names): row for row in table.records()}


def test_agents_by_hand(four: Records) -> None:
    table = CalibrationAgents().measure(four)
    found = by(table, "setting", "agent")
    assert list(found) == [("raw", "a"), ("raw", "b"), ("line", "a"), ("line", "b")]
    a = found["line", "a"]
    assert a["mae"] == pytest.approx(5.0)
    assert a["rmse"] == pytest.approx(10.0)
    assert a["slope"] == pytest.approx(3800 / 4400)
    assert a["spread"] == pytest.approx(np.std([10, 10, 50, 90]) / np.std([10, 30, 50, 90]))
    assert a["r"] == pytest.approx(scipy.stats.pearsonr([10, 10, 50, 90], [10, 30, 50, 90])[0])
    assert a["extrapolated"] == pytest.approx(0.5)
    # A curve that tells nothing of itself leaves those cells empty.
    for name in ("df", "lambda", "kkt", "anchors", "flags", "coverage", "on_anchors"):
        assert a[name] is None, name
    assert found["raw", "b"]["mae"] == pytest.approx(12.5)


def fit(build: Build, **extra: Any) -> tuple[Records, dict[str, Any]]:
    rng = np.random.default_rng(1)
    target = rng.uniform(0, 100, 120)
    raw = np.round(20 + target / 2 + rng.normal(0, 4, 120))
    held = rng.uniform(0, 100, 200)
    scores: list[Any] = np.round(20 + held / 2 + rng.normal(0, 4, 200)).tolist()
    scores[0] = "timeout"
    on_anchors: list[Any] = raw.tolist()
    on_anchors[3] = "refusal"
    keep = np.arange(120) != 3
    curves = {"spline": MonotoneSpline().fit(raw[keep], target[keep]),
              "linear": Linear().fit(raw[keep], target[keep])}  # fmt: skip
    records = build(
        held.tolist(),
        {"a": scores},
        {way: {"a": curve} for way, curve in curves.items()},
        anchors=target.tolist(),
        anchor_scores={"a": on_anchors},
        **extra,
    )
    return records, {"curves": curves, "held": held, "scores": scores, "raw": raw}


def test_fit_and_coverage(build: Build) -> None:
    records, known = fit(build)
    row = by(CalibrationAgents(interval_confidence=0.8).measure(records), "setting", "agent")[
        "spline", "a"
    ]
    curve, raw = known["curves"]["spline"], np.array(known["scores"][1:])
    assert (row["anchors"], row["failed"], row["dropped"]) == (119, 1, 0)
    assert (row["items"], row["unscored"]) == (199, 1)
    assert "1 timeout" in row["note"]
    assert row["df"] == curve.diagnostics["df"]
    assert row["domain"] in ("range", "rank")
    assert row["kkt"] < 1e-8
    kept = np.delete(known["raw"], 3)
    assert (row["raw_low"], row["raw_high"]) == (kept.min(), kept.max())
    assert row["map_low"] == pytest.approx(float(curve([kept.min()])[0]))
    low, high, about = curve.interval(raw, 0.8)
    inside = int(((low <= known["held"][1:]) & (known["held"][1:] <= high)).sum())
    bounds = stats.agresti_coull_interval(inside, 199)
    assert row["nominal"] == 0.8
    assert row["width"] == pytest.approx((np.asarray(high) - np.asarray(low)).mean())
    place = np.minimum(np.asarray(curve(raw)) * 3 / 100, 2).astype(int)
    held = known["held"][1:]
    thirds = [((low <= held) & (held <= high))[place == i].mean() for i in range(3)]
    assert row["coverage_least"] == pytest.approx(min(thirds))
    assert row["coverage"] == pytest.approx(inside / 199)
    assert (row["coverage_low"], row["coverage_high"]) == (bounds.low, bounds.high)
    assert row["on_anchors"] == about["held_out_anchors"]


def test_refused_agent_keeps_its_row(build: Build) -> None:
    records = build([1.0, 2.0], {"a": [1.0, 2.0]}, {"line": {"a": "uninformative: all equal"}})
    row = by(CalibrationAgents().measure(records), "setting", "agent")["line", "a"]
    assert row["note"] == "refused: uninformative: all equal"
    assert row["mae"] is None
    assert row["items"] == 0


def test_bias_by_hand(four: Records) -> None:
    """Errors of a: 0, -20, 0, 0; of b: -10, -5, 25, 10."""
    found = by(CalibrationBias().measure(four), "setting", "agent", "by", "group")
    assert found["line", "a", "tier", "minor"]["bias"] == pytest.approx(-20.0)
    assert found["line", "b", "tier", "major"]["bias"] == pytest.approx(25.0)
    assert found["line", "all agents", "tier", "minor"]["bias"] == pytest.approx(-12.5)
    assert found["line", "b", "topic", "x"]["bias"] == pytest.approx(7.5)
    assert found["line", "all agents", "topic", "y"]["bias"] == pytest.approx((-12.5 + 5) / 2)
    assert found["line", "b", "topic", "x"]["items"] == 2
    tiers = [key[3] for key in found if key[:3] == ("raw", "a", "tier")]
    assert tiers == ["none", "minor", "major", "reject"]


def test_bias_without_tiers_takes_quarters_of_the_consensus(build: Build) -> None:
    records = build([10.0, 24.9, 25.0, 100.0], {"a": [0.0] * 4, "b": [0.0] * 4})
    found = by(CalibrationBias().measure(records), "agent", "group")
    groups = list(dict.fromkeys(group for _, group in found))
    assert groups == ["0-25", "25-50", "75-100"]
    assert found["a", "0-25"]["bias"] == pytest.approx(-17.45)
    assert found["a", "0-25"]["items"] == 2


def test_curve_is_the_map_on_a_grid(build: Build) -> None:
    records, known = fit(build)
    table = CalibrationCurve(grid=5).measure(records)
    rows = [r for r in table.records() if (r["what"], r["setting"]) == ("map", "spline")]
    kept = np.delete(known["raw"], 3)
    assert [r["raw"] for r in rows] == pytest.approx(np.linspace(kept.min(), kept.max(), 5))
    assert [r["calibrated"] for r in rows] == pytest.approx(
        known["curves"]["spline"](np.linspace(kept.min(), kept.max(), 5))
    )
    titles = [chart.title for chart in table.charts]
    assert titles[:2] == ["Maps: spline", "Maps: linear"]


def test_reliability_by_hand(four: Records) -> None:
    """Raw b: 0 and 25 in the lower half with consensus 10 and 30; 75 and 100 above."""
    rows = by(CalibrationCurve(bins=2).measure(four), "what", "setting", "agent", "calibrated")
    low = rows["reliability", "raw", "b", 12.5]
    assert (low["consensus"], low["n"], low["sample"]) == (20.0, 2, "held-out")
    half = scipy.stats.t.ppf(0.975, 1) * np.std([10, 30], ddof=1) / 2**0.5
    assert low["consensus_high"] - low["consensus"] == pytest.approx(half)
    assert rows["reliability", "raw", "b", 87.5]["consensus"] == 70.0


def test_maps_that_were_refused_are_told(build: Build) -> None:
    records = build([1.0, 2.0], {"a": [1.0, 2.0]}, {"line": {"a": "weak"}})
    table = CalibrationCurve().measure(records)
    assert any("line: a has no map (weak)" in note for note in table.notes)
    assert all(row["setting"] == "raw" for row in table.records())


@pytest.mark.parametrize("metric", [CalibrationAgents(), CalibrationBias(), CalibrationCurve()])
def test_without_calibration_the_raw_scores_stand_alone(four: Records, metric: Any) -> None:
    table = metric.measure(replace(four, anchors=None))
    assert "no calibration section" in table.notes[0]
    assert {row["setting"] for row in table.records()} == {"raw"}
