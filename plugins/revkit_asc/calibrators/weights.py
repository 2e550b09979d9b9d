"""Weights of anchors whose consensus is uncertain, and repeated calls of one anchor averaged."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from revkit.contracts import Calibrator, Curve
from revkit.errors import BadAnchors
from revkit.stats import weights as rule
from revkit_asc.calibrators.anchors import FloatArray, as_numbers
from revkit_asc.calibrators.curves import FittedCurve

RULE = "1 / (tau^2 + se^2)"


def anchor_weights(residuals: Any, se: Any) -> FloatArray:
    """`revkit.stats.weights.anchor_weights` of the rows that have a residual; 0 for the others.

    ``residuals`` are those of a first, unweighted fit, in points; ``se`` are the standard errors of
    the consensus, in points, or None where none is known: then all weights are 1. Raises
    `BadAnchors` for a missing or negative ``se`` beside given ones.
    """
    miss = as_numbers(residuals)
    if se is None:
        return np.ones(len(miss))
    errors = as_numbers(se)
    if len(errors) != len(miss):
        raise BadAnchors(f"residuals {len(miss)} and se {len(errors)} must have the same length")
    if not bool((np.isfinite(errors) & (errors >= 0)).all()):
        raise BadAnchors("se must be a number from 0 for every anchor, or None for all of them")
    usable = np.isfinite(miss)
    weights = np.zeros(len(miss))
    weights[usable] = rule.anchor_weights(miss[usable].tolist(), errors[usable].tolist())
    return weights


def fit_weighted(calibrator: Calibrator, raw: Any, target: Any, se: Any) -> Curve:
    """Fit unweighted, form `anchor_weights` from the residuals, and fit again with them.

    The rule and tau stand in the diagnostics as ``weights`` where the curve can hold them.
    """
    if se is None:
        return calibrator.fit(raw, target)
    x, y = as_numbers(raw), as_numbers(target)
    if len(x) != len(y):
        raise BadAnchors(f"inputs must have the same length: raw {len(x)}, target {len(y)}")
    first = calibrator.fit(x, y)
    residuals = y - np.asarray(first(np.where(np.isfinite(x), x, np.nan)))
    weights = anchor_weights(residuals, se)
    curve = calibrator.fit(x, y, weights)
    if not isinstance(curve, FittedCurve):
        return curve
    usable = np.isfinite(residuals)
    errors = as_numbers(se)[usable].tolist()
    tau = math.sqrt(rule.between_variance(residuals[usable].tolist(), errors))
    return curve.with_facts({"weights": {"rule": RULE, "tau": tau}})


@dataclass(frozen=True)
class AveragedCalls:
    """One row an anchor, sorted by id: the mean raw score and how many calls gave it.

    ``failed`` names the anchors without any usable call; ``lost`` counts all calls without score.
    """

    ids: tuple[Hashable, ...]
    raw: FloatArray
    calls: tuple[int, ...]
    failed: tuple[Hashable, ...]
    lost: int


def average_calls(ids: Sequence[Hashable], raw: Any) -> AveragedCalls:
    """Average an agent's repeated calls on each anchor, before any fit.

    Calls on one anchor are not independent; counted as rows of their own they would make lambda
    too small. Calls that are no finite number are left out and counted.
    """
    scores = as_numbers(raw)
    if len(ids) != len(scores):
        raise BadAnchors(f"ids {len(ids)} and raw {len(scores)} must have the same length")
    found: dict[Hashable, list[float]] = {}
    for anchor, score in zip(ids, scores.tolist(), strict=True):
        calls = found.setdefault(anchor, [])
        if math.isfinite(score):
            calls.append(score)
    order = sorted(found, key=lambda anchor: (str(anchor), repr(anchor)))
    kept = [anchor for anchor in order if found[anchor]]
    return AveragedCalls(
        ids=tuple(kept),
        raw=np.array([math.fsum(found[anchor]) / len(found[anchor]) for anchor in kept]),
        calls=tuple(len(found[anchor]) for anchor in kept),
        failed=tuple(anchor for anchor in order if not found[anchor]),
        lost=int((~np.isfinite(scores)).sum()),
    )
