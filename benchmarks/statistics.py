"""Statistics: all metrics on 600 pairs x 5 agents with 10,000 bootstrap resamples."""

from __future__ import annotations

import random

from benchmarks.measure import median_call, table
from revkit import Labels, Metric, Scale
from revkit.model.records import (
    AgentRow,
    PaperRow,
    PerturbationRow,
    Records,
    VariantRow,
    Verdict,
)
from revkit.registry import load_registry

METRICS = (
    "flip-rate",
    "score-shift",
    "direction",
    "mcnemar",
    "clean-accuracy",
    "expectation",
    "outcomes",
)


def records(papers: int = 150, families: int = 4, agents: int = 5) -> Records:
    """Random verdicts that depend on the paper, as real ones do."""
    rng = random.Random(1)
    names = [f"agent-{number}" for number in range(agents)]
    family_names = [f"family-{number}" for number in range(families)]
    verdicts = []
    for number in range(papers):
        quality = rng.random()
        for name in names:
            for family in ("", *family_names):
                score = min(10, max(1, round(10 * quality + rng.gauss(0, 1.5))))
                verdicts.append(Verdict(name, f"p{number}", family, 0, 0, score >= 6, score))
    ids = [f"p{number}" for number in range(papers)]
    return Records(
        seed=1,
        repeats=1,
        papers=[PaperRow(i, Labels(accept=rng.random() < 0.5, quality=rng.random())) for i in ids],
        perturbations=[PerturbationRow(name, name, "invariant") for name in family_names],
        agents=[AgentRow(name, name, Scale("1-10", 1, 10), True) for name in names],
        variants=[VariantRow(i, name, 0, 3, 0, ()) for i in ids for name in family_names],
        verdicts=verdicts,
    )


def main() -> None:
    """Measure and print."""
    registry = load_registry()
    rows = records()
    total = 0.0
    lines = []
    for name in METRICS:
        metric = registry.get("metric", name).component()
        assert isinstance(metric, Metric)
        seconds = median_call(lambda metric=metric: metric.measure(rows), runs=3)  # type: ignore[misc]
        total += seconds
        lines.append((name, f"{seconds:.3f}"))
    table(("metric", "CPU s"), [*lines, ("all", f"{total:.3f}")])
