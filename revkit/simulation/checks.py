"""Measure which intervals of simulated experiments contain the truth, and how often tests
reject.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping

import numpy as np

from revkit import stats
from revkit.dataclass import dataclass
from revkit.model.resampling import Resampling
from revkit.simulation.design import Design, Truth, truth_of
from revkit.simulation.draws import LARGEST_STEP, SCALE, Counts, draw
from revkit.stats.values import Estimate, Interval

LEVEL = 0.05
MEAN_STEP = (1 + LARGEST_STEP) / 2


@dataclass(frozen=True)
class Covered:
    """The behaviour of an interval: ``runs`` that have one and, of these, the share that contains
    the truth (``held``), the shares that are too short (``warned``) and ``conservative`` by the
    rules, and the mean ``width`` of those with two ends.

    ``conservative_width`` and ``sharp_width`` are the mean widths of the conservative intervals and
    of the sharper ones beside them, over those of which both have two ends; ``sharp_held`` is the
    share of all runs in which the sharper interval, or the only one, contains the truth.
    """

    figure: str
    runs: int
    held: float | None
    warned: float
    width: float | None
    truth: float
    conservative: float = 0.0
    conservative_width: float | None = None
    sharp_width: float | None = None
    sharp_held: float | None = None

    @property
    def is_warned(self) -> bool:
        """Whether most of the intervals that are not named conservative are too short by the
        rules.
        """
        return self.warned > 0 and self.warned >= (1 - self.conservative) / 2


@dataclass(frozen=True)
class Rejected:
    """The behaviour of a test: the share of all ``runs`` with p below 5 %, and the share
    without p.
    """

    test: str
    runs: int
    rejected: float
    without: float


@dataclass(frozen=True)
class Behaviour:
    """The behaviour of a design's statistics over simulated experiments."""

    design: Design
    runs: int
    intervals: tuple[Covered, ...]
    tests: tuple[Rejected, ...]

    def interval(self, figure: str) -> Covered:
        """Return the interval of ``figure``. Raises `KeyError`."""
        return {each.figure: each for each in self.intervals}[figure]

    def test(self, name: str) -> Rejected:
        """Return the test ``name``. Raises `KeyError`."""
        return {each.test: each for each in self.tests}[name]


@dataclass(frozen=True)
class _World:
    design: Design
    counts: Counts
    truths: tuple[Truth, ...]
    resampling: Resampling


Estimates = Iterator[tuple[str, Interval, float]]
PValues = Iterator[tuple[str, float | None]]
Part = Callable[["_World"], Estimates]


def _rates(world: _World) -> Estimates:
    c = world.counts
    truth = world.truths[0].flip
    (one,) = stats.cluster_bootstrap_rates(
        c.flips[:, :1], c.pairs[:, :1], resampling=world.resampling
    )
    yield "flip rate", one.interval, truth
    if world.design.agents > 1:
        mean = stats.cluster_mean_rate(c.flips, c.pairs, resampling=world.resampling)
        yield "flip rate, mean over agents", mean.interval, _mean(world, lambda t: t.flip)
        middle = stats.cluster_median_rate(c.flips, c.pairs, resampling=world.resampling)
        yield (
            "flip rate, median over agents",
            middle.interval,
            float(np.median([t.flip for t in world.truths])),
        )
        gap = _agents_gap(world)
        yield "difference of two agents", gap.interval, truth - world.truths[1].flip


def _agents_gap(world: _World) -> Estimate:
    c = world.counts
    both = (c.pairs[:, 0] > 0) & (c.pairs[:, 1] > 0)
    k, n = (np.where(both[:, None], part[:, :2], 0.0) for part in (c.flips, c.pairs))
    return stats.cluster_rate_difference(
        k[:, 0], n[:, 0], k[:, 1], n[:, 1], resampling=world.resampling
    )


def _missing(world: _World) -> Estimates:
    if not world.design.failures:
        return
    c = world.counts
    for name, agents in (("", 1), (", mean over agents", world.design.agents)):
        found = stats.cluster_missing_bounds(
            c.flips[:, :agents],
            c.failed[:, :agents],
            (c.pairs + c.failed)[:, :agents],
            resampling=world.resampling,
        )
        truth = float(np.mean([t.flip for t in world.truths[:agents]]))
        yield f"flip rate with failures{name}", found.interval, truth
        if world.design.agents == 1:
            return


def _excess(world: _World) -> Estimates:
    if world.design.repeats < 2:
        return
    c = world.counts
    for name, agents in (("", 1), (", mean over agents", world.design.agents)):
        found = stats.cluster_excess(
            c.flips[:, :agents],
            c.noise[:, :agents],
            c.pairs[:, :agents],
            resampling=world.resampling,
        )
        truth = float(np.mean([t.excess for t in world.truths[:agents]]))
        yield f"net rate{name}", found.interval, truth
        if world.design.agents == 1:
            return


def _directions(world: _World) -> Estimates:
    c, truth = world.counts, world.truths[0]
    found = stats.cluster_direction(
        c.up[:, 0], c.down[:, 0], c.rejects[:, 0], c.accepts[:, 0], resampling=world.resampling
    )
    gap = truth.reject_rate - truth.accept_rate
    yield "share of flips to accept", found.share.interval, truth.share
    yield "rejects flipped", found.reject_rate.interval, truth.reject_rate
    yield "rejects - accepts", found.difference.interval, gap
    yield "change of acceptance", found.change.interval, truth.change
    if world.design.agents == 1:
        return
    several = stats.mean_direction(c.up, c.down, c.rejects, c.accepts, resampling=world.resampling)
    if several.flipping == world.design.agents:
        ratio = math.exp(_mean(world, lambda t: math.log(t.up / t.down) if t.down else math.inf))
        yield "ratio, mean over agents", several.ratio.interval, ratio
    gap = _mean(world, lambda t: t.reject_rate - t.accept_rate)
    yield "rejects - accepts, mean over agents", several.difference.interval, gap
    change = _mean(world, lambda t: t.change)
    yield "change of acceptance, mean over agents", several.change.interval, change


def _shifts(world: _World) -> Estimates:
    c = world.counts
    for name, agents in (("", 1), (", mean over agents", world.design.agents)):
        n = c.pairs[:, :agents]
        size = stats.cluster_mean_size(c.size[:, :agents], n, SCALE, resampling=world.resampling)
        shift = stats.cluster_mean_shift(c.shift[:, :agents], n, SCALE, resampling=world.resampling)
        truths = world.truths[:agents]
        flip = float(np.mean([t.flip for t in truths]))
        yield f"size of shifts{name}", size.interval, MEAN_STEP * flip
        change = float(np.mean([t.change for t in truths]))
        yield f"signed shift{name}", shift.interval, MEAN_STEP * change
        if world.design.agents == 1:
            return


def _mean(world: _World, value: Callable[[Truth], float]) -> float:
    return float(np.mean([value(truth) for truth in world.truths]))


def _tests(world: _World) -> PValues:
    c = world.counts
    yield "direction", stats.cluster_sign_test(c.up[:, 0] - c.down[:, 0]).p_value
    if world.design.agents == 1:
        return
    each = c.pairs.sum(axis=0)
    weights = np.where(each > 0, each, 1.0)
    together = ((c.up - c.down) / weights).sum(axis=1).round(15)
    yield "direction, over agents", stats.cluster_sign_test(together).p_value
    both = (c.pairs[:, 0] > 0) & (c.pairs[:, 1] > 0)
    test = stats.cluster_difference_test((c.flips[:, 0] - c.flips[:, 1])[both])
    enough = test.informative >= stats.MIN_INFORMATIVE
    yield "difference of two agents", test.p_value if enough else None


PARTS: Mapping[str, Part] = {
    "rates": _rates,
    "missing": _missing,
    "excess": _excess,
    "directions": _directions,
    "shifts": _shifts,
}


def behaviour(
    design: Design,
    *,
    runs: int = 1000,
    seed: int = 0,
    parts: tuple[str, ...] = tuple(PARTS),
    resamples: int = 1000,
) -> Behaviour:
    """Simulate ``runs`` experiments of ``design`` and count the results of their statistics.

    ``parts`` names the groups of figures (keys of ``PARTS``). An interval without one of its ends
    is open there. A test without a p-value does not reject.
    """
    rng = np.random.default_rng(seed)
    truths = tuple(truth_of(design, agent) for agent in range(design.agents))
    found: dict[str, _Tally] = {}
    tests: dict[str, list[float | None]] = {}
    for run in range(runs):
        # One set of resamples for all runs would give all of them the same error of its quantiles.
        world = _World(design, draw(design, rng), truths, Resampling(seed + run, resamples))
        for part in parts:
            for name, interval, truth in PARTS[part](world):
                found.setdefault(name, _Tally(truth)).add(interval)
        for name, p in _tests(world):
            tests.setdefault(name, []).append(p)
    return Behaviour(
        design,
        runs,
        tuple(tally.covered(name) for name, tally in found.items()),
        tuple(_rejected(name, values) for name, values in tests.items()),
    )


def _rejected(name: str, values: list[float | None]) -> Rejected:
    runs = len(values)
    below = sum(p is not None and p < LEVEL for p in values)
    return Rejected(name, runs, below / runs, values.count(None) / runs)


class _Tally:
    def __init__(self, truth: float) -> None:
        self.truth = truth
        self.runs = self.held = self.sharp_held = self.warned = self.conservative = 0
        self.widths: list[float] = []
        self.pairs: list[tuple[float, float]] = []

    def add(self, interval: Interval) -> None:
        ends = interval.low, interval.high
        if ends == (None, None):
            return
        sharp = interval.sharp or ends
        self.runs += 1
        self.warned += interval.short
        self.held += self._holds(*ends)
        self.sharp_held += self._holds(*sharp)
        self.conservative += interval.conservative
        width, shorter = _width(*ends), _width(*sharp)
        if width is not None:
            self.widths.append(width)
            if interval.conservative and shorter is not None:
                self.pairs.append((width, shorter))

    def _holds(self, low: float | None, high: float | None) -> bool:
        above = low is None or low <= self.truth + 1e-12
        return above and (high is None or self.truth <= high + 1e-12)

    def covered(self, figure: str) -> Covered:
        if not self.runs:
            return Covered(figure, 0, None, 0.0, None, self.truth)
        wide, sharp = np.mean(self.pairs, axis=0).tolist() if self.pairs else (None, None)
        return Covered(
            figure,
            self.runs,
            self.held / self.runs,
            self.warned / self.runs,
            float(np.mean(self.widths)) if self.widths else None,
            self.truth,
            self.conservative / self.runs,
            wide,
            sharp,
            self.sharp_held / self.runs,
        )


def _width(low: float | None, high: float | None) -> float | None:
    return None if low is None or high is None else high - low
