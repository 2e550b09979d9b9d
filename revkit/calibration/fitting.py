"""Fitting: from an agent's scores of anchors and their consensus to a curve."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from revkit.calibration.artifact import CalibrationMap
from revkit.contracts import Calibrator, Curve
from revkit.model.consensus import Consensus
from revkit.model.review import Scale
from revkit.model.values import Json, digest_of
from revkit.options import options_of


@dataclass(frozen=True)
class AnchorScores:
    """One agent's anchors, one row each: its severity (the mean over its repeats), the consensus
    severity, both 0-100, and the standard error of the consensus (None: not known)."""

    raw: Sequence[float]
    consensus: Sequence[float]
    errors: Sequence[float | None] = ()

    @property
    def digest(self) -> str:
        """SHA-256 of the rows, whatever their order."""
        errors = self.errors or [None] * len(self.raw)
        rows: list[Json] = [
            [float(raw), float(target), error]
            for raw, target, error in zip(self.raw, self.consensus, errors, strict=True)
        ]
        return digest_of(sorted(rows, key=str))


def fit_curve(calibrator: Calibrator, anchors: AnchorScores) -> Curve:
    """Fit a curve; where every anchor's standard error is known, with weights 1/(tau^2 + se^2).

    tau^2 is what the residuals of a first fit with equal weights hold beside the error of the
    consensus, at least a hundredth of their mean square: an anchor with many human scores counts
    more, but never for everything where the agent's own noise is the larger part.

    Raises what the calibrator raises for anchors from which no map can be learnt.
    """
    curve = calibrator.fit(anchors.raw, anchors.consensus)
    errors = [error for error in anchors.errors if error is not None]
    if not errors or len(errors) < len(anchors.raw) or len(set(errors)) == 1:
        return curve
    fitted = curve(anchors.raw)
    squares = [
        (float(value) - target) ** 2
        for value, target in zip(fitted, anchors.consensus, strict=True)
    ]
    mean_square = math.fsum(squares) / len(squares)
    known = math.fsum(error**2 for error in errors) / len(errors)
    tau2 = max(mean_square - known, mean_square / 100)
    if tau2 <= 0.0:
        return curve
    weights = [1.0 / (tau2 + error**2) for error in errors]
    return calibrator.fit(anchors.raw, anchors.consensus, weights)


def fit_map(
    agent: str,
    scale: Scale,
    calibrator: Calibrator,
    scores: Mapping[str, Sequence[float]],
    consensus: Mapping[str, Consensus],
    *,
    fingerprint: str = "",
    today: date,
    days: int | None = 30,
) -> CalibrationMap:
    """Fit the map of one agent from its raw ``scores`` of anchors and their ``consensus``, by id.

    Repeated scores of an anchor are averaged; an anchor without a score, or without a consensus,
    has no part in it and is counted in ``about``. The map expires ``days`` days after ``today``
    (None: never).

    Raises `PaperError` for a score off the scale, and what the calibrator raises for anchors from
    which no map can be learnt.
    """
    names = sorted(name for name, values in scores.items() if values and name in consensus)
    raw = [math.fsum(map(scale.to_severity, scores[n])) / len(scores[n]) for n in names]
    anchors = AnchorScores(
        raw,
        [consensus[name].severity for name in names],
        [consensus[name].error for name in names],
    )
    curve = fit_curve(calibrator, anchors)
    about: dict[str, Json] = {
        "flags": list(curve.flags),
        "diagnostics": dict(curve.diagnostics),
        "anchors_without_score": sum(not scores.get(name) for name in consensus),
        "scores_without_consensus": sum(name not in consensus for name in scores),
    }
    return CalibrationMap(
        agent=agent,
        scale=scale,
        calibrator=calibrator.name,
        options=options_of(calibrator),
        curve=curve,
        fingerprint=fingerprint,
        bank=anchors.digest,
        anchors=len(names),
        fitted=today.isoformat(),
        expires="" if days is None else (today + timedelta(days=days)).isoformat(),
        scored={n: (r, consensus[n].severity) for n, r in zip(names, raw, strict=True)},
        about=about,
    )
