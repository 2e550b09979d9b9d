"""A file that the tool itself writes is not an input: nothing is paid twice; the run names it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import revkit


def spec(tool: dict[str, Any]) -> dict[str, Any]:
    agent = {
        "map": {"score": {"path": "$.score", "scale": [1, 10]}},
        "output": {"format": "json"},
        **tool,
    }
    return {
        "revkit": 1,
        "name": "log",
        "corpus": {"use": "synthetic", "with": {"papers": 3}},
        "agents": {"tool": {"use": "command", "with": agent}},
        "workers": 1,
    }


WRITES = 'cat > /dev/null; echo called >> "$LOG"; cat "$CONFIG" > /dev/null; echo \'{"score": 7}\''


def test_a_log_that_the_tool_writes_is_named_and_costs_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    log, config = tmp_path / "run.log", tmp_path / "config.txt"
    log.touch()
    config.write_text("a")
    env = {"LOG": "{start_dir}/run.log", "CONFIG": "{start_dir}/config.txt"}
    tool = spec({"argv": ["sh", "-c", WRITES], "env": env})
    first = revkit.run(tool, out="a", store="s")
    assert first.counts.computed == 3
    assert first.changed_files == (str(log),)
    again = revkit.run(tool, out="b", store="s")
    assert (again.counts.computed, again.counts.stored) == (0, 3)
    assert again.changed_files == (str(log),)
    assert len(log.read_text().splitlines()) == 3
    # What the tool only reads stays an input.
    config.write_text("b")
    assert revkit.run(tool, out="c", store="s").counts.computed == 3


def test_declared_outputs_do_not_enter_the_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "run.log").touch()
    env = {"LOG": "{start_dir}/run.log", "CONFIG": "/dev/null"}
    tool = spec({"argv": ["sh", "-c", WRITES], "env": env, "outputs": ["{start_dir}/*.log"]})
    assert revkit.run(tool, out="a", store="s").changed_files == ()
    (tmp_path / "run.log").unlink()
    again = revkit.run(tool, out="b", store="s")
    assert (again.counts.computed, again.changed_files) == (0, ())
