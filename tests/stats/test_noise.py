"""Excess over noise and net rates: by hand, by enumeration and in simulations."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from revkit.figures import Resampling
from revkit.stats import cluster_excess, cluster_net_risk, distance_within, repeated_distance


def test_distances_by_hand() -> None:
    found = repeated_distance([1, 0, 1], [1, 1])
    # Of 6 comparisons 2 differ; 2 of the 3 pairs of the paper's reviews differ, none of the other.
    assert found.across == pytest.approx(2 / 6)
    assert found.noise == pytest.approx((2 / 3 + 0) / 2)
    assert found.excess == pytest.approx(0.0)
    assert found.change == pytest.approx(1 / 3)


@given(st.lists(st.floats(0, 10), min_size=2, max_size=7))
def test_distance_within_is_the_mean_over_pairs(values: list[float]) -> None:
    gaps = [abs(a - b) for a, b in itertools.combinations(values, 2)]
    assert distance_within(values) == pytest.approx(sum(gaps) / len(gaps), abs=1e-9)


@pytest.mark.parametrize(("p", "q"), [(0.5, 0.5), (0.5, 1.0), (0.4, 0.0), (0.1, 0.3)])
@pytest.mark.parametrize(("k", "m"), [(2, 2), (3, 2)])
def test_the_excess_is_unbiased(p: float, q: float, k: int, m: int) -> None:
    # Every outcome of k and m reviews with its chance.
    mean = change = 0.0
    for x in itertools.product((0, 1), repeat=k):
        for y in itertools.product((0, 1), repeat=m):
            chance = np.prod([p if v else 1 - p for v in x] + [q if v else 1 - q for v in y])
            found = repeated_distance(x, y)
            assert found.excess is not None
            assert found.change is not None
            mean += float(chance) * found.excess
            change += float(chance) * found.change
    assert mean == pytest.approx((p - q) ** 2)
    assert change == pytest.approx(q - p)


@given(st.lists(st.integers(0, 1), min_size=1, max_size=2), st.integers(1, 5))
def test_a_reviewer_that_repeats_itself_has_no_noise(verdict: list[int], times: int) -> None:
    once = repeated_distance(verdict[:1], verdict[-1:])
    often = repeated_distance(verdict[:1] * times, verdict[-1:] * times)
    assert (often.across, often.change) == (once.across, once.change)
    assert often.noise in (None, 0.0)


def test_too_few_values_have_no_noise() -> None:
    assert repeated_distance([1], [0, 1]).noise is None
    assert repeated_distance([], [0, 1]).across is None
    assert distance_within([3.0]) is None


Tables = tuple[np.ndarray, ...]


def reviewed(
    rng: np.random.Generator, papers: int, p: float, q: float, k: int = 2, families: int = 3
) -> dict[str, np.ndarray]:
    """Sums over the pairs of each paper, for an agent that accepts with chance p, then q."""
    before = rng.binomial(k, p, papers) / k
    after = rng.binomial(k, q, (papers, families)) / k
    inside = 2 * before * (1 - before) * k / (k - 1)
    other = 2 * after * (1 - after) * k / (k - 1)
    up, down = (1 - before)[:, None] * after, before[:, None] * (1 - after)
    return {
        "up": up.sum(axis=1),
        "down": down.sum(axis=1),
        "across": (up + down).sum(axis=1),
        "noise": ((inside[:, None] + other) / 2).sum(axis=1),
        "half": inside / 2 * families,
        "rejects": (1 - before) * families,
        "accepts": before * families,
        "pairs": np.full(papers, float(families)),
    }


@pytest.mark.parametrize(
    ("p", "q", "excess", "reject", "accept"),
    [
        (0.1, 0.1, 0.0, 0.0, 0.0),  # no effect: at risk, 10 % and 90 % flip without any change
        (0.5, 1.0, 0.25, 0.5, -0.5),  # a coin that is turned into "always accept"
        (0.4, 0.0, 0.16, -0.4, 0.4),
    ],
)
def test_planted_noise_is_removed(
    p: float, q: float, excess: float, reject: float, accept: float
) -> None:
    found = reviewed(np.random.default_rng(3), 5_000, p, q)
    level = Resampling(1, resamples=200)
    net = cluster_excess(found["across"], found["noise"], found["pairs"], resampling=level)
    assert net.value == pytest.approx(excess, abs=0.02)
    names = ("up", "down", "half", "rejects", "accepts")
    risk = cluster_net_risk(*(found[name] for name in names), resampling=level)
    assert risk.reject_rate.value == pytest.approx(reject, abs=0.02)
    assert risk.accept_rate.value == pytest.approx(accept, abs=0.02)
    assert risk.difference.value == pytest.approx(reject - accept, abs=0.03)
    assert found["up"].sum() / found["rejects"].sum() == pytest.approx(q, abs=0.02)


@pytest.mark.parametrize(("p", "q"), [(0.5, 0.5), (0.5, 1.0), (0.0, 0.02)])
def test_the_interval_covers_the_excess(p: float, q: float) -> None:
    rng = np.random.default_rng(9)
    covered, runs = 0, 120
    for seed in range(runs):
        found = reviewed(rng, 100, p, q)
        net = cluster_excess(
            found["across"],
            found["noise"],
            found["pairs"],
            resampling=Resampling(seed, resamples=300),
        ).interval
        assert net.low is not None
        assert net.high is not None
        covered += net.low <= (p - q) ** 2 <= net.high
    assert covered / runs >= 0.90


@pytest.mark.parametrize("repeats", [2, 3])
@pytest.mark.parametrize(("papers", "families"), [(16, 1), (16, 4), (48, 1)])
def test_without_an_effect_no_net_rate_is_impossible_or_too_sure(
    papers: int, families: int, repeats: int
) -> None:
    """Few papers, one pair of each: Hall's interval alone covers 0 in 80 to 91 % of the runs, and
    up to 18 % of its intervals lie below 0, where (p - q)^2 cannot be."""
    rng, runs, covered, below = np.random.default_rng(5), 400, 0, 0
    for seed in range(runs):
        p = rng.beta(0.5, 0.5, papers)
        before = rng.binomial(repeats, p)
        after = rng.binomial(repeats, np.repeat(p[:, None], families, 1))
        x, y = (before / repeats)[:, None], after / repeats
        own, other = (2 * c * (repeats - c) / (repeats * (repeats - 1)) for c in (before, after))
        net = cluster_excess(
            (x * (1 - y) + y * (1 - x)).sum(1),
            ((own[:, None] + other) / 2).sum(1),
            np.full(papers, float(families)),
            resampling=Resampling(seed, resamples=100),
        )
        low, high = net.interval.low, net.interval.high
        assert low is not None
        assert high is not None
        assert 0 <= low <= high
        assert net.value is not None
        assert high > max(0.0, net.value)
        covered += low == 0
        below += net.value < 0
    assert below > runs / 4  # the estimate stays unbiased
    assert covered / runs >= 0.95


def test_scores_are_distances_too() -> None:
    # Shifted by 2 without noise: the excess is the shift; with noise alone it is 0 on average.
    assert repeated_distance([3, 3], [5, 5]).excess == 2
    rng = np.random.default_rng(1)
    found = [
        repeated_distance([*rng.normal(size=2)], [*rng.normal(size=2)]).excess for _ in range(4000)
    ]
    assert np.mean([x for x in found if x is not None]) == pytest.approx(0.0, abs=0.05)
