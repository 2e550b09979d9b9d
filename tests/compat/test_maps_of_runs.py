"""A map that a run fitted carries the code with which the run was made, not that at hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import revkit
from revkit.calibration import relation, save_map
from revkit.errors import CalibrationError

SPEC = {
    "revkit": 1,
    "name": "venue",
    "corpus": {"use": "simulated-venue", "with": {"papers": 2}},
    "agents": {"g1": {"use": "simulated-reviewer", "with": {"profile": "g1"}}},
    "calibration": {
        "anchors": {"use": "anchor-bank", "with": {"clusters": ["language"]}},
        "maps": {"line": "linear"},
    },
}
VERSION = "revkit_asc.simulation.reviewer.SimulatedReviewer.version"


def test_a_map_of_a_run_with_older_code_is_renewed_by_a_run_of_today(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    revkit.run(SPEC, out="old", store="old.sqlite3")
    before = revkit.map_of_run("old", "g1", "line")
    assert before.fingerprint == revkit.fingerprint(SPEC, "g1")

    monkeypatch.setattr(VERSION, "next")
    now = revkit.fingerprint(SPEC, "g1")
    fitted = revkit.map_of_run("old", "g1", "line")
    assert relation(fitted.fingerprint, now) == "other-code"
    save_map(fitted, Path("m.json"))
    # Scores of the old run say nothing of the code at hand, and the map was fitted on them.
    with pytest.raises(CalibrationError, match="was fitted on this run"):
        revkit.check_map("m.json", "old")
    revkit.run(SPEC, out="new", store="new.sqlite3", seed=2)
    check = revkit.check_map("m.json", "new")
    assert (check.holds, check.fingerprint) == (True, "renewed")
    assert revkit.load_map("m.json").fingerprint == now


def test_other_data_files_are_other_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    revkit.run(SPEC, out="old", store="old.sqlite3")
    path = Path("old/provenance.json")
    about = json.loads(path.read_text(encoding="utf-8"))
    for row in about["components"]:
        if row["path"] == "agents.g1":
            row["data"] = "0" * 16
    path.write_text(json.dumps(about), encoding="utf-8")
    fitted = revkit.map_of_run("old", "g1", "line")
    assert relation(fitted.fingerprint, revkit.fingerprint(SPEC, "g1")) == "foreign"
