"""Check whether a map is still valid: compare today's scores of its anchors with those at the
fit.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Literal

from revkit.calibration.artifact import CalibrationMap
from revkit.calibration.fitting import one_severity
from revkit.calibration.heldout import held_out_scores
from revkit.calibration.printable import printable
from revkit.contracts import Calibrator
from revkit.dataclass import dataclass
from revkit.errors import (
    CalibrationError,
    OutsideScale,
    PaperError,
    StatisticsError,
    TooFewAnchors,
)
from revkit.model.values import Json

FEWEST = 8
# A mean of repeats may be summed in another order: that is not a change.
_DIGITS = 9


_STATES = {
    "renewed": "renewed: same settings, other code",
    "other-code": "not renewed: same settings, other code",
    "foreign": "of another agent or other settings than these scores; fit a map to these scores",
}


@dataclass(frozen=True)
class MapCheck:
    """The result of checking a map by paired anchors.

    ``shift`` is the mean of mapped score today less mapped score at the fit, ``slope`` the change
    of that difference per point of consensus, each with its standard error and two-sided p-value
    (t distribution over anchors). ``detectable`` is the shift that this many anchors find with
    probability 0.8. ``error_then`` and ``error_now`` are mean absolute errors against the consensus
    on these anchors; that at the fit is of maps fitted without the anchor. ``error_p`` is the
    one-sided p-value of a paired test that errors have become larger (`revkit.stats.spread`),
    ``detectable_error`` the error that this test finds with probability 0.8, and ``error_note`` the
    reason where there is no test.

    ``strangers`` counts anchors that the map does not know, ``unscored`` those
    that it knows and that have no score today. Two questions are asked at ``level`` each: have the
    scores moved (shift and slope, half of the level each, Bonferroni), and have errors grown? The
    map is valid if no test is below its level.
    ``fingerprint`` compares the map with the agent that gave the scores: "renewed" if it has the
    same settings and other code, and the map is valid.
    """

    anchors: int
    strangers: int
    unscored: int
    shift: float
    shift_error: float
    shift_p: float
    slope: float | None
    slope_error: float | None
    slope_p: float | None
    detectable: float | None
    error_then: float
    error_now: float
    level: float
    error_p: float | None = None
    detectable_error: float | None = None
    error_note: str = ""
    fingerprint: Literal["unknown", "same", "renewed", "other-code", "foreign"] = "unknown"

    @property
    def holds(self) -> bool:
        """Whether no test rejects the map."""
        drift = [p for p in (self.shift_p, self.slope_p) if p is not None]
        noisier = self.error_p is not None and self.error_p < self.level
        return not noisier and all(p >= self.level / 2 for p in drift)

    def text(self) -> str:
        """The check as text."""
        lines = [self._anchors_line(), self._shift_line()]
        if self.slope is not None and self.slope_error is not None and self.slope_p is not None:
            lines.append(
                f"slope           {self.slope:+.3f} a point of consensus, standard error "
                f"{self.slope_error:.3f}, p {self.slope_p:.3g}"
            )
        lines.append(self._error_line())
        if self.detectable is not None:
            lines.append(self._detectable_line())
        if self.fingerprint in _STATES:
            lines.append(f"fingerprint     {_STATES[self.fingerprint]}")
        verdict = "valid" if self.holds else "not valid: score all anchors and fit a new map"
        questions = "drift" if self.error_p is None else "drift and for error"
        lines.append(f"verdict         {verdict} (level {self.level:g} for {questions})")
        return "\n".join(lines) + "\n"

    def _anchors_line(self) -> str:
        left = []
        if self.strangers:
            left.append(f"{self.strangers} more are not anchors of the map")
        if self.unscored:
            left.append(f"{self.unscored} have no score")
        return f"anchors paired  {self.anchors}" + (f" ({', '.join(left)})" if left else "")

    def _shift_line(self) -> str:
        return (
            f"shift           {self.shift:+.2f} points, standard error {self.shift_error:.2f}, "
            f"p {self.shift_p:.3g}"
        )

    def _error_line(self) -> str:
        test = self.error_note or f"p {self.error_p:.3g}"
        return f"error           {self.error_then:.2f} at the fit, {self.error_now:.2f} now, {test}"

    def _detectable_line(self) -> str:
        text = f"detectable      a shift of {self.detectable:.2f} points"
        if self.detectable_error is not None:
            text += f", an error of {self.detectable_error:.2f}"
        return f"{text}, with probability 0.8; score more anchors to detect smaller changes"


@dataclass(frozen=True)
class _Pairs:
    """Mapped scores of the anchors at the fit and today, and their consensus, in the same order.

    ``calls`` has all scores of today, ``single`` one of each anchor, and ``held_out`` the scores
    at the fit by maps that did not see the anchor (None: not available)."""

    then: Sequence[float]
    held_out: Sequence[float] | None
    calls: Sequence[Sequence[float]]
    single: Sequence[float]
    consensus: Sequence[float]

    @property
    def moved(self) -> list[float]:
        """The mean of today's score minus the score at the fit."""
        now = [math.fsum(each) / len(each) for each in self.calls]
        return [round(a - b, _DIGITS) for a, b in zip(now, self.then, strict=True)]


def check_map(
    found: CalibrationMap,
    scores: Mapping[str, Sequence[float]],
    level: float = 0.01,
    *,
    calibrator: Calibrator | None = None,
    deterministic: bool = False,
) -> MapCheck:
    """Check the map ``found`` with new ``scores`` of its anchors (raw, by id).

    Repeats are mapped first, then averaged: a curved map of a mean is not the mean of the map, and
    a noisy agent would seem to have changed.

    Pairing each anchor with itself removes what differs between anchors, so few of them suffice
    (ASC, section 5, on drift). ``calibrator`` is the one that fitted the map: maps fitted by it
    without a tenth of the anchors give the errors at the fit that the error test needs; without it
    there is no error test.

    Raises `TooFewAnchors` below eight pairs, `OutsideScale` for a score outside the agent's scale,
    and `CalibrationError` if every score equals that at the fit, unless the agent is
    ``deterministic``: such scores are those of the fit, and say nothing about today.
    """
    if not 0.0 < level < 1.0:
        raise StatisticsError(f"level must lie between 0 and 1, not {level}")
    known = {name: values for name, values in scores.items() if name in found.scored and values}
    if len(known) < FEWEST:
        raise TooFewAnchors(
            f"{len(known)} of the scores belong to anchors of the map; at least {FEWEST} are "
            "needed for a check"
        )
    names = sorted(known)
    pairs, same = _pairs(found, names, known, calibrator)
    if same and not deterministic:
        raise CalibrationError(
            f"the scores of all {len(names)} anchors are those of the fit, so they say nothing "
            "about the agent today; score the anchors again (for an agent that declares itself "
            "deterministic, name its experiment)"
        )
    moved, count = pairs.moved, len(names)
    mean = math.fsum(moved) / count
    spread = math.sqrt(math.fsum((e - mean) ** 2 for e in moved) / (count - 1))
    error = spread / math.sqrt(count)
    slope, slope_error, slope_p = _slope(moved, pairs.consensus)
    error_p, detectable_error, note = _error_test(pairs, level)
    reference = pairs.then if pairs.held_out is None else pairs.held_out
    return MapCheck(
        anchors=count,
        strangers=sum(name not in found.scored for name in scores),
        unscored=sum(name in found.scored and not values for name, values in scores.items()),
        shift=mean,
        shift_error=error,
        shift_p=_two_sided(mean, error, count - 1),
        slope=slope,
        slope_error=slope_error,
        slope_p=slope_p,
        detectable=_detectable(error, count - 1, level),
        error_then=_mean_error(reference, pairs.consensus),
        error_now=_mean_error_of_calls(pairs.calls, pairs.consensus),
        error_p=error_p,
        detectable_error=detectable_error,
        error_note=note,
        level=level,
    )


def renewed(found: CalibrationMap, fingerprint: str, anchors: int, today: date) -> CalibrationMap:
    """Return the map ``found`` with the ``fingerprint`` of today's code, after a check on
    ``anchors`` anchors.
    """
    note: Json = {"on": today.isoformat(), "anchors": anchors, "fingerprint": found.fingerprint}
    return replace(found, fingerprint=fingerprint, about={**found.about, "renewed": note})


def checked(found: CalibrationMap, check: MapCheck, today: date) -> CalibrationMap:
    """Return the map ``found`` with the record of a passed check, including the smallest change
    that it could detect.
    """
    note: Json = {
        "on": today.isoformat(),
        "anchors": check.anchors,
        "level": check.level,
        "shift": check.shift,
        "detectable_shift": check.detectable,
        "error": check.error_now,
        "detectable_error": check.detectable_error,
    }
    return replace(found, about={**found.about, "checked": note})


def _pairs(
    found: CalibrationMap,
    names: Sequence[str],
    known: Mapping[str, Sequence[float]],
    calibrator: Calibrator | None,
) -> tuple[_Pairs, bool]:
    """Return the pairs, and whether every score of today equals the score at the fit."""
    calls = [_mapped(found, name, known[name]) for name in names]
    today = [one_severity(found.scale, name, known[name]) for name in names]
    raw = [found.scored[name][0] for name in names]
    same = all(
        math.isclose(found.scale.to_severity(score), then, rel_tol=0.0, abs_tol=10.0**-_DIGITS)
        for name, then in zip(names, raw, strict=True)
        for score in known[name]
    )
    held_out = None if calibrator is None else held_out_scores(calibrator, found.scored)
    pairs = _Pairs(
        then=[float(value) for value in found.curve(raw)],
        held_out=None if held_out is None else [held_out[name] for name in names],
        calls=calls,
        single=[float(value) for value in found.curve(today)],
        consensus=[found.scored[name][1] for name in names],
    )
    return pairs, same


def _error_test(pairs: _Pairs, level: float) -> tuple[float | None, float | None, str]:
    """Return the paired test of absolute errors today against those at the fit: the p-value, the
    detectable mean absolute error, and the reason if there is no test.
    """
    if pairs.held_out is None:
        return None, None, "not tested: no maps without these anchors are available"
    from revkit.stats.spread import detectable_ratio, paired_errors

    then = [round(a - b, _DIGITS) for a, b in zip(pairs.held_out, pairs.consensus, strict=True)]
    now = [round(a - b, _DIGITS) for a, b in zip(pairs.single, pairs.consensus, strict=True)]
    test = paired_errors(then, now)
    if test.p is None or not test.error:
        return test.p, None, f"not tested: {test.note}" if test.note else ""
    ratio = detectable_ratio(test.error, len(then), level)
    return test.p, ratio * _mean_error(pairs.held_out, pairs.consensus), ""


def _mapped(found: CalibrationMap, name: str, scores: Sequence[float]) -> list[float]:
    """Return each score of one anchor on the common scale."""
    try:
        return [float(value) for value in found.curve([*map(found.scale.to_severity, scores)])]
    except PaperError as error:
        raise OutsideScale(f"anchor {printable(name)!r}: {error}") from None


def _mean_error_of_calls(calls: Sequence[Sequence[float]], consensus: Sequence[float]) -> float:
    """Return the mean over anchors of the mean absolute error of single calls."""
    errors = [
        math.fsum(abs(value - target) for value in each) / len(each)
        for each, target in zip(calls, consensus, strict=True)
    ]
    return math.fsum(errors) / len(errors)


def _mean_error(scores: Sequence[float], consensus: Sequence[float]) -> float:
    return math.fsum(abs(a - b) for a, b in zip(scores, consensus, strict=True)) / len(scores)


def _two_sided(value: float, error: float, freedom: int) -> float:
    if error == 0.0:
        return 1.0 if value == 0.0 else 0.0
    from scipy import stats

    return float(2 * stats.t.sf(abs(value) / error, freedom))


def _slope(
    moved: Sequence[float], consensus: Sequence[float]
) -> tuple[float | None, float | None, float | None]:
    """Return the least-squares slope of the change on the consensus, with standard error and
    p-value.
    """
    count = len(moved)
    centre, mean = math.fsum(consensus) / count, math.fsum(moved) / count
    square = math.fsum((x - centre) ** 2 for x in consensus)
    if square == 0.0:
        return None, None, None
    cross = math.fsum((x - centre) * (y - mean) for x, y in zip(consensus, moved, strict=True))
    slope = cross / square
    left = math.fsum(
        (y - mean - slope * (x - centre)) ** 2 for x, y in zip(consensus, moved, strict=True)
    )
    error = math.sqrt(left / (count - 2) / square)
    return slope, error, _two_sided(slope, error, count - 2)


def _detectable(error: float, freedom: int, level: float) -> float | None:
    if error == 0.0:
        return None
    from scipy import stats

    quantiles = stats.t.ppf([1 - level / 4, 0.8], freedom)
    return float(sum(quantiles)) * error
