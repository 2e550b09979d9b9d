"""Verdicts against known labels: confusion counts, accuracy and F1, each by its full name."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from revkit.errors import StatisticsError
from revkit.stats.bootstrap import RESAMPLES, cluster_bootstrap_statistic
from revkit.stats.proportions import rate
from revkit.stats.values import (
    Estimate,
    FloatArray,
    check_count,
    check_level,
    same_length,
    undefined_interval,
)


@dataclass(frozen=True)
class Confusion:
    """Counts of verdicts; positive is "accept". ``left_out`` had no verdict or no label."""

    true_positive: int
    false_positive: int
    false_negative: int
    true_negative: int
    left_out: int = 0

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            check_count(name, value)

    @property
    def total(self) -> int:
        """The number of verdicts counted, without those left out."""
        return self.true_positive + self.false_positive + self.false_negative + self.true_negative


def confusion(actual: Sequence[bool | None], predicted: Sequence[bool | None]) -> Confusion:
    """Confusion counts of two aligned vectors; an item with a None is left out and counted."""
    same_length(actual=len(actual), predicted=len(predicted))
    counts = {(True, True): 0, (True, False): 0, (False, True): 0, (False, False): 0}
    left_out = 0
    for truth, verdict in zip(actual, predicted, strict=True):
        if truth is None or verdict is None:
            left_out += 1
            continue
        if truth not in (0, 1) or verdict not in (0, 1):
            raise StatisticsError(f"a verdict is 0, 1 or None, not {truth!r} and {verdict!r}")
        counts[bool(truth), bool(verdict)] += 1
    return Confusion(
        counts[True, True], counts[False, True], counts[True, False], counts[False, False], left_out
    )


def accuracy(counts: Confusion, level: float = 0.95, *, unit: str = "paper") -> Estimate:
    """(TP + TN) / total with Wilson's interval, each verdict independent; undefined at total 0."""
    return rate(counts.true_positive + counts.true_negative, counts.total, level, unit=unit)


def f1(counts: Confusion, positive: bool = True, level: float = 0.95) -> Estimate:
    """2 TP / (2 TP + FP + FN) of one class (van Rijsbergen 1979, chapter 7), in [0, 1].

    ``positive=False`` gives the F1 of "reject", where TN stands for TP. Undefined, not 0, where
    the class neither occurs nor is predicted. The interval comes from ``classification`` only.
    """
    hits = counts.true_positive if positive else counts.true_negative
    misses = counts.false_positive + counts.false_negative
    reason = "" if hits + misses else "the class neither occurs nor is predicted"
    value = None if reason else 2 * hits / (2 * hits + misses)
    return _without_interval(value, counts.total, level, reason)


def macro_f1(counts: Confusion, level: float = 0.95) -> Estimate:
    """The plain mean of the F1 of both classes; undefined where either is. At most accuracy."""
    accept, reject = f1(counts, True, level), f1(counts, False, level)
    if accept.value is None or reject.value is None:
        return _without_interval(None, counts.total, level, "the F1 of one class is undefined")
    return _without_interval((accept.value + reject.value) / 2, counts.total, level, "")


def _without_interval(value: float | None, n: int, level: float, reason: str) -> Estimate:
    bounds = undefined_interval(level, "none", "paper", n, reason or "needs the papers resampled")
    return Estimate(value, n, bounds, reason)


@dataclass(frozen=True)
class Classification:
    """The four figures of one agent, each with an interval from resampling papers."""

    counts: Confusion
    accuracy: Estimate
    accept_f1: Estimate
    reject_f1: Estimate
    macro_f1: Estimate


def classification(
    actual: Sequence[bool | None],
    predicted: Sequence[bool | None],
    papers: Sequence[Hashable] | None = None,
    *,
    seed: int,
    resamples: int = RESAMPLES,
    level: float = 0.95,
) -> Classification:
    """Accuracy and F1 with percentile intervals over papers; all are functions of four counts.

    ``papers`` names the paper of each verdict; without it every verdict is a paper of its own.
    A resample in which a figure is undefined counts as such (see ``percentile_interval``).
    """
    check_level(level)
    counts = confusion(actual, predicted)
    names = range(len(actual)) if papers is None else papers
    same_length(actual=len(actual), papers=len(names))
    rows: dict[Hashable, list[int]] = {}
    for name, truth, verdict in zip(names, actual, predicted, strict=True):
        if truth is not None and verdict is not None:
            cell = 0 if truth and verdict else 1 if verdict else 2 if truth else 3
            rows.setdefault(name, [0, 0, 0, 0])[cell] += 1
    table = np.array(list(rows.values()), dtype=np.float64).reshape(-1, 4)

    def share(hits: FloatArray, whole: FloatArray) -> FloatArray:
        with np.errstate(invalid="ignore"):
            return np.asarray(hits / whole)

    def correct(t: FloatArray) -> FloatArray:
        return share(t[:, 0] + t[:, 3], t.sum(axis=1))

    def accept(t: FloatArray) -> FloatArray:
        return share(2 * t[:, 0], 2 * t[:, 0] + t[:, 1] + t[:, 2])

    def reject(t: FloatArray) -> FloatArray:
        return share(2 * t[:, 3], 2 * t[:, 3] + t[:, 1] + t[:, 2])

    def both(t: FloatArray) -> FloatArray:
        return np.asarray((accept(t) + reject(t)) / 2)

    one_class = "the class neither occurs nor is predicted"
    results = [
        cluster_bootstrap_statistic(
            table,
            statistic,
            observations=counts.total,
            seed=seed,
            resamples=resamples,
            level=level,
            reason=reason,
        )
        for statistic, reason in (
            (correct, ""),
            (accept, one_class),
            (reject, one_class),
            (both, "the F1 of one class is undefined"),
        )
    ]
    return Classification(counts, *results)
