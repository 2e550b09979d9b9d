"""Calibration maps: fitted from anchors, kept in a file, and applied only while they hold."""

from revkit.calibration.applying import Applied, apply_to_stream
from revkit.calibration.artifact import CalibrationMap, Mapped, fingerprint_of
from revkit.calibration.checking import MapCheck, check_map
from revkit.calibration.fitting import AnchorScores, fit_curve, fit_map, utc_today
from revkit.calibration.printable import printable
from revkit.calibration.scores import ScoreRow, format_of, number_in, read_scores
from revkit.calibration.stored import load_map, map_from_json, save_map

__all__ = [
    "AnchorScores",
    "Applied",
    "CalibrationMap",
    "MapCheck",
    "Mapped",
    "ScoreRow",
    "apply_to_stream",
    "check_map",
    "fingerprint_of",
    "fit_curve",
    "fit_map",
    "format_of",
    "load_map",
    "map_from_json",
    "number_in",
    "printable",
    "read_scores",
    "save_map",
    "utc_today",
]
