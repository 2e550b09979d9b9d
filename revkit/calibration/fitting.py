"""Fitting: from an agent's scores of anchors and their consensus to a curve."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta

from revkit.calibration.artifact import CalibrationMap
from revkit.calibration.printable import printable
from revkit.contracts import Calibrator, Curve
from revkit.errors import BadAnchors, CalibrationError, OutsideScale, PaperError, TooFewAnchors
from revkit.model.consensus import Consensus
from revkit.model.review import Scale
from revkit.model.values import Json, digest_of
from revkit.options import options_of


@dataclass(frozen=True)
class AnchorScores:
    """One agent's anchors, one row each: its severity at one call, the consensus severity, both
    0-100, and the standard error of the consensus (None: not known)."""

    raw: Sequence[float]
    consensus: Sequence[float]
    errors: Sequence[float | None] = ()

    @property
    def weighted(self) -> bool:
        """Whether every anchor has a standard error, and not all the same one."""
        known = [error for error in self.errors if error is not None]
        return len(known) == len(self.raw) and len(set(known)) > 1

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

    The rule is that of `revkit.stats.weights.anchor_weights`, from the residuals of a first fit
    with equal weights.

    Raises what the calibrator raises for anchors from which no map can be learnt.
    """
    curve = calibrator.fit(anchors.raw, anchors.consensus)
    errors = [error for error in anchors.errors if error is not None]
    if not anchors.weighted:
        return curve
    from revkit.stats.weights import anchor_weights

    fitted = zip(curve(anchors.raw), anchors.consensus, strict=True)
    weights = anchor_weights([float(value) - target for value, target in fitted], errors)
    return calibrator.fit(anchors.raw, anchors.consensus, weights)


def _one_severity(scale: Scale, name: str, scores: Sequence[float]) -> float:
    """One of the severities of an anchor, drawn by its id: the same whatever their order."""
    try:
        severities = sorted(map(scale.to_severity, scores))
    except PaperError as error:
        raise OutsideScale(f"anchor {printable(name)!r}: {error}") from None
    return severities[int(digest_of(name), 16) % len(severities)]


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

    Of repeated scores of an anchor one counts, drawn by its id: a map from means of calls is too
    steep for the single calls that it is applied to. (Where the agent's score *is* a mean of calls,
    average them before.) An anchor without a score, or without a consensus, has no part in it and
    is counted in ``about``. The map expires ``days`` days after ``today`` (None: never).

    Raises `OutsideScale` for a score off the scale, `BadAnchors` for a consensus off 0 to 100,
    `TooFewAnchors` where no id has both, and what the calibrator raises for anchors from which no
    map can be learnt.
    """
    names = sorted(name for name, values in scores.items() if values and name in consensus)
    if not names:
        raise TooFewAnchors(
            f"none of the {len(consensus)} anchors has a score: no id of theirs is among the "
            f"{sum(map(bool, scores.values()))} that were scored"
        )
    raw = [_one_severity(scale, name, scores[name]) for name in names]
    errors = [consensus[name].error for name in names]
    for name, error in zip(names, errors, strict=True):
        if not 0.0 <= consensus[name].severity <= 100.0 or not 0.0 <= (error or 0.0) < math.inf:
            raise BadAnchors(
                f"anchor {printable(name)!r}: a consensus lies from 0 to 100, a standard error is "
                "not below 0"
            )
    anchors = AnchorScores(raw, [consensus[name].severity for name in names], errors)
    curve = fit_curve(calibrator, anchors)
    check_loadable(calibrator, curve)
    about: dict[str, Json] = {
        "flags": list(curve.flags),
        "diagnostics": dict(curve.diagnostics),
        "weights": "1/(tau^2 + se^2)" if anchors.weighted else "equal",
        "anchors_without_se": errors.count(None),
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
        expires=end_of(today, days),
        scored={n: (r, consensus[n].severity) for n, r in zip(names, raw, strict=True)},
        about=about,
    )


def check_loadable(calibrator: Calibrator, curve: Curve) -> None:
    """Raise `CalibrationError` where ``calibrator`` cannot load the map that it fitted: stored, it
    could never be applied."""
    try:
        calibrator.load(json.loads(json.dumps(curve.to_json(), allow_nan=False)))
    except (Exception, SystemExit) as error:  # a plugin may raise anything
        raise CalibrationError(
            f"calibrator {calibrator.name!r} cannot load the map that it fitted, so a file of it "
            f"could not be applied ({printable(error, 500)}); give it a method `load`"
        ) from None


def renewed(found: CalibrationMap, fingerprint: str, anchors: int, today: date) -> CalibrationMap:
    """``found`` with the ``fingerprint`` of today's code, after a check on so many ``anchors``."""
    note: Json = {"on": today.isoformat(), "anchors": anchors, "fingerprint": found.fingerprint}
    return replace(found, fingerprint=fingerprint, about={**found.about, "renewed": note})


def utc_today() -> date:
    """Today by UTC: the day on which maps begin and end, wherever they are used."""
    return datetime.now(UTC).date()


def end_of(fitted: date, days: int | None) -> str:
    """The last day of a map that was fitted on ``fitted``; "" for one without an end."""
    if days is None:
        return ""
    try:
        return (fitted + timedelta(days=days)).isoformat()
    except OverflowError:
        raise CalibrationError(f"{days} days from {fitted} are beyond any calendar") from None
