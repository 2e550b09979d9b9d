"""Held-out scores: each anchor is mapped by a map that was fitted without it."""

from __future__ import annotations

from collections.abc import Mapping

from revkit.calibration.fitting import fit_in_time
from revkit.contracts import Calibrator
from revkit.errors import CalibrationError

FOLDS = 10


def held_out_scores(
    calibrator: Calibrator, scored: Mapping[str, tuple[float, float]]
) -> dict[str, float] | None:
    """Return the score of each anchor by a map that is fitted on nine tenths of ``scored`` without
    it.

    ``scored`` has the raw severity and the consensus of each anchor, by id. Folds take every tenth
    anchor in the order of raw severity, so that each spans the range; anchors have equal weights.
    None where a fold cannot be fitted.
    """
    names = sorted(scored, key=lambda name: (scored[name], name))
    scores: dict[str, float] = {}
    for fold in range(min(FOLDS, len(names))):
        out = names[fold::FOLDS]
        rest = [scored[name] for place, name in enumerate(names) if place % FOLDS != fold]
        try:
            curve = fit_in_time(
                calibrator, [raw for raw, _ in rest], [target for _, target in rest]
            )
        except CalibrationError:
            return None
        mapped = curve([scored[name][0] for name in out])
        scores.update((name, float(value)) for name, value in zip(out, mapped, strict=True))
    return scores
