"""Fit a curve to an agent's scores of anchors and their consensus."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, timedelta

from revkit.calibration.artifact import CalibrationMap
from revkit.calibration.printable import printable
from revkit.contracts import Calibrator, Curve
from revkit.dataclass import dataclass
from revkit.errors import BadAnchors, CalibrationError, OutsideScale, PaperError, TooFewAnchors
from revkit.model.consensus import Consensus
from revkit.model.review import Scale, is_severity
from revkit.model.values import Json, digest_of
from revkit.observing.time_limit import call_within
from revkit.options import options_of

# Seconds; a fit takes far less, so one that takes longer does not end.
LONGEST_FIT = 600.0
# Anchors are scored again every seven days (ASC, section 3).
DAYS = 7


@dataclass(frozen=True)
class AnchorScores:
    """One agent's anchors, one row each: its severity at one call, the consensus severity, both
    0-100, and the standard error of the consensus (None: unknown).
    """

    raw: Sequence[float]
    consensus: Sequence[float]
    errors: Sequence[float | None] = ()

    @property
    def weighted(self) -> bool:
        """Whether every anchor has a standard error, and these differ."""
        known = [error for error in self.errors if error is not None]
        return len(known) == len(self.raw) and len(set(known)) > 1

    @property
    def digest(self) -> str:
        """Return the SHA-256 of the rows, independent of their order."""
        errors = self.errors or [None] * len(self.raw)
        rows: list[Json] = [
            [float(raw), float(target), error]
            for raw, target, error in zip(self.raw, self.consensus, errors, strict=True)
        ]
        return digest_of(sorted(rows, key=str))


def fit_in_time(
    calibrator: Calibrator,
    raw: Sequence[float],
    target: Sequence[float],
    weights: Sequence[float] | None = None,
    *,
    seconds: float = LONGEST_FIT,
) -> Curve:
    """Return the curve that a calibrator fits. Raises what it raises, and `NotReturned` if it has
    not returned after ``seconds``.
    """
    given = (raw, target) if weights is None else (raw, target, weights)
    what = f"fit of the calibrator {calibrator.name!r}"
    return call_within(seconds, what, lambda: calibrator.fit(*given))


def fit_curve(
    calibrator: Calibrator, anchors: AnchorScores, *, seconds: float = LONGEST_FIT
) -> Curve:
    """Fit a curve; if every anchor's standard error is known, with weights 1/(tau^2 + se^2).

    The rule is that of `revkit.stats.weights.anchor_weights`, from the residuals of a first fit
    with equal weights.

    Raises what the calibrator raises for anchors to which no map can be fitted, and
    `NotReturned` if a fit has not returned after ``seconds``.
    """
    curve = fit_in_time(calibrator, anchors.raw, anchors.consensus, seconds=seconds)
    errors = [error for error in anchors.errors if error is not None]
    if not anchors.weighted:
        return curve
    from revkit.stats.weights import anchor_weights

    fitted = zip(curve(anchors.raw), anchors.consensus, strict=True)
    weights = anchor_weights([float(value) - target for value, target in fitted], errors)
    return fit_in_time(calibrator, anchors.raw, anchors.consensus, weights, seconds=seconds)


def one_severity(scale: Scale, name: str, scores: Sequence[float]) -> float:
    """Return one of the ``scores`` of an anchor as a severity, drawn by its id, independent of
    their order. Raises `OutsideScale` for a score outside ``scale``.
    """
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
    days: int | None = DAYS,
) -> CalibrationMap:
    """Fit the map of one agent from its raw ``scores`` of anchors and their ``consensus``, by id.

    Of repeated scores of an anchor one is drawn by its id: a map fitted on means of calls is too
    steep for single calls, to which it is applied. (If the agent's score *is* a mean of calls,
    average them before.) Anchors without a score or a consensus are left out and counted in
    ``about``. The map expires ``days`` days after ``today`` (None: never).

    Raises `OutsideScale` for a score outside the scale, `BadAnchors` for a consensus outside 0
    to 100, `TooFewAnchors` if no id has both, and what the calibrator raises for anchors to which
    no map can be fitted.
    """
    names = sorted(name for name, values in scores.items() if values and name in consensus)
    if not names:
        raise TooFewAnchors(
            f"none of the {len(consensus)} anchors has a score: none of their ids is among the "
            f"{sum(map(bool, scores.values()))} with scores"
        )
    raw = [one_severity(scale, name, scores[name]) for name in names]
    errors = [consensus[name].error for name in names]
    for name, error in zip(names, errors, strict=True):
        if not is_severity(consensus[name].severity) or not 0.0 <= (error or 0.0) < math.inf:
            raise BadAnchors(
                f"anchor {printable(name)!r}: a consensus must be 0 to 100, a standard error not "
                "below 0"
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
    """Raise `CalibrationError` if ``calibrator`` cannot load the map that it fitted, because a
    stored map could then never be applied.
    """
    try:
        calibrator.load(json.loads(json.dumps(curve.to_json(), allow_nan=False)))
    except (Exception, SystemExit) as error:  # a plugin may raise anything
        raise CalibrationError(
            f"calibrator {calibrator.name!r} cannot load the map that it fitted, so a stored map "
            f"could not be applied ({printable(error, 500)}); add a method `load`"
        ) from None


def utc_today() -> date:
    """Return today's date in UTC, by which maps expire everywhere."""
    return datetime.now(UTC).date()


def end_of(fitted: date, days: int | None) -> str:
    """Return the last day of a map fitted on ``fitted``; "" for a map that does not expire. The day
    is an ISO date. Raises `CalibrationError` for a day beyond the calendar.
    """
    if days is None:
        return ""
    try:
        return (fitted + timedelta(days=days)).isoformat()
    except OverflowError:
        raise CalibrationError(
            f"{days} days from {fitted} are after the last possible date"
        ) from None
