"""A run whose anchors a program made says so, in its warnings, records, reports and maps."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import revkit
from revkit.cli.main import cli
from revkit.contracts import Component
from revkit.testing import toys
from revkit_asc.bank.corpus import EMBEDDED, AnchorBank
from revkit_asc.calibrators.linking import Linear
from revkit_reports.markdown import MarkdownReport

Run = Callable[..., revkit.Run]
WITH: dict[str, Any] = {"per-tier": 2}


def spec(anchors: dict[str, Any]) -> dict[str, Any]:
    return {
        "revkit": 1,
        "corpus": "toy-papers",
        "agents": {"length": "toy-length"},
        "calibration": {
            "anchors": {"use": "anchor-bank", "with": {**WITH, **anchors}},
            "maps": {"line": "linear"},
        },
        "reports": ["markdown"],
    }


@pytest.mark.parametrize("synthetic", [True, False])
def test_synthetic_anchors_are_stated(run_toy: Run, tmp_path: Path, synthetic: bool) -> None:
    anchors = {} if synthetic else {"path": str(EMBEDDED)}
    plugins: list[type[Component]] = [AnchorBank, Linear, MarkdownReport]
    done = run_toy(spec(anchors), plugins=plugins)
    assert [each.kind for each in done.warnings] == ["synthetic-anchors"] * synthetic
    rows = (done.folder / "records" / "maps.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(row)["synthetic_anchors"] for row in rows] == [synthetic]
    report = (done.folder / "report.md").read_text(encoding="utf-8")
    assert ("A program made the anchors and their severities" in report) == synthetic
    anchored = revkit.open_run(done.folder).records.anchors
    assert anchored is not None
    assert anchored.synthetic == synthetic
    found = revkit.map_of_run(done.folder, "length", "line", plugins=[toys, *plugins])
    assert found.about["synthetic_anchors"] == synthetic


def test_a_fit_from_such_a_run_warns(
    run_toy: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = run_toy(spec({}), plugins=[AnchorBank, Linear, MarkdownReport])
    monkeypatch.setenv("REVKIT_PLUGINS", "asc,reports")
    arguments = ["calibrate", "fit", "--run", str(done.folder), "--map", "line", "--agent"]
    arguments += ["length", "--out", str(tmp_path / "map.json"), "--plugin", str(toys.__file__)]
    result = CliRunner().invoke(cli, arguments)
    assert result.exit_code == 0, result.output
    assert "warning: a program made the anchors and their severities" in result.output
