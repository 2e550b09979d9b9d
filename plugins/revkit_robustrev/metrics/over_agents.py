"""One figure over all agents: the mean or the median of their rates, papers resampled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from revkit_robustrev.metrics.pairs import Sums

if TYPE_CHECKING:
    from revkit.stats import Estimate
    from revkit_robustrev.metrics.resampled import Resampled


def mean_of_rates(agents: Sequence[Sums], metric: Resampled, seed: int) -> Estimate:
    """The plain mean of the agents' rates, each agent with the same weight.

    ``agents`` holds one entry for each agent; those without an observation are left out. The unit
    of resampling is the paper, and one draw of papers serves all agents.
    """
    return _over_rates(agents, "mean", metric, seed)


def median_of_rates(agents: Sequence[Sums], metric: Resampled, seed: int) -> Estimate:
    """The median of the agents' rates; see `mean_of_rates`."""
    return _over_rates(agents, "median", metric, seed)


def _over_rates(agents: Sequence[Sums], which: str, metric: Resampled, seed: int) -> Estimate:
    import numpy as np

    from revkit import stats

    seen = [sums for sums in agents if sums.count]
    columns = [row for sums in seen for row in (sums.totals, sums.counts)]

    def statistic(totals: Any) -> Any:
        with np.errstate(invalid="ignore"):
            rates = totals[:, 0::2] / totals[:, 1::2]
        return rates.mean(axis=1) if which == "mean" else np.median(rates, axis=1)

    papers = len(seen[0].counts) if seen else 0
    kept = [i for i in range(papers) if any(sums.counts[i] for sums in seen)]
    table = np.array([[row[i] for row in columns] for i in kept], dtype=np.float64)
    estimate = stats.cluster_bootstrap_statistic(
        table.reshape(len(kept), len(columns)),
        statistic,
        observations=sum(sums.count for sums in seen),
        seed=seed,
        resamples=metric.resamples,
        level=metric.level,
    )
    if estimate.value not in (0.0, 1.0) or len(kept) < 2:
        return estimate
    exact = stats.clopper_pearson_interval(
        len(kept) if estimate.value else 0, len(kept), metric.level, unit="paper"
    )
    method = "clopper-pearson over papers"
    note = f"no variation between papers: exact bound for {len(kept)} papers"
    return replace(estimate, interval=replace(exact, method=method, note=note))
