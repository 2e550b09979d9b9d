"""Training sets: what an agent's model may learn from, disjoint from a bench, for trainers."""

from revkit import Register, hookimpl


@hookimpl
def register_exporters(register: Register) -> None:
    register("sft = revkit_training.sft:TrainingSet")
