"""The metrics of ROBUST-REV: how often and how far reviewers change, with confidence intervals.

Statistics come from `revkit.stats`; this package decides what is counted. Four rules hold in
every table. A pair counts for a figure only if both of its sides give what the figure needs; what
does not is counted beside it. It counts once, however often it was reviewed. "all families" pools
the families whose edits keep the science, since only there is a flip a fault. Intervals take papers
as independent, because variants of one paper are not, and a figure that cannot be computed is an
empty cell with its reason in ``note``.

Each is loaded when it is first used: few runs compute all of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from revkit.contracts import Metric
    from revkit_robustrev.metrics.clean_accuracy import CleanAccuracy
    from revkit_robustrev.metrics.contrasts import FamilyContrast
    from revkit_robustrev.metrics.direction import Direction
    from revkit_robustrev.metrics.dose_response import DoseResponse
    from revkit_robustrev.metrics.expectation import ExpectationMet
    from revkit_robustrev.metrics.flip_rate import FlipRate
    from revkit_robustrev.metrics.mcnemar import McNemar
    from revkit_robustrev.metrics.noise_floor import NoiseFloor
    from revkit_robustrev.metrics.notice_rate import Noticed
    from revkit_robustrev.metrics.outcomes import Outcomes
    from revkit_robustrev.metrics.score_shift import ScoreShift
    from revkit_robustrev.metrics.threshold_sweep import ThresholdSweep

    METRICS: tuple[type[Metric], ...]
else:
    _MODULES = {
        "FlipRate": "flip_rate",
        "ScoreShift": "score_shift",
        "Direction": "direction",
        "McNemar": "mcnemar",
        "CleanAccuracy": "clean_accuracy",
        "ExpectationMet": "expectation",
        "FamilyContrast": "contrasts",
        "NoiseFloor": "noise_floor",
        "ThresholdSweep": "threshold_sweep",
        "DoseResponse": "dose_response",
        "Noticed": "notice_rate",
        "Outcomes": "outcomes",
    }

    def __getattr__(name):
        from importlib import import_module

        if name == "METRICS":
            value = tuple(__getattr__(each) for each in _MODULES)
        elif name in _MODULES:
            value = getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
        else:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        globals()[name] = value
        return value


__all__ = [
    "METRICS",
    "CleanAccuracy",
    "Direction",
    "DoseResponse",
    "ExpectationMet",
    "FamilyContrast",
    "FlipRate",
    "McNemar",
    "NoiseFloor",
    "Noticed",
    "Outcomes",
    "ScoreShift",
    "ThresholdSweep",
]
