"""Two errors over pairs of items, which have the same name in the literature.

For items with a human score h and an evaluator's score a:

- `pairwise_abs_error`: the mean over all pairs i < j of |(h_i - h_j) - (a_i - a_j)|, in points;
- `pairwise_rank_error`: of the pairs that people order (h_i differs from h_j), the share that the
  evaluator orders in the opposite way; a tie of the evaluator counts half.

ReviewBench prints a "Pairwise (Absolute) Error" of 0.1494 (Li et al., Table 4). Its name
indicates the first; but one minus the concordance that matches its correlation is 0.147, so it is
unknown which was computed. Intervals are over papers: the jackknife leaves out one paper at a time
(Arvesen 1969, Annals of Mathematical Statistics 40, 2076-2100), and Hall's method takes the
skewness of its parts into account (`revkit.stats`).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING, Any

from revkit.figures import FEW_PAPERS, Resampling

if TYPE_CHECKING:
    import numpy

    from revkit.stats import Estimate, Interval

_MOST = 2_000
_METHOD = "jackknife over papers, t without skewness"


def pairwise_abs_error(
    human: Sequence[float],
    judged: Sequence[float],
    papers: Sequence[Hashable],
    *,
    resampling: Resampling,
) -> Estimate:
    """Return the mean of |(h_i - h_j) - (a_i - a_j)| over pairs; undefined below two items."""
    return _estimate(human, judged, papers, _differences, resampling, None)


def pairwise_rank_error(
    human: Sequence[float],
    judged: Sequence[float],
    papers: Sequence[Hashable],
    *,
    resampling: Resampling,
) -> Estimate:
    """Return the share of ordered pairs in the wrong order; undefined if people order no pair."""
    return _estimate(human, judged, papers, _misorders, resampling, 1.0)


def _differences(h: numpy.ndarray[Any, Any], a: numpy.ndarray[Any, Any]) -> Any:
    import numpy as np

    errors = np.abs(h - a)
    return errors, np.ones_like(errors)


def _misorders(h: numpy.ndarray[Any, Any], a: numpy.ndarray[Any, Any]) -> Any:
    import numpy as np

    ordered = (h != 0).astype(float)
    wrong = np.where(a == 0, 0.5, (np.sign(h) != np.sign(a)).astype(float))
    return wrong * ordered, ordered


def _estimate(
    human: Sequence[float],
    judged: Sequence[float],
    papers: Sequence[Hashable],
    error: Callable[[Any, Any], Any],
    resampling: Resampling,
    most: float | None,
) -> Estimate:
    import numpy as np

    from revkit.stats import Estimate
    from revkit.stats.values import finite_array, same_length, too_few, undefined_interval

    reason = "needs two items or more" if most is None else "people order no pair"
    h, a = finite_array("human", human), finite_array("judged", judged)
    n = same_length(human=len(h), judged=len(a), papers=len(papers))
    number = {paper: i for i, paper in enumerate(dict.fromkeys(papers))}
    place, clusters = [number[paper] for paper in papers], len(number)
    if n < 2:
        return Estimate(
            None,
            n,
            undefined_interval(resampling.confidence, _METHOD, "paper", clusters, reason),
            reason,
        )
    errors, counts = error(h[:, None] - h[None, :], a[:, None] - a[None, :])
    np.fill_diagonal(errors, 0.0)
    np.fill_diagonal(counts, 0.0)
    if not counts.any():
        return Estimate(
            None,
            n,
            undefined_interval(resampling.confidence, _METHOD, "paper", clusters, reason),
            reason,
        )
    value = float(errors.sum() / counts.sum())
    if clusters < 2:
        return Estimate(value, n, too_few(resampling.confidence, "paper", clusters, _METHOD))
    if n > _MOST:
        note = f"no interval is computed for more than {_MOST:,} items"
        return Estimate(
            value, n, undefined_interval(resampling.confidence, _METHOD, "paper", clusters, note)
        )
    left = _left_out(errors, counts, np.array(place), clusters)
    if left is None:
        note = "undefined without one of the papers"
        bounds = undefined_interval(resampling.confidence, _METHOD, "paper", clusters, note)
        return Estimate(value, n, bounds)
    return Estimate(value, n, _interval(value, left, most, resampling))


def _left_out(
    errors: numpy.ndarray[Any, Any],
    counts: numpy.ndarray[Any, Any],
    place: numpy.ndarray[Any, Any],
    clusters: int,
) -> numpy.ndarray[Any, Any] | None:
    """Return the value without each paper in turn; None if it is undefined without one."""
    import numpy as np

    same = place[:, None] == place[None, :]
    sums = [
        whole.sum()
        - 2 * np.bincount(place, whole.sum(axis=1), clusters)
        + np.bincount(place, (whole * same).sum(axis=1), clusters)
        for whole in (errors, counts)
    ]
    if bool((sums[1] <= 0).any()):
        return None
    return np.asarray(sums[0] / sums[1])


def _interval(
    value: float, left: numpy.ndarray[Any, Any], most: float | None, resampling: Resampling
) -> Interval:
    from revkit.stats.linearisation import skewness_corrected
    from revkit.stats.values import Interval, undefined_interval

    papers, confidence = len(left), resampling.confidence
    parts = (papers - 1) / papers * (left.mean() - left)
    if float(abs(parts).max()) <= 1e-12 * max(1.0, abs(value)):
        note = "no variation between papers"
        return undefined_interval(confidence, _METHOD, "paper", papers, note)
    low, high = skewness_corrected(value, parts, confidence)
    high = high if most is None else min(high, most)
    few = papers < FEW_PAPERS
    note = f"only {papers} papers: expect the interval to be too short" if few else ""
    return Interval(max(0.0, low), high, confidence, _METHOD, "paper", papers, note, few)
