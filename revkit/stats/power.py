"""The power of a design: correlation within papers, design effect, smallest detectable
difference.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike

from revkit.dataclass import dataclass
from revkit.errors import StatisticsError
from revkit.stats.values import (
    check_count,
    check_share,
    finite_array,
    normal_quantile,
    same_length,
)


@dataclass(frozen=True)
class DesignEffect:
    """The cost of pairs that share papers: their variance divided by that of as many independent
    pairs.

    ``effective_n`` is the number of independent pairs that carry the same information.
    """

    correlation: float | None
    value: float | None
    effective_n: float | None
    clusters: int
    n: int
    note: str = ""


def design_effect(successes: ArrayLike, counts: ArrayLike) -> DesignEffect:
    """1 + (m - 1) rho, from the flips and valid pairs of each paper.

    rho is the ANOVA estimator (MSB - MSW) / (MSB + (n0 - 1) MSW) with n0 = (N - sum n_c^2 / N) / (C
    - 1) (Donner 1986, International Statistical Review 54, section 2; for 0/1 data Ridout, Demetrio
    and Firth 1999, Biometrics 55). m = sum n_c^2 / N, the mean size of a pair's paper, is right for
    unequal sizes as well (Eldridge, Ashby and Kerry 2006, International Journal of Epidemiology
    35). rho may come out below 0; it is reported as it is, but plan with a design effect of at
    least 1. Unit: the paper; papers without a valid pair do not count. Undefined for fewer than two
    papers, one pair a paper, or no variation at all. Both have one entry for each paper. Raises
    `StatisticsError` for counts that are not whole, and for successes that are not between 0 and
    counts.
    """
    k, n = finite_array("successes", successes), finite_array("counts", counts)
    same_length(successes=len(k), counts=len(n))
    if bool((n < 0).any()) or bool((k < 0).any()) or bool((k > n).any()):
        raise StatisticsError("successes must lie between 0 and counts in every cluster")
    if any(bool((x != np.floor(x)).any()) for x in (k, n)):
        raise StatisticsError("successes and counts must be whole numbers")
    k, n = k[n > 0], n[n > 0]
    clusters, total = len(n), float(n.sum())

    def undefined(reason: str) -> DesignEffect:
        return DesignEffect(None, None, None, clusters, int(total), reason)

    if clusters < 2:
        return undefined("fewer than two papers")
    if total == clusters:
        return undefined("one pair a paper")
    if not 0 < float(k.sum()) < total:
        return undefined("no variation")
    within = float((k - k * k / n).sum()) / (total - clusters)
    between = float((k * k / n).sum() - k.sum() ** 2 / total) / (clusters - 1)
    average = (total - float((n * n).sum()) / total) / (clusters - 1)
    rho = (between - within) / (between + (average - 1) * within)
    effect = 1 + (float((n * n).sum()) / total - 1) * rho
    note = "negative correlation: plan with a design effect of 1" if rho < 0 else ""
    effective = total / effect if effect > 0 else None
    return DesignEffect(rho, effect, effective, clusters, int(total), note)


@dataclass(frozen=True)
class DetectableDifference:
    """The smallest rise and fall from the baseline rate that a design finds with ``power``."""

    rise: float | None
    fall: float | None
    baseline_rate: float
    effective_n: float
    power: float
    confidence: float
    formula: str
    note: str = ""


def minimum_detectable_difference(
    n: int,
    baseline_rate: float,
    power: float = 0.8,
    confidence: float = 0.95,
    design_effect: float = 1.0,
    *,
    paired: bool = False,
    correlation: float = 0.0,
) -> DetectableDifference:
    """The smallest difference d of two flip rates, p and p + d, that a two-sided test finds.

    With N = n / design_effect, z of the confidence and z_b of the power, d solves

    - unpaired, n pairs for each agent: d sqrt(N) = z sqrt(2 m (1 - m)) + z_b sqrt(p (1 - p) +
      (p + d)(1 - p - d)), m = p + d / 2 (Fleiss 1981, Statistical Methods for Rates and
      Proportions, 2nd edition, equation 3.18, no continuity correction);
    - paired, both agents on the same n pairs: ``|d| sqrt(N) = z sqrt(s) + z_b sqrt(s - d^2)``, s
      the share of discordant pairs (Connor 1987, Biometrics 43, for McNemar's test), s =
      p1 (1 - p2) + p2 (1 - p1) - 2 correlation sqrt(p1 (1 - p1) p2 (1 - p2)), at least ``|d|``.
      ``correlation`` is that of the two agents' flips on one pair; 0 is cautious.

    A rise or fall that not even the rate 1 or 0 would make visible is None, with a note. Raises
    `StatisticsError` for an argument outside its range.
    """
    size = check_count("n", n)
    p = check_share("baseline_rate", baseline_rate)
    z = normal_quantile(confidence)
    z_b = NormalDist().inv_cdf(check_share("power", power, ends=False))
    if size < 1:
        raise StatisticsError("n must be at least 1")
    if not (math.isfinite(design_effect) and design_effect > 0):
        raise StatisticsError(f"design_effect must be above 0, but is {design_effect!r}")
    if not 0 <= correlation < 1:
        raise StatisticsError(f"correlation must lie in [0, 1), but is {correlation!r}")
    if power <= (1 - confidence) / 2:
        raise StatisticsError("power must exceed the chance of a false alarm")
    effective = size / design_effect

    def excess(d: float) -> float:
        q = min(1.0, max(0.0, p + d))
        if paired:
            s = p * (1 - q) + q * (1 - p)
            s -= 2 * correlation * math.sqrt(p * (1 - p) * q * (1 - q))
            s = max(s, abs(d))
            spread = z * math.sqrt(s) + z_b * math.sqrt(s - d * d)
        else:
            m = (p + q) / 2
            spread = z * math.sqrt(2 * m * (1 - m)) + z_b * math.sqrt(p * (1 - p) + q * (1 - q))
        return abs(d) * math.sqrt(effective) - spread

    rise, fall = _first_root(excess, 1 - p), _first_root(lambda d: excess(-d), p)
    missing = [name for name, root in (("rise", rise), ("fall", fall)) if root is None]
    note = f"no {' and no '.join(missing)} of this rate is large enough" if missing else ""
    formula = "connor 1987, paired" if paired else "fleiss 1981, unpaired"
    return DetectableDifference(rise, fall, p, effective, power, confidence, formula, note)


def pairs_for_difference(
    gained: float, lost: float, power: float = 0.8, confidence: float = 0.95
) -> int | None:
    """The number of pairs with which McNemar's two-sided test finds a difference of two rates.

    ``gained`` and ``lost`` are the shares of pairs with only the second and only the first event,
    so the difference is d = gained - lost and s = gained + lost is the share of discordant pairs.
    N = (z sqrt(s) + z_b sqrt(s - d^2))^2 / d^2, rounded up (Connor 1987, Biometrics 43, equation
    3, without continuity correction). None where d is 0: no number of pairs is enough. Raises
    `StatisticsError` for shares outside [0, 1] or whose sum exceeds 1.
    """
    up, down = check_share("gained", gained), check_share("lost", lost)
    if up + down > 1 + 1e-12:
        raise StatisticsError(f"gained and lost are shares of one whole, but sum to {up + down}")
    if power <= (1 - confidence) / 2:
        raise StatisticsError("power must exceed the chance of a false alarm")
    z = normal_quantile(confidence)
    z_b = NormalDist().inv_cdf(check_share("power", power, ends=False))
    d, s = up - down, up + down
    if d == 0:
        return None
    return math.ceil(((z * math.sqrt(s) + z_b * math.sqrt(max(0.0, s - d * d))) / d) ** 2 - 1e-9)


def _first_root(function: Callable[[float], float], limit: float) -> float | None:
    """The smallest d in (0, limit] where ``function`` rises to 0: a scan, then bisection."""
    if limit <= 0:
        return None
    steps = 1000
    low = 0.0
    for i in range(1, steps + 1):
        high = limit * i / steps
        if function(high) >= 0:
            break
        low = high
    else:
        return None
    for _ in range(60):
        middle = (low + high) / 2
        if function(middle) >= 0:
            high = middle
        else:
            low = middle
    return high
