"""One figure over all agents: the mean or the median of their rates, papers resampled."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from revkit_robustrev.metrics.pairs import Sums

if TYPE_CHECKING:
    from revkit.stats import Estimate
    from revkit_robustrev.metrics.resampled import Resampled


def over_rates(agents: Sequence[Sums], which: str, metric: Resampled, seed: int) -> Estimate:
    """The plain "mean" or the "median" of the agents' rates, each agent with the same weight.

    ``agents`` holds one entry for each agent; those without an observation are left out. The unit
    is the paper, and one draw of papers serves all agents. Of one agent it is that agent's rate.
    """
    import numpy as np

    from revkit import stats

    combine = stats.cluster_mean_rate if which == "mean" else stats.cluster_median_rate
    shape = (len(agents), len(agents[0].counts))
    return combine(
        np.array([sums.totals for sums in agents]).reshape(shape).T,
        np.array([sums.counts for sums in agents]).reshape(shape).T,
        seed=seed,
        resamples=metric.resamples,
        level=metric.level,
    )
