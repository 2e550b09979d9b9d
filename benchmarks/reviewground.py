"""ReviewGrounder: one review beside the longest chain of its calls, at 200 ms a call.

The server runs on the same processors. The chain is drafter, audit, aggregator; with a finding it
has a correction, too. Keywords, search and debriefs run beside the first two. Then the beginning
that prompts share, as a part of all prompts.
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
_CASES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("as it comes", {}),
    ("8 connections", {"max-connections": 8}),
    ("through litellm", {"transport": "litellm"}),
)


def main() -> None:
    """Measure and print."""
    filler = "A gate keeps what matters and drops what does not. " * 900
    paper = tiny_papers()[0].blind()
    long = Paper("long", paper.text + f"\n\n## Appendix\n\n{filler}\n", paper.title)
    rows = []
    for how, settings in _CASES:
        for name, wrong, calls in (("no finding", False, 3), ("one correction", True, 4)):
            for text, each in (("300 words", paper), ("9,000 words", long)):
                walls, bodies = _walls(each, wrong, settings)
                wall, ideal = statistics.median(walls), calls * LATENCY
                rows.append(
                    (
                        f"{how}, {name}, {text}",
                        str(len(bodies)),
                        f"{ideal:.2f}",
                        f"{wall:.3f}",
                        f"{wall / ideal:.2f}x",
                    )
                )
    table(("review", "calls", "longest chain s", "wall s, median", "wall by chain"), rows)
    print()
    _shared((("300 words", paper), ("9,000 words", long)))


def _walls(
    paper: Paper, wrong: bool, settings: dict[str, Any]
) -> tuple[list[float], list[dict[str, Any]]]:
    """The seconds of each review but the first, which imports and connects; one review's calls."""

    def reply(body: dict[str, Any]) -> str:
        role = role_in(body)
        return json.dumps(_FALSE if wrong and role == "aggregator" else ANSWERS[role])

    agent = ReviewGrounder(model="openai/mock")
    walls = []
    with LlmServer(latency=LATENCY, reply=reply) as server:
        found = llm_from_options({"default": {"base-url": server.url, **settings}})
        with ModelGateway(found, Store(None)) as gateway:
            services = Services(
                complete=gateway.asker("grounder"),
                gather=gateway.gather,
                search=lambda query, limit: _WORKS[:limit],
            )
            for repeat in range(RUNS + 1):
                started = time.perf_counter()
                agent.review(paper, Context(1, services, agent.uses, repeat))
                walls.append(time.perf_counter() - started)
                if repeat == 0:
                    bodies = list(server.bodies)
        return walls[1:], bodies


def _shared(papers: tuple[tuple[str, Paper], ...]) -> None:
    """How much of all prompts of a review are beginnings that an earlier prompt of it had."""
    rows = []
    for text, paper in papers:
        _, bodies = _walls(paper, True, {})
        groups: dict[bool, list[str]] = {True: [], False: []}
        for body in bodies:
            whole = role_in(body) not in ("searcher", "summarizer")
            groups[whole].append("\n".join(each["content"] for each in body["messages"]))
        size = sum(len(prompt) for prompts in groups.values() for prompt in prompts)
        again = 0
        lengths = []
        for prompts in groups.values():
            lengths.append(_beginning(prompts))
            again += lengths[-1] * (len(prompts) - 1)
        rows.append(
            (text, len(bodies), f"{size:,}", *map("{:,}".format, lengths), f"{again / size:.0%}")
        )
    table(
        (
            "paper",
            "calls",
            "characters of all prompts",
            "shared by those with the paper",
            "shared by those with its abstract and related work",
            "read again",
        ),
        rows,
    )


def _beginning(prompts: list[str]) -> int:
    """How many characters ``prompts`` have in common in front."""
    first, last = min(prompts), max(prompts)
    pairs = enumerate(zip(first, last, strict=False))
    return next((place for place, (one, other) in pairs if one != other), len(first))
