"""Weights of values that are known with different errors."""

from __future__ import annotations

import math
from collections.abc import Sequence

# tau^2 is at least this share of the residual variance, and at least a tenth of a point squared.
SHARE, LEAST = 0.05, 0.01


def between_variance(residuals: Sequence[float], errors: Sequence[float]) -> float:
    """tau^2, in squared points: what ``residuals`` vary beside the standard ``errors`` of what they
    are residuals from; at least a twentieth of their mean square, and 0.01."""
    if not residuals:
        return LEAST
    mean_square = math.fsum(each**2 for each in residuals) / len(residuals)
    known = math.fsum(each**2 for each in errors) / len(errors)
    return max(mean_square - known, SHARE * mean_square, LEAST)


def anchor_weights(residuals: Sequence[float], errors: Sequence[float]) -> list[float]:
    """w_a = 1 / (tau^2 + se_a^2), one for each anchor, tau^2 being the `between_variance`.

    ``residuals`` are those of a first fit with equal weights, ``errors`` the standard errors of the
    consensus, both in points on the 0-100 scale, finite and of one length. tau^2 represents what
    the agent adds: without it an anchor with many human scores would count for everything, even
    where the agent's own noise is the larger part.
    """
    tau2 = between_variance(residuals, errors)
    return [1.0 / (tau2 + each**2) for each in errors]
