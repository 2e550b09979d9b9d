"""CalibrationMap: a fitted map that knows whose scores it maps and until when."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, Any

from revkit.calibration.printable import printable
from revkit.contracts import Agent, Curve
from revkit.errors import BadScores, CalibrationError
from revkit.identity import identity_of
from revkit.model.review import Scale
from revkit.model.values import Json, digest_of

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

FORMAT = 1
_ROUNDING = 1e-9
# So many scores at a time stay in the processor's cache.
_BLOCK = 1 << 14


@dataclass(frozen=True)
class Mapped:
    """One score on the common 0-100 severity scale; ``extrapolated`` where the raw score lies
    outside the range of the anchors."""

    common: float
    extrapolated: bool


@dataclass(frozen=True)
class CalibrationMap:
    """The map of one agent's scores onto the common severity scale (0 no flaw, 100 reject).

    ``scale`` is the one of the agent's raw scores; the curve reads them as severities on it.
    ``fingerprint`` is that of the agent (`fingerprint_of`), "" where it was not known. ``bank`` is
    the digest of the anchors' scores, ``anchors`` how many there were, ``fitted`` and ``expires``
    are dates (YYYY-MM-DD), ``expires`` "" for never. ``scored`` gives, by the anchor's id, its raw
    severity at the fit and its consensus, so that scores of a later day can be paired with it.
    ``about`` holds what the fit says of itself.
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
        """Map raw scores. Raises `PaperError` for one that the agent's scale does not allow, and
        `BadScores` for what is no number."""
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
        """Map many raw scores at once: the scores on the common scale, 0 to 100, and which of them
        are extrapolated.

        A score that the agent's scale does not allow (NaN is one) becomes NaN. Raises `BadScores`
        for what are no numbers, and `CalibrationError` where the curve itself gives none.
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
                common[part], outside[part] = self._curved(severities)
            elif allowed.any():
                common[part][allowed], outside[part][allowed] = self._curved(severities[allowed])
        return common, outside

    def _curved(
        self, severities: NDArray[numpy.float64]
    ) -> tuple[NDArray[numpy.float64], NDArray[numpy.bool_]]:
        import numpy as np

        try:
            found = np.asarray(self.curve(severities), dtype=np.float64)
            outside = np.asarray(self.curve.extrapolated(severities), dtype=bool)
        except (Exception, SystemExit) as error:  # a plugin may raise anything
            raise CalibrationError(
                f"the curve of {printable(self.agent)!r} crashed: {type(error).__name__}: {error}; "
                f"calibrator {self.calibrator!r} is at fault"
            ) from error
        good = found.shape == outside.shape == severities.shape
        if not good or not (found.min() >= -_ROUNDING and found.max() <= 100.0 + _ROUNDING):
            raise CalibrationError(
                f"the curve of {printable(self.agent)!r} gave what is no severity from 0 to 100; "
                f"calibrator {self.calibrator!r} is at fault"
            )
        return np.minimum(np.maximum(found, 0.0), 100.0), outside

    def refusals(self, *, fingerprint: str | None = None, today: date | None = None) -> list[str]:
        """Why the map is not to be used: "foreign: ..." for another agent than the one with
        ``fingerprint`` or where the map has none to hold against it, "expired: ..." where ``today``
        lies past its end. Empty: it may be used."""
        told = []
        if fingerprint is not None and not self.fingerprint:
            told.append(
                "foreign: it carries no fingerprint, so whether it is this agent's cannot be told"
            )
        elif fingerprint is not None and fingerprint != self.fingerprint:
            told.append(
                f"foreign: it was fitted for another agent or another setting of "
                f"{printable(self.agent)!r} (fingerprint {printable(self.fingerprint, 12)}, not "
                f"{printable(fingerprint, 12)})"
            )
        if today is not None and self.expires and today > date.fromisoformat(self.expires):
            told.append(f"expired: it held until {self.expires}")
        return told

    @property
    def digest(self) -> str:
        """SHA-256 of what decides its results."""
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
    """Which scores ``scale`` allows, and all as severities: `Scale.to_severity` bit for bit."""
    import numpy as np

    allowed = (raw >= scale.minimum) & (raw <= scale.maximum)
    if scale.values:
        allowed &= np.isin(raw, np.array(scale.values, dtype=np.float64))
    with np.errstate(invalid="ignore", over="ignore"):
        share = (raw - scale.minimum) / (scale.maximum - scale.minimum)
    return allowed, 100.0 * (1.0 - share if scale.higher_is_better else share)


def fingerprint_of(agent: Agent, beside: Sequence[Json] = ()) -> str:
    """The fingerprint of an agent: its code, options, prompt and model, as its cache key has them.

    ``beside`` is what else decides its scores: what screens a paper before it, who serves its
    models. What stays the same name behind a provider's door is not seen; a check on anchors sees
    it.
    """
    return digest_of([identity_of(agent), list(agent.models()), *beside])
