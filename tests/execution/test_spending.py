"""What an experiment spends on language models: known in full, whatever happened to its runs."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import revkit
from revkit.testing import toys
from tests.execution.test_bundle import Asks
from tests.llm_server.server import Faults, LlmServer

Run = Callable[..., Any]
PRICES = {"usd-per-million-input": 1, "usd-per-million-output": 1}


def spec_for(spec: dict[str, Any], server: LlmServer, papers: int = 6) -> dict[str, Any]:
    """``spec`` with one agent that asks ``server`` twice about each of ``papers`` papers."""
    settings = {"base-url": server.url, "backoff": 0.01, "max-connections": 4, **PRICES}
    return {
        **spec,
        "corpus": {"use": "toy-papers", "with": {"papers": papers}},
        "perturbations": {},
        "agents": {"asks": "asks"},
        "services": {"llm": {"default": settings}},
    }


def spending(folder: Path) -> dict[str, list[dict[str, Any]]]:
    about = json.loads((folder / "provenance.json").read_text(encoding="utf-8"))
    found: dict[str, list[dict[str, Any]]] = about["spending"]
    return found


def test_the_ledger_is_the_same_after_a_repetition(
    run_toy: Run, toy_spec: dict[str, Any], tmp_path: Path
) -> None:
    with LlmServer() as server:
        given = spec_for(toy_spec, server)
        run_toy(given, plugins=[Asks])
        first = (tmp_path / "run" / "ledger.json").read_bytes()
        (row,) = json.loads(first)
        assert (row["label"], row["model"]) == ("agents.asks", "mock")
        assert row["replies"] == row["requests"] == server.requests == 12
        tokens = row["prompt_tokens"] + row["completion_tokens"]
        assert row["usd"] == pytest.approx(tokens / 1e6)
        whole = spending(tmp_path / "run")["experiment"]
        run_toy(given, plugins=[Asks])
        run_toy(given, plugins=[Asks], out="elsewhere")
    assert server.requests == 12
    for folder in ("run", "elsewhere"):
        assert (tmp_path / folder / "ledger.json").read_bytes() == first
        again = spending(tmp_path / folder)
        assert again == {"command": [], "experiment": whole}


def test_a_reply_that_agents_share_is_counted_once(
    run_toy: Run, toy_spec: dict[str, Any], tmp_path: Path
) -> None:
    with LlmServer() as server:
        given = spec_for(toy_spec, server)
        given["agents"] = {"a": "asks", "b": {"use": "asks", "with": {"sign": "!"}}}
        run_toy(given, plugins=[Asks])
        rows = json.loads((tmp_path / "run" / "ledger.json").read_text(encoding="utf-8"))
        assert [(row["label"], row["replies"]) for row in rows] == [("agents.a, agents.b", 12)]
        assert server.requests == 12


def test_what_was_paid_for_nothing_is_kept(
    run_toy: Run, toy_spec: dict[str, Any], tmp_path: Path
) -> None:
    """Empty replies are paid and of no use: three commands pay for them three times."""
    with LlmServer(faults=Faults(choose=lambda body, attempt: "empty")) as server:
        given = spec_for(toy_spec, server, papers=1)
        for _ in range(3):
            run_toy(given, plugins=[Asks])
        asked = server.requests
    assert json.loads((tmp_path / "run" / "ledger.json").read_text(encoding="utf-8")) == []
    (row,) = spending(tmp_path / "run")["experiment"]
    assert row["outcome"] not in ("answered", "in flight")
    assert row["requests"] == asked
    assert row["usd"] > 0
    assert row["charged_usd"] == pytest.approx(row["usd"])
    assert sum(each["requests"] for each in spending(tmp_path / "run")["command"]) == asked / 3


def test_a_budget_caps_the_experiment_and_not_the_command(
    run_toy: Run, toy_spec: dict[str, Any], tmp_path: Path
) -> None:
    with LlmServer() as server:
        given = {**spec_for(toy_spec, server), "budget": {"calls": 7}}
        first = run_toy(given, plugins=[Asks])
        assert first.exit_code == 1
        assert server.requests == 7
        for _ in range(2):
            assert run_toy(given, plugins=[Asks]).exit_code == 1
        assert server.requests == 7
        told = revkit.forecast(given, store=tmp_path / "store.db", plugins=[toys, Asks])
        assert told is not None
        assert told.spent.calls == server.requests
        assert f"spent so far  {server.requests} requests, " in told.text()
        assert "budget left   0 of 7 requests" in told.text()
        # Another experiment has its own budget, and answers that are stored cost it nothing.
        other = {**given, "seed": 99, "budget": {"calls": 5}}
        assert run_toy(other, plugins=[Asks], out="other").exit_code == 0
        assert server.requests == 12
        # The answers are now there for the first one too.
        assert run_toy(given, plugins=[Asks]).exit_code == 0
        assert server.requests == 12


_RUN = """
import json, sys
import revkit
from revkit.testing import toys
from tests.execution.test_bundle import Asks
spec, out, store = json.loads(sys.argv[1]), sys.argv[2], sys.argv[3]
run = revkit.run(spec, out=out, store=store, plugins=[toys, Asks])
raise SystemExit(run.exit_code)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX")
def test_after_a_kill_the_ledger_is_the_same_and_requests_in_flight_count(
    run_toy: Run, toy_spec: dict[str, Any], tmp_path: Path, environment: dict[str, str]
) -> None:
    root = Path(__file__).resolve().parents[2]
    path = os.pathsep.join((str(root), environment["PYTHONPATH"]))
    with LlmServer(latency=0.05) as server:
        given = spec_for(toy_spec, server, papers=20)
        run_toy(given, plugins=[Asks], out="calm", store="calm.db")
        calm = server.requests
        command = [sys.executable, "-c", _RUN, json.dumps(given)]
        with subprocess.Popen(
            [*command, str(tmp_path / "run"), str(tmp_path / "store.db")],
            env={**environment, "PYTHONPATH": path},
            cwd=tmp_path,
        ) as process:
            end = time.monotonic() + 50
            while server.requests < calm + 15 and time.monotonic() < end:
                time.sleep(0.005)
            process.send_signal(signal.SIGKILL)
        killed = server.requests - calm
        assert 15 <= killed < 40
        run_toy(given, plugins=[Asks])
        asked = server.requests - calm
    for name in ("ledger.json", "result.json", "records/outcomes.jsonl"):
        assert (tmp_path / "run" / name).read_bytes() == (tmp_path / "calm" / name).read_bytes()
    rows = {row["outcome"]: row for row in spending(tmp_path / "run")["experiment"]}
    assert rows["answered"]["requests"] >= 40
    lost = rows["in flight"]
    assert 1 <= lost["requests"] <= 4
    # A request is written down before it is sent, so none of the server's is missing here.
    assert rows["answered"]["requests"] + lost["requests"] >= asked
    assert lost["charged_usd"] > 0
    assert lost["unpriced"] == lost["requests"]
