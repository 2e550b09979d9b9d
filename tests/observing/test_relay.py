"""The shards of an executor are observed by the command that starts them."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

import revkit
from revkit.observing import Observer, observed
from revkit.observing.relay import log_in, relayed
from revkit.observing.telemetry import Telemetry
from tests.execution.test_batches_chaos import PLUGIN
from tests.llm_server.server import LlmServer
from tests.observing.test_observing import Kept

PAPERS = 8
PRICES = {"usd-per-million-input": 1, "usd-per-million-output": 2}


def spec_for(server: LlmServer) -> dict[str, Any]:
    """Sixteen calls in three shards, two of which run at a time."""
    return {
        "revkit": 1,
        "name": "relayed",
        "corpus": {"use": "sheets", "with": {"papers": PAPERS}},
        "perturbations": {"stamp": "stamp"},
        "agents": {"model": {"use": "llm", "with": {"model": "openai/mock", "form": "iclr"}}},
        "metrics": [],
        "reports": [],
        "services": {"llm": {"default": {"base-url": server.url, **PRICES}}},
        "budget": {"calls": 60},
        "executor": {"use": "local", "with": {"shards": 3, "at-once": 2}},
    }


@pytest.mark.slow
def test_the_events_of_shards_reach_the_log_and_the_trace(tmp_path: Path) -> None:
    parts = tmp_path / "parts.py"
    parts.write_text(PLUGIN, encoding="utf-8")
    kept, spans, reader = Kept(), InMemorySpanExporter(), InMemoryMetricReader()
    telemetry = Telemetry([SimpleSpanProcessor(spans)], [reader])
    with LlmServer(keep=0) as server, observed(tmp_path / "log.jsonl", sinks=[kept, telemetry]):
        revkit.run(spec_for(server), out=tmp_path / "run", store=tmp_path / "s.db", plugins=[parts])
        assert server.requests == 2 * PAPERS
    assert not list((tmp_path / "run.shards").glob("events-*"))

    calls = kept.of("call", "end")
    assert len(calls) == len(kept.of("request", "end")) == 2 * PAPERS
    assert {each.facts["outcome"] for each in calls} == {"answered"}
    assert {each.facts["shard"] for each in calls} <= {"1/3", "2/3", "3/3"}
    # Each begins once and ends once, within what it is part of.
    begun = {each.number: each for each in kept.events if each.phase == "begin"}
    ended = {each.number: each for each in kept.events if each.phase == "end"}
    assert set(begun) == set(ended)
    numbers = Counter((each.phase, each.number) for each in kept.events if each.number)
    assert set(numbers.values()) == {1}

    def above(number: int) -> list[str]:
        event = begun[number]
        return [event.name, *(above(event.parent) if event.parent else [])]

    assert above(calls[0].number) == ["call", "stage", "run", "stage", "run"]
    whole = [each for each in kept.of("run", "end") if each.parent == 0]
    assert [each.facts["shard"] for each in whole] == [None]
    assert whole[0].facts["computed"] == 3 * PAPERS
    # What is left is that of all shards, also of those that have not begun.
    left = [each.facts["left_calls"] for each in kept.of("request", "end")]
    assert left == list(range(59, 60 - 2 * PAPERS - 1, -1))
    last = kept.of("state", "now")[-1].facts
    assert (last["left_calls"], last["requests"]) == (60 - 2 * PAPERS, 0)

    lines = (tmp_path / "log.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) == len(kept.events)
    names = Counter(span.name for span in spans.get_finished_spans())
    assert names["revkit.call"] == 2 * PAPERS
    # The run, its shards, and their merge.
    assert names["revkit.run"] == 1 + 3 + 1


def test_what_a_killed_process_left_open_is_lost(tmp_path: Path) -> None:
    kept = Kept()
    observer = Observer([kept])
    place = tmp_path / "events"

    def write(path: Path, *events: dict[str, Any]) -> None:
        with path.open("a", encoding="utf-8") as file:
            for each in events:
                file.write(json.dumps({"time": "2026-01-01T00:00:00.000000Z", **each}) + "\n")

    def event(name: str, phase: str, number: int, parent: int, **facts: Any) -> dict[str, Any]:
        return {"event": name, "phase": phase, "number": number, "parent": parent, **facts}

    with relayed(observer, place, 0):
        first = log_in(place, "1-of-2")
        write(first, event("run", "begin", 1, 0), event("call", "begin", 2, 1, model="m"))
        with first.open("a", encoding="utf-8") as file:
            file.write('not JSON\n[]\n{"event": "call"}\n')
            file.write('{"time": "2026-01-01T00')  # cut off by the kill
        while len(kept.events) < 2:
            pass
        second = log_in(place, "1-of-2")
        write(second, event("run", "begin", 1, 0), event("run", "end", 1, 0, seconds=1.0))
    ends = [
        (each.name, each.number, each.facts.get("outcome"), each.facts["shard"])
        for each in kept.events
        if each.phase == "end"
    ]
    assert ends == [("call", 2, "lost", "1/2"), ("run", 1, "lost", "1/2"), ("run", 3, None, "1/2")]
    assert not place.exists()
