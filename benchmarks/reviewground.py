"""ReviewGrounder: one review beside the longest chain of its calls, at 200 ms a call.

The server runs on the same processors. The chain is drafter, audit, aggregator; with a finding it
has a correction, too. Keywords, search and debriefs run beside the first two.
"""

from __future__ import annotations

import json
import statistics
import time
from typing import Any

from benchmarks.measure import table
from revkit.cache import Store
from revkit.contracts import Context, Services
from revkit.model.paper import Paper
from revkit.model.work import Work
from revkit.model_settings import llm_from_options
from revkit.services.llm import ModelGateway
from revkit.testing import tiny_papers
from revkit_reviewground.agent import ReviewGrounder
from tests.llm_server.server import LlmServer
from tests.plugins.revkit_reviewground.scripted import ANSWERS, FINAL, role_in

LATENCY = 0.2
RUNS = 15
_WORKS = [
    Work(f"Work {name}", year=2024, abstract="It studies gates. " * 60, score=1.0)
    for name in "abcdefghij"
]
_FALSE = {**FINAL, "weaknesses": ['It says "we never tested any of it at all".']}


def main() -> None:
    """Measure and print."""
    filler = "A gate keeps what matters and drops what does not. " * 900
    paper = tiny_papers()[0].blind()
    long = Paper("long", paper.text + f"\n\n## Appendix\n\n{filler}\n", paper.title)
    rows = []
    for name, wrong, calls in (("no finding", False, 3), ("one correction", True, 4)):
        for text, each in (("300 words", paper), ("9,000 words", long)):
            walls, asked = _walls(each, wrong)
            wall, ideal = statistics.median(walls), calls * LATENCY
            rows.append(
                (
                    f"{name}, {text}",
                    str(asked),
                    f"{ideal:.2f}",
                    f"{wall:.3f}",
                    f"{wall / ideal:.2f}x",
                )
            )
    table(("review", "calls", "longest chain s", "wall s, median", "wall by chain"), rows)


def _walls(paper: Paper, wrong: bool) -> tuple[list[float], int]:
    def reply(body: dict[str, Any]) -> str:
        role = role_in(body)
        return json.dumps(_FALSE if wrong and role == "aggregator" else ANSWERS[role])

    agent = ReviewGrounder(model="openai/mock")
    walls = []
    with LlmServer(latency=LATENCY, reply=reply) as server:
        settings = llm_from_options({"default": {"base-url": server.url, "max-connections": 32}})
        with ModelGateway(settings, Store(None)) as gateway:
            services = Services(
                complete=gateway.asker("grounder"),
                gather=gateway.gather,
                search=lambda query, limit: _WORKS[:limit],
            )
            for repeat in range(RUNS + 1):
                started = time.perf_counter()
                agent.review(paper, Context(1, services, agent.uses, repeat))
                walls.append(time.perf_counter() - started)
        return walls[1:], server.requests // (RUNS + 1)  # the first one imports and connects
