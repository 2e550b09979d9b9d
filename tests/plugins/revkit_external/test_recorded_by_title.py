"""Recorded rows found by title, of one agent among many."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from revkit.errors import OptionError
from revkit.model.paper import Paper
from revkit.model.review import Failure, Review
from revkit.testing import context
from revkit_external.recorded_outcomes import Recorded

ROWS = """paper_id,agent,score,verdict
p1,one,10,Accept
p1,two,3,Reject
p2,one,1,Reject
p2,one,2,Reject
"""


def agent(tmp_path: Path, **options: Any) -> Recorded:
    path = tmp_path / "scores.csv"
    path.write_text(ROWS, encoding="utf-8")
    given: dict[str, Any] = {
        "file": str(path),
        "by": "title",
        "columns": {"title": "paper_id"},
        "map": {
            "score": {"column": "score", "scale": [1, 10]},
            "accept": {"column": "verdict", "labels": {"Accept": True, "Reject": False}},
        },
        **options,
    }
    return Recorded(**given)


def test_the_row_of_the_paper_and_of_the_agent(tmp_path: Path) -> None:
    paper = Paper("x", "p1", "p1")
    for name, score, accept in (("one", 10, True), ("two", 3, False)):
        found = agent(tmp_path, where={"agent": name}).review(paper, context())
        assert isinstance(found, Review)
        assert (found.score, found.accept) == (score, accept)


def test_no_row_and_two_rows_are_failures(tmp_path: Path) -> None:
    reader = agent(tmp_path, where={"agent": "one"})
    missing = reader.review(Paper("x", "p3", "p3"), context())
    assert isinstance(missing, Failure)
    assert "title 'p3'" in missing.detail
    doubled = reader.review(Paper("x", "p2", "p2"), context())
    assert isinstance(doubled, Failure)
    assert doubled.kind == "schema"
    assert any("more than one row" in message for message in reader.ready())


@pytest.mark.parametrize(
    ("where", "message"),
    [({"agent": "three"}, "no row"), ({"model": "one"}, "no column 'model'")],
)
def test_conditions_that_nothing_meets_are_reported_before_a_run(
    tmp_path: Path, where: dict[str, str], message: str
) -> None:
    assert any(message in text for text in agent(tmp_path, where=where).ready())


def test_conditions_are_part_of_what_the_agent_is(tmp_path: Path) -> None:
    one = agent(tmp_path, where={"agent": "one"}).identity()
    assert one != agent(tmp_path, where={"agent": "two"}).identity()


def by_paper(tmp_path: Path, **options: Any) -> Recorded:
    return agent(
        tmp_path, by="paper", columns={"paper": "paper_id"}, where={"agent": "one"}, **options
    )


def test_a_table_of_scores_by_paper(tmp_path: Path) -> None:
    found = by_paper(tmp_path).review(Paper("x", "p1", "p1"), context())
    assert isinstance(found, Review)
    assert found.score == 10
    missing = by_paper(tmp_path).review(Paper("x", "A text.", "Sparse gates"), context())
    assert isinstance(missing, Failure)
    assert "if its id differs, set texts to the file" in missing.detail


def test_texts_join_the_ids_of_papers(tmp_path: Path) -> None:
    paper, variant = Paper("p1", "A text.", "Gates"), Paper("p1", "Another text.", "Gates")
    rows = [
        {"paper": "p1", "perturbation": name, "index": 0, "digest": each.digest}
        for name, each in (("", paper), ("hedging", variant))
    ]
    texts = tmp_path / "texts.jsonl"
    texts.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    reader = by_paper(tmp_path, texts=str(texts))
    found = reader.review(paper.blind(), context())
    assert isinstance(found, Review)
    assert found.score == 10
    assert isinstance(reader.review(variant.blind(), context()), Failure)


def test_texts_are_explained(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="revkit export texts RUN"):
        agent(tmp_path, by="ids")
    with pytest.raises(OptionError, match="goes with 'by: ids' or 'by: paper'"):
        agent(tmp_path, texts="texts.jsonl")


def test_json_lines_under_a_json_name(tmp_path: Path) -> None:
    path = tmp_path / "scores.JSON"
    rows = [{"paper": f"p{number}", "score": number} for number in (3, 4)]
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    reader = Recorded(
        file=str(path),
        by="paper",
        map={"score": {"column": "score", "scale": [1, 10]}},  # type: ignore[arg-type]
    )
    found = reader.review(Paper("x", "p4", "p4"), context())
    assert isinstance(found, Review)
    assert found.score == 4
