"""The result that a fitting method returns to its calibrator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from revkit.dataclass import dataclass
from revkit.model.values import Json

if TYPE_CHECKING:
    from revkit_asc.calibrators.intervals import HeldOut
    from revkit_asc.calibrators.shapes import Shape


@dataclass(frozen=True)
class Fit:
    """A shape, the facts of its fitting method, its flags, and its held-out residuals."""

    shape: Shape
    facts: Mapping[str, Json]
    flags: Sequence[str]
    held_out: HeldOut
    behaviour: str = "flat"
