"""Every row of the table of degenerate inputs: an answer that is defined, or an error of a type."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from revkit.errors import (
    AntiCorrelated,
    BadAnchors,
    BadScores,
    CalibrationError,
    OutsideScale,
    RevkitError,
    TooFewAnchors,
    UninformativeAnchors,
)
from revkit_asc.calibrators import CALIBRATORS, Identity, Isotonic, Linear, MonotoneSpline

FITTING = [calibrator for calibrator in CALIBRATORS if calibrator is not Identity]
every = pytest.mark.parametrize("calibrator", FITTING, ids=lambda c: c.name)


def world(seed: int = 1, n: int = 240, noise: float = 5.0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    target = rng.uniform(0, 100, n)
    return 20 + 0.4 * target + rng.normal(0, noise, n), target


def test_errors_have_codes_of_their_own() -> None:
    def below(root: type) -> set[type]:
        return {root}.union(*(below(child) for child in root.__subclasses__()))

    family = below(CalibrationError)
    assert issubclass(CalibrationError, RevkitError)
    assert len({error.code for error in family}) == len(family)  # type: ignore[attr-defined]


@every
def test_unusable_rows_are_left_out_and_counted(calibrator: Any) -> None:
    raw, target = world(n=60)
    clean = calibrator().fit(raw, target)
    bad_raw = [*raw, math.nan, math.inf, "3,5", None, True, 30.0, 30.0, 30.0, 30.0]
    bad_target = [*target, 50, 50, 50, 50, 50, math.nan, "50", 100.5, -0.1]
    curve = calibrator().fit(bad_raw, bad_target)
    assert curve.diagnostics["dropped"] == {"raw": 5, "target": 2, "target_range": 2}
    assert "dropped=9" in curve.flags
    grid = np.linspace(0, 100, 50)
    assert (curve(grid) == clean(grid)).all()
    assert np.isfinite(curve(grid)).all()
    with pytest.raises(BadAnchors, match="9 of 69 anchors cannot be used: 5 by raw, 2 by target"):
        calibrator(strict=True).fit(bad_raw, bad_target)


@every
def test_weights_of_zero_are_as_if_absent(calibrator: Any) -> None:
    raw, target = world(n=60)
    weight = np.ones(60)
    weight[[3, 17, 40]] = 0
    curve = calibrator().fit(raw, target, weight)
    without = calibrator().fit(raw[weight > 0], target[weight > 0], weight[weight > 0])
    grid = np.linspace(0, 100, 50)
    assert (curve(grid) == without(grid)).all()
    assert curve.diagnostics["n"] == 57
    assert curve.diagnostics["dropped"] == {"zero_weight": 3}


@every
def test_weights_of_any_size(calibrator: Any) -> None:
    raw, target = world(n=60)
    raw = np.round(raw)
    grid = np.linspace(0, 100, 50)
    plain = calibrator().fit(raw, target)(grid)
    for size in (1e-320, 1e-300, 1e300, 1.7e308):
        assert calibrator().fit(raw, target, np.full(60, size))(grid) == pytest.approx(plain)
    curve = calibrator().fit(raw, target, [*np.full(59, 1e308), 1e-300])
    assert curve.diagnostics["dropped"] == {"zero_weight": 1}
    with pytest.raises(TooFewAnchors):
        calibrator().fit(raw, target, np.zeros(60))


@every
def test_wrong_weights_and_lengths_are_refused(calibrator: Any) -> None:
    raw, target = world(n=60)
    with pytest.raises(BadAnchors, match="negative"):
        calibrator().fit(raw, target, -np.ones(60))
    with pytest.raises(BadAnchors, match="raw 60, target 59"):
        calibrator().fit(raw, target[1:])
    with pytest.raises(BadAnchors, match="not str"):
        calibrator().fit("123", target)
    with pytest.raises(BadAnchors, match="2 dimensions"):
        calibrator().fit(raw.reshape(2, 30), target)
    curve = calibrator().fit(raw, target, [*np.ones(59), math.nan])
    assert curve.diagnostics["dropped"] == {"weight": 1}


@every
def test_a_raw_score_outside_the_declared_scale_is_refused(calibrator: Any) -> None:
    raw, target = world(n=60)
    assert calibrator(scale=(0.0, 100.0)).fit(raw, target) is not None
    raw[7] = 101.0
    with pytest.raises(OutsideScale, match="1 of 60"):
        calibrator(scale=(0.0, 100.0)).fit(raw, target)


def test_the_unit_domain_is_for_scores_up_to_100() -> None:
    raw, target = world()
    assert MonotoneSpline(domain="unit").fit(raw, target).diagnostics["knots"] == pytest.approx(
        np.arange(1, 6) / 6
    )
    with pytest.raises(OutsideScale, match="0 to 100"):
        MonotoneSpline(domain="unit").fit(raw * 3, target)


@every
def test_no_anchors_or_one(calibrator: Any) -> None:
    with pytest.raises(TooFewAnchors):
        calibrator().fit([], [])
    with pytest.raises(TooFewAnchors, match="not 1"):
        calibrator().fit([3.0], [50.0])
    with pytest.raises(TooFewAnchors, match="2 more could not be used: raw 2"):
        calibrator().fit(["a", "b", 3.0], [50.0, 60.0, 70.0])


@every
def test_all_equal_is_uninformative(calibrator: Any) -> None:
    with pytest.raises(UninformativeAnchors, match="raw scores are equal"):
        calibrator().fit([5.0] * 30, np.linspace(0, 100, 30))
    with pytest.raises(UninformativeAnchors, match="target scores are equal"):
        calibrator().fit(np.linspace(0, 100, 30), [50.0] * 30)
    with pytest.raises(UninformativeAnchors, match="floating point"):
        calibrator().fit([-1e308, *range(20), 1e308], np.linspace(0, 100, 22))


@pytest.mark.parametrize("levels", [2, 3])
def test_two_or_three_levels_give_a_line(levels: int) -> None:
    rng = np.random.default_rng(5)
    raw = rng.integers(0, levels, 60).astype(float)
    target = 20 + 20 * raw + rng.normal(0, 5, 60)
    curve = MonotoneSpline().fit(raw, target)
    assert "fallback=linear" in curve.flags
    slope, shift = np.polyfit(raw, target, 1)
    assert curve(raw) == pytest.approx(shift + slope * raw)
    # Unlike the calibrator `linear`, flat beyond the anchors.
    assert curve([-5.0, 9.0]).tolist() == curve([0.0, levels - 1.0]).tolist()


def test_fewer_than_twelve_anchors_give_a_line_within_bounds() -> None:
    raw = np.arange(11.0)
    curve = MonotoneSpline().fit(raw, np.clip(raw * 20 - 50, 0, 100))
    assert {"fallback=linear", "few_anchors"} <= set(curve.flags)
    mapped = curve(np.linspace(-5, 20, 100))
    assert mapped.min() >= 0
    assert mapped.max() <= 100
    assert "fallback=linear" not in MonotoneSpline().fit(np.arange(12.0), np.arange(12.0)).flags


def test_the_bounded_line_is_the_best_of_all_bounded_lines() -> None:
    rng = np.random.default_rng(8)
    ends = np.linspace(0, 100, 201)
    low, high = (side.ravel() for side in np.meshgrid(ends, ends))
    low, high = low[low <= high], high[low <= high]
    for case in range(40):
        raw = np.sort(rng.uniform(0, 10, 6))
        target = np.clip(rng.normal(10 * raw + rng.uniform(-60, 60), 15), 0, 100)
        target[case % 6] = rng.uniform(0, 100)
        weight = rng.uniform(0.2, 3, 6)
        try:
            curve = MonotoneSpline().fit(raw, target, weight)
        except CalibrationError:
            continue
        miss = float(weight @ (curve(raw) - target) ** 2)
        share = (raw - raw[0]) / (raw[-1] - raw[0])
        lines = low[:, None] + (high - low)[:, None] * share
        assert miss <= (((lines - target) ** 2) @ weight).min() + 1e-9


@pytest.mark.parametrize(("levels", "knots"), [(4, 2), (5, 3), (6, 4), (7, 5), (8, 5)])
def test_few_levels_carry_few_knots(levels: int, knots: int) -> None:
    rng = np.random.default_rng(3)
    raw = np.resize(np.arange(float(levels)), 80)
    target = np.clip(10 + 80 * raw / levels + rng.normal(0, 5, 80), 0, 100)
    curve = MonotoneSpline(domain="rank").fit(raw, target)
    facts: Any = curve.diagnostics
    assert facts["distinct"] == levels
    assert len(facts["knots"]) == knots
    assert facts["kkt"] <= 1e-8
    mapped = curve(np.linspace(-1, levels, 500))
    assert np.diff(mapped).min() >= -1e-9


@every
def test_under_forty_anchors_are_flagged_and_the_interval_is_wide(calibrator: Any) -> None:
    raw, target = world(n=39)
    few = calibrator().fit(raw, target)
    assert "few_anchors" in few.flags
    assert few.interval([40.0], 0.99)[2]["bounded"] is False
    raw, target = world(n=40)
    assert "few_anchors" not in calibrator().fit(raw, target).flags


@every
def test_an_agent_that_runs_against_the_consensus_is_refused(calibrator: Any) -> None:
    rng = np.random.default_rng(6)
    target = rng.uniform(0, 100, 240)
    raw = -0.5 * target + rng.normal(0, 20, 240)
    with pytest.raises(AntiCorrelated, match="Spearman -0"):
        calibrator().fit(raw, target)


def test_power_and_false_refusals_of_that_test() -> None:
    """At n = 240: nearly always at rho -0.3, nearly never at rho 0.1."""
    rng = np.random.default_rng(7)

    def refused(rho: float, runs: int) -> float:
        count = 0
        for _ in range(runs):
            x = rng.normal(size=240)
            y = rho * x + (1 - rho**2) ** 0.5 * rng.normal(size=240)
            try:
                Linear().fit(x, 100 * np.exp(y) / (1 + np.exp(y)))
            except AntiCorrelated:
                count += 1
        return count / runs

    assert refused(-0.3, 100) >= 0.95
    assert refused(0.1, 200) <= 0.01


@every
def test_a_weak_agent_is_flagged(calibrator: Any) -> None:
    rng = np.random.default_rng(9)
    target = rng.uniform(0, 100, 240)
    noise = rng.normal(size=240)
    noise -= np.polyval(np.polyfit(target, noise, 1), target)
    curve = calibrator().fit(noise + 0.001 * target, target)
    assert "weak" in curve.flags
    assert "weak" not in calibrator().fit(*world()).flags


@pytest.mark.parametrize("calibrator", [MonotoneSpline, Isotonic, Linear])
def test_a_map_that_hardly_moves_is_flagged(calibrator: Any) -> None:
    rng = np.random.default_rng(10)
    raw = rng.uniform(0, 100, 240)
    curve = calibrator().fit(raw, 50 + 0.04 * raw + rng.normal(0, 0.2, 240))
    assert "flat" in curve.flags
    assert "flat" not in calibrator().fit(*world()).flags


def test_what_no_increasing_map_can_fit_is_flagged() -> None:
    rng = np.random.default_rng(11)
    raw = rng.uniform(0, 100, 240)
    hill = np.where(raw < 70, raw, 140 - raw * 1.0)
    assert "not_monotone" in MonotoneSpline().fit(raw, hill + rng.normal(0, 3, 240)).flags
    flagged = sum("not_monotone" in MonotoneSpline().fit(*world(s, 120)).flags for s in range(20))
    assert flagged <= 1


@every
def test_scores_beyond_the_anchors_are_mapped_and_flagged(calibrator: Any) -> None:
    raw, target = world()
    curve = calibrator().fit(raw, target)
    low, high = raw.min(), raw.max()
    asked = [low - 1, low, 40.0, high, high + 1, -1e300, 1e300, math.inf, -math.inf]
    mapped = curve(asked)
    assert curve.extrapolated(asked).tolist() == [True, *[False] * 3, *[True] * 5]
    assert np.isfinite(mapped).all()
    assert mapped.min() >= 0
    assert mapped.max() <= 100
    if curve.diagnostics["range"]["behaviour"] == "flat":
        assert mapped[0] == mapped[1] == mapped[5] == mapped[8]
        assert mapped[3] == mapped[4] == mapped[6] == mapped[7]
    assert curve.interval(asked)[2]["extrapolated"] == 6


@pytest.mark.parametrize("calibrator", CALIBRATORS, ids=lambda c: c.name)
def test_scores_to_map(calibrator: Any) -> None:
    curve = calibrator().fit(*world())
    assert len(curve([])) == 0
    assert curve(40).shape == (1,)
    assert (curve([40, 41]) == curve(np.array([40.0, 41.0]))).all()
    assert np.isnan(curve([math.nan, 40.0])).tolist() == [True, False]
    for bad in (["40"], ["3,5", 40.0], [None], [True], "40"):
        with pytest.raises(BadScores):
            curve(bad)
    with pytest.raises(BadScores, match="2-dimensional"):
        curve([[40.0]])


def test_parse_failures_read_as_zero() -> None:
    """Huber's weights win back most of what 4 % zeros cost."""
    plain_miss, robust_miss = [], []
    for seed in range(4):
        raw, target = world(seed, noise=1.0)
        spoilt = raw.copy()
        spoilt[np.random.default_rng(seed).permutation(240)[:10]] = 0.0
        plain = MonotoneSpline().fit(spoilt, target)
        robust = MonotoneSpline(robust=True).fit(spoilt, target)
        plain_miss.append(np.abs(plain(raw) - target).mean())
        robust_miss.append(np.abs(robust(raw) - target).mean())
        assert robust.diagnostics["huber_downweighted"] >= 10
    assert np.mean(robust_miss) < np.mean(plain_miss)
