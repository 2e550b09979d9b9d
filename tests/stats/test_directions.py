"""Directions over papers: against SciPy, by hand, and in simulations."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats as scipy_stats
from statsmodels.stats.proportion import confint_proportions_2indep

from revkit.errors import StatisticsError
from revkit.figures import Resampling
from revkit.stats import (
    cluster_bootstrap_rates,
    cluster_direction,
    cluster_mean_difference,
    cluster_rate_difference,
    cluster_sign_test,
    fisher_test,
    mean_direction,
    newcombe_interval,
)

Array = NDArray[np.float64]
QUICK = Resampling(3, resamples=400)


def test_signs_of_papers_are_the_binomial_test_where_all_sizes_are_one() -> None:
    test = cluster_sign_test([1] * 9 + [-1] * 3 + [0] * 40)
    assert test.p_value == pytest.approx(scipy_stats.binomtest(3, 12).pvalue)
    assert (test.clusters, test.informative) == (52, 12)


def test_signs_of_papers_against_a_list_of_all_patterns() -> None:
    d = [4, -1, 2, 0.5, 3, -2, 1]
    reached = [
        abs(sum(s * x for s, x in zip(signs, d, strict=True))) >= abs(sum(d)) - 1e-9
        for signs in itertools.product((-1, 1), repeat=len(d))
    ]
    assert cluster_sign_test(d).p_value == pytest.approx(sum(reached) / len(reached))
    theirs = scipy_stats.permutation_test(
        (np.array(d),), lambda x: x.sum(), permutation_type="samples", n_resamples=np.inf
    )
    assert cluster_sign_test(d).p_value == pytest.approx(theirs.pvalue)


def test_many_papers_use_obuchowskis_form() -> None:
    d = [1.0] * 14 + [-1.0] * 6 + [2.0] + [0.0] * 29
    statistic = 49 / 50 * 10**2 / (20 + 4)
    assert cluster_sign_test(d).p_value == pytest.approx(scipy_stats.chi2.sf(statistic, 1))


@pytest.mark.parametrize("informative", range(6))
def test_too_few_papers_have_no_p_value(informative: int) -> None:
    test = cluster_sign_test([1.0] * informative + [0.0] * 100)
    assert test.p_value is None
    assert "too few" in test.note


def test_one_flip_has_no_p_value() -> None:
    found = cluster_direction([1, 0, 0], [0, 0, 0], [1, 1, 0], [0, 0, 1], resampling=QUICK)
    assert found.test.p_value is None
    assert found.ratio.value is None
    assert found.ratio.interval.high is None


def test_rates_at_risk_are_those_of_papers() -> None:
    rng = np.random.default_rng(1)
    rejects = rng.integers(0, 2, 80) * 4
    accepts = 4 - rejects
    up, down = rng.binomial(rejects, 0.3), rng.binomial(accepts, 0.2)
    found = cluster_direction(up, down, rejects, accepts, resampling=QUICK)
    assert found.ratio.value == pytest.approx(up.sum() / down.sum())
    for estimate, part, whole in (
        (found.reject_rate, up, rejects),
        (found.accept_rate, down, accepts),
        (found.share, up, up + down),
    ):
        [expected] = cluster_bootstrap_rates(part[:, None], whole, resampling=QUICK)
        assert estimate.value == pytest.approx(expected.value)
        assert estimate.interval.low == pytest.approx(expected.interval.low)
    gap = cluster_rate_difference(up, rejects, down, accepts, resampling=QUICK)
    assert found.difference.value == pytest.approx(gap.value)
    assert found.change.value == pytest.approx((up.sum() - down.sum()) / 320)
    low, high = found.share.interval.low, found.share.interval.high
    assert low is not None
    assert high is not None
    assert found.ratio.interval.low == pytest.approx(low / (1 - low))
    assert found.ratio.interval.high == pytest.approx(high / (1 - high))


@settings(deadline=None, max_examples=25)
@given(data=st.data())
def test_order_of_papers_and_scale_of_repeats_do_not_matter(data: st.DataObject) -> None:
    papers = data.draw(
        st.lists(st.tuples(st.booleans(), st.integers(0, 4)), min_size=1, max_size=9)
    )
    table = np.array([(k * a, k * (not a), 4 * a, 4 * (not a)) for a, k in papers], dtype=float)
    first = cluster_direction(*table.T, resampling=QUICK)
    order = data.draw(st.permutations(range(len(papers))))
    assert cluster_direction(*table[list(order)].T, resampling=QUICK) == first
    mirrored = cluster_direction(*table[:, [1, 0, 3, 2]].T, resampling=QUICK)
    assert mirrored.test.p_value == first.test.p_value
    assert (mirrored.change.value or 0.0) == pytest.approx(-(first.change.value or 0.0))


def test_flips_beyond_what_is_at_risk_are_refused() -> None:
    with pytest.raises(StatisticsError):
        cluster_direction([2], [0], [1], [1], resampling=QUICK)
    with pytest.raises(StatisticsError):
        mean_direction([[1]], [[0, 1]], [[1]], [[0, 1]], resampling=QUICK)


def test_one_agent_of_five_does_not_decide_the_mean() -> None:
    # Four agents flip 13 papers each way; one flips 26 up and none down.
    papers = 150
    up, down = np.zeros((papers, 5)), np.zeros((papers, 5))
    for agent in range(4):
        up[agent * 13 : agent * 13 + 13, agent] = 1
        down[75 + agent * 13 : 75 + agent * 13 + 13, agent] = 1
    up[:26, 4] = 1
    half = (np.arange(papers) < 75)[:, None] * np.ones((1, 5))
    found = mean_direction(up, down, half, 1 - half, resampling=QUICK)
    logs = [0.0] * 4 + [math.log(26.5 / 0.5)]
    assert found.ratio.value == pytest.approx(math.exp(sum(logs) / 5))
    assert found.ratio.interval.high is None  # one agent has no upper bound
    assert found.ratio.interval.low is not None
    assert found.change.value == pytest.approx(26 / 150 / 5)
    assert found.flipping == 5


def test_of_one_agent_the_mean_is_its_own_figure() -> None:
    rng = np.random.default_rng(2)
    rejects = rng.integers(0, 2, 60)[:, None] * 3.0
    up, down = rng.binomial(3, 0.3, (60, 1)) * (rejects > 0), rng.binomial(3, 0.2, (60, 1))
    down = down * (rejects == 0)
    single = cluster_direction(
        up[:, 0], down[:, 0], rejects[:, 0], 3 - rejects[:, 0], resampling=QUICK
    )
    mean = mean_direction(up, down, rejects, 3 - rejects, resampling=QUICK)
    assert mean.ratio == single.ratio
    assert mean.difference == single.difference


def test_agents_without_a_flip_are_left_out_of_the_ratio() -> None:
    up = np.array([[1.0, 0.0]] * 12 + [[0.0, 0.0]] * 18)
    down = np.array([[0.0, 0.0]] * 18 + [[1.0, 0.0]] * 12)
    rejects = np.array([[1.0, 1.0]] * 15 + [[0.0, 0.0]] * 15)
    found = mean_direction(up, down, rejects, 1 - rejects, resampling=QUICK)
    assert (found.flipping, found.ratio.value) == (1, pytest.approx(1.0))


def clustered(rng: np.random.Generator, papers: int, agents: int) -> tuple[Array, ...]:
    """15 % of the papers flip under all four families for all agents, each paper one way."""
    flips = (rng.random((papers, 1)) < 0.15) * np.full((papers, agents), 4.0)
    accepted = (rng.random((papers, 1)) < 0.5) * np.ones((papers, agents))
    return flips * (1 - accepted), flips * accepted, 4 * (1 - accepted), 4 * accepted


@pytest.mark.parametrize("agents", [1, 3])
def test_intervals_cover_and_the_test_holds_its_level(agents: int) -> None:
    # Flips as units cover 70 % here and reject in 28-49 %.
    rng = np.random.default_rng(4)
    covered, rejected, runs = 0, 0, 60 if agents > 1 else 120
    for seed in range(runs):
        tables = clustered(rng, 150, agents)
        level = Resampling(seed, resamples=300)
        ratio = mean_direction(*tables, resampling=level).ratio.interval
        covered += (ratio.low or 0.0) <= 1 <= (math.inf if ratio.high is None else ratio.high)
        p = cluster_sign_test((tables[0] - tables[1]).sum(axis=1)).p_value
        rejected += p is not None and p < 0.05
    assert covered / runs >= 0.90  # a standard error of two to three points
    assert rejected / runs <= 0.11


def test_mean_difference_of_one_agent_is_the_difference() -> None:
    rng = np.random.default_rng(8)
    counts = np.full((40, 1), 4.0)
    one, two = rng.binomial(4, 0.3, (40, 1)), rng.binomial(4, 0.2, (40, 1))
    mean = cluster_mean_difference(one, counts, two, counts, resampling=QUICK)
    assert mean == cluster_rate_difference(
        one[:, 0], counts[:, 0], two[:, 0], counts[:, 0], resampling=QUICK
    )


@pytest.mark.parametrize("counts", [(15, 75, 6, 75), (26, 75, 0, 75), (3, 4, 1, 9)])
def test_newcombe_and_fisher(counts: tuple[int, int, int, int]) -> None:
    a, m, b, n = counts
    gap = confint_proportions_2indep(a, m, b, n, method="newcomb", compare="diff")
    found = newcombe_interval(a, m, b, n)
    assert (found.low, found.high) == pytest.approx(gap)
    theirs = scipy_stats.fisher_exact([[a, m - a], [b, n - b]]).pvalue
    assert fisher_test(a, m, b, n) == pytest.approx(theirs)


def test_an_empty_group_has_no_bounds() -> None:
    assert newcombe_interval(0, 0, 1, 2).low is None
    assert fisher_test(0, 0, 1, 2) == 1.0
