"""CalibrationMap: a fitted map with its agent and its last day of use."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from datetime import date
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

from revkit.calibration.fingerprints import relation
from revkit.calibration.printable import printable
from revkit.contracts import Curve
from revkit.dataclass import dataclass
from revkit.errors import BadScores, CalibrationError, describe_error
from revkit.model.review import LARGEST_SEVERITY, Scale
from revkit.model.values import Json, digest_of

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

FORMAT = 1
_ROUNDING = 1e-9
# This many scores at a time fit into the processor's cache.
_BLOCK = 1 << 14


@dataclass(frozen=True)
class Mapped:
    """One score on the common severity scale of 0 to 100; ``extrapolated`` if the raw score is
    outside the range of the anchors.
    """

    common: float
    extrapolated: bool


RefusalKind = Literal["foreign", "other-code", "expired"]
# The exceptions that allow each refusal: a map of another agent may have any code.
OVERRULED_BY: Mapping[RefusalKind, frozenset[str]] = MappingProxyType(
    {
        "foreign": frozenset({"foreign"}),
        "other-code": frozenset({"other-code", "foreign"}),
        "expired": frozenset({"expired"}),
    }
)
REMEDIES: Mapping[RefusalKind, str] = MappingProxyType(
    {
        "foreign": "fit it again",
        "other-code": (
            "score some anchors again and check the map (`revkit calibrate check`); a map that is "
            "still valid is then accepted again"
        ),
        "expired": "score the anchors again and fit a new map",
    }
)


@dataclass(frozen=True)
class Refusal:
    """Why a map must not be used: the kind, and the reason as text.

    "foreign": it belongs to another agent or other settings. "other-code": the agent has the same
    settings but other code, so its scores may have changed. "expired": its last day is over.
    """

    kind: RefusalKind
    reason: str

    def overruled(self, allow: Iterable[str]) -> bool:
        """Return whether ``allow`` contains an exception for this refusal."""
        return not OVERRULED_BY[self.kind].isdisjoint(allow)

    @property
    def remedy(self) -> str:
        """The remedy for the refusal."""
        return REMEDIES[self.kind]

    def __str__(self) -> str:
        return f"{self.kind}: {self.reason}"


@dataclass(frozen=True)
class CalibrationMap:
    """The map from one agent's scores to the common severity scale (0: no flaw, 100: reject).

    ``scale`` is the one of the agent's raw scores; the curve reads them as severities on it.
    ``fingerprint`` is that of the agent (`fingerprint_of`), "" where it was not known. ``bank`` is
    the digest of the anchors' scores, ``anchors`` how many there were, ``fitted`` and ``expires``
    are dates (YYYY-MM-DD), ``expires`` "" for never. ``scored`` gives, by the anchor's id, its raw
    severity at the fit and its consensus, so that later scores can be paired with it.
    ``about`` describes the fit.
    """

    agent: str
    scale: Scale
    calibrator: str
    options: Mapping[str, Json]
    curve: Curve
    fingerprint: str = ""
    bank: str = ""
    anchors: int = 0
    fitted: str = ""
    expires: str = ""
    scored: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    about: Mapping[str, Json] = field(default_factory=dict)

    def apply(self, scores: Sequence[float]) -> list[Mapped]:
        """Map raw scores. Raises `PaperError` for a score that the agent's scale does not allow,
        and `BadScores` for values that are not numbers.
        """
        common, outside = self.common(scores)
        for index in (common != common).nonzero()[0].tolist():
            self.scale.to_severity(float(scores[index]))
        return [
            Mapped(value, flag)
            for value, flag in zip(common.tolist(), outside.tolist(), strict=True)
        ]

    def common(
        self, scores: Sequence[float] | numpy.ndarray[Any, Any]
    ) -> tuple[NDArray[numpy.float64], NDArray[numpy.bool_]]:
        """Map many raw scores at once: return the scores on the common scale, 0 to 100, and which
        of them are extrapolated.

        A score that the agent's scale does not allow (NaN is one) becomes NaN. Raises `BadScores`
        for values that are not numbers, and `CalibrationError` if the curve returns no number.
        """
        import numpy as np

        raw = np.asarray(scores)
        if raw.ndim != 1 or (raw.size and raw.dtype.kind not in "fiu"):
            raise BadScores(f"scores to map must be one flat sequence of numbers, not {raw.dtype}")
        raw = np.asarray(raw, dtype=np.float64)
        common, outside = np.full(len(raw), np.nan), np.zeros(len(raw), dtype=bool)
        for start in range(0, len(raw), _BLOCK):
            part = slice(start, start + _BLOCK)
            allowed, severities = _severities(self.scale, raw[part])
            if allowed.all():
                common[part], outside[part] = self._apply_curve(severities)
            elif allowed.any():
                common[part][allowed], outside[part][allowed] = self._apply_curve(
                    severities[allowed]
                )
        return common, outside

    def _apply_curve(
        self, severities: NDArray[numpy.float64]
    ) -> tuple[NDArray[numpy.float64], NDArray[numpy.bool_]]:
        import numpy as np

        try:
            found = np.asarray(self.curve(severities), dtype=np.float64)
            outside = np.asarray(self.curve.extrapolated(severities), dtype=bool)
        except (Exception, SystemExit) as error:  # a plugin may raise anything
            raise CalibrationError(
                f"the curve of {printable(self.agent)!r} crashed: {describe_error(error)}; "
                f"this is a fault of calibrator {self.calibrator!r}"
            ) from error
        good = found.shape == outside.shape == severities.shape
        if not good or not (
            found.min() >= -_ROUNDING and found.max() <= LARGEST_SEVERITY + _ROUNDING
        ):
            raise CalibrationError(
                f"the curve of {printable(self.agent)!r} returned a value outside 0 to 100; "
                f"this is a fault of calibrator {self.calibrator!r}"
            )
        return np.minimum(np.maximum(found, 0.0), LARGEST_SEVERITY), outside

    def refusals(
        self, *, fingerprint: str | None = None, today: date | None = None
    ) -> list[Refusal]:
        """Return the reasons why the map must not be used for the agent with ``fingerprint`` (None:
        not checked) on the day ``today`` (None: not checked). Empty if it may be used.
        """
        refusals = []
        if fingerprint is not None and not self.fingerprint:
            refusals.append(Refusal("foreign", "it has no fingerprint, so its agent is unknown"))
        elif fingerprint is not None:
            state = relation(self.fingerprint, fingerprint)
            agent = printable(self.agent)
            if state == "foreign":
                reason = (
                    f"it was fitted for another agent or another setting of {agent!r} "
                    f"(fingerprint {printable(self.fingerprint, 12)}, not "
                    f"{printable(fingerprint, 12)})"
                )
                refusals.append(Refusal("foreign", reason))
            elif state == "other-code":
                reason = f"it was fitted for {agent!r} with the same settings but other code"
                refusals.append(Refusal("other-code", reason))
        if today is not None and self.expires and today > date.fromisoformat(self.expires):
            refusals.append(Refusal("expired", f"it expired after {self.expires}"))
        return refusals

    @property
    def digest(self) -> str:
        """Return the SHA-256 of everything that determines its results."""
        return digest_of([self.scale.to_json(), self.calibrator, self.curve.to_json()])

    def to_json(self) -> dict[str, Json]:
        return {
            "format": FORMAT,
            "kind": "revkit-calibration-map",
            "agent": self.agent,
            "scale": self.scale.to_json(),
            "calibrator": {"use": self.calibrator, "with": dict(self.options)},
            "curve": self.curve.to_json(),
            "fingerprint": self.fingerprint,
            "bank": self.bank,
            "anchors": self.anchors,
            "fitted": self.fitted,
            "expires": self.expires,
            "scored": {name: list(pair) for name, pair in sorted(self.scored.items())},
            "about": dict(self.about),
        }


def _severities(
    scale: Scale, raw: NDArray[numpy.float64]
) -> tuple[NDArray[numpy.bool_], NDArray[numpy.float64]]:
    """Return which scores ``scale`` allows, and all scores as severities, equal to
    `Scale.to_severity` bit for bit.
    """
    import numpy as np

    allowed = (raw >= scale.minimum) & (raw <= scale.maximum)
    if scale.values:
        allowed &= np.isin(raw, np.array(scale.values, dtype=np.float64))
    with np.errstate(invalid="ignore", over="ignore"):
        share = (raw - scale.minimum) / (scale.maximum - scale.minimum)
    return allowed, LARGEST_SEVERITY * (1.0 - share if scale.higher_is_better else share)
