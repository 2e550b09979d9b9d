"""Warnings of agents about their own reviews are counted in the reports."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import pytest

import revkit
from revkit.contracts import Agent, Context
from revkit.model.paper import Paper
from revkit.model.records import AgentRow
from revkit.model.review import Review, Scale
from revkit.testing import toys
from revkit_reports.limits import warnings
from revkit_reports.summary import summary_of


@dataclass(frozen=True)
class Warns(Agent):
    """Warns in every second review."""

    name: ClassVar[str] = "warns"
    version: ClassVar[str] = "1"
    scale = Scale("ten", 1, 10, accept_at=6)

    def review(self, paper: Paper, ctx: Context) -> Review:
        odd = int(paper.digest[-1], 16) % 2
        return Review(True, 7, warnings=("no <b>searcher</b>",) * 2 if odd else ())


@dataclass(frozen=True)
class Odd(Warns):
    """Gives no texts for every second paper, and too long ones for the others."""

    name: ClassVar[str] = "odd"

    def review(self, paper: Paper, ctx: Context) -> Review:
        odd = int(paper.digest[-1], 16) % 2
        warnings: Any = {"a": 1} if odd else ["x" * 900] * 30
        return Review(True, 7, warnings=warnings)


@pytest.fixture
def done(tmp_path: Path) -> Callable[[str], revkit.Run]:
    def run(agent: str) -> revkit.Run:
        spec = {
            "revkit": 1,
            "corpus": {"use": "toy-papers", "with": {"papers": 30}},
            "agents": {"mine": agent},
            "metrics": ["outcomes"],
            "reports": ["terminal", "html"],
        }
        parts: list[Any] = [toys, Warns, Odd]
        return revkit.run(spec, out=tmp_path / agent, store=tmp_path / "store", plugins=parts)

    return run


def test_warnings_are_counted_by_review(done: Callable[[str], revkit.Run]) -> None:
    run = done("warns")
    odd = sum(bool(verdict.warnings) for verdict in run.records.verdicts)
    assert odd == sum(int(row.digest[-1], 16) % 2 for row in run.records.papers)
    assert 0 < odd < 30
    assert f"! mine: {odd} of 30 reviews: no <b>searcher</b>." in run.summary
    assert "no &lt;b&gt;searcher" in (run.folder / "report.html").read_text()
    row = next(row for row in run.table("outcomes").records() if row["of"] == "all")
    assert (row["reviews"], row["remarked"]) == (30, odd)


def test_warnings_are_texts_and_bounded(done: Callable[[str], revkit.Run]) -> None:
    verdicts = done("odd").records.verdicts
    assert {verdict.failure for verdict in verdicts} == {"", "schema"}
    assert {v.warnings for v in verdicts if not v.failure} == {("x" * 200,) * 20}


def test_a_judge_states_what_its_scores_cannot_show(run: Any) -> None:
    judge = AgentRow("words", "counts", Scale("s", 0, 1), True, cannot_see="it counts words.")
    view = replace(run, records=replace(run.records, judges=[judge]))
    assert "words: it counts words." in warnings(summary_of(view))
