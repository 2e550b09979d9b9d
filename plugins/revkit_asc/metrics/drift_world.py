"""The data from which the drift simulation draws: the run's own scores, and maps fitted on them.

A map that is fitted on scores moved by s is the same map moved by s, for every calibrator whose
maps do not depend on where the raw scale starts (`moves_along` checks it). So a few maps for each
agent, on different draws of its calls, serve all scorings of the simulation.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from revkit.contracts import Calibrator
from revkit.dataclass import dataclass
from revkit.errors import CalibrationError
from revkit.model.records import AgentRow, Records
from revkit_asc.metrics.anchors import AnchorTable, anchor_table, weights_of
from revkit_asc.metrics.heldout import held_out
from revkit_asc.metrics.settings import calls_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from revkit.stats.values import FloatArray

# Maps are read off a table: raw severities with a margin for scores that wander off the scale.
GRID_LOW, GRID_HIGH, GRID_STEP = -60.0, 160.0, 0.05
DRAWS = 8
# Neighbours on each side from which a deviation is drawn.
NEAR = 10
PROBE = 1.7
TOLERANCE = 0.25


@dataclass(frozen=True)
class Version:
    """One version of an agent, before or after its change.

    ``items`` holds its severities of the held-out items, ``calls`` those of its anchors, one column
    a call. ``noise`` has the deviations of calls from an anchor's mean, in rows of anchors sorted
    by that mean, and ``rank`` the row of each anchor; ``sd`` is used where they are not known.
    ``maps`` are fitted on one call an anchor each, as a review is one call; given are their values
    on the grid.
    """

    agent: str
    items: FloatArray
    calls: FloatArray
    noise: FloatArray
    rank: NDArray[np.intp]
    sd: float
    consensus: FloatArray
    maps: tuple[FloatArray, ...]
    fit: Callable[[FloatArray], FloatArray]

    @property
    def base(self) -> FloatArray:
        """The mean of the calls for each anchor: one entry an anchor, on the raw scale."""
        return np.asarray(self.calls.mean(axis=1))

    @property
    def stretch(self) -> float:
        """Return the change of a raw score for one point of the consensus: the ratio of their
        standard deviations.
        """
        spread = float(self.consensus.std())
        return float(self.base.std()) / spread if spread > 0 else 1.0

    def scored(self, rng: np.random.Generator) -> FloatArray:
        """Return one call for each anchor, drawn from the recorded calls."""
        column = rng.integers(0, self.calls.shape[1], size=len(self.calls))
        return np.asarray(self.calls[np.arange(len(self.calls)), column])

    def errors(self, rng: np.random.Generator, anchors: NDArray[np.intp]) -> FloatArray:
        """Return the deviations of one call on each of ``anchors`` from the mean of that anchor.

        Drawn from anchors with nearly the same score: where an agent's scale ends it varies less.
        """
        if not self.noise.size:
            return self.sd * rng.standard_normal(len(anchors))
        near = self.rank[anchors] + rng.integers(-NEAR, NEAR + 1, size=len(anchors))
        near = np.clip(near, 0, len(self.noise) - 1)
        column = rng.integers(0, self.noise.shape[1], size=len(anchors))
        return np.asarray(self.noise[near, column])


@dataclass(frozen=True)
class World:
    """The agents on day 0, the versions that some of them change to, and the consensus of the
    items.
    """

    agents: tuple[Version, ...]
    successors: Mapping[int, Version]
    consensus: FloatArray
    assumed_noise: tuple[str, ...]
    anchors: int


def mapped(table: FloatArray, raw: FloatArray) -> FloatArray:
    """Look up calibrated scores in a map's table."""
    place = (raw - GRID_LOW) / GRID_STEP
    low = np.clip(place.astype(np.intp), 0, len(table) - 2)
    share = np.clip(place - low, 0.0, 1.0)
    start = table[low]
    return np.asarray(start + share * (table[low + 1] - start))


def build_world(
    records: Records,
    agents: Sequence[AgentRow],
    changes: Mapping[str, str],
    calibrator: Calibrator,
    noise: float,
) -> World | str:
    """Build the world of a run, or return the reason why this is impossible."""
    held, table = held_out(records, agents), anchor_table(records, agents)
    if not len(table.papers):
        return "the run has no anchors with a consensus"
    raw = np.column_stack([calls_of(held, agent.name, 1) for agent in agents])
    complete = ~np.isnan(raw).any(axis=1)
    if complete.sum() < 2:
        return "fewer than two held-out items were scored by all agents"
    assumed = [a.name for a in agents if not a.deterministic and table.calls < 2]
    versions: dict[str, Version] = {}
    for j, agent in enumerate(agents):
        usable = _usable(table, agent.name, changes)
        sd = noise if agent.name in assumed else 0.0
        items = raw[complete, j]
        try:
            versions[agent.name] = _version(
                table, agent.name, usable, items, calibrator, sd, records.seed
            )
        except CalibrationError as error:
            return f"{agent.name} has no map: {error}"
    names = [agent.name for agent in agents if agent.name not in changes.values()]
    return World(
        tuple(versions[name] for name in names),
        {names.index(old): versions[new] for old, new in changes.items()},
        held.consensus[complete],
        tuple(assumed),
        len(table.papers),
    )


def _usable(table: AnchorTable, agent: str, changes: Mapping[str, str]) -> NDArray[np.bool_]:
    """Return the anchors that both versions of an agent scored."""
    kin = {agent, *(o for o, n in changes.items() if n == agent)} | {
        changes[name] for name in (agent,) if name in changes
    }
    return np.asarray(np.logical_and.reduce([~np.isnan(table.raw(name)) for name in sorted(kin)]))


def _version(
    table: AnchorTable,
    agent: str,
    usable: NDArray[np.bool_],
    items: FloatArray,
    calibrator: Calibrator,
    sd: float,
    seed: int,
) -> Version:
    rng = np.random.default_rng([seed, zlib.crc32(agent.encode()), 1])
    severity = table.scores[agent].severity[usable]
    base = table.raw(agent)[usable]
    # A call that failed takes the mean of the anchor's other calls.
    calls = np.where(np.isnan(severity), base[:, None], severity)
    consensus = table.consensus[usable]
    errors = None if table.errors is None else table.errors[usable]
    weights = weights_of(calibrator, base, consensus, errors)
    grid = GRID_LOW + GRID_STEP * np.arange(round((GRID_HIGH - GRID_LOW) / GRID_STEP) + 1)

    def fit(raw: FloatArray) -> FloatArray:
        curve = calibrator.fit(raw, consensus, weights)
        return np.asarray(curve(grid), dtype=np.float64)

    noise = _noise(severity)
    rank = np.empty(len(base), dtype=np.intp)
    rank[np.argsort(base, kind="stable")] = np.arange(len(base))
    # Anchors without a second usable call lend no deviation: ranks are brought to those that do.
    rank = rank * len(noise) // max(1, len(rank))
    version = Version(agent, items, calls, noise, rank, sd, consensus, (), fit)
    if bool((calls == calls[:, :1]).all()):
        return replace(version, maps=(fit(base),))
    return replace(version, maps=tuple(fit(version.scored(rng)) for _ in range(DRAWS)))


def _noise(severity: FloatArray) -> FloatArray:
    """Return the deviations of calls from their anchor's mean, scaled up to the spread of single
    calls.

    The residuals around the mean of R calls have (R - 1) / R of the variance of a call. One row
    for each anchor of which all calls gave a score, sorted by mean; empty below two calls.
    """
    whole = severity[~np.isnan(severity).any(axis=1)]
    calls = severity.shape[1]
    if calls < 2 or not len(whole):
        return np.empty((0, calls))
    mean = whole.mean(axis=1)
    residual = (whole - mean[:, None]) * np.sqrt(calls / (calls - 1))
    return np.asarray(residual[np.argsort(mean, kind="stable")])


def moves_along(version: Version) -> float:
    """Return how far a map fitted on shifted scores differs from the equally shifted map: the
    maximum over the range of the anchors, in points; infinite if the shifted scores cannot be
    fitted.
    """
    base = version.base
    try:
        moved = version.fit(base + PROBE)
        still = version.fit(base)
    except CalibrationError:
        return float("inf")
    raw = np.linspace(base.min(), base.max(), 101)
    return float(np.abs(mapped(moved, raw + PROBE) - mapped(still, raw)).max())
