"""From a run to its texts, to recorded outcomes, and back into a run."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from revkit.contracts import Context
from revkit.errors import OptionError
from revkit.model.paper import Paper
from revkit.model.review import Failure, Review
from revkit.options import from_options
from revkit_external.recorded_outcomes import Recorded
from revkit_external.texts import main, texts_of

MAP = {
    "accept": {"column": "decision", "labels": {"Poster": True, "Reject": False}},
    "score": {"column": "rating", "scale": [1, 10]},
}


def write(path: Path, rows: list[dict[str, Any]]) -> str:
    """Write rows as JSON Lines or CSV, by the ending of ``path``."""
    with path.open("w", encoding="utf-8", newline="") as file:
        if path.suffix == ".csv":
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
        else:
            file.writelines(json.dumps(row) + "\n" for row in rows)
    return str(path)


@pytest.mark.parametrize("ending", ["jsonl", "csv"])
def test_a_row_by_digest(tmp_path: Path, paper: Paper, ending: str) -> None:
    rows = [
        {"sha": paper.digest, "decision": " reject ", "rating": "10", "repeat": 0, "failure": ""},
        {"sha": paper.digest, "decision": "Poster", "rating": 3, "repeat": 1, "failure": ""},
        {"sha": paper.digest, "decision": "", "rating": "", "repeat": 2, "failure": "refusal"},
        {"sha": paper.digest, "decision": "", "rating": "", "repeat": 3, "failure": "out of paper"},
        {"sha": paper.digest, "decision": "", "rating": "5", "repeat": 4, "failure": ""},
    ]
    file = write(tmp_path / f"out.{ending}", rows)
    agent = Recorded(file=file, columns={"digest": "sha"}, map=MAP)
    outcomes = [agent.review(paper, Context(repeat=repeat)) for repeat in range(6)]
    assert [(o.accept, o.score) for o in outcomes if isinstance(o, Review)] == [
        (False, 10.0),
        (True, 3.0),
    ]
    assert [(o.kind, o.detail[:40]) for o in outcomes if isinstance(o, Failure)] == [
        ("refusal", "recorded failure: refusal"),
        ("provider", "recorded failure: out of paper"),
        ("schema", "incomplete: it has no accept at column '"),
        ("provider", "output: no row for repeat 5 of digest " + paper.digest[:2]),
    ]
    assert agent.ready() == []


def test_two_rows_for_one_text_are_a_failure(tmp_path: Path, paper: Paper) -> None:
    row = {"digest": paper.digest, "decision": "Poster", "rating": 5}
    agent = Recorded(file=write(tmp_path / "o.jsonl", [row, row]), map=MAP)
    outcome = agent.review(paper, Context())
    assert isinstance(outcome, Failure)
    assert (outcome.kind, outcome.detail) == ("schema", "output: 2 rows for this text and repeat 0")
    assert agent.ready() == [
        f"1 texts have more than one row for one repeat, such as {paper.digest}"
    ]


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("a.jsonl", '{"digest": "x"}\n{"digest"\n', "line 2"),
        ("a.jsonl", "[1]\n", "not a list of objects"),
        ("a.csv", "digest,rating\nx\n", "line 2: 1 cells, but 2 columns"),
        ("a.csv", "digest,rating\nx,1,2\n", "line 2: 3 cells, but 2 columns"),
        ("a.csv", "digest,digest\nx,1\n", "two columns have the name 'digest'"),
        ("a.csv", "rating\n1\n", "row 1 has no column 'digest'"),
        ("a.csv", "digest,repeat\nx,one\n", "'one' is not a whole number"),
        ("a.xml", "<x/>", "its format is unknown"),
    ],
)
def test_files_that_are_none(
    tmp_path: Path, paper: Paper, name: str, text: str, expected: str
) -> None:
    (tmp_path / name).write_text(text)
    agent = Recorded(file=str(tmp_path / name), map=MAP)
    outcome = agent.review(paper, Context())
    assert isinstance(outcome, Failure)
    assert outcome.kind == "crashed"
    assert expected in outcome.detail
    assert expected in agent.ready()[0]


def test_a_column_that_is_not_there(tmp_path: Path, paper: Paper) -> None:
    file = write(tmp_path / "o.jsonl", [{"digest": paper.digest, "rating": 5}])
    outcome = Recorded(file=file, map=MAP).review(paper, Context())
    assert isinstance(outcome, Failure)
    assert "no column 'decision'; it has digest, rating" in outcome.detail


def test_the_key_is_the_content(tmp_path: Path) -> None:
    rows = [{"digest": "x", "decision": "Poster", "rating": 1}]
    one = Recorded(file=write(tmp_path / "a.jsonl", rows), map=MAP)
    two = Recorded(file=write(tmp_path / "b.jsonl", rows), map=MAP)
    assert one.identity() == two.identity()
    write(tmp_path / "b.jsonl", [*rows, *rows])
    assert one.identity() != two.identity()


def test_options() -> None:
    with pytest.raises(OptionError) as caught:
        from_options(
            Recorded, {"file": "x.csv", "by": "ids", "columns": {"papr": "id"}, "map": MAP}
        )
    for expected in (
        "columns.papr: unknown key 'papr'; did you mean 'paper'",
        "texts: 'by: ids' needs it",
    ):
        assert expected in str(caught.value)


def test_a_recorded_row_has_no_other_output() -> None:
    with pytest.raises(OptionError, match="output: expected nothing"):
        from_options(Recorded, {"file": "x.csv", "map": MAP, "output": {}})


def test_paths_into_the_rows_that_a_tool_wrote(tmp_path: Path, paper: Paper) -> None:
    def row(*ratings: float | None) -> dict[str, Any]:
        reviewers = [{"id": number, "rating": rating} for number, rating in enumerate(ratings)]
        return {"title": paper.title, "reviewers": reviewers}

    mapping: dict[str, Any] = {
        "score": {"path": "$.reviewers[*].rating", "reduce": "mean", "scale": [1, 10]},
        "accept": {"like": "score", "at-least": 6},
    }
    rule = {"path": "$.reviewers[*].rating", "all": None, "because": "no reviewer answered"}

    def outcome(name: str, *ratings: float | None) -> Any:
        options = {"by": "title", "map": mapping, "fail-if": [rule]}
        file = write(tmp_path / name, [row(*ratings)])
        return from_options(Recorded, {"file": file, **options}).review(paper, Context())

    review = outcome("a.jsonl", 7.0, 6.0, 7.0)
    assert review.score == pytest.approx(20 / 3)
    assert review.accept is True
    partial = outcome("b.jsonl", 7.0, None)
    assert (partial.kind, "1 of 2 members" in partial.detail) == ("partial", True)
    assert "no reviewer answered" in outcome("c.jsonl", None, None).detail


CASE = Path(__file__).parents[3].parent / "shared" / "cases" / "recorded-nested" / "rows.jsonl"


@pytest.mark.skipif(not CASE.is_file(), reason="the case recorded-nested is not there")
def test_the_file_of_a_panel_is_used_as_it_is() -> None:
    mapping = {"score": {"path": "$.reviewers[*].rating", "reduce": "mean", "scale": [1, 10]}}
    agent = from_options(Recorded, {"file": str(CASE), "by": "title", "map": mapping})
    rows = [json.loads(line) for line in CASE.read_text(encoding="utf-8").splitlines()]
    papers = [Paper(id="p", title=row["title"], text="Text.").blind() for row in rows]
    scores = [agent.review(each, Context()).score for each in papers]
    assert scores == [pytest.approx(20 / 3), 6.0]


def test_there_and_back(run_toy: Any, toy_spec: dict[str, Any], tmp_path: Path) -> None:
    import revkit_external

    first = run_toy({**toy_spec, "agents": {"length": "toy-length"}}, out="first")
    texts = tmp_path / "texts.jsonl"
    assert main([str(first.folder), str(texts)]) == 0
    lines = [json.loads(line) for line in texts.read_text(encoding="utf-8").splitlines()]
    assert lines == list(texts_of(first.folder))
    expected = {
        (row["paper"], row["perturbation"], row["index"]): row["accept"]
        for row in first.rows("outcomes")
    }
    rejected = sum(bool(row["rejected"]) for row in first.rows("variants"))
    assert len(lines) == len(expected) == 12 - rejected
    word = {True: "Poster", False: "Reject"}
    rows: list[dict[str, Any]] = [
        {"id": line["paper"], "edit": line["perturbation"],
         "decision": word[expected[line["paper"], line["perturbation"], line["index"]]]}
        for line in lines
    ]  # fmt: skip
    by_digest = [
        {"digest": line["digest"], "decision": row["decision"]}
        for line, row in zip(lines, rows, strict=True)
    ]
    accept = {"accept": MAP["accept"]}
    options = [
        {"file": write(tmp_path / "digest.csv", by_digest), "map": accept},
        {
            "file": write(tmp_path / "ids.jsonl", rows[:-1]),
            "by": "ids",
            "texts": str(texts),
            "columns": {"paper": "id", "perturbation": "edit"},
            "map": accept,
        },
    ]
    agents = {name: {"use": "recorded", "with": o} for name, o in zip("ab", options, strict=True)}
    again = run_toy({**toy_spec, "agents": agents}, out="again", plugins=[revkit_external])
    seen = {
        (row["paper"], row["perturbation"], row["index"]): row["accept"]
        for row in again.rows("outcomes")
        if row["agent"] == "a"
    }
    assert seen == expected
    failures = [row for row in again.rows("outcomes") if row["failure"]]
    assert [(row["agent"], row["failure"]) for row in failures] == [("b", "provider")]
    assert "no row for digest" in failures[0]["detail"]


def test_the_command_line_reports_what_is_wrong(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([]) == 2
    assert main([str(tmp_path), str(tmp_path / "x")]) == 1
    assert "records/papers.jsonl cannot be read: No such file" in capsys.readouterr().err
    assert not (tmp_path / "x").exists()


NESTED = {"path": "$.answer.reviewers[*].rating", "reduce": "mean", "scale": [1, 10]}
ANSWER = {"reviewers": [{"rating": 4}, {"rating": 7}]}


def nested_rows(paper: Paper) -> dict[str, list[dict[str, Any]]]:
    """Rows that hold the same answer in several ways."""
    text = json.dumps(ANSWER)
    return {
        "key.jsonl": [{"of": {"text": {"sha": paper.digest}}, "answer": ANSWER}],
        "string.jsonl": [{"of": {"text": {"sha": paper.digest}}, "answer": text}],
        "key_in_string.jsonl": [
            {"of": json.dumps({"text": {"sha": paper.digest}}), "answer": ANSWER}
        ],
        "string_in_string.jsonl": [
            {"of": {"text": {"sha": paper.digest}},
             "answer": json.dumps({"reviewers": [json.dumps(each) for each in
                                                 ANSWER["reviewers"]]})}
        ],
        "cell.csv": [{"of": json.dumps({"text": {"sha": paper.digest}}), "answer": text}],
    }  # fmt: skip


@pytest.mark.parametrize("name", ["key.jsonl", "string.jsonl", "key_in_string.jsonl",
                                  "string_in_string.jsonl", "cell.csv"])  # fmt: skip
def test_paths_reach_into_rows_and_texts(tmp_path: Path, paper: Paper, name: str) -> None:
    file = write(tmp_path / name, nested_rows(paper)[name])
    agent = Recorded(file=file, columns={"digest": "$.of.text.sha"}, map={"score": NESTED})
    assert agent.ready() == []
    outcome = agent.review(paper, Context())
    assert isinstance(outcome, Review)
    assert outcome.score == 5.5


def test_where_takes_a_path(tmp_path: Path, paper: Paper) -> None:
    rows = [
        {"digest": paper.digest, "by": {"name": name}, "answer": {"reviewers": [{"rating": n}]}}
        for name, n in (("a", 3), ("b", 8))
    ]
    file = write(tmp_path / "out.jsonl", rows)
    agent = Recorded(file=file, where={"$.by.name": "b"}, map={"score": NESTED})
    outcome = agent.review(paper, Context())
    assert isinstance(outcome, Review)
    assert outcome.score == 8
    with pytest.raises(OptionError, match="leads to several values"):
        Recorded(file=file, where={"$.by.*": "b"}, map={"score": NESTED})
    with pytest.raises(OptionError, match="a filter would leave members out"):
        Recorded(file=file, columns={"digest": "$[?a]"}, map={"score": NESTED})


@pytest.mark.parametrize("wrap", [
    lambda rows: rows,
    lambda rows: {"results": rows},
    lambda rows: {"count": 1, "model": {"name": "x"}, "results": rows},
    lambda rows: {"data": {"results": rows}},
    lambda rows: {"errors": [], "results": rows},
])  # fmt: skip
def test_a_list_may_be_wrapped(tmp_path: Path, paper: Paper, wrap: Any) -> None:
    path = tmp_path / "out.json"
    path.write_text(json.dumps(wrap([{"digest": paper.digest, "answer": ANSWER}])))
    outcome = Recorded(file=str(path), map={"score": NESTED}).review(paper, Context())
    assert isinstance(outcome, Review)
    assert outcome.score == 5.5


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"a": [{"x": 1}], "b": [{"y": 1}]}, "several lists of objects ('a', 'b'); save the one"),
        ([{"x": 1}, 2], "out.json is not a list of objects: row 2 is none; save one object"),
        ({"a": 1}, "out.json is not a list of objects; save one object for each text"),
        ([{"x": 1, "y": 2}], "out.json, row 1 has no column 'digest'; it has x, y; name the one"),
        ([{"digest": {"a": 1}}], "out.json, row 1 has no text in 'digest'; it has digest; name"),
    ],
)
def test_a_file_without_rows_names_place_and_remedy(
    tmp_path: Path, content: Any, message: str
) -> None:
    path = tmp_path / "out.json"
    path.write_text(json.dumps(content))
    (problem,) = Recorded(file=str(path), map={"score": NESTED}).ready()
    assert message in problem


def test_a_text_that_holds_json_stays_a_text(tmp_path: Path, paper: Paper) -> None:
    text = json.dumps(ANSWER)
    file = write(tmp_path / "out.jsonl", [{"digest": paper.digest, "answer": text}])
    agent = Recorded(file=file, map={"text": {"column": "answer"}, "score": NESTED})
    outcome = agent.review(paper, Context())
    assert isinstance(outcome, Review)
    assert outcome.text == text
