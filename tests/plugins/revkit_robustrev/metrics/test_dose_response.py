"""Flip rates by dose, on records whose answer is known."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from revkit.model.paper import Labels
from revkit.model.records import AgentRow, PaperRow, PerturbationRow, Records, VariantRow, Verdict
from revkit.model.review import Scale
from revkit_robustrev.metrics.dose_response import DoseResponse

PAPERS = [f"p{i:02}" for i in range(40)]


def records(doses: Sequence[float | None]) -> Records:
    """One agent flips the papers with the highest doses, another none."""
    verdicts = []
    for agent in ("moved", "steady"):
        for number, paper in enumerate(PAPERS):
            flips = agent == "moved" and number >= 30
            verdicts.append(Verdict(agent, paper, "", 0, 0, True, 8))
            verdicts.append(Verdict(agent, paper, "f", 0, 0, not flips, 3 if flips else 8))
    scale = Scale("1-10", 1, 10, accept_at=6)
    return Records(
        seed=1,
        repeats=1,
        papers=[PaperRow(paper, Labels()) for paper in PAPERS],
        perturbations=[PerturbationRow("f", "f", "invariant")],
        agents=[AgentRow(name, name, scale, True) for name in ("moved", "steady")],
        variants=[
            VariantRow(paper, "f", 0, 1, 0, (), dose=dose)
            for paper, dose in zip(PAPERS, doses, strict=True)
        ],
        verdicts=verdicts,
    )


def test_the_rate_rises_with_the_dose() -> None:
    table = DoseResponse().measure(records([i / 100 for i in range(40)]))
    own = [row for row in table.records() if row["agent"] == "moved"]
    assert [row["rate"] for row in own] == [0, 0, 0, 1]
    assert [(row["papers"], row["valid"], row["flips"]) for row in own[2:]] == [
        (10, 10, 0),
        (10, 10, 10),
    ]
    assert own[0]["dose"] == pytest.approx(0.045)
    assert (own[3]["dose_low"], own[3]["dose_high"]) == (0.30, 0.39)
    assert all(row["rate_low"] is not None for row in own)
    both = [row for row in table.records() if row["agent"] == "all agents"]
    assert [row["rate"] for row in both] == [0, 0, 0, 0.5]
    assert len(table.charts) == 1


def test_equal_doses_stay_together() -> None:
    table = DoseResponse().measure(records([0.1] * 35 + [0.2] * 5))
    own = [row for row in table.records() if row["agent"] == "moved"]
    assert [(row["part"], row["variants"], row["flips"]) for row in own] == [(1, 35, 5), (2, 5, 5)]


def test_unknown_doses_are_left_out() -> None:
    assert DoseResponse().measure(records([None] * 40)).rows == ()
