"""Differences, means and medians of rates: one rule a figure, right with few flips as well."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats as scipy_stats
from scipy.special import stdtrit

from revkit.errors import StatisticsError
from revkit.figures import Resampling
from revkit.stats import (
    Estimate,
    clopper_pearson_interval,
    cluster_bootstrap_difference,
    cluster_bootstrap_means,
    cluster_bootstrap_rates,
    cluster_mean_difference,
    cluster_mean_rate,
    cluster_median_rate,
    cluster_rate_difference,
    korn_graubard_interval,
    mean_interval,
    sampled_mean_rate,
)

Array = NDArray[np.float64]
FOUR = np.full(150, 4.0)


def bounds(estimate: Estimate) -> tuple[float, float]:
    assert estimate.interval.low is not None, estimate.interval.note
    assert estimate.interval.high is not None
    return estimate.interval.low, estimate.interval.high


def flips_of(random: np.random.Generator, rate: float) -> Array:
    """Flips of 4 pairs on each of 150 papers, correlation within papers .3."""
    size = 0.7 / 0.3
    return random.binomial(4, random.beta(rate * size, (1 - rate) * size, 150)).astype(float)


def covers(estimate: Estimate, truth: float) -> bool:
    low, high = bounds(estimate)
    return low <= truth <= high


def test_a_rare_difference_is_a_t_whose_upper_end_is_halfway_to_that_without_skewness() -> None:
    # 5 of 150 papers flip once; all repeats agree on all 150 papers.
    flips = np.zeros(150)
    flips[:5] = 1
    net = cluster_rate_difference(
        flips, FOUR, np.zeros(150), np.ones(150), resampling=Resampling(1)
    )
    d = flips / 4
    student = float(stdtrit(149, 0.975)) * float(d.std(ddof=1)) / math.sqrt(150)
    low, high = bounds(net)
    assert net.value == pytest.approx(5 / 600)
    assert low == pytest.approx(5 / 600 - student)
    # The other half of the widening leads to Hall's end: T = W + g W^2 / 3 + g^2 W^3 / 27 + g / 6n.
    hall = 2 * high - (5 / 600 + student)
    g = float(((d - d.mean()) ** 3).mean()) / float(d.std()) ** 3
    w = (5 / 600 - hall) / float(d.std())
    t = -float(stdtrit(149, 0.975)) / math.sqrt(149)
    assert w + g * w**2 / 3 + g**2 * w**3 / 27 + g / (6 * 150) == pytest.approx(t)
    assert net.interval.note == "only 5 paper(s) differ"
    assert net.interval.n == 150


def test_two_groups_of_papers_have_welch_s_freedom() -> None:
    one, other = np.array([0, 1, 0, 1, 1, 0, 0.0]), np.array([1, 0, 0, 1, 0.0])
    none = np.zeros
    found = cluster_rate_difference(
        np.append(one, none(5)), np.append(np.ones(7), none(5)),
        np.append(none(7), other), np.append(none(7), np.ones(5)),
        resampling=Resampling(1),
    )  # fmt: skip
    expected = scipy_stats.ttest_ind(one, other, equal_var=False).confidence_interval(0.95)
    low, high = bounds(found)
    # Little skewness, so that the ends are those of Welch's test or a little farther out.
    assert expected.low - 0.03 <= low <= expected.low + 1e-9
    assert expected.high - 1e-9 <= high <= expected.high + 0.03
    assert found.interval.method == "linearised ratios, Welch"


def test_a_difference_has_the_t_of_its_residuals_and_percentiles_with_many_papers() -> None:
    random = np.random.default_rng(5)
    first, second = flips_of(random, 0.3), flips_of(random, 0.2)
    found = cluster_rate_difference(first, FOUR, second, FOUR, resampling=Resampling(1))
    # Equal counts: Student's t of the papers' differences, which have little skewness.
    plain = mean_interval((first - second) / 4)
    assert found.value == pytest.approx(plain.value)
    (low, high), student = bounds(found), bounds(plain)
    assert low <= student[0] + 1e-12
    assert high >= student[1] - 1e-12
    assert high - low == pytest.approx(student[1] - student[0], rel=0.01)
    one, other, many = np.tile(first, 4), np.tile(second, 4), np.full(600, 4.0)
    drawn = cluster_rate_difference(one, many, other, many, resampling=Resampling(1))
    same = cluster_bootstrap_difference(one, many, other, many, resampling=Resampling(1))
    assert bounds(drawn) == bounds(same)
    order = random.permutation(150)
    shuffled = cluster_rate_difference(
        first[order], FOUR, second[order], FOUR, resampling=Resampling(1)
    )
    assert shuffled == found


def test_two_that_never_flip_are_not_known_to_be_equal() -> None:
    edge = clopper_pearson_interval(0, 150).high
    assert edge is not None
    none = np.zeros(150)
    found = cluster_rate_difference(none, FOUR, none, FOUR, resampling=Resampling(1))
    assert found.value == 0
    assert bounds(found) == pytest.approx((-edge, edge))


def test_undefined_differences() -> None:
    missing = cluster_rate_difference([1, 0], [4, 4], [0, 0], [0, 0], resampling=Resampling(1))
    assert (missing.value, missing.note) == (None, "one of the two has no observation")
    lone = cluster_rate_difference([1], [4], [1], [1], resampling=Resampling(1))
    assert (lone.value, lone.interval.low) == (1 / 4 - 1, None)
    assert lone.interval.note == "fewer than two papers"
    with pytest.raises(StatisticsError):
        cluster_rate_difference([5, 0], [4, 4], [0, 0], [1, 1], resampling=Resampling(1))
    with pytest.raises(StatisticsError):
        cluster_mean_rate([[5.0], [0.0]], [[4], [4]], resampling=Resampling(1))


@pytest.mark.parametrize("flipping", [0, 1, 5, 30])
def test_one_quantity_has_one_interval(flipping: int) -> None:
    flips = np.zeros((150, 1))
    flips[:flipping] = 1
    (rate,) = cluster_bootstrap_rates(flips, FOUR, resampling=Resampling(1))
    assert cluster_mean_rate(flips, FOUR[:, None], resampling=Resampling(1)) == rate
    assert cluster_median_rate(flips, FOUR[:, None], resampling=Resampling(1)) == rate
    # A second agent that failed throughout does not count.
    two = np.hstack([flips, np.zeros((150, 1))])
    counts = np.column_stack([FOUR, np.zeros(150)])
    assert cluster_mean_rate(two, counts, resampling=Resampling(1)) == rate
    # The median of two is their mean.
    both, pairs = np.hstack([flips, flips[::-1]]), np.tile(FOUR[:, None], (1, 2))
    mean, median = (
        f(both, pairs, resampling=Resampling(1)) for f in (cluster_mean_rate, cluster_median_rate)
    )
    assert mean == median
    # With equal counts the mean is the rate of all pairs pooled, and so are its bounds where both
    # have a closed form or both are resampled: from 10 papers on one rate is, from 50 on a mean.
    (pooled,) = cluster_bootstrap_rates(
        both.sum(axis=1, keepdims=True), 2 * FOUR, resampling=Resampling(1)
    )
    assert mean.value == pytest.approx(pooled.value)
    if not 10 <= 2 * flipping < 50:
        assert bounds(mean) == pytest.approx(bounds(pooled))


def test_a_mean_of_several_rates_covers_with_few_papers() -> None:
    # Five agents at 15 % that flip on the same papers of 20: percentiles cover 91 %.
    rng = np.random.default_rng(12)
    covered, runs = 0, 300
    for seed in range(runs):
        shared = rng.beta(0.3, 1.7, (20, 1)) * np.ones((1, 5))
        flips = rng.binomial(4, shared).astype(float)
        found = cluster_mean_rate(
            flips, np.full((20, 5), 4), resampling=Resampling(seed, resamples=100)
        )
        low, high = bounds(found)
        covered += low <= 0.15 <= high
    assert covered / runs >= 0.92


def test_median_of_rates_far_apart_has_the_error_of_the_rate_in_the_middle() -> None:
    random = np.random.default_rng(2)
    flips = np.column_stack([flips_of(random, rate) for rate in (0.02, 0.1, 0.5)])
    pairs = np.tile(FOUR[:, None], (1, 3))
    found = cluster_median_rate(flips, pairs, resampling=Resampling(1))
    assert found.value == pytest.approx(flips[:, 1].sum() / 600)
    own = bounds(korn_graubard_interval(flips[:, 1], FOUR))
    low, high = bounds(found)
    assert high - low == pytest.approx(own[1] - own[0], rel=0.1)
    assert low < found.value < high


def test_median_of_equal_rates_is_known_nearly_as_well_as_their_mean() -> None:
    # The median of five independent normal values has 1.2 times the standard error of their mean.
    random = np.random.default_rng(4)
    flips = np.column_stack([flips_of(random, 0.3) for _ in range(5)])
    pairs = np.tile(FOUR[:, None], (1, 5))
    mean, median = (
        bounds(f(flips, pairs, resampling=Resampling(1)))
        for f in (cluster_mean_rate, cluster_median_rate)
    )
    assert 1.0 < (median[1] - median[0]) / (mean[1] - mean[0]) < 1.35


def test_a_median_of_agents_that_never_flip_is_a_bound_or_is_warned() -> None:
    flips, pairs = np.zeros((150, 3)), np.tile(FOUR[:, None], (1, 3))
    steady = cluster_median_rate(flips, pairs, resampling=Resampling(1)).interval
    edge = clopper_pearson_interval(0, 150).high
    assert (steady.low, steady.high) == (0.0, pytest.approx(edge))
    assert steady.conservative
    flips[:60, 0] = 1
    mixed = cluster_median_rate(flips, pairs, resampling=Resampling(1)).interval
    assert (mixed.low, mixed.high) == (0.0, pytest.approx(edge))
    assert mixed.short
    flips[:2, 1] = 1
    assert cluster_median_rate(flips, pairs, resampling=Resampling(1)).interval.short


def test_other_means_say_when_few_papers_differ() -> None:
    moved = np.zeros((150, 2))
    moved[:4, 0] = 2.5
    moved[:40, 1] = 2.5
    few, many = cluster_bootstrap_means(moved, FOUR, resampling=Resampling(1, resamples=200))
    assert few.interval.note.startswith("only 4 paper(s) differ from the rest")
    assert many.interval.note == ""
    apart = cluster_bootstrap_difference(
        moved[:, 0], FOUR, np.zeros(150), FOUR, resampling=Resampling(1)
    )
    assert apart.interval.note.startswith("only 4 paper(s) differ from the rest")


def test_coverage_of_rare_net_rates() -> None:
    # True rate 1.5 %, no noise. Percentiles cover 89 %, Student's t 89 %.
    random = np.random.default_rng(11)
    none, ones = np.zeros(150), np.ones(150)
    new = old = 0
    for _ in range(400):
        flips = flips_of(random, 0.015)
        given = (flips, FOUR, none, ones)
        new += covers(
            cluster_rate_difference(*given, resampling=Resampling(1, resamples=200)), 0.015
        )
        plain = cluster_bootstrap_difference(
            *given, resampling=Resampling(1, resamples=200)
        ).interval
        if plain.low is not None and plain.high is not None:
            old += plain.low <= 0.015 <= plain.high
    assert 0.93 <= new / 400 <= 0.99
    assert old / 400 < 0.92


def test_coverage_of_rare_means_over_agents() -> None:
    # Rates of .2, .5 and 1 %. Percentiles of the mean cover 91 %.
    random = np.random.default_rng(11)
    rates, pairs = (0.002, 0.005, 0.01), np.tile(FOUR[:, None], (1, 3))
    mean = median = 0
    for _ in range(300):
        flips = np.column_stack([flips_of(random, rate) for rate in rates])
        mean += covers(
            cluster_mean_rate(flips, pairs, resampling=Resampling(1, resamples=200)), 0.017 / 3
        )
        median += covers(
            cluster_median_rate(flips, pairs, resampling=Resampling(1, resamples=200)), 0.005
        )
    assert 0.93 <= mean / 300 <= 0.99
    assert median / 300 >= 0.93


def test_coverage_of_rare_differences() -> None:
    # 1.5 % against nothing, from discordant pairs.
    random = np.random.default_rng(3)
    found = [
        cluster_rate_difference(
            flips_of(random, 0.03),
            FOUR,
            flips_of(random, 0.005),
            FOUR,
            resampling=Resampling(1, resamples=200),
        )
        for _ in range(400)
    ]
    assert 0.93 <= np.mean([covers(estimate, 0.025) for estimate in found]) <= 0.99


def test_agents_as_a_sample_by_hand() -> None:
    # Rates 1/4 and 1/2 on two papers with two pairs each: s^2 = 1/32, over papers e^2.
    flips, pairs = np.array([[1.0, 1.0], [0.0, 1.0]]), np.full((2, 2), 2.0)
    found = sampled_mean_rate(flips, pairs, resampling=Resampling(1, confidence=0.5))
    assert found.value == pytest.approx(3 / 8)
    # Residuals of the mean over agents are +-1/16: e^2 = 2 / 1 * 2 * (1/16)^2 = 1/64. With
    # s^2 / 2 = 1/64 the error is sqrt(1/32); the quartile of t with one degree of freedom is 1.
    half = math.sqrt(1 / 32)
    assert bounds(found) == pytest.approx((3 / 8 - half, 3 / 8 + half))
    alone = sampled_mean_rate(flips[:, :1], pairs[:, :1], resampling=Resampling(1))
    assert (alone.value, alone.interval.low) == (0.25, None)
    assert alone.interval.note == "fewer than two agents"


def test_agents_as_a_sample_cover_the_mean_of_all_agents() -> None:
    # Agents with rates Beta(2, 8), papers of unequal difficulty: the mean is 20 %.
    rng = np.random.default_rng(3)
    covered = fixed = 0
    runs = 200
    for seed in range(runs):
        rates = rng.beta(2, 8, 6)
        hard = rng.beta(2, 2, (100, 1)) * 2
        flips = rng.binomial(4, np.clip(rates * hard, 0, 1)).astype(float)
        pairs = np.full((100, 6), 4.0)
        level = Resampling(seed, resamples=100)
        low, high = bounds(sampled_mean_rate(flips, pairs, resampling=level))
        covered += low <= 0.2 <= high
        low, high = bounds(cluster_mean_rate(flips, pairs, resampling=level))
        fixed += low <= 0.2 <= high
    assert covered / runs >= 0.92
    assert fixed / runs < 0.7  # the interval for these agents does not speak of others


def test_few_papers_with_flips_mark_the_interval_as_short() -> None:
    def marked(papers: int) -> bool:
        flips = np.zeros(150)
        flips[:papers] = 2
        (one,) = cluster_bootstrap_rates(flips[:, None], FOUR[:, None], resampling=Resampling(1))
        pair = np.column_stack([flips, flips])
        mean = cluster_mean_rate(pair, np.full((150, 2), 4.0), resampling=Resampling(1))
        assert one.interval.short == mean.interval.short
        assert ("too short" in one.interval.note) == one.interval.short
        return one.interval.short

    # None: a bound for any dependence; one to four: short; from five on: long enough.
    assert [marked(papers) for papers in (0, 1, 4, 5, 9, 20)] == [False, True, True, *[False] * 3]


def test_means_of_noisy_agents_are_without_skewness() -> None:
    random = np.random.default_rng(3)
    flips = random.choice([0.1, 0.2, 3.6], (60, 2), p=[0.5, 0.45, 0.05])
    counts = np.full((60, 2), 4.0)
    found = cluster_mean_rate(flips, counts, resampling=Resampling(1))
    d = (flips / 4).mean(axis=1)
    # Hall's interval by hand: W is the inverse of T = W + g W^2 / 3 + g^2 W^3 / 27 + g / (6 n).
    spread, n = float(d.std()), len(d)
    g = float(((d - d.mean()) ** 3).mean()) / spread**3
    for end, sign in zip(bounds(found), (1, -1), strict=True):
        w = (d.mean() - end) / spread
        t = sign * float(stdtrit(n - 1, 0.975)) / math.sqrt(n - 1)
        assert w + g * w**2 / 3 + g**2 * w**3 / 27 + g / (6 * n) == pytest.approx(t)
    assert found.interval.method == "linearised ratio, t without skewness"


def counts_of(*papers: int, of: int = 30) -> Array:
    """Four pairs on each of the first papers of ``of``, a column for each number of ``papers``."""
    return np.column_stack([np.where(np.arange(of) < k, 4.0, 0.0) for k in papers])


@pytest.mark.parametrize("statistic", [cluster_mean_rate, cluster_median_rate])
def test_a_rate_of_one_paper_gives_a_mean_without_bounds(
    statistic: Callable[..., Estimate],
) -> None:
    counts = counts_of(1, 30, 30)
    for flips in (np.zeros_like(counts), np.minimum(counts, 1)):
        found = statistic(flips, counts, resampling=Resampling(1))
        assert found.value is not None
        assert found.interval.low is None
        assert found.interval.high is None
        assert "one paper only" in found.interval.note


def test_a_difference_of_means_with_a_rate_of_one_paper_has_no_bounds() -> None:
    one, other = counts_of(1, 20), counts_of(30, 30)
    flips = np.minimum(one, 1), np.minimum(other, 2)
    for first, n1, second, n2 in (
        (flips[0], one, flips[1], other),
        (flips[1], other, flips[0], one),
    ):
        found = cluster_mean_difference(first, n1, second, n2, resampling=Resampling(1))
        assert found.interval.low is None
        assert "one paper only" in found.interval.note


@pytest.mark.parametrize("few", [2, 6, 9])
def test_a_mean_with_a_rate_of_few_papers_may_be_too_short(few: int) -> None:
    random = np.random.default_rng(few)
    counts = counts_of(few, 30)
    flips = random.binomial(counts.astype(int), 0.3).astype(float)
    for found in (
        cluster_mean_rate(flips, counts, resampling=Resampling(1)),
        cluster_median_rate(flips, counts, resampling=Resampling(1)),
        cluster_mean_difference(
            flips, counts, flips[::-1], counts_of(30, 30), resampling=Resampling(1)
        ),
    ):
        assert found.interval.short
        assert f"only {few} papers" in found.interval.note
    every = counts_of(few, few, of=few)
    found = cluster_mean_rate(np.minimum(every, 1), every, resampling=Resampling(1))
    assert "observations of only" not in found.interval.note


def test_no_flip_is_bounded_by_the_papers_that_count() -> None:
    # Weights of papers in the mean of two rates: 5 papers (1/5 + 1/30) / 2, 25 papers 1/60.
    kish = 1 / (5 * ((1 / 5 + 1 / 30) / 2) ** 2 + 25 * (1 / 60) ** 2)
    assert math.floor(kish) == 13
    unequal, equal = counts_of(5, 30), counts_of(30, 30)
    found = cluster_mean_rate(np.zeros_like(unequal), unequal, resampling=Resampling(1))
    assert bounds(found) == pytest.approx((0, 1 - 0.025 ** (1 / 13)))
    assert found.interval.n == 30
    found = cluster_mean_rate(np.zeros_like(equal), equal, resampling=Resampling(1))
    assert bounds(found) == pytest.approx((0, 1 - 0.025 ** (1 / 30)))
