"""The local index on 100,000 works: how long it takes to read, to index, and to answer."""

from __future__ import annotations

import json
import random
import resource
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.measure import median_call, table
from revkit.contracts import Context, Services
from revkit_searchers.collection import read_collection
from revkit_searchers.local_index import LocalIndex

WORKS = 100_000
QUERIES = 100
DIMENSIONS = 384
_WORDS = 60_000


def _written(path: Path, rng: random.Random) -> list[str]:
    """Works of nonsense words whose frequencies fall as those of a language do; some queries."""
    words = [f"w{number}x" for number in range(_WORDS)]
    weights = [1 / (rank + 3) for rank in range(_WORDS)]
    stream = iter(rng.choices(words, weights, k=WORKS * 110))
    with path.open("w", encoding="utf-8") as file:
        for number in range(WORKS):
            title = " ".join(next(stream) for _ in range(10))
            abstract = " ".join(next(stream) for _ in range(100))
            row = {"title": title, "abstract": abstract, "year": 2000 + number % 26}
            file.write(json.dumps({**row, "authors": [f"A. N{number % 5000}"]}) + "\n")
    return [" ".join(rng.choices(words, weights, k=4)) for _ in range(QUERIES)]


def _embed(texts: Any) -> Any:
    """Vectors that cost nothing: what is measured is the index."""
    import numpy

    rows = numpy.random.default_rng(len(texts)).standard_normal((len(texts), DIMENSIONS))
    rows /= numpy.linalg.norm(rows, axis=1, keepdims=True)
    return rows.astype(numpy.float32)


def main() -> None:
    """Measure and print."""
    rng = random.Random(1)
    rows: list[tuple[object, ...]] = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "works.jsonl"
        queries = _written(path, rng)
        started = time.process_time()
        read_collection([str(path)])
        rows.append(("reading and merging", f"{time.process_time() - started:.1f} s"))
        ctx = Context(services=Services(embed=_embed))
        by_words = LocalIndex(paths=(str(path),), embeddings=False)
        started = time.process_time()
        by_words.search(queries[0], 10, ctx)
        rows.append(("indexing and the first answer", f"{time.process_time() - started:.1f} s"))
        both = LocalIndex(paths=(str(path),))
        both.search(queries[0], 10, ctx)
        for name, index in (("BM25", by_words), ("BM25 and embeddings", both)):

            def ask(index: LocalIndex = index) -> None:
                for query in queries:
                    index.search(query, 10, ctx)

            seconds = median_call(ask, runs=3) / QUERIES
            rows.append((f"{name}: queries per CPU second", f"{1 / seconds:,.0f}"))
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        rows.append(("peak memory, both indexes", f"{peak:,.0f} MB"))
    table((f"{WORKS:,} works of 110 words", "figure"), rows)
