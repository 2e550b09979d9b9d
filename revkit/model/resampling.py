"""The settings of resampling, which every statistic and metric with resampled intervals
receives.
"""

from __future__ import annotations

import operator

from revkit.dataclass import dataclass
from revkit.errors import StatisticsError

RESAMPLES = 10_000
CONFIDENCE = 0.95
FEW_PAPERS = 20
"""Below this many papers an interval from resampling is expected to be too short."""


@dataclass(frozen=True, slots=True)
class Resampling:
    """The seed of the draws, their number, the confidence level, and the resampled unit.

    ``seed`` is a whole number from 0 up, ``resamples`` one from 1 up, ``confidence`` lies strictly
    between 0 and 1. ``unit`` names what is taken to be independent ("paper", "item", "anchor") and
    appears in intervals and notes. Raises `StatisticsError` for any other value.
    """

    seed: int
    resamples: int = RESAMPLES
    confidence: float = CONFIDENCE
    unit: str = "paper"

    def __post_init__(self) -> None:
        for name, least in (("seed", 0), ("resamples", 1)):
            value = getattr(self, name)
            if isinstance(value, bool) or not hasattr(value, "__index__"):
                raise StatisticsError(f"{name} must be a whole number, not {value!r}")
            if operator.index(value) < least:
                raise StatisticsError(f"{name} must be at least {least}, but is {value}")
        if not 0.0 < self.confidence < 1.0:
            raise StatisticsError(
                f"confidence must lie strictly within [0, 1], but is {self.confidence!r}"
            )
