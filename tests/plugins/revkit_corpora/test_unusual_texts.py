"""Texts that few corpora have: one very long line, other scripts, ids that differ by case."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from revkit.contracts import Corpus
from revkit.model.paper import Paper, Skipped
from revkit.papers import read_structure
from revkit_corpora.jsonl import JsonLines
from revkit_corpora.markdown import Markdown
from tests.cpu_time import cpu_seconds

Load = Callable[[Corpus], tuple[list[Paper], list[Skipped]]]
HEBREW = (
    "# מחקר על שערים\n\n## תקציר\n\nאנו חוקרים שערים בערים קטנות [1].\n\n"
    "## מבוא\n\nהשערים ידועים.\n\n## מקורות\n\n[1] א. לוי. שערים. 2019.\n"
)
CHINESE = (
    "# 城门的研究\n\n## 摘要\n\n我们研究小城镇的城门[1]。结果表明差异很小。\n\n"
    "## 引言\n\n城门很多。\n\n## 参考文献\n\n[1] 李明. 城门. 2019.\n"
)


def test_ids_that_differ_by_case_are_two_papers(tmp_path: Path, load: Load) -> None:
    path = tmp_path / "papers.jsonl"
    rows = [{"id": id_, "text": f"# Gates\n\nText {id_}.\n"} for id_ in ("Gate", "gate", "gate")]
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    papers, skipped = load(JsonLines(path=str(path)))
    assert [paper.id for paper in papers] == ["Gate", "gate"]
    assert len(skipped) == 1


@pytest.mark.parametrize("text", [HEBREW, CHINESE])
def test_other_scripts_and_directions(tmp_path: Path, load: Load, text: str) -> None:
    (tmp_path / "paper.md").write_text(text, encoding="utf-8")
    (paper,), _ = load(Markdown(path=str(tmp_path)))
    assert paper.text == text
    assert paper.title == text.split("\n")[0].removeprefix("# ")
    assert paper.notes == ()  # direction follows from the letters, no mark of it is hidden
    structure = read_structure(paper)
    assert (structure.abstract, structure.headings, structure.references) == (True, 3, 1)
    assert (structure.citations, structure.matched) == (1, 1)


def test_a_line_of_ten_million_bytes(tmp_path: Path, load: Load) -> None:
    line = "The gates of towns are known [1]. " * 300_000
    (tmp_path / "long.md").write_text(f"# Gates\n\n{line}\n", encoding="utf-8")
    (paper,), _ = load(Markdown(path=str(tmp_path)))
    assert len(paper.text) > 10_000_000
    assert cpu_seconds(lambda: load(Markdown(path=str(tmp_path))), 5) < 5
    rows = [{"id": "a", "text": line}, {"id": "b", "text": "# B\n\nShort.\n"}]
    path = tmp_path / "rows.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    papers, skipped = load(JsonLines(path=str(path), max_bytes=1_000_000))
    assert [each.id for each in papers] == ["b"]
    assert len(skipped) == 1
