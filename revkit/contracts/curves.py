"""Maps to the common scale: curves, and the calibrators that fit them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from revkit.contracts.component import Component
from revkit.errors import UnreadableMap
from revkit.model.values import Json

if TYPE_CHECKING:
    import numpy

# Scores, weights and marks of many items, one each: whatever can be read in order.
Numbers: TypeAlias = "Sequence[float] | numpy.ndarray[Any, Any]"

Flags: TypeAlias = "Sequence[bool] | numpy.ndarray[Any, Any]"


class Curve(ABC):
    """A fitted calibration map from raw to common scores.

    Only ``__call__`` and ``to_json`` are required. The defaults state that nothing is known: no
    flags, no diagnostics, no range, an interval without bounds.
    """

    @abstractmethod
    def __call__(self, raw: Numbers) -> Numbers:
        """Map raw scores; the curve states its rule for scores outside the fitted range."""

    @abstractmethod
    def to_json(self) -> Json:
        """Return everything that is needed to rebuild the same curve."""

    @property
    def flags(self) -> tuple[str, ...]:
        """Warnings about mapped scores: "weak", "few_anchors", "flat" and others."""
        return ()

    @property
    def diagnostics(self) -> Mapping[str, Json]:
        """Facts of the fit: ``n`` anchors, ``dropped`` rows, ``residual_sd``, and others that the
        calibrator states.
        """
        return {}

    def extrapolated(self, raw: Numbers) -> Flags:
        """State for each raw score whether it lies outside the range of the anchors."""
        return [False] * len(raw)

    def interval(
        self, raw: Numbers, level: float = 0.9
    ) -> tuple[
        Numbers,
        Numbers,
        Mapping[str, Json],
    ]:
        """Return the interval in which the target score of a new item with each raw score is
        expected.

        The lower ends, the upper ends, and what the interval is: its ``method``, nominal ``level``,
        ``held_out_anchors`` (the share of anchors inside, each tested on what was computed without
        it), ``n``, and ``bounded``. Without bounds the ends are infinite and ``note`` says why.
        """
        low, high = [float("-inf")] * len(raw), [float("inf")] * len(raw)
        known: Mapping[str, Json] = {
            "method": "none",
            "level": level,
            "held_out_anchors": None,
            "n": 0,
            "bounded": False,
            "note": "this curve has no intervals",
        }
        return low, high, known


class Calibrator(Component):
    """A method of fitting a `Curve`."""

    @abstractmethod
    def fit(
        self,
        raw: Numbers,
        target: Numbers,
        weights: Numbers | None = None,
    ) -> Curve:
        """Fit a map from ``raw`` to ``target``, with one row and one weight for each anchor.

        All are of one length; None for the weights means equal ones. The order of rows never
        changes the map. Rows without usable numbers are left out and counted in the diagnostics;
        anchors to which no map can be fitted raise a `revkit.errors.CalibrationError`.
        """

    def load(self, value: Json) -> Curve:
        """Rebuild a curve from its `Curve.to_json`, equal to the last bit.

        Raises `revkit.errors.UnreadableMap` for a map of another calibrator or schema version, and
        for one that is damaged. Default: a calibrator cannot load.
        """
        raise UnreadableMap(f"{self.name}: this calibrator cannot load stored maps")
