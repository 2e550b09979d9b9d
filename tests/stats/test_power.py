"""Design effect by hand and from SciPy's F; detectable differences from tables and simulation."""

import numpy as np
import pytest
from scipy import stats as reference
from statsmodels.stats.proportion import samplesize_proportions_2indep_onetail

from revkit.errors import StatisticsError
from revkit.stats import design_effect, minimum_detectable_difference, pairs_for_difference


def test_design_effect_by_hand() -> None:
    # Flips 2, 0, 1 of 2 pairs each: within (0 + 0 + .5) / 3 = 1/6; between (2 + 0 + .5 - 9/6) / 2
    # = 1/2; n0 = 2; rho = (1/2 - 1/6) / (1/2 + 1/6) = 1/2; 1 + (2 - 1) / 2 = 1.5; 6 / 1.5 = 4.
    result = design_effect([2, 0, 1], [2, 2, 2])
    assert result.correlation == pytest.approx(0.5)
    assert result.value == pytest.approx(1.5)
    assert result.effective_n == pytest.approx(4)


def test_correlation_from_scipys_analysis_of_variance() -> None:
    random = np.random.default_rng(3)
    papers = [random.random(size) < random.beta(1, 3) for size in random.integers(1, 6, 40)]
    f = reference.f_oneway(*[p.astype(float) for p in papers if len(p)]).statistic
    size = np.array([len(p) for p in papers])
    n0 = (size.sum() - (size**2).sum() / size.sum()) / (len(size) - 1)
    result = design_effect([p.sum() for p in papers], size)
    assert result.correlation == pytest.approx((f - 1) / (f + n0 - 1))


def test_full_and_negative_correlation() -> None:
    full = design_effect([4, 0, 4, 0], [4, 4, 4, 4])
    assert full.correlation == pytest.approx(1)
    assert full.value == pytest.approx(4)
    assert full.effective_n == pytest.approx(4)
    negative = design_effect([1, 1, 1], [2, 2, 2])
    assert negative.correlation == pytest.approx(-1)
    assert negative.effective_n is None
    assert "negative" in negative.note


@pytest.mark.parametrize(
    ("successes", "counts", "note"),
    [
        ([], [], "fewer than two papers"),
        ([1, 0], [4, 0], "fewer than two papers"),
        ([1, 0, 1], [1, 1, 1], "one pair a paper"),
        ([0, 0, 0], [4, 4, 4], "no variation"),
        ([4, 4, 4], [4, 4, 4], "no variation"),
    ],
)
def test_design_effect_undefined(successes: list[int], counts: list[int], note: str) -> None:
    result = design_effect(successes, counts)
    assert (result.correlation, result.value, result.effective_n) == (None, None, None)
    assert result.note == note


@pytest.mark.parametrize(
    ("successes", "counts"), [([2], [1]), ([-1], [1]), ([0.5], [1]), ([np.nan], [1]), ([1], [1, 1])]
)
def test_design_effect_refuses(successes, counts) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(StatisticsError):
        design_effect(successes, counts)


def test_unpaired_difference_of_a_textbook_design() -> None:
    # .6 against .7 at 80 % power and 5 %: 356 a group, the standard table value.
    result = minimum_detectable_difference(356, 0.6)
    assert result.rise == pytest.approx(0.1, abs=2e-4)


@pytest.mark.parametrize(("n", "rate", "power"), [(600, 0.187, 0.8), (150, 0.05, 0.9)])
def test_unpaired_difference_agrees_with_statsmodels(n: int, rate: float, power: float) -> None:
    result = minimum_detectable_difference(n, rate, power)
    assert result.rise is not None
    needed = samplesize_proportions_2indep_onetail(
        result.rise, rate, power, ratio=1, alpha=0.025, alternative="larger"
    )
    assert needed == pytest.approx(n, rel=1e-6)


def test_paired_difference_reaches_its_power_in_simulation() -> None:
    result = minimum_detectable_difference(600, 0.187, paired=True)
    assert result.rise is not None
    p, q = 0.187, 0.187 + result.rise
    cells = [p * q, p * (1 - q), q * (1 - p), (1 - p) * (1 - q)]
    draws = np.random.default_rng(1).multinomial(600, cells, size=8_000)
    b, c = draws[:, 1], draws[:, 2]
    share = np.mean((b - c) ** 2 / (b + c) > 3.841459)
    assert share == pytest.approx(0.8, abs=0.015)


def test_design_effect_and_correlation_move_the_difference_as_they_should() -> None:
    plain = minimum_detectable_difference(600, 0.187, paired=True)
    clustered = minimum_detectable_difference(600, 0.187, paired=True, design_effect=2.5)
    fewer = minimum_detectable_difference(240, 0.187, paired=True)
    alike = minimum_detectable_difference(600, 0.187, paired=True, correlation=0.5)
    assert plain.rise is not None
    assert clustered.rise is not None
    assert alike.rise is not None
    assert clustered.rise == pytest.approx(fewer.rise)
    assert alike.rise < plain.rise < clustered.rise


def test_difference_that_does_not_exist() -> None:
    tiny = minimum_detectable_difference(2, 0.5)
    assert (tiny.rise, tiny.fall) == (None, None)
    assert tiny.note == "no rise and no fall of this rate is large enough"
    bottom = minimum_detectable_difference(600, 0.0)
    assert bottom.fall is None
    assert bottom.rise is not None
    top = minimum_detectable_difference(600, 1.0)
    assert top.fall == pytest.approx(bottom.rise)


@pytest.mark.parametrize(
    "options",
    [
        {"n": 0},
        {"n": -1},
        {"baseline_rate": 1.2},
        {"baseline_rate": float("nan")},
        {"power": 1.0},
        {"power": 0.01},
        {"confidence": 0.0},
        {"design_effect": 0.0},
        {"design_effect": float("nan")},
        {"correlation": 1.0},
        {"correlation": -0.1},
    ],
)
def test_difference_refuses(options) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(StatisticsError):
        minimum_detectable_difference(**{"n": 600, "baseline_rate": 0.2, **options})


@pytest.mark.parametrize(("gained", "lost"), [(0.12, 0.02), (0.05, 0.03), (0.3, 0.1), (0.02, 0.08)])
def test_pairs_for_a_difference_reach_the_power_in_simulation(gained: float, lost: float) -> None:
    n = pairs_for_difference(gained, lost)
    assert n is not None
    cells = [gained, lost, 1 - gained - lost]
    draws = np.random.default_rng(2).multinomial(n, cells, size=20_000)
    b, c = draws[:, 0], draws[:, 1]
    share = np.mean((b - c) ** 2 / np.maximum(b + c, 1) > 3.841459)
    assert 0.79 <= share <= 0.85  # Connor's formula asks for a few pairs more than needed


def test_pairs_for_a_difference_invert_the_detectable_difference() -> None:
    n = 600
    result = minimum_detectable_difference(n, 0.187, paired=True)
    assert result.rise is not None
    p, q = 0.187, 0.187 + result.rise
    assert pairs_for_difference(q * (1 - p), p * (1 - q)) == n


def test_no_number_of_pairs_finds_no_difference() -> None:
    assert pairs_for_difference(0.1, 0.1) is None
    assert pairs_for_difference(0.0, 0.0) is None


@pytest.mark.parametrize(
    "values", [(1.2, 0.0), (0.7, 0.6), (-0.1, 0.2), (0.2, 0.1, 1.0), (0.2, 0.1, 0.8, 0.0)]
)
def test_pairs_for_a_difference_refuse(values: tuple[float, ...]) -> None:
    with pytest.raises(StatisticsError):
        pairs_for_difference(*values)
