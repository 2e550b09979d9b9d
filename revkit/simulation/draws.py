"""One simulated experiment: counts for each paper and agent, in the form that metrics compute."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from revkit.dataclass import dataclass
from revkit.simulation.design import Design, slip_of
from revkit.stats.values import FloatArray

GRID = 4096  # equally likely chances that replace a beta distribution
LARGEST_STEP = 3  # points that a score moves with a verdict, at most
SCALE = 9.0  # the range of the scale on which scores move


@dataclass(frozen=True)
class Counts:
    """Sums over the valid pairs of each paper; every array has the shape (papers, agents).

    ``noise`` sums the disagreement within the two sides of a pair, ``within`` half of that of the
    paper alone; ``size`` and ``shift`` sum what scores move. All are 0 where there is no pair.
    """

    pairs: FloatArray
    up: FloatArray
    down: FloatArray
    rejects: FloatArray
    noise: FloatArray
    within: FloatArray
    size: FloatArray
    shift: FloatArray
    failed: FloatArray

    @property
    def flips(self) -> FloatArray:
        """Flips in both directions."""
        return self.up + self.down

    @property
    def accepts(self) -> FloatArray:
        """The number of accepted texts in the valid pairs."""
        return self.pairs - self.rejects


def draw(design: Design, rng: np.random.Generator) -> Counts:
    """Simulate one experiment."""
    papers, families, agents = design.papers, design.families, design.agents
    shape = (papers, agents, families)
    shared = rng.random((papers, agents)) < design.agreement
    settled = np.where(shared, rng.random((papers, 1)), rng.random((papers, agents)))
    place = np.where(
        shared, rng.integers(0, GRID, (papers, 1)), rng.integers(0, GRID, (papers, agents))
    )
    accepted = settled < design.accepts
    chance = np.empty((papers, agents))
    for agent in range(agents):
        of_rejects, of_accepts = (
            beta_grid(rate, design.clustering)[place[:, agent]] for rate in design.turn_rates(agent)
        )
        chance[:, agent] = np.where(accepted[:, agent], of_accepts, of_rejects)
    turned = rng.random(shape) < chance[:, :, None]
    before = _share(accepted, design, rng)
    after = _share(accepted[:, :, None] ^ turned, design, rng)
    valid = ~(rng.random((papers, agents)) < design.failures)[:, :, None]
    valid = valid & ~(rng.random(shape) < design.failures)
    return _counted(design, before, after, valid, rng)


def _counted(
    design: Design,
    before: FloatArray,
    after: FloatArray,
    valid: np.ndarray[tuple[int, ...], np.dtype[np.bool_]],
    rng: np.random.Generator,
) -> Counts:
    first = before[:, :, None]
    up, down = (1 - first) * after, first * (1 - after)
    step = rng.integers(1, LARGEST_STEP + 1, valid.shape)
    within = _within(before, design.repeats)

    def total(values: FloatArray) -> FloatArray:
        return np.asarray(np.where(valid, values, 0.0).sum(axis=2))

    noise = (within[:, :, None] + _within(after, design.repeats)) / 2
    return Counts(
        valid.sum(axis=2).astype(float),
        total(up),
        total(down),
        total(np.broadcast_to(1 - first, valid.shape)),
        total(noise),
        total(np.broadcast_to(within[:, :, None] / 2, valid.shape)),
        total(step * (up + down)),
        total(step * (up - down)),
        (~valid).sum(axis=2).astype(float),
    )


def _share(
    settled: np.ndarray[tuple[int, ...], np.dtype[np.bool_]],
    design: Design,
    rng: np.random.Generator,
) -> FloatArray:
    """Return the share of the repeats that accept."""
    if not design.noise:
        return settled.astype(float)
    e = slip_of(design.noise)
    return rng.binomial(design.repeats, np.where(settled, 1 - e, e)) / design.repeats


def _within(share: FloatArray, repeats: int) -> FloatArray:
    """Return an unbiased estimate of the probability that two repeats disagree; 0 with a single
    one.
    """
    if repeats < 2:
        return np.zeros_like(share)
    return np.asarray(2 * share * (1 - share) * repeats / (repeats - 1))


@lru_cache(maxsize=64)
def beta_grid(mean: float, clustering: float) -> FloatArray:
    """Return equally likely probabilities, in increasing order, that follow a beta distribution.

    Its mean is ``mean`` to within rounding, and the correlation of two draws with one chance is
    nearly ``clustering`` = 1 / (a + b + 1). The result is a vector of probabilities.
    """
    from scipy.special import betaincinv

    if clustering == 0 or mean in (0.0, 1.0):
        return np.full(GRID, mean)
    size = (1 - clustering) / clustering
    middle = (np.arange(GRID) + 0.5) / GRID
    found = np.asarray(betaincinv(mean * size, (1 - mean) * size, middle))
    # The middles of the parts miss a little of the mean.
    small = float(found.mean())
    if small >= mean:
        return found * (mean / small)
    return 1 - (1 - found) * ((1 - mean) / (1 - small))
