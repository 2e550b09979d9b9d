"""Six kinds of simulated worlds, which differ in their manuscripts, people and agents.

The regime "paper" was tuned to those figures of the ASC paper (section 5 and its table) that can
hold together in one world. Means over twelve seeds on 240 anchors and 1,050 held-out items, the
paper's in brackets: mean disagreement of raw scores 22.5 (22.4), of mean-sigma linked ones 12.6
(14.0, "linear"), after isotonic maps 7.9 (6.1), after the spline 7.7; correlation with people of
the mean of the calibrated agents 0.79 (0.79), of the best raw agent 0.73 (0.58). The last and 6.1
are out of reach beside the others: tiers that span the scale give the consensus a standard
deviation of 25 or more, and then agents whose mean follows people with r 0.79 and who disagree by
6.1 must each follow them with about 0.76 once calibrated. The best increasing maps in hindsight
leave a disagreement of 6.6 in this world.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from revkit.dataclass import dataclass
from revkit_asc.simulation.response import Response


@dataclass(frozen=True, slots=True)
class Regime:
    """One kind of simulated world.

    ``unseen`` is the standard deviation of what people weigh and no text shows, in severity points:
    it bounds how well any reader of texts can agree with people. ``people`` is the error of one
    human score. ``stream`` gives the shares of the four tiers among a venue's submissions (an
    anchor bank always has equal shares), and ``width`` the part of each quarter in which a
    submission's severity lies, around its middle. ``agents`` are the six responses, by name.
    """

    name: str
    agents: Mapping[str, Response]
    unseen: float = 17.2
    people: float = 9.0
    stream: tuple[float, float, float, float] = (0.165, 0.335, 0.335, 0.165)
    width: float = 0.8


# Narrow, saturating, coarsely rounded scales: no two agents mean the same by 65.
_PAPER: Mapping[str, Response] = {
    "g1": Response(31, 62, 6, 91, 0.42, 0.07, 2, 4.2, 4),
    "g2": Response(10, 56, 18, 69, 0.15, 0.72, 5, 4.2, 4),
    "g3": Response(23, 75, 31, 89, 0.64, 0.18, 5, 4.2, 4),
    "g4": Response(12, 73, 30, 97, 0.56, 0.075, 5, 4.2, 4),
    "g5": Response(32, 88, 6, 92, 0.80, 0.55, 5, 4.2, 4),
    "g6": Response(21, 48, 2, 110, 0.19, 0.48, 5, 4.2, 4),
}
_CLEAN: Mapping[str, Response] = {
    "g1": Response(5, 95, 0, 100, 0.45, 0.5, 1, 0, 1),
    "g2": Response(0, 90, 0, 100, 0.55, 0.5, 1, 0, 1),
    "g3": Response(10, 100, 0, 100, 0.50, 0.45, 1, 0, 1),
    "g4": Response(0, 100, 0, 100, 0.40, 0.5, 1, 0, 1),
    "g5": Response(10, 90, 0, 100, 0.60, 0.5, 1, 0, 1),
    "g6": Response(0, 95, 0, 100, 0.50, 0.55, 1, 0, 1),
}


def _each(agents: Mapping[str, Response], **changes: float) -> Mapping[str, Response]:
    return {name: replace(agent, **changes) for name, agent in agents.items()}


REGIMES: Mapping[str, Regime] = {
    regime.name: regime
    for regime in (
        Regime("paper", _PAPER),
        Regime("noisy", _each(_PAPER, noise=12.0), unseen=13.0),
        Regime("concentrated", _each(_PAPER, noise=9.0), unseen=11.0,
               stream=(0.02, 0.08, 0.80, 0.10)),
        Regime("topic", _each(_PAPER, cluster=10.0), unseen=13.5),
        Regime("clean", _CLEAN, unseen=0.0, people=1.0),
        Regime("calibrated", _each(_CLEAN, low=0.0, high=100.0, bend=0.5, steep=0.5, taste=2.0),
               unseen=2.5, people=2.0),
    )
}  # fmt: skip
