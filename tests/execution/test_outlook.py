"""The time that a plan states: the slowest of its limits, and that of a simulation and of runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import revkit
from benchmarks.plan_check import simulate
from revkit import api
from revkit.cli.main import cli
from revkit.contracts import Component
from revkit.execution.outlook import ASSUMED_LATENCY, CALL_CPU
from tests.execution.sheets import Sheets, Stamp
from tests.execution.test_batches import PAPERS, TwoTurns, spec_of
from tests.llm_server.server import LlmServer

PLUGINS: list[type[Component]] = [Sheets, Stamp, TwoTurns]
CALLS = PAPERS * 2  # of the agent that asks once


def planned(spec: Any, **options: Any) -> Any:
    forecast = api.forecast(spec, plugins=PLUGINS, store=options.get("store"))
    assert forecast is not None
    return forecast, api.outlook(spec, forecast, plugins=PLUGINS, **options)


def one_agent(server: LlmServer, **llm: Any) -> dict[str, Any]:
    spec = spec_of(server, **llm)
    del spec["agents"]["twice"]
    spec["metrics"] = ["outcomes"]
    return spec


@pytest.fixture(scope="module")
def server() -> Any:
    with LlmServer(keep=0) as running:
        yield running


@pytest.mark.parametrize(
    ("settings", "latency", "seconds", "name"),
    [
        ({"max-connections": 2}, 3.0, CALLS * 3 / 2, "2 connections"),
        ({"requests-per-minute": 6}, 0.1, CALLS * 10, "6 requests a minute"),
        ({"max-connections": 4096}, 0.001, CALLS * CALL_CPU, "one processor"),
    ],
)
def test_the_slowest_limit_decides(
    server: LlmServer, settings: dict[str, Any], latency: float, seconds: float, name: str
) -> None:
    _, outlook = planned(one_agent(server, **settings), latency=latency)
    assert outlook.seconds == pytest.approx(seconds)
    assert outlook.limits[0].name.startswith(name)
    assert [each.seconds for each in outlook.limits] == sorted(
        (each.seconds for each in outlook.limits), reverse=True
    )


def test_tokens_a_minute_count_prompts_and_longest_replies(server: LlmServer) -> None:
    spec = one_agent(server, **{"tokens-per-minute": 1000})
    forecast, outlook = planned(spec, latency=0.1)
    tokens = forecast.prompt_tokens + forecast.most_reply_tokens
    # Each call is rounded on its own.
    assert outlook.seconds == pytest.approx(60 * tokens / 1000, rel=0.01)


def test_models_share_the_threads(server: LlmServer) -> None:
    spec = spec_of(server, **{"max-connections": 4})
    spec["agents"]["twice"] = {"use": "two-turns", "with": {"model": "openai/other"}}
    _, outlook = planned(spec, latency=2.0)
    assert outlook.seconds == pytest.approx(CALLS * 3 * 2.0 / 4)
    assert outlook.limits[0].name == "4 threads"
    spec["workers"] = 8
    _, more = planned(spec, latency=2.0)
    assert more.seconds == pytest.approx(CALLS * 2 * 2.0 / 4)  # the connections of the second model


@pytest.mark.parametrize(
    ("calls", "connections", "latency", "per_minute", "cpu"),
    [
        (3000, 10, 0.2, None, CALL_CPU),
        (20_000, 50, 2.0, None, CALL_CPU),
        (3000, 50, 0.2, 600.0, CALL_CPU),
        (3000, 500, 0.2, None, CALL_CPU),
    ],
)
def test_the_formula_agrees_with_the_simulation(
    calls: int, connections: int, latency: float, per_minute: float | None, cpu: float
) -> None:
    limits = [calls * latency / connections, calls * cpu, 60 * calls / (per_minute or 1e9)]
    found = simulate(calls, connections, latency, per_minute, cpu)
    assert found == pytest.approx(max(limits), rel=0.1)


def test_the_simulation_of_cases_that_are_clear() -> None:
    assert simulate(10, 1, 1.0, cpu=0.0) == pytest.approx(10.0)
    assert simulate(10, 5, 1.0, cpu=0.0) == pytest.approx(2.0)
    assert simulate(1, 5, 1.0, cpu=0.5) == pytest.approx(1.5)
    # One request a second, of which the first two may be sent at once.
    assert simulate(5, 5, 0.0, 60.0, cpu=0.0) == pytest.approx(3.0)


def test_latency_comes_from_the_store_if_it_has_calls(server: LlmServer, tmp_path: Path) -> None:
    spec = spec_of(server)
    store = tmp_path / "s.db"
    _, before = planned(spec, store=store)
    assert before.latency == {"openai/mock": ASSUMED_LATENCY}
    assert not before.measured
    run = revkit.run(spec, out=tmp_path / "run", store=store, plugins=PLUGINS)
    spec["corpus"] = {"use": "sheets", "with": {"papers": 20}}
    forecast, outlook = planned(spec, store=store)
    assert outlook.measured
    assert 0 < outlook.latency["openai/mock"] < 2
    assert "measured in this store" in outlook.text()
    assert forecast.calls < 20 * 6  # stored ones are not counted
    whole, first = planned({**spec_of(server)}, store=tmp_path / "none.db")
    folder = sum(path.stat().st_size for path in run.folder.rglob("*") if path.is_file())
    assert folder < first.folder_bytes + 100_000  # besides reports and tables
    assert whole.calls == PAPERS * 6


def test_the_command_prints_it(server: LlmServer, tmp_path: Path) -> None:
    spec = one_agent(server, **{"max-connections": 2})
    spec["corpus"] = {"use": "synthetic", "with": {"papers": 10}}
    spec["perturbations"] = {"hedging": "hedging"}
    spec["stop-when"] = {"all": ["flip_rate[once] <= 10 %"], "every": 2}
    path = tmp_path / "spec.json"
    path.write_text(json.dumps(spec))
    store = str(tmp_path / "none.db")
    done = CliRunner().invoke(cli, ["plan", str(path), "--latency", "3", "--store", store])
    assert done.exit_code == 0, done.output
    text = " ".join(done.output.split())
    assert "time of calls about 30.0 s by single calls, limited by 2 connections" in text
    assert "stop-when from 4 calls on (first look)" in text
    asked = ["plan", str(path), "--latency", "3", "--store", store, "--json"]
    found = json.loads(CliRunner().invoke(cli, asked).output)
    assert found["outlook"]["seconds"] == 30.0
