"""The page of recorded reviewers: our figures are those that the data give."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import revkit
from revkit.cli.main import cli

ROOT = Path(__file__).parents[2]
DATA = ROOT.parent / "shared" / "data"
PAGE = (ROOT / "docs" / "recorded.md").read_text(encoding="utf-8")
needs_data = pytest.mark.skipif(
    not (DATA / "iclr2022_aiscientist").is_dir(), reason="needs ../shared/data"
)

# The half widths of the 95% intervals in Table 1 of the paper, in hundredths: balanced accuracy,
# accuracy, F1, FPR, FNR. Half a hundredth is added for the rounding of both numbers.
HALF = {
    name: [float(each) / 100 for each in halves.split()]
    for name, halves in {
        "sonnet-3.5": "1 1 1 2 0",
        "gpt-4o-mini": "2 1 6 1 4",
        "gpt-4o-0-shot": "4 3 7 3 7",
        "gpt-4o-1-shot": "3 3 8 2 6",
        "sonnet-3.5-at-8": "4 4 6 4 7",
        "gpt-4o-mini-at-6": "4 4 6 5 7",
        "gpt-4o-0-shot-at-6": "4 4 5 5 7",
        "gpt-4o-1-shot-at-6": "4 4 5 5 7",
    }.items()
}


def cells(name: str, second: str = "") -> list[str]:
    """The cells of the row of the page that begins with ``name`` and, if given, ``second``."""
    start = f"| {name} | {second} |" if second else f"| {name} |"
    (line,) = (each for each in PAGE.splitlines() if each.startswith(start))
    return [cell.strip() for cell in line.split("|")[1:-1]]


def run(spec: str, tmp_path: Path, metric: str) -> list[dict[str, object]]:
    done = revkit.run(
        ROOT / "experiments" / f"{spec}.yaml",
        out=tmp_path / "run",
        store=tmp_path / "store.db",
        overrides=["reports=[]", f"metrics=[{metric}]"],
    )
    return [dict(row) for row in done.table(metric).records()]


@needs_data
@pytest.mark.slow
def test_six_models_on_iclr_2022(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    printed = 0
    for row in run("recorded-iclr2022", tmp_path, "clean-accuracy"):
        counts = [row[name] for name in ("true_accept", "false_accept", "false_reject")]
        yes, wrong_yes, wrong_no = (float(str(each)) for each in counts)
        no = float(str(row["true_reject"]))
        ours = [float(str(row[name])) for name in ("balanced", "accuracy", "f1")]
        ours += [wrong_yes / (wrong_yes + no), wrong_no / (wrong_no + yes)]
        _, rows, *shown = cells(str(row["agent"]))
        assert rows == f"{row['n']} of 500"
        for value, cell in zip(ours, shown, strict=True):
            left, _, right = cell.partition(" /")
            assert left == f"{value:.2f}", row["agent"]
            printed += bool(right.strip())
        for value, cell, half in zip(ours, shown, HALF.get(str(row["agent"]), ()), strict=False):
            assert abs(value - float(cell.partition("/")[2])) <= half + 0.005, row["agent"]
    assert printed == 40
    assert "All 40" in PAGE


@needs_data
@pytest.mark.slow
def test_two_judges_of_yescieval(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("openpyxl", reason="needs openpyxl to read the published sheets")
    monkeypatch.chdir(ROOT)
    table = run("recorded-yescieval", tmp_path, "rubric-scores")
    for judge in ("llama-3.1-8b", "qwen2.5-72b"):
        for level in ("original", "subtle", "extreme"):
            found = [row for row in table if (row["judge"], row["level"]) == (judge, level)]
            n = [int(str(row["n"])) for row in found]
            sums = [float(str(row["mean"])) * k for row, k in zip(found, n, strict=True)]
            _, _, rows, mean, printed = cells(judge, level)
            assert (rows, printed) == (f"{sum(n)} of 792", "")
            assert mean == f"{sum(sums) / sum(n):.2f}"
    # The means of unedited texts, computed from the file of replies without revkit.
    lines = (DATA / "yescieval" / "judge_replies.jsonl").read_text(encoding="utf-8").splitlines()
    published: dict[str, list[int]] = {}
    for row in map(json.loads, lines):
        if row["level"] == "original":
            for rubric, rating in row["ratings"].items():
                published.setdefault(rubric.lower(), []).append(rating)
    assert len(published) == 9
    for row in table:
        if (row["judge"], row["level"]) == ("llama-3.1-8b", "original"):
            values = published[str(row["rubric"])]
            assert row["n"] == len(values)
            assert float(str(row["mean"])) == pytest.approx(sum(values) / len(values))


@needs_data
@pytest.mark.parametrize("tool", ["peersight", "refereed"])
def test_recorded_outputs_of_two_tools(tool: str) -> None:
    runs = DATA / "agents" / tool
    spec = ROOT / "experiments" / "agents" / f"{tool}.yaml"
    done = CliRunner().invoke(cli, ["agent", "check", str(spec), tool, "--recorded", str(runs)])
    (line,) = (each for each in PAGE.splitlines() if f"agents/{tool}.yaml" in each)
    _, _, number, reviews, printed = (cell.strip() for cell in line.split("|")[1:-1])
    table = [line.split() for line in done.output.splitlines()]
    names = {each.name for each in runs.iterdir() if each.is_dir()}
    found = {row[0]: row[2] for row in table if row and row[0] in names}
    assert len(found) == len(names) == int(number)
    assert sum(outcome == "review" for outcome in found.values()) == int(reviews)
    assert printed == ""
