"""Calibrators: maps from an agent's raw scores to the human scale of 0 to 100.

=============== ==============================================================================
``spline``      ``MonotoneSpline``, the default
``isotonic``    ``Isotonic``, the comparison of the paper's own listing
``linking``     ``Identity``, ``Linear``, ``MeanSigma``, ``Quantile``
``weights``     weights of anchors whose consensus is uncertain
``prior``       anchors reweighted to the severity mix of a stream (opt-in)
``topics``      offsets of topical clusters (opt-in)
``curves``      ``FittedCurve``, what every calibrator here returns
=============== ==============================================================================

The modules of the numerical work load numpy when they are imported, so nothing here imports them.
"""

from __future__ import annotations

from revkit_asc.calibrators.isotonic import Isotonic
from revkit_asc.calibrators.linking import Identity, Linear, MeanSigma, Quantile
from revkit_asc.calibrators.spline import MonotoneSpline

CALIBRATORS = (MonotoneSpline, Isotonic, Linear, MeanSigma, Quantile, Identity)

__all__ = [
    "CALIBRATORS",
    "Identity",
    "Isotonic",
    "Linear",
    "MeanSigma",
    "MonotoneSpline",
    "Quantile",
]
