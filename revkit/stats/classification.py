"""Verdicts against known labels: confusion counts, accuracy and F1, each by its full name."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace

import numpy as np

from revkit.dataclass import dataclass
from revkit.model.resampling import Resampling
from revkit.stats.cluster_intervals import cluster_bootstrap_rates
from revkit.stats.linearisation import residuals
from revkit.stats.proportions import agresti_coull_interval, rate, share_interval
from revkit.stats.squares import correlation_of, squares_added
from revkit.stats.values import (
    Estimate,
    FloatArray,
    Interval,
    check_count,
    same_length,
    two_by_two,
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
    counts, left_out = two_by_two(actual, predicted, "a verdict")
    return Confusion(
        counts[True, True], counts[False, True], counts[True, False], counts[False, False], left_out
    )


def accuracy(counts: Confusion, confidence: float = 0.95, *, unit: str = "paper") -> Estimate:
    """(TP + TN) / total with ``share_interval``, each verdict independent; undefined at total 0."""
    return rate(counts.true_positive + counts.true_negative, counts.total, confidence, unit=unit)


def f1(counts: Confusion, positive: bool = True, confidence: float = 0.95) -> Estimate:
    """2 TP / (2 TP + FP + FN) of one class (van Rijsbergen 1979, chapter 7), in [0, 1].

    ``positive=False`` gives the F1 of "reject", with TN in place of TP. Undefined, not 0, where
    the class neither occurs nor is predicted. The interval comes from ``classification`` only.
    """
    hits = counts.true_positive if positive else counts.true_negative
    misses = counts.false_positive + counts.false_negative
    reason = "" if hits + misses else "the class neither occurs nor is predicted"
    value = None if reason else 2 * hits / (2 * hits + misses)
    return _without_interval(value, counts.total, confidence, reason)


def macro_f1(counts: Confusion, confidence: float = 0.95) -> Estimate:
    """The plain mean of the F1 of both classes; undefined where either is. At most accuracy."""
    accept, reject = f1(counts, True, confidence), f1(counts, False, confidence)
    if accept.value is None or reject.value is None:
        return _without_interval(None, counts.total, confidence, "the F1 of one class is undefined")
    return _without_interval((accept.value + reject.value) / 2, counts.total, confidence, "")


def _without_interval(value: float | None, n: int, confidence: float, reason: str) -> Estimate:
    bounds = undefined_interval(
        confidence, "none", "paper", n, reason or "needs the papers resampled"
    )
    return Estimate(value, n, bounds, reason)


@dataclass(frozen=True)
class Classification:
    """The five figures of one agent, each with an interval over papers.

    ``counts`` are verdicts. ``per_paper`` are the same four counts (true and false positive, false
    and true negative) with every paper counted once, each of its verdicts as a part.
    """

    counts: Confusion
    per_paper: tuple[float, float, float, float]
    accuracy: Estimate
    balanced: Estimate
    accept_f1: Estimate
    reject_f1: Estimate
    macro_f1: Estimate


def classification(
    actual: Sequence[bool | None],
    predicted: Sequence[bool | None],
    papers: Sequence[Hashable] | None = None,
    *,
    resampling: Resampling,
) -> Classification:
    """Accuracy, balanced accuracy and F1 with intervals that hold for few errors as well.

    ``papers`` names the paper of each verdict; without it every verdict is its own paper. A paper
    with several verdicts counts once, each verdict as its part, so that repeats of a reviewer that
    repeats itself change nothing. All bounds come from those of shares: ``share_interval`` where
    the verdicts of each paper agree, else ``cluster_bootstrap_rates``.

    - accuracy: the share of right verdicts;
    - balanced accuracy, the mean of the accuracies on accepted and on rejected papers: the bounds
      of both added in squares (Newcombe 1998; Zou and Donner 2008), those of Agresti and Coull
      where the verdicts of each paper agree, since one class may have few papers;
    - F1 of a class = 2 J / (1 + J) with J = TP / (TP + FP + FN), a share of the verdicts that
      concern the class: the bounds of J (those of Agresti and Coull where the verdicts of each
      paper agree), mapped by that rising function;
    - macro F1: the bounds of both F1 added in squares, with their correlation over papers, taken
      as 1 where one of them does not vary.
    """
    counts = confusion(actual, predicted)
    names = range(len(actual)) if papers is None else papers
    same_length(actual=len(actual), papers=len(names))
    rows: dict[Hashable, list[int]] = {}
    for name, truth, verdict in zip(names, actual, predicted, strict=True):
        if truth is not None and verdict is not None:
            cell = 0 if truth and verdict else 1 if verdict else 2 if truth else 3
            rows.setdefault(name, [0, 0, 0, 0])[cell] += 1
    table = np.array(sorted(rows.values()), dtype=np.float64).reshape(-1, 4)
    if len(table):
        table = table / table.sum(axis=1, keepdims=True)
        table = table[np.lexsort(table.T)]
    tp, fp, fn, tn = table.T
    per_paper = math.fsum(tp), math.fsum(fp), math.fsum(fn), math.fsum(tn)
    share = _Shares(table, resampling)
    accept, reject = tp + fn, fp + tn
    return Classification(
        counts,
        per_paper,
        share.of(tp + tn, table.sum(axis=1), "no paper"),
        share.mean(
            (
                share.of(tp, accept, interval=agresti_coull_interval),
                share.of(tn, reject, interval=agresti_coull_interval),
            ),
            ((tp, accept), (tn, reject)),
            "the papers have one decision only",
        ),
        share.f1(tp, fp + fn),
        share.f1(tn, fp + fn),
        share.mean(
            (share.f1(tp, fp + fn), share.f1(tn, fp + fn)),
            ((2 * tp, 2 * tp + fp + fn), (2 * tn, 2 * tn + fp + fn)),
            "the F1 of one class is undefined",
        ),
    )


@dataclass(frozen=True)
class _Shares:
    """Shares of the verdicts in a table of confusion counts, one row a paper."""

    table: FloatArray
    resampling: Resampling

    def of(
        self,
        hits: FloatArray,
        whole: FloatArray,
        reason: str = "",
        interval: Callable[..., Interval] = share_interval,
    ) -> Estimate:
        """Hits over whole; ``interval`` where the verdicts of each paper agree."""
        if not whole.any():
            return _without_interval(None, 0, self.resampling.confidence, reason)
        if bool(((self.table == 0) | (self.table == 1)).all()):
            right, total = int(hits.sum()), int(whole.sum())
            return rate(right, total, self.resampling.confidence, unit="paper", interval=interval)
        hits = np.minimum(hits, whole)
        return cluster_bootstrap_rates(
            hits[:, None], whole[:, None], resampling=self.resampling, fractional=True
        )[0]

    def f1(self, hits: FloatArray, misses: FloatArray) -> Estimate:
        """2 hits / (2 hits + misses), with the mapped bounds of hits / (hits + misses)."""
        reason = "the class neither occurs nor is predicted"
        part = self.of(hits, hits + misses, reason, agresti_coull_interval)
        if part.value is None:
            return part
        found, bounds = float(hits.sum()), part.interval
        method = f"{bounds.method}, mapped from TP / (TP + FP + FN)"
        value = 2 * found / (2 * found + float(misses.sum()))
        mapped = bounds.map_ends(lambda x: 2 * x / (1 + x))
        return replace(part, value=value, interval=replace(mapped, method=method))

    def mean(
        self,
        parts: tuple[Estimate, Estimate],
        ratios: tuple[tuple[FloatArray, FloatArray], tuple[FloatArray, FloatArray]],
        reason: str,
    ) -> Estimate:
        """The mean of two estimates that are the given ratios of sums."""
        one, other = parts
        total = len(self.table)
        if one.value is None or other.value is None:
            return _without_interval(None, total, self.resampling.confidence, reason)
        correlation = correlation_of(*(residuals(*ratio) for ratio in ratios))
        bounds = squares_added(
            [(0.5, one), (0.5, other)],
            1.0 if correlation is None else correlation,
            unit="paper",
            clusters=len(self.table),
        )
        notes = (part.interval.note for part in parts)
        note = bounds.note or "; ".join(dict.fromkeys(note for note in notes if note))
        return Estimate((one.value + other.value) / 2, total, replace(bounds, note=note))
