"""What those who observe a run see, and that observing changes nothing."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.sdk.metrics.export import InMemoryMetricReader, PeriodicExportingMetricReader
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

import revkit
from revkit.cache import Store
from revkit.errors import Interrupted
from revkit.model.exchange import Message, ModelReply, ModelRequest
from revkit.model_settings import Budget, llm_from_options
from revkit.observing import Event, Observer, observed
from revkit.observing.telemetry import Telemetry
from revkit.services.llm import ModelGateway
from tests.execution.test_bundle import Asks
from tests.llm_server.server import Faults, LlmServer

Run = Callable[..., Any]
SECRET = "sk-planted-9f8e7d6c5b4a"
TEXT = "xylophonic"
PRICES = {"usd-per-million-input": 1, "usd-per-million-output": 2}


class Kept:
    """Keeps events."""

    def __init__(self) -> None:
        self.events: list[Event] = []

    def take(self, event: Event) -> None:
        self.events.append(event)

    def close(self) -> None:
        return

    def of(self, name: str, phase: str) -> list[Event]:
        return [each for each in self.events if (each.name, each.phase) == (name, phase)]


class Broken(Kept):
    """Raises."""

    def take(self, event: Event) -> None:
        raise ValueError("not today")

    def close(self) -> None:
        raise ValueError("not today")


def spec_for(spec: dict[str, Any], server: LlmServer, **settings: Any) -> dict[str, Any]:
    """``spec`` with one agent that asks ``server`` twice about each of six papers."""
    given = {"base-url": server.url, "backoff": 0.01, "max-connections": 4, **PRICES, **settings}
    return {
        **spec,
        "perturbations": {},
        "agents": {"asks": "asks"},
        "services": {"llm": {"default": given}},
    }


def files_of(folder: Path) -> dict[str, bytes]:
    """The files of a run folder, without the ones that state times."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != "provenance.json"
    }


def points_of(reader: InMemoryMetricReader) -> dict[str, list[Any]]:
    """The data points of all metrics, by name."""
    data = reader.get_metrics_data()
    assert data is not None
    return {
        metric.name: list(metric.data.data_points)
        for resource in data.resource_metrics
        for scope in resource.scope_metrics
        for metric in scope.metrics
    }


@pytest.fixture
def faulty() -> Iterator[LlmServer]:
    """A server that limits the rate at the first attempt of each first question, and refuses each
    second question.
    """

    def choose(body: dict[str, Any], attempt: int) -> str:
        text = body["messages"][0]["content"]
        return "context" if text.startswith("2:") else "rate-short" if attempt == 0 else ""

    with LlmServer(faults=Faults(choose=choose), key=SECRET) as server:
        server.reply = lambda body: f"{TEXT} reply"
        yield server


def test_spans_metrics_and_log_of_a_run_with_failures(
    run_toy: Run,
    toy_spec: dict[str, Any],
    faulty: LlmServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PLANTED_KEY", SECRET)
    given = spec_for(toy_spec, faulty, **{"api-key-env": "PLANTED_KEY"})
    given["budget"] = {"calls": 100, "usd": 5}
    spans, reader, log = InMemorySpanExporter(), InMemoryMetricReader(), tmp_path / "log.jsonl"
    telemetry = Telemetry([SimpleSpanProcessor(spans)], [reader])
    found: dict[str, list[Any]] = {}

    class Reads(Kept):
        def take(self, event: Event) -> None:
            if event.name == "run" and event.phase == "end":
                found.update(points_of(reader))

    with observed(log, sinks=[telemetry, Reads()]):
        run_toy(given, plugins=[Asks])

    ended = spans.get_finished_spans()
    assert Counter(span.name for span in ended) == {
        "revkit.run": 1,
        "revkit.stage": 2,
        "revkit.call": 12,
    }
    by_id = {span.context.span_id: span for span in ended if span.context}
    for span in ended:
        if span.name == "revkit.call":
            above: ReadableSpan = by_id[span.parent.span_id]
            assert above.attributes["revkit.stage"] == "papers"
            assert by_id[above.parent.span_id].name == "revkit.run"
    calls: list[dict[str, Any]] = [
        dict(span.attributes or {}) for span in ended if span.name == "revkit.call"
    ]
    assert Counter(call["revkit.outcome"] for call in calls) == {"answered": 6, "context": 6}
    assert {call["gen_ai.request.model"] for call in calls} == {"openai/mock"}
    assert {call["revkit.agent"] for call in calls} == {"agents.asks"}
    assert Counter((call["revkit.requests"], call["revkit.retries"]) for call in calls) == {
        (2, 1): 6,
        (1, 0): 6,
    }
    assert all(call["revkit.seconds"] > 0 for call in calls)

    # The store of the run counted the same in another way.
    about = json.loads((tmp_path / "run/provenance.json").read_text(encoding="utf-8"))
    (row,) = about["spending"]["command"]
    sums = {
        name: sum(call.get(name, 0) for call in calls)
        for name in ("gen_ai.usage.input_tokens", "gen_ai.usage.output_tokens", "revkit.usd")
    }
    assert sums["gen_ai.usage.input_tokens"] == row["spent"]["prompt_tokens"] > 0
    assert sums["gen_ai.usage.output_tokens"] == row["spent"]["completion_tokens"] > 0
    assert sums["revkit.usd"] == pytest.approx(row["spent"]["usd"])

    def by(name: str, attribute: str) -> dict[Any, Any]:
        return {point.attributes[attribute]: point.value for point in found[name]}

    assert by("revkit.calls", "revkit.outcome") == {"answered": 6, "context": 6}
    assert by("revkit.requests", "revkit.outcome") == {"answered": 6, "context": 6, "rate": 6}
    tokens = {"input": row["spent"]["prompt_tokens"], "output": row["spent"]["completion_tokens"]}
    assert by("revkit.tokens", "gen_ai.token.type") == tokens
    assert [point.value for point in found["revkit.requests.in_flight"]] == [0]
    assert sum(point.count for point in found["revkit.request.duration"]) == faulty.requests == 18
    assert found["revkit.budget.left.calls"][0].value == 100 - 18
    assert found["revkit.budget.left.usd"][0].value == pytest.approx(5 - row["spent"]["usd"])

    lines = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    counted = Counter((line["event"], line["phase"]) for line in lines)
    assert counted["call", "begin"] == counted["call", "end"] == 12
    assert counted["request", "begin"] == counted["request", "end"] == 18
    assert lines[-1]["event"] == "state"
    assert (lines[-1]["requests"], lines[-1]["left_calls"]) == (0, 82)
    states = [line for line in lines if line["event"] == "state"]
    assert sum(line["ended"] for line in states) == 18
    assert sum(line["failed"] for line in states) == 12

    # The papers, the prompts, the replies, the key, the address and the folder are in neither.
    assert f"Bearer {SECRET}" in faulty.keys
    with Store(tmp_path / "store.db") as store:
        keys = store.keys()
        assert any(TEXT.encode() in (store.get(key) or b"") for key in keys)
    shown = (
        log.read_text(encoding="utf-8") + repr(found) + "".join(span.to_json() for span in ended)
    )
    prompts = [body["messages"][0]["content"] for body in faulty.bodies]
    words = {word for prompt in prompts for word in prompt.split() if len(word) > 5}
    assert words
    for text in (SECRET, TEXT, str(tmp_path), "127.0.0.1", "PLANTED_KEY", *words, *prompts):
        assert text not in shown


def test_a_shard_and_a_run_that_stops_are_observed(
    run_toy: Run, toy_spec: dict[str, Any], tmp_path: Path
) -> None:
    kept, stopped = Kept(), threading.Event()
    stopped.set()
    with observed(sinks=[kept]):
        revkit.run_shard(toy_spec, "1/2", out=tmp_path / "out", plugins=[revkit.testing.toys])
        with pytest.raises(Interrupted):
            run_toy(toy_spec, stop=stopped)
    first, second = kept.of("run", "end")
    assert (first.facts["shard"], first.facts["failed"]) == ("1/2", 0)
    assert first.facts["computed"] > 0  # type: ignore[operator]
    assert (second.facts["shard"], second.facts["outcome"]) == (None, "Interrupted")
    stages = [each.facts["stage"] for each in kept.of("stage", "end")]
    assert stages == ["papers", "papers"]


def test_a_call_in_a_batch_waits_and_is_answered(
    run_toy: Run, toy_spec: dict[str, Any], tmp_path: Path
) -> None:
    kept, reader = Kept(), InMemoryMetricReader()

    class Reads(Kept):
        def close(self) -> None:
            self.found = points_of(reader)

    reads = Reads()
    with LlmServer() as server, observed(sinks=[kept, reads, Telemetry([], [reader])]):
        run_toy(spec_for(toy_spec, server, batch=True, **{"batch-least": 1}), plugins=[Asks])
        assert server.requests == 0
    calls = [each.facts for each in kept.of("call", "end")]
    counts = Counter(call["outcome"] for call in calls)
    assert counts["answered"] == 12
    assert counts["batched"] >= 12
    assert set(counts) == {"answered", "batched"}
    for call in calls:
        counted = {"prompt_tokens", "completion_tokens"} <= set(call)
        assert counted == (call["outcome"] == "answered")
    assert not kept.of("request", "begin")
    tokens = {
        each.attributes["gen_ai.token.type"]: each.value for each in reads.found["revkit.tokens"]
    }
    assert tokens == {
        "input": sum(call.get("prompt_tokens") or 0 for call in calls),
        "output": sum(call.get("completion_tokens") or 0 for call in calls),
    }
    assert min(tokens.values()) > 0


def test_results_are_the_same_bytes(
    run_toy: Run, toy_spec: dict[str, Any], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with LlmServer() as server:
        given = spec_for(toy_spec, server)
        plain = run_toy(given, plugins=[Asks], out="plain", store="plain.db")
        with observed(tmp_path / "log.jsonl", sinks=[Broken(), Telemetry()]):
            seen = run_toy(given, plugins=[Asks], out="seen", store="seen.db")
    assert seen.exit_code == plain.exit_code == 0
    assert files_of(tmp_path / "seen") == files_of(tmp_path / "plain")
    with Store(tmp_path / "seen.db") as one, Store(tmp_path / "plain.db") as other:
        keys = set(one.keys())
        assert keys == set(other.keys())
        assert all(one.get(key) == other.get(key) for key in keys)
    warned = capfd.readouterr().err.splitlines()
    assert [line for line in warned if "warning" in line] == [
        "warning: observing: Broken failed and gets no more events (ValueError); the run goes on"
    ]


def test_an_exporter_that_raises_is_one_warning(
    run_toy: Run, toy_spec: dict[str, Any], capfd: pytest.CaptureFixture[str]
) -> None:
    class Raises(InMemorySpanExporter):
        def export(self, spans: Any) -> Any:
            raise ConnectionError("nobody listens")

    from opentelemetry.sdk.metrics.export import ConsoleMetricExporter

    class RaisesToo(ConsoleMetricExporter):
        def export(self, *args: Any, **options: Any) -> Any:
            raise ConnectionError("nobody listens")

    reader = PeriodicExportingMetricReader(RaisesToo(), export_interval_millis=20)
    telemetry = Telemetry([SimpleSpanProcessor(Raises())], [reader])
    with LlmServer() as server, observed(sinks=[telemetry]):
        assert run_toy(spec_for(toy_spec, server), plugins=[Asks]).exit_code == 0
        time.sleep(0.1)
    warned = [line for line in capfd.readouterr().err.splitlines() if line]
    assert len(warned) == 1
    assert warned[0].startswith("warning: observing: OpenTelemetry could not export")
    assert "ConnectionError" in warned[0]


def test_a_warning_shows_no_address(capfd: pytest.CaptureFixture[str]) -> None:
    """The path of an address may contain a key."""
    telemetry = Telemetry()
    logging.getLogger("opentelemetry.exporter").error(
        "Transient error %s while exporting", f"url: /otlp/{SECRET}/v1 at http://user:pw@host:1/x"
    )
    telemetry.close()
    (line,) = capfd.readouterr().err.splitlines()
    assert "Transient error" in line
    for text in (SECRET, "user:pw", "host:1"):
        assert text not in line


def test_a_log_that_cannot_be_written_is_one_warning(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    with observed(tmp_path / "file" / "log.jsonl") as observer:
        observer.begin("run").__exit__(None, None, None)
    (line,) = capfd.readouterr().err.splitlines()
    assert line.startswith("warning: observing: the log")


def request(text: str = "paper") -> ModelRequest:
    return ModelRequest("openai/mock", (Message("user", text),))


def test_a_hung_call_is_seen_while_it_hangs() -> None:
    kept = Kept()
    observer = Observer([kept], every=0.05)
    with LlmServer(latency=30) as server:
        settings = llm_from_options({"default": {"base-url": server.url}})
        gateway = ModelGateway(settings, Store(None), observer=observer)

        def ask() -> None:
            with pytest.raises(RuntimeError):
                gateway.complete(request(), "slow")

        thread = threading.Thread(target=ask)
        thread.start()
        end = time.monotonic() + 20
        while time.monotonic() < end:
            states = [each.facts for each in kept.of("state", "now") if each.facts["requests"] == 1]
            if states and float(states[-1]["oldest_seconds"] or 0) > 0.2:
                break
            time.sleep(0.02)
        assert states[-1]["calls"] == 1
        assert 0.2 < float(states[-1]["oldest_seconds"] or 0) < 25
        assert not kept.of("call", "end")
        gateway.close()
        thread.join(10)
    observer.close()
    (ended,) = kept.of("request", "end")
    assert ended.facts["outcome"] == "cancelled"
    assert kept.events[-1].facts["requests"] == 0


def test_a_stored_answer_is_no_call_and_a_budget_is_counted_down() -> None:
    kept = Kept()
    observer = Observer([kept])
    with LlmServer() as server:
        settings = llm_from_options({"default": {"base-url": server.url}})
        budget = Budget(calls=2)
        with ModelGateway(settings, Store(None), budget, observer=observer) as gateway:
            assert isinstance(gateway.complete(request("one")), ModelReply)
            assert isinstance(gateway.complete(request("one")), ModelReply)
            gateway.complete(request("two"))
            gateway.complete(request("three"))
    observer.close()
    assert [each.facts["left_calls"] for each in kept.of("request", "end")] == [1, 0]
    assert [each.facts["outcome"] for each in kept.of("call", "end")] == [
        "answered",
        "answered",
        "budget",
    ]


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("openai/Qwen/Qwen2.5-7B", "openai/Qwen/Qwen2.5-7B"),
        ("/home/ada/models/tiny.gguf", "tiny.gguf"),
        ("C:\\models\\tiny.gguf", "tiny.gguf"),
        ("~/models/tiny/", "tiny"),
        ("file:///srv/tiny", "tiny"),
    ],
)
def test_a_path_is_shown_by_its_last_part(name: str, shown: str) -> None:
    kept = Kept()
    observer = Observer([kept])
    with observer.begin("call", model=name) as call:
        call.note(model=name)
    observer.close()
    assert {each.facts["model"] for each in kept.events if each.name == "call"} == {shown}


def test_a_sum_with_an_unknown_part_is_unknown() -> None:
    kept = Kept()
    observer = Observer([kept])
    with observer.begin("call") as call:
        for usd in (1.0, None, 2.0):
            call.add(usd=usd, requests=1)
    assert (call.facts["usd"], call.facts["requests"]) == (None, 3)
    observer.close()


SPEC = """
revkit: 1
name: seen
corpus: {use: toy-papers, with: {papers: 2}}
agents: {length: toy-length}
metrics: []
reports: []
"""


def command(
    folder: Path, environment: dict[str, str], *options: str, **more: str
) -> subprocess.CompletedProcess[str]:
    """Run a small spec in ``folder`` in a process that prints whether OpenTelemetry was loaded."""
    (folder / "seen.yaml").write_text(SPEC)
    program = (
        "import sys\nfrom revkit.cli.main import main\n"
        f"sys.argv = ['revkit', 'run', 'seen.yaml', '--plugin', {revkit.testing.toys.__file__!r}, "
        f"'--quiet', *{list(options)!r}]\n"
        "try:\n    main()\nfinally:\n    print('opentelemetry' in sys.modules)\n"
    )
    return subprocess.run(
        [sys.executable, "-c", program],
        cwd=folder,
        env={**environment, **more},
        capture_output=True,
        text=True,
        timeout=100,
    )


def test_off_loads_nothing_and_on_needs_one_option(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    plain = {key: value for key, value in environment.items() if not key.startswith("OTEL_")}
    off = command(tmp_path, plain, "--log", "log.jsonl", OTEL_TRACES_EXPORTER="console")
    assert (off.returncode, off.stdout, off.stderr) == (0, "False\n", "")
    events = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert (events[0]["event"], events[0]["phase"]) == ("run", "begin")

    on = command(
        tmp_path,
        plain,
        "--trace",
        OTEL_TRACES_EXPORTER="console",
        OTEL_METRICS_EXPORTER="none",
    )
    assert (on.returncode, on.stdout) == (0, "True\n")
    assert '"name": "revkit.run"' in on.stderr
    assert '"service.name": "revkit"' in on.stderr
    assert str(tmp_path) not in on.stderr
    assert str(Path(sys.executable).parent) not in on.stderr


def test_an_exporter_that_is_not_installed_is_a_warning(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    found = command(tmp_path, environment, "--trace", OTEL_TRACES_EXPORTER="no-such")
    assert found.returncode == 0
    assert found.stderr.splitlines() == [
        "warning: observing: nothing is traced: LookupError: no exporter 'no-such' is installed "
        "for traces; the run goes on"
    ]


def test_without_the_extra_tracing_is_a_warning(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    (tmp_path / "opentelemetry.py").write_text("raise ImportError('hidden')")
    path = os.pathsep.join([str(tmp_path), environment["PYTHONPATH"]])
    found = command(tmp_path, environment, "--trace", PYTHONPATH=path)
    assert found.returncode == 0
    assert "pip install 'revkit[otel]'" in found.stderr
    assert len(found.stderr.splitlines()) == 1
