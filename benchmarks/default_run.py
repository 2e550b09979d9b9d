"""The default run: 600 variants and 3,750 verdicts, from nothing and again unchanged."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from benchmarks.measure import ROOT, process, revkit, table


def main() -> None:
    """Measure and print."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        out, store = Path(folder) / "run", Path(folder) / "store.sqlite3"
        command = revkit(
            "run",
            str(ROOT / "experiments" / "robust.yaml"),
            "--out",
            str(out),
            "--store",
            str(store),
        )
        for name in ("from nothing", "again, unchanged", "again, unchanged"):
            cost = process(command, cwd=Path(folder))
            timing = json.loads((out / "provenance.json").read_text())["timing"]
            rows.append(
                (
                    name,
                    f"{cost.wall:.1f}",
                    f"{cost.cpu:.1f}",
                    f"{cost.peak:.0f}",
                    timing["items_computed"],
                    timing["texts_embedded"],
                    f"{timing['seconds_embedding']:.1f}",
                    f"{timing['seconds_tables_and_reports']:.1f}",
                    cost.code,
                )
            )
        size = store.stat().st_size / 1e6
    table(
        (
            "run",
            "wall s",
            "CPU s",
            "peak MB",
            "items computed",
            "texts embedded",
            "embedding, s (model load included)",
            "tables and reports, s",
            "exit code",
        ),
        rows,
    )
    print(f"\nThe store is {size:.1f} MB afterwards.")
