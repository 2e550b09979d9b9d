"""The examples of the guide are right for pyright, which most editors run."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# What works at run time passes, and what `check_options` refuses does not.
NESTED = """
from revkit_external.command import Command
from revkit_external.grammar import MapOptions, ValueOptions
from revkit_reviewground.agent import ReviewGrounder

scored = {"score": {"path": "$.score", "scale": [1, 10]}}
agent = Command(argv=("cat",), map=scored, output={"from": "stdout"}, fail_if=[{"path": "$.x"}])
nested = MapOptions(score={"path": "$.score"})
reveal_type(agent.map)
reveal_type(nested.score)
ReviewGrounder(model="openai/m", roles={"drafter": "openai/n", "miner": {"max-tokens": 9}})
ReviewGrounder(model="openai/m", roles=3)
Command(argv=("cat",), map=MapOptions(score=ValueOptions(path="$.score")), output=["stdout"])
"""


def test_the_examples_have_no_error_in_pyright_and_nested_options_accept_mappings(
    tmp_path: Path,
) -> None:
    command = Path(sys.executable).with_name("pyright")
    if not command.is_file():
        pytest.skip("pyright is not installed: it is in the extra dev")
    written = tmp_path / "nested.py"
    written.write_text(NESTED, encoding="utf-8")
    settings = tmp_path / "pyrightconfig.json"
    folders = [str(ROOT), str(ROOT / "plugins")]
    checked = [str(ROOT / "docs" / "examples"), str(written)]
    settings.write_text(
        json.dumps({"include": checked, "extraPaths": folders, "pythonVersion": "3.11"})
    )
    done = subprocess.run(
        [command, "--outputjson", "--pythonpath", sys.executable, "--project", str(settings)],
        capture_output=True, text=True, timeout=180, cwd=tmp_path, check=False,
    )  # fmt: skip
    found = json.loads(done.stdout)["generalDiagnostics"]
    about = [(Path(each["file"]).name, each["severity"], each["message"]) for each in found]
    assert [text for name, _, text in about if name != written.name] == []
    types = [text for _, severity, text in about if severity == "information"]
    assert types == [
        'Type of "agent.map" is "MapOptions"',
        'Type of "nested.score" is "ValueOptions | None"',
    ]
    errors = [text.splitlines()[0] for _, severity, text in about if severity == "error"]
    assert len(errors) == 2, errors
    assert 'parameter "roles"' in errors[0]
    assert 'parameter "output"' in errors[1]
