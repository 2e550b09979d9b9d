"""Simulated experiments with known truth: coverage of intervals, type I error and power of tests.

No paper is edited and no agent is called: counts of flips are drawn for each paper and agent, and
go through the same functions of `revkit.stats` as those of a run.
"""

from revkit.simulation.checks import Behaviour, Covered, Rejected, behaviour
from revkit.simulation.design import Design, Truth, truth_of
from revkit.simulation.draws import Counts, draw

__all__ = [
    "Behaviour",
    "Counts",
    "Covered",
    "Design",
    "Rejected",
    "Truth",
    "behaviour",
    "draw",
    "truth_of",
]
