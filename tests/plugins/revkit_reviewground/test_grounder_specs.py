"""The experiments on `review-grounder` validate, and run small."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import yaml

import revkit
from tests.llm_server.server import LlmServer
from tests.plugins.revkit_reviewground.scripted import ANSWERS, role_in

EXPERIMENTS = Path(__file__).parents[3] / "experiments"


TITLES_ALONE = "related work (literature searcher: titles alone)"


def scripted(body: dict[str, Any]) -> str:
    """An answer by role; a drafter's by its model, so that drafts differ."""
    answer = ANSWERS[role_in(body)]
    if role_in(body) == "drafter":
        answer = {**answer, "summary": f"As {body['model']} reads it."}
    return json.dumps(answer)


def run(name: str, folder: Path, server: LlmServer, **changes: Any) -> list[dict[str, Any]]:
    spec = yaml.safe_load((EXPERIMENTS / name).read_text(encoding="utf-8"))
    for settings in spec["services"]["llm"]["models"].values():
        settings["base-url"] = server.url
    spec["corpus"] = {"use": "synthetic", "with": {"papers": 2}}
    spec.update(changes)
    revkit.run(spec, out=folder / "run", store=folder / "store.db")
    lines = (folder / "run" / "records" / "outcomes.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines]


@pytest.mark.parametrize("name", ["reviewgrounder.yaml", "reviewgrounder-ablation.yaml"])
def test_the_experiment_validates(name: str) -> None:
    experiment = revkit.validate(EXPERIMENTS / name)
    assert experiment.agents


def test_the_experiment_runs(tmp_path: Path) -> None:
    with LlmServer(reply=scripted) as server:
        outcomes = run("reviewgrounder.yaml", tmp_path, server)
    assert len(outcomes) == 2
    for outcome in outcomes:
        assert outcome["failure"] == ""
        evidence = outcome["details"]["evidence"]
        # The collection of works that comes with revkit has titles and no abstracts.
        assert evidence["not-grounded-in"] == [TITLES_ALONE]
        assert len(evidence["literature"]["works"]) == 2


def test_the_ablations_run_and_share_what_they_have_in_common(tmp_path: Path) -> None:
    with LlmServer(reply=scripted, keep=10_000) as server:
        outcomes = run("reviewgrounder-ablation.yaml", tmp_path, server)
    lacks = {
        outcome["agent"]: [
            part
            for part in outcome["details"]["evidence"]["not-grounded-in"]
            if part != TITLES_ALONE
        ]
        for outcome in outcomes
    }
    assert len(outcomes) == 28
    assert {name: len(each) for name, each in lacks.items() if each} == {
        "without-searcher": 1, "without-miner": 1, "without-analyzer": 1,
    }  # fmt: skip
    asked = Counter((role_in(body), body["model"]) for body in server.bodies)
    # Two papers each: one draft by each of three drafters, whoever uses it.
    assert asked["drafter", "phi-4-14b"] == asked["drafter", "phi-4-7b"] == 2
    assert asked["searcher", "gpt-oss-120b"] == 2
    # The audits of the same draft by the same model are one: of three drafts, and of two.
    assert asked["miner", "gpt-oss-120b"] == 6
    assert asked["miner", "qwen3-8b"] == asked["analyzer", "qwen3-8b"] == 4
