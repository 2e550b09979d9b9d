"""The experiments of YESciEval from end to end: offline, with a model, on real syntheses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

import revkit
from tests.llm_server.server import LlmServer

ROOT = Path(__file__).parents[3]
OFFLINE = ROOT / "experiments" / "yescieval.yaml"
WITH_MODEL = ROOT / "experiments" / "yescieval-llm.yaml"
SEED = 77  # not the seed on which the control judge was looked at


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> revkit.Run:
    folder = tmp_path_factory.mktemp("yescieval")
    more = ["reports=[terminal]", "judges.length=length-judge"]
    return revkit.run(
        OFFLINE,
        out=folder / "run",
        store=folder / "store.sqlite3",
        seed=SEED,
        limit=20,
        overrides=more,
    )


def rows(run: revkit.Run, table: str, **where: Any) -> list[dict[str, Any]]:
    return [
        row
        for row in run.table(table).records()
        if all(row[name] == cell for name, cell in where.items())
    ]


@pytest.mark.parametrize("level", ["subtle", "extreme"])
def test_the_control_judge_reacts_to_what_it_measures(run: revkit.Run, level: str) -> None:
    (row,) = rows(run, "rubric-diagonal", judge="control", level=level)
    assert (row["first"], row["of"]) == (9, 9)
    assert row["own"] > 1
    assert abs(row["other"]) < 0.1
    own = rows(run, "rubric-matrix", judge="control", level=level, relation="own")
    assert len(own) == 9
    assert all(square["drop"] > 0 for square in own)


def test_the_planted_blindness_is_found(run: revkit.Run) -> None:
    for level in ("subtle", "extreme"):
        (row,) = rows(
            run, "rubric-detection", judge="blind", rubric="integration", edits="own", level=level
        )
        assert row["moved"] == 0
    (row,) = rows(run, "rubric-diagonal", judge="blind", level="extreme")
    assert row["first"] == 8


def test_the_optimist_and_the_length_judge_are_found(run: revkit.Run) -> None:
    (row,) = rows(run, "rubric-optimism", judge="optimist", rubric="all rubrics")
    assert row["mean"] == 5.0
    for row in rows(run, "rubric-order", judge="optimist"):
        assert (row["strict"], row["weak"], row["flat"]) == (0, row["n"], row["n"])
    (row,) = rows(
        run,
        "rubric-matrix",
        judge="length",
        level="extreme",
        perturbed="conciseness",
        judged="conciseness",
    )
    assert row["drop"] < 0  # it rewards what was said twice


def test_nothing_is_lost(run: revkit.Run) -> None:
    for row in run.table("rubric-scores").records():
        assert (row["missing"], row["failed"]) == (0, 0)
        assert row["n"] == row["planned"]
        assert row["n"] + row["rejected"] == 20


def test_a_model_is_one_line_away() -> None:
    offline, with_model = (
        yaml.safe_load(path.read_text(encoding="utf-8")) for path in (OFFLINE, WITH_MODEL)
    )
    assert {key for key in offline if offline[key] != with_model[key]} == {"name", "judges"}
    assert list(with_model["judges"].values()) == [
        {"use": "llm", "with": {"model": "openai/gpt-4.1", "max-tokens": 512}}
    ]


def test_with_a_model(tmp_path: Path) -> None:
    """A server that finds fault with snippets, and breaks every reply on readability."""

    def reply(body: dict[str, Any]) -> str:
        system, user = body["messages"][0]["content"], body["messages"][1]["content"]
        if "Name: readability" in system:
            return "I would say three or four."
        rating = 2 if "#" in user.rpartition("The text to judge:")[2] else 5
        return json.dumps({"rationale": "So it seems.", "rating": rating})

    perturbation = "perturbations={tweet: {use: readability, with: {level: extreme}}}"
    with LlmServer(reply=reply) as server:
        run = revkit.run(
            WITH_MODEL,
            out=tmp_path / "run",
            store=tmp_path / "store.sqlite3",
            limit=2,
            overrides=[
                "reports=[terminal]",
                perturbation,
                f"services={{llm: {{default: {{base-url: '{server.url}', backoff: 0}}}}}}",
            ],
        )
    (lost,) = rows(run, "rubric-scores", rubric="readability", level="original")
    assert (lost["failed"], lost["failed_unparseable"], lost["n"], lost["mean"]) == (2, 2, 0, None)
    (good,) = rows(run, "rubric-scores", rubric="cohesion", level="original")
    assert (good["n"], good["mean"]) == (2, 5.0)
    (alarm,) = rows(run, "rubric-matrix", judged="cohesion", perturbed="readability")
    assert alarm["relation"] == "other"


@pytest.mark.slow
def test_on_real_syntheses(sheets: Path, tmp_path: Path) -> None:
    run = revkit.run(
        OFFLINE,
        out=tmp_path / "run",
        store=tmp_path / "store.sqlite3",
        seed=SEED,
        overrides=[
            "corpus.use=yescieval",
            f"corpus.with.path={sheets / 'BioASQ_dataset_synthesis.xlsx'}",
            "judges={control: control-judge}",
            "reports=[terminal]",
        ],
    )
    for row in rows(run, "rubric-diagonal"):
        assert (row["first"], row["of"]) == (9, 9)
        assert row["own"] > 1
        assert abs(row["other"]) < 0.1


TEXT = (
    "The drug lowers the risk of stroke in old men. However, it raises the risk of falls in them. "
    "Some doctors use it in women as well."
)


def test_rubrics_that_need_sources_are_left_out_with_one_warning(tmp_path: Path) -> None:
    """Two texts without sources, each unchanged and in one variant, by four rubrics."""
    for number in (1, 2):
        (tmp_path / "papers").mkdir(exist_ok=True)
        text = f"# A text {number}\n\n{TEXT.replace('old', f'{number}0 old')}\n"
        (tmp_path / "papers" / f"{number}.md").write_text(text, encoding="utf-8")
    spec = {
        "revkit": 1,
        "name": "bare",
        "seed": 1,
        "corpus": {"use": "markdown", "with": {"path": str(tmp_path / "papers")}},
        "perturbations": {"swap": "cohesion"},
        "judges": {"control": "control-judge", "blind": {"use": "optimist"}},
        "rubrics": ["cohesion", "correctness", "completeness", "relevancy"],
        "metrics": ["rubric-scores"],
        "reports": ["terminal"],
    }
    (tmp_path / "spec.yaml").write_text(yaml.safe_dump(spec), encoding="utf-8")
    store = tmp_path / "store.sqlite3"
    for _ in range(2):  # computed, then cached
        run = revkit.run(tmp_path / "spec.yaml", out=tmp_path / "run", store=store)
        assert run.exit_code == 0
        of_control = [row for row in run.records.judgements if row.judge == "control"]
        assert {row.rubric for row in of_control} == {"cohesion"}
        assert len(of_control) == 4
        assert len([row for row in run.records.judgements if row.judge == "blind"]) == 16
        assert [warning.detail for warning in run.warnings] == [
            "judge 'control' left out correctness (4 texts), completeness (4 texts): the text has "
            "no sources to compare it with",
            "judge 'control' left out relevancy (4 texts): the text has neither a question nor "
            "sources",
        ]
    revkit.export(tmp_path / "run", tmp_path / "run.zip", store=store)
    replayed = revkit.replay(tmp_path / "run.zip", out=tmp_path / "again")
    assert replayed.identical
