"""Clamped cubic B-splines on [0, 1]: basis, exact curvature penalty, and pieces as polynomials.

Everything comes from one identity (Ramshaw 1987, blossoming): on an interval [a, b] within one knot
span, the Bernstein coefficients of a spline are its polar form at (a, a, a), (a, a, b), (a, b, b),
(b, b, b), and each is a convex combination of four neighbouring coefficients. So ordered
coefficients give ordered Bernstein coefficients, also in floating point.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from revkit_asc.calibrators.anchors import FloatArray

DEGREE = 3
BLOCK = 2048
GAUSS = 0.5 / 3**0.5


def clamped(inner: FloatArray) -> FloatArray:
    """Return the knots with each end of [0, 1] repeated four times; they give K = len(inner) + 4
    coefficients.
    """
    return np.concatenate((np.zeros(DEGREE + 1), inner, np.ones(DEGREE + 1)))


def blossom(
    coefficients: FloatArray, knots: FloatArray, arguments: tuple[FloatArray, ...]
) -> FloatArray:
    """Evaluate the polar form. Shapes: coefficients (m, 4, ...), knots (m, 6), three arguments
    (m,).
    """
    values = coefficients
    for step, x in enumerate(arguments, start=1):
        left = knots[:, step - 1 : DEGREE]
        right = knots[:, DEGREE : 2 * DEGREE + 1 - step]
        share = (x[:, None] - left) / (right - left)
        share = share.reshape(share.shape + (1,) * (values.ndim - 2))
        values = np.asarray((1 - share) * values[:, :-1] + share * values[:, 1:])
    return np.asarray(values[:, 0])


def bernstein_coefficients(
    coefficients: FloatArray, knots: FloatArray, left: FloatArray, right: FloatArray
) -> FloatArray:
    """Return the coefficients, shape (m, 4, ...), of each piece [left, right] within its knot
    span.
    """
    arguments = ((left, left, left), (left, left, right), (left, right, right), (right,) * 3)
    return np.stack([blossom(coefficients, knots, three) for three in arguments], axis=1)


def increasing_pieces(
    coefficients: FloatArray, inner: FloatArray, left: FloatArray, right: FloatArray
) -> FloatArray:
    """Bernstein coefficients, shape (m, 4), of the pieces [left, right] of an increasing spline.

    A convex combination may leave its ends by the last bit; clipping keeps the bounds exact.
    """
    spans = span_of(left, inner)
    four = coefficients[spans[:, None] + np.arange(4)]
    pieces = bernstein_coefficients(four, local_knots(inner, spans), left, right)
    return np.asarray(np.clip(pieces, four[:, :1], four[:, 3:]), dtype=np.float64)


def span_of(u: FloatArray, inner: FloatArray) -> NDArray[np.intp]:
    """Return the index of the knot span of each u, from 0; the right end belongs to the last
    span.
    """
    return np.asarray(np.searchsorted(inner, u, side="right"))


def local_knots(inner: FloatArray, spans: NDArray[np.intp]) -> FloatArray:
    """Return the six knots that determine the basis on each span, shape (m, 6)."""
    return np.asarray(clamped(inner)[spans[:, None] + np.arange(1, 2 * DEGREE + 1)])


def triangle(rows: FloatArray) -> FloatArray:
    """Return R of the factorisation rows = Q R, over the last two axes."""
    factor: Any = np.linalg.qr(rows, mode="r")
    return np.asarray(factor, dtype=np.float64)


def _bernstein(t: FloatArray) -> FloatArray:
    """Return the four cubic Bernstein polynomials, shape (n, 4)."""
    s = 1 - t
    result = np.empty((len(t), 4))
    result[:, 0] = s * s * s
    result[:, 1] = 3 * s * s * t
    result[:, 2] = 3 * s * t * t
    result[:, 3] = t * t * t
    return result


class Basis:
    """The basis for one set of inner knots, with all values that do not depend on data."""

    def __init__(self, inner: FloatArray) -> None:
        self.inner = inner
        self.size = len(inner) + DEGREE + 1
        self.edges = np.concatenate(([0.0], inner, [1.0]))
        spans = np.arange(len(inner) + 1)
        identity = np.broadcast_to(np.eye(4), (len(spans), 4, 4))
        self.bernstein = bernstein_coefficients(
            identity, local_knots(inner, spans), self.edges[:-1], self.edges[1:]
        )
        self.penalty_root = self._penalty_root()

    def _penalty_root(self) -> FloatArray:
        """Return the upper trapezoidal L with L'L = integral of phi''^2 over [0, 1].

        phi'' is linear on a span, so its square is quadratic and two Gauss points are exact.
        """
        width = np.diff(self.edges)[:, None]
        b = self.bernstein
        start = 6 * (b[:, 2] - 2 * b[:, 1] + b[:, 0])
        end = 6 * (b[:, 3] - 2 * b[:, 2] + b[:, 1])
        spans = np.arange(len(width))
        rows = np.zeros((len(width) * 2, self.size))
        for point, t in enumerate((0.5 - GAUSS, 0.5 + GAUSS)):
            second = ((1 - t) * start + t * end) / width**2 * np.sqrt(width / 2)
            rows[(2 * spans + point)[:, None], spans[:, None] + np.arange(4)] = second
        return triangle(rows)

    def slices(self, u: FloatArray) -> list[tuple[int, slice]]:
        """Return, for sorted u, each occupied span with the rows in it."""
        cuts = np.concatenate(([0], np.searchsorted(u, self.inner, side="left"), [len(u)]))
        return [
            (span, slice(int(cuts[span]), int(cuts[span + 1])))
            for span in range(len(cuts) - 1)
            if cuts[span] < cuts[span + 1]
        ]

    def _blocks(self, u: FloatArray) -> Iterator[tuple[int, int, int]]:
        """Return the span, first and last row of small blocks. No library splits blocks of this
        size over threads, so the last bits of a result do not depend on the machine.
        """
        for span, rows in self.slices(u):
            for start in range(rows.start, rows.stop, BLOCK):
                yield span, start, min(start + BLOCK, rows.stop)

    def values(self, u: FloatArray, span: int) -> FloatArray:
        """Return the four basis functions that are not zero on ``span``, at each u, shape (n,
        4).
        """
        t = (u - self.edges[span]) / (self.edges[span + 1] - self.edges[span])
        return np.asarray(_bernstein(t) @ self.bernstein[span])

    def dense(self, u: FloatArray) -> FloatArray:
        """Return all basis functions at each u, in any order, shape (n, K)."""
        span = span_of(u, self.inner)
        t = (u - self.edges[span]) / (self.edges[span + 1] - self.edges[span])
        four = (_bernstein(t)[:, None, :] @ self.bernstein[span])[:, 0]
        result = np.zeros((len(u), self.size))
        np.put_along_axis(result, span[:, None] + np.arange(4), four, axis=1)
        return result

    def reduced(self, u: FloatArray, target: FloatArray, weight: FloatArray) -> FloatArray:
        """Return the triangular factor of root(weight) [B | target] for sorted u, shape (K + 1, K +
        1).

        Where there are many rows, one small factorisation a block of a knot span, on which four
        functions live, then one of all.
        """
        root = np.sqrt(weight)
        padding = np.zeros((self.size + 1, self.size + 1))
        if len(u) <= BLOCK:
            rows_of_all = np.column_stack((self.dense(u), target)) * root[:, None]
            return triangle(np.concatenate((rows_of_all, padding)))
        parts = []
        for span, start, stop in self._blocks(u):
            rows = slice(start, stop)
            block = np.empty((stop - start, 5))
            block[:, :4] = self.values(u[rows], span)
            block[:, 4] = target[rows]
            block *= root[rows, None]
            small = triangle(block) if len(block) > 5 else block
            wide = np.zeros((len(small), self.size + 1))
            wide[:, span : span + 4] = small[:, :4]
            wide[:, -1] = small[:, 4]
            parts.append(wide)
        return triangle(np.concatenate([*parts, padding]))


@lru_cache(maxsize=32)
def uniform_basis(knots: int) -> Basis:
    """Return the cached basis with equally spaced inner knots."""
    return Basis(np.arange(1, knots + 1) / (knots + 1))
