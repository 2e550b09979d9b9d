"""Test whether higher raw scores have higher targets: Spearman's rho with Fisher's z."""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np

from revkit.dataclass import dataclass
from revkit.errors import AntiCorrelated
from revkit_asc.calibrators.anchors import Anchors, FloatArray, dot

# Variance 1.06 / (n - 3) of atanh(rho): Fieller, Hartley and Pearson 1957, Biometrika 44.
FACTOR = 1.06
LEVEL = 0.95


@dataclass(frozen=True)
class RankCorrelation:
    """The correlation ``rho`` of ``n`` rows, from -1 to 1, with its 95 % interval.

    All but ``n`` are None where they are undefined: a constant input, or n <= 3 (interval).
    """

    n: int
    rho: float | None
    low: float | None = None
    high: float | None = None


def ranks(values: FloatArray) -> FloatArray:
    """Return average ranks from 1, one for each entry; equal values share their mean rank."""
    if bool((values[1:] >= values[:-1]).all()):
        return _ranks_in_order(values)
    order = np.argsort(values)
    result = np.empty(len(values))
    result[order] = _ranks_in_order(values[order])
    return result


def _ranks_in_order(ordered: FloatArray) -> FloatArray:
    new = ordered[1:] != ordered[:-1]
    if new.all():
        return np.arange(1.0, len(ordered) + 1)
    starts = np.flatnonzero(np.concatenate(([True], new)))
    size = np.diff(np.append(starts, len(ordered)))
    return np.repeat(starts + (size + 1) / 2, size)


def rank_correlation(raw: FloatArray, target: FloatArray) -> RankCorrelation:
    """Return Spearman's rho, Pearson's r of the average ranks; atanh(rho) has the standard error
    sqrt(1.06 / (n - 3)). ``raw`` and ``target`` have one length, one entry for each anchor.
    """
    n = len(raw)
    if n < 2 or raw.min() == raw.max() or target.min() == target.max():
        return RankCorrelation(n, None)
    a, b = ranks(raw) - (n + 1) / 2, ranks(target) - (n + 1) / 2
    rho = dot(a, b) / math.sqrt(dot(a, a) * dot(b, b))
    rho = min(1.0, max(-1.0, rho))
    if n <= 3:
        return RankCorrelation(n, rho)
    if abs(rho) == 1.0:
        return RankCorrelation(n, rho, rho, rho)
    error = math.sqrt(FACTOR / (n - 3))
    centre, half = math.atanh(rho), NormalDist().inv_cdf(0.5 + LEVEL / 2) * error
    return RankCorrelation(n, rho, math.tanh(centre - half), math.tanh(centre + half))


def require_association(anchors: Anchors) -> tuple[RankCorrelation, list[str]]:
    """Return the correlation, and the flag "weak" if its interval contains 0 or is unknown.

    Raises `AntiCorrelated` where the whole interval lies below 0.
    """
    found = rank_correlation(anchors.raw, anchors.target)
    if found.high is not None and found.high < 0:
        raise AntiCorrelated(
            f"higher raw scores go with lower targets (Spearman {found.rho:.2f}, 95 % interval up "
            f"to {found.high:.2f}, n {found.n}): an increasing map would be a constant"
        )
    return found, ["weak"] if found.low is None or found.low <= 0 else []
