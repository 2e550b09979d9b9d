"""Language models: the whole command `revkit run` against a local server that answers after 200 ms.

The server runs on the same processors. Papers have 3,100 words, replies about 300.
"""

from __future__ import annotations

import ast
import csv
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.llm_runs import LATENCY, Place, Server, write_papers
from benchmarks.measure import ROOT, table

# (papers, connections, runs)
CASES = ((1000, 50, 3), (1000, 200, 3), (5000, 50, 1), (20000, 200, 1))
_DATA = ROOT.parent / "shared" / "data"
_REVIEWS = "iclr2022_aiscientist/llm_reviews/*.csv"


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder:
        _whole(Path(folder))
        print()
        _killed(Path(folder))
        print()
        _real(Path(folder))


def _whole(folder: Path) -> None:
    """From nothing and again: medians; CPU also of the quickest run."""
    rows = []
    for papers, connections, runs in CASES:
        found = [_once(folder, papers, connections) for _ in range(runs)]
        middle = {key: statistics.median(each[key] for each in found) for key in found[0]}
        least = min(each["cpu"] for each in found)
        ideal = papers * LATENCY / connections
        rows.append(
            (
                f"{papers:,} at {connections}",
                f"{ideal:.1f}",
                f"{middle['calls']:.2f} ({middle['calls'] / ideal:.2f}x)",
                f"{middle['wall']:.2f}",
                f"{middle['peak']:.0f}",
                f"{1000 * middle['cpu'] / papers:.2f} ({1000 * least / papers:.2f})",
                f"{middle['memory']:.0f}",
                f"{middle['store'] / papers * 1000:.2f}",
                f"{middle['again']:.2f} ({middle['again cpu']:.2f})",
                f"{middle['requests']:.0f}",
            )
        )
    table(
        (
            "papers at connections",
            "ideal s",
            "calls phase s",
            "whole s",
            "peak in flight",
            "CPU ms a review (least)",
            "peak MB",
            "store MB a 1,000",
            "again, stored: s (CPU)",
            "requests then",
        ),
        rows,
    )


def _once(folder: Path, papers: int, connections: int) -> dict[str, float]:
    with Server() as server:
        place = _place(folder, server, papers, connections)
        first = place.run()
        counted = server.counts()
        assert counted["requests"] == papers, counted
        store = place.stored_megabytes()
        again = place.run()
        return {
            **first,
            "calls": counted["last"] - counted["first"],
            "peak": counted["peak"],
            "store": store,
            "again": again["wall"],
            "again cpu": again["cpu"],
            "requests": server.counts()["requests"],
        }


def _place(folder: Path, server: Server, papers: int, connections: int) -> Place:
    path = write_papers(folder, papers)
    corpus = f"{{use: jsonl, with: {{path: {path}}}}}"
    return Place(folder / "place", server.url, corpus, connections)


def _killed(folder: Path) -> None:
    """Killed at half of 1,000 at 50, then the same command again."""
    rows = []
    for _ in range(3):
        with Server() as server:
            place = _place(folder, server, 1000, 50)
            with place.start() as process:
                asked = 0.0
                while asked < 500:
                    time.sleep(0.02)
                    asked += server.counts()["requests"]
                process.kill()
            time.sleep(2 * LATENCY)
            server.counts()
            kept = place.stored_replies()
            started = time.time()
            place.run()
            counted = server.counts()
            repeated = counted["requests"] - (1000 - kept)
            delay = counted["first"] - started
            rows.append((kept, f"{counted['requests']:.0f}", f"{repeated:.0f}", f"{delay:.2f}"))
    header = ("replies recorded", "calls then", "recorded calls repeated", "s to the first call")
    table(header, rows)


def _review_texts() -> Iterator[str]:
    """The points of real reviews: cells that hold a list of texts, or a text of some length."""
    for path in sorted(_DATA.glob(_REVIEWS)):
        with path.open(encoding="utf-8", newline="") as file:
            for cell in (cell for row in csv.reader(file) for cell in row if len(cell) > 40):
                yield from ast.literal_eval(cell) if cell.startswith("[") else [cell]


def _real(folder: Path) -> None:
    """Reviews of real papers in the words of real reviews: alone, and with ten variants of each."""
    if not _DATA.is_dir():
        print("(no real papers here)")
        return
    text = folder / "reviews.txt"
    text.write_text("\n".join(_review_texts()), encoding="utf-8")
    rows = []
    corpus = f"{{use: markdown, with: {{path: {_DATA / 'markdown_papers'}}}}}"
    families = "{hedging: {use: hedging, variants: 10}}"
    for name, agents, perturbations in (("alone", 21, "{}"), ("with variants", 2, families)):
        with Server(text) as server:
            place = Place(
                folder / "place",
                server.url,
                corpus,
                50,
                agents=agents,
                perturbations=perturbations,
            )
            place.run()
            reviews = server.counts()["requests"]
            size = place.stored_megabytes()
        rows.append((name, f"{reviews:.0f}", f"{size:.2f}", f"{1000 * size / reviews:.2f}"))
    table(("real papers", "reviews", "store MB", "store MB a 1,000 reviews"), rows)


if __name__ == "__main__":
    main()
