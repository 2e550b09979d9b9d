"""Training sets for the model of an agent, disjoint from a benchmark."""

from revkit import Register, hookimpl


@hookimpl
def register_exporters(register: Register) -> None:
    register("sft = revkit_training.sft:TrainingSet")
