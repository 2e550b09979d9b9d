"""``revkit samples``: the included papers, and papers of a user."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from revkit.cli.samples import command
from revkit.registry import load_registry
from revkit.testing import context

FIELDS = ["--title", "A title", "--author", "A. One", "--author", "B. Two", "--licence",
          "CC BY 4.0", "--source", "a journal", "--evidence", "its page"]  # fmt: skip


def test_every_included_paper_has_a_licence_and_its_evidence() -> None:
    result = CliRunner().invoke(command, ["--json"])
    assert result.exit_code == 0, result.output
    lines = json.loads(result.output)
    assert len(lines) >= 8
    assert all(line["licence"] and line["evidence"] and line["authors"] for line in lines)
    shown = CliRunner().invoke(command, []).output
    assert all(line["title"] in shown and line["evidence"] in shown for line in lines)


def test_a_paper_that_is_added_is_read_by_the_corpus(tmp_path: Path) -> None:
    file = tmp_path / "mine.md"
    file.write_text("# A title\n\nWe prove it.\n", encoding="utf-8")
    folder = tmp_path / "papers"
    for name in ("one", "two"):
        result = CliRunner().invoke(
            command, ["add", str(file), "--to", str(folder), "--id", name, *FIELDS]
        )
        assert result.exit_code == 0, result.output
    corpus = load_registry().get("corpus", "samples").component(path=str(folder))  # type: ignore[call-arg]
    papers = list(corpus.papers(context()))  # type: ignore[attr-defined]
    assert [paper.id for paper in papers] == ["one", "two"]
    line = json.loads((folder / "samples.jsonl").read_text(encoding="utf-8").splitlines()[0])
    assert line["authors"] == ["A. One", "B. Two"]
    assert line["file"] == "papers/one.md"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (["--id", "../out"], "not valid"),
        (["--id", "one"], "already has"),
        (["--title", " "], "--title"),
        (["--title", "a\x1b[2Jb"], "--title"),
    ],
)
def test_bad_input_is_refused_with_a_remedy(
    tmp_path: Path, change: list[str], message: str
) -> None:
    file = tmp_path / "mine.md"
    file.write_text("# A title\n\nWe prove it.\n", encoding="utf-8")
    base = ["add", str(file), "--to", str(tmp_path / "papers")]
    assert CliRunner().invoke(command, [*base, "--id", "one", *FIELDS]).exit_code == 0
    before = (tmp_path / "papers" / "samples.jsonl").read_bytes()
    result = CliRunner().invoke(command, [*base, *FIELDS, *change])
    assert result.exit_code == 2
    assert message in result.output
    assert (tmp_path / "papers" / "samples.jsonl").read_bytes() == before
