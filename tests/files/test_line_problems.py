"""All problems of a file in one error: the same form in every reader of lines."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from revkit.calibration.tables import read_by_id, read_consensus
from revkit.errors import RevkitError
from revkit.files import LineProblems, objects_in_lines
from revkit.forms import Field, Fields, load_examples
from revkit_corpora.markdown import Markdown
from revkit_defenses.reference_index import read_index
from revkit_reviewground.drafts import load_drafts
from revkit_robustrev.citation_pool import read_pool


def test_one_problem_is_a_sentence_and_many_are_a_list() -> None:
    problems = LineProblems()
    assert not problems
    problems.add(3, "no id")
    assert str(problems) == "line 3: no id"
    problems.add(5, "no id")
    assert str(problems) == "2 problems:\n  line 3: no id\n  line 5: no id"
    for line in range(6, 1006):
        problems.add(line, "no id")
    assert len(problems) == 1002
    lines = str(problems).split("\n")
    assert lines[0] == "1,002 problems:"
    assert len(lines) == 22
    assert lines[-1] == "  and 982 more"


def labels(path: Path) -> object:
    folder = path.parent / "papers"
    folder.mkdir()
    (folder / "a.md").write_text("# A\n\nText.\n")
    return list(Markdown(path=str(folder), labels=str(path)).papers(None))  # type: ignore[arg-type]


READERS: dict[str, tuple[Callable[[Path], object], str, str]] = {
    "labels.csv": (labels, "id,accept\na,true\n,true\na,false\nb,true,1\n", "3 4 5"),
    "scores.csv": (read_by_id, "id,score\na,1\nb,x\n,3\n", "3 4"),
    "consensus.csv": (
        read_consensus,
        "id,consensus,se\na,20,\na,30,\nb,120,\nc,20,-1\n",
        "3 4 5",
    ),
    "pool.jsonl": (lambda path: read_pool(str(path)), "{}\n[]\nx\n", "1 2 3"),
    "index.jsonl": (lambda path: read_index([str(path)]), '{}\n{"index-date": "x"}\n[]\n', "1 2 3"),
    "drafts.jsonl": (
        lambda path: load_drafts(str(path)),
        '{"review": {}, "title": "A"}\n{"review": {}, "title": "A"}\n{}\nx\n',
        "2 3 4",
    ),
    "examples.jsonl": (
        lambda path: load_examples(str(path), Fields((Field("words", "text"),))),
        json.dumps({"paper": "a", "review": {}}) + "\n{}\nx\n",
        "1 2 3",
    ),
}


@pytest.mark.parametrize("name", READERS)
def test_a_reader_of_lines_reports_all_problems(name: str, tmp_path: Path) -> None:
    read, text, lines = READERS[name]
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises((RevkitError, ValueError)) as caught:
        read(path)
    said = str(caught.value)
    for line in lines.split():
        assert f"\n  line {line}: " in said, said
    assert f"{len(lines.split())} problems:" in said


def test_objects_in_lines_keeps_separators_of_unicode_and_lists_other_lines() -> None:
    found, problems = objects_in_lines('{"title": "a\u2028b"}\r\n\n[1]\nx\n{"id": "c"}')
    assert found == [{"title": "a\u2028b"}, {"id": "c"}]
    assert str(problems).startswith("2 problems:\n  line 3: expected an object\n  line 4: ")
