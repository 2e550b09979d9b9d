"""From YAML, a mapping or Python objects to an `Experiment`, with every problem found at once."""

from revkit.spec.experiment import Experiment
from revkit.spec.load import load_experiment
from revkit.spec.steps import (
    AgentStep,
    Calibration,
    CommonScale,
    JudgeStep,
    PerturbationStep,
)

__all__ = [
    "AgentStep",
    "Calibration",
    "CommonScale",
    "Experiment",
    "JudgeStep",
    "PerturbationStep",
    "load_experiment",
]
