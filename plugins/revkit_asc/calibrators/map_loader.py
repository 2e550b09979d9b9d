"""Load a stored map whose calibrator is not known in advance."""

from __future__ import annotations

from collections.abc import Mapping

from revkit.errors import UnreadableMap
from revkit.model.values import Json
from revkit_asc.calibrators import CALIBRATORS
from revkit_asc.calibrators.curves import FittedCurve, curve_from_json
from revkit_asc.calibrators.topics import NAME, TopicCurve


def load_curve(value: Json) -> FittedCurve | TopicCurve:
    """Rebuild the map with the calibrator that it names. Raises `UnreadableMap` if this fails."""
    if not isinstance(value, Mapping):
        raise UnreadableMap("a stored map must be a JSON object")
    name = value.get("calibrator")
    if name == NAME:
        return TopicCurve.from_json(value, load_curve)
    if name not in [calibrator.name for calibrator in CALIBRATORS]:
        raise UnreadableMap(f"the stored map is by an unknown calibrator: {name!r}")
    return curve_from_json(value, str(name))
