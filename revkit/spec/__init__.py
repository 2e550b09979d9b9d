"""Read an `Experiment` from YAML, a mapping or Python objects, and report all problems at once."""

from revkit.spec.attack import Attack, AttackStep, attack_arms, attacked_agents
from revkit.spec.axes import Axis
from revkit.spec.experiment import Experiment
from revkit.spec.load import load_experiment, load_spec
from revkit.spec.steps import (
    AgentStep,
    Calibration,
    CommonScale,
    JudgeStep,
    PerturbationStep,
)
from revkit.spec.sweep import Point, Sweep

__all__ = [
    "AgentStep",
    "Attack",
    "AttackStep",
    "Axis",
    "Calibration",
    "CommonScale",
    "Experiment",
    "JudgeStep",
    "PerturbationStep",
    "Point",
    "Sweep",
    "attack_arms",
    "attacked_agents",
    "load_experiment",
    "load_spec",
]
