"""The part of a key that all items of one node in the graph share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import cast

from revkit.cache import KeyBase
from revkit.contracts import Calibrator, Component, Metric, Reporter
from revkit.model.values import Json
from revkit.planning import Node
from revkit.planning.probes import ProbeStep
from revkit.spec import AgentStep, AttackStep, Experiment, JudgeStep, PerturbationStep

_RECORDS: Mapping[type, str] = {
    PerturbationStep: "variant",
    AgentStep: "review",
    JudgeStep: "judgement",
    AttackStep: "proposal",
    ProbeStep: "probe",
    Calibrator: "fit",
    Metric: "table",
    Reporter: "report",
}


def record_of(node: Node) -> str:
    """Return the type of a node's answers: "variant", "review", "judgement", "proposal", "probe",
    "fit", "table" or "report". Raises `TypeError` for a node without answers.
    """
    for step, record in _RECORDS.items():
        if isinstance(node.step, step):
            return record
    raise TypeError(f"{node.id} gives no answers")


def parts_of(node: Node) -> tuple[Component, ...]:
    """Return the components of a step, first the one that gives the step its name."""
    if isinstance(node.step, PerturbationStep):
        return (node.step.component, *node.step.keep_if)
    if isinstance(node.step, AgentStep):
        return (node.step.component, *node.step.defenses)
    if isinstance(node.step, AttackStep):
        agent = node.step.agent
        return (node.step.strategy, agent.component, *agent.defenses, *node.step.keep_if)
    if isinstance(node.step, ProbeStep):
        return (node.step.agent.component, *node.step.agent.defenses)
    if isinstance(node.step, JudgeStep):
        agent = node.step.agent
        return (agent.component, *agent.defenses, node.step.rubric)
    return (cast(Component, node.step),)


def services_behind(experiment: Experiment, parts: Iterable[Component]) -> list[Component]:
    """Return the services that ``parts`` may call, and the services that these may call in turn."""
    used = {service for part in parts for service in part.uses}
    found: list[Component] = []
    if "searcher" in used and experiment.searcher is not None:
        found.append(experiment.searcher)
        used |= set(experiment.searcher.uses)
    if "embedder" in used and experiment.embedder is not None:
        found.insert(0, experiment.embedder)
    return found


def key_base(experiment: Experiment, node: Node, peers: Callable[[], str] = str) -> KeyBase:
    """Return the common part of the keys of ``node``. This reads all files that are part of a
    component's identity.

    ``peers`` gives the digest of the papers as they see each other, where a component sees them.
    """
    record, parts = record_of(node), parts_of(node)
    if record in ("fit", "table", "report"):
        return KeyBase.of(record, parts, seed=experiment.seed)
    services = services_behind(experiment, parts)
    asks = any("llm" in part.uses for part in parts)
    models: Json = experiment.llm.identity() if asks else None
    corpus = peers() if any("corpus" in part.uses for part in parts) else ""
    return KeyBase.of(
        record, parts, seed=experiment.seed, services=services, models=models, corpus=corpus
    )
