"""The figures of a setting with intervals, all from one set of resamples.

Every figure is a function of sums over items: the disagreement of an item, its errors, and the
first and second moments of scores and consensus. So one resampling of items serves all settings.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from revkit.dataclass import dataclass
from revkit.figures import Resampling
from revkit.stats.disagreement import item_disagreement, pair_disagreement, standard_deviation
from revkit.stats.joint import cluster_bootstrap_statistics
from revkit_asc.metrics.settings import Setting

if TYPE_CHECKING:
    from revkit.stats import Estimate
    from revkit.stats.values import FloatArray

NAMES = ("d", "reduction", "mae", "rmse", "r_mean", "mae_mean", "spread", "slope", "r_single")
LEAST_SPREAD = 1.0  # points: the standard deviation of scores below which they have no slope
SHARED, EACH = 11, 3  # columns of sums that agents share, and those of each agent


@dataclass(frozen=True)
class Figures:
    """The figures of one setting. ``of`` contains the estimates under `NAMES`, ``single`` the
    correlation of each agent's scores with the consensus, ``best`` the index of the largest
    correlation.
    """

    setting: Setting
    of: dict[str, Estimate]
    single: tuple[Estimate, ...]
    best: int | None
    sd_over_pairs: float | None
    pairs: int


def figures_of(
    settings: Sequence[Setting], items: int, resampling: Resampling
) -> tuple[Figures, ...]:
    """Return the figures of all settings of ``items`` held-out items.

    The reduction of D is against the raw scores of the same agents on the same items.
    """
    if not settings:
        return ()
    tables = [_sums(setting, items) for setting in settings]
    ends = np.cumsum([0, *(table.shape[1] for table in tables)])

    def statistics(sums: FloatArray) -> FloatArray:
        return np.column_stack(
            [
                _figures(sums[:, ends[i] : ends[i + 1]], len(setting.agents))
                for i, setting in enumerate(settings)
            ]
        )

    observations: list[int] = []
    reasons: list[str] = []
    for setting in settings:
        for n, reason in _labels(setting):
            observations.append(n)
            reasons.append(reason)
    estimates = cluster_bootstrap_statistics(
        np.column_stack(tables),
        statistics,
        observations=observations,
        reasons=reasons,
        resampling=resampling,
    )
    found, start = [], 0
    for setting in settings:
        width = len(NAMES) + len(setting.agents)
        found.append(_gathered(setting, estimates[start : start + width]))
        start += width
    return tuple(found)


def values_of(setting: Setting) -> FloatArray:
    """Return the values of `NAMES` for one setting, without intervals; NaN if undefined."""
    sums = _sums(setting, int(setting.items.max()) + 1).sum(axis=0, keepdims=True)
    return np.asarray(_figures(sums, len(setting.agents))[0, : len(NAMES)])


def _gathered(setting: Setting, estimates: Sequence[Estimate]) -> Figures:
    single = tuple(estimates[len(NAMES) :])
    values = [(e.value, -j) for j, e in enumerate(single) if e.value is not None]
    pairs = pair_disagreement(setting.scores) if len(setting.agents) > 1 else ()
    return Figures(
        setting,
        dict(zip(NAMES, estimates, strict=False)),
        single,
        -max(values)[1] if values else None,
        standard_deviation(pairs),
        len(pairs),
    )


def _labels(setting: Setting) -> list[tuple[int, str]]:
    """Return n of each figure, and the reason if a figure is undefined."""
    items, agents = len(setting.items), len(setting.agents)
    empty = "no item that all agents scored" if not items else ""
    lone = empty or ("fewer than two agents" if agents < 2 else "")
    flat = empty or "constant scores or constant consensus"
    reasons = {
        "d": lone or "undefined",
        "reduction": lone or "the raw scores do not disagree",
        "mae": empty,
        "rmse": empty,
        "mae_mean": empty,
        "slope": empty or "nearly constant scores of an agent, or a constant consensus",
    }
    return [(items, reasons.get(name, flat) or flat) for name in NAMES] + [(items, flat)] * agents


def _centred(values: FloatArray) -> FloatArray:
    """Return columns minus their means; a constant column is exactly 0 and has no correlation."""
    if not len(values):
        return values
    span = np.ptp(values, axis=0)
    flat = span <= 1e-13 * np.abs(values).max(axis=0)
    return np.asarray(np.where(flat, 0.0, values - values.mean(axis=0)))


def _sums(setting: Setting, items: int) -> FloatArray:
    """Return one row for each held-out item, zero if the setting does not use the item."""
    agents = len(setting.agents)
    table = np.zeros((items, SHARED + EACH * agents))
    if not len(setting.items):
        return table
    scores, consensus = setting.scores, setting.consensus
    errors = scores - consensus[:, None]
    middle = scores.mean(axis=1)
    x, y, m = _centred(scores), _centred(consensus), _centred(middle)
    several = agents > 1
    shared = [
        np.ones(len(scores)),
        item_disagreement(scores) if several else np.full(len(scores), 0.0),
        item_disagreement(setting.raw) if several else np.full(len(scores), 0.0),
        np.abs(errors).mean(axis=1),
        (errors**2).mean(axis=1),
        np.abs(middle - consensus),
        y, y * y, m, m * m, m * y,
    ]  # fmt: skip
    table[setting.items] = np.column_stack([*shared, x, x * x, x * y[:, None]])
    return table


def _figures(sums: FloatArray, agents: int) -> FloatArray:
    """Return rows of figures in the order of `NAMES`, then the correlation of each agent; NaN if
    undefined.
    """
    n, apart, apart_raw, error, square, error_mean, y, yy, m, mm, my = sums[:, :SHARED].T
    x = sums[:, SHARED : SHARED + agents]
    xx = sums[:, SHARED + agents : SHARED + 2 * agents]
    xy = sums[:, SHARED + 2 * agents :]
    with np.errstate(invalid="ignore", divide="ignore"):
        n = np.where(n > 0, n, np.nan)
        several = 1.0 if agents > 1 else np.nan
        var_y = _variance(n, y, yy)
        var_x = _variance(n[:, None], x, xx)
        cov = (xy - x * y[:, None] / n[:, None]) / n[:, None]
        # A constant agent has spread 0 and no slope; a constant consensus leaves neither.
        # The slope of nearly constant scores is noise divided by nearly nothing.
        steep = np.where(var_x >= LEAST_SPREAD**2, var_x, np.nan)
        spread = np.sqrt(np.nan_to_num(var_x, nan=0.0) / var_y[:, None])
        single = np.clip(cov / np.sqrt(var_x * var_y[:, None]), -1.0, 1.0)
        r_mean = np.clip((my - m * y / n) / n / np.sqrt(_variance(n, m, mm) * var_y), -1.0, 1.0)
        slope = np.where(np.isnan(var_y)[:, None], np.nan, cov / steep)
        figures = np.column_stack(
            [
                several * apart / n,
                100.0 * (1.0 - several * apart / np.where(apart_raw > 0, apart_raw, np.nan)),
                error / n,
                np.sqrt(square / n),
                r_mean,
                error_mean / n,
                _mean(spread),
                _mean(slope),
                _mean(single),
            ]
        )
    return np.column_stack([figures, single])


def _variance(n: FloatArray, total: FloatArray, square: FloatArray) -> FloatArray:
    """Return the variance from sums; NaN if it is 0 up to rounding."""
    spread = square - total * total / n
    return np.asarray(np.where(spread > 1e-12 * square, spread / n, np.nan))


def _mean(each: FloatArray) -> FloatArray:
    """Return the mean over agents; NaN without agents, or if an agent has no value."""
    return each.mean(axis=1) if each.shape[1] else np.full(len(each), np.nan)
