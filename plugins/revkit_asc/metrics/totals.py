"""Total uncertainty: refit maps on reweighted anchors and resample the held-out items.

A figure of calibrated scores has two sources of chance: the items on which it is measured, and the
anchors on which the maps were fitted. Percentiles over items show the first alone. Here every
anchor gets an exponential weight (the Bayesian bootstrap; Rubin 1981, Annals of Statistics 9), all
agents' maps are fitted again under these weights, and the figures are computed again. Their
standard deviation over such refits is the second part. Weights in place of draws keep every anchor
once: a copy of an anchor would look like a second observation to the choice of the smoothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from revkit.dataclass import dataclass
from revkit.errors import CalibrationError
from revkit.model.records import AgentRow, FittedMap, Records
from revkit.stats.disagreement import item_disagreement
from revkit.stats.values import Estimate, student_quantile
from revkit_asc.metrics.anchors import AnchorTable, anchor_table, calibrator_of, weights_of
from revkit_asc.metrics.figures import NAMES, values_of
from revkit_asc.metrics.settings import Setting

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from revkit.contracts import Calibrator
    from revkit.stats.values import FloatArray

# What is made of the scores of a setting.
Derive = Callable[[Setting], Setting]
FEWEST = 10
_MOST_DEFINED = 0.9
# The values that a figure can have.
_RANGES: Mapping[str, tuple[float, float]] = {
    "d": (0.0, math.inf),
    "reduction": (-math.inf, 100.0),
    "mae": (0.0, math.inf),
    "rmse": (0.0, math.inf),
    "r_mean": (-1.0, 1.0),
    "mae_mean": (0.0, math.inf),
    "spread": (0.0, math.inf),
    "r_single": (-1.0, 1.0),
}


@dataclass(frozen=True)
class Refits:
    """The figures of refitted maps: one row for each refit, one column for each name in `NAMES`.

    ``reason`` says why there are none; the table is then empty.
    """

    figures: FloatArray
    reason: str = ""

    def spread(self, name: str) -> float | None:
        """Return the standard deviation of a figure over refits; None if it is unknown, or if more
        than a tenth of the refits have no such figure.
        """
        column = self.figures[:, NAMES.index(name)]
        return standard_deviation(column) if np.isfinite(column).mean() >= _MOST_DEFINED else None


@dataclass(frozen=True)
class WayContrast:
    """The difference between two calibrators on the same items: second minus first, with its
    standard error over items and anchors, its bounds, and the two-sided p-value of no difference.
    """

    value: float
    low: float
    high: float
    p: float


def standard_deviation(values: FloatArray) -> float | None:
    """Return the standard deviation of the finite values; None with fewer than `FEWEST` of them."""
    finite = values[np.isfinite(values)]
    return float(finite.std(ddof=1)) if len(finite) >= FEWEST else None


def refit(
    settings: Mapping[str, Setting],
    records: Records,
    agents: Sequence[AgentRow],
    ways: Mapping[str, Mapping[str, FittedMap]],
    refits: int,
    derived: Mapping[str, tuple[str, Derive]] = MappingProxyType({}),
) -> dict[str, Refits]:
    """Return the figures of each fitted setting under ``refits`` draws of weights, which all
    settings share. ``derived`` maps further names to a setting and what is made of its scores.
    """
    table = anchor_table(records, agents)
    weights = _weights(table, refits, records.seed)
    return {
        name: _refits(setting, table, ways[name], weights)
        for name, setting in settings.items()
        if name in ways
    } | {
        name: _refits(settings[base], table, ways[base], weights, make)
        for name, (base, make) in derived.items()
        if base in settings
    }


def _weights(table: AnchorTable, refits: int, seed: int) -> FloatArray:
    """Return weights with a mean near 1, drawn in the order of ids, so that the order of rows has
    no effect.
    """
    order = np.argsort(np.array([paper.id for paper in table.papers], dtype=str), kind="stable")
    drawn = np.random.default_rng([seed, 7]).exponential(size=(refits, len(order)))
    weights = np.empty_like(drawn)
    weights[:, order] = drawn
    return weights


def _refits(
    setting: Setting,
    table: AnchorTable,
    maps: Mapping[str, FittedMap],
    weights: FloatArray,
    make: Derive = lambda setting: setting,
) -> Refits:
    empty = np.empty((0, len(NAMES)))
    if len(weights) < FEWEST:
        return Refits(empty, "maps were not fitted again")
    if not len(setting.items):
        return Refits(empty, "no item that all agents scored")
    fits = []
    for agent in setting.agents:
        curve = maps[agent].curve
        calibrator = None if curve is None else calibrator_of(curve)
        if calibrator is None:
            return Refits(empty, f"the map of {agent} is by a calibrator of another plugin")
        fits.append(_Fit.of(table, agent, calibrator))
    if any(not fit.places.any() for fit in fits):
        return Refits(empty, "the scores of the anchors are not known")
    rows = []
    for drawn in weights:
        try:
            columns = [fit.scores(setting.raw[:, j], drawn) for j, fit in enumerate(fits)]
        except CalibrationError:
            continue
        rows.append(values_of(make(replace(setting, scores=np.column_stack(columns)))))
    if len(rows) < max(FEWEST, len(weights) // 2):
        return Refits(empty, "too few refits succeeded")
    return Refits(np.array(rows))


@dataclass(frozen=True)
class _Fit:
    """The data on which one agent's map is fitted: ``places`` among the anchors, and their rows."""

    calibrator: Calibrator
    places: NDArray[np.bool_]
    raw: FloatArray
    target: FloatArray
    weights: FloatArray

    @classmethod
    def of(cls, table: AnchorTable, agent: str, calibrator: Calibrator) -> _Fit:
        """Return each anchor with its first call that gave a score, as in the experiment's fit."""
        raw = table.first(agent)
        places = np.asarray(~np.isnan(raw))
        errors = None if table.errors is None else table.errors[places]
        base = None
        if places.any():
            base = weights_of(calibrator, raw[places], table.consensus[places], errors)
        weights = np.ones(int(places.sum())) if base is None else base
        return cls(calibrator, places, raw[places], table.consensus[places], weights)

    def scores(self, raw: FloatArray, drawn: FloatArray) -> FloatArray:
        """Return ``raw`` mapped by the map that is fitted with these weights."""
        curve = self.calibrator.fit(self.raw, self.target, self.weights * drawn[self.places])
        return np.asarray(curve(raw), dtype=np.float64)


def total(name: str, estimate: Estimate, refits: Refits) -> Estimate:
    """Return the estimate of the figure ``name``, with bounds that cover the choice of items and of
    anchors.

    The distance of each bound over items and the t quantile times the spread over refits, added in
    squares, and cut off where the figure has no values. Without bounds if the spread is unknown.
    """
    value, bounds = estimate.value, estimate.interval
    if value is None or bounds.low is None or bounds.high is None:
        return estimate
    spread = refits.spread(name)
    if spread is None:
        note = "too many refitted maps have no such figure, so it has no interval"
        return replace(estimate, interval=replace(bounds, low=None, high=None, note=note))
    half = student_quantile(bounds.confidence, len(refits.figures) - 1) * spread
    least, most = _RANGES.get(name, (-math.inf, math.inf))
    low = max(least, value - math.hypot(max(value - bounds.low, 0.0), half))
    high = min(most, value + math.hypot(max(bounds.high - value, 0.0), half))
    wide = replace(bounds, low=low, high=high, method="items resampled, maps refitted")
    return replace(estimate, interval=wide)


def contrast(
    first: tuple[Setting, Refits], second: tuple[Setting, Refits], name: str, confidence: float
) -> WayContrast | None:
    """Return D or MAE (``name``) of the second setting minus that of the first, on the same items
    and agents; None if items or agents differ, or if there are no refits.

    Both parts are paired: each item has its own difference, and each refit, since the same weights
    of anchors serve both ways. Student's t with one degree of freedom less than there are refits.
    """
    (old, old_refits), (new, new_refits) = first, second
    same = old.agents == new.agents and np.array_equal(old.items, new.items)
    if not same or len(old_refits.figures) != len(new_refits.figures):
        return None
    if not len(old.items) or (name == "d" and len(old.agents) < 2):
        return None
    place = NAMES.index(name)
    spread = standard_deviation(new_refits.figures[:, place] - old_refits.figures[:, place])
    each = _of_items(new, name) - _of_items(old, name)
    if spread is None or len(each) < 2:
        return None
    value = float(each.mean())
    error = math.hypot(float(each.std(ddof=1)) / math.sqrt(len(each)), spread)
    if error <= 1e-12:
        return None
    from scipy.special import stdtr

    freedom = len(new_refits.figures) - 1
    half = student_quantile(confidence, freedom) * error
    p = 2.0 * float(stdtr(freedom, -abs(value) / error))
    return WayContrast(value, value - half, value + half, p)


def _of_items(setting: Setting, name: str) -> FloatArray:
    if name == "d":
        return item_disagreement(setting.scores)
    errors = np.abs(setting.scores - setting.consensus[:, None])
    return np.asarray(errors.mean(axis=1))
