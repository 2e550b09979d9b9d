"""Tests and intervals that stay valid with any number of looks and any stopping time.

Papers come in the order of the corpus, which must not depend on their results. A p-value or an
interval of the other modules is valid at one number of papers fixed in advance; looking after every
20 papers and stopping at the first p below 5 % rejects far too often. What is here holds at all
looks together (Ville 1939: a nonnegative martingale that starts at 1 reaches 1 / a with chance a).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from revkit.dataclass import dataclass
from revkit.errors import StatisticsError
from revkit.stats.values import FloatArray, check_confidence, finite_array

GRID = 1000  # parts of the unit interval at which a mean is tested
BET = 0.5  # the largest share of the capital that one paper can cost


@dataclass(frozen=True)
class SequentialTest:
    """A test after ``looked`` papers: its e-value, and 1 / the largest e-value so far as p.

    Stop as soon as ``p_value`` is at most the level, or whenever else; p never rises.
    """

    looked: int
    informative: int
    e_value: float
    p_value: float


@dataclass(frozen=True)
class SequentialInterval:
    """Bounds of a mean after ``looked`` papers; with the given confidence all looks hold it."""

    looked: int
    value: float
    low: float
    high: float
    confidence: float


def sequential_sign_test(
    differences: ArrayLike, looks: Sequence[int] | None = None
) -> tuple[SequentialTest, ...]:
    """Test whether papers differ equally often in both directions, at each of ``looks``.

    ``differences`` has d_k of each paper in the order of the corpus (up - down for the direction);
    papers with 0 say nothing. With u of n signs above 0 the e-value is

        E = integral over t in [0, 1] of (2 t)^u (2 (1 - t))^(n - u) = 2^n u! (n - u)! / (n + 1)!

    the uniform mixture of likelihood ratios (Robbins 1970, Annals of Mathematical Statistics 41).
    Assumes that a sign is above 0 with chance 1/2 given all papers before, if nothing has a
    direction. ``looks`` are numbers of papers, by default all of them.
    """
    d = finite_array("differences", differences)
    ups, signs = np.cumsum(d > 0), np.cumsum(d != 0)
    logs = [
        int(n) * math.log(2)
        + math.lgamma(int(u) + 1)
        + math.lgamma(int(n - u) + 1)
        - math.lgamma(int(n) + 2)
        for u, n in zip(ups, signs, strict=True)
    ]
    best = np.maximum.accumulate(np.maximum(0.0, np.array(logs))) if logs else np.zeros(0)
    return tuple(
        SequentialTest(
            look,
            int(signs[look - 1]),
            math.exp(min(700.0, logs[look - 1])),
            math.exp(-float(best[look - 1])),
        )
        for look in _checked(looks, len(d))
    )


def sequential_mean(
    values: ArrayLike,
    looks: Sequence[int] | None = None,
    *,
    low: float = 0.0,
    high: float = 1.0,
    confidence: float = 0.95,
    weights: ArrayLike | None = None,
) -> tuple[SequentialInterval, ...]:
    """A confidence sequence for the mean of values in [low, high], one a paper, in corpus order.

    For a flip rate give the share of each paper's pairs that flipped; for two agents the difference
    of their shares, with ``low`` -1. ``weights`` in [0, 1] state how much each paper counts, as a
    part of the most that a paper can count. With its number of pairs divided by the largest
    possible number, the mean is that of the pairs: all flips over all pairs (default: 1, the mean
    of the papers).

    Every candidate mean is tested by betting against it, half of
    the capital on either side; it stays in while no bet has multiplied its stake by 1 / (1 -
    confidence) (Waudby-Smith and Ramdas 2024, Journal of the Royal Statistical Society B 86, 1-27,
    the hedged capital process with predictable plug-in bets, of half the capital at most). A bet on
    the candidate m wins or loses by weight x (value - m). Assumes that this has the mean 0 at the
    true m, given all papers before; nothing about its distribution. Ends are rounded outwards to a
    thousandth of the range. Raises `StatisticsError` for values outside [low, high] and weights
    outside [0, 1].
    """
    check_confidence(confidence)
    if not low < high:
        raise StatisticsError(f"low must be below high, but they are {low:g} and {high:g}")
    x = (finite_array("values", values) - low) / (high - low)
    if bool(((x < -1e-12) | (x > 1 + 1e-12)).any()):
        raise StatisticsError(f"values must lie within [{low:g}, {high:g}]")
    x = np.clip(x, 0.0, 1.0)
    w = np.ones(len(x)) if weights is None else finite_array("weights", weights)
    if len(w) != len(x) or bool(((w < 0) | (w > 1)).any()):
        raise StatisticsError("weights must lie within [0, 1], one for each value")
    means = np.arange(GRID + 1) / GRID
    level = math.log(1 / (1 - confidence))
    best = np.maximum.accumulate(log_capital(x, means, confidence, w), axis=0)
    found = []
    for look in _checked(looks, len(x)):
        inside = means[best[look - 1] < level]
        weight = float(w[:look].sum())
        value = float((w[:look] * x[:look]).sum()) / weight if weight else 0.5
        ends = (float(inside[0]), float(inside[-1])) if len(inside) else (value, value)
        one, other = max(0.0, ends[0] - 1 / GRID), min(1.0, ends[1] + 1 / GRID)
        mean, least, most = (low + part * (high - low) for part in (value, one, other))
        found.append(SequentialInterval(look, mean, least, most, confidence))
    return tuple(found)


def log_capital(
    values: FloatArray,
    means: FloatArray,
    confidence: float,
    weights: FloatArray | None = None,
) -> FloatArray:
    """The log of the capital won against each of ``means`` after each value in [0, 1], which
    counts as much as its weight in [0, 1] (default: 1).

    An array of shape (values, means). It exceeds log(1 / (1 - confidence)) at any time with chance
    1 - ``confidence`` at most where the mean is right.
    """
    x, alpha = values, 1 - confidence
    w = np.ones(len(x)) if weights is None else weights
    count = np.arange(1, len(x) + 1)
    centre = (0.5 + np.cumsum(w * x)) / (np.cumsum(w) + 1)
    spread = (0.25 + np.cumsum((w * (x - centre)) ** 2)) / (count + 1)
    before = np.concatenate([[0.25], spread[:-1]]) if len(x) else spread
    bet = np.sqrt(2 * math.log(2 / alpha) / (before * count * np.log(count + 1)))[:, None]
    with np.errstate(divide="ignore"):
        above = np.minimum(bet, BET / means)
        below = np.minimum(bet, BET / (1 - means))
    move = w[:, None] * (x[:, None] - means)
    up = np.cumsum(np.log1p(above * move), axis=0)
    down = np.cumsum(np.log1p(-below * move), axis=0)
    return np.asarray(np.maximum(up, down) - math.log(2))


def _checked(looks: Sequence[int] | None, papers: int) -> Sequence[int]:
    if looks is None:
        return [papers] if papers else []
    if list(looks) != sorted(set(looks)) or any(not 1 <= look <= papers for look in looks):
        raise StatisticsError(f"looks must be increasing numbers of papers from 1 to {papers}")
    return looks
