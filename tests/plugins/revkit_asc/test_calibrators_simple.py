"""The simple calibrators against values by hand, numpy and scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest

from revkit.errors import OptionError
from revkit_asc.calibrators import Identity, Isotonic, Linear, MeanSigma, Quantile


def world(seed: int, n: int = 240) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    target = rng.uniform(0, 100, n)
    return np.round(30 + 25 * np.tanh((target - 50) / 30) + rng.normal(0, 6, n)), target


def test_identity_changes_nothing_and_needs_nothing() -> None:
    curve = Identity().fit([], [])
    assert curve([-3.0, 50.0, 1e9]).tolist() == [-3.0, 50.0, 1e9]
    assert curve.extrapolated([50.0]).tolist() == [True]
    assert curve.interval([50.0])[2]["bounded"] is False
    curve = Identity().fit([1.0, 2.0, 3.0], [30.0, 20.0, 10.0])
    assert curve([5.0]).tolist() == [5.0]
    assert curve.diagnostics["residual_sd"] == pytest.approx((29**2 + 18**2 + 7**2) ** 0.5 / 3**0.5)


def test_linear_is_polyfit() -> None:
    raw, target = world(1)
    weight = np.random.default_rng(2).uniform(0.1, 3, len(raw))
    slope, shift = np.polyfit(raw, target, 1, w=np.sqrt(weight))
    grid = np.linspace(-20, 70, 91)
    mapped = Linear().fit(raw, target, weight)(grid)
    assert mapped == pytest.approx(np.clip(shift + slope * grid, 0, 100), abs=1e-9)
    assert mapped.min() == 0.0
    assert mapped.max() == 100.0


def test_a_line_never_falls() -> None:
    curve = Linear().fit([1.0, 2.0, 3.0], [30.0, 20.0, 10.0])
    assert curve([0.0, 2.0, 9.0]) == pytest.approx([20.0, 20.0, 20.0])
    assert {"flat", "weak", "few_anchors"} <= set(curve.flags)


def test_mean_sigma_gives_mean_and_spread() -> None:
    # raw 10, 20, 30: mean 20, sd 8.16; consensus 30, 50, 70: mean 50, sd 16.3; slope 2.
    curve = MeanSigma().fit([10.0, 20.0, 30.0], [30.0, 70.0, 50.0])
    assert curve([10.0, 20.0, 35.0]).tolist() == pytest.approx([30.0, 50.0, 80.0])
    # With weights 1, 1, 2: mean raw 22.5, mean target 50; var 68.75 against 200.
    curve = MeanSigma().fit([10.0, 20.0, 30.0], [30.0, 70.0, 50.0], [1.0, 1.0, 2.0])
    slope = (200 / 68.75) ** 0.5
    assert curve([22.5, 30.0]).tolist() == pytest.approx([50.0, 50 + 7.5 * slope])


def test_quantile_matches_mid_ranks() -> None:
    # Without ties the k-th raw goes to the k-th consensus.
    curve = Quantile().fit([1.0, 5.0, 2.0, 9.0], [40.0, 10.0, 20.0, 80.0])
    assert curve([1.0, 2.0, 5.0, 9.0]).tolist() == [10.0, 20.0, 40.0, 80.0]
    assert curve([0.0, 3.5, 10.0]).tolist() == pytest.approx([10.0, 30.0, 80.0])
    # Two tied raws share the mid-rank 0.5, half way between the mid-ranks of 20 and 40.
    curve = Quantile().fit([1.0, 2.0, 2.0, 3.0], [10.0, 20.0, 40.0, 80.0])
    assert curve([2.0]).tolist() == pytest.approx([30.0])


def test_isotonic_by_hand() -> None:
    # Pool 30 and 20 to 25.
    curve = Isotonic().fit([1.0, 2.0, 3.0, 4.0], [10.0, 30.0, 20.0, 90.0])
    assert curve([1, 2, 2.5, 3, 3.5, 4]).tolist() == pytest.approx([10, 25, 25, 25, 57.5, 90])
    assert curve([0.0, 5.0]).tolist() == [10.0, 90.0]
    assert curve.extrapolated([0.0, 1.0, 4.0, 5.0]).tolist() == [True, False, False, True]


def test_isotonic_sums_the_weights_of_ties() -> None:
    """Ties averaged instead of summed gave 0, 1/4, 1/4, 1/4, 1 here."""
    raw, target = [0.0, 1.0, 1.0, 2.0, 3.0], [0.0, 0.0, 1.0, 0.0, 1.0]
    fitted = Isotonic().fit(raw, target)([0.0, 1.0, 1.0, 2.0, 3.0])
    assert fitted.tolist() == pytest.approx([0, 1 / 3, 1 / 3, 1 / 3, 1])


@pytest.mark.parametrize("seed", range(5))
def test_isotonic_is_that_of_scikit_learn_within_the_range(seed: int) -> None:
    peer = pytest.importorskip("sklearn.isotonic")
    raw, target = world(seed)
    weight = np.random.default_rng(seed).uniform(0.1, 3, len(raw))
    curve = Isotonic().fit(raw, target, weight)
    other = peer.IsotonicRegression(y_min=0, y_max=100, out_of_bounds="clip")
    other.fit(raw, target, sample_weight=weight)
    grid = np.linspace(0, 70, 1401)
    assert curve(grid) == pytest.approx(other.predict(grid), abs=1e-9)


def test_a_scale_must_be_in_order() -> None:
    with pytest.raises(OptionError, match="smaller"):
        Linear(scale=(5.0, 1.0))
