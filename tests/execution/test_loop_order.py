"""What comes first: calls that are still to be made, then the writing of papers; never too many."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest

from revkit.execution import loop
from revkit.execution.loop import Loop, PaperJob
from revkit.execution.record import Recorder
from revkit.model.paper import Paper
from revkit.testing.toys import ToyLength

Run = Callable[..., Any]


@pytest.fixture
def events(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What happens in a run, in order: "read", "review" and "write"."""
    seen: list[str] = []
    start, review, write = Loop._start, ToyLength.review, Recorder.paper

    def started(self: Loop, paper: Paper, source: str) -> PaperJob:
        seen.append("read")
        return start(self, paper, source)

    def reviewed(self: ToyLength, paper: Paper, ctx: Any) -> Any:
        seen.append("review")
        return review(self, paper, ctx)

    def written(self: Recorder, job: PaperJob) -> None:
        seen.append("write")
        write(self, job)

    monkeypatch.setattr(Loop, "_start", started)
    monkeypatch.setattr(ToyLength, "review", reviewed)
    monkeypatch.setattr(Recorder, "paper", written)
    return seen


def spec(papers: int) -> dict[str, Any]:
    return {
        "revkit": 1,
        "corpus": {"use": "toy-papers", "with": {"papers": papers}},
        "agents": {"length": "toy-length"},
        "metrics": ["toy-flips"],
        "reports": ["toy-report"],
        "workers": 2,
    }


def test_what_is_missing_is_asked_before_what_is_there_is_written(
    run_toy: Run, events: list[str]
) -> None:
    """After a killed run the first call must not wait for the papers before it."""
    run_toy(spec(200))
    events.clear()
    run_toy(spec(201), out="more")
    assert events.count("review") == 1
    assert "write" not in events[: events.index("review")]
    assert (events.count("read"), events.count("write")) == (201, 201)


def test_nothing_is_written_while_the_first_call_is_prepared(
    run_toy: Run, events: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Writing takes the processor from the thread that prepares the call."""
    run_toy(spec(200))
    events.clear()
    reviewed = ToyLength.review

    def prepared(self: ToyLength, paper: Paper, ctx: Any) -> Any:
        time.sleep(0.025)
        return reviewed(self, paper, ctx)

    monkeypatch.setattr(ToyLength, "review", prepared)
    run_toy(spec(201), out="more")
    assert "write" not in events[: events.index("review")]


def test_texts_that_wait_are_bounded(
    run_toy: Run, events: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loop, "_MOST_HELD", 1000)  # about ten of these papers
    run_toy(spec(200))
    events.clear()
    run_toy(spec(200), out="again")
    held = most = 0
    for event in events:
        held += {"read": 1, "write": -1}.get(event, 0)
        most = max(most, held)
    assert held == 0
    assert most <= 20
