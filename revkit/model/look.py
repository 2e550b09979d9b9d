"""`Look`: a condition of ``stop-when`` as it was when a run looked at its results."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from revkit.dataclass import dataclass
from revkit.model.values import Json, is_number


@dataclass(frozen=True)
class Look:
    """One condition at one look: its papers with a valid pair (of both agents, for a difference),
    and the interval of its figure, which holds at all looks together.
    """

    condition: str
    papers: int
    value: float | None
    low: float | None
    high: float | None
    settled: bool

    def to_json(self) -> Json:
        return {
            "condition": self.condition,
            "papers": self.papers,
            "value": self.value,
            "low": self.low,
            "high": self.high,
            "settled": self.settled,
        }


def look_from_json(value: Mapping[str, Any]) -> Look:
    """Read what `Look.to_json` wrote. Raises `KeyError` or `ValueError` for another form."""
    value_, low, high = (value[name] for name in ("value", "low", "high"))
    if not all(each is None or is_number(each) for each in (value_, low, high)):
        raise ValueError("the look of a condition has no numbers")
    return Look(
        str(value["condition"]), int(value["papers"]), value_, low, high, value["settled"] is True
    )
