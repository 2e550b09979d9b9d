"""Reviewers and evaluators of reviews under the eighteen edits: noticing and blind ones differ."""

from __future__ import annotations

from pathlib import Path

import pytest

import revkit
from revkit.errors import OptionError
from revkit.model.paper import Paper
from revkit.model.review import Failure, Review
from revkit.testing import context
from revkit_yescieval.section_reviewer import SectionReviewer

SPECS = Path(__file__).parents[3] / "experiments"
TEXT = """# Gates

## Introduction

We study gates. However, gates skip tokens. Therefore they are fast.

## Method

lol this is sooo cool u guys
"""


def test_it_reads_one_section_and_is_blind_where_it_is_told() -> None:
    paper = Paper("p", TEXT)
    first = SectionReviewer(section="introduction").review(paper, context())
    other = SectionReviewer(section="method").review(paper, context())
    assert isinstance(first, Review)
    assert isinstance(other, Review)
    assert first.score is not None
    assert other.score is not None
    assert first.score > other.score
    levels = first.details["levels"]
    assert isinstance(levels, dict)
    assert first.score == pytest.approx(sum(map(float, map(str, levels.values()))) / len(levels))
    blind = SectionReviewer(section="method", blind=("readability",)).review(paper, context())
    assert isinstance(blind, Review)
    assert blind.score is not None
    assert blind.score > other.score
    lost = SectionReviewer(section="conclusion").review(paper, context())
    assert isinstance(lost, Failure)
    with pytest.raises(OptionError, match="relevancy"):
        SectionReviewer(blind=("relevancy",))


@pytest.mark.slow
def test_a_noticing_reviewer_and_blind_ones(tmp_path: Path) -> None:
    done = revkit.run(
        SPECS / "yescieval-reviewers.yaml",
        out=tmp_path / "run",
        store=tmp_path / "store.db",
        overrides=["reports=[]", "metrics=[noticed]"],
    )
    rows = {(row["agent"], row["family"]): row for row in done.table("noticed").records()}
    for level in ("subtle", "extreme"):
        for family in ("conciseness", "readability"):
            careful = rows["careful", f"{family}-{level}"]
            assert float(str(careful["worse"])) >= 0.9 * float(str(careful["pairs"]))
            assert rows["careless", f"{family}-{level}"]["worse"] == 0
    assert len(rows) == 54
    assert all(row["worse"] == 0 for (agent, _), row in rows.items() if agent == "blind")


@pytest.mark.slow
def test_an_evaluator_of_reviews(tmp_path: Path) -> None:
    first = revkit.run(
        SPECS / "reviewbench-build.yaml",
        out=tmp_path / "first",
        store=tmp_path / "store.db",
        overrides=["reports=[]", "sample.n=4"],
    )
    done = revkit.run(
        SPECS / "yescieval-reviews.yaml",
        out=tmp_path / "run",
        store=tmp_path / "store.db",
        overrides=[f"corpus.with.run={first.folder}", "reports=[]", "metrics=[rubric-diagonal]"],
    )
    drops = {
        (row["judge"], row["level"]): float(str(row["own"]))
        for row in done.table("rubric-diagonal").records()
    }
    for level in ("subtle", "extreme"):
        assert drops["control", level] > drops["blind", level] > drops["optimist", level] == 0
    assert drops["control", "extreme"] > drops["control", "subtle"]
