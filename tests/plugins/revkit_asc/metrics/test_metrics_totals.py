"""Intervals that cover the choice of anchors, and the comparison of ways of fitting."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, cast

import numpy as np
import pytest

from revkit.contracts import Curve
from revkit.model.records import Anchors, Records
from revkit_asc.calibrators import Isotonic, MeanSigma, MonotoneSpline
from revkit_asc.metrics import Calibration, figures
from revkit_asc.metrics.totals import FEWEST, Refits, total

Build = Callable[..., Records]
NAMES = ("a", "b", "c")


def noisy(build: Build, anchors: int = 80, items: int = 200) -> Records:
    """Three noisy agents with three ways of fitting."""
    rng = np.random.default_rng(11)
    severity, held = rng.uniform(0, 100, anchors), rng.uniform(0, 100, items)
    ways: dict[str, dict[str, Curve]] = {"sigma": {}, "isotonic": {}, "spline": {}}
    scores, on_anchors = {}, {}
    for name in NAMES:
        raw = np.clip(20 + 0.5 * severity + rng.normal(0, 12, anchors), 0, 100)
        on_anchors[name] = raw.tolist()
        scores[name] = np.clip(20 + 0.5 * held + rng.normal(0, 12, items), 0, 100).tolist()
        ways["sigma"][name] = MeanSigma().fit(raw, severity)
        ways["isotonic"][name] = Isotonic().fit(raw, severity)
        ways["spline"][name] = MonotoneSpline().fit(raw, severity)
    return build(
        held.tolist(), scores, ways, anchors=severity.tolist(), anchor_scores=on_anchors
    )  # fmt: skip


def rows(records: Records, **options: Any) -> dict[Any, dict[str, Any]]:
    table = Calibration(**options).measure(records)
    return {row["setting"]: row for row in table.records()}


def test_the_total_interval_is_that_of_drawn_anchors(build: Build) -> None:
    """The spread over refits against anchors drawn with replacement, by a plain loop."""
    run = noisy(build)
    found = rows(run, refits=60)
    row = found["spline"]
    assert row["d_low"] < row["d_items_low"] < row["d"] < row["d_items_high"] < row["d_high"]
    assert row["mae_low"] < row["mae_items_low"]
    assert row["refits"] == 60
    raw = found["raw"]
    assert (raw["d_low"], raw["d_high"]) == (raw["d_items_low"], raw["d_items_high"])
    assert raw["refits"] is None
    assert run.anchors is not None
    target = np.array([paper.labels.severity for paper in run.anchors.papers], dtype=float)
    scores = {
        name: np.array([v.score for v in run.anchors.verdicts if v.agent == name], dtype=float)
        for name in NAMES
    }
    held = {name: np.array([v.score for v in run.originals(name)], dtype=float) for name in NAMES}
    rng = np.random.default_rng(2)
    drawn = []
    for _ in range(40):
        at = rng.integers(0, len(target), len(target))
        mapped = [MonotoneSpline().fit(scores[n][at], target[at])(held[n]) for n in NAMES]
        pairs = [(0, 1), (0, 2), (1, 2)]
        drawn.append(np.mean([np.abs(mapped[i] - mapped[j]).mean() for i, j in pairs]))
    half = np.hypot(row["d_items_high"] - row["d"], 1.97 * np.std(drawn, ddof=1))
    assert row["d_high"] - row["d"] == pytest.approx(half, rel=0.4)


def test_ways_of_fitting_are_compared(build: Build) -> None:
    """The unshrunk line spreads noisy scores more; isotonic and spline hardly differ."""
    table = Calibration(refits=60).measure(noisy(build))
    found = {row["setting"]: row for row in table.records()}
    sigma, isotonic, spline = found["sigma"], found["isotonic"], found["spline"]
    assert sigma["against"] == isotonic["against"] == "spline"
    assert sigma["d_change"] == pytest.approx(sigma["d"] - spline["d"])
    assert sigma["mae_change"] == pytest.approx(sigma["mae"] - spline["mae"])
    assert sigma["d_change_low"] > 0
    assert sigma["d_p"] < 1e-3
    assert isotonic["mae_change_low"] < isotonic["mae_change"] < isotonic["mae_change_high"]
    assert -1.5 < cast(float, isotonic["mae_change"]) < 1.5
    (text,) = [each.text for each in table.findings if each.place == "section"]
    assert text.startswith(
        "Differences from spline on the same 200 papers and anchors, in severity"
    )
    assert f" sigma: D {sigma['d_change']:+.2f} [" in text
    assert "(worse)" in text.partition("; isotonic: D ")[0]
    lead = [each for each in table.findings if each.place == "lead"]
    assert [each.part for each in lead] == ["question", "answer", "answer", "answer", "limit"]

    def figure(name: str, column: str) -> str:
        names = (column, f"{column}_low", f"{column}_high")
        value, low, high = (cast(float, found[name][each]) for each in names)
        return f"{value:.1f} [{low:.1f}, {high:.1f}]"

    assert lead[1].text == (
        f"On {found['raw']['items']} papers that no map was fitted on, the raw scores of two "
        f"agents differ by {figure('raw', 'd')} severity points on average, and their scores by "
        f"{figure('sigma', 'd')} with sigma maps, by {figure('isotonic', 'd')} with isotonic maps "
        f"and by {figure('spline', 'd')} with spline maps (smaller is better)."
    )
    assert lead[2].text == (
        f"A raw score differs by {figure('raw', 'mae')} points from the consensus of people, and "
        f"a score by {figure('sigma', 'mae')} with sigma maps, by {figure('isotonic', 'mae')} with "
        f"isotonic maps and by {figure('spline', 'mae')} with spline maps (smaller is better)."
    )
    assert spline["against"] is None
    assert spline["d_change"] is None
    assert found["raw"]["against"] is None
    other = rows(noisy(build), refits=60, map="sigma")
    assert other["spline"]["against"] == "sigma"
    assert other["spline"]["d_change"] == pytest.approx(-sigma["d_change"])


def test_without_refits_bounds_take_the_maps_as_fitted(build: Build) -> None:
    row = rows(noisy(build), refits=0)["spline"]
    assert (row["d_low"], row["d_high"]) == (row["d_items_low"], row["d_items_high"])
    assert "intervals take the maps as fitted: maps were not fitted again" in row["note"]
    assert (row["refits"], row["d_change"]) == (0, None)


def test_maps_of_another_plugin_are_not_refitted(four: Records) -> None:
    table = Calibration().measure(four)
    row = {row["setting"]: row for row in table.records()}["line"]
    assert "the map of a is by a calibrator of another plugin" in row["note"]
    assert (row["d_low"], row["d_high"]) == (row["d_items_low"], row["d_items_high"])


def test_the_order_of_anchors_changes_nothing(build: Build) -> None:
    run = noisy(build)
    assert isinstance(run.anchors, Anchors)
    turned = replace(
        run,
        anchors=replace(
            run.anchors,
            papers=list(run.anchors.papers)[::-1],
            verdicts=list(run.anchors.verdicts)[::-1],
        ),
    )
    first, second = rows(run, refits=20), rows(turned, refits=20)
    for name in ("d_low", "d_high", "mae_low", "r_mean_high", "d_p"):
        assert second["isotonic"][name] == pytest.approx(first["isotonic"][name], rel=1e-9)


def test_total_by_hand() -> None:
    from revkit.stats import Estimate, Interval

    found = Estimate(10.0, 50, Interval(7.0, 14.0, 0.95, "", "item", 50))
    # t(24) at 0.975 is 2.0639: hypot(3, 4) = 5 and hypot(4, 4) = 5.657 with a spread of 4 / 2.0639.
    drawn = np.random.default_rng(0).normal(size=25)
    drawn *= 4 / 2.0639 / drawn.std(ddof=1)
    refits = Refits(np.tile(drawn[:, None], len(figures.NAMES)))
    wide = total("mae", found, refits)
    assert wide.interval.low == pytest.approx(5.0, abs=1e-3)
    assert wide.interval.high == pytest.approx(10 + 32**0.5, abs=1e-3)


@pytest.mark.parametrize(
    ("name", "value", "low", "high", "expected"),
    [
        ("d", 1.0, 0.5, 1.5, (0.0, None)),
        ("spread", 0.1, 0.0, 0.2, (0.0, None)),
        ("reduction", 99.0, 98.0, 99.5, (None, 100.0)),
        ("r_mean", 0.0, -0.1, 0.1, (-1.0, 1.0)),
        ("slope", 0.1, 0.0, 0.2, (None, None)),
    ],
)
def test_bounds_stay_where_the_figure_can_be(
    name: str, value: float, low: float, high: float, expected: tuple[float | None, float | None]
) -> None:
    from revkit.stats import Estimate, Interval

    refits = Refits(np.tile(np.arange(-12.0, 13.0)[:, None], len(figures.NAMES)))
    half = 2.063899 * np.arange(-12.0, 13.0).std(ddof=1)
    found = total(name, Estimate(value, 9, Interval(low, high, 0.95, "", "item", 9)), refits)
    free = (value - np.hypot(value - low, half), value + np.hypot(high - value, half))
    for bound, limit, end in zip(
        (found.interval.low, found.interval.high), expected, free, strict=True
    ):
        assert bound == pytest.approx(end if limit is None else limit, rel=1e-5)


def test_a_figure_that_many_refits_lack_has_no_interval() -> None:
    from revkit.stats import Estimate, Interval

    values = np.full((40, len(figures.NAMES)), 1.0)
    values[:, figures.NAMES.index("slope")] = np.arange(40.0)
    estimate = Estimate(1.0, 9, Interval(0.5, 2.0, 0.95, "", "item", 9))
    assert total("slope", estimate, Refits(values)).interval.low is not None
    values[:5, figures.NAMES.index("slope")] = np.nan
    found = total("slope", estimate, Refits(values)).interval
    assert (found.low, found.high) == (None, None)
    assert "no interval" in found.note


def test_few_refits_have_no_spread() -> None:
    values = np.full((FEWEST, 9), 1.0)
    values[:, 0] = np.arange(FEWEST)
    assert Refits(values).spread("d") == pytest.approx(np.arange(FEWEST).std(ddof=1))
    values[0, 0] = np.nan
    assert Refits(values).spread("d") is None
