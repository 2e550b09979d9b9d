"""Check whether a map is still valid: anchors today against the same anchors at the fit."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from revkit.calibration.artifact import CalibrationMap
from revkit.calibration.printable import printable
from revkit.errors import OutsideScale, PaperError, StatisticsError, TooFewAnchors

FEWEST = 8
# A mean of repeats may be summed in another order: that is not a change.
_DIGITS = 9


_STATES = {
    "renewed": "renewed: same settings, other code",
    "other-code": "not renewed: same settings, other code",
    "foreign": "of another agent or other settings than these scores; fit a map from them",
}


@dataclass(frozen=True)
class MapCheck:
    """The result of checking a map by paired anchors.

    ``shift`` is the mean of mapped score today less mapped score at the fit, ``slope`` the change
    of that difference per point of consensus, each with its standard error and two-sided p-value
    (t distribution over anchors). ``detectable`` is the shift that this many anchors find with
    probability 0.8. ``error_then`` and ``error_now`` are mean absolute errors against the consensus
    on these anchors. ``strangers`` counts anchors that the map does not know, ``unscored`` those
    that it knows and that have no score today. The map is valid if neither p-value is below
    ``level`` / 2 (Bonferroni). ``fingerprint`` compares the map with the agent that
    gave the scores: "renewed" if it has the same settings and other code, and the map is valid.
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
    fingerprint: Literal["unknown", "same", "renewed", "other-code", "foreign"] = "unknown"

    @property
    def holds(self) -> bool:
        """Whether no test rejects the map."""
        tests = [p for p in (self.shift_p, self.slope_p) if p is not None]
        return all(p >= self.level / 2 for p in tests)

    def text(self) -> str:
        """The check as text."""
        left = []
        if self.strangers:
            left.append(f"{self.strangers} more are unknown to the map")
        if self.unscored:
            left.append(f"{self.unscored} have no score")
        lines = [
            f"anchors paired  {self.anchors}" + (f" ({', '.join(left)})" if left else ""),
            f"shift           {self.shift:+.2f} points, standard error {self.shift_error:.2f}, "
            f"p {self.shift_p:.3g}",
        ]
        if self.slope is not None and self.slope_error is not None and self.slope_p is not None:
            lines.append(
                f"slope           {self.slope:+.3f} a point of consensus, standard error "
                f"{self.slope_error:.3f}, p {self.slope_p:.3g}"
            )
        if self.detectable is not None:
            lines.append(
                f"detectable      {self.detectable:.2f} points, with probability 0.8; score more "
                "anchors to detect smaller shifts"
            )
        lines.append(f"error           {self.error_then:.2f} at the fit, {self.error_now:.2f} now")
        if self.fingerprint in _STATES:
            lines.append(f"fingerprint     {_STATES[self.fingerprint]}")
        verdict = "valid" if self.holds else "not valid: score all anchors and fit it again"
        lines.append(f"verdict         {verdict} (level {self.level:g}, two tests)")
        return "\n".join(lines) + "\n"


def check_map(
    found: CalibrationMap, scores: Mapping[str, Sequence[float]], level: float = 0.01
) -> MapCheck:
    """Check ``found`` by new ``scores`` of its anchors (raw, by id).

    Repeats are mapped first, then averaged: a curved map of a mean is not the mean of the map, and
    a noisy agent would seem to have changed.

    Pairing each anchor with itself removes what differs between anchors, so few of them suffice
    (ASC, section 5, on drift). Raises `TooFewAnchors` below eight pairs, `OutsideScale` for a score
    outside the agent's scale.
    """
    if not 0.0 < level < 1.0:
        raise StatisticsError(f"level must lie between 0 and 1, not {level}")
    known = {name: values for name, values in scores.items() if name in found.scored and values}
    if len(known) < FEWEST:
        raise TooFewAnchors(
            f"{len(known)} of the scores are of anchors of the map; at least {FEWEST} are "
            "needed for a check"
        )
    names = sorted(known)
    calls = [_mapped(found, name, known[name]) for name in names]
    now = [math.fsum(each) / len(each) for each in calls]
    then = [float(value) for value in found.curve([found.scored[n][0] for n in names])]
    consensus = [found.scored[n][1] for n in names]
    moved = [round(a - b, _DIGITS) for a, b in zip(now, then, strict=True)]
    count = len(moved)
    mean = math.fsum(moved) / count
    spread = math.sqrt(math.fsum((e - mean) ** 2 for e in moved) / (count - 1))
    error = spread / math.sqrt(count)
    slope, slope_error, slope_p = _slope(moved, consensus)
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
        error_then=_mean_error(then, consensus),
        error_now=_mean_error_of_calls(calls, consensus),
        level=level,
    )


def _mapped(found: CalibrationMap, name: str, scores: Sequence[float]) -> list[float]:
    """Each score of one anchor on the common scale."""
    try:
        return [float(value) for value in found.curve([*map(found.scale.to_severity, scores)])]
    except PaperError as error:
        raise OutsideScale(f"anchor {printable(name)!r}: {error}") from None


def _mean_error_of_calls(calls: Sequence[Sequence[float]], consensus: Sequence[float]) -> float:
    """The mean over anchors of the mean absolute error of single calls."""
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
    """Least squares of the change on the consensus: slope, standard error, p-value."""
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
