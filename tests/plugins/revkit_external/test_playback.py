"""Recorded runs of a tool, played back against the rules of an agent."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import revkit
from revkit.cli.main import cli
from revkit.errors import RunError
from revkit_agents.constant import Constant
from revkit_external.command import Command

DATA = Path(__file__).parents[4].parent / "shared" / "data" / "agents"
ROOT = Path(__file__).parents[3]
MAP = {"score": {"path": "$.rating", "scale": [1, 10]}}
RULES = (
    {"path": "$.error", "exists": True, "because": "it reports an error"},
    {"path": "$.rating", "at-most": 2, "kind": "rejected"},
    {"path": "$.panel[*]", "any": None, "kind": "partial"},
)


def record(folder: Path, name: str, code: int, stdout: str = "", **files: str) -> None:
    place = folder / name
    place.mkdir(parents=True)
    (place / "run.json").write_text(json.dumps({"exit_code": code}), encoding="utf-8")
    (place / "stdout.txt").write_text(stdout, encoding="utf-8")
    for path, text in files.items():
        target = place / "files" / path.replace("__", "/").replace("_json", ".json")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")


def agent(**options: Any) -> Command:
    from revkit.options import from_options

    given = {"argv": ["no-such-program"], "map": MAP, "fail-if": list(RULES), **options}
    found = from_options(Command, given)
    assert isinstance(found, Command)
    return found


def played(folder: Path, **options: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    found: Any = agent(**options).play_back(folder)
    return {row["case"]: row for row in found["cases"]}, {
        row["rule"]: row for row in found["rules"]
    }


def test_each_run_is_read_and_each_rule_counted(tmp_path: Path) -> None:
    record(tmp_path, "ok-a", 0, '{"rating": 7, "panel": [1]}')
    record(tmp_path, "fail-error", 0, '{"rating": 1, "error": "no model", "panel": [1]}')
    record(tmp_path, "fail-exit", 3, '{"rating": 7, "panel": [1]}')
    record(tmp_path, "fail-empty", 0)
    record(tmp_path, "partial-one", 0, '{"rating": 7, "panel": [1, null]}')
    record(tmp_path, "ok-but-low", 0, '{"rating": 2, "panel": [1]}')
    cases, rules = played(tmp_path)
    shown = {name: (row["outcome"], row["caught by"]) for name, row in cases.items()}
    assert shown == {
        "ok-a": ("review", ""),
        "fail-error": ("provider", "fail-if 1"),
        "fail-exit": ("crashed", "ok-exit"),
        "fail-empty": ("unparseable", "output"),
        "partial-one": ("partial", "fail-if 3"),
        "ok-but-low": ("rejected", "fail-if 2"),
    }
    assert cases["ok-a"]["score"] == 7
    assert {name: row["as expected"] for name, row in cases.items()} == {
        **dict.fromkeys(shown, True),
        "ok-but-low": False,
    }
    assert {name: (row["caught"], row["held"]) for name, row in rules.items()} == {
        "ok-exit": (1, 1),
        "output": (1, 1),
        "fail-if 1": (1, 1),
        "fail-if 2": (1, 2),  # it holds of the run that the first rule caught
        "fail-if 3": (1, 1),
        "map or require": (0, 0),
    }


def test_files_are_where_the_tool_wrote_them(tmp_path: Path) -> None:
    record(tmp_path, "ok", 0, "", out__review_json='{"rating": 4, "panel": [1]}')
    for place in ("{work_dir}/out/review.json", "{out_dir}/review.json"):
        cases, _ = played(tmp_path, output={"file": place, "format": "json"})
        assert cases["ok"]["score"] == 4


def test_no_secret_or_program_is_needed(tmp_path: Path) -> None:
    record(tmp_path, "ok", 0, '{"rating": 4, "panel": [1]}')
    cases, _ = played(tmp_path, env={"KEY": {"secret": "NOT_SET_ANYWHERE"}}, stdin="{paper_text}")
    assert cases["ok"]["outcome"] == "review"


@pytest.mark.parametrize(
    ("files", "part"),
    [
        ({}, "contains no recorded run"),
        ({"run.json": "{"}, "a/run.json|not JSON|malformed|recorded run"),
        ({"run.json": '{"exit_code": "0"}'}, "no exit_code that is a number"),
    ],
)
def test_folders_that_hold_no_runs(tmp_path: Path, files: dict[str, str], part: str) -> None:
    (tmp_path / "a").mkdir()
    for name, text in files.items():
        (tmp_path / "a" / name).write_text(text, encoding="utf-8")
    with pytest.raises(RunError, match=part):
        agent().play_back(tmp_path)


def test_an_agent_that_reads_no_tool_has_nothing_to_play(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="does not read a tool"):
        Constant().play_back(tmp_path)


@pytest.mark.skipif(not DATA.is_dir(), reason="the recorded outputs of real tools are not there")
def test_real_tools(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "key-for-tests")
    spec = ROOT / "experiments" / "agents" / "refereed.yaml"
    found: Any = revkit.check_agent(spec, "refereed", recorded=DATA / "refereed")
    caught = {row["case"]: row["caught by"] for row in found["cases"]}
    assert caught == {
        "fail-no-key": "fail-if 1",
        "fail-server-down": "fail-if 1",
        "ok-000": "",
        "ok-000-quiet-strict": "",
        "ok-003": "",
        "ok-003-strict-below": "ok-exit",
        "partial-one-refused": "fail-if 2",
    }
    assert {row["rule"]: row["held"] for row in found["rules"]}["fail-if 3"] == 2


def test_the_command_prints_both_tables(tmp_path: Path) -> None:
    record(tmp_path / "runs", "ok-low", 0, '{"rating": 2}')
    spec = tmp_path / "spec.yaml"
    spec.write_text(
        "revkit: 1\nname: x\ncorpus: synthetic\nagents:\n  mine:\n    use: command\n    with:\n"
        "      argv: [no-such-program]\n      map: {score: {path: $.rating, scale: [1, 10]}}\n"
        "      fail-if: [{path: $.rating, at-most: 2}]\nmetrics: [outcomes]\n",
        encoding="utf-8",
    )
    command = ["agent", "check", str(spec), "mine", "--recorded", str(tmp_path / "runs")]
    result = CliRunner().invoke(cli, command)
    assert result.exit_code == 1
    assert "No recorded run tries: ok-exit, output, map or require." in result.output
    assert "ok-low: expected review, got provider" in result.output
    result = CliRunner().invoke(cli, [*command, "--json"])
    assert json.loads(result.stdout)["cases"][0]["caught by"] == "fail-if 1"
