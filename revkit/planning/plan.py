"""How much a run would do, told before anything runs."""

from __future__ import annotations

from dataclasses import dataclass

from revkit.planning.graph import Graph, build_graph
from revkit.spec import Experiment


@dataclass(frozen=True)
class Plan:
    """Upper bounds of a run: rejected variants and results that are already stored make it less.

    ``papers`` is None where the corpus cannot tell before it is read; then so are the others.
    """

    graph: Graph
    papers: int | None
    variants: int | None
    reviews: int | None

    def text(self) -> str:
        """The plan for a reader."""
        shapes = {shape: len(self.graph.of_shape(shape)) for shape in ("source", "each", "all")}
        lines = [
            f"nodes     {len(self.graph.nodes)} ({shapes['source']} source, {shapes['each']} for "
            f"each paper, {shapes['all']} over all)",
            f"papers    {_told(self.papers)}",
            f"variants  {_told(self.variants)}",
            f"reviews   {_told(self.reviews)}",
        ]
        return "\n".join(lines) + "\n\n" + self.graph.text()


def build_plan(experiment: Experiment) -> Plan:
    """Count what a run would do at most. Nothing runs; only the corpus is asked for its size."""
    papers = experiment.corpus.count()
    if experiment.limit is not None:
        papers = experiment.limit if papers is None else min(papers, experiment.limit)
    per_paper = sum(step.variants for step in experiment.perturbation_steps.values())
    reviews = (1 + per_paper) * len(experiment.agents) * experiment.repeats
    return Plan(
        build_graph(experiment),
        papers,
        None if papers is None else papers * per_paper,
        None if papers is None else papers * reviews,
    )


def _told(count: int | None) -> str:
    return "unknown before the corpus is read" if count is None else f"at most {count:,}"
