"""The run graph: the steps of a run and their inputs.

Rules against leakage are missing edges: labels run from the corpus to the metrics only, so neither
a perturbation nor an agent can see them. A calibration map is fitted to the consensus of anchors
and to nothing else; no review of another paper leads to it. An agent that declares "reviews" in
``uses`` repeats what people wrote of a paper; it has no edge from a perturbation. An attack reads
the edits of its arms and the reviews of the agent that it attacks, no label.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from functools import cached_property
from typing import Literal

from revkit.contracts import Calibrator, Component, Metric, Reporter
from revkit.dataclass import dataclass
from revkit.model.roles import AgentRole
from revkit.planning.attacks import attack_steps
from revkit.planning.probes import ProbeStep, probe_steps
from revkit.planning.roles import roles_of
from revkit.spec import (
    AgentStep,
    AttackStep,
    Experiment,
    JudgeStep,
    PerturbationStep,
    attack_arms,
)

Step = (
    PerturbationStep
    | AgentStep
    | JudgeStep
    | AttackStep
    | ProbeStep
    | Calibrator
    | Metric
    | Reporter
)
Shape = Literal["source", "each", "all"]


@dataclass(frozen=True)
class Node:
    """One step of a run.

    ``shape`` says how items flow: a *source* gives items, *each* turns one item into ``copies``
    items (variants of a perturbation, repeats of a review), *all* needs every item first.
    ``step`` is what runs; ``inputs`` names the nodes it reads.
    """

    id: str
    shape: Shape
    component: Component
    inputs: tuple[str, ...] = ()
    copies: int = 1
    step: Step | None = None
    name: str = ""
    perturbation: str = ""

    @property
    def label(self) -> str:
        """Name and component, for a reader."""
        used = self.component.name
        label = self.id if self.name in ("", used) else f"{self.id} ({used})"
        return f"{label} x{self.copies}" if self.copies > 1 else label


@dataclass(frozen=True)
class Graph:
    """Nodes in an order in which every node follows its inputs.

    ``roles`` holds, by the names of the agents that have any, the roles within one review.
    """

    nodes: tuple[Node, ...]
    roles: Mapping[str, tuple[AgentRole, ...]] = field(default_factory=dict)

    @cached_property
    def by_id(self) -> dict[str, Node]:
        """The nodes by their ids."""
        return {node.id: node for node in self.nodes}

    @cached_property
    def consumers(self) -> dict[str, tuple[Node, ...]]:
        """Return, for each node, the *each* nodes that read it, in order."""
        return {
            node.id: tuple(
                other for other in self.nodes if other.shape == "each" and node.id in other.inputs
            )
            for node in self.nodes
        }

    def of_shape(self, shape: Shape) -> tuple[Node, ...]:
        """Return the nodes of one shape, in order."""
        return tuple(node for node in self.nodes if node.shape == shape)

    def mermaid(self) -> str:
        """Return the graph as a Mermaid flowchart."""
        numbers = {node.id: f"n{index}" for index, node in enumerate(self.nodes)}
        lines = ["flowchart LR"]
        for node in self.nodes:
            label = node.label.replace('"', "'")
            lines.append(f'    {numbers[node.id]}["{label}"]')
        for node in self.nodes:
            lines += [f"    {numbers[source]} --> {numbers[node.id]}" for source in node.inputs]
        for index, (agent, roles) in enumerate(self.roles.items()):
            lines += _box(f"a{index}", f"roles of {agent}", roles)
            lines += [f"    {numbers[node.id]} -.- a{index}" for node in self._reviews(agent)]
        return "\n".join(lines) + "\n"

    def text(self) -> str:
        """Return the graph as text, one line for each node: its shape, its label, its inputs."""
        width = max(len(node.label) for node in self.nodes)
        lines = []
        for node in self.nodes:
            inputs = f"  <- {_join_inputs(node.inputs)}" if node.inputs else ""
            lines.append(f"{node.shape:<7} {node.label:<{width}}{inputs}".rstrip())
        for agent, roles in self.roles.items():
            lines += ["", f"roles of {agent}", *_role_lines(roles)]
        return "\n".join(lines) + "\n"

    def _reviews(self, agent: str) -> list[Node]:
        """Return the nodes in which ``agent`` reviews."""
        starts = (f"review/{agent}/", f"score/{agent}")
        return [node for node in self.nodes if node.name == agent and node.id.startswith(starts)]


def _box(name: str, title: str, roles: tuple[AgentRole, ...]) -> list[str]:
    """Return a subgraph with a node for each role."""
    numbers = {role.name: f"{name}r{index}" for index, role in enumerate(roles)}
    lines = [f'    subgraph {name}["{title}"]']
    for role in roles:
        parts = [f"{role.name}{_times(role)}", role.model, *role.uses]
        label = "<br/>".join(part.replace('"', "'") for part in parts if part)
        lines.append(f'        {numbers[role.name]}["{label}"]')
    for role in roles:
        lines += [f"        {numbers[read]} --> {numbers[role.name]}" for read in role.reads]
    return [*lines, "    end"]


def _role_lines(roles: tuple[AgentRole, ...]) -> list[str]:
    """Return a line for each role: its name, its model and services, and its inputs."""
    names = [f"{role.name}{_times(role)}" for role in roles]
    models = [", ".join(filter(None, (role.model, *role.uses))) for role in roles]
    widths = max(map(len, names)), max(map(len, models))
    return [
        f"  {name:<{widths[0]}}  {asks:<{widths[1]}}"
        f"{'  <- ' + ', '.join(role.reads) if role.reads else ''}".rstrip()
        for name, asks, role in zip(names, models, roles, strict=True)
    ]


def _times(role: AgentRole) -> str:
    return f" x{role.calls}" if role.calls is not None and role.calls > 1 else ""


def _join_inputs(inputs: tuple[str, ...]) -> str:
    """Return the inputs as text for a reader: from four of a kind on, only their number."""
    sorts: dict[str, list[str]] = {}
    for name in inputs:
        sorts.setdefault(name.partition("/")[0], []).append(name)
    return ", ".join(
        f"{len(names)} {sort} nodes" if len(names) > 3 else ", ".join(names)
        for sort, names in sorts.items()
    )


def component_of(node: str) -> str:
    """Return which part of an experiment the node with this id runs, in words."""
    kind, _, rest = node.partition("/")
    name = rest.partition("/")[0]
    if kind == "attack":
        return f"the attack on agent {name!r}"
    sort = {"review": "agent", "score": "agent", "perturb": "perturbation", "judge": "judge"}
    return f"{sort[kind]} {name!r}" if kind in sort else node


def build_graph(experiment: Experiment) -> Graph:
    """Derive the graph from the sections of an experiment."""
    nodes = [Node("papers", "source", experiment.corpus, name="papers")]
    for name, step in experiment.perturbation_steps.items():
        nodes.append(
            Node(
                f"perturb/{name}",
                "each",
                step.component,
                ("papers",),
                step.variants,
                step,
                name,
                name,
            )
        )
    scored = [
        *_reviews(experiment),
        *_judgements(experiment),
        *_review_judgements(experiment),
        *_attacks(experiment),
        *_probes(experiment),
    ]
    fits = list(_fits(experiment))
    nodes += scored + fits
    sources = tuple(node.id for node in nodes if node.shape == "source")
    read = tuple(node.id for node in (*scored, *fits) if node.shape != "source")
    inputs = (*sources, *read)
    metrics = [
        Node(f"metric/{metric.name}", "all", metric, inputs, step=metric, name=metric.name)
        for metric in experiment.metrics
    ]
    nodes += metrics
    inputs = tuple(node.id for node in metrics) or read
    nodes.extend(
        Node(f"report/{reporter.name}", "all", reporter, inputs, step=reporter, name=reporter.name)
        for reporter in experiment.reports
    )
    roles = {name: roles_of(step.component) for name, step in experiment.agent_steps.items()}
    return Graph(tuple(nodes), {name: each for name, each in roles.items() if each})


def _reviews(experiment: Experiment) -> Iterator[Node]:
    """Add a node for each agent and each kind of text that it reviews: human reviews exist only for
    unchanged papers.
    """
    for name, agent in experiment.agent_steps.items():
        variants = () if "reviews" in agent.component.uses else experiment.perturbation_steps
        for source in ("", *variants):
            yield Node(
                f"review/{name}/{source or 'unchanged'}",
                "each",
                agent.component,
                (f"perturb/{source}" if source else "papers",),
                experiment.repeats,
                agent,
                name,
                source,
            )


def _probes(experiment: Experiment) -> Iterator[Node]:
    """Add a node for each agent that is probed for how far it reads."""
    for name, step in probe_steps(experiment).items():
        yield Node(f"probe/{name}", "all", step.agent.component, ("papers",), step=step, name=name)


def _attacks(experiment: Experiment) -> Iterator[Node]:
    """A node for each search: it reads the papers, the edits of its arms, and the clean reviews."""
    arms = tuple(f"perturb/{arm}" for arm in attack_arms(experiment))
    for (agent, name), step in attack_steps(experiment).items():
        inputs = ("papers", *arms, f"review/{agent}/unchanged")
        yield Node(f"attack/{agent}/{name}", "all", step.strategy, inputs, step=step, name=name)


def _judgements(experiment: Experiment) -> Iterator[Node]:
    """Add a node for each judge, each rubric, and each kind of text that is judged."""
    for name, judge in experiment.judge_steps.items():
        for rubric in experiment.rubrics if judge.reads == "papers" else ():
            if not judge.judges_by(rubric):
                continue
            criterion = rubric.criterion.name
            for source in ("", *experiment.perturbation_steps):
                yield Node(
                    f"judge/{name}/{criterion}/{source or 'unchanged'}",
                    "each",
                    judge.component,
                    (f"perturb/{source}" if source else "papers",),
                    experiment.repeats,
                    JudgeStep(judge, rubric),
                    name,
                    source,
                )


def _review_judgements(experiment: Experiment) -> Iterator[Node]:
    """Add a node for each judge of reviews, each rubric, and each agent whose reviews of unchanged
    papers it reads: one judgement of each review.
    """
    for name, judge in experiment.judge_steps.items():
        for rubric in experiment.rubrics if judge.reads == "reviews" else ():
            if not judge.judges_by(rubric):
                continue
            for agent in experiment.agents:
                yield Node(
                    review_judgement(name, rubric.criterion.name, agent),
                    "each",
                    judge.component,
                    (f"review/{agent}/unchanged",),
                    1,
                    JudgeStep(judge, rubric),
                    name,
                )


def review_judgement(judge: str, criterion: str, agent: str) -> str:
    """Return the id of the node in which ``judge`` reads the reviews by ``agent``."""
    return f"judge/{judge}/{criterion}/unchanged/of/{agent}"


def _fits(experiment: Experiment) -> Iterator[Node]:
    """Add the anchors, the scores of each agent for them, and the maps that are fitted to these."""
    calibration = experiment.calibration
    if calibration is None:
        return
    corpus = calibration.anchors or experiment.corpus
    yield Node("anchors", "source", corpus, name="anchors")
    for name, agent in experiment.agent_steps.items():
        yield Node(
            f"score/{name}",
            "each",
            agent.component,
            ("anchors",),
            calibration.repeats,
            agent,
            name,
        )
    for name in experiment.agent_steps:
        for how, calibrator in calibration.maps.items():
            yield Node(
                f"fit/{name}/{how}", "all", calibrator, (f"score/{name}",), 1, calibrator, how
            )
