"""The function of a simulated agent from the severity that it reads to its score."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from revkit.dataclass import dataclass

if TYPE_CHECKING:
    import numpy

    Numbers = float | numpy.ndarray[Any, Any]


PROMPTS = (0.0, 28.0, -28.0, 14.0)
"""How much stricter an agent is under each version of its prompt, in severity points as seen.

The first change lifts the disagreement of six paper-like agents from 7.7 to about 11 when one of
them makes it and its map stays as it was.
"""


@dataclass(frozen=True, slots=True)
class Response:
    """The response of one agent: which severity it reads, and its scale.

    It sees the severity of a manuscript's flaws, moved by its view of the cluster (standard
    deviation ``cluster``), by its taste (``taste``, the same at every call) and by chance
    (``noise``, new at every call), all in severity points. What it sees maps to its scale by an
    increasing curve: nothing changes below ``floor`` and above ``ceiling``; ``bend`` in (0, 1)
    lifts the middle of the curve (above 0.5) or lowers it; ``steep`` in (0, 1) flattens both ends
    (below 0.5) or the middle. Scores lie between ``low`` and ``high`` in steps of ``step``.

    The curve takes sums, products and quotients alone, so it gives the same bits for one number,
    for an array, and on every machine.
    """

    low: float = 0.0
    high: float = 100.0
    floor: float = 0.0
    ceiling: float = 100.0
    bend: float = 0.5
    steep: float = 0.5
    step: float = 1.0
    noise: float = 0.0
    taste: float = 0.0
    cluster: float = 0.0

    def curve(self, seen: Numbers) -> Numbers:
        """Map severities as read to scores in [0, 100] before rounding; the function increases."""
        import numpy

        share = (seen - self.floor) / (self.ceiling - self.floor)
        share = numpy.minimum(numpy.maximum(share, 0.0), 1.0)
        return self.low + (self.high - self.low) * _bias(_gain(share, self.steep), self.bend)

    def rounded(self, score: Numbers) -> Numbers:
        """Round scores to the agent's steps, halves upwards, and limit them to [0, 100]."""
        import numpy

        if self.step > 0.0:
            score = numpy.floor(score / self.step + 0.5) * self.step
        return numpy.minimum(numpy.maximum(score, 0.0), 100.0)

    def __call__(self, seen: Numbers) -> Numbers:
        """Map severities as read to the scores of the agent; the function never decreases."""
        return self.rounded(self.curve(seen))

    def prompted(self, version: int) -> Response:
        """Return the same agent with another version of its prompt, an index of `PROMPTS`."""
        stricter = PROMPTS[version]
        return replace(self, floor=self.floor - stricter, ceiling=self.ceiling - stricter)


def cluster_views(seed: str, clusters: Sequence[str], spread: float) -> dict[str, float]:
    """Return how much more (positive) or less severely an agent with this ``seed`` rates each
    cluster, in severity points with standard deviation ``spread``; a value does not depend on the
    other clusters.
    """
    return {name: random.Random(f"{seed}:{name}").gauss(0.0, 1.0) * spread for name in clusters}


def _bias(share: Numbers, bend: float) -> Numbers:
    """Return an increasing rational curve through (0, 0), (0.5, ``bend``) and (1, 1)."""
    return share / ((1.0 / bend - 2.0) * (1.0 - share) + 1.0)


def _gain(share: Numbers, steep: float) -> Numbers:
    """Return two such curves, mirrored at (0.5, 0.5)."""
    import numpy

    lower = 0.5 * _bias(numpy.minimum(2.0 * share, 1.0), steep)
    upper = 1.0 - 0.5 * _bias(numpy.minimum(2.0 - 2.0 * share, 1.0), steep)
    return numpy.where(share < 0.5, lower, upper)
