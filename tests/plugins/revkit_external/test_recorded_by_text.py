"""Published ratings of several rubrics in one row, found by the text that was rated."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from revkit.errors import OptionError
from revkit.model.criterion import Criterion
from revkit.model.paper import Paper
from revkit.model.review import Failure, Review
from revkit.testing import context
from revkit_external.recorded_outcomes import Recorded

LEVELS = tuple((level, f"Level {level}.") for level in range(1, 6))
COHESION = Criterion("cohesion", "Is it cohesive?", LEVELS)
BREVITY = Criterion("brevity", "Is it short?", LEVELS)
ABSENT = Criterion("absent", "Is it there?", LEVELS)
# Two generators answered one question; the judge rated the originals and one edited text.
TEXTS = """topic,a_text,b_text,a_subtle_cohesion
Why?,"One.  Two.",Three.,Two. One.
How?,"Four, five.",Six.,Five four.
"""
REPLIES = [
    {"q": "Why?", "gen": "a", "level": "original", "ratings": {"Cohesion": 5, "Brevity": "4"}},
    {"q": "Why?", "gen": "b", "level": "original", "ratings": {"Cohesion": 3}},
    {"q": "Why?", "gen": "a", "level": "subtle", "ratings": {"Cohesion": 2}},
    {"q": "How?", "gen": "a", "level": "original", "ratings": {"Cohesion": 9}},
]
ORIGINAL: dict[str, Any] = {
    "rating": "$.ratings.{rubric}",
    "where": {"level": "original"},
    "on": {"q": "topic"},
    "text": "{gen}_text",
}
SUBTLE = {**ORIGINAL, "where": {"level": "subtle"}, "text": "{gen}_subtle_{rubric}"}


def judge(
    tmp_path: Path, *tables: dict[str, Any], texts: str = TEXTS, replies: Any = REPLIES
) -> Recorded:
    (tmp_path / "texts.csv").write_text(texts, encoding="utf-8")
    file = tmp_path / "replies.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in replies), encoding="utf-8")
    return Recorded(
        file=str(file),
        by="text",
        map={"score": {"column": "rating", "scale": [1, 5]}},  # type: ignore[arg-type]
        tables=[{"texts": str(tmp_path / "texts.csv"), **each} for each in tables],  # type: ignore[arg-type]
    )


def score(agent: Recorded, text: str, criterion: Criterion = COHESION) -> object:
    paper = Paper("any id", text, "any title")
    outcome = agent.judge(paper, criterion, context())
    return outcome.score if isinstance(outcome, Review) else outcome.kind


def test_each_rating_belongs_to_the_text_that_was_rated(tmp_path: Path) -> None:
    agent = judge(tmp_path, ORIGINAL, SUBTLE)
    assert agent.ready() == []
    assert score(agent, "One. Two.") == 5  # blanks aside
    assert score(agent, "One. Two.", BREVITY) == 4
    assert score(agent, "Three.") == 3
    assert score(agent, "Two. One.") == 2


def test_a_text_without_a_rating_is_a_failure(tmp_path: Path) -> None:
    agent = judge(tmp_path, ORIGINAL)
    paper = Paper("x", "Nobody rated this.")
    assert agent.cannot_judge(paper, COHESION) == ""
    outcome = agent.judge(paper, COHESION, context())
    assert isinstance(outcome, Failure)
    assert "no row for this text and rubric 'cohesion'" in outcome.detail


def test_a_rubric_by_which_a_text_was_not_rated_is_left_out(tmp_path: Path) -> None:
    agent = judge(tmp_path, ORIGINAL)
    assert "no rating by this rubric" in agent.cannot_judge(Paper("x", "Three."), ABSENT)
    assert agent.cannot_judge(Paper("x", "Three."), COHESION) == ""


def test_a_rating_off_the_levels_is_a_failure(tmp_path: Path) -> None:
    assert score(judge(tmp_path, ORIGINAL), "Four, five.") in ("schema", "unparseable")


def test_the_first_table_with_a_text_counts(tmp_path: Path) -> None:
    same = TEXTS.replace("Two. One.", "One. Two.")
    assert score(judge(tmp_path, ORIGINAL, SUBTLE, texts=same), "One. Two.") == 5
    assert score(judge(tmp_path, SUBTLE, ORIGINAL, texts=same), "One. Two.") == 2


def test_ratings_in_columns_beside_the_texts(tmp_path: Path) -> None:
    sheet = tmp_path / "wide.csv"
    sheet.write_text(
        "a_text,b_text,j_a_Cohesion,j_b_Cohesion,j_b_Brevity,j_a_b_Cohesion\nOne.,Two.,5,1,2,3\n",
        encoding="utf-8",
    )
    table = {"rating": "j_{gen}_{rubric}", "text": "{gen}_text", "ratings": str(sheet)}
    agent = judge(tmp_path, table | {"texts": ""})
    assert score(agent, "One.") == 5
    assert score(agent, "Two.") == 1
    assert score(agent, "Two.", BREVITY) == 2
    assert agent._table().total == 3  # j_a_b_Cohesion has one part too many


@pytest.mark.parametrize(
    ("options", "texts", "message"),
    [
        ({"on": {"q": "theme"}}, TEXTS, "no column 'theme'"),
        ({"on": {"question": "topic"}}, TEXTS, "no column 'question'"),
        ({"where": {"grade": "x"}}, TEXTS, "no column 'grade'"),
        ({"text": "{who}_text"}, TEXTS, "no text in the column 'who'"),
        ({}, TEXTS + "Why?,x,y,z\n", "two rows with topic = Why?"),
        ({"rating": "$.q.{rubric}"}, TEXTS, "leads to no object of ratings"),
        ({"texts": "missing.csv"}, TEXTS, "missing.csv cannot be read"),
        ({"texts": "missing.xlsx"}, TEXTS, "missing.xlsx: cannot be read"),
    ],
)
def test_files_that_do_not_fit_are_reported_before_a_run(
    tmp_path: Path, options: dict[str, Any], texts: str, message: str
) -> None:
    problems = judge(tmp_path, {**ORIGINAL, **options}, texts=texts).ready()
    assert any(message in problem for problem in problems), problems


@pytest.mark.parametrize(
    ("tables", "message"),
    [
        ([{**ORIGINAL, "rating": "$.ratings.*"}], "must contain {rubric}"),
        ([{**ORIGINAL, "rating": "$.{rubric}.x"}], "must end in"),
        ([{**ORIGINAL, "rating": "$.a..b.{rubric}"}], "'..'"),
        ([{**ORIGINAL, "on": None}], "goes with 'texts'"),
        ([], "goes with 'by: text'"),
        ([ORIGINAL] * 33, "more than 32"),
    ],
)
def test_options_that_do_not_fit(
    tmp_path: Path, tables: list[dict[str, Any]], message: str
) -> None:
    with pytest.raises(OptionError) as caught:
        judge(tmp_path, *tables)
    assert message in str(caught.value)


def test_a_row_of_a_million_ratings_is_refused(tmp_path: Path) -> None:
    row = {**REPLIES[0], "ratings": {f"r{number}": 1 for number in range(2_001)}}
    problems = judge(tmp_path, ORIGINAL, replies=[row]).ready()
    assert any("more than 2,000 ratings in one row" in problem for problem in problems)


def test_identity_has_the_content_of_all_files_and_no_paths(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir()
    second.mkdir()
    one = judge(first, ORIGINAL).identity()
    assert one == judge(second, ORIGINAL).identity()
    assert str(tmp_path) not in json.dumps(one)
    assert one != judge(second, ORIGINAL, texts=TEXTS + "\n").identity()
    assert one != judge(second, SUBTLE).identity()
