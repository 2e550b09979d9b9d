"""The steps of an experiment: a component, and its settings besides options."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from revkit.calibration import CalibrationMap
from revkit.contracts import Agent, Calibrator, Constraint, Corpus, Defense, Perturbation, Rubric
from revkit.dataclass import dataclass

# Default number of seconds after which an item is abandoned.
LONGEST_ITEM = 3_600


@dataclass(frozen=True)
class PerturbationStep:
    """A perturbation, the constraints on its variants, and the number of variants for each
    paper.
    """

    component: Perturbation
    keep_if: tuple[Constraint, ...] = ()
    variants: int = 1


@dataclass(frozen=True)
class CommonScale:
    """The map that converts an agent's scores to the common severity scale.

    A paper counts as accepted there up to the severity ``accept_up_to``. ``allow`` lists
    exceptions: "expired" and "foreign" maps, which are refused by default.
    """

    map: CalibrationMap
    accept_up_to: float = 50.0
    allow: tuple[str, ...] = ()


@dataclass(frozen=True)
class AgentStep:
    """An agent, its defenses in order, and the map of its scores to the common scale, if it has
    one.

    For a judge, ``reads`` states what it judges: the papers and their variants, or the reviews that
    the agents of the experiment write of unchanged papers. ``by`` names the rubrics that it judges
    by; empty: all.
    """

    component: Agent
    defenses: tuple[Defense, ...] = ()
    calibration: CommonScale | None = None
    reads: Literal["papers", "reviews"] = "papers"
    by: tuple[str, ...] = ()

    def judges_by(self, rubric: Rubric) -> bool:
        """Whether this judge uses ``rubric``."""
        return not self.by or rubric.criterion.name in self.by


@dataclass(frozen=True)
class JudgeStep:
    """An agent, with its defenses, that judges by one rubric."""

    agent: AgentStep
    rubric: Rubric


@dataclass(frozen=True)
class Calibration:
    """How the scores of all agents are mapped to one scale.

    Each agent scores the anchors ``repeats`` times, and each calibrator in ``maps`` fits one map
    from its severity at the first call to the anchors' consensus, since maps are applied to single
    calls; further calls measure the agent's noise. The anchors are the papers of ``anchors`` or,
    where that is None, the part ``share`` of the experiment's own corpus, drawn by content and set
    aside: only the maps see them.
    """

    maps: Mapping[str, Calibrator]
    anchors: Corpus | None = None
    share: float | None = None
    repeats: int = 1
