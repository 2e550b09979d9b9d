"""Papers and variants with several reviews: the noise of an agent without any perturbation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from revkit.figures import Resampling, Sums
from revkit.model.records import AgentRow, Records, Verdict
from revkit_robustrev.metrics.pairs import RepeatedPair, originals_of

if TYPE_CHECKING:
    from revkit.stats import NoiseFloor


def floor_of(records: Records, agent: AgentRow, resampling: Resampling) -> NoiseFloor:
    """Return the probability that two reviews of one unchanged paper disagree, with its
    interval.
    """
    from revkit import stats

    return stats.noise_floor(
        [
            [verdict.accept for verdict in repeats]
            for repeats in originals_of(records, agent.name).values()
        ],
        resampling=resampling,
    )


def noise_of(pair: RepeatedPair) -> float | None:
    """The chance that two reviews of one text disagree, mean of paper and variant; None where a
    side has fewer than two verdicts."""
    from revkit import stats

    one, other = (stats.distance_within(side) for side in pair.verdicts)
    return None if one is None or other is None else (one + other) / 2


def is_gross(parts: Sequence[tuple[AgentRow, Sums, Sums, Sums]]) -> bool:
    """Whether a net figure is the gross one, so that both have one interval: agents that declare
    themselves deterministic have no noise on any text, and both are based on the same pairs.

    ``parts`` has each agent with the gross sums, those of the pairs with repeats, and their noise.
    Few repeats of another agent may agree by chance, so that its flips are not known to be effects.
    """
    return all(
        agent.deterministic
        and not any(noise.totals)
        and gross == repeated
        and repeated.counts == noise.counts
        for agent, gross, repeated, noise in parts
    )


def within(
    repeats: Sequence[Verdict], of: Callable[[Sequence[Verdict]], Sequence[float]]
) -> float | None:
    """The mean |difference| of two reviews of one text; None below two values."""
    from revkit import stats

    return stats.distance_within(of(repeats))
