"""What agents say of their own reviews stands among the warnings, counted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pytest

import revkit
from revkit.contracts import Agent, Context
from revkit.model.paper import Paper
from revkit.model.review import Review, Scale
from revkit.testing import toys


@dataclass(frozen=True)
class Remarking(Agent):
    """Remarks on every second review."""

    name: ClassVar[str] = "remarking"
    version: ClassVar[str] = "1"
    scale = Scale("ten", 1, 10, accept_at=6)

    def review(self, paper: Paper, ctx: Context) -> Review:
        odd = int(paper.digest[-1], 16) % 2
        details: dict[str, Any] = {"remarks": ["no <b>searcher</b>"] * 2} if odd else {}
        return Review(True, 7, details=details)


@dataclass(frozen=True)
class Odd(Remarking):
    """Puts what is no list of texts where remarks belong."""

    name: ClassVar[str] = "odd"

    def review(self, paper: Paper, ctx: Context) -> Review:
        found: Any = (
            {"remarks": {"a": 1}} if int(paper.digest[-1], 16) % 2 else {"remarks": [1, "x" * 900]}
        )
        return Review(True, 7, details=found)


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
        parts = [toys, Remarking, Odd]
        return revkit.run(spec, out=tmp_path / agent, store=tmp_path / "store", plugins=parts)

    return run


def test_remarks_are_counted_by_review(done: Callable[[str], revkit.Run]) -> None:
    run = done("remarking")
    odd = sum(bool(verdict.remarks) for verdict in run.records.verdicts)
    assert odd == sum(int(row.digest[-1], 16) % 2 for row in run.records.papers)
    assert 0 < odd < 30
    assert f"! mine: {odd} of 30 reviews: no <b>searcher</b>." in run.summary
    assert "no &lt;b&gt;searcher" in (run.folder / "report.html").read_text()
    row = next(row for row in run.table("outcomes").records() if row["of"] == "all")
    assert (row["reviews"], row["remarked"]) == (30, odd)


def test_what_is_no_list_of_texts_is_no_remark(done: Callable[[str], revkit.Run]) -> None:
    remarks = {remark for verdict in done("odd").records.verdicts for remark in verdict.remarks}
    assert remarks == {"x" * 200}
