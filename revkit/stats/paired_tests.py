"""Compare two agents on the same pairs: McNemar's tests, their clustered form, Holm's
correction.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from revkit.dataclass import dataclass
from revkit.errors import StatisticsError
from revkit.stats.proportions import half_binomial
from revkit.stats.values import (
    check_count,
    chi_square_tail,
    finite_array,
    same_length,
    two_by_two,
)


@dataclass(frozen=True)
class McNemar:
    """Four versions of McNemar's test on the pairs where only one of two agents flipped."""

    first_only: int
    second_only: int
    statistic: float | None
    p_value: float
    corrected_statistic: float | None
    corrected_p_value: float
    exact_p_value: float
    mid_p_value: float
    note: str = ""


def mcnemar(first_only: int, second_only: int) -> McNemar:
    """McNemar's test of equal flip rates, from b and c, the two numbers of discordant pairs.

    - ``statistic`` (b - c)^2 / (b + c), chi-square with one degree of freedom (McNemar 1947,
      Psychometrika 12);
    - ``corrected`` ``max(0, |b - c| - 1)^2 / (b + c)`` (Edwards 1948, Psychometrika 13); without
      the clip, b = c would give a statistic above 0;
    - ``exact`` min(1, 2 P(X <= min(b, c))), X ~ Bin(b + c, 1/2);
    - ``mid_p`` exact - P(X = min(b, c)), and 1 - P(X = b) / 2 at b = c (Fagerland, Lydersen and
      Laake 2013, BMC Medical Research Methodology 13:91, their recommendation).

    Unit: the pair, taken as independent; for pairs that share papers use ``clustered_mcnemar``.
    No discordant pair: the statistics are undefined and every p-value is 1.
    """
    b, c = check_count("first_only", first_only), check_count("second_only", second_only)
    if b + c == 0:
        return McNemar(0, 0, None, 1.0, None, 1.0, 1.0, 1.0, "no discordant pair")
    plain = (b - c) ** 2 / (b + c)
    corrected = max(0, abs(b - c) - 1) ** 2 / (b + c)
    below, at, total = half_binomial(b, c)
    scale = 1 << total
    return McNemar(
        b,
        c,
        plain,
        chi_square_tail(plain),
        corrected,
        chi_square_tail(corrected),
        min(1.0, 2 * below / scale),
        1 - at / (2 * scale) if b == c else (2 * below - at) / scale,
    )


@dataclass(frozen=True)
class PairedFlips:
    """The 2x2 table of two agents' flips on the same pairs, and McNemar's test on it.

    ``left_out`` counts pairs for which at least one of the two has no valid answer.
    """

    both: int
    first_only: int
    second_only: int
    neither: int
    left_out: int
    test: McNemar


def mcnemar_from_flips(
    first: Sequence[bool | int | None], second: Sequence[bool | int | None]
) -> PairedFlips:
    """The 2x2 table of two aligned 0/1 vectors (None: no valid answer) and McNemar's test on it.

    The i-th entries must belong to the same pair. A pair with a None is left out and counted,
    never read as "no flip".
    """
    same_length(first=len(first), second=len(second))
    cells, left_out = two_by_two(first, second, "a flip")
    only_first, only_second = cells[True, False], cells[False, True]
    return PairedFlips(
        cells[True, True],
        only_first,
        only_second,
        cells[False, False],
        left_out,
        mcnemar(only_first, only_second),
    )


@dataclass(frozen=True)
class ClusteredMcNemar:
    """McNemar's test with papers as the independent unit.

    ``informative`` counts the papers on which the two agents differ at all.
    """

    statistic: float | None
    p_value: float | None
    clusters: int
    informative: int
    note: str = ""


def clustered_mcnemar(first_only: ArrayLike, second_only: ArrayLike) -> ClusteredMcNemar:
    """Obuchowski's test of equal rates for matched pairs that come in clusters.

    With d_k = b_k - c_k the difference of discordant counts in cluster k of K,

        X = (K - 1) / K * (sum d_k)^2 / sum d_k^2,    chi-square with one degree of freedom

    (Obuchowski 1998, Statistics in Medicine 17, 1495-1507, in the notation of Yang, Sun and
    Hardin 2010, Biometrical Journal 52). Durkalski et al. (2003, Statistics in Medicine 22) weigh
    d_k by 1 / n_k and leave out (K - 1) / K; for clusters of one size that factor is the only
    difference. With one pair a cluster, X is (K - 1) / K times McNemar's statistic.

    Unit: the paper. Give one entry for every paper, those without a discordant pair included. All
    d_k = 0: the statistic is undefined and p is 1. Fewer than two papers: both undefined.
    Asymptotic in the informative papers, so the note warns below ten. Raises `StatisticsError` for
    counts that are not whole or negative.
    """
    b = finite_array("first_only", first_only)
    c = finite_array("second_only", second_only)
    same_length(first_only=len(b), second_only=len(c))
    if any(bool((x < 0).any() or (x != np.floor(x)).any()) for x in (b, c)):
        raise StatisticsError("discordant counts must be whole numbers, not negative")
    return cluster_difference_test(b - c)


def cluster_difference_test(differences: ArrayLike) -> ClusteredMcNemar:
    """``clustered_mcnemar`` from the difference d_k of each paper, which may be fractional.

    With repeats a flip is a share, and so is the difference of two agents or families on a paper:
    X = (K - 1) / K * (sum d_k)^2 / sum d_k^2. Give one entry for every paper, 0 included.
    """
    d = finite_array("differences", differences)
    d = np.where(np.abs(d) < 1e-12, 0.0, d)
    clusters, informative = len(d), int(np.count_nonzero(d))
    if clusters < 2:
        return ClusteredMcNemar(None, None, clusters, informative, "fewer than two papers")
    if informative == 0:
        return ClusteredMcNemar(None, 1.0, clusters, 0, "no paper on which the two differ")
    statistic = (clusters - 1) / clusters * math.fsum(d) ** 2 / math.fsum(d**2)
    note = "" if informative >= 10 else f"only {informative} papers on which the two differ"
    return ClusteredMcNemar(statistic, chi_square_tail(statistic), clusters, informative, note)


def holm(p_values: Sequence[float | None]) -> tuple[float | None, ...]:
    """Holm's step-down adjusted p-values, in the order of the input.

    For the i-th smallest of m: max over j <= i of min(1, (m - j + 1) p_(j)) (Holm 1979,
    Scandinavian Journal of Statistics 6). Controls the chance of any false rejection under any
    dependence. None stays None and does not count towards m; an empty family stays empty. Raises
    `StatisticsError` for a value outside [0, 1].
    """
    family = [(p, i) for i, p in enumerate(p_values) if p is not None]
    for p, _ in family:
        if math.isnan(p) or not 0 <= p <= 1:
            raise StatisticsError(f"a p-value must lie in [0, 1], but is {p!r}")
    adjusted: list[float | None] = [None] * len(p_values)
    running = 0.0
    for rank, (p, i) in enumerate(sorted(family)):
        running = max(running, min(1.0, (len(family) - rank) * p))
        adjusted[i] = running
    return tuple(adjusted)
