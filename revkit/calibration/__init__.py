"""Calibration maps: fitted from anchors, kept in a file, and applied only while they hold."""

from revkit.calibration.applying import Applied, apply_to_stream
from revkit.calibration.artifact import OVERRULED_BY, CalibrationMap, Mapped, Refusal
from revkit.calibration.checking import MapCheck, check_map
from revkit.calibration.fingerprints import Fingerprint, fingerprint_of, read_fingerprint, relation
from revkit.calibration.fitting import (
    AnchorScores,
    check_loadable,
    fit_curve,
    fit_map,
    renewed,
    utc_today,
)
from revkit.calibration.printable import printable
from revkit.calibration.scores import ScoreRow, format_of, number_in, read_scores
from revkit.calibration.stored import load_map, map_from_json, save_map

__all__ = [
    "OVERRULED_BY",
    "AnchorScores",
    "Applied",
    "CalibrationMap",
    "Fingerprint",
    "MapCheck",
    "Mapped",
    "Refusal",
    "ScoreRow",
    "apply_to_stream",
    "check_loadable",
    "check_map",
    "fingerprint_of",
    "fit_curve",
    "fit_map",
    "format_of",
    "load_map",
    "map_from_json",
    "number_in",
    "printable",
    "read_fingerprint",
    "read_scores",
    "relation",
    "renewed",
    "save_map",
    "utc_today",
]
