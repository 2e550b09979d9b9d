"""Sheets: drawn at random, blind, the same every time, and rates that equal those by hand."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner

import revkit
from revkit.cli.main import cli
from revkit.errors import RunError
from revkit.sheets import Reading, draw_sheet, read_sheet
from revkit.sheets.passages import CLOSE, OPEN


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sheets")
    spec = {
        "revkit": 1,
        "name": "edits",
        "seed": 1,
        "corpus": {"use": "synthetic", "with": {"papers": 8}},
        "agents": {"a": {"use": "constant"}},
        "perturbations": {"hedging": {"use": "hedging", "with": {"mode": "remove"}}},
        "metrics": ["flip-rate"],
        "reports": [],
    }
    return revkit.run(spec, out=folder / "run", store=folder / "store.sqlite3").folder


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def fill(path: Path, labels: Mapping[str, Mapping[str, str]]) -> Path:
    """A labelled copy of a sheet: the label of each item by its name."""
    copy = path.with_name(f"labelled-{len(list(path.parent.iterdir()))}.csv")
    lines = rows(path)
    for line in lines:
        line.update(labels.get(line["item"], {}))
    with copy.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, lines[0].keys())
        writer.writeheader()
        writer.writerows(lines)
    return copy


def test_a_pair_shows_the_edit_in_place(run: Path, tmp_path: Path) -> None:
    sheet = draw_sheet([run], tmp_path / "s", n=20, seed=1)
    texts = {
        row["id"]: row["text"]
        for row in map(json.loads, (run / "records/papers.jsonl").read_text("utf-8").splitlines())
    }
    key = json.loads((tmp_path / "s/key.json").read_text("utf-8"))
    assert sheet.counts == {"hedging (remove)": 20}
    for row in rows(tmp_path / "s/sheet.csv"):
        plain = row["before"].replace(OPEN, "").replace(CLOSE, "")
        assert plain in texts[key["items"][row["item"]]["paper"]]
        assert row["before"] != row["after"]
        assert row["after"].count(OPEN) == row["before"].count(OPEN) == 1


def test_a_passage_does_not_say_which_it_is(run: Path, tmp_path: Path) -> None:
    draw_sheet([run], tmp_path / "s", n=8, untouched=8, show="passage", seed=1)
    lines = rows(tmp_path / "s/sheet.csv")
    assert list(lines[0]) == ["item", "passage", "fluent", "noticed", "comment"]
    assert not any(OPEN in line["passage"] for line in lines)
    kinds = [
        item["kind"]
        for item in json.loads((tmp_path / "s/key.json").read_text("utf-8"))["items"].values()
    ]
    assert sorted(kinds) == ["edit"] * 8 + ["untouched"] * 8
    assert kinds != sorted(kinds)


def test_untouched_sentences_are_those_of_the_paper(run: Path, tmp_path: Path) -> None:
    draw_sheet([run], tmp_path / "s", n=1, untouched=30, show="passage", seed=2)
    papers = (run / "records/papers.jsonl").read_text("utf-8").splitlines()
    texts = {row["id"]: row["text"] for row in map(json.loads, papers)}
    key = json.loads((tmp_path / "s/key.json").read_text("utf-8"))["items"]
    for line in rows(tmp_path / "s/sheet.csv"):
        item = key[line["item"]]
        if item["kind"] == "untouched":
            assert line["passage"] in texts[item["paper"]]


def test_whole_papers_are_files(run: Path, tmp_path: Path) -> None:
    sheet = draw_sheet([run], tmp_path / "s", n=2, show="paper", seed=1)
    assert sheet.counts == {"hedging": 2, "original": 2}
    assert len(list((tmp_path / "s/texts").iterdir())) == 4


def test_the_same_seed_gives_the_same_sheet(run: Path, tmp_path: Path) -> None:
    for name, seed in (("one", 1), ("two", 1), ("three", 2)):
        draw_sheet([run], tmp_path / name, n=5, seed=seed)
    texts = [(tmp_path / name / "sheet.csv").read_text("utf-8") for name in ("one", "two", "three")]
    assert texts[0] == texts[1] != texts[2]


def test_rewrites_are_mixed_in(run: Path, tmp_path: Path) -> None:
    (tmp_path / "own.csv").write_text("before,after\nWe show it.,It is shown by us.\n", "utf-8")
    sheet = draw_sheet([run], tmp_path / "s", n=3, rewrites=tmp_path / "own.csv")
    assert sheet.counts == {"hedging (remove)": 3, "rewrite": 1}


def test_rates_equal_those_by_hand(run: Path, tmp_path: Path) -> None:
    draw_sheet([run], tmp_path / "s", n=10, seed=1)
    sheet = tmp_path / "s/sheet.csv"
    names = [row["item"] for row in rows(sheet)]
    first = fill(sheet, {n: {"fluent": "yes" if i < 8 else "no"} for i, n in enumerate(names)})
    second = fill(sheet, {n: {"fluent": "yes" if i < 6 else "no"} for i, n in enumerate(names)})
    readings = [Reading(first, "person: A"), Reading(second, "person: B")]
    result = read_sheet(tmp_path / "s", readings)
    fluent = [rate for rate in result.rates if rate.label == "fluent"]
    assert [(rate.yes, rate.n, rate.unlabelled) for rate in fluent] == [(8, 10, 0), (6, 10, 0)]
    # Wilson's interval of 8 of 10 by hand: (k + z^2 / 2 -+ z sqrt(...)) / (n + z^2)
    assert fluent[0].wilson_low == pytest.approx(0.49016, abs=1e-5)
    assert fluent[0].wilson_high == pytest.approx(0.94331, abs=1e-5)
    # po = 0.8, pe = 0.8 * 0.6 + 0.2 * 0.4 = 0.56, kappa = 0.24 / 0.44
    [agreement] = [each for each in result.agreements if each.label == "fluent"]
    assert (agreement.n, agreement.equal) == (10, 0.8)
    assert agreement.kappa == pytest.approx(0.24 / 0.44)
    noticed = [rate for rate in result.rates if rate.label == "noticed"]
    assert [(rate.n, rate.unlabelled, rate.rate) for rate in noticed] == [(0, 10, None)] * 2


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"fluent": "maybe"}, "line 2: fluent: expected yes, no or nothing, not 'maybe'"),
        ({"item": "999"}, "line 2: item '999' is not in the key"),
    ],
)
def test_other_answers_are_errors(
    run: Path, tmp_path: Path, change: dict[str, str], message: str
) -> None:
    draw_sheet([run], tmp_path / "s", n=2, seed=1)
    labelled = fill(tmp_path / "s/sheet.csv", {"001": change})
    with pytest.raises(RunError, match=message):
        read_sheet(tmp_path / "s", [Reading(labelled, "person: A")])


def test_a_folder_without_a_run_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(
        RunError, match=r"not the folder of a finished run: result\.json is missing"
    ):
        draw_sheet([tmp_path], tmp_path / "s")


def test_commands_draw_and_read(run: Path, tmp_path: Path) -> None:
    out = tmp_path / "s"
    drawn = CliRunner().invoke(cli, ["sheet", "draw", str(run), "-o", str(out), "--n", "4"])
    assert drawn.exit_code == 0, drawn.output
    assert drawn.output.startswith(f"4 items (4 hedging (remove)). Results: {out}\n")
    assert "7 made" in drawn.output
    answers = {f"{i:03d}": {"fluent": "yes"} for i in range(1, 5)}
    labelled = fill(out / "sheet.csv", answers)
    arguments = ["sheet", "read", str(out), "--labels", str(labelled), "--reader", "person: A"]
    read = CliRunner().invoke(cli, arguments)
    assert read.exit_code == 0, read.output
    assert "fluent        100.0%" in read.output
    assert "4 of 4 items of" in read.output
    assert (
        json.loads(CliRunner().invoke(cli, [*arguments, "--json"]).output)["rates"][0]["yes"] == 4
    )
