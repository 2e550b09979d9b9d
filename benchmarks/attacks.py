"""Attacks: CPU milliseconds of revkit for each query, with an agent that takes no time."""

from __future__ import annotations

import statistics
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from benchmarks.families import long_papers
from benchmarks.measure import table
from revkit.execution import run_experiment
from revkit.registry import load_registry
from revkit.spec import Experiment, load_experiment

STRATEGIES = ("best-of-n", "greedy", "beam", "bandit", "evolution", "square", "decision-boundary")
BUDGET = 200


def experiment(folder: Path, strategy: str) -> Experiment:
    """A search that never succeeds: the agent accepts whatever it sees."""
    spec = {
        "revkit": 1,
        "name": "overhead",
        "corpus": {"use": "markdown", "with": {"path": str(folder)}},
        "perturbations": {
            "paraphrase": {"use": "paraphrase", "with": {"parser": "never"}},
            "hedging": "hedging",
            "length": "length",
        },
        "agents": {"constant": "constant"},
        "attack": {"goal": "reject", "sees": "score", "budget": BUDGET, "baseline": strategy},
        "workers": 1,
    }
    return load_experiment(spec, load_registry())


def seconds_for(found: Experiment, place: Path, name: str) -> tuple[float, int]:
    """The CPU seconds of a run whose variants and clean reviews are stored, and its queries."""
    before = time.process_time()
    run = run_experiment(found, out=place / name, store=place / "store.sqlite3")
    seconds = time.process_time() - before
    rows = run.records.attack.rows if run.records.attack else ()
    return seconds, sum(row.queries for row in rows)


def main() -> None:
    """Measure and print."""
    rows = []
    with tempfile.TemporaryDirectory() as temporary:
        place = Path(temporary)
        folder = place / "papers"
        folder.mkdir()
        for number, text in enumerate(long_papers(3)):
            (folder / f"p{number}.md").write_text(text, encoding="utf-8")
        for strategy in STRATEGIES:
            found = experiment(folder, strategy)
            values = []
            for repeat in range(3):
                once = replace(found, seed=repeat)
                seconds_for(replace(once, attack=None), place, f"{strategy}{repeat}first")
                base, _ = seconds_for(replace(once, attack=None), place, f"{strategy}{repeat}again")
                whole, queries = seconds_for(once, place, f"{strategy}{repeat}")
                values.append(1000 * (whole - base) / max(1, queries))
            rows.append((strategy, f"{queries:,}", f"{statistics.median(values):.2f}"))
    table(("strategy", "queries", "CPU ms a query"), rows)
