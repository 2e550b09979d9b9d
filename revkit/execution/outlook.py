"""The outlook of a run: how long its calls take, what limits them, and how much disk it needs.

The time is that of a queue: each call holds one of the connections for its latency, requests and
tokens of a minute are limited, and one process has one processor. The slowest of these decides. It
holds for the calls of one process; making variants and embedding texts come on top.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from revkit.cache import Store
from revkit.dataclass import dataclass
from revkit.execution.estimate import Forecast
from revkit.figures.numbers import count_of, list_names
from revkit.model.values import Json
from revkit.planning.plan import Plan
from revkit.spec import Experiment

ASSUMED_LATENCY = 10.0  # seconds; many hosted models write a review of some 400 words in 5 to 20
CALL_CPU = 0.003  # seconds of a processor for each call and its review (docs/performance.md)
# Measured by benchmarks/plan_check.py: rows and compressed texts, with the reply and the review.
_STORE_CALL, _STORE_TOKEN = 700.0, 2.3  # bytes
_FOLDER_REVIEW, _FOLDER_TOKEN, _FOLDER_PAPER = 600.0, 4.5, 600.0
_WINDOW = 24.0  # hours that a batch may take
_SHOWN = 3  # limits besides the first one, and agents
_MEASURE = "measure it with --limit 20"
_MEASURED = 20  # calls from which a mean latency in the store counts


@dataclass(frozen=True)
class Limit:
    """What limits the calls: seconds that they take at least because of it, and its name."""

    seconds: float
    name: str


@dataclass(frozen=True)
class Outlook:
    """The time of the calls in seconds with the limits, the slowest first, the bytes of the store
    and of the run folder at most, and the mean latency of a call with its source.

    ``left_out`` names what takes time and is not in these seconds.
    ``first_look`` is the number of calls up to the first look of ``stop-when``, if there is one.
    """

    limits: tuple[Limit, ...]
    store_bytes: float
    folder_bytes: float
    latency: Mapping[str, float]
    measured: bool
    batch: bool
    first_look: int | None = None
    left_out: tuple[str, ...] = ()

    @property
    def seconds(self) -> float:
        """The time that the calls take."""
        return self.limits[0].seconds if self.limits else 0.0

    def to_json(self) -> dict[str, Json]:
        return {
            "seconds": self.seconds,
            "limits": [[each.name, each.seconds] for each in self.limits],
            "store_bytes": self.store_bytes,
            "folder_bytes": self.folder_bytes,
            "latency": dict(self.latency),
            "latency_measured": self.measured,
            "first_look_calls": self.first_look,
            "left_out": list(self.left_out),
        }

    def text(self) -> str:
        """Return the outlook as text."""
        lines = []
        source = "measured in this store" if self.measured else "assumed, see --latency"
        if self.limits:
            first, *others = self.limits
            lines.append(
                f"time of calls about {_duration(first.seconds)} by single calls, limited by "
                f"{first.name}"
            )
            if others:
                shown = others[:_SHOWN]
                rest = ", ".join(f"{each.name} {_duration(each.seconds)}" for each in shown)
                lines.append(f"{'':<14}other limits: {rest}")
            if self.latency:
                mean = sum(self.latency.values()) / len(self.latency)
                lines.append(f"{'':<14}with {mean:g} s a call ({source})")
            used = "" if self.batch else " (batch: true)"
            lines.append(f"{'':<14}in batches{used}: up to {_WINDOW:g} h for each round of calls")
            if self.left_out:
                lines.append(f"{'':<14}not included: {'; '.join(self.left_out)} ({_MEASURE})")
        lines.append(
            f"disk          at most {_size(self.store_bytes + self.folder_bytes)}: store "
            f"{_size(self.store_bytes)}, run folder {_size(self.folder_bytes)}"
        )
        if self.first_look is not None:
            lines.append(f"stop-when     from {self.first_look:,} calls on (first look)")
        return "\n".join(lines) + "\n"


def left_out_of(experiment: Experiment, plan: Plan) -> tuple[str, ...]:
    """What takes time beside the calls of language models: making variants, and the reviews of
    agents that call no model."""
    found = []
    if plan.variants is None and experiment.makes_variants:
        found.append("making variants")
    elif plan.variants:
        found.append(f"making {count_of(plan.variants, 'variant')}")
    names = [
        name for name, step in experiment.agent_steps.items() if "llm" not in step.component.uses
    ]
    if names:
        more = [f"{len(names) - _SHOWN} more"] if len(names) > _SHOWN else []
        found.append(f"the reviews of {list_names([*names[:_SHOWN], *more])}")
    return tuple(found)


def time_unknown(left_out: Sequence[str]) -> str:
    """The line of a plan without calls of language models."""
    return f"time          not estimated: {'; '.join(left_out)} ({_MEASURE})\n" if left_out else ""


def outlook_of(
    experiment: Experiment,
    plan: Plan,
    forecast: Forecast,
    store: Path | None = None,
    latency: float | None = None,
) -> Outlook | None:
    """Return the outlook of a run in one process; None if its calls are unknown.

    ``latency`` is the mean time of a call in seconds; by default the mean of each model in the file
    ``store``, where it has answered at least 20 calls, or else 10 s.
    """
    if forecast.calls is None or plan.papers is None:
        return None
    known = {} if latency is not None else _latencies(store)
    used = {
        each.model: known.get(each.model, ASSUMED_LATENCY if latency is None else latency)
        for each in forecast.models
    }
    tokens = forecast.most_reply_tokens or 0
    reviews = (plan.reviews or 0) + (plan.judgements or 0)
    texts = plan.papers + (plan.variants or 0)
    return Outlook(
        tuple(_limits(experiment, forecast, used)),
        _STORE_CALL * forecast.calls + _STORE_TOKEN * tokens,
        plan.papers * forecast.paper_bytes
        + texts * _FOLDER_PAPER
        + reviews * _FOLDER_REVIEW
        + tokens * _FOLDER_TOKEN,
        used,
        latency is None and bool(used) and all(model in known for model in used),
        experiment.llm.batches,
        _first_look(experiment, plan.papers, forecast.calls),
        left_out_of(experiment, plan),
    )


def _limits(
    experiment: Experiment, forecast: Forecast, latency: Mapping[str, float]
) -> list[Limit]:
    """Return what limits the calls, the slowest first."""
    llm = experiment.llm
    threads = max(experiment.workers, llm.most_connections)
    found = [Limit(forecast.calls * CALL_CPU if forecast.calls else 0.0, "one processor")]
    waiting = sum(each.calls * latency[each.model] for each in forecast.models)
    if len(forecast.models) > 1:
        found.append(Limit(waiting / threads, f"{threads} threads"))
    for each in forecast.models:
        settings = llm.of(each.model)
        took = latency[each.model]
        connections = settings.max_connections
        found.append(
            Limit(each.calls * took / connections, f"{connections} connections of {each.model}")
        )
        if settings.requests_per_minute is not None:
            seconds = 60 * each.calls / settings.requests_per_minute
            name = f"{settings.requests_per_minute:g} requests a minute of {each.model}"
            found.append(Limit(seconds, name))
        if settings.tokens_per_minute is not None:
            seconds = 60 * each.tokens / settings.tokens_per_minute
            name = f"{settings.tokens_per_minute:g} tokens a minute of {each.model}"
            found.append(Limit(seconds, name))
    return sorted(found, key=lambda limit: (-limit.seconds, limit.name))


def _latencies(store: Path | None) -> dict[str, float]:
    if store is None or not store.is_file():
        return {}
    with Store(store) as found:
        rows = found.query(
            "SELECT model, avg(seconds), count(seconds) FROM attempt WHERE outcome = 'answered'"
            " GROUP BY model",
            (),
        )
    return {model: float(mean) for model, mean, count in rows if count >= _MEASURED and mean}


def _first_look(experiment: Experiment, papers: int, calls: int) -> int | None:
    stop = experiment.stop_when
    if stop is None:
        return None
    portion = next(iter(stop.portions()))
    return round(calls * min(1.0, portion / papers)) if papers else 0


def _duration(seconds: float) -> str:
    if seconds < 60:
        return f"{seconds:.1f} s"
    if seconds < 3600:
        return f"{seconds / 60:.0f} min"
    if seconds < 72 * 3600:
        return f"{seconds / 3600:.1f} h"
    return f"{seconds / 86400:.1f} days"


def _size(count: float) -> str:
    return f"{count / 1e9:.1f} GB" if count >= 1e9 else f"{count / 1e6:.1f} MB"
