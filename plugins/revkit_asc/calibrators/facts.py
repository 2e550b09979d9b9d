"""The diagnostics that every fit records under the same names."""

from __future__ import annotations

import math

import numpy as np

from revkit.model.values import Json
from revkit_asc.calibrators.anchors import Anchors, dot
from revkit_asc.calibrators.correlation import rank_correlation
from revkit_asc.calibrators.fits import Fit


def common_facts(anchors: Anchors, done: Fit) -> dict[str, Json]:
    """Return ``n``, ``distinct``, ``dropped``, ``range``, ``spearman``, ``residual_sd``, then the
    facts of the method.

    ``residual_sd`` is in points: root(sum w r^2 / W x n / (n - df)), without the correction where
    the method states no degrees of freedom. What is undefined is None.
    """
    facts: dict[str, Json] = {
        "n": anchors.n,
        "distinct": int(np.count_nonzero(np.diff(anchors.raw)) + 1) if anchors.n else 0,
        "dropped": dict(anchors.dropped),
        "range": {
            "low": float(anchors.raw[0]) if anchors.n else None,
            "high": float(anchors.raw[-1]) if anchors.n else None,
            "behaviour": done.behaviour,
        },
    }
    defaults: dict[str, Json] = dict.fromkeys(
        ("df", "lambda", "gcv", "domain", "knots", "kkt", "active")
    )
    facts.update(defaults)
    facts.update(done.facts)
    if "spearman" not in facts:
        facts["spearman"] = rank_correlation(anchors.raw, anchors.target).rho if anchors.n else None
    facts["residual_sd"] = _residual_sd(anchors, done, facts["df"])
    return facts


def _residual_sd(anchors: Anchors, done: Fit, df: Json) -> float | None:
    if not anchors.n:
        return None
    miss = anchors.target - done.shape(anchors.raw)
    mean = dot(anchors.weight, miss * miss) / float(anchors.weight.sum())
    spent = float(df) if isinstance(df, float | int) else 0.0
    if anchors.n - spent <= 1e-9:
        return None
    return math.sqrt(mean * anchors.n / (anchors.n - spent))
