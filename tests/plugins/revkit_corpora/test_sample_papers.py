"""The corpus of papers that are included: each has its licence, its evidence and its parts."""

import json
from pathlib import Path

import pytest

from revkit.errors import RunError
from revkit.model.paper import Paper, Skipped
from revkit.papers import read_structure
from revkit.testing import context
from revkit_corpora.sample_papers import FIELDS, INDEX, Samples

LICENCES = {"CC BY 4.0", "Apache-2.0"}


def load(corpus: Samples) -> list[Paper | Skipped]:
    return list(corpus.papers(context()))


def test_each_included_paper_is_read_with_its_parts() -> None:
    papers = load(Samples())
    assert len(papers) == 8
    for paper in papers:
        assert isinstance(paper, Paper)
        assert paper.labels.accept is None
        assert any(note.removeprefix("licence: ") in LICENCES for note in paper.notes)
        structure = read_structure(paper)
        assert structure.score > 0.99
    assert len({paper.id for paper in papers}) == 8


def write(folder: Path, line: dict[str, object]) -> Samples:
    (folder / "a.txt").write_text("# Gates\n\nA text of words.\n", encoding="utf-8")
    (folder / INDEX).write_text(json.dumps(line) + "\n", encoding="utf-8")
    return Samples(path=str(folder))


LINE: dict[str, object] = {
    "id": "a",
    "file": "a.txt",
    "title": "Gates",
    "authors": ["A. Author"],
    "licence": "CC BY 4.0",
    "source": "a journal",
    "evidence": "its first page",
    "changes": "nothing",
}


def test_a_folder_of_a_user(tmp_path: Path) -> None:
    (paper,) = load(write(tmp_path, LINE))
    assert isinstance(paper, Paper)
    assert (paper.id, paper.title) == ("a", "Gates")


@pytest.mark.parametrize("field", FIELDS[1:])
def test_a_line_without_a_field_is_skipped(tmp_path: Path, field: str) -> None:
    (skipped,) = load(write(tmp_path, {**LINE, field: ""}))
    assert isinstance(skipped, Skipped)
    assert f"no {field}" in skipped.reason


def test_a_file_that_is_missing_is_skipped(tmp_path: Path) -> None:
    (skipped,) = load(write(tmp_path, {**LINE, "file": "../b.txt"}))
    assert isinstance(skipped, Skipped)
    assert "is not in the folder" in skipped.reason


@pytest.mark.parametrize(("text", "message"), [("{", "line 1"), ("[]\n", "expected an object")])
def test_a_damaged_index_ends_the_run(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / INDEX).write_text(text, encoding="utf-8")
    with pytest.raises(RunError, match=message):
        load(Samples(path=str(tmp_path)))


def test_a_folder_without_an_index(tmp_path: Path) -> None:
    with pytest.raises(RunError, match=INDEX):
        load(Samples(path=str(tmp_path)))
