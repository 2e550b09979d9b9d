"""Rating sheets: blind, read back, and refused where a cell is not a level."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import revkit
from revkit.cli.main import cli
from revkit.errors import RunError
from revkit.sheets import draw_ratings, read_ratings

SPECS = Path(__file__).parents[2] / "experiments"
FEW = ["reports=[]", "metrics=[]", "sample.n=3"]


@pytest.mark.slow
def test_a_study_from_the_sheet_to_the_agreement(tmp_path: Path) -> None:
    store = tmp_path / "store.db"
    first = revkit.run(
        SPECS / "reviewbench-build.yaml", out=tmp_path / "first", store=store, overrides=FEW
    )
    run = f"corpus.with.run={first.folder}"
    judged = revkit.run(
        SPECS / "reviewbench.yaml",
        out=tmp_path / "judged",
        store=store,
        overrides=[run, "reports=[]"],
    )
    sheet = draw_ratings(judged.folder, tmp_path / "sheet", n=10, seed=1)
    assert (sheet.texts, len(sheet.criteria)) == (10, 8)
    shown = (tmp_path / "sheet" / "ratings.csv").read_text() + (
        tmp_path / "sheet" / "form.md"
    ).read_text()
    assert "no-results" not in shown  # the name of an agent
    key = json.loads((tmp_path / "sheet" / "key.json").read_text())
    # People who give what the evaluator gave agree with it completely.
    given = {(row.paper, row.rubric): row.score for row in judged.records.judgements}
    with (tmp_path / "sheet" / "ratings.csv").open(newline="") as table:
        rows = list(csv.DictReader(table))
    for row in rows:
        text = key["items"][int(row["item"]) - 1]["text"]
        for name in sheet.criteria:
            score = given[text, name]
            assert score is not None
            row[name] = f"{score:g}"
    filled = tmp_path / "filled.csv"
    with filled.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    out = tmp_path / "scores.csv"
    done = CliRunner().invoke(
        cli, ["sheet", "ratings", str(tmp_path / "sheet"), "--ratings", str(filled), "-o", str(out)]
    )
    assert "80 ratings, 0 missing" in done.output
    agreement = revkit.run(
        SPECS / "reviewbench-human.yaml",
        out=tmp_path / "human",
        store=store,
        overrides=[run, "reports=[]", f"metrics.0.with.file={out}"],
    )
    for found in agreement.table("evaluator-agreement").records():
        assert found["mae"] == 0
        assert found["n"] == 10
    rows[0][sheet.criteria[0]] = "7"
    with filled.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    with pytest.raises(RunError, match=r"line [0-9]+: .* is '7'; write one of"):
        read_ratings(tmp_path / "sheet", filled, out)
    with pytest.raises(RunError, match="no judges"):
        draw_ratings(first.folder, tmp_path / "none", n=1)


@pytest.mark.parametrize("key", ["", "[]", "{}", '{"items": [1], "criteria": {"a": [1]}}'])
def test_a_key_of_another_form_is_an_error(tmp_path: Path, key: str) -> None:
    (tmp_path / "key.json").write_text(key)
    with pytest.raises(RunError, match="is not the folder of a sheet of `revkit sheet rate`"):
        read_ratings(tmp_path, tmp_path / "ratings.csv", tmp_path / "out.csv")
