"""Calibration maps: fitted from anchors, kept in a file, and applied only while they hold."""

from revkit.calibration.artifact import (
    CalibrationMap,
    Mapped,
    fingerprint_of,
    load_map,
    map_from_json,
    save_map,
)
from revkit.calibration.fitting import AnchorScores, fit_curve

__all__ = [
    "AnchorScores",
    "CalibrationMap",
    "Mapped",
    "fingerprint_of",
    "fit_curve",
    "load_map",
    "map_from_json",
    "save_map",
]
