"""Parquet and Arrow files, as corpora read them; tables with columns that the user names."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from revkit.contracts import Corpus
from revkit.errors import OptionError, RunError
from revkit.model.paper import Paper, Skipped
from revkit.testing import context
from revkit_corpora.deepreview import DeepReview
from revkit_corpora.jsonl import JsonLines
from revkit_corpora.peersum import PeerSum
from revkit_corpora.table import PaperTable

Load = Callable[[Corpus], tuple[list[Paper], list[Skipped]]]
TEXT = "We study gates and measure what they do."


@pytest.fixture
def pyarrow() -> Any:
    pytest.importorskip("pyarrow.parquet")
    return pytest.importorskip("pyarrow")


def record(id_: str, ratings: list[int]) -> dict[str, Any]:
    return {
        "id": id_,
        "title": "Gates",
        "paper_context": TEXT,
        "decision": "Accept",
        "review": [{"rating": rating, "content": {"summary": "Good."}} for rating in ratings],
    }


def write_arrow(pyarrow: Any, table: Any, path: Path) -> None:
    with (
        pyarrow.OSFile(str(path), "wb") as file,
        pyarrow.ipc.new_stream(file, table.schema) as writer,
    ):
        writer.write_table(table)


def as_json(papers: list[Paper]) -> list[Any]:
    return [(paper.id, paper.text, paper.labels, paper.reviews) for paper in papers]


def test_rows_of_columns_are_those_of_json(tmp_path: Path, load: Load, pyarrow: Any) -> None:
    rows = [record("a", [6, 8]), record("b", [3]), record("a", [1])]
    (tmp_path / "rows.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    table = pyarrow.Table.from_pylist(rows)
    pyarrow.parquet.write_table(table, tmp_path / "rows.parquet", row_group_size=2)
    write_arrow(pyarrow, table, tmp_path / "rows.arrow")
    found = {
        ending: load(DeepReview(path=str(tmp_path / f"rows.{ending}"), form="iclr-2024"))
        for ending in ("jsonl", "parquet", "arrow")
    }
    for ending in ("parquet", "arrow"):
        assert as_json(found[ending][0]) == as_json(found["jsonl"][0])
        assert [each.reason.split(";")[0] for each in found[ending][1]] == ["duplicate id"]
    assert found["parquet"][1][0].source == "rows.parquet:3"


def test_a_saved_data_set_is_a_folder(tmp_path: Path, load: Load, pyarrow: Any) -> None:
    table = pyarrow.Table.from_pylist([{"id": "a", "text": TEXT}])
    write_arrow(pyarrow, table, tmp_path / "data-00000-of-00001.arrow")
    for name in ("dataset_info.json", "state.json"):
        (tmp_path / name).write_text('{"features": {}}', encoding="utf-8")
    papers, skipped = load(JsonLines(path=str(tmp_path)))
    assert ([paper.id for paper in papers], skipped) == (["a"], [])


def test_values_that_json_has_not(tmp_path: Path, load: Load, pyarrow: Any) -> None:
    row = {"id": "a", "text": TEXT.encode(), "r": [6.0, float("nan")], "day": date(2024, 1, 2)}
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist([row]), tmp_path / "t.parquet")
    given = {"ratings_in": ("r",), "scale": (1.0, 10.0), "topic": "day"}
    (paper,), _ = load(PaperTable(path=str(tmp_path), **given))  # type: ignore[arg-type]
    assert paper.text == TEXT
    assert paper.labels.ratings == (6,)
    assert paper.labels.topic == "2024-01-02"
    assert "bytes in a column: read as text" in paper.notes
    assert "NaN or infinity in a column: read as null" in paper.notes


def test_columns_of_another_form_are_skipped_with_a_reason(
    tmp_path: Path, load: Load, pyarrow: Any
) -> None:
    table = pyarrow.Table.from_pylist([{"paper": "a", "body": TEXT}])
    pyarrow.parquet.write_table(table, tmp_path / "t.parquet")
    _, skipped = load(PaperTable(path=str(tmp_path / "t.parquet")))
    assert [each.reason for each in skipped] == ["no column id, text"]
    _, skipped = load(PeerSum(path=str(tmp_path / "t.parquet")))
    assert [each.reason for each in skipped] == ["no paper_id"]


def test_a_row_larger_than_the_bound_is_skipped(tmp_path: Path, load: Load, pyarrow: Any) -> None:
    rows = [{"id": "a", "text": "word " * 100}, {"id": "b", "text": TEXT}]
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), tmp_path / "t.parquet")
    papers, skipped = load(PaperTable(path=str(tmp_path / "t.parquet"), max_bytes=200))
    assert [paper.id for paper in papers] == ["b"]
    assert [each.reason for each in skipped] == ["larger than max-bytes (200)"]


@pytest.mark.parametrize("body", [b"", b"PAR1", b"no columns at all" * 20])
def test_a_damaged_file(tmp_path: Path, load: Load, pyarrow: Any, body: bytes) -> None:
    (tmp_path / "bad.parquet").write_bytes(body)
    with pytest.raises(RunError, match="not a readable columnar file"):
        load(DeepReview(path=str(tmp_path / "bad.parquet")))
    (tmp_path / "good.jsonl").write_text(json.dumps(record("a", [6])), encoding="utf-8")
    papers, skipped = load(DeepReview(path=str(tmp_path)))
    assert [paper.id for paper in papers] == ["a"]
    assert [each.id for each in skipped] == ["bad.parquet"]


def test_without_pyarrow_the_extra_is_named(
    tmp_path: Path, load: Load, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    (tmp_path / "a.parquet").write_bytes(b"PAR1")
    with pytest.raises(RunError, match=r"pip install 'revkit\[parquet\]'"):
        load(DeepReview(path=str(tmp_path / "a.parquet")))


def test_a_csv_with_columns_of_any_name(tmp_path: Path, load: Load) -> None:
    path = tmp_path / "papers.csv"
    path.write_text(
        "paper,name,summary,body,r1,r2,outcome\n"
        f"p1,Gates,On gates.,{TEXT},6,7/10,Accept (poster)\n"
        "p2,Notes,Only notes.,,x,,\n"
        ",Nameless,No id.,text,,,\n",
        encoding="utf-8",
    )
    options: dict[str, Any] = {
        "id": "paper",
        "title": "name",
        "abstract": "summary",
        "text": "body",
        "ratings_in": ("r1", "r2"),
        "decision": "outcome",
        "scale": (1, 10),
    }
    papers, skipped = load(PaperTable(path=str(path), **options))
    first, second = papers
    assert first.text == f"# Gates\n\n## Abstract\n\nOn gates.\n\n{TEXT}"
    assert (first.labels.ratings, first.labels.accept) == ((6, 7), True)
    assert second.text == "# Notes\n\n## Abstract\n\nOnly notes."
    assert "abstract only" in second.notes
    assert [each.wording for each in second.labels.unmapped] == ["'x'"]
    assert [(each.id, each.reason) for each in skipped] == [("papers.csv, row 3", "no id")]
    with pytest.raises(OptionError, match="name a column"):
        PaperTable(path=str(path), text="")
    with pytest.raises(RunError, match="lacks the column nobody"):
        list(PaperTable(path=str(path), id="nobody").papers(context()))
