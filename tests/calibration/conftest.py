"""A calibrator small enough to work out by hand, and a map that it fitted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest

from revkit.calibration import CalibrationMap
from revkit.contracts import Calibrator, Curve
from revkit.errors import TooFewAnchors, UnreadableMap
from revkit.model.review import Scale
from revkit.options import option
from revkit.registry import Registry, load_registry


class Bent(Curve):
    """``low`` + ``slope`` x severity up to 100; anchors ended at ``end``."""

    def __init__(self, low: float, slope: float, end: float) -> None:
        self.low, self.slope, self.end = low, slope, end

    def __call__(self, raw: Any) -> Any:
        return [min(100.0, self.low + self.slope * float(value)) for value in raw]

    def extrapolated(self, raw: Any) -> Any:
        return [value > self.end for value in raw]

    def to_json(self) -> Any:
        return {"low": self.low, "slope": self.slope, "end": self.end}


@dataclass(frozen=True)
class Bending(Calibrator):
    """The ratio of the weighted means, from ``low`` on."""

    name: ClassVar[str] = "bending"
    version: ClassVar[str] = "1"
    low: float = option(0.0, help="The lowest score.")

    def fit(self, raw: Any, target: Any, weights: Any = None) -> Curve:
        if len(raw) < 2:
            raise TooFewAnchors(f"{len(raw)} anchors")
        weights = weights or [1.0] * len(raw)
        rows = sorted(zip(raw, target, weights, strict=True))
        over = sum(w * (y - self.low) for _, y, w in rows)
        return Bent(self.low, over / sum(w * x for x, _, w in rows), max(raw))

    def load(self, value: Any) -> Curve:
        if set(value) != {"low", "slope", "end"}:
            raise UnreadableMap("no curve of bending")
        return Bent(**value)


@pytest.fixture
def registry(no_plugins: None) -> Registry:
    """A registry that knows the calibrator."""
    return load_registry([Bending])


@pytest.fixture
def a_map() -> Callable[..., CalibrationMap]:
    """Make a map: scores 1 to 5, higher is better, common = severity / 2, anchors up to 75."""

    def made(**fields: Any) -> CalibrationMap:
        known: dict[str, Any] = {
            "agent": "g1",
            "scale": Scale("1-5", 1.0, 5.0),
            "calibrator": "bending",
            "options": {"low": 0.0},
            "curve": Bent(0.0, 0.5, 75.0),
            "fitted": "2026-01-01",
            "expires": "2026-01-31",
            "fingerprint": "f" * 64,
        }
        return CalibrationMap(**{**known, **fields})

    return made
