"""From YAML, a mapping or Python objects to an `Experiment`, with every problem found at once."""

from revkit.spec.experiment import AgentStep, Experiment, PerturbationStep
from revkit.spec.load import load_experiment

__all__ = ["AgentStep", "Experiment", "PerturbationStep", "load_experiment"]
