"""Agreement of verdicts: between two reviewers (kappa), and of one reviewer with itself (noise
floor).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from revkit.dataclass import dataclass
from revkit.errors import StatisticsError
from revkit.model.resampling import Resampling
from revkit.stats.classification import confusion
from revkit.stats.cluster_intervals import cluster_bootstrap_rates
from revkit.stats.proportions import rate
from revkit.stats.values import Estimate, Interval, normal_quantile, undefined_interval


@dataclass(frozen=True)
class Agreement:
    """Agreement of two verdict vectors: the raw share, the share by chance, and Cohen's kappa."""

    observed: Estimate
    expected: float | None
    kappa: Estimate
    left_out: int


def cohen_kappa(
    first: Sequence[bool | None],
    second: Sequence[bool | None],
    confidence: float = 0.95,
    *,
    unit: str = "paper",
) -> Agreement:
    """kappa = (po - pe) / (1 - pe), in [-1, 1] (Cohen 1960, Educational and Psych. Measurement 20).

    po is the share of equal verdicts, pe that of two independent reviewers with the same margins.
    The interval is kappa +- z se, cut at -1 and 1, with the large-sample se of Fleiss, Cohen and
    Everitt (1969, Psychological Bulletin 72). Items are independent. Undefined where
    pe = 1, both reviewers giving one and the same verdict throughout: they agree fully, and chance
    would too. Where only one of them is constant, kappa is 0, as it should be. No interval where
    the se is 0 (kappa = 1, say). An item with a None is left out and counted.
    """
    table = confusion(first, second)
    n, method = table.total, "fleiss-cohen-everitt"
    z = normal_quantile(confidence)
    observed = rate(table.true_positive + table.true_negative, n, confidence, unit=unit)

    def undefined(reason: str, expected: float | None) -> Agreement:
        bounds = undefined_interval(confidence, method, unit, n, reason)
        return Agreement(observed, expected, Estimate(None, n, bounds, reason), table.left_out)

    if n == 0:
        return undefined(f"no {unit}", None)
    cells = [
        [table.true_positive, table.false_negative],
        [table.false_positive, table.true_negative],
    ]
    rows = [sum(row) for row in cells]
    columns = [cells[0][j] + cells[1][j] for j in (0, 1)]
    chance = sum(rows[i] * columns[i] for i in (0, 1))
    if chance == n * n:
        return undefined("both give one and the same verdict throughout", 1.0)
    agreed = table.true_positive + table.true_negative
    pe = chance / n**2
    # Whole numbers until the one division: exact 0 and 1 come out exact.
    kappa = (agreed * n - chance) / (n * n - chance)
    p = [[cell / n for cell in row] for row in cells]
    r, c = [x / n for x in rows], [x / n for x in columns]
    on = sum(p[i][i] * (1 - (r[i] + c[i]) * (1 - kappa)) ** 2 for i in (0, 1))
    off = (1 - kappa) ** 2 * sum(p[i][1 - i] * (c[i] + r[1 - i]) ** 2 for i in (0, 1))
    variance = (on + off - (kappa - pe * (1 - kappa)) ** 2) / ((1 - pe) ** 2 * n)
    if variance <= 1e-15:
        bounds = undefined_interval(confidence, method, unit, n, "the standard error is 0")
    else:
        half = z * math.sqrt(variance)
        bounds = Interval(
            max(-1.0, kappa - half), min(1.0, kappa + half), confidence, method, unit, n
        )
    return Agreement(observed, pe, Estimate(kappa, n, bounds), table.left_out)


@dataclass(frozen=True)
class NoiseFloor:
    """How often two reviews of the same unchanged paper disagree.

    ``papers`` had two or more valid repeats; ``left_out`` had fewer; ``failed`` counts the
    repeats without a verdict over all papers.
    """

    rate: Estimate
    papers: int
    left_out: int
    failed: int


def noise_floor(
    verdicts: Sequence[Sequence[bool | None]],
    *,
    resampling: Resampling,
) -> NoiseFloor:
    """The chance that two independent repeats on one unchanged paper give different verdicts.

    For a paper with k valid repeats of which a accept, 2 a (k - a) / (k (k - 1)) is the share of
    its pairs of repeats that disagree, an unbiased estimate of 2 q (1 - q) when a repeat accepts
    with probability q (Simpson's index in Gini's form; Simpson 1949, Nature 163). The floor is the
    mean over papers, and its interval resamples papers, with an exact bound where no paper or every
    paper disagrees (``cluster_bootstrap_rates``). It does not limit flip rates: what a perturbation
    adds is the excess over the noise of both sides (``cluster_excess``). Papers with fewer than two
    valid repeats are left out and counted; if that is all, as with one repeat each, the floor is
    undefined. Raises `StatisticsError` for a verdict that is not True, False or None.
    """
    confidence, unit = resampling.confidence, resampling.unit
    shares: list[float] = []
    failed = 0
    for repeats in verdicts:
        valid = [verdict for verdict in repeats if verdict is not None]
        if any(verdict not in (0, 1) for verdict in valid):
            raise StatisticsError("a verdict is True, False or None")
        failed += len(repeats) - len(valid)
        k, a = len(valid), sum(map(bool, valid))
        if k >= 2:
            shares.append(2 * a * (k - a) / (k * (k - 1)))
    estimate = cluster_bootstrap_rates(
        [[share] for share in shares] if shares else [[0.0]],
        [1] * len(shares) if shares else [0],
        resampling=resampling,
    )[0]
    if not shares:
        reason = f"no {unit} with two valid repeats"
        estimate = Estimate(
            None,
            0,
            undefined_interval(confidence, estimate.interval.method, unit, 0, reason),
            reason,
        )
    return NoiseFloor(estimate, len(shares), len(verdicts) - len(shares), failed)
