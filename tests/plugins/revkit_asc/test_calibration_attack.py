"""Maps fitted on clean anchors: what they do to attacked scores, and what a check can see."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest

import revkit
from revkit.api.maps import check_map, map_of_run

pytestmark = pytest.mark.slow
SPEC = Path(__file__).parents[3] / "experiments" / "asc-attack.yaml"


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> revkit.Run:
    folder = tmp_path_factory.mktemp("attack")
    return revkit.run(
        SPEC,
        out=folder / "run",
        store=folder / "store.db",
        overrides=["reports=[]", "metrics=[calibration-attack]"],
    )


def test_a_map_moves_with_the_score_and_flags_it(done: revkit.Run) -> None:
    rows = {(r["agent"], r["setting"]): r for r in done.table("calibration-attack").records()}
    assert len(rows) == 6

    def number(agent: str, setting: str, column: str) -> float:
        return float(str(rows[agent, setting][column]))

    for setting in ("raw", "mean-sigma", "isotonic"):
        assert number("outline", setting, "shift") == 0
        assert number("obedient", setting, "shift") < -15
        assert number("obedient", setting, "attacked") > number("obedient", setting, "error") + 15
        assert rows["outline", setting]["error"] == rows["outline", setting]["attacked"]
    for setting in ("mean-sigma", "isotonic"):
        assert number("obedient", setting, "outside") == 1
        assert number("obedient", setting, "outside_clean") < 0.1


def test_raw_shifts_are_those_of_the_outcomes(done: revkit.Run) -> None:
    scores: dict[tuple[str, str], float] = {}
    for row in done.rows("outcomes"):
        if row["agent"] == "obedient":
            scores[row["paper"], row["perturbation"]] = (10 - row["score"]) / 9 * 100
    papers = {paper for paper, _ in scores}
    shift = sum(scores[p, "instruction"] - scores[p, ""] for p in papers) / len(papers)
    rows = {(r["agent"], r["setting"]): r for r in done.table("calibration-attack").records()}
    assert rows["obedient", "raw"]["shift"] == pytest.approx(shift)


def test_a_check_sees_attacked_anchors_alone(done: revkit.Run, tmp_path: Path) -> None:
    path = tmp_path / "obedient.json"
    revkit.save_map(map_of_run(done.folder, "obedient", "isotonic"), path)
    rows: list[dict[str, Any]] = [r for r in done.rows("scores") if r["agent"] == "obedient"]

    def check(name: str, top: bool) -> revkit.MapCheck:
        file = tmp_path / f"{name}.csv"
        with file.open("w", newline="", encoding="utf-8") as out:
            writer = csv.writer(out)
            writer.writerow(["id", "score"])
            writer.writerows([row["paper"], 10 if top else row["score"]] for row in rows)
        return check_map(path, file, spec=done.folder / "spec.yaml")

    assert check("clean", top=False).holds  # whatever was planted in other papers
    assert not check("attacked", top=True).holds
