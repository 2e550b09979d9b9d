"""Solve many problems of one size at once: the minimum of `solver.solve` for a grid of lambdas.

In z = R c - d the problem is to come as near to 0 as E z >= f allows. A primal-dual active-set
iteration (Hintermueller, Ito and Kunisch 2003, SIAM Journal on Optimization 13) guesses which
constraints hold with equality, solves for their multipliers and corrects the guess, for all
problems together. It mostly ends after a few rounds, but need not. Whatever does not, or fails the
conditions of Karush, Kuhn and Tucker, goes to `solver.solve`, one by one.
"""

from __future__ import annotations

import numpy as np

from revkit.dataclass import dataclass
from revkit_asc.calibrators.anchors import FloatArray
from revkit_asc.calibrators.solver import PRIMAL, STATIONARY, Face, OrderedBox, Solution, solve

ROUNDS = 12


@dataclass(frozen=True)
class Batch:
    """The solutions of m problems; ``spread`` has shape (m, K, K), see `Solution.spread`."""

    coefficients: FloatArray
    active: Face
    kkt: FloatArray
    spread: FloatArray

    def one(self, number: int) -> Solution:
        """Return the solution of the problem with this number, from 0."""
        return Solution(
            self.coefficients[number],
            self.active[number],
            float(self.kkt[number]),
            self.spread[number],
        )


def solve_many(factors: FloatArray, rights: FloatArray, cone: OrderedBox) -> Batch:
    """Solve m problems: factors (m, K, K), upper triangular and regular; right sides (m, K)."""
    inverse = np.linalg.inv(factors)
    sides = cone.matrix @ inverse
    # Rows of length one: the products below then have ones on the diagonal.
    length = np.sqrt((sides * sides).sum(axis=2, keepdims=True))
    sides = sides / length
    slack = cone.bound / length[:, :, 0] - (sides @ rights[:, :, None])[:, :, 0]
    products = sides @ sides.transpose(0, 2, 1)
    active, multiplier, settled = _iterate(products, slack)
    held = np.where(active[:, :, None], sides, 0.0)
    moved = rights + (multiplier[:, None, :] @ held)[:, 0]
    coefficients = (inverse @ moved[:, :, None])[:, :, 0]
    blocked = held.transpose(0, 2, 1) @ np.linalg.solve(_on(products, active), held)
    spread = inverse @ (np.eye(factors.shape[1]) - blocked)
    kkt = _residuals(factors, rights, cone, coefficients, multiplier / length[:, :, 0])
    repaired = np.maximum.accumulate(np.clip(coefficients, cone.lower, cone.upper), axis=1)
    for number in np.flatnonzero(~settled | ~(kkt <= STATIONARY)).tolist():
        alone = solve(factors[number], rights[number], cone)
        repaired[number], active[number] = alone.coefficients, alone.active
        kkt[number] = alone.kkt
        spread[number] = 0.0
        spread[number, :, : alone.spread.shape[1]] = alone.spread
    return Batch(repaired, active, kkt, spread)


def _on(products: FloatArray, active: Face) -> FloatArray:
    """The system of the active rows; the others are rows of the identity."""
    both = active[:, :, None] & active[:, None, :]
    return np.where(both, products, np.where(active[:, :, None], 0.0, np.eye(active.shape[1])))


def _iterate(products: FloatArray, slack: FloatArray) -> tuple[Face, FloatArray, Face]:
    """Return the active constraints, their multipliers, and which problems have converged."""
    active: Face = np.asarray(slack > 0)
    tolerance = 1e-13 * (1 + np.abs(slack))
    multiplier: FloatArray = np.zeros_like(slack)
    settled: Face = np.asarray(~active.any(axis=1))
    for _ in range(ROUNDS):
        if settled.all():
            break
        # One constraint more than unknowns: they cannot all hold with equality.
        active[active.all(axis=1), -1] = False
        try:
            right = np.where(active, slack, 0.0)[:, :, None]
            multiplier = np.asarray(np.linalg.solve(_on(products, active), right)[:, :, 0])
        except np.linalg.LinAlgError:
            return np.zeros_like(active), np.zeros_like(slack), np.zeros_like(settled)
        missing = slack - (products @ multiplier[:, :, None])[:, :, 0]
        better = np.where(active, multiplier > 0, missing > tolerance)
        settled = np.asarray((better == active).all(axis=1))
        active = np.where(settled[:, None], active, better)
    # Where nothing settled, `active` has moved on from what the multipliers belong to.
    multiplier = np.where(active & settled[:, None], multiplier, 0.0)
    return active & settled[:, None], multiplier, settled


def _residuals(
    factors: FloatArray,
    rights: FloatArray,
    cone: OrderedBox,
    coefficients: FloatArray,
    multiplier: FloatArray,
) -> FloatArray:
    """Return the KKT residual of each problem, on the scale of `solver.solve`."""
    turned = factors.transpose(0, 2, 1)
    miss = (factors @ coefficients[:, :, None])[:, :, 0] - rights
    gradient = (turned @ miss[:, :, None])[:, :, 0]
    pull = np.abs(turned @ rights[:, :, None]).max(axis=(1, 2))
    size = np.abs(factors).max(axis=(1, 2)) ** 2
    size = size * np.maximum(1.0, np.abs(coefficients).max(axis=1))
    scale = np.maximum(np.maximum(size, pull), np.finfo(np.float64).tiny)
    stationarity = np.abs(gradient - multiplier @ cone.matrix).max(axis=1) / scale
    dual = np.maximum(0.0, -multiplier.min(axis=1)) / scale
    primal = np.maximum(0.0, (cone.bound - coefficients @ cone.matrix.T).max(axis=1))
    return np.asarray(np.maximum(np.maximum(stationarity, dual), primal * (STATIONARY / PRIMAL)))
