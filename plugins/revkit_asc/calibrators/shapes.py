"""The shapes of maps: vectorised, stored as JSON, with a stated rule outside the range of the
anchors.

========== =====================================================================================
``spline`` cubic in u = F(raw); constant beyond the anchors
``points`` linear between points; constant beyond the anchors
``line``   y0 + slope (raw - x0), clipped to [0, 100]; goes on beyond the anchors, or does not
``same``   raw scores as they are, also outside [0, 100]
========== =====================================================================================
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np

from revkit.errors import UnreadableMap
from revkit.model.values import Json, is_number
from revkit_asc.calibrators.anchors import HIGH, LOW, FloatArray
from revkit_asc.calibrators.bases import increasing_pieces
from revkit_asc.calibrators.smoothing import Scaling, position

# So many scores at a time stay in the processor's cache.
BLOCK = 1 << 14
CELLS = 1 << 12


class Shape(Protocol):
    """A map of one-dimensional float arrays, with its JSON form."""

    def __call__(self, raw: FloatArray) -> FloatArray: ...

    def to_json(self) -> dict[str, Json]: ...


class Pieces:
    """A function that is cubic on each interval of ``breaks`` and constant beyond its ends.

    ``bernstein`` has shape (pieces, 4). Pieces too narrow to divide by hold their first value.
    """

    def __init__(self, breaks: FloatArray, bernstein: FloatArray) -> None:
        b0, b1, b2, b3 = bernstein.T
        width = np.diff(breaks)
        with np.errstate(divide="ignore", over="ignore"):
            inverse = 1 / width
        usable = np.isfinite(inverse)
        self.inverse = np.where(usable, inverse, 0.0)
        self.breaks = breaks
        self.c0, self.c1 = b0.copy(), 3 * (b1 - b0)
        self.c2, self.c3 = 3 * (b2 - 2 * b1 + b0), b3 - 3 * b2 + 3 * b1 - b0
        self.low, self.high = float(bernstein[0, 0]), float(bernstein[-1, 3])
        self._index()

    def _index(self) -> None:
        """Return, for each of many equal cells of the range, the piece at the left edge of the
        cell.

        A look-up and a comparison are then enough for most scores, where a binary search would
        miss the processor's branch prediction ten times.
        """
        start, end = float(self.breaks[0]), float(self.breaks[-1])
        inner = self.breaks[1:-1]
        scale = CELLS / (end - start)
        self.scale = scale if np.isfinite(scale) and len(inner) < CELLS else 0.0
        if not self.scale:
            return
        # The cell of each break by the very formula that scores use, so that both always agree.
        cell = np.minimum(((inner - start) * self.scale).astype(np.intp), CELLS - 1)
        self.first = np.searchsorted(cell, np.arange(CELLS), side="left").astype(np.intp)
        self.steps = int(np.bincount(cell, minlength=1).max()) if len(inner) else 0
        self.next = np.append(inner, np.inf)
        if self.steps > 3:
            self.scale = 0.0

    def _piece(self, x: FloatArray) -> Any:
        if not self.scale:
            return np.searchsorted(self.breaks[1:-1], x, side="right")
        cell = ((x - self.breaks[0]) * self.scale).astype(np.intp)
        np.minimum(cell, CELLS - 1, out=cell)
        piece = self.first.take(cell)
        for _ in range(self.steps):
            piece += self.next.take(piece) <= x
        return piece

    def __call__(self, raw: FloatArray) -> FloatArray:
        result = np.empty(len(raw))
        for start in range(0, len(raw), BLOCK):
            part = raw[start : start + BLOCK]
            x = np.minimum(np.maximum(part, self.breaks[0]), self.breaks[-1])
            missing = np.isnan(x)
            some = bool(missing.any())
            if some:
                x[missing] = self.breaks[0]
            piece = self._piece(x)
            t = (x - self.breaks.take(piece)) * self.inverse.take(piece)
            y = self.c3.take(piece)
            y *= t
            y += self.c2.take(piece)
            y *= t
            y += self.c1.take(piece)
            y *= t
            y += self.c0.take(piece)
            np.maximum(y, self.low, out=y)
            np.minimum(y, self.high, out=y)
            if some:
                y[missing] = np.nan
            result[start : start + BLOCK] = y
        return result


class SplineShape:
    """A cubic spline with ordered coefficients over a `Scaling`."""

    def __init__(self, scaling: Scaling, coefficients: FloatArray) -> None:
        self.scaling, self.coefficients = scaling, coefficients
        # So many levels are looked up faster than they are turned into separate pieces.
        self.two_steps = len(scaling.x) > CELLS
        self.pieces = self._spans() if self.two_steps else self._compiled()

    def _spans(self) -> Pieces:
        """Return one piece for each knot span, over u."""
        inner = self.scaling.inner
        edges = np.concatenate(([0.0], inner, [1.0]))
        return Pieces(edges, increasing_pieces(self.coefficients, inner, edges[:-1], edges[1:]))

    def _compiled(self) -> Pieces:
        """Return the pieces, each within one knot span and between two points of the scaling."""
        scaling = self.scaling
        u = scaling.u
        inside = scaling.inner[(scaling.inner > u[0]) & (scaling.inner < u[-1])]
        i = np.searchsorted(u, inside, side="right") - 1
        between, i = inside[u[i] != inside], i[u[i] != inside]
        share = (between - u[i]) / (u[i + 1] - u[i])
        at = scaling.x[i] + share * (scaling.x[i + 1] - scaling.x[i])
        order = np.argsort(np.concatenate((u, between)), kind="stable")
        all_u = np.concatenate((u, between))[order]
        breaks = np.maximum.accumulate(np.concatenate((scaling.x, at))[order])
        inner = scaling.inner
        return Pieces(breaks, increasing_pieces(self.coefficients, inner, all_u[:-1], all_u[1:]))

    def __call__(self, raw: FloatArray) -> FloatArray:
        return self.pieces(position(self.scaling, raw) if self.two_steps else raw)

    def to_json(self) -> dict[str, Json]:
        scaling = self.scaling
        return {
            "kind": "spline",
            "domain": scaling.domain,
            "x": scaling.x.tolist(),
            "u": scaling.u.tolist(),
            "knots": scaling.inner.tolist(),
            "coefficients": self.coefficients.tolist(),
        }


class PointsShape:
    """A piecewise linear function through ordered points."""

    def __init__(self, x: FloatArray, y: FloatArray) -> None:
        self.x, self.y = x, y
        step = np.diff(y)[:, None] * (np.arange(4) / 3)
        bernstein = y[:-1, None] + step
        bernstein[:, 3] = y[1:]
        self.pieces = Pieces(x, bernstein)

    def __call__(self, raw: FloatArray) -> FloatArray:
        return self.pieces(raw)

    def to_json(self) -> dict[str, Json]:
        return {"kind": "points", "x": self.x.tolist(), "y": self.y.tolist()}


class LineShape:
    """The line y0 + slope (raw - x0), limited to [0, 100]; ``ends``, if given, limits the raw
    scores.
    """

    def __init__(
        self, x0: float, y0: float, slope: float, ends: tuple[float, float] | None = None
    ) -> None:
        self.x0, self.y0, self.slope, self.ends = x0, y0, slope, ends

    def __call__(self, raw: FloatArray) -> FloatArray:
        if not self.slope:
            return np.where(np.isnan(raw), np.nan, min(HIGH, max(LOW, self.y0)))
        x = raw if self.ends is None else np.clip(raw, *self.ends)
        with np.errstate(over="ignore"):
            return np.asarray(np.clip(self.y0 + self.slope * (x - self.x0), LOW, HIGH))

    def to_json(self) -> dict[str, Json]:
        ends = None if self.ends is None else list(self.ends)
        return {"kind": "line", "x0": self.x0, "y0": self.y0, "slope": self.slope, "ends": ends}


class SameShape:
    """The identity: raw scores unchanged."""

    def __call__(self, raw: FloatArray) -> FloatArray:
        return raw.copy()

    def to_json(self) -> dict[str, Json]:
        return {"kind": "same"}


def _floats(value: Mapping[str, Any], name: str, least: int) -> FloatArray:
    items = value.get(name)
    if not isinstance(items, list | tuple) or len(items) < least:
        raise UnreadableMap(f"shape: {name} must be a list of at least {least} numbers")
    if not all(map(is_number, items)):
        raise UnreadableMap(f"shape: {name} contains a value that is not a number")
    array = np.array(items, dtype=np.float64)
    if not np.isfinite(array).all():
        raise UnreadableMap(f"shape: {name} contains a number that is not finite")
    return array


def _number(value: Mapping[str, Any], name: str) -> float:
    return float(_floats({name: [value.get(name)]}, name, 1)[0])


def _ordered(name: str, array: FloatArray, strictly: bool) -> FloatArray:
    steps = np.diff(array)
    if bool((steps < 0).any()) or (strictly and bool((steps == 0).any())):
        raise UnreadableMap(f"shape: {name} must increase")
    return array


def _scores(name: str, array: FloatArray) -> FloatArray:
    _ordered(name, array, strictly=False)
    if array[0] < LOW or array[-1] > HIGH:
        raise UnreadableMap(f"shape: {name} must lie in [0, 100]")
    return array


def shape_from_json(value: Any) -> Shape:
    """Rebuild a shape. Raises `UnreadableMap`, which names the fault."""
    if not isinstance(value, Mapping):
        raise UnreadableMap("shape: expected an object")
    kind = value.get("kind")
    if kind == "same":
        return SameShape()
    if kind == "line":
        slope = _number(value, "slope")
        if slope < 0:
            raise UnreadableMap("shape: slope must not be negative")
        ends = None
        if value.get("ends") is not None:
            low, *_, high = _ordered("ends", _floats(value, "ends", 2), strictly=False)
            ends = (float(low), float(high))
        return LineShape(_number(value, "x0"), _number(value, "y0"), slope, ends)
    if kind == "points":
        x = _ordered("x", _floats(value, "x", 2), strictly=True)
        y = _scores("y", _floats(value, "y", 2))
        if len(x) != len(y):
            raise UnreadableMap("shape: x and y must have the same length")
        return PointsShape(x, y)
    if kind == "spline":
        return _spline_from_json(value)
    raise UnreadableMap(f"shape: unknown kind {kind!r}")


def _spline_from_json(value: Mapping[str, Any]) -> SplineShape:
    domain = value.get("domain")
    if domain not in ("range", "rank", "unit"):
        raise UnreadableMap(f"shape: unknown domain {domain!r}")
    x = _ordered("x", _floats(value, "x", 2), strictly=True)
    u = _ordered("u", _floats(value, "u", 2), strictly=True)
    inner = _ordered("knots", _floats(value, "knots", 0), strictly=True)
    coefficients = _scores("coefficients", _floats(value, "coefficients", 4))
    if len(x) != len(u) or len(coefficients) != len(inner) + 4:
        raise UnreadableMap("shape: the lists of the spline have inconsistent lengths")
    if u[0] < 0 or u[-1] > 1 or (len(inner) and not 0 < inner[0] <= inner[-1] < 1):
        raise UnreadableMap("shape: u and knots must lie in [0, 1]")
    return SplineShape(Scaling(domain, x, u, inner), coefficients)


__all__ = ["LineShape", "PointsShape", "SameShape", "Shape", "SplineShape", "position"]
