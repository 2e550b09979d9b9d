"""The numerical methods of the default calibrator: domains, robust rounds, fallbacks, record."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from revkit.model.values import Json
from revkit_asc.calibrators.anchors import Anchors, FloatArray, require_informative
from revkit_asc.calibrators.bases import Basis
from revkit_asc.calibrators.correlation import require_association
from revkit_asc.calibrators.fits import Fit
from revkit_asc.calibrators.intervals import MANY, HeldOut, folds_of, from_predictions, held_out
from revkit_asc.calibrators.lines import bounded_line, flat_flag
from revkit_asc.calibrators.shapes import SplineShape
from revkit_asc.calibrators.smoothing import Domain, Problem, Smooth

LEAST_ANCHORS, LEAST_LEVELS = 12, 4
ROUNDS, HUBER = 6, 1.345
# The spread of a normal sample is 1.4826 times its median absolute deviation.
MEDIAN_TO_SD = 1.4826
NOT_MONOTONE = 0.05


def fitted_spline(
    anchors: Anchors,
    domains: Sequence[Domain],
    knots: int,
    penalty: float | None,
    robust: bool,
) -> Fit:
    """Return the spline with its checks, or a line if there are too few anchors for a spline."""
    require_informative(anchors)
    correlation, flags = require_association(anchors)
    known: dict[str, Json] = {"spearman": correlation.rho}
    distinct = int(np.count_nonzero(np.diff(anchors.raw))) + 1
    if anchors.n < LEAST_ANCHORS or distinct < LEAST_LEVELS:
        line = bounded_line(anchors)
        ends = flat_flag(line(anchors.raw[[0, -1]]))
        facts = {**known, "df": 2.0}
        return Fit(line, facts, ["fallback=linear", *flags, *ends], held_out(anchors, bounded_line))
    chosen, used = best(anchors, domains, knots, penalty), anchors
    if robust:
        chosen, used = huber_rounds(anchors, chosen, domains, knots, penalty)
    shape = SplineShape(chosen.scaling, chosen.coefficients)
    steps = chosen.solution.active[1:-1]
    if flat_flag(chosen.coefficients) or steps.sum() >= len(steps) - 1:
        flags = [*flags, "flat"]
    if chosen.unconstrained < (1 - NOT_MONOTONE) * chosen.gcv:
        flags = [*flags, "not_monotone"]
    facts = {**known, **facts_of(chosen), "robust": robust}
    if robust:
        facts["huber_downweighted"] = int((used.weight < anchors.weight).sum())
    return Fit(shape, facts, flags, held_out_spline(used, chosen))


def best(anchors: Anchors, domains: Sequence[Domain], knots: int, penalty: float | None) -> Smooth:
    """Return the domain with the smallest GCV, the first one in a tie."""
    levels = anchors.levels()
    fits = [Problem(levels, domain, knots).fit(penalty) for domain in domains]
    return min(fits, key=lambda fit: fit.gcv)


def huber_rounds(
    anchors: Anchors,
    chosen: Smooth,
    domains: Sequence[Domain],
    knots: int,
    penalty: float | None,
) -> tuple[Smooth, Anchors]:
    """Do six rounds of reweighting with min(1, 1.345 s / |residual|), where s comes from the median
    residual.

    (Huber 1981, Robust Statistics, ch. 7.) The fit and the anchors with their last weights.
    """
    used = anchors
    for _ in range(ROUNDS):
        shape = SplineShape(chosen.scaling, chosen.coefficients)
        miss = np.abs(anchors.target - shape(anchors.raw))
        spread = MEDIAN_TO_SD * float(np.median(miss))
        if spread <= 0:
            break
        limit = HUBER * spread
        used = anchors.reweighted(np.minimum(1.0, limit / np.maximum(miss, limit)))
        chosen = best(used, domains, knots, penalty)
    return chosen, used


def held_out_spline(anchors: Anchors, chosen: Smooth) -> HeldOut:
    """Residuals without their fold, with domain, knots and lambda as chosen on all anchors."""
    basis = Basis(chosen.scaling.inner)
    frozen = (chosen.scaling, basis)
    fold = folds_of(anchors.n)
    if fold is not None and anchors.n <= MANY and _informative(anchors, fold):
        problem = Problem(anchors.levels(), chosen.scaling.domain, 0, frozen)
        rows = (anchors.raw, anchors.target, anchors.weight)
        return from_predictions(anchors, fold, problem.without(*rows, fold, chosen.penalty))

    def fit(part: Anchors) -> Callable[[FloatArray], FloatArray]:
        levels = part.levels()
        if len(levels.raw) < 2:
            return bounded_line(part)
        problem = Problem(levels, chosen.scaling.domain, 0, frozen)
        coefficients = problem.fit(chosen.penalty).coefficients
        return lambda raw: problem.values(coefficients, raw)

    return held_out(anchors, fit)


def _informative(anchors: Anchors, fold: NDArray[np.intp]) -> bool:
    """Return whether at least two distinct raw scores remain without any one fold."""
    ends = [np.ptp(anchors.raw[fold != number]) for number in range(int(fold.max()) + 1)]
    return bool(min(ends) > 0)


def facts_of(chosen: Smooth) -> dict[str, Json]:
    """Return the record of one smooth."""
    active = chosen.solution.active
    names = ["lower", *(f"step {i}" for i in range(1, len(active) - 1)), "upper"]
    return {
        "df": chosen.df,
        "lambda": chosen.penalty,
        "gcv": chosen.gcv,
        "gcv_unconstrained": chosen.unconstrained if math.isfinite(chosen.unconstrained) else None,
        "domain": chosen.scaling.domain,
        "knots": chosen.scaling.inner.tolist(),
        "kkt": chosen.solution.kkt,
        "active": [name for name, held in zip(names, active.tolist(), strict=True) if held],
    }
