"""Many papers: short papers in JSON Lines, one control agent, one metric, one report."""

from __future__ import annotations

import json
import random
import tempfile
from pathlib import Path

from benchmarks.measure import process, revkit, table

SIZES = (1_000, 20_000, 50_000)
WORDS = 110
SPEC = """
revkit: 1
name: many-papers
corpus: {{use: jsonl, with: {{path: {papers}}}}}
agents: {{hedges: confidence-reader}}
metrics: [outcomes]
reports: [terminal]
"""
_VOCABULARY = """we show that the method may improve results on several tasks and compare it with
earlier work the data suggest a clear effect of size which the model explains with few parameters"""


def write_papers(path: Path, papers: int) -> None:
    """Write ``papers`` different papers of `WORDS` words, one a line."""
    known = _VOCABULARY.split()
    with path.open("w", encoding="utf-8") as file:
        for number in range(papers):
            draw = random.Random(number)
            words = [draw.choice(known) for _ in range(WORDS - 3)]
            text = f"# Paper {number}\n\n{' '.join(words).capitalize()}.\n"
            row = {"id": f"p{number}", "title": f"Paper {number}", "text": text}
            file.write(json.dumps(row) + "\n")


def main() -> None:
    """Measure and print."""
    rows = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for size in SIZES:
            papers, spec = folder / f"{size}.jsonl", folder / f"{size}.yaml"
            write_papers(papers, size)
            spec.write_text(SPEC.format(papers=papers))
            out, store = folder / f"run-{size}", folder / f"{size}.sqlite3"
            command = revkit("run", str(spec), "--out", str(out), "--store", str(store))
            first, again = process(command, cwd=folder), process(command, cwd=folder)
            whole = sum(each.stat().st_size for each in out.rglob("*") if each.is_file())
            rows.append(
                (
                    f"{size:,}",
                    f"{first.cpu:.0f}",
                    f"{first.wall:.0f}",
                    f"{first.peak:.0f}",
                    f"{again.cpu:.0f}",
                    f"{again.peak:.0f}",
                    f"{store.stat().st_size / 1e6:.0f}",
                    f"{whole / 1e6:.0f}",
                    max(first.code, again.code),
                )
            )
    header = (
        "papers", "CPU s", "wall s", "peak MB", "again, stored: CPU s", "peak MB then", "store MB",
        "folder MB", "exit code",
    )  # fmt: skip
    table(header, rows)
