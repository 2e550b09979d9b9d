"""Three papers, two families, two agents on two scales: small enough to work out by hand.

======  ========  =============  =============  =============
agent   paper     original       rewording      citations
======  ========  =============  =============  =============
points  a (acc)   accept 8       accept 7       reject 5
points  b (rej)   reject 3       reject 3       accept 6
points  c (acc)   reject 4       accept 6       accept 7
harsh   a         accept 20      accept 25      accept 20
harsh   b         accept 30      reject 50      accept 40
harsh   c         reject 70      (timeout)      accept 35
======  ========  =============  =============  =============
"""

from __future__ import annotations

import pytest

from revkit.model.paper import Labels
from revkit.model.records import AgentRow, PaperRow, PerturbationRow, Records, VariantRow, Verdict
from revkit.model.review import Scale

POINTS = Scale("1-10", 1, 10, accept_at=6)
HARSH = Scale("severity", 0, 100, higher_is_better=False, accept_at=40)
SCORES: dict[str, dict[str, tuple[float | None, ...]]] = {
    "points": {"": (8, 3, 4), "rewording": (7, 3, 6), "citations": (5, 6, 7)},
    "harsh": {"": (20, 30, 70), "rewording": (25, 50, None), "citations": (20, 40, 35)},
}


def small_records() -> Records:
    papers = [
        PaperRow("a", Labels(accept=True, quality=0.9)),
        PaperRow("b", Labels(accept=False, quality=0.2)),
        PaperRow("c", Labels(accept=True, quality=0.6)),
    ]
    agents = [
        AgentRow("points", "points", POINTS, True),
        AgentRow("harsh", "harsh", HARSH, False),
    ]
    verdicts = []
    for agent in agents:
        for family, scores in SCORES[agent.name].items():
            for paper, score in zip(papers, scores, strict=True):
                accept = None if score is None else agent.scale.accepts(score)
                failure = "timeout" if score is None else ""
                verdicts.append(Verdict(agent.name, paper.id, family, 0, 0, accept, score, failure))
    return Records(
        seed=7,
        repeats=1,
        papers=papers,
        perturbations=[
            PerturbationRow("rewording", "paraphrase", "invariant"),
            PerturbationRow("citations", "citation-injection", "invariant"),
        ],
        agents=agents,
        variants=[
            *(VariantRow(p, f, 0, 1, 0, ()) for p in "abc" for f in ("rewording", "citations")),
            VariantRow("a", "citations", 1, 1, 0, (), "too long", "declined"),
        ],
        verdicts=verdicts,
    )


@pytest.fixture
def small() -> Records:
    return small_records()


@pytest.fixture
def empty() -> Records:
    """A run of nothing at all."""
    return Records(0, 1, [], [], [], [], [])
