"""One figure over all agents: the mean or the median of their rates, papers resampled."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from revkit.figures import Resampling, Sums, arrays

if TYPE_CHECKING:
    from revkit.stats import Estimate


def over_rates(
    agents: Sequence[Sums], which: Literal["mean", "median"], resampling: Resampling
) -> Estimate:
    """The plain "mean" or the "median" of the agents' rates, each agent with the same weight.

    ``agents`` holds one entry for each agent; those without an observation are left out. The unit
    is the paper, and one draw of papers serves all agents. Of one agent it is that agent's rate.
    """
    from revkit import stats

    combine = stats.cluster_mean_rate if which == "mean" else stats.cluster_median_rate
    return combine(*arrays(agents, len(agents[0].counts)), resampling=resampling)
