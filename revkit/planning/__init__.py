"""Planning: convert an `Experiment` to a graph of nodes, without files, clock or threads."""

from revkit.planning.graph import Graph, Node, build_graph
from revkit.planning.plan import Plan, build_plan
from revkit.planning.sweep import SweepPlan, build_sweep_plan

__all__ = [
    "Graph",
    "Node",
    "Plan",
    "SweepPlan",
    "build_graph",
    "build_plan",
    "build_sweep_plan",
]
