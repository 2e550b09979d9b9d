"""From an `Experiment` to a graph of nodes: pure, no files, no clock, no threads."""

from revkit.planning.graph import Graph, Node, build_graph
from revkit.planning.plan import Plan, build_plan

__all__ = ["Graph", "Node", "Plan", "build_graph", "build_plan"]
