"""Weights of anchors whose consensus is uncertain."""

from __future__ import annotations

from typing import Any

import numpy as np

from revkit.errors import BadAnchors
from revkit.stats import weights as rule
from revkit_asc.calibrators.anchors import FloatArray, as_numbers


def anchor_weights(residuals: Any, se: Any) -> FloatArray:
    """Return `revkit.stats.weights.anchor_weights` for the rows that have a residual, and 0 for the
    others.

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
