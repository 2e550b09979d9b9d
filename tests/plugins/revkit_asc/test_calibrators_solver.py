"""The constrained solver against methods of SciPy, feasible moves, and its own fallback."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.interpolate import BSpline
from scipy.optimize import LinearConstraint, minimize

from revkit.errors import NoSolution
from revkit_asc.calibrators import MonotoneSpline
from revkit_asc.calibrators.bases import Basis
from revkit_asc.calibrators.batches import solve_many
from revkit_asc.calibrators.solver import OrderedBox, active_set, solve


def problem(seed: int, size: int = 9) -> tuple[np.ndarray, np.ndarray, OrderedBox]:
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(30, size)) * np.exp(rng.normal(size=size))
    right = rng.normal(size=30) * 3 + rows @ np.sort(rng.uniform(-0.5, 1.5, size))
    q, r = np.linalg.qr(rows)
    return r, q.T @ right, OrderedBox.of(size, 0.0, 1.0)


def value(r: np.ndarray, d: np.ndarray, c: np.ndarray) -> float:
    return float(((r @ c - d) ** 2).sum())


@pytest.mark.parametrize("seed", range(25))
def test_the_solution_is_that_of_slsqp_and_of_the_active_set(seed: int) -> None:
    r, d, cone = problem(seed)
    found = solve(r, d, cone)
    walked = active_set(r, d, cone)
    assert found.kkt <= 1e-10
    assert walked.kkt <= 1e-10
    assert walked.coefficients == pytest.approx(found.coefficients, abs=1e-9)
    free = minimize(
        lambda c: value(r, d, c),
        np.linspace(0.1, 0.9, 9),
        jac=lambda c: 2 * r.T @ (r @ c - d),
        constraints=[
            {"type": "ineq", "fun": lambda c: cone.matrix @ c - cone.bound,
             "jac": lambda c: cone.matrix}
        ],
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 1000},
    )  # fmt: skip
    # SLSQP leaves the cone by 1e-7 or so; what it found is brought back before the comparison.
    other = np.maximum.accumulate(np.clip(free.x, 0, 1))
    assert value(r, d, found.coefficients) <= value(r, d, other) * (1 + 1e-9)
    assert found.coefficients == pytest.approx(other, abs=2e-3)


@pytest.mark.parametrize("seed", range(5))
def test_no_feasible_move_is_better(seed: int) -> None:
    r, d, cone = problem(seed)
    best = solve(r, d, cone).coefficients
    rng = np.random.default_rng(seed)
    for size in (1e-1, 1e-3, 1e-5):
        moves = best + size * rng.normal(size=(2000, 9))
        moves = np.clip(np.sort(moves, axis=1), 0, 1)
        values = ((moves @ r.T - d) ** 2).sum(axis=1)
        assert values.min() >= value(r, d, best) - 1e-12


def test_a_batch_is_what_its_problems_are_one_by_one() -> None:
    cases = [problem(seed) for seed in range(200)]
    factors = np.stack([r for r, _, _ in cases])
    rights = np.stack([d for _, d, _ in cases])
    cone = cases[0][2]
    batch = solve_many(factors, rights, cone)
    assert batch.kkt.max() <= 1e-8
    for number, (r, d, _) in enumerate(cases):
        alone = solve(r, d, cone)
        one = batch.one(number)
        assert one.coefficients == pytest.approx(alone.coefficients, abs=1e-8)
        assert float((one.spread**2).sum()) == pytest.approx(float((alone.spread**2).sum()))


def test_what_does_not_settle_in_a_batch_is_solved_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("revkit_asc.calibrators.batches.ROUNDS", 1)
    test_a_batch_is_what_its_problems_are_one_by_one()


def test_a_problem_by_hand() -> None:
    # Identity data: (0.8, 0.2, 2) over 0 <= a <= b <= c <= 1 is (0.5, 0.5, 1).
    found = solve(np.eye(3), np.array([0.8, 0.2, 2.0]), OrderedBox.of(3, 0.0, 1.0))
    assert found.coefficients == pytest.approx([0.5, 0.5, 1.0], abs=1e-15)
    assert found.active.tolist() == [False, True, False, True]
    # One free direction (a = b), which the data see with weight one each: df = 1.
    assert float((found.spread**2).sum()) == pytest.approx(1.0)


def test_all_at_a_bound() -> None:
    found = solve(np.eye(3), np.array([-3.0, -1.0, -2.0]), OrderedBox.of(3, 0.0, 1.0))
    assert found.coefficients.tolist() == [0.0, 0.0, 0.0]
    found = solve(np.eye(3), np.array([4.0, 3.0, 2.0]), OrderedBox.of(3, 0.0, 1.0))
    assert found.coefficients.tolist() == [1.0, 1.0, 1.0]


@pytest.mark.parametrize("fault", ["wrong", "raises"])
def test_a_wrong_nnls_is_found_out_and_replaced(
    fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    r, d, cone = problem(3)
    right = solve(r, d, cone)

    def broken(matrix: np.ndarray, unit: np.ndarray) -> Any:
        if fault == "raises":
            raise RuntimeError("Maximum number of iterations reached.")
        return np.ones(matrix.shape[1]), 0.0

    monkeypatch.setattr("scipy.optimize.nnls", broken)
    assert solve(r, d, cone).coefficients == pytest.approx(right.coefficients, abs=1e-9)


def test_where_the_fallback_fails_too_there_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    r, d, cone = problem(3)
    monkeypatch.setattr("scipy.optimize.nnls", lambda m, u: (np.ones(m.shape[1]), 0.0))
    name = "revkit_asc.calibrators.solver.active_set"
    from revkit_asc.calibrators.solver import checked

    monkeypatch.setattr(name, lambda r, d, c: checked(r, d, c, np.zeros(10, dtype=bool)))
    with pytest.raises(NoSolution, match="KKT residual"):
        solve(r, d, cone)


@pytest.mark.parametrize(
    "inner", [[], [0.5], [1 / 6, 1 / 3, 1 / 2, 2 / 3, 5 / 6], [0.1, 0.11, 0.9]]
)
def test_basis_and_penalty_are_those_of_scipy(inner: list[float]) -> None:
    basis = Basis(np.array(inner))
    knots = np.concatenate((np.zeros(4), inner, np.ones(4)))
    u = np.linspace(0, 1, 301)
    dense = np.zeros((len(u), basis.size))
    for span, rows in basis.slices(u):
        dense[rows, span : span + 4] = basis.values(u[rows], span)
    expected = BSpline.design_matrix(u, knots, 3).toarray()
    assert np.abs(dense - expected).max() < 1e-14
    rng = np.random.default_rng(1)
    c = rng.normal(size=basis.size)
    second = BSpline(knots, c, 3).derivative(2)
    edges = [0.0, *inner, 1.0]
    parts = [
        quad(lambda x: float(second(x)) ** 2, a, b, epsabs=0, epsrel=1e-11)[0]
        for a, b in pairwise(edges)
    ]
    root = basis.penalty_root @ c
    assert float(root @ root) == pytest.approx(sum(parts), rel=1e-9)


def anchors(seed: int, n: int = 60) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    target = rng.uniform(0, 100, n)
    raw = np.round(20 + 0.5 * target + rng.normal(0, 6, n))
    return raw, target, rng.uniform(0.5, 2, n)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("penalty", [1e-6, 1e-3, 1.0])
def test_the_map_minimises_the_stated_objective(seed: int, penalty: float) -> None:
    """Basis, penalty and knots from SciPy and numpy, the objective as the docstring states it."""
    raw, target, weight = anchors(seed)
    curve = MonotoneSpline(domain="range", lambda_=penalty).fit(raw, target, weight)
    u = (raw - raw.min()) / (raw.max() - raw.min())
    inner = np.quantile(u, np.arange(1, 6) / 6)
    assert curve.diagnostics["knots"] == pytest.approx(inner)
    knots = np.concatenate((np.zeros(4), inner, np.ones(4)))
    design = BSpline.design_matrix(u, knots, 3).toarray()
    points, gauss = np.polynomial.legendre.leggauss(3)
    edges = np.concatenate(([0], inner, [1]))
    curvature = np.zeros((9, 9))
    for a, b in pairwise(edges):
        for point, share in zip(points, gauss, strict=True):
            at = a + (b - a) * (point + 1) / 2
            row = np.array([float(BSpline(knots, e, 3).derivative(2)(at)) for e in np.eye(9)])
            curvature += np.outer(row, row) * share * (b - a) / 2

    def objective(c: np.ndarray) -> float:
        miss = design @ c - target
        return float(weight @ miss**2 / weight.sum() + penalty * c @ curvature @ c)

    stored: Any = curve.to_json()["shape"]
    best = np.array(stored["coefficients"])
    assert curve(raw) == pytest.approx(design @ best, abs=1e-9)
    constraint = LinearConstraint(np.eye(9) - np.eye(9, k=-1), np.zeros(9), np.full(9, np.inf))
    other = minimize(
        objective,
        np.linspace(5, 95, 9),
        bounds=[(0, 100)] * 9,
        constraints=[constraint],
        method="SLSQP",
        options={"ftol": 1e-13, "maxiter": 2000},
    )
    assert objective(best) <= other.fun * (1 + 1e-9) + 1e-9
    rng = np.random.default_rng(seed)
    for size in (10.0, 0.1, 1e-3):
        for _ in range(100):
            move = np.clip(np.sort(best + size * rng.normal(size=9)), 0, 100)
            assert objective(move) >= objective(best) - 1e-9


def test_gcv_and_df_are_those_of_the_hat_matrix_where_nothing_is_active() -> None:
    rng = np.random.default_rng(4)
    raw = np.sort(rng.uniform(10, 60, 80))
    target = 5 + 1.5 * raw + 4 * np.sin(raw / 8) + rng.normal(0, 1, 80)
    curve = MonotoneSpline(domain="range", lambda_=1e-3).fit(raw, target)
    facts: Any = curve.diagnostics
    assert facts["active"] == []
    u = (raw - raw[0]) / (raw[-1] - raw[0])
    basis = Basis(np.array(facts["knots"]))
    knots = np.concatenate((np.zeros(4), facts["knots"], np.ones(4)))
    design = BSpline.design_matrix(u, knots, 3).toarray()
    penalty = basis.penalty_root.T @ basis.penalty_root
    hat = design @ np.linalg.solve(design.T @ design / 80 + 1e-3 * penalty, design.T / 80)
    assert facts["df"] == pytest.approx(np.trace(hat), rel=1e-9)
    assert curve(raw) == pytest.approx(hat @ target, abs=1e-8)
    rss = float(((target - hat @ target) ** 2).mean())
    assert facts["gcv"] == pytest.approx(rss / (1 - np.trace(hat) / 80) ** 2, rel=1e-9)
