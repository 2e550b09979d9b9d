"""What `revkit follow` shows of a run that works: requests, times, the budget, and warnings."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import revkit
from revkit.cli.main import cli
from revkit.execution.folder import RunFolder, remove_run
from revkit.observing import Observer
from revkit.observing.live import STATE, BudgetState, Live, ModelState, read_state
from revkit.runs import progress
from revkit.runs.progress import RunProgress, progress_of
from tests.execution.test_batches_chaos import PLUGIN
from tests.llm_server.server import Faults, LlmServer
from tests.observing.test_relay import spec_for

FEW = ModelState("m", 2, 1.0, "a", 10, 0, 0.2, 0.2)


def progress_with(**changes: Any) -> RunProgress:
    state = ModelState(**{**{name: getattr(FEW, name) for name in FEW.__dataclass_fields__},
                          **changes})  # fmt: skip
    return RunProgress(Path("x"), "running", 1, 1, (state,))


@pytest.mark.parametrize(
    ("changes", "warning"),
    [
        ({}, ""),
        ({"oldest_seconds": 31.0}, "m: a request of a has waited 31 s for an answer"),
        ({"oldest_seconds": 31.0, "usual_seconds": 20.0}, ""),
        ({"median_seconds": 0.5}, "m answers after 0.50 s, 2.5 times as long as before"),
        ({"median_seconds": 0.5, "ended": 4}, ""),
        ({"median_seconds": 0.5, "usual_seconds": None}, ""),
        ({"failed": 5}, "m: 5 of 10 requests failed"),
        ({"failed": 4}, ""),
    ],
)
def test_warnings(changes: dict[str, Any], warning: str) -> None:
    assert progress_with(**changes).warnings == ([warning] if warning else [])


def test_a_budget_near_its_end_is_a_warning() -> None:
    near = RunProgress(Path("x"), "running", 1, 1, (), (BudgetState("usd", 0.4, 5.0),))
    assert near.details == ["budget: 0.40 of 5.00 US dollars left"]
    assert near.warnings == ["8% of the US dollars of the budget are left"]
    enough = RunProgress(Path("x"), "running", 1, 1, (), (BudgetState("calls", 1200, 5000),))
    assert enough.details == ["budget: 1,200 of 5,000 calls left"]
    assert not enough.warnings


def test_the_state_of_requests(tmp_path: Path) -> None:
    observer = Observer()
    live = Live(tmp_path, {"calls": 10})
    with observer.watched(live):
        with observer.begin("call", model="m") as call:
            hung = call.begin("request", model="m", agent="a")
            for outcome in ("answered", "rate"):
                with call.begin("request", model="m", agent="b") as request:
                    request.note(outcome=outcome, left_calls=7)
        live.write()
        state = read_state(tmp_path)
        assert state is not None
        (model,) = state.models
        assert (model.in_flight, model.oldest_agent, model.ended, model.failed) == (1, "a", 2, 1)
        assert state.budget == (BudgetState("calls", 7, 10),)
        hung.__exit__(None, None, None)
        assert live.state().models[0].in_flight == 0
    live.close()
    assert not list(tmp_path.iterdir())
    assert observer.begin("call").begin("request").number == 0  # nobody watches any more


def test_answers_before_are_what_is_usual(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("revkit.observing.live.RECENT", 0.05)
    observer = Observer()
    live = Live(tmp_path, {})
    with observer.watched(live), observer.begin("call", model="m") as call:
        for _ in range(3000):
            with call.begin("request", model="m", agent="a") as request:
                request.note(outcome="answered")
        time.sleep(0.1)
        assert not live.state().models  # nothing lately, nothing in flight
        call.begin("request", model="m", agent="a")
        (model,) = live.state().models
        assert model.usual_seconds is not None
        assert model.usual_seconds < 0.05
    live.close()


def test_a_killed_run_leaves_a_state_that_the_next_one_removes(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    with RunFolder(folder, "0" * 64):
        (folder / STATE).write_text("{}")
        assert read_state(folder) is None  # damaged
    remove_run(folder)
    assert not folder.exists()


def seen(folder: Path, found: Callable[[RunProgress], bool]) -> RunProgress:
    """Wait until the progress of the run in ``folder`` is ``found``."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        state = progress_of(folder)
        if found(state):
            return state
        time.sleep(0.05)
    raise AssertionError("not seen within a minute")


@pytest.mark.slow
@pytest.mark.parametrize("executor", [False, True])
def test_a_hung_call_is_followed(
    executor: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts = tmp_path / "parts.py"
    parts.write_text(PLUGIN, encoding="utf-8")
    monkeypatch.setattr(progress, "_HUNG", 0.5)
    folder = tmp_path / "run"
    with LlmServer(keep=0) as server:
        hung = []

        def choose(body: dict[str, Any], attempt: int) -> str:
            hung.append(1)
            return "hang" if len(hung) == 1 else ""

        server.faults = Faults(choose=choose)
        spec = spec_for(server)
        spec["services"]["llm"]["default"] |= {"timeout": 6, "backoff": 0.01}
        if not executor:
            del spec["executor"]
        options: Any = {"out": folder, "store": tmp_path / "s.db", "plugins": [parts]}
        thread = threading.Thread(target=revkit.run, args=(spec,), kwargs=options)
        thread.start()
        state = seen(folder, lambda each: any("has waited" in text for text in each.warnings))
        assert state.state == "running"
        (model,) = state.models
        assert (model.model, model.in_flight) == ("openai/mock", 1)
        assert 0 < state.budget[0].left < 60
        shown = CliRunner().invoke(cli, ["follow", str(folder), "--once"]).output
        assert "warning: openai/mock: a request of" in shown
        assert "budget: " in shown
        thread.join(120)
    assert not (folder / STATE).exists()
    after = progress_of(folder)
    assert (after.state, after.papers, after.reviews) == ("finished", 8, 16)
    assert not after.models
    assert json.loads((folder / "result.json").read_text())
