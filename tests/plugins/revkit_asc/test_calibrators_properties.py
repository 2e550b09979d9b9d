"""Properties that hold for any anchors."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from revkit.errors import CalibrationError
from revkit_asc.calibrators import CALIBRATORS, Identity, MonotoneSpline

FITTING = [calibrator for calibrator in CALIBRATORS if calibrator is not Identity]
DOMAINS = ("auto", "range", "rank", "unit")
seeds = st.integers(0, 2**32 - 1)
few = settings(max_examples=25, deadline=None)


def anchors(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A random data set: size, noise, ties, saturation, steps, outliers, weights."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(12, 300))
    target = rng.uniform(0, 100, n) if rng.random() < 0.7 else rng.choice([0.0, 33, 66, 100], n)
    bend = rng.uniform(5, 80)
    raw = 50 + 45 * np.tanh((target - rng.uniform(20, 80)) / bend)
    raw = raw + rng.normal(0, rng.choice([0.0, 1.0, 8.0, 30.0]), n)
    if rng.random() < 0.2:
        target = np.where(target < 50, target * 0.1, 90 + target * 0.1)
    if rng.random() < 0.5:
        step = rng.choice([1.0, 5.0, 10.0])
        raw = np.round(raw / step) * step
    if rng.random() < 0.2:
        raw[rng.random(n) < 0.1] = 0.0
    raw = np.clip(raw, 0, 100)
    weight = np.ones(n) if rng.random() < 0.5 else rng.exponential(1, n) + 1e-3
    return raw, target, weight


def fitted(calibrator: Any, raw: Any, target: Any, weight: Any = None) -> Any:
    try:
        return calibrator.fit(raw, target, weight)
    except CalibrationError:
        assume(False)


@few
@given(seeds, st.sampled_from(DOMAINS))
def test_a_spline_is_monotone_and_in_range_everywhere(seed: int, domain: str) -> None:
    curve = fitted(MonotoneSpline(domain=cast(Any, domain)), *anchors(seed))
    rng = np.random.default_rng(seed)
    mapped = curve(np.sort(rng.uniform(-50, 150, 20000)))
    assert np.diff(mapped).min() >= -1e-9
    assert mapped.min() >= 0
    assert mapped.max() <= 100
    kkt = curve.diagnostics["kkt"]
    assert kkt is None or kkt <= 1e-8


def test_the_bounds_hold_to_the_last_bit() -> None:
    """Convex combinations of 100 and 100 can come out above 100."""
    grid = np.linspace(-50, 150, 20001)
    for seed in range(150):
        rng = np.random.default_rng(seed)
        raw = rng.uniform(0, 100, 60)
        target = np.clip(rng.choice([1.0, 1.6]) * raw + rng.normal(-10, 20, 60), 0, 100)
        curve = MonotoneSpline(domain="rank" if seed % 2 else "range", lambda_=1e-6)
        mapped = curve.fit(raw, target)(grid)
        assert mapped.min() >= 0
        assert mapped.max() <= 100


@few
@given(seeds, st.sampled_from(FITTING))
def test_every_calibrator_is_monotone_and_in_range(seed: int, calibrator: Any) -> None:
    curve = fitted(calibrator(), *anchors(seed))
    mapped = curve(np.linspace(-50, 150, 5001))
    assert np.diff(mapped).min() >= -1e-9
    assert mapped.min() >= 0
    assert mapped.max() <= 100


@few
@given(seeds, st.sampled_from(CALIBRATORS))
def test_the_order_of_rows_changes_nothing(seed: int, calibrator: Any) -> None:
    raw, target, weight = anchors(seed)
    order = np.random.default_rng(seed).permutation(len(raw))
    curve = fitted(calibrator(), raw, target, weight)
    other = calibrator().fit(raw[order], target[order], weight[order])
    assert other.to_json() == curve.to_json()
    assert calibrator().fit(raw[order], target[order]) == calibrator().fit(raw, target)


@few
@given(seeds, st.floats(1e-3, 1e3), st.floats(-1e3, 1e3), st.sampled_from(FITTING))
def test_an_affine_change_of_raw_scores_changes_nothing(
    seed: int, slope: float, shift: float, calibrator: Any
) -> None:
    raw, target, weight = anchors(seed)
    curve = fitted(calibrator(), raw, target, weight)
    other = calibrator().fit(shift + slope * raw, target, weight)
    assume(len(np.unique(shift + slope * raw)) == len(np.unique(raw)))
    assert other(shift + slope * raw) == pytest.approx(curve(raw), abs=1e-9)


@few
@given(seeds, st.sampled_from(["cube", "exp", "log"]))
def test_any_increasing_change_leaves_the_rank_domain_as_it_is(seed: int, change: str) -> None:
    raw, target, weight = anchors(seed)
    changes = {"cube": raw**3, "exp": np.exp(raw / 10), "log": np.log1p(raw)}
    changed = changes[change]
    assume(len(np.unique(changed)) == len(np.unique(raw)))
    curve = fitted(MonotoneSpline(domain="rank"), raw, target, weight)
    assume("fallback=linear" not in curve.flags)
    other = MonotoneSpline(domain="rank").fit(changed, target, weight)
    assert np.abs(other(changed) - curve(raw)).max() <= 1e-12


@few
@given(seeds, st.sampled_from(CALIBRATORS))
def test_doubled_weights_change_nothing(seed: int, calibrator: Any) -> None:
    raw, target, weight = anchors(seed)
    curve = fitted(calibrator(), raw, target, weight)
    assert calibrator().fit(raw, target, 2 * weight).to_json() == curve.to_json()
    ones = calibrator().fit(raw, target, np.full(len(raw), 2.0))
    assert ones.to_json() == calibrator().fit(raw, target).to_json()


@few
@given(seeds)
def test_calibrated_anchors_stay_as_they_are(seed: int) -> None:
    rng = np.random.default_rng(seed)
    raw = rng.uniform(0, 100, int(rng.integers(12, 300)))
    if rng.random() < 0.5:
        raw = np.round(raw)
    curve = MonotoneSpline().fit(raw, raw)
    grid = np.linspace(raw.min(), raw.max(), 1000)
    assert np.abs(curve(grid) - grid).max() <= 1e-9


@few
@given(seeds, st.floats(0.05, 0.9), st.floats(0.1, 0.9))
def test_a_change_of_the_targets_within_the_bounds_is_followed(
    seed: int, factor: float, place: float
) -> None:
    raw, target, weight = anchors(seed)
    inner = 20 + 0.6 * target
    curve = fitted(MonotoneSpline(), raw, inner, weight)
    assume("fallback=linear" not in curve.flags)
    assume(not {"lower", "upper"} & set(curve.diagnostics["active"]))
    shift = 100 * (1 - factor) * place
    other = MonotoneSpline().fit(raw, shift + factor * inner, weight)
    # A bound that is not active may come to be, where the targets reach it.
    assume(not {"lower", "upper"} & set(cast(Any, other.diagnostics["active"])))
    assert other(raw) == pytest.approx(shift + factor * curve(raw), abs=1e-6)


@few
@given(seeds, st.sampled_from(CALIBRATORS))
def test_a_map_is_the_same_after_json(seed: int, calibrator: Any) -> None:
    curve = fitted(calibrator(), *anchors(seed))
    other = calibrator().load(curve.to_json())
    grid = np.linspace(-10, 110, 999)
    assert (other(grid) == curve(grid)).all()
    assert other.interval(grid)[2] == curve.interval(grid)[2]


@pytest.mark.slow
def test_a_thousand_data_sets_at_a_million_points() -> None:
    grid = np.sort(np.random.default_rng(1).uniform(-50, 150, 1_000_000))
    worst, kkt, done = 0.0, 0.0, 0
    for seed in range(1000):
        calibrator = MonotoneSpline(domain=cast(Any, DOMAINS[seed % 4] if seed % 2 else "auto"))
        try:
            curve = calibrator.fit(*anchors(seed))
        except CalibrationError:
            continue
        mapped = curve(grid)
        assert mapped[0] >= 0
        assert mapped.max() <= 100
        worst = min(worst, float((mapped[1:] - mapped[:-1]).min()))
        kkt = max(kkt, float(curve.diagnostics["kkt"] or 0.0))  # type: ignore[arg-type]
        done += 1
    assert done > 900
    assert worst >= -1e-9
    assert kkt <= 1e-8
