"""Two errors over pairs of items, which have the same name in the literature.

For items with a human score h and an evaluator's score a:

- `pairwise_abs_error`: the mean over all pairs i < j of |(h_i - h_j) - (a_i - a_j)|, in points;
- `pairwise_rank_error`: of the pairs that people order (h_i differs from h_j), the share that the
  evaluator orders in the opposite way; a tie of the evaluator counts half.

ReviewBench prints a "Pairwise (Absolute) Error" of 0.1494 (Li et al., Table 4). Its name
indicates the first; but one minus the concordance that matches its correlation is 0.147, so it is
unknown which was computed. Intervals resample papers: if the paper of an item was drawn w_i times,
a pair counts w_i w_j times.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING, Any

from revkit.figures import Resampling

if TYPE_CHECKING:
    import numpy

    from revkit.stats import Estimate

_MOST = 2_000
_BLOCK = 500_000
_METHOD = "cluster bootstrap over pairs, percentile"


def pairwise_abs_error(
    human: Sequence[float],
    judged: Sequence[float],
    papers: Sequence[Hashable],
    *,
    resampling: Resampling,
) -> Estimate:
    """Return the mean of |(h_i - h_j) - (a_i - a_j)| over pairs; undefined below two items."""
    return _estimate(human, judged, papers, _differences, resampling, "needs two items or more")


def pairwise_rank_error(
    human: Sequence[float],
    judged: Sequence[float],
    papers: Sequence[Hashable],
    *,
    resampling: Resampling,
) -> Estimate:
    """Return the share of ordered pairs in the wrong order; undefined if people order no pair."""
    return _estimate(human, judged, papers, _misorders, resampling, "people order no pair")


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
    reason: str,
) -> Estimate:
    import numpy as np

    from revkit.stats import Estimate
    from revkit.stats.values import finite_array, same_length, too_few, undefined_interval

    h, a = finite_array("human", human), finite_array("judged", judged)
    n = same_length(human=len(h), judged=len(a), papers=len(papers))
    place = _places(h.tolist(), a.tolist(), papers)
    clusters = len(set(place))
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
    bounds = _interval(errors, counts, np.array(place), clusters, resampling)
    return Estimate(value, n, bounds)


def _interval(
    errors: numpy.ndarray[Any, Any],
    counts: numpy.ndarray[Any, Any],
    place: numpy.ndarray[Any, Any],
    clusters: int,
    resampling: Resampling,
) -> Any:
    import numpy as np

    from revkit.stats.bootstrap import percentile_interval, resample_weights

    found = []
    rows = max(1, _BLOCK // len(place))
    for weights in resample_weights(clusters, resampling):
        for start in range(0, len(weights), rows):
            drawn = weights[start : start + rows][:, place]
            with np.errstate(invalid="ignore"):
                found.append(
                    ((drawn @ errors) * drawn).sum(axis=1) / ((drawn @ counts) * drawn).sum(axis=1)
                )
    return percentile_interval(
        np.concatenate(found),
        resampling.confidence,
        unit="paper",
        clusters=clusters,
        method=_METHOD,
    )


def _places(h: Sequence[float], a: Sequence[float], papers: Sequence[Hashable]) -> list[int]:
    """Return the number of each item's paper. Papers are numbered by their scores, so that neither
    their names nor their order change the draws.
    """
    content: dict[Hashable, list[tuple[float, float]]] = {}
    for paper, one, other in zip(papers, h, a, strict=True):
        content.setdefault(paper, []).append((one, other))
    ranked = sorted(content, key=lambda paper: sorted(content[paper]))
    number = {paper: i for i, paper in enumerate(ranked)}
    return [number[paper] for paper in papers]
