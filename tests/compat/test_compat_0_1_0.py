"""What version 0.1.0 wrote stays readable, or is refused with a reason and a remedy.

``0.1.0/`` holds a spec, its papers, the store, the run folder, a calibration map and a bundle, all
written by version 0.1.0 with a test server as the language model. The server is not running here:
every reply must come from the store.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import revkit
from revkit.errors import RevkitError
from revkit.services.llm.gateway import ModelGateway

OLD = Path(__file__).parent / "0.1.0"


@pytest.fixture
def old(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the files, as the working directory."""
    folder = tmp_path / "old"
    shutil.copytree(OLD, folder)
    monkeypatch.chdir(folder)
    # Reviews of 0.1.0 are computed again from its replies. Before the first one a run asks whether
    # the server can be reached, and it cannot.
    monkeypatch.setattr(ModelGateway, "check", lambda self, models: [])
    return folder


def test_the_spec_validates(old: Path) -> None:
    experiment = revkit.load("spec.yaml")
    assert isinstance(experiment, revkit.Experiment)
    assert list(experiment.agents) == ["hedges", "counter", "llm"]


@pytest.mark.slow
def test_stored_replies_of_models_are_found(old: Path) -> None:
    run = revkit.run("spec.yaml", out="again", store="store.sqlite")
    asked = [verdict for verdict in run.records.verdicts if verdict.agent == "llm"]
    unchanged = [verdict for verdict in asked if not verdict.perturbation]
    assert len(unchanged) == 8
    assert [verdict.failure for verdict in unchanged] == [""] * 8
    lines = Path("run/records/outcomes.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    before = {
        (row["paper"], row["perturbation"], row["repeat"]): row["score"]
        for row in rows
        if row["agent"] == "llm" and not row["failure"]
    }
    same = [
        before[verdict.paper, verdict.perturbation, verdict.repeat] == verdict.score
        for verdict in asked
        if not verdict.failure
    ]
    # 16 variants were reviewed. Their families have changed since, and other edits need the model.
    assert all(same)
    assert len(same) >= len(unchanged)


def test_the_map_loads(old: Path) -> None:
    fitted = revkit.load_map("map.json")
    assert fitted.agent == "llm"
    assert len(fitted.curve([1.0, 5.0, 10.0])) == 3


def test_the_bundle_replays_or_is_refused_with_a_remedy(old: Path) -> None:
    refusal = ""
    try:
        assert revkit.replay("bundle.zip", out="replayed").identical
    except RevkitError as error:
        refusal = str(error)
    # Where components have other code than version 0.1.0 had, the remedy is to install that.
    assert not refusal or "revkit 0.1.0" in refusal


def test_the_run_folder_is_read(old: Path) -> None:
    fitted = revkit.map_of_run("run", "llm", "linear")
    assert fitted.agent == "llm"
    spec = {
        "revkit": 1,
        "name": "reviews",
        "corpus": {"use": "reviews-of-run", "with": {"run": "run", "checklists": "meta"}},
        "agents": {"words": "length-reader"},
    }
    run = revkit.run(spec, out="judged", store="judged.sqlite")
    assert len(run.records.papers) == 24


@pytest.mark.slow
def test_the_run_folder_is_continued_or_refused_with_a_remedy(old: Path) -> None:
    revkit.run("spec.yaml", out="run", store="store.sqlite")
    assert json.loads(Path("run/result.json").read_text(encoding="utf-8"))["name"] == "compat"
