"""Draw the charts of the page gallery.md: ``python docs/gallery.py`` takes some minutes."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "examples" / "gallery"
EDITS: dict[str, Any] = {
    "name": "edits",
    "seed": 20260428,
    "corpus": {"use": "synthetic", "with": {"papers": 60}},
    "perturbations": {
        "citations": {"use": "citation-injection", "with": {"sources": ["pool"]}},
        "hedging": {"use": "hedging", "with": {"mode": "either"}},
        "length": {"use": "length", "with": {"ratios": [0.7, 1.3]}},
    },
    "agents": {
        "evidence": "evidence-weigher",
        "keywords": "keyword-reader",
        "length": "length-reader",
        "hedges": "confidence-reader",
        "citations": "citation-counter",
    },
    "metrics": ["flip-rate", "direction", "threshold-sweep", "dose-response", "clean-accuracy"],
}
# By the experiment: its changed values, and for each chart the table and the number in the table.
CHARTS: dict[Any, tuple[tuple[str, ...], tuple[tuple[str, int], ...]]] = {
    "edits": (
        (),
        (("flip-rate", 1), ("direction", 1), ("threshold-sweep", 1), ("dose-response", 1)),
    ),
    "asc": (("corpus.with.papers=120",), (("calibration", 1), ("calibration-curve", 1))),
    "yescieval": (("corpus.with.count=20",), (("rubric-matrix", 1), ("rubric-detection", 1))),
}


def main() -> int:
    """Run the experiments, and write one SVG file for each chart."""
    import revkit

    FOLDER.mkdir(exist_ok=True)
    for name, (overrides, charts) in CHARTS.items():
        spec: Any = {"revkit": 1, **EDITS} if name == "edits" else name
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder)
            run = revkit.run(spec, overrides=overrides, out=place / "run", store=place / "store")
            for table, number in charts:
                run.figure(table, number).save(FOLDER / f"{table}-{number}.svg")
                print(f"{table} {number}")
    return 0


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent.parent))
    from tests import entry_points

    entry_points.use()
    sys.exit(main())
