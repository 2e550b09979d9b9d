"""`FittedCurve`: the result of every calibrator in this plugin."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from typing import Any

import numpy as np

from revkit.contracts import Curve
from revkit.dataclass import dataclass
from revkit.errors import BadScores, UnreadableMap
from revkit.model.values import Json, canonical_json
from revkit_asc.calibrators.anchors import HIGH, LOW, FloatArray
from revkit_asc.calibrators.intervals import HeldOut
from revkit_asc.calibrators.shapes import Shape, shape_from_json

SCHEMA = "revkit-curve/1"


def as_scores(raw: Any) -> FloatArray:
    """Return raw scores as a one-dimensional float64 array (a single number has length 1).

    NaN and infinities may pass: NaN stays NaN, an infinity lies outside any range. Text, None and
    truth values raise `BadScores`.
    """
    array = raw if isinstance(raw, np.ndarray) else np.asarray(raw)
    if array.dtype.kind not in "fiu" and array.size:
        raise BadScores(f"scores to map must be numbers, not {array.dtype}")
    if array.ndim > 1:
        raise BadScores(f"scores to map must be one flat sequence, not {array.ndim}-dimensional")
    return np.atleast_1d(np.asarray(array, dtype=np.float64))


@dataclass(frozen=True, eq=False)
class FittedCurve(Curve):
    """A map with the record of its fit: calibrator, anchors, and diagnostics.

    ``range`` holds the smallest and largest raw score of the anchors, None without anchors.
    Two curves are equal where their JSON is.
    """

    calibrator: str
    options: Mapping[str, Json]
    shape: Shape
    range: tuple[float, float] | None
    facts: Mapping[str, Json]
    marks: tuple[str, ...] = ()
    held_out: HeldOut = field(default_factory=lambda: HeldOut(()))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FittedCurve) and self._text() == other._text()

    def __hash__(self) -> int:
        return hash(self._text())

    def _text(self) -> str:
        return canonical_json(self.to_json())

    def __call__(self, raw: Sequence[float] | np.ndarray[Any, Any]) -> FloatArray:
        """Map raw scores (lists or arrays). NaN stays NaN. Raises `BadScores` if a value is not a
        number.

        Outside the anchors' range the rule of ``diagnostics["range"]["behaviour"]`` holds.
        """
        return self.shape(as_scores(raw))

    def extrapolated(
        self, raw: Sequence[float] | np.ndarray[Any, Any]
    ) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Return True for each raw score below the lowest or above the highest anchor."""
        scores = as_scores(raw)
        if self.range is None:
            return np.ones(len(scores), dtype=bool)
        return np.asarray((scores < self.range[0]) | (scores > self.range[1]))

    def interval(
        self, raw: Sequence[float] | np.ndarray[Any, Any], level: float = 0.9
    ) -> tuple[FloatArray, FloatArray, Mapping[str, Json]]:
        """Return the interval, within [0, 100], for the consensus of a new item that resembles the
        anchors.

        The map plus and minus an order statistic of the anchors' residuals over their typical size
        at that place, each from a fit without its fold (cross-conformal, Vovk 2015, Ann. Math.
        Artif. Intell. 74; scaled residuals, Lei et al. 2018, JASA 113). ``held_out_anchors`` is
        the share of anchors inside, each tested on what was computed without it, ``by_place`` the
        same by third of the scale. All of this is about items like the anchors: where a stream has
        another mix of severities, fewer are inside, above all at the ends, and only its own items
        can show how many (`calibration-agents`). Below 1 / (1 - level) - 1 anchors no finite bound
        exists and both ends are infinite.
        """
        middle = self(raw)
        width, known = self.held_out.widths(np.nan_to_num(middle, nan=0.0), level)
        outside = int(self.extrapolated(raw).sum())
        known = {**known, "extrapolated": outside}
        if width is None:
            return np.full(len(middle), -math.inf), np.full(len(middle), math.inf), known
        return np.clip(middle - width, LOW, HIGH), np.clip(middle + width, LOW, HIGH), known

    @property
    def diagnostics(self) -> Mapping[str, Json]:
        """The facts of the fit; each calibrator documents its own."""
        return {**self.facts, "flags": list(self.marks)}

    @property
    def flags(self) -> tuple[str, ...]:
        """Warnings about the map that a reader of mapped scores needs."""
        return self.marks

    def with_facts(self, facts: Mapping[str, Json], flags: Sequence[str] = ()) -> FittedCurve:
        """Return the same map with additional facts and flags; flags that are already present are
        not repeated.
        """
        more = [flag for flag in dict.fromkeys(flags) if flag not in self.marks]
        return replace(self, facts={**self.facts, **facts}, marks=(*self.marks, *more))

    def to_json(self) -> dict[str, Json]:
        """Return all fields as JSON, with floats in their shortest exact form."""
        return {
            "schema": SCHEMA,
            "calibrator": self.calibrator,
            "options": dict(self.options),
            "shape": self.shape.to_json(),
            "range": None if self.range is None else list(self.range),
            "flags": list(self.marks),
            "diagnostics": dict(self.facts),
            "residuals": self.held_out.to_json(),
        }


def curve_from_json(value: Json, calibrator: str) -> FittedCurve:
    """Rebuild a curve. Raises `UnreadableMap` if it is not a curve of ``calibrator``."""
    if not isinstance(value, Mapping):
        raise UnreadableMap("a stored map must be a JSON object")
    check_header(value, calibrator)
    kinds: Mapping[str, type | tuple[type, ...]] = {
        "options": Mapping,
        "shape": Mapping,
        "flags": list | tuple,  # type: ignore[dict-item]
        "diagnostics": Mapping,
        "residuals": list | tuple,  # type: ignore[dict-item]
    }
    for key, kind in kinds.items():
        if not isinstance(value.get(key), kind):
            raise UnreadableMap(
                f"the stored map is damaged: {key!r} is missing or has a wrong type"
            )
    stored: Mapping[str, Any] = value
    ends = stored.get("range", ())
    if ends is not None:
        if (
            not isinstance(ends, list | tuple)
            or len(ends) != 2
            or not all(isinstance(end, float | int) and math.isfinite(end) for end in ends)
        ):
            raise UnreadableMap("the stored map is damaged: 'range' must hold two numbers")
        ends = (float(ends[0]), float(ends[1]))
    if not all(isinstance(flag, str) for flag in stored["flags"]):
        raise UnreadableMap("the stored map is damaged: 'flags' must hold texts")
    return FittedCurve(
        calibrator=calibrator,
        options=dict(stored["options"]),
        shape=shape_from_json(stored["shape"]),
        range=ends,
        facts=dict(stored["diagnostics"]),
        marks=tuple(stored["flags"]),
        held_out=HeldOut.from_json(stored["residuals"]),
    )


def check_header(value: Mapping[str, Json], calibrator: str) -> None:
    """Refuse a curve of another schema version or another calibrator, and name it."""
    schema, name = value.get("schema"), value.get("calibrator")
    if schema != SCHEMA:
        raise UnreadableMap(f"the stored map has schema {schema!r}; this version reads {SCHEMA!r}")
    if name != calibrator:
        raise UnreadableMap(f"the stored map is by {name!r}, not by {calibrator!r}")
