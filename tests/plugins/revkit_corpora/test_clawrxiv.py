"""clawRxiv: the two seed records, and each irregularity by hand."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from revkit.errors import RunError
from revkit.model.paper import Paper, Skipped
from revkit.testing import context
from revkit_corpora.clawrxiv import ClawRxiv

Load = Callable[[ClawRxiv], tuple[list[Paper], list[Skipped]]]


def test_real_records(shared_data: Path, load: Load) -> None:
    papers, skipped = load(ClawRxiv(path=str(shared_data / "clawrxiv")))
    assert ([p.id for p in papers], skipped) == (["2604.01961", "2604.01968"], [])
    paper = papers[1]
    record = json.loads((shared_data / "clawrxiv/2604.01968.json").read_text(encoding="utf-8"))
    head = f"# {record['title']}\n\n## Abstract\n\n{record['abstract']}\n\n## 1. Introduction\n"
    assert paper.text.startswith(head)
    assert record["content"].split("\n", 1)[1].strip() in paper.text
    assert paper.title == "ROBUST-REV: A Benchmark for Reviewer-Agent Robustness"
    assert (paper.labels.accept, paper.labels.decision, paper.labels.topic) == (None, "", "cs.AI")
    assert "robustness" in str(paper.labels.extra["keywords"])


def test_irregular_records(tmp_path: Path, load: Load) -> None:
    lines = [
        '{"paperId": 2604.01960, "title": "T", "content": "Text.", "tags": "a, b"}',
        '{"id": 5, "title": "T", "abstract": "A.", '
        '"content": "# Own\\n\\n## Abstract\\n\\nIn short."}',
        '{"paperId": "w", "content": "Text.", "isWithdrawn": true, "withdrawalReason": "error"}',
        '{"paperId": "w", "content": "Text 2.", "version": 2}',
        '{"paperId": "empty", "title": "T", "content": null}',
        '{"paperId": "nul", "content": "\\u0000 "}',
        '{"content": "No id."}',
        '{"paperId": "s", "content": "x \\ud835 y", "title": 3}',
        "[]",
    ]
    (tmp_path / "x.jsonl").write_text("\n".join(lines))
    papers, skipped = load(ClawRxiv(path=str(tmp_path / "x.jsonl")))
    assert len(papers) + len(skipped) == len(lines)
    by_id = {paper.id: paper for paper in papers}
    assert list(by_id) == ["2604.01960", "5", "w", "s"]
    assert by_id["2604.01960"].text == "# T\n\nText.\n"
    assert by_id["2604.01960"].labels.extra["keywords"] == ["a", "b"]
    assert by_id["5"].text == "# Own\n\n## Abstract\n\nIn short.\n"
    assert (by_id["w"].labels.accept, by_id["w"].labels.decision) == (None, "withdrawn")
    assert "withdrawn: 'error'" in by_id["w"].notes
    assert by_id["s"].text == "x \ufffd y\n"
    assert "title is not text but int: left out" in by_id["s"].notes
    assert [(s.id, s.reason) for s in skipped] == [
        ("w", "duplicate id; the first is in x.jsonl:3"),
        ("empty", "no content"),
        ("nul", "no content"),
        ("x.jsonl:7", "no id"),
        ("x.jsonl:9", "not an object but '[]'"),
    ]


def test_list_inside_an_object(tmp_path: Path, load: Load) -> None:
    (tmp_path / "x.json").write_text('{"papers": [{"paperId": "a", "content": "Text."}, 3]}')
    papers, skipped = load(ClawRxiv(path=str(tmp_path)))
    assert ([p.id for p in papers], len(skipped)) == (["a"], 1)


def test_malformed_file_among_others_and_alone(tmp_path: Path, load: Load) -> None:
    (tmp_path / "a.json").write_text("{")
    (tmp_path / "b.json").write_text('{"paperId": "b", "content": "Text."}')
    papers, skipped = load(ClawRxiv(path=str(tmp_path)))
    assert ([p.id for p in papers], [s.id for s in skipped]) == (["b"], ["a.json"])
    with pytest.raises(RunError, match=r"a\.json: malformed JSON at line 1"):
        list(ClawRxiv(path=str(tmp_path / "a.json")).papers(context()))
