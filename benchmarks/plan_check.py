"""The plan of a large run: its time against a simulation and against runs that fit here.

The simulation is of discrete events: a call waits for a connection and for its turn in the limit
of requests, takes the latency of the server, and then holds the one processor until its reply is
read and stored. The time of a run is that from the first request to the last answer.
"""

from __future__ import annotations

import heapq
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from benchmarks.llm_runs import Place, Server, write_papers
from benchmarks.measure import table
from revkit import api
from revkit.cache import Store
from revkit.contracts import Context, Corpus
from revkit.execution.outlook import ASSUMED_LATENCY, CALL_CPU
from revkit.model.paper import Paper
from revkit.places import STORE

# Papers, connections, requests a minute: what limits the run differs.
CASES = ((300, 10, None), (600, 25, None), (400, 50, 1500), (300, 16, 600))
SUBMISSIONS, WORDS, AGENTS = 20_000, 8_000, 5
FAMILIES = (
    "paraphrase", "citation-injection", "hedging", "length", "instruction-injection",
    "presentation", "worse-values", "table-layout",
)  # fmt: skip


def simulate(
    calls: int,
    connections: int,
    latency: float,
    per_minute: float | None = None,
    cpu: float = CALL_CPU,
) -> float:
    """Return the seconds from the first request until the last reply is stored."""
    interval = 0.0 if per_minute is None else 60.0 / per_minute
    free_from = -1.0  # a second's worth of requests may be sent at once
    processor = 0.0
    waiting = calls
    # Times at which a connection becomes free, and at which an answer arrives.
    events: list[tuple[float, str]] = [(0.0, "free")] * min(connections, calls)
    heapq.heapify(events)
    while events:
        now, kind = heapq.heappop(events)
        if kind == "answer":
            processor = max(processor, now) + cpu
            heapq.heappush(events, (processor, "free"))
            continue
        if not waiting:
            continue
        waiting -= 1
        turn = max(free_from, now - 1.0)
        free_from = turn + interval
        heapq.heappush(events, (max(now, turn) + latency, "answer"))
    return processor


@dataclass(frozen=True)
class Submissions(Corpus):
    """Papers of `WORDS` words, as many as a large venue gets."""

    name: ClassVar[str] = "submissions"

    def papers(self, ctx: Context) -> Iterator[Paper]:
        """Yield the papers."""
        for number in range(SUBMISSIONS):
            text = " ".join(f"word{(number + place) % 977}" for place in range(WORDS))
            yield Paper(f"p{number}", f"# Paper {number}\n\n{text}.\n")

    def count(self) -> int:
        """How many there are."""
        return SUBMISSIONS


def main() -> None:
    """Measure and print."""
    _measured()
    print()
    _large()


def _measured() -> None:
    rows = []
    with tempfile.TemporaryDirectory() as name, Server() as server:
        folder = Path(name)
        for papers, connections, per_minute in CASES:
            path = write_papers(folder, papers)
            corpus = f"{{use: jsonl, with: {{path: {path}}}}}"
            place = Place(folder / "run", server.url, corpus, connections)
            spec = place.folder / "spec.yaml"
            text = f"{spec.read_text()}limit: {papers}\n"  # a file of papers states no count
            if per_minute is not None:
                limited = f"max-connections: {connections}, requests-per-minute: {per_minute}"
                text = text.replace(f"max-connections: {connections}", limited)
            spec.write_text(text)
            latency = _latency(place, text, connections)
            server.counts()
            place.run()
            counted = server.counts()
            took = counted["last"] - counted["first"]
            forecast = api.forecast(spec)
            assert forecast is not None
            plan = api.outlook(spec, forecast, latency=latency)
            assert plan is not None
            simulated = simulate(papers, connections, latency, per_minute)
            kept = sum(p.stat().st_size for p in (place.folder / "run").rglob("*") if p.is_file())
            rows.append(
                (
                    papers,
                    connections,
                    per_minute or "none",
                    f"{1000 * latency:.0f}",
                    plan.limits[0].name.partition(" of ")[0],
                    f"{plan.seconds:.1f}",
                    f"{simulated:.1f}",
                    f"{took:.1f}",
                    f"{plan.seconds / took - 1:+.1%}",
                    f"{place.stored_megabytes():.2f}",
                    f"{kept / 1e6:.2f}",
                )
            )
    header = (
        "calls", "connections", "requests a minute", "a call, ms", "limit", "plan, s",
        "simulated, s", "measured, s", "plan against measured", "store MB", "folder MB",
    )  # fmt: skip
    table(header, rows)


def _latency(place: Place, text: str, connections: int) -> float:
    """Return the mean time of a call in a first run of a few papers, as its store has it: other
    programs and the client itself make it longer than that of the server.
    """
    spec, few = place.folder / "spec.yaml", 4 * connections
    spec.write_text(text.replace("limit: ", f"limit: {few} # "))
    place.run()
    with Store(place.folder / STORE) as store:
        [(mean,)] = store.query("SELECT avg(seconds) FROM attempt", ())
    shutil.rmtree(place.folder / ".revkit")
    shutil.rmtree(place.folder / "run")
    spec.write_text(text)
    return float(mean)


def _large() -> None:
    """Print the plan of 20,000 submissions, five agents, and eight families besides clean."""
    models = [f"openai/gpt-{name}" for name in ("4.1", "4.1-mini", "4o", "4o-mini", "5-mini")]
    spec = {
        "revkit": 1,
        "name": "venue",
        "corpus": "submissions",
        "perturbations": {name: name for name in FAMILIES},
        "agents": {
            model.partition("/")[2]: {
                "use": "llm",
                "with": {"model": model, "form": "iclr", "max-tokens": 800},
            }
            for model in models[:AGENTS]
        },
        "metrics": ["flip-rate", "outcomes"],
        "reports": ["terminal"],
        "workers": 50 * AGENTS,
        "services": {"llm": {"default": {"max-connections": 50, "requests-per-minute": 500}}},
        "stop-when": {"all": [f"flip_rate[{models[0][7:]}] <= 10 %"]},
    }
    plan = api.plan(spec, plugins=[Submissions])
    forecast = api.forecast(spec, plugins=[Submissions])
    assert forecast is not None
    outlook = api.outlook(spec, forecast, plugins=[Submissions])
    assert outlook is not None
    print(f"papers {plan.papers:,}, variants {plan.variants:,}, reviews {plan.reviews:,}\n")
    print(forecast.text())
    print(outlook.text())
    each = (forecast.calls or 0) // AGENTS
    seconds = simulate(each, 50, ASSUMED_LATENCY, 500, CALL_CPU * AGENTS)
    print(
        f"simulated: {each:,} calls of each model at 50 connections and 500 requests a minute, "
        f"{seconds / 3600:.1f} h; plan {outlook.seconds / 3600:.1f} h "
        f"({outlook.seconds / seconds - 1:+.1%})"
    )


if __name__ == "__main__":
    main()
