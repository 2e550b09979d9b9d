"""Judges that read the reviews of the same run: in one graph, as in two runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import revkit
from revkit.errors import SpecError
from revkit.model.judged_reviews import records_of_reviews

RUBRICS = [
    "core-contribution-accuracy",
    "results-interpretation",
    "comparative-analysis",
    "evidence-based-critique",
    "critique-clarity",
    "completeness-coverage",
    "constructive-tone",
    "false-or-contradictory-claims",
]
AGENTS: dict[str, Any] = {
    "outline": "outline-reviewer",
    "thin": {
        "use": "outline-reviewer",
        "with": {"leave-out": ["results", "comparison"], "false-claims": True},
    },
}


def first(**more: Any) -> dict[str, Any]:
    return {
        "revkit": 1,
        "name": "first",
        "seed": 3,
        "corpus": {"use": "synthetic-bench", "with": {"papers": 3}},
        "agents": dict(AGENTS),
        **more,
    }


def judged(**more: Any) -> dict[str, Any]:
    judges = {"words": {"use": "control-evaluator", "reads": "reviews"}}
    return first(judges=judges, rubrics=RUBRICS, metrics=["bench-scores", "bench-vector"], **more)


def go(spec: dict[str, Any], folder: Path, name: str) -> revkit.Run:
    return revkit.run(spec, out=folder / name, store=folder / "store")


def test_one_graph_gives_the_tables_of_two_runs(tmp_path: Path) -> None:
    go(first(), tmp_path, "first")
    second = go(
        {
            "revkit": 1,
            "seed": 3,
            "corpus": {"use": "reviews-of-run", "with": {"run": str(tmp_path / "first")}},
            "judges": {"words": "control-evaluator"},
            "rubrics": RUBRICS,
            "metrics": ["bench-scores", "bench-vector"],
        },
        tmp_path,
        "second",
    )
    one = go(judged(), tmp_path, "one")
    for name in ("bench-scores", "bench-vector"):
        # The orders of the reviews differ, so resampled bounds may differ in the last digits.
        assert [{k: v for k, v in row.items() if not k.endswith(("_low", "_high"))}
                for row in one.table(name).records()] == [
            {k: v for k, v in row.items() if not k.endswith(("_low", "_high"))}
            for row in second.table(name).records()
        ]  # fmt: skip
    rows = {row["agent"]: row for row in one.table("bench-scores").records()}
    assert rows["thin"]["results_interpretation"] == 0
    assert rows["thin"]["false_or_contradictory_claims"] == -2
    # The second run had asked the same questions, so nothing was computed again.
    assert one.counts.computed == 0


def test_the_view_has_the_labels_of_the_corpus_of_a_second_run(tmp_path: Path) -> None:
    one = go(judged(repeats=2), tmp_path, "one")
    view = records_of_reviews(one.records)
    assert [row.id for row in view.papers][:3] == [
        "outline/" + one.records.papers[0].id,
        f"outline/{one.records.papers[0].id}#1",
        "thin/" + one.records.papers[0].id,
    ]
    extra = view.papers[0].labels.extra
    assert (extra["agent"], extra["paper"]) == ("outline", one.records.papers[0].id)
    assert extra["tally"] == {
        name: {"": {"planned": 6, "failed": 0, "empty": 0}} for name in AGENTS
    }
    assert records_of_reviews(view) is view


def test_failed_reviews_are_counted_and_not_judged(tmp_path: Path) -> None:
    spec = judged()
    spec["corpus"] = {"use": "synthetic", "with": {"papers": 12}}
    spec["agents"] = {"absent": {"use": "planted-reviewer", "with": {"fails": 0.5}}}
    spec["judges"]["words"]["with"] = {"checklists": "own"}
    run = go(spec, tmp_path, "failing")
    (row,) = run.table("bench-scores").records()
    failed = sum(bool(each.failure) for each in run.records.verdicts)
    assert 0 < failed < 12
    assert (row["planned"], row["failed"], row["n"]) == (12, failed, 12 - failed)
    assert len(run.records.judgements) == 8 * (12 - failed)


def test_each_judge_uses_its_own_rubrics(tmp_path: Path) -> None:
    spec = judged()
    spec["judges"]["words"]["by"] = RUBRICS[:2]
    spec["judges"]["facts"] = {
        "use": "evidence-checker",
        "reads": "reviews",
        "by": ["no-phantom-reviewers"],
    }
    spec["rubrics"] = [*RUBRICS, "no-phantom-reviewers"]
    spec["metrics"] = ["bench-vector", "review-evidence"]
    run = go(spec, tmp_path, "own")
    used = {(each.judge, each.rubric) for each in run.records.judgements}
    assert used == {("words", RUBRICS[0]), ("words", RUBRICS[1]), ("facts", "no-phantom-reviewers")}
    assert {row["judge"] for row in run.table("bench-vector").records()} == {"words"}
    assert {row["judge"] for row in run.table("review-evidence").records()} == {"facts"}
    plan = revkit.plan(spec)
    assert plan.judgements == 3 * 3 * 2


def test_a_bundle_replays_the_judgements(tmp_path: Path) -> None:
    spec = judged(cards=True, reports=["terminal"])
    spec["agents"]["absent"] = {"use": "planted-reviewer", "with": {"fails": 0.5}}
    go(spec, tmp_path, "one")
    revkit.export(tmp_path / "one", tmp_path / "one.revkit", store=tmp_path / "store")
    again = revkit.replay(tmp_path / "one.revkit", out=tmp_path / "again")
    assert not again.differences
    for name in ("judgements.jsonl", "outcomes.jsonl"):
        one, other = (tmp_path / run / "records" / name for run in ("one", "again"))
        assert one.read_bytes() == other.read_bytes()
    assert (tmp_path / "one/cards.json").read_bytes() == (
        tmp_path / "again/cards.json"
    ).read_bytes()
    assert again.run.records.judgements


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"agents": None}, "there are no reviews to read"),
        ({"judges": {"w": {"use": "control-evaluator", "by": ["depth"]}}}, "'depth' is not one of"),
        ({"judges": {"w": {"use": "control-evaluator", "reads": "minds"}}}, "reads"),
    ],
)
def test_what_cannot_be_read_is_an_error(change: dict[str, Any], message: str) -> None:
    spec = {key: value for key, value in (judged() | change).items() if value is not None}
    with pytest.raises(SpecError, match=message):
        revkit.validate(spec)


def test_the_resolved_spec_loads_as_the_same_experiment() -> None:
    experiment = revkit.validate(judged(cards=True))
    again = revkit.validate(experiment.to_json())
    assert again.digest == experiment.digest
    assert again.judge_steps["words"].reads == "reviews"
    assert again.cards
