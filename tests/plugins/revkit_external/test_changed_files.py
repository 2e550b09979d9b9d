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


def test_a_log_that_does_not_exist_yet_is_paid_for_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    env = {"LOG": "{start_dir}/run.log", "CONFIG": "/dev/null"}
    tool = spec({"argv": ["sh", "-c", WRITES], "env": env})
    assert revkit.run(tool, out="a", store="s").counts.computed == 3
    assert revkit.run(tool, out="b", store="s").counts.computed == 0
    assert len((tmp_path / "run.log").read_text().splitlines()) == 3


EDITED = (
    'cat > /dev/null; printf x >> "$OTHER"; n=$(cat "$PROMPT"); '
    'if [ "$(wc -c < "$OTHER")" = 5 ]; then echo 3 > "$PROMPT"; fi; echo "{\\"score\\": $n}"'
)


def test_a_prompt_that_is_edited_during_a_run_stays_an_input(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The tool stands for a person here: it edits its prompt once, at the fifth review."""
    monkeypatch.chdir(tmp_path)
    prompt, other = tmp_path / "prompt.txt", tmp_path / "other"
    prompt.write_text("7\n")
    other.touch()
    env = {"PROMPT": "{start_dir}/prompt.txt", "OTHER": str(other)}
    tool = spec({"argv": ["sh", "-c", EDITED], "env": env, "outputs": [str(other)]})
    tool["corpus"]["with"]["papers"] = 9

    def scores(out: str) -> list[float]:
        run = revkit.run(tool, out=out, store="s")
        return sorted(verdict.score or 0 for verdict in run.records.verdicts)

    assert scores("a") == [3.0] * 4 + [7.0] * 5
    assert scores("b") == [3.0] * 9  # the same command again: reviews of one content
    assert revkit.run(tool, out="c", store="s").counts.computed == 0
    prompt.write_text("9\n")
    assert scores("d") == [9.0] * 9
    prompt.write_text("7\n")
    assert scores("e") == [7.0] * 9  # not the mixed reviews of the first run


def test_a_file_that_the_tool_rewrites_is_paid_for_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "state.json").write_text("0")
    env = {"STATE": "{start_dir}/state.json"}
    rewrites = 'cat > /dev/null; date +%s%N > "$STATE"; echo \'{"score": 7}\''
    tool = spec({"argv": ["sh", "-c", rewrites], "env": env})
    assert revkit.run(tool, out="a", store="s").counts.computed == 3
    (tmp_path / "state.json").write_text("written after a kill")
    assert revkit.run(tool, out="b", store="s").counts.computed == 0
