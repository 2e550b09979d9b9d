"""Simulated experiments: the truth that they state is the mean of what they draw."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from revkit.errors import StatisticsError
from revkit.simulation import Design, behaviour, draw, truth_of
from revkit.simulation.draws import beta_grid

NOISY = Design(
    papers=6000,
    families=3,
    rates=(0.1, 0.3),
    repeats=3,
    clustering=0.4,
    accepts=0.3,
    upward=0.8,
    noise=0.2,
    failures=0.1,
)


@pytest.mark.parametrize("design", [NOISY, replace(NOISY, noise=0.0, upward=None)])
def test_the_truth_is_the_mean_of_what_is_drawn(design: Design) -> None:
    counts = draw(design, np.random.default_rng(1))
    for agent in range(2):
        truth = truth_of(design, agent)
        pairs = counts.pairs[:, agent].sum()

        def mean(values: np.ndarray, pairs: float = pairs, agent: int = agent) -> float:  # type: ignore[type-arg]
            return float(values[:, agent].sum() / pairs)

        assert mean(counts.up) == pytest.approx(truth.up, abs=0.012)
        assert mean(counts.down) == pytest.approx(truth.down, abs=0.012)
        assert mean(counts.rejects) == pytest.approx(truth.rejects, abs=0.02)
        assert mean(counts.noise) == pytest.approx(truth.noise, abs=0.01)
        assert mean(counts.flips - counts.noise) == pytest.approx(truth.excess, abs=0.02)
        assert mean(counts.shift) == pytest.approx(2 * truth.change, abs=0.04)
        assert mean(counts.failed) == pytest.approx(0.19 / 0.81, abs=0.02)


def test_noise_by_hand() -> None:
    # e = 0.1: two reviews disagree with chance 0.18; a turned pair agrees as often.
    truth = truth_of(Design(rates=(0.5,), noise=0.18), 0)
    assert truth.flip == pytest.approx(0.5 * 0.18 + 0.5 * 0.82)
    assert truth.excess == pytest.approx(0.5 * 0.64)
    assert (truth.change, truth.share) == pytest.approx((0.0, 0.5))


@pytest.mark.parametrize("mean", [0.005, 0.05, 0.5, 0.97])
@pytest.mark.parametrize("clustering", [0.0, 0.3, 0.7])
def test_chances_have_the_mean_and_the_correlation(mean: float, clustering: float) -> None:
    chances = beta_grid(mean, clustering)
    assert chances.mean() == pytest.approx(mean)
    assert ((chances >= 0) & (chances <= 1)).all()
    assert chances.var() / (mean * (1 - mean)) == pytest.approx(clustering, abs=0.02)


def test_repeats_of_a_steady_agent_change_nothing() -> None:
    one, ten = (
        behaviour(Design(papers=30, repeats=k), runs=10, parts=("rates", "directions"))
        for k in (1, 10)
    )
    assert one.intervals == ten.intervals
    assert one.tests == ten.tests


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"papers": 0}, "papers must be at least 1"),
        ({"rates": ()}, "an entry for each agent"),
        ({"rates": (1.2,)}, r"rates must lie within \[0, 1\]"),
        ({"noise": 0.6}, r"noise must lie within \[0, 0.5\]"),
        ({"clustering": 1.0}, "from 0 to below 1"),
        ({"rates": (0.9,), "upward": 1.0}, "only 0.5 of the papers are rejected"),
    ],
)
def test_impossible_designs_are_refused(change: dict[str, object], message: str) -> None:
    with pytest.raises(StatisticsError, match=message):
        replace(Design(), **change)  # type: ignore[arg-type]
