"""The run graph: what feeds what.

Rules against leakage are missing edges: labels run from the corpus to the metrics only, so neither
a perturbation nor an agent can see them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from revkit.contracts import Component, Metric, Reporter
from revkit.spec import AgentStep, Experiment, PerturbationStep

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
    step: PerturbationStep | AgentStep | Metric | Reporter | None = None
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
    """Nodes in an order in which every node follows its inputs."""

    nodes: tuple[Node, ...]

    @cached_property
    def by_id(self) -> dict[str, Node]:
        return {node.id: node for node in self.nodes}

    @cached_property
    def consumers(self) -> dict[str, tuple[Node, ...]]:
        """For each node, the *each* nodes that read it, in order."""
        return {
            node.id: tuple(
                other for other in self.nodes if other.shape == "each" and node.id in other.inputs
            )
            for node in self.nodes
        }

    def of_shape(self, shape: Shape) -> tuple[Node, ...]:
        return tuple(node for node in self.nodes if node.shape == shape)

    def mermaid(self) -> str:
        """The graph as a Mermaid flowchart."""
        numbers = {node.id: f"n{index}" for index, node in enumerate(self.nodes)}
        lines = ["flowchart LR"]
        for node in self.nodes:
            label = node.label.replace('"', "'")
            lines.append(f'    {numbers[node.id]}["{label}"]')
        for node in self.nodes:
            lines += [f"    {numbers[source]} --> {numbers[node.id]}" for source in node.inputs]
        return "\n".join(lines) + "\n"

    def text(self) -> str:
        """The graph as one line a node: its shape, its label, what it reads."""
        width = max(len(node.label) for node in self.nodes)
        lines = []
        for node in self.nodes:
            inputs = f"  <- {_listed(node.inputs)}" if node.inputs else ""
            lines.append(f"{node.shape:<7} {node.label:<{width}}{inputs}".rstrip())
        return "\n".join(lines) + "\n"


def _listed(inputs: tuple[str, ...]) -> str:
    """Inputs for a reader: from four of a sort on, their number."""
    sorts: dict[str, list[str]] = {}
    for name in inputs:
        sorts.setdefault(name.partition("/")[0], []).append(name)
    return ", ".join(
        f"{len(names)} {sort} nodes" if len(names) > 3 else ", ".join(names)
        for sort, names in sorts.items()
    )


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
    reviews: list[str] = []
    for name, agent in experiment.agent_steps.items():
        for source in ("", *experiment.perturbation_steps):
            node_id = f"review/{name}/{source or 'unchanged'}"
            reviews.append(node_id)
            nodes.append(
                Node(
                    node_id,
                    "each",
                    agent.component,
                    (f"perturb/{source}" if source else "papers",),
                    experiment.repeats,
                    agent,
                    name,
                    source,
                )
            )
    metrics = []
    for metric in experiment.metrics:
        node_id = f"metric/{metric.name}"
        metrics.append(node_id)
        nodes.append(
            Node(node_id, "all", metric, ("papers", *reviews), step=metric, name=metric.name)
        )
    inputs = tuple(metrics) or tuple(reviews)
    nodes.extend(
        Node(f"report/{reporter.name}", "all", reporter, inputs, step=reporter, name=reporter.name)
        for reporter in experiment.reports
    )
    return Graph(tuple(nodes))
