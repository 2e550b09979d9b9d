"""Events as spans and metrics of OpenTelemetry, https://opentelemetry.io/docs/specs/otel/.

A run, its stages and its calls of models are spans; a request is an event of its call's span. Where
the conventions for generative AI name an attribute, that name is used. This module imports the SDK,
so it is imported only where somebody asked for it.
"""

from __future__ import annotations

import logging
import os
import re
import sys
import threading
from collections.abc import Iterable, Mapping
from importlib.metadata import entry_points, version
from typing import Any

from opentelemetry import trace
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import MetricReader, PeriodicExportingMetricReader
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import Span, Status, StatusCode

from revkit.observing.events import Event, Fact, warn

_NAMES: Mapping[str, str] = {
    "model": "gen_ai.request.model",
    "prompt_tokens": "gen_ai.usage.input_tokens",
    "completion_tokens": "gen_ai.usage.output_tokens",
}
# From the conventions for generative AI, in seconds, with two longer ones.
_BOUNDS = (0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92)
_LONGER = (163.84, 327.68)
_ADDRESS = re.compile(r"[/@?=]")  # the address of an exporter may contain a key
_PATIENCE = 10.0  # seconds that a run waits at its end for exporters


class Telemetry:
    """Makes spans and metrics of events, for ``processors`` and ``readers``. The providers are its
    own: those of a program that uses revkit are left alone.
    """

    def __init__(
        self, processors: Iterable[SpanProcessor] = (), readers: Iterable[MetricReader] = ()
    ) -> None:
        self._complaints = _Complaints()
        about = {"service.version": version("revkit")}
        if "OTEL_SERVICE_NAME" not in os.environ:
            about["service.name"] = "revkit"
        resource = Resource.create(about)
        self._tracers = TracerProvider(resource=resource, shutdown_on_exit=False)
        for processor in processors:
            self._tracers.add_span_processor(processor)
        self._meters = MeterProvider(list(readers), resource=resource, shutdown_on_exit=False)
        self._tracer = self._tracers.get_tracer("revkit")
        self._spans: dict[int, Span] = {}
        self._lock = threading.Lock()
        meter = self._meters.get_meter("revkit")
        self._calls = meter.create_counter("revkit.calls", "{call}", "calls by outcome")
        self._requests = meter.create_counter("revkit.requests", "{request}", "by outcome")
        self._tokens = meter.create_counter("revkit.tokens", "{token}", "tokens by type")
        self._usd = meter.create_counter("revkit.cost", "{USD}", "US dollars, where known")
        self._flying = meter.create_up_down_counter("revkit.requests.in_flight", "{request}")
        self._seconds = meter.create_histogram(
            "revkit.request.duration",
            "s",
            "seconds between request and answer",
            explicit_bucket_boundaries_advisory=[*_BOUNDS, *_LONGER],
        )
        self._oldest = meter.create_gauge("revkit.request.oldest", "s", "oldest one in flight")
        self._left = {
            f"left_{unit}": meter.create_gauge(f"revkit.budget.left.{unit}", f"{{{unit}}}")
            for unit in ("usd", "calls", "tokens")
        }

    def take(self, event: Event) -> None:
        """Begin or end a span, and count."""
        if event.name == "state":
            self._oldest.set(float(event.facts["oldest_seconds"] or 0))
            self._budget(event.facts)
        elif event.name == "request":
            self._request(event)
        elif event.phase == "begin":
            self._begin(event)
        else:
            self._end(event)

    def _begin(self, event: Event) -> None:
        with self._lock:
            parent = self._spans.get(event.parent)
        context = None if parent is None else trace.set_span_in_context(parent)
        span = self._tracer.start_span(
            f"revkit.{event.name}",
            context,
            attributes=_attributes(event.facts),
            start_time=int(event.moment * 1e9),
        )
        with self._lock:
            self._spans[event.number] = span

    def _end(self, event: Event) -> None:
        with self._lock:
            span = self._spans.pop(event.number)
        outcome = event.facts.get("outcome")
        if event.name == "call":
            self._calls.add(1, _attributes(event.facts, "model", "agent", "outcome"))
            if "requests" not in event.facts:  # answered from a batch
                self._spent(event.facts)
        span.set_attributes(_attributes(event.facts))
        if outcome not in (None, "answered", "batched"):
            span.set_status(Status(StatusCode.ERROR))
        span.end(int(event.moment * 1e9))

    def _request(self, event: Event) -> None:
        facts = event.facts
        about = _attributes(facts, "model", "agent")
        if event.phase == "begin":
            self._flying.add(1, about)
            return
        self._flying.add(-1, about)
        ended = _attributes(facts, "model", "agent", "outcome")
        self._requests.add(1, ended)
        self._seconds.record(float(facts["seconds"] or 0), ended)
        self._spent(facts)
        self._budget(facts)
        with self._lock:
            span = self._spans.get(event.parent)
        if span is not None:
            span.add_event("revkit.request", _attributes(facts), int(event.moment * 1e9))

    def _spent(self, facts: Mapping[str, Fact]) -> None:
        about = _attributes(facts, "model", "agent")
        for kind, name in (("input", "prompt_tokens"), ("output", "completion_tokens")):
            if (count := facts.get(name)) is not None:
                self._tokens.add(int(count), {**about, "gen_ai.token.type": kind})
        if (usd := facts.get("usd")) is not None:
            self._usd.add(float(usd), about)

    def _budget(self, facts: Mapping[str, Fact]) -> None:
        for name, gauge in self._left.items():
            if (left := facts.get(name)) is not None:
                gauge.set(float(left))

    def close(self) -> None:
        """Export what is left, for at most ten seconds."""
        thread = threading.Thread(target=self._shut, name="revkit-telemetry", daemon=True)
        thread.start()
        thread.join(_PATIENCE)
        if thread.is_alive():
            self._complaints.report("exporting did not end in time")
        self._complaints.close()

    def _shut(self) -> None:
        for provider in (self._tracers, self._meters):
            try:
                provider.shutdown()
            except Exception as error:
                self._complaints.report(type(error).__name__)


class _Complaints(logging.Handler):
    """Reduces what the SDK and its exporters log to one warning: they retry, and log each time."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self._said = False
        self._logger = logging.getLogger("opentelemetry")
        self._before = self._logger.propagate
        self._logger.propagate = False
        self._logger.addHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        # A short interval can end while the reader is being set up; nothing has been exported yet.
        if "until it is registered" in record.getMessage():
            return
        kind = record.exc_info[0] if record.exc_info else None
        words = record.getMessage().split()
        text = " ".join("..." if _ADDRESS.search(word) else word for word in words)
        self.report(kind.__name__ if kind else text[:200])

    def report(self, text: str) -> None:
        """Print the first complaint."""
        if not self._said:
            self._said = True
            warn(f"OpenTelemetry could not export ({text}); later failures are not shown")

    def close(self) -> None:
        self._logger.removeHandler(self)
        self._logger.propagate = self._before
        super().close()


def telemetry_from_environment() -> Telemetry:
    """Return telemetry for the exporters that OTEL_TRACES_EXPORTER and OTEL_METRICS_EXPORTER name:
    "otlp" (the default), "console" (on standard error), "none", or one of an installed package.
    Raises LookupError where none is installed under that name.
    """
    processors = [
        BatchSpanProcessor(_exporter("traces", name)) for name in _named("OTEL_TRACES_EXPORTER")
    ]
    readers = [
        PeriodicExportingMetricReader(_exporter("metrics", name))
        for name in _named("OTEL_METRICS_EXPORTER")
    ]
    return Telemetry(processors, readers)


def _named(variable: str) -> list[str]:
    names = [name.strip() for name in os.environ.get(variable, "otlp").split(",")]
    return [name for name in names if name and name != "none"]


def _exporter(what: str, name: str) -> Any:
    """Return the exporter ``name`` in the way in which the SDK finds it: by its entry point."""
    if name == "otlp":
        protocol = os.environ.get("OTEL_EXPORTER_OTLP_PROTOCOL", "http/protobuf")
        name = "otlp_proto_grpc" if protocol == "grpc" else "otlp_proto_http"
    for point in entry_points(group=f"opentelemetry_{what}_exporter", name=name):
        made = point.load()
        # Standard output belongs to the command.
        return made(out=sys.stderr) if name == "console" else made()
    raise LookupError(f"no exporter {name!r} is installed for {what}")


def _attributes(facts: Mapping[str, Fact], *names: str) -> dict[str, Any]:
    """The facts that are known, under the names of the conventions."""
    return {
        _NAMES.get(name, f"revkit.{name}"): value
        for name, value in facts.items()
        if value is not None and (not names or name in names)
    }
