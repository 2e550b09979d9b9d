"""Simulate months of reviewing by agents that drift and change, under several recalibration
policies.

Each day an agent's raw scores differ a little from those of the run: its own random walk, and from
one day on the scores of the agent that has its new prompt. A policy scores anchors, fits
maps and judges the day's reviews with them, in that order. Replications share their items and
walks between policies, so that differences between policies are not those between draws.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import field
from typing import TYPE_CHECKING

import numpy as np

from revkit.dataclass import dataclass
from revkit.stats.cusum import cusum_step
from revkit.stats.disagreement import item_disagreement
from revkit_asc.metrics.drift_policies import Policy
from revkit_asc.metrics.drift_world import Version, World, mapped

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from revkit.stats.values import FloatArray

FIGURES = ("d", "mae", "r_mean", "spread", "slope")
# An agent that answers the same every time still moves by rounding; less than this many calibrated
# points an anchor is not worth an alarm.
LEAST_SD = 1.0
MOST_ITEMS = 500
# The reference is the mean of two calls and today's score one: 3/2 of the variance of a call, where
# the difference of the two calls has 2.
REFERENCE = float(np.sqrt(3.0) / 2.0)


@dataclass(frozen=True)
class Course:
    """The course of one policy, with one entry for each replication.

    ``figures`` has shape (replications, days, figures), ``calls`` counts scored anchors after day
    0. ``delays`` holds, for each changed agent in each replication, the days until its map rested
    on anchors scored after the change alone; None where that did not happen. ``alarms`` counts the
    chart's other alarms; None without a chart.
    """

    policy: Policy
    figures: FloatArray
    calls: NDArray[np.int64]
    delays: tuple[float | None, ...]
    alarms: NDArray[np.int64] | None


@dataclass
class _Agent:
    """An agent within one replication: its random walk, its current map, and its number of
    calls.
    """

    old: Version
    new: Version | None
    change: int
    walk: FloatArray
    # From which day on a map holds: its table, and the walk at which its anchors were scored.
    maps: list[tuple[int, FloatArray, float]] = field(default_factory=list)
    calls: int = 0
    mended: int | None = None
    alarms: list[int] = field(default_factory=list)

    def version(self, day: int) -> Version:
        return self.new if self.new is not None and day >= self.change else self.old

    def refit(self, day: int, rng: np.random.Generator, *, twice: bool = False) -> FloatArray:
        """Score all anchors on ``day`` (calls on day 0 are not counted), fit a map on one call, and
        return the map.

        A second call serves the chart only: a map that is fitted on means of two calls would be too
        steep for reviews, which are single ones.
        """
        version = self.version(day)
        table = version.maps[int(rng.integers(len(version.maps)))]
        self.maps.append((day, table, float(self.walk[day])))
        if day:
            self.calls += len(version.calls) * (2 if twice else 1)
            self.mend(day)
        return table

    def mend(self, day: int) -> None:
        if self.new is not None and day >= self.change and self.mended is None:
            self.mended = day


def simulate(
    world: World,
    policies: Sequence[Policy],
    *,
    days: int,
    change: int,
    wander: float,
    replications: int,
    seed: int,
) -> tuple[Course, ...]:
    """Simulate every policy over days 1 .. ``days``; agents change at the start of day ``change``.

    ``wander`` is the standard deviation of one day's step of each agent's random walk, in points of
    the consensus; an agent that uses half of the scale moves half as far on it.
    """
    found: list[Course] = []
    for policy in policies:
        figures, calls, delays, alarms = [], [], [], []
        for replication in range(replications):
            common = np.random.default_rng([seed, replication, 0])
            items = common.integers(0, len(world.consensus), min(len(world.consensus), MOST_ITEMS))
            scale = np.array([version.stretch for version in world.agents])[:, None]
            steps = wander * scale * common.standard_normal((len(world.agents), days))
            walks = np.concatenate([np.zeros((len(steps), 1)), np.cumsum(steps, axis=1)], axis=1)
            agents = [
                _Agent(version, world.successors.get(i), change, walks[i])
                for i, version in enumerate(world.agents)
            ]
            key = zlib.crc32(policy.key.encode())
            for i, agent in enumerate(agents):
                _live(agent, policy, days, np.random.default_rng([seed, replication, key, i]))
            figures.append(_figures(agents, items, world.consensus[items], days))
            calls.append(sum(agent.calls for agent in agents))
            changed = [agent for agent in agents if agent.new is not None]
            delays += [None if a.mended is None else float(a.mended - change) for a in changed]
            alarms.append(sum(_others(agent) for agent in agents))
        found.append(
            Course(
                policy,
                np.array(figures).reshape(replications, days, len(FIGURES)),
                np.array(calls),
                tuple(delays),
                np.array(alarms) if policy.kind == "cusum" else None,
            )
        )
    return tuple(found)


def _others(agent: _Agent) -> int:
    """Return all alarms except the first one after the agent's change."""
    found = agent.new is not None and any(day >= agent.change for day in agent.alarms)
    return len(agent.alarms) - int(found)


def _live(agent: _Agent, policy: Policy, days: int, rng: np.random.Generator) -> None:
    """Simulate one agent over all days under a policy."""
    if policy.kind == "cusum":
        _charted(agent, policy, days, rng)
        return
    agent.refit(0, rng)
    if policy.kind == "rolling":
        _rolling(agent, policy, days, rng)
    for day in range(1, days + 1):
        if policy.kind == "every" and day % policy.days == 0:
            agent.refit(day, rng)
        if policy.kind == "fingerprint" and agent.new is not None and day == agent.change:
            agent.refit(day, rng)


def _rolling(agent: _Agent, policy: Policy, days: int, rng: np.random.Generator) -> None:
    """Score some anchors each day, in turn, and fit the map on the last score of each anchor.

    While all anchors are of one version, they differ by days of the walk only, which is far below
    the noise of a score: the map is then the last one, moved to their mean place on the walk.
    """
    order = rng.permutation(len(agent.old.calls))
    place, table = 0, agent.maps[-1][1]
    last = np.zeros(len(order), dtype=np.intp)
    scores = agent.old.scored(rng)
    for day in range(1, days + 1):
        version = agent.version(day)
        chosen = order[np.arange(place, place + min(policy.daily, len(order))) % len(order)]
        place = (place + policy.daily) % len(order)
        scores[chosen] = version.scored(rng)[chosen]
        last[chosen] = day
        agent.calls += len(chosen)
        if day % policy.days:
            continue
        walk = agent.walk[last]
        fresh = agent.new is not None and last >= agent.change
        if agent.new is not None and np.any(fresh) and not np.all(fresh):
            table = version.fit(scores + walk - walk.mean())
        elif agent.new is not None and np.all(fresh) and agent.mended is None:
            table = version.maps[int(rng.integers(len(version.maps)))]
            agent.mend(day)
        agent.maps.append((day, table, float(walk.mean())))


def _charted(agent: _Agent, policy: Policy, days: int, rng: np.random.Generator) -> None:
    """Score a few paired anchors each day and draw two charts: the mean of e, and its slope on the
    consensus.

    e is the calibrated score of an anchor today less that at the last full scoring, so the anchor's
    own error drops out.
    """
    blocks = _blocks(agent.old.consensus, policy.daily, rng)
    chart = _Chart(agent, blocks, 0, rng)
    for day in range(1, days + 1):
        block = blocks[day % len(blocks)]
        agent.calls += len(block)
        if chart.alarm(day, block, policy.threshold, rng):
            agent.alarms.append(day)
            chart = _Chart(agent, blocks, day, rng)


class _Chart:
    """The charts of one agent since its last full scoring, in which each anchor had two calls."""

    def __init__(
        self, agent: _Agent, blocks: NDArray[np.intp], day: int, rng: np.random.Generator
    ) -> None:
        self.agent = agent
        self.table = agent.refit(day, rng, twice=True)
        version = agent.version(day)
        every = np.arange(len(version.calls))
        first, second = version.errors(rng, every), version.errors(rng, every)
        base = version.base
        self.start = float(agent.walk[day])
        self.reference = mapped(self.table, base + (first + second) / 2)
        apart = mapped(self.table, base + first) - mapped(self.table, base + second)
        consensus = version.consensus[blocks]
        self.sd = REFERENCE * np.sqrt((_statistics(apart[blocks], consensus) ** 2).mean(axis=0))
        self.sd = np.maximum(self.sd, LEAST_SD * _unit_sd(consensus))
        self.upper, self.lower = np.zeros(2), np.zeros(2)

    def alarm(
        self, day: int, block: NDArray[np.intp], threshold: float, rng: np.random.Generator
    ) -> bool:
        """Score the anchors of one day, and return whether a chart exceeds the threshold."""
        version = self.agent.version(day)
        raw = version.base[block] + self.agent.walk[day] + version.errors(rng, block)
        e = mapped(self.table, raw - self.start) - self.reference[block]
        statistics = _statistics(e[None, :], version.consensus[block][None, :])[0]
        self.upper, self.lower = cusum_step(self.upper, self.lower, statistics / self.sd)
        return bool(max(self.upper.max(), self.lower.max()) > threshold)


def _statistics(e: FloatArray, consensus: FloatArray) -> FloatArray:
    """Return the mean of e and the slope of e on the consensus, for each row of anchors."""
    centred = consensus - consensus.mean(axis=1, keepdims=True)
    square = (centred**2).sum(axis=1)
    slope = (e * centred).sum(axis=1) / np.where(square > 0, square, np.inf)
    return np.column_stack([e.mean(axis=1), slope])


def _unit_sd(consensus: FloatArray) -> FloatArray:
    """Return the standard deviations of both statistics for independent e with standard deviation
    1.
    """
    centred = consensus - consensus.mean(axis=1, keepdims=True)
    square = (centred**2).sum(axis=1)
    slope = np.sqrt((1.0 / square[square > 0]).mean()) if (square > 0).any() else 1.0
    return np.array([1.0 / np.sqrt(consensus.shape[1]), slope])


def _blocks(consensus: FloatArray, daily: int, rng: np.random.Generator) -> NDArray[np.intp]:
    """Return the anchors of each day in turn: one from each of ``daily`` strata of the consensus.

    In a bank with as many anchors in each tier these are as many of each tier.
    """
    size = min(daily, len(consensus))
    order = np.argsort(consensus, kind="stable")
    strata = [rng.permutation(stratum) for stratum in np.array_split(order, size)]
    shortest = min(len(stratum) for stratum in strata)
    return np.column_stack([stratum[:shortest] for stratum in strata])


def _figures(
    agents: Sequence[_Agent], items: NDArray[np.intp], consensus: FloatArray, days: int
) -> FloatArray:
    """Return the figures of each day, shape (days, figures)."""
    scores = np.empty((days, len(items), len(agents)))
    for j, agent in enumerate(agents):
        ends = [day for day, _, _ in agent.maps[1:]] + [days + 1]
        for (start, table, walk), end in zip(agent.maps, ends, strict=True):
            for first, last in _spans(agent, max(1, start), end):
                raw = agent.version(first).items[items]
                moved = agent.walk[first:last, None] - walk
                scores[first - 1 : last - 1, :, j] = mapped(table, raw + moved)
    apart = item_disagreement(scores.reshape(-1, len(agents))).reshape(days, -1).mean(axis=1)
    target = consensus - consensus.mean()
    centred = scores - scores.mean(axis=1, keepdims=True)
    variance = (centred**2).mean(axis=1)
    covariance = np.einsum("tmg,m->tg", centred, target) / len(items)
    panel = centred.mean(axis=2)
    with np.errstate(invalid="ignore", divide="ignore"):
        deviation = np.sqrt((target**2).mean())
        r = (panel @ target) / len(items) / (np.sqrt((panel**2).mean(axis=1)) * deviation)
        spread = np.sqrt(variance).mean(axis=1) / deviation
        slope = (covariance / variance).mean(axis=1)
    error = np.abs(scores - consensus[None, :, None]).mean(axis=(1, 2))
    return np.column_stack([apart, error, r, spread, slope])


def _spans(agent: _Agent, start: int, end: int) -> list[tuple[int, int]]:
    """Return the days from ``start`` to before ``end``, split at the day of the agent's change."""
    if agent.new is not None and start < agent.change < end:
        return [(start, agent.change), (agent.change, end)]
    return [(start, end)] if start < end else []
