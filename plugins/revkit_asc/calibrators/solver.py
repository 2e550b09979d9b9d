"""Minimise |A c - b|^2 subject to lower <= c_1 <= c_2 <= ... <= c_K <= upper, exactly, with a
check.

The problem has ten rows or so. It is turned into least-distance programming, which one call of
non-negative least squares solves (Lawson and Hanson 1974, Solving Least Squares Problems, ch. 23);
the coefficients are then solved again on the face that was found. Every solution must pass the
conditions of Karush, Kuhn and Tucker; else an active-set method of our own has a try, and where
that fails too `NoSolution` is raised. Wrong minimisers of ``nnls`` are on record for some versions
of SciPy, hence the check.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from revkit.dataclass import dataclass
from revkit.errors import NoSolution
from revkit_asc.calibrators.anchors import FloatArray

PRIMAL = 1e-9
STATIONARY = 1e-8
Face = NDArray[np.bool_]


@dataclass(frozen=True)
class Solution:
    """The coefficients, the active constraints (lower, steps, upper), and the KKT residual.

    ``spread`` maps white noise of the data rows to the free directions of the face: with data rows
    D, basis N of the face and N'A'A N = r'r, it is N r^-1, so that df = |D N r^-1|^2.
    """

    coefficients: FloatArray
    active: Face
    kkt: float
    spread: FloatArray


@dataclass(frozen=True)
class OrderedBox:
    """The constraints G c >= h, with each row scaled so that neither side is large."""

    lower: float
    upper: float
    matrix: FloatArray
    bound: FloatArray

    @classmethod
    def of(cls, size: int, lower: float, upper: float) -> OrderedBox:
        """Return the cone of ``size`` increasing coefficients from ``lower`` to ``upper``; each row
        is divided by the larger of 1 and the size of its bound.
        """
        matrix = np.zeros((size + 1, size))
        matrix[0, 0] = 1.0
        for step in range(1, size):
            matrix[step, step - 1 : step + 1] = (-1.0, 1.0)
        matrix[size, size - 1] = -1.0
        bound = np.zeros(size + 1)
        bound[0], bound[size] = lower, -upper
        scale = np.maximum(1.0, np.abs(bound))
        return cls(lower, upper, matrix / scale[:, None], bound / scale)

    def face(self, active: Face) -> tuple[FloatArray, FloatArray]:
        """Return N and offset with {c: active constraints hold with equality} = {N g + offset}.
        ``active`` has one entry for each constraint; N has shape (size, free dimensions).
        """
        size = self.matrix.shape[1]
        group = np.concatenate(([0], np.cumsum(~active[1:size])))
        basis = (group[:, None] == np.arange(group[-1] + 1)).astype(np.float64)
        offset = np.zeros(size)
        free = np.ones(basis.shape[1], dtype=bool)
        if active[0]:
            offset += self.lower * basis[:, 0]
            free[0] = False
        if active[size] and free[-1]:
            offset += self.upper * basis[:, -1]
            free[-1] = False
        return basis[:, free], offset


def solve(factor: FloatArray, right: FloatArray, cone: OrderedBox) -> Solution:
    """Solve the problem for a square, regular, upper triangular ``factor``. ``factor`` has shape
    (n, n), ``right`` length n. Raises `NoSolution` where the optimality check fails.
    """
    free = np.linalg.solve(factor, right)
    if bool((cone.matrix @ free >= cone.bound).all()):
        return checked(factor, right, cone, np.zeros(len(cone.bound), dtype=bool))
    solution = None
    active = _by_least_distance(factor, right, cone)
    if active is not None:
        solution = checked(factor, right, cone, active)
    if solution is None or not _sound(solution):
        solution = active_set(factor, right, cone)
    if not _sound(solution):
        raise NoSolution(
            f"the solution failed its optimality check (KKT residual {solution.kkt:.1e})"
        )
    return solution


def _sound(solution: Solution) -> bool:
    return bool(np.isfinite(solution.kkt)) and solution.kkt <= STATIONARY


def _by_least_distance(factor: FloatArray, right: FloatArray, cone: OrderedBox) -> Face | None:
    """Return the active constraints, or None if ``nnls`` fails."""
    from scipy.optimize import nnls

    sides = np.linalg.solve(factor.T, cone.matrix.T)
    slack = cone.bound - sides.T @ right
    matrix = np.vstack((sides, slack))
    unit = np.zeros(len(matrix))
    unit[-1] = 1.0
    # Scaling a column scales its multiplier only; equal lengths keep the tolerances meaningful.
    length = np.sqrt((matrix * matrix).sum(axis=0))
    try:
        multipliers, _ = nnls(matrix / length, unit)
    except (RuntimeError, ValueError):
        return None
    return np.asarray(multipliers > 0)


def checked(factor: FloatArray, right: FloatArray, cone: OrderedBox, active: Face) -> Solution:
    """Return the optimum on one face, and its distance from the optimum of the whole cone.
    ``factor`` has shape (n, n), ``right`` length n, ``active`` one entry for each constraint.
    """
    coefficients, spread = _on_face(factor, right, cone, active)
    gradient = factor.T @ (factor @ coefficients - right)
    multiplier = np.zeros(len(active))
    if active.any():
        multiplier[active] = np.linalg.lstsq(cone.matrix[active].T, gradient, rcond=None)[0]
    scale = float(np.abs(factor).max()) ** 2 * max(1.0, float(np.abs(coefficients).max()))
    scale = max(scale, float(np.abs(factor.T @ right).max()), np.finfo(float).tiny)
    stationarity = float(np.abs(gradient - cone.matrix.T @ multiplier).max()) / scale
    dual = max(0.0, -float(multiplier.min())) / scale
    primal = max(0.0, float((cone.bound - cone.matrix @ coefficients).max()))
    # A primal excess counts from the tighter of the two tolerances.
    kkt = max(stationarity, dual, primal * (STATIONARY / PRIMAL))
    repaired = np.maximum.accumulate(np.clip(coefficients, cone.lower, cone.upper))
    return Solution(repaired, active, kkt, spread)


def _on_face(
    factor: FloatArray, right: FloatArray, cone: OrderedBox, active: Face
) -> tuple[FloatArray, FloatArray]:
    """Return the optimum where the active constraints hold with equality, and its
    `Solution.spread`.
    """
    if not active.any():
        return np.asarray(np.linalg.solve(factor, right)), np.asarray(np.linalg.inv(factor))
    basis, offset = cone.face(active)
    if not basis.shape[1]:
        return offset, basis
    q, r = np.linalg.qr(factor @ basis)
    spread = basis @ np.linalg.inv(r)
    return np.asarray(spread @ (q.T @ (right - factor @ offset)) + offset), np.asarray(spread)


def active_set(factor: FloatArray, right: FloatArray, cone: OrderedBox) -> Solution:
    """Primal active-set method: start at a constant and move along faces until no multiplier is
    negative.

    (Nocedal and Wright 2006, Numerical Optimization, algorithm 16.3.) The number of rounds is
    bounded; a walk that does not end is identified by the KKT residual of its last point.
    """
    size = factor.shape[0]
    ones = factor @ np.ones(size)
    level = float(np.clip((ones @ right) / (ones @ ones), cone.lower, cone.upper))
    here = np.full(size, level)
    active = np.zeros(size + 1, dtype=bool)
    active[1:size] = True
    for _ in range(20 * size):
        there, _ = _on_face(factor, right, cone, active)
        slack_here = cone.matrix @ here - cone.bound
        change = cone.matrix @ (there - here)
        blocking = ~active & (change < 0) & (slack_here + change < -1e-14)
        if blocking.any():
            steps = np.where(
                blocking, np.maximum(slack_here, 0) / np.where(blocking, -change, 1), 2
            )
            first = int(np.argmin(steps))
            here = here + min(1.0, float(steps[first])) * (there - here)
            active[first] = True
            continue
        here = there
        gradient = factor.T @ (factor @ here - right)
        held = np.flatnonzero(active)
        if not len(held):
            break
        multiplier = np.linalg.lstsq(cone.matrix[held].T, gradient, rcond=None)[0]
        worst = int(np.argmin(multiplier))
        if multiplier[worst] >= -1e-13 * float(np.abs(factor).max()) ** 2:
            break
        active[held[worst]] = False
    return checked(factor, right, cone, active)
