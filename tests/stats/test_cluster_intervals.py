"""Resampling of papers: against enumeration, SciPy's bootstrap, statsmodels and simulation."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats as reference
from statsmodels.regression.linear_model import OLS

import revkit.stats.bootstrap as bootstrap
from revkit.errors import StatisticsError
from revkit.figures import Resampling
from revkit.stats import (
    Estimate,
    cluster_bootstrap_difference,
    cluster_bootstrap_mean,
    cluster_bootstrap_means,
    cluster_bootstrap_rates,
    cluster_bootstrap_statistic,
    cluster_t_interval,
    flip_rates,
    korn_graubard_interval,
    mean_interval,
    wald_interval,
)
from tests.cpu_time import cpu_seconds

Array = NDArray[np.float64]


def bounds(estimate: Estimate) -> tuple[float, float]:
    assert estimate.interval.low is not None, estimate.interval.note
    assert estimate.interval.high is not None
    return estimate.interval.low, estimate.interval.high


def clustered_flips(
    random: np.random.Generator,
    papers: int,
    columns: int,
    pairs: int = 4,
    a: float = 0.2,
    b: float = 0.8,
) -> Array:
    """Flips per paper; the correlation of two pairs of a paper is 1 / (a + b + 1)."""
    return random.binomial(pairs, random.beta(a, b, (papers, columns))).astype(float)


def test_bounds_are_those_of_all_possible_resamples() -> None:
    # 5 papers have 5^5 = 3,125 equally likely resamples: enumerate them all.
    sums, counts = np.array([0, 1, 4, 2, 0]), np.array([4, 4, 4, 3, 1])
    ratios = [
        sums[list(draw)].sum() / counts[list(draw)].sum()
        for draw in itertools.product(range(5), repeat=5)
    ]
    expected = np.quantile(ratios, [0.05, 0.95])
    estimate = cluster_bootstrap_mean(
        sums, counts, resampling=Resampling(3, resamples=40_000, confidence=0.9)
    )
    assert estimate.value == 7 / 16
    assert bounds(estimate) == pytest.approx(tuple(expected), abs=0.011)


def test_bounds_agree_with_scipys_bootstrap() -> None:
    random = np.random.default_rng(1)
    flips = clustered_flips(random, 80, 1)[:, 0]
    valid = flips + random.integers(0, 3, 80)
    theirs = reference.bootstrap(
        (flips, valid),
        lambda s, n, axis: s.sum(axis=axis) / n.sum(axis=axis),
        paired=True,
        n_resamples=9_999,
        method="percentile",
        rng=np.random.default_rng(2),
    ).confidence_interval
    ours = cluster_bootstrap_mean(flips, valid, resampling=Resampling(1))
    width = theirs.high - theirs.low
    assert bounds(ours) == pytest.approx((theirs.low, theirs.high), abs=0.05 * width)


def test_weights_are_multinomial() -> None:
    weights = np.concatenate(list(bootstrap.resample_weights(6, Resampling(4, resamples=50_000))))
    assert weights.shape == (50_000, 6)
    assert (weights.sum(axis=1) == 6).all()
    # multinomial(6, 1/6): mean 1, variance 5/6, covariance -1/6
    covariance = np.cov(weights.T)
    expected = np.full((6, 6), -1 / 6) + np.eye(6)
    assert weights.mean(axis=0) == pytest.approx(np.ones(6), abs=0.02)
    assert covariance == pytest.approx(expected, abs=0.03)


def test_blocks_do_not_change_the_result(monkeypatch: pytest.MonkeyPatch) -> None:
    sums = clustered_flips(np.random.default_rng(2), 30, 3)
    counts = np.full(30, 4)
    whole = cluster_bootstrap_means(sums, counts, resampling=Resampling(8, resamples=1_001))
    monkeypatch.setattr(bootstrap, "BLOCK_ELEMENTS", 7 * 30)
    assert cluster_bootstrap_means(sums, counts, resampling=Resampling(8, resamples=1_001)) == whole


@settings(deadline=None, max_examples=40)
@given(data=st.data())
def test_order_of_papers_and_company_of_columns_do_not_matter(data: st.DataObject) -> None:
    rows = data.draw(
        st.lists(
            st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(0, 3)),
            min_size=1,
            max_size=12,
        )
    )
    table = np.array([(min(a, n), min(b, n), n) for a, b, n in rows], dtype=float)
    order = data.draw(st.permutations(range(len(rows))))
    both = cluster_bootstrap_rates(
        table[:, :2], table[:, 2], resampling=Resampling(5, resamples=300)
    )
    shuffled = table[list(order)]
    assert (
        cluster_bootstrap_rates(
            shuffled[:, :2], shuffled[:, 2], resampling=Resampling(5, resamples=300)
        )
        == both
    )
    alone = cluster_bootstrap_rates(
        table[:, 1:2], table[:, 2:], resampling=Resampling(5, resamples=300)
    )
    assert alone == both[1:]
    for estimate in both:
        low, high = estimate.interval.low, estimate.interval.high
        if estimate.value is None:
            assert estimate.note
        if low is None or high is None:
            assert estimate.interval.note
        else:
            assert 0 <= low <= high <= 1


def test_same_seed_same_interval_other_seed_nearly_so() -> None:
    flips = clustered_flips(np.random.default_rng(6), 150, 1)[:, 0]
    counts = np.full(150, 4)
    first, again, other = (
        cluster_bootstrap_mean(flips, counts, resampling=Resampling(s)) for s in (1, 1, 2)
    )
    assert first == again
    assert bounds(first) != bounds(other)
    assert bounds(first) == pytest.approx(bounds(other), abs=0.004)


def test_coverage_under_clustering_where_wald_fails() -> None:
    # True rate .2, correlation within papers 1 / (1 + 1) = .5, design effect 1 + 3 * .5 = 2.5:
    # the naive interval is 1.58 times too short and covers 2 * Phi(1.96 / 1.58) - 1 = 79 %.
    flips = clustered_flips(np.random.default_rng(7), 60, 1_000)
    robust = cluster_bootstrap_rates(
        flips, np.full(60, 4), resampling=Resampling(1, resamples=1_000)
    )
    covered = sum(low <= 0.2 <= high for low, high in map(bounds, robust))
    naive = sum(
        (w.low or 0) <= 0.2 <= (w.high or 0)
        for w in (wald_interval(int(k), 240) for k in flips.sum(axis=0))
    )
    assert 0.935 <= covered / 1_000 <= 0.975
    assert naive / 1_000 <= 0.83


def test_exact_bound_where_no_paper_flips() -> None:
    # A constant reviewer: 0 of 600. With 150 papers 1 - .025^(1/150) = .02429.
    never, always = cluster_bootstrap_rates(
        np.array([[0.0, 4.0]] * 150), np.full(150, 4), resampling=Resampling(1, resamples=100)
    )
    assert never.value == 0
    assert bounds(never) == pytest.approx((0, 0.02429), abs=1e-5)
    assert bounds(always) == pytest.approx((1 - 0.02429, 1), abs=1e-5)
    assert never.interval.method == "clopper-pearson over papers"
    assert "the rate of every paper is 0 %" in never.interval.note
    assert "the rate of every paper is 100 %" in always.interval.note
    assert never.interval.n == 150


def test_coverage_of_rare_flips() -> None:
    # True rate .01, correlation within papers .3, 150 papers: some 4 have a flip. Percentiles alone
    # cover 90 %; the binomial at the effective size holds what it says.
    flips = clustered_flips(np.random.default_rng(1), 150, 1_000, a=0.07 / 3, b=6.93 / 3)
    counts = np.full(150, 4)
    robust = cluster_bootstrap_rates(flips, counts, resampling=Resampling(1, resamples=500))
    assert 0.93 <= np.mean([low <= 0.01 <= high for low, high in map(bounds, robust)]) <= 0.98
    plain = cluster_bootstrap_means(flips, counts, resampling=Resampling(1, resamples=500))
    covered = [(e.interval.low or 0) <= 0.01 <= (e.interval.high or 0) for e in plain]
    assert np.mean(covered) < 0.92
    methods = {e.interval.method for e in robust}
    assert {"korn-graubard", "clopper-pearson over papers"} <= methods


def test_korn_graubard_by_hand() -> None:
    # One pair a paper, 3 of 50: se^2 = p (1 - p) / 49, so the effective size is 49, x = 2.94.
    alone = korn_graubard_interval([1] * 3 + [0] * 47, [1] * 50)
    beta = reference.beta.ppf
    assert alone.value == 0.06
    assert bounds(alone) == pytest.approx((beta(0.025, 2.94, 47.06), beta(0.975, 3.94, 46.06)))
    # Papers of 4 that flip as one: again 49, times the squared ratio of t with 199 and 49 degrees.
    size = 49 * (reference.t.ppf(0.975, 199) / reference.t.ppf(0.975, 49)) ** 2
    x = 0.06 * size
    blocks = korn_graubard_interval([4] * 3 + [0] * 47, [4] * 50)
    assert bounds(blocks) == pytest.approx(
        (beta(0.025, x, size - x + 1), beta(0.975, x + 1, size - x))
    )


def test_korn_graubard_degenerate() -> None:
    assert korn_graubard_interval([], []).value is None
    assert korn_graubard_interval([1], [4]).interval.note == "fewer than two papers"
    for flips in ([0, 0], [4, 4], [2, 2]):
        assert korn_graubard_interval(flips, [4, 4]).interval.note == "no variation between papers"
    with pytest.raises(StatisticsError):
        korn_graubard_interval([5, 0], [4, 4])
    # Papers that alternate exactly are less noisy than chance; the size is still at most 200.
    even = korn_graubard_interval([2] * 49 + [1], [4] * 50)
    assert bounds(even) == pytest.approx(
        (reference.beta.ppf(0.025, 99, 102), reference.beta.ppf(0.975, 100, 101))
    )


def test_means_without_variation_have_no_interval() -> None:
    estimate = cluster_bootstrap_mean([0.6] * 30, [2] * 30, resampling=Resampling(1, resamples=200))
    assert estimate.value == pytest.approx(0.3)
    assert estimate.interval.low is None
    assert estimate.interval.note == "no variation between papers"


def test_too_few_papers() -> None:
    one = cluster_bootstrap_mean([3], [4], resampling=Resampling(1))
    assert (one.value, one.interval.low, one.interval.note) == (0.75, None, "fewer than two papers")
    none = cluster_bootstrap_mean([], [], resampling=Resampling(1))
    assert (none.value, none.n, none.note) == (None, 0, "no observation")
    all_failed = cluster_bootstrap_mean([0, 0], [0, 0], resampling=Resampling(1))
    assert (all_failed.value, all_failed.interval.low) == (None, None)
    only_one_valid = cluster_bootstrap_mean([3, 0, 0], [4, 0, 0], resampling=Resampling(1))
    assert (only_one_valid.value, only_one_valid.interval.n) == (0.75, 1)
    few = cluster_bootstrap_mean([1, 2, 3], [4, 4, 4], resampling=Resampling(1))
    assert "only 3 papers" in few.interval.note


def test_resamples_without_an_observation_are_counted() -> None:
    # Papers with a valid pair: 4 of 8; a resample misses all with chance (1/2)^8 = .4 %.
    estimate = cluster_bootstrap_mean(
        [1, 2, 3, 4, 0, 0, 0, 0], [4] * 4 + [0] * 4, resampling=Resampling(1)
    )
    assert "resamples" in estimate.interval.note
    assert estimate.interval.low is not None
    # 2 of 8: (3/4)^8 = 10 % are undefined, more than the two tails together.
    scarce = cluster_bootstrap_mean([1, 2] + [0] * 6, [4, 4] + [0] * 6, resampling=Resampling(1))
    assert (scarce.value, scarce.interval.low) == (0.375, None)
    assert "undefined in" in scarce.interval.note


@pytest.mark.parametrize(
    ("sums", "counts", "options"),
    [
        ([1, 2], [1], {}),
        ([1, 2], [1, -1], {}),
        ([1, 2], [1, 0.5], {}),
        ([1, 2], [1, 0], {}),
        ([1, np.nan], [1, 1], {}),
        ([1, np.inf], [1, 1], {}),
        ([1, None], [1, 1], {}),
        (["x", 1], [1, 1], {}),
        ([1, 2], [1, 1], {"resamples": 0}),
        ([1, 2], [1, 1], {"seed": -1}),
        ([1, 2], [1, 1], {"confidence": 1.0}),
    ],
)
def test_impossible_input_is_an_error(sums, counts, options) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(StatisticsError):
        cluster_bootstrap_mean(sums, counts, resampling=Resampling(**{"seed": 1, **options}))


def test_rates_refuse_more_successes_than_trials() -> None:
    with pytest.raises(StatisticsError):
        cluster_bootstrap_rates([[2.0], [0.0]], [1, 1], resampling=Resampling(1))
    with pytest.raises(StatisticsError):
        cluster_bootstrap_rates([[-1.0], [0.0]], [1, 1], resampling=Resampling(1))


def test_flip_rates_carry_failures_and_the_paper_interval() -> None:
    flips, valid, failed = (
        np.array(x)
        for x in (
            [[1, 0], [2, 0], [0, 0]],
            [[4, 2], [4, 0], [3, 1]],
            [[0, 2], [0, 4], [1, 3]],
        )
    )
    first, second = flip_rates(flips, valid, failed, resampling=Resampling(1, resamples=500))
    assert (first.flips, first.valid, first.failed) == (3, 11, 1)
    assert first.rate.value == 3 / 11
    assert (first.best_case, first.worst_case) == (3 / 12, 4 / 12)
    assert first.rate.interval.unit == "paper"
    assert (second.best_case, second.worst_case) == (0, 9 / 12)
    for wrong in ([[0, 0], [0, 0]], [[-1, 0]] * 3, [[0.5, 0]] * 3):
        with pytest.raises(StatisticsError):
            flip_rates(flips, valid, wrong, resampling=Resampling(1))


def test_flip_rates_of_an_agent_that_always_failed() -> None:
    (result,) = flip_rates([[0]] * 3, [[0]] * 3, [[4]] * 3, resampling=Resampling(1))
    assert (result.rate.value, result.best_case, result.worst_case) == (None, 0.0, 1.0)
    assert result.rate.note == "no valid pair"
    assert result.rate.interval.low is None


def test_difference_uses_the_same_papers_for_both() -> None:
    # Both agents flip on the same hard papers, the second once more on each tenth paper. Their
    # own intervals overlap; the difference over shared papers is clear.
    first = clustered_flips(np.random.default_rng(3), 100, 1, pairs=3)[:, 0]
    extra = np.arange(100) % 10 == 0
    counts = np.full(100, 4)
    result = cluster_bootstrap_difference(
        first + extra, counts, first, counts, resampling=Resampling(1)
    )
    one, other = (
        cluster_bootstrap_mean(s, counts, resampling=Resampling(1)) for s in (first + extra, first)
    )
    assert result.value == pytest.approx(10 / 400)
    assert bounds(one)[0] < bounds(other)[1]
    assert bounds(result)[0] > 0
    # With equal counts the difference is the mean of the differences.
    direct = cluster_bootstrap_mean(extra, counts, resampling=Resampling(1))
    assert bounds(result) == pytest.approx(bounds(direct), abs=0.004)
    same = cluster_bootstrap_difference(first, counts, first, counts, resampling=Resampling(1))
    assert (same.value, same.interval.low) == (0, None)
    none = cluster_bootstrap_difference([0, 0], [0, 0], [1, 1], [2, 2], resampling=Resampling(1))
    assert (none.value, none.note) == (None, "one of the two has no observation")


def test_any_statistic_of_sums() -> None:
    def mean(t: Array) -> Array:
        return t[:, 0] / t[:, 1]

    flips = clustered_flips(np.random.default_rng(9), 40, 1)[:, 0]
    table = np.column_stack([flips, np.full(40, 4)])
    general = cluster_bootstrap_statistic(table, mean, observations=160, resampling=Resampling(2))
    assert bounds(general) == bounds(
        cluster_bootstrap_mean(flips, np.full(40, 4), resampling=Resampling(2))
    )
    undefined = cluster_bootstrap_statistic(
        table,
        lambda t: np.full(len(t), np.nan),
        observations=160,
        resampling=Resampling(2),
        reason="because",
    )
    assert (undefined.value, undefined.note, undefined.interval.note) == (
        None,
        "because",
        "because",
    )
    empty = cluster_bootstrap_statistic([], mean, observations=0, resampling=Resampling(2))
    assert empty.value is None


def test_t_interval_is_the_cluster_robust_regression_of_statsmodels() -> None:
    random = np.random.default_rng(4)
    paper = np.repeat(np.arange(25), random.integers(1, 6, 25))
    shift = random.normal(size=25)[paper] + random.normal(size=len(paper))
    fit = OLS(shift, np.ones(len(shift))).fit(
        cov_type="cluster", cov_kwds={"groups": paper}, use_t=True
    )
    ours = cluster_t_interval(np.bincount(paper, shift), np.bincount(paper))
    assert ours.value == pytest.approx(fit.params[0])
    assert bounds(ours) == pytest.approx(tuple(fit.conf_int()[0]))
    bootstrapped = cluster_bootstrap_mean(
        np.bincount(paper, shift), np.bincount(paper), resampling=Resampling(1)
    )
    assert bounds(ours) == pytest.approx(bounds(bootstrapped), abs=0.15)


def test_t_interval_leaves_papers_without_observations_out() -> None:
    with_empty = cluster_t_interval([1, 2, 0, 3], [4, 4, 0, 4])
    assert with_empty == cluster_t_interval([1, 2, 3], [4, 4, 4])
    assert cluster_t_interval([0], [0]).value is None
    lone = cluster_t_interval([2, 0], [4, 0])
    assert (lone.value, lone.interval.low) == (0.5, None)


def test_mean_interval_agrees_with_scipy() -> None:
    shifts = [0, 1, 0, 0, 2, 1, 0, 3]
    expected = reference.t.interval(0.9, 7, np.mean(shifts), reference.sem(shifts))
    result = mean_interval(shifts, confidence=0.9)
    assert (result.value, result.n) == (0.875, 8)
    assert bounds(result) == pytest.approx(expected)
    assert result.interval.method == "t"


def test_mean_interval_degenerate() -> None:
    assert mean_interval([]).value is None
    assert mean_interval([2.0]).interval.note == "fewer than two pairs"
    constant = mean_interval([0.1] * 10)
    assert constant.value == pytest.approx(0.1)
    assert (constant.interval.low, constant.interval.note) == (None, "no variation between pairs")
    with pytest.raises(StatisticsError):
        mean_interval([1.0, float("nan")])


def test_the_whole_benchmark_takes_less_than_a_second() -> None:
    # 150 papers, 5 agents x (4 families + all) = 25 columns, 10,000 resamples.
    flips = clustered_flips(np.random.default_rng(1), 150, 25)
    pairs = np.full(150, 4)
    resampling = Resampling(1)
    assert cpu_seconds(lambda: cluster_bootstrap_rates(flips, pairs, resampling=resampling), 1) < 1
