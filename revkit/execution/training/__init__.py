"""Training sets: what an agent's model may learn from, disjoint from a bench, for trainers."""

from revkit.execution.training.exporting import TrainingSet, export_training_set
from revkit.execution.training.settings import MODEL, THRESHOLD, Settings

__all__ = ["MODEL", "THRESHOLD", "Settings", "TrainingSet", "export_training_set"]
