"""CalibrationMap: a fitted map as a file that knows whose scores it maps and until when."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any, cast

from revkit.contracts import Agent, Calibrator, Curve
from revkit.errors import CalibrationError, PluginError, RevkitError, UnreadableMap
from revkit.model.review import Scale
from revkit.model.values import Json, digest_of
from revkit.options import from_options
from revkit.registry import Registry, identity_of

FORMAT = 1
LARGEST = 20_000_000


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
        """Map raw scores. Raises `PaperError` for one that the agent's scale does not allow."""
        severities = [self.scale.to_severity(score) for score in scores]
        common = self.curve(severities)
        outside = self.curve.extrapolated(severities)
        return [
            Mapped(float(value), bool(flag)) for value, flag in zip(common, outside, strict=True)
        ]

    def refusals(self, *, fingerprint: str | None = None, today: date | None = None) -> list[str]:
        """Why the map is not to be used: "foreign: ..." for another agent than the one with
        ``fingerprint``, "expired: ..." where ``today`` lies past its end. Empty: it may be used."""
        told = []
        if fingerprint is not None and self.fingerprint and fingerprint != self.fingerprint:
            told.append(
                f"foreign: it was fitted for another agent or another setting of {self.agent!r} "
                f"(fingerprint {self.fingerprint[:12]}, not {fingerprint[:12]})"
            )
        if today is not None and self.expires and today.isoformat() > self.expires:
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


def fingerprint_of(agent: Agent) -> str:
    """The fingerprint of an agent: its code, options, prompt and model, as its cache key has them.

    What stays the same name behind a provider's door is not seen; a check on anchors sees it.
    """
    return digest_of([identity_of(agent), list(agent.models())])


def save_map(found: CalibrationMap, path: Path) -> None:
    """Write a map as JSON; floats come back equal to the last bit."""
    text = json.dumps(found.to_json(), indent=1, ensure_ascii=False, allow_nan=False)
    part = path.with_name(path.name + ".part")
    try:
        part.write_text(text + "\n", encoding="utf-8", newline="\n")
        part.replace(path)
    except OSError as error:
        raise CalibrationError(f"{path} cannot be written: {error.strerror}") from None


def load_map(path: Path, registry: Registry) -> CalibrationMap:
    """Read a map. Raises `UnreadableMap` with the place and the reason; nothing is repaired."""
    try:
        if path.stat().st_size > LARGEST:
            raise UnreadableMap(f"{path} is larger than {LARGEST:,} bytes")
        value = json.loads(path.read_text(encoding="utf-8"), parse_constant=_no_constant)
    except OSError as error:
        raise UnreadableMap(f"{path} cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise UnreadableMap(f"{path} is no JSON, perhaps cut off: {error}") from None
    try:
        return map_from_json(value, registry)
    except UnreadableMap as error:
        raise UnreadableMap(f"{path}: {error}") from None


def _no_constant(text: str) -> Any:
    raise ValueError(f"{text} is no number of JSON")


def map_from_json(value: Any, registry: Registry) -> CalibrationMap:
    """Build a map from its JSON, checked by ``schemas/calibration-map.schema.json``."""
    if not isinstance(value, Mapping) or value.get("kind") != "revkit-calibration-map":
        raise UnreadableMap("this is no calibration map of revkit")
    if value.get("format") != FORMAT:
        raise UnreadableMap(
            f"this map has format {value.get('format')!r}, this revkit reads {FORMAT}; fit it again"
        )
    problems = list(_problems(value))
    if problems:
        raise UnreadableMap("; ".join(problems[:5]))
    used, given = value["calibrator"], value["scored"]
    try:
        calibrator = cast(
            Calibrator,
            from_options(registry.get("calibrator", used["use"]).component, used["with"]),
        )
        scale = Scale(**{**value["scale"], "values": tuple(value["scale"]["values"])})
        curve = calibrator.load(value["curve"])
    except UnreadableMap:
        raise
    except (PluginError, RevkitError, ValueError, TypeError) as error:
        raise UnreadableMap(str(error)) from None
    return CalibrationMap(
        **{name: value[name] for name in ("agent", "fingerprint", "bank", "anchors")},
        **{name: value[name] for name in ("fitted", "expires", "about")},
        scored={name: (float(raw), float(target)) for name, (raw, target) in given.items()},
        scale=scale,
        calibrator=used["use"],
        options=used["with"],
        curve=curve,
    )


def _problems(value: Mapping[str, Any]) -> Iterator[str]:
    from jsonschema import Draft202012Validator

    from revkit.schemas import read_schema

    for error in Draft202012Validator(read_schema("calibration-map")).iter_errors(value):
        place = ".".join(str(step) for step in error.absolute_path) or "the map"
        yield f"{place}: {error.message[:200]}"
    for name in ("fitted", "expires"):
        text = value.get(name)
        if isinstance(text, str) and text:
            try:
                date.fromisoformat(text)
            except ValueError:
                yield f"{name}: {text[:40]!r} is no date"
    if not _finite(value):
        yield "a number in it is not finite"


def _finite(value: Any) -> bool:
    if isinstance(value, float):
        return math.isfinite(value)
    if isinstance(value, Mapping):
        return all(map(_finite, value.values()))
    return all(map(_finite, value)) if isinstance(value, list) else True
