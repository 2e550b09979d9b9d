"""External judges: the criterion and the materials are handed over, and the score read back."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from revkit.contracts import Context
from revkit.model.criterion import Criterion
from revkit.model.paper import Material, Paper
from revkit.model.review import Failure, Review
from revkit_external.command import Command
from revkit_external.python import Python
from revkit_external.recorded_outcomes import Recorded

CRITERION = Criterion(
    "cohesion", "Are they connected?", tuple((n, f"level {n}") for n in range(1, 6))
)
PAPER = Paper(
    "p",
    "One. Two.",
    materials=(Material("question", "Why?"), Material("source", "So.", "S")),
)
MAP = {"score": {"path": "$.rating", "scale": [1, 5]}, "text": {"path": "$.told"}}
SCRIPT = """
import json, pathlib, sys
name, asked, place, question, materials = sys.argv[1:6]
told = json.loads(pathlib.Path(place).read_text(encoding="utf-8"))
given = json.loads(pathlib.Path(materials).read_text(encoding="utf-8"))
assert told["name"] == name and told["question"] == asked and len(told["levels"]) == 5
assert given == [
    {"role": "question", "text": question, "title": ""},
    {"role": "source", "text": "So.", "title": "S"},
]
print(json.dumps({"rating": RATING, "told": name + "|" + asked + "|" + question}))
"""
ARGUMENTS = (
    "{criterion}",
    "{criterion_question}",
    "{criterion_file}",
    "{question}",
    "{materials_file}",
)


def command(rating: str, **options: Any) -> Command:
    script = SCRIPT.replace("RATING", rating)
    return Command(argv=(sys.executable, "-c", script, *ARGUMENTS), map=MAP, **options)


def test_a_command_gets_the_criterion_and_the_materials() -> None:
    outcome = command("4").judge(PAPER, CRITERION, Context(1))
    assert isinstance(outcome, Review)
    assert outcome.score == 4.0
    assert outcome.text == "cohesion|Are they connected?|Why?"


@pytest.mark.parametrize("rating", ["3.5", "6", "'good'"])
def test_a_score_that_is_no_level_is_a_failure(rating: str) -> None:
    outcome = command(rating).judge(PAPER, CRITERION, Context(1))
    assert isinstance(outcome, Failure)
    assert outcome.kind in ("schema", "unparseable")


def test_another_range_is_mapped_onto_the_levels() -> None:
    scaled = {"score": {"path": "$.rating", "scale": [0, 1], "to": [1, 5]}}
    agent = Command(argv=(sys.executable, "-c", "print('{\"rating\": 0.75}')"), map=scaled)
    assert agent.judge(PAPER, CRITERION, Context(1)).score == 4.0  # type: ignore[union-attr]


def test_a_map_without_a_score_judges_nothing() -> None:
    agent = Command(
        argv=(sys.executable, "-c", 'print(\'{"told": "x"}\')'), map={"text": MAP["text"]}
    )
    outcome = agent.judge(PAPER, CRITERION, Context(1))
    assert isinstance(outcome, Failure)
    assert "reads no score" in outcome.detail


def test_a_function_gets_them_as_arguments() -> None:
    agent = Python(
        call_="json:loads",
        args=('{"rating": 2, "told": "{criterion}: {criterion_question}"}',),
        map=MAP,
        output={"result": True},
    )
    outcome = agent.judge(PAPER, CRITERION, Context(1))
    assert isinstance(outcome, Review)
    assert (outcome.score, outcome.text) == (2.0, "cohesion: Are they connected?")


def test_a_review_hands_over_no_criterion() -> None:
    agent = Command(
        argv=(
            sys.executable,
            "-c",
            "import json, os, sys; print(json.dumps({'rating': 1, 'told': repr(sys.argv[1:3]) + "
            "repr(sorted(os.listdir(sys.argv[3])))}))",
            "{criterion}",
            "{criterion_file}",
            "{in_dir}",
        ),
        map=MAP,
    )
    outcome = agent.review(PAPER, Context(1))
    assert isinstance(outcome, Review)
    assert outcome.text == "['', '']['materials.json']"
    bare = agent.review(Paper("p", "One."), Context(1))
    assert isinstance(bare, Review)
    assert bare.text == "['', ''][]"


def recorded(folder: Path, rows: list[dict[str, Any]]) -> Recorded:
    path = folder / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return Recorded(file=str(path), map={"score": {"column": "rating", "scale": [1, 5]}})


def test_recorded_judgements_are_found_by_text_and_rubric(tmp_path: Path) -> None:
    digest = PAPER.digest
    agent = recorded(
        tmp_path,
        [
            {"digest": digest, "rubric": "cohesion", "rating": 4},
            {"digest": digest, "rubric": "coherence", "rating": 2},
            {"digest": digest, "rating": 5},
            {"digest": digest, "rubric": "cohesion", "repeat": 1, "rating": 3},
        ],
    )
    assert agent.ready() == []
    assert agent.judge(PAPER, CRITERION, Context(1)).score == 4.0  # type: ignore[union-attr]
    assert agent.judge(PAPER, CRITERION, Context(1, repeat=1)).score == 3.0  # type: ignore[union-attr]
    assert agent.review(PAPER, Context(1)).score == 5.0  # type: ignore[union-attr]
    other = Criterion("novelty", "New?", CRITERION.levels)
    outcome = agent.judge(PAPER, other, Context(1))
    assert isinstance(outcome, Failure)
    assert outcome.kind == "provider"
    assert "rubric 'novelty'" in outcome.detail


def test_two_rows_of_one_rubric_are_reported(tmp_path: Path) -> None:
    row = {"digest": PAPER.digest, "rubric": "cohesion", "rating": 4}
    agent = recorded(tmp_path, [row, {**row, "rating": 5}])
    assert "more than one row" in agent.ready()[0]
    outcome = agent.judge(PAPER, CRITERION, Context(1))
    assert isinstance(outcome, Failure)
    assert outcome.kind == "schema"


def test_exported_texts_hold_their_materials(tmp_path: Path) -> None:
    from revkit_external.texts import texts_of

    records = tmp_path / "records"
    records.mkdir()
    row = {
        "id": "p",
        "title": "",
        "text": PAPER.text,
        "digest": PAPER.digest,
        "materials": [each.to_json() for each in PAPER.materials],
    }
    (records / "papers.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    (records / "variants.jsonl").write_text("", encoding="utf-8")
    (line,) = texts_of(tmp_path)
    assert line["materials"] == row["materials"]
    assert line["digest"] == PAPER.digest
