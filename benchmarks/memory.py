"""Memory: many generated papers through one family and one agent, without an embedding model."""

from __future__ import annotations

import tempfile
from pathlib import Path

from benchmarks.measure import process, revkit, table

SPEC = """
revkit: 1
name: many
corpus: {{use: synthetic, with: {{papers: {papers}}}}}
perturbations: {{hedging: hedging}}
agents: {{hedges: confidence-reader}}
metrics: [flip-rate]
reports: [terminal]
"""


def main() -> None:
    """Measure and print."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for papers in (1_000, 10_000):
            spec = Path(folder) / f"{papers}.yaml"
            spec.write_text(SPEC.format(papers=papers))
            command = revkit("run", str(spec), "--out", str(Path(folder) / f"run-{papers}"))
            cost = process(command, cwd=Path(folder))
            rows.append(
                (
                    f"{papers:,}",
                    f"{cost.wall:.0f}",
                    f"{1000 * cost.cpu / papers:.1f}",
                    f"{cost.peak:.0f}",
                    cost.code,
                )
            )
    table(("papers", "wall s", "CPU ms a paper", "peak MB", "exit code"), rows)
