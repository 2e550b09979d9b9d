"""`FigureAtStop`: a figure of an agent when a run stopped early."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from revkit.dataclass import dataclass
from revkit.model.values import Json, is_number


@dataclass(frozen=True)
class FigureAtStop:
    """A figure of an agent when the run stopped early: ``figure`` is "flip_rate" or "accuracy",
    ``family`` "" for all families that keep the science. The interval holds at all looks together.
    """

    figure: str
    agent: str
    family: str
    papers: int
    value: float
    low: float
    high: float

    def to_json(self) -> Json:
        return {
            "figure": self.figure,
            "agent": self.agent,
            "family": self.family,
            "papers": self.papers,
            "value": self.value,
            "low": self.low,
            "high": self.high,
        }


def figure_from_json(value: Mapping[str, Any]) -> FigureAtStop:
    """Read what `FigureAtStop.to_json` wrote. Raises `KeyError` or `ValueError` for another
    form.
    """
    numbers = [value[name] for name in ("value", "low", "high")]
    if not all(map(is_number, numbers)):
        raise ValueError("a figure at the stop has no numbers")
    return FigureAtStop(
        str(value["figure"]),
        str(value["agent"]),
        str(value["family"]),
        int(value["papers"]),
        *map(float, numbers),
    )
