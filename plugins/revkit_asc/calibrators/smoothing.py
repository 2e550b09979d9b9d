"""Smoothing: one domain, its knots, a grid of lambdas, and the choice of lambda by
cross-validation.

GCV = (RSS / W) / (1 - df / n)^2 (Craven and Wahba 1979), with df the trace of the hat matrix on
the face of active constraints, and n the number of anchors.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from revkit.dataclass import dataclass
from revkit.errors import OutsideScale
from revkit_asc.calibrators.anchors import HIGH, LOW, FloatArray, Levels
from revkit_asc.calibrators.bases import Basis, triangle, uniform_basis
from revkit_asc.calibrators.batches import solve_many
from revkit_asc.calibrators.solver import OrderedBox, Solution, checked

Domain = Literal["range", "rank", "unit"]
# Half decades from 1e-7 to 10; u lies in [0, 1], so they have no unit.
LAMBDAS = 10.0 ** (np.arange(-14, 3) / 2)
# Residuals below this share of the target's range are rounding, not information.
ROUNDING = 1e-24


@dataclass(frozen=True)
class Scaling:
    """The function u = F(raw): linear between the points (x, u), constant beyond the ends."""

    domain: Domain
    x: FloatArray
    u: FloatArray
    inner: FloatArray


@dataclass(frozen=True)
class Smooth:
    """One constrained spline, with the criteria that decided its lambda.

    ``unconstrained`` is the smallest GCV on the grid without constraints, infinite where lambda
    was given.
    """

    scaling: Scaling
    coefficients: FloatArray
    penalty: float
    gcv: float
    df: float
    solution: Solution
    unconstrained: float


def knot_count(levels: Levels, knots: int) -> int:
    """Return the number of inner knots, limited by the number of distinct raw scores."""
    return min(knots, len(levels.raw) - 2)


def scaling_of(domain: Domain, levels: Levels, knots: int) -> tuple[Scaling, FloatArray, Basis]:
    """Return the domain with its knots, u at each level, and the basis. Raises `OutsideScale` for
    raw scores outside 0 to 100 in the domain "unit".
    """
    knots = knot_count(levels, knots)
    x = levels.raw
    if domain == "unit":
        if x[0] < LOW or x[-1] > HIGH:
            raise OutsideScale("the domain 'unit' is for raw scores from 0 to 100")
        basis = uniform_basis(knots)
        ends, at = x[[0, -1]], x / HIGH
        return Scaling(domain, ends, at[[0, -1]], basis.inner), at, basis
    if domain == "rank":
        middle = np.cumsum(levels.count) - levels.count / 2
        at = (middle - middle[0]) / (middle[-1] - middle[0])
        basis = uniform_basis(knots)
        return Scaling(domain, x, at, basis.inner), at, basis
    at = (x - x[0]) / (x[-1] - x[0])
    share = np.arange(1, knots + 1) / (knots + 1)
    inner = np.unique(_quantiles(at, levels.count, share))
    inner = inner[(inner > at[0]) & (inner < at[-1])]
    basis = Basis(_apart(inner))
    return Scaling(domain, x[[0, -1]], np.array([0.0, 1.0]), basis.inner), at, basis


def _quantiles(at: FloatArray, count: NDArray[np.int64], share: FloatArray) -> FloatArray:
    """Return quantiles of the rows (linear between order statistics), from levels and their
    counts.
    """
    last = np.cumsum(count) - 1
    place = share * last[-1]
    below = np.floor(place)
    low = at[np.searchsorted(last, below)]
    high = at[np.searchsorted(last, np.minimum(below + 1, last[-1]))]
    return np.asarray(low + (place - below) * (high - low))


def _apart(inner: FloatArray) -> FloatArray:
    """Remove knots that are so close to the previous knot, or to an end, that a span would be
    rounding error.
    """
    kept = [0.0]
    for knot in inner:
        if knot - kept[-1] > 1e-6 and 1 - knot > 1e-6:
            kept.append(float(knot))
    return np.array(kept[1:])


class Problem:
    """One domain and one set of levels, reduced to a triangular system for any lambda.

    Targets are shifted and scaled to [0, 1], so that tolerances mean the same for all.
    """

    def __init__(
        self,
        levels: Levels,
        domain: Domain,
        knots: int,
        frozen: tuple[Scaling, Basis] | None = None,
    ) -> None:
        if frozen is None:
            self.scaling, at, self.basis = scaling_of(domain, levels, knots)
        else:
            self.scaling, self.basis = frozen
            at = position(self.scaling, levels.raw)
        self.base = float(levels.target.min())
        self.unit = float(levels.target.max()) - self.base or 1.0
        self.n = levels.n
        weight = levels.weight / levels.weight.sum()
        self.within = levels.within / float(levels.weight.sum()) / self.unit**2
        self.factor = self.basis.reduced(at, (levels.target - self.base) / self.unit, weight)
        size = self.basis.size
        self.cone = OrderedBox.of(
            size, (LOW - self.base) / self.unit, (HIGH - self.base) / self.unit
        )

    def stacked(self, factors: FloatArray, lambdas: FloatArray) -> FloatArray:
        """Return the triangular factors of [data; root(lambda) L] with their right sides, shape (m,
        K, K + 1).

        One for each lambda, or for each of several ``factors`` of the data (m, K, K + 1).
        """
        size = self.basis.size
        root = self.basis.penalty_root
        blocks = np.zeros((max(len(factors), len(lambdas)), size + len(root), size + 1))
        blocks[:, :size] = factors
        blocks[:, size:, :size] = np.sqrt(lambdas)[:, None, None] * root
        return triangle(blocks)[:, :size]

    def without(
        self, raw: FloatArray, target: FloatArray, weight: FloatArray, fold: Any, penalty: float
    ) -> FloatArray:
        """Return the prediction of each row's target by the fit without its fold, for all folds at
        once.
        """
        size, folds = self.basis.size, int(fold.max()) + 1
        rows = self.basis.dense(position(self.scaling, raw))
        whole = np.column_stack((rows, (target - self.base) / self.unit))
        kept = np.where(fold != np.arange(folds)[:, None], weight, 0.0)
        kept /= kept.sum(axis=1, keepdims=True)
        blocks = np.zeros((folds, len(raw) + size + 1, size + 1))
        blocks[:, : len(raw)] = whole * np.sqrt(kept)[:, :, None]
        triangles = self.stacked(triangle(blocks)[:, :size], np.array([penalty]))
        solved = solve_many(triangles[:, :, :size], triangles[:, :, size], self.cone)
        predicted = (rows * solved.coefficients[fold]).sum(axis=1)
        return np.asarray(np.clip(self.base + self.unit * predicted, LOW, HIGH))

    def residual(self, coefficients: FloatArray) -> float:
        """Return RSS / W, in units of the scaled target. ``coefficients`` has one entry for each
        basis function.
        """
        size = self.basis.size
        miss = self.factor[:size, :size] @ coefficients - self.factor[:size, size]
        return float(miss @ miss) + float(self.factor[size, size]) ** 2 + self.within

    def gcv(self, rss: float, df: float) -> float:
        """Infinite where as many parameters as anchors are spent."""
        left = 1 - df / self.n
        return max(rss, ROUNDING) / left**2 if left > 1e-9 else float("inf")

    def fit(self, penalty: float | None) -> Smooth:
        """Solve for each lambda of the grid, or for the given one, and keep the smallest GCV."""
        lambdas = LAMBDAS if penalty is None else np.array([penalty])
        size = self.basis.size
        triangles = self.stacked(self.factor[None, :size], lambdas)
        data = self.factor[:size, :size]
        unconstrained = self._unconstrained(triangles) if len(lambdas) > 1 else float("inf")
        solved = solve_many(triangles[:, :, :size], triangles[:, :, size], self.cone)
        spent = ((data @ solved.spread) ** 2).sum(axis=(1, 2))
        scores = [
            self.gcv(self.residual(c), float(df))
            for c, df in zip(solved.coefficients, spent, strict=True)
        ]
        # From the largest lambda down: where two serve alike, the smoother map stays.
        number = min(range(len(lambdas) - 1, -1, -1), key=scores.__getitem__)
        solution = solved.one(number)
        # The chosen one is solved again on its face, by a factorisation that loses no digits.
        exact = checked(
            triangles[number, :, :size], triangles[number, :, size], self.cone, solution.active
        )
        if exact.kkt <= solution.kkt:
            solution = exact
        rss = self.residual(solution.coefficients)
        df = float(((data @ solution.spread) ** 2).sum())
        area = self.unit**2
        return Smooth(
            self.scaling,
            self.to_target(solution.coefficients),
            float(lambdas[number]),
            self.gcv(rss, df) * area,
            df,
            solution,
            unconstrained * area,
        )

    def to_target(self, scaled: FloatArray) -> FloatArray:
        """Transform values back to [0, 100], ordered and within bounds to the last bit."""
        return np.maximum.accumulate(np.clip(self.base + self.unit * scaled, LOW, HIGH))

    def values(self, coefficients: FloatArray, raw: FloatArray) -> FloatArray:
        """Evaluate the spline at sorted raw scores, without building a shape."""
        u = position(self.scaling, raw)
        result = np.empty(len(u))
        for span, rows in self.basis.slices(u):
            result[rows] = self.basis.values(u[rows], span) @ coefficients[span : span + 4]
        return result

    def _unconstrained(self, triangles: FloatArray) -> float:
        size = self.basis.size
        factors, rights = triangles[:, :, :size], triangles[:, :, size:]
        free = np.linalg.solve(factors, rights)[:, :, 0]
        data = np.broadcast_to(self.factor[:size, :size].T, factors.shape)
        df = (np.linalg.solve(factors.transpose(0, 2, 1), data) ** 2).sum(axis=(1, 2))
        return min(self.gcv(self.residual(c), float(d)) for c, d in zip(free, df, strict=True))


def position(scaling: Scaling, raw: FloatArray) -> FloatArray:
    """Return u of raw scores; sorted input gives sorted output."""
    x, u = scaling.x, scaling.u
    inside = np.clip(raw, x[0], x[-1])
    i = np.clip(np.searchsorted(x, inside, side="right") - 1, 0, len(x) - 2)
    # The share comes first: differences may be too small for a slope.
    share = (inside - x[i]) / (x[i + 1] - x[i])
    return np.asarray(u[i] + share * (u[i + 1] - u[i]))
