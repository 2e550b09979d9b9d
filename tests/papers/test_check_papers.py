"""``papers check`` on a folder loads and skips the same files as a run on this folder."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import revkit
from revkit.model.paper import Skipped
from revkit.testing import context
from revkit_corpora.markdown import Markdown

PROSE = "# Gates\n\n## Abstract\n\nWe count the gates of twelve towns.\n"
DOCUMENT = (
    "\\documentclass{article}\n\\title{Gates}\n\\begin{document}\n"
    "\\begin{abstract}We count the gates of towns.\\end{abstract}\n\\end{document}\n"
)
FILES = {
    "gates.md": PROSE,
    "gates.txt": PROSE,
    "deep/gates.md": PROSE,
    "headings.md": "# A\n\n## B\n\n## C\n",
    "table.md": "# T\n\n| a | b |\n|---|---|\n| 1 | 2 |\n",
    "empty.md": "",
    "main.tex": DOCUMENT,
    "piece.tex": "\\section{Results}\nThe gates are counted here.\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "outside.md").write_text(PROSE)
    for name, text in FILES.items():
        path = tmp_path / "papers" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (tmp_path / "papers" / "link.md").symlink_to(tmp_path / "outside.md")
    return tmp_path / "papers"


def test_a_folder_is_read_as_in_a_run(folder: Path) -> None:
    readings, skipped = revkit.check_papers(folder)
    spec = {
        "revkit": 1,
        "name": "same",
        "seed": 1,
        "corpus": {"use": "markdown", "with": {"path": str(folder)}},
        "agents": {"counter": "citation-counter"},
        "metrics": [],
    }
    in_a_run, not_in_a_run = revkit.check_papers(spec)
    assert sorted(each.id for each in in_a_run) == ["deep/gates", "gates", "main"]
    loaded = sorted(os.path.splitext(each.id)[0] for each in readings)
    assert loaded == sorted(each.id for each in in_a_run)
    reasons = {each.source: each.reason for each in skipped}
    assert reasons == {each.source: each.reason for each in not_in_a_run}
    assert {name: reason.partition(";")[0] for name, reason in reasons.items()} == {
        "gates.txt": "duplicate id",
        "headings.md": reasons["table.md"],
        "table.md": reasons["table.md"],
        "empty.md": "no text",
        "link.md": "a symbolic link that leads out of the folder: not read",
        "piece.tex": "no \\documentclass, title, abstract or introduction, and no other .tex file "
        "includes it",
    }
    assert reasons["table.md"].startswith("no prose")


def test_a_file_alone_is_read_as_in_a_run(folder: Path) -> None:
    for name in FILES:
        readings, skipped = revkit.check_papers(folder / name)
        found = [*Markdown(path=str(folder / name)).papers(context())]
        prose = name not in ("headings.md", "table.md")
        assert len(readings) == (prose and not isinstance(found[0], Skipped))
        assert len(readings) + len(skipped) == 1
