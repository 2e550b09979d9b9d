"""Calibration maps: fitted on anchors, kept in a file, and applied only while they are valid.

Each name is loaded when it is first used: most runs have no map.
"""

from typing import TYPE_CHECKING

from revkit.calibration.printable import printable

if TYPE_CHECKING:
    from revkit.calibration.artifact import OVERRULED_BY, CalibrationMap, Mapped, Refusal
    from revkit.calibration.fingerprints import (
        Fingerprint,
        fingerprint_of,
        read_fingerprint,
        relation,
    )
    from revkit.calibration.fitting import (
        DAYS,
        AnchorScores,
        check_loadable,
        fit_curve,
        fit_map,
        utc_today,
    )
    from revkit.calibration.map_check import MapCheck, check_map, checked, renewed
    from revkit.calibration.map_files import (
        calibrator_of,
        check_storable,
        load_map,
        map_from_json,
        save_map,
    )
    from revkit.calibration.score_stream import Applied, apply_to_stream
    from revkit.calibration.scores import ScoreRow, format_of, number_in, read_scores
else:
    from revkit.lazy_names import lazy_names

    __getattr__ = lazy_names(
        __name__,
        {
            "score_stream": "Applied apply_to_stream",
            "artifact": "OVERRULED_BY CalibrationMap Mapped Refusal",
            "map_check": "MapCheck check_map checked renewed",
            "fingerprints": "Fingerprint fingerprint_of read_fingerprint relation",
            "fitting": "DAYS AnchorScores check_loadable fit_curve fit_map utc_today",
            "scores": "ScoreRow format_of number_in read_scores",
            "map_files": "calibrator_of check_storable load_map map_from_json save_map",
        },
    )

__all__ = [
    "DAYS",
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
    "calibrator_of",
    "check_loadable",
    "check_map",
    "check_storable",
    "checked",
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
