"""The part of a key that all items of one node of the graph share."""

from __future__ import annotations

from typing import cast

from revkit.cache import KeyBase
from revkit.contracts import Component
from revkit.model.values import Json
from revkit.planning import Node
from revkit.spec import AgentStep, Experiment, PerturbationStep


def record_of(node: Node) -> str:
    """The type of a node's answers: "variant", "review", "table" or "report"."""
    if isinstance(node.step, PerturbationStep):
        return "variant"
    if isinstance(node.step, AgentStep):
        return "review"
    return "table" if node.id.startswith("metric/") else "report"


def parts_of(node: Node) -> tuple[Component, ...]:
    """The components of a step: the one that gives it its name first."""
    if isinstance(node.step, PerturbationStep):
        return (node.step.component, *node.step.keep_if)
    if isinstance(node.step, AgentStep):
        return (node.step.component, *node.step.defenses)
    return (cast(Component, node.step),)


def key_base(experiment: Experiment, node: Node) -> KeyBase:
    """What the keys of ``node`` share. It reads whatever files make up a component's identity."""
    record, parts = record_of(node), parts_of(node)
    if record in ("table", "report"):
        return KeyBase.of(record, parts, seed=experiment.seed)
    embedder = experiment.embedder
    used = embedder is not None and any("embedder" in part.uses for part in parts)
    services: list[Component] = [embedder] if used and embedder is not None else []
    asks = any("llm" in part.uses for part in parts)
    models: Json = experiment.llm.identity() if asks else None
    return KeyBase.of(record, parts, seed=experiment.seed, services=services, models=models)
