"""Judges without a model: one measures the properties in the rubrics, two have a planted
weakness.
"""

from __future__ import annotations

from revkit.contracts import Agent
from revkit_yescieval.judges.control import ControlJudge
from revkit_yescieval.judges.weak_judges import LengthJudge, Optimist

JUDGES: tuple[type[Agent], ...] = (ControlJudge, Optimist, LengthJudge)

__all__ = ["JUDGES", "ControlJudge", "LengthJudge", "Optimist"]
