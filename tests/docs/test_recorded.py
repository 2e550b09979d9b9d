"""The page of recorded reviewers: our figures are those that the data give."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import revkit

ROOT = Path(__file__).parents[2]
DATA = ROOT.parent / "shared" / "data"
PAGE = (ROOT / "docs" / "recorded.md").read_text(encoding="utf-8")
needs_data = pytest.mark.skipif(
    not (DATA / "iclr2022_aiscientist").is_dir(), reason="needs ../shared/data"
)


@needs_data
@pytest.mark.slow
def test_six_models_on_iclr_2022(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    done = revkit.run(
        ROOT / "experiments" / "recorded-iclr2022.yaml",
        out=tmp_path / "run",
        store=tmp_path / "store.db",
        overrides=["reports=[]", "metrics=[clean-accuracy]"],
    )
    for row in done.table("clean-accuracy").records():
        counts = [row[name] for name in ("true_accept", "false_accept", "false_reject")]
        yes, wrong_yes, wrong_no = (float(str(each)) for each in counts)
        no = float(str(row["true_reject"]))
        cells = [f"{float(str(row[name])):.2f}" for name in ("accuracy", "f1")]
        fpr, fnr = wrong_yes / (wrong_yes + no), wrong_no / (wrong_no + yes)
        start = f"| {row['agent']} | {row['n']} of 500 | {cells[0]} | {cells[1]} | {fpr:.2f} | "
        (line,) = (each for each in PAGE.splitlines() if each.startswith(start))
        assert [cell.strip() for cell in line.split("|")][7] == f"{fnr:.2f}"


@needs_data
def test_the_released_replies_of_a_judge() -> None:
    lines = (DATA / "yescieval" / "judge_replies.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    ratings = {
        level: [value for row in rows if row["level"] == level for value in row["ratings"].values()]
        for level in ("original", "subtle", "extreme")
    }
    means = [sum(values) / len(values) for values in ratings.values()]
    shown = re.search(
        r"means over all rubrics are ([0-9.]+)\s\(original\), ([0-9.]+) \(subtle\) and ([0-9.]+)",
        PAGE,
    )
    assert shown
    assert list(shown.groups()) == [f"{mean:.2f}" for mean in means]
    assert f"{len(rows)} replies" in PAGE
    assert f"{sum(map(len, ratings.values())):,} of {9 * len(rows):,} ratings" in PAGE
    assert f"is {means[0] - means[2]:.2f} of four" in PAGE
