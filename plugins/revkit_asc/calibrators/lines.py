"""The numerical methods of the simple maps."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from revkit_asc.calibrators.anchors import HIGH, LOW, Anchors, FloatArray, dot, require_informative
from revkit_asc.calibrators.correlation import require_association
from revkit_asc.calibrators.fits import Fit
from revkit_asc.calibrators.intervals import held_out
from revkit_asc.calibrators.shapes import LineShape, PointsShape

# A map that moves less than so many points over all anchors does not distinguish papers.
FLAT = 10.0


def _moments(anchors: Anchors) -> tuple[float, float, float, float, float]:
    """Return the weighted means of x and y, and var(x), var(y), cov(x, y), with offsets against
    cancellation.

    x is divided by its range first, so that squares neither overflow nor vanish.
    """
    w = anchors.weight / anchors.weight.sum()
    x0, unit = anchors.raw[0], anchors.raw[-1] - anchors.raw[0] or 1.0
    x, y = (anchors.raw - x0) / unit, anchors.target
    mx, my = dot(w, x), dot(w, y)
    vx, vy = dot(w, (x - mx) ** 2), dot(w, (y - my) ** 2)
    return x0 + mx * unit, my, vx, vy, dot(w, (x - mx) * (y - my))


def least_squares(anchors: Anchors) -> LineShape:
    """The least-squares line; if its slope would be negative, the slope is 0."""
    mx, my, vx, _, cov = _moments(anchors)
    slope = max(0.0, cov / vx) if vx > 0 else 0.0
    return LineShape(mx, my, _per_raw(anchors, slope))


def mean_sigma(anchors: Anchors) -> LineShape:
    """Return the line that gives both sides the same mean and spread."""
    mx, my, vx, vy, _ = _moments(anchors)
    slope = float(np.sqrt(vy / vx)) if vx > 0 else 0.0
    return LineShape(mx, my, _per_raw(anchors, slope))


def _per_raw(anchors: Anchors, slope: float) -> float:
    with np.errstate(over="ignore"):
        value = float(np.float64(slope) / ((anchors.raw[-1] - anchors.raw[0]) or 1.0))
    # Raw scores a denormal apart have no slope that a float can hold.
    return min(value, float(np.finfo(np.float64).max))


def bounded_line(anchors: Anchors) -> LineShape:
    """Return the least-squares line among increasing lines that stay in [0, 100] over the anchors;
    it is flat beyond them.

    The two ends of the line are the unknowns. Where the free optimum is not allowed, the best
    point of the triangle 0 <= low <= high <= 100 lies on one of its sides.
    """
    w = anchors.weight / anchors.weight.sum()
    ends = (float(anchors.raw[0]), float(anchors.raw[-1]))
    if ends[0] == ends[1]:
        return LineShape(ends[0], dot(w, anchors.target), 0.0, ends)
    share = (anchors.raw - ends[0]) / (ends[1] - ends[0])
    low, high = _best_ends(share, anchors.target, w)
    return LineShape(ends[0], low, _per_raw(anchors, high - low), ends)


def _best_ends(share: FloatArray, y: FloatArray, w: FloatArray) -> tuple[float, float]:
    a, b = 1 - share, share
    aa, ab, bb = dot(w, a * a), dot(w, a * b), dot(w, b * b)
    ya, yb = dot(w, a * y), dot(w, b * y)
    determinant = aa * bb - ab * ab
    if determinant > 0:
        low, high = (ya * bb - yb * ab) / determinant, (yb * aa - ya * ab) / determinant
        if LOW <= low <= high <= HIGH:
            return low, high
    mean = float(np.clip(dot(w, y), LOW, HIGH))
    sides = [
        (mean, mean),
        (LOW, float(np.clip((yb - ab * LOW) / bb, LOW, HIGH)) if bb else HIGH),
        (float(np.clip((ya - ab * HIGH) / aa, LOW, HIGH)) if aa else LOW, HIGH),
    ]
    return min(sides, key=lambda side: dot(w, (a * side[0] + b * side[1] - y) ** 2))


def fitted_line(anchors: Anchors, fit: Callable[[Anchors], LineShape]) -> Fit:
    """Return a line with its checks."""
    require_informative(anchors)
    correlation, flags = require_association(anchors)
    shape = fit(anchors)
    return Fit(
        shape,
        {"df": 2.0, "spearman": correlation.rho},
        [*flags, *flat_flag(shape(anchors.raw[[0, -1]]))],
        held_out(anchors, fit),
        "continued, clipped to [0, 100]",
    )


def flat_flag(ends: FloatArray) -> list[str]:
    """Return the flag "flat" if the map changes by less than ten points from the first to the last
    anchor. ``ends`` has two entries: the calibrated scores of these two anchors.
    """
    return ["flat"] if float(ends[-1] - ends[0]) < FLAT else []


def quantiles(anchors: Anchors) -> PointsShape:
    """Return points (raw level, consensus with the same weighted mid-rank)."""
    levels = anchors.levels()
    if len(levels.raw) < 2:
        mean = dot(anchors.weight, anchors.target) / float(anchors.weight.sum())
        return PointsShape(levels.raw[0] + np.array([0.0, 1.0]), np.array([mean, mean]))
    order = np.argsort(anchors.target, kind="stable")
    ordered = anchors.target[order]
    starts = np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1])))
    at_target = _mid_ranks(np.add.reduceat(anchors.weight[order], starts))
    at_raw = _mid_ranks(levels.weight)
    y = np.interp(at_raw, at_target, ordered[starts])
    return PointsShape(levels.raw, np.maximum.accumulate(y))


def _mid_ranks(weight: FloatArray) -> FloatArray:
    return np.asarray((np.cumsum(weight) - weight / 2) / weight.sum())


def fitted_quantiles(anchors: Anchors) -> Fit:
    """Return the equipercentile map with its checks."""
    require_informative(anchors)
    correlation, flags = require_association(anchors)
    shape = quantiles(anchors)
    return Fit(
        shape,
        {"spearman": correlation.rho},
        [*flags, *flat_flag(shape.y)],
        held_out(anchors, quantiles),
    )


def isotonic(anchors: Anchors) -> PointsShape:
    """Pool adjacent violators on the levels, and keep only the ends of each flat step."""
    from scipy.optimize import isotonic_regression

    levels = anchors.levels()
    y = isotonic_regression(levels.target, weights=levels.weight, increasing=True).x
    y = np.maximum.accumulate(np.clip(y, LOW, HIGH))
    if len(y) < 2:
        return PointsShape(levels.raw[0] + np.array([0.0, 1.0]), np.array([y[0], y[0]]))
    same = np.diff(y) == 0
    inner = np.concatenate(([False], same)) & np.concatenate((same, [False]))
    return PointsShape(levels.raw[~inner], y[~inner])


def fitted_isotonic(anchors: Anchors) -> Fit:
    """Return the isotonic map with its checks; its degrees of freedom are the number of its
    steps.
    """
    require_informative(anchors)
    correlation, flags = require_association(anchors)
    shape = isotonic(anchors)
    return Fit(
        shape,
        {"df": float(len(np.unique(shape.y))), "spearman": correlation.rho},
        [*flags, *flat_flag(shape.y)],
        held_out(anchors, isotonic),
    )
