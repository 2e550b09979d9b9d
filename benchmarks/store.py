"""The store of answers: ``python -m benchmarks.store [CALLS] [WRITERS ...]``.

Each of the WRITERS (default 1 and 4) is a process that does what a run does for a call of a
language model: the request is recorded, the reply of 300 words is stored, the end of the request
is recorded, and the review that was read from the reply is stored. All write to one file. Then
10,000 answers are read in random order, and the file is checked and merged into an empty one.
"""

from __future__ import annotations

import hashlib
import os
import random
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from benchmarks.llm_server import reply_to
from benchmarks.measure import table
from revkit.cache import Store
from revkit.cache.attempts import Attempts, Paid
from revkit.cache.maintenance import check_store
from revkit.model_settings import Cost

READS = 10_000


def _key(number: int, sort: str) -> bytes:
    return hashlib.sha256(f"{sort}/{number}".encode()).digest()


def _write(path: Path, first: int, last: int) -> float:
    """Store the calls from ``first`` to ``last``, and return the CPU seconds."""
    with Store(path) as store:
        attempts = Attempts(store, "benchmark")
        started = time.process_time()
        for number in range(first, last):
            key = _key(number, "reply")
            body = reply_to(random.Random(number).getrandbits(32), 20_000)
            attempt = attempts.sent("agents.mine", "openai/mock", key, Cost(1, 6000, 0.01))
            store.put(key, body)
            attempts.ended(attempt, "answered", Cost(1, 5500, 0.005), 0.2, Paid(5000, 500))
            store.put(_key(number, "review"), body.replace(b"chat.completion", b"review"), key)
        return time.process_time() - started


def _row(calls: int, writers: int, folder: Path) -> tuple[str, ...]:
    path = folder / f"store-{writers}.sqlite3"
    bounds = [calls * number // writers for number in range(writers + 1)]
    with ProcessPoolExecutor(writers, mp_context=get_context("spawn")) as pool:
        list(pool.map(_key, range(writers), ["start"] * writers))  # imports are not measured
        started = time.perf_counter()
        spent = sum(pool.map(_write, [path] * writers, bounds[:-1], bounds[1:]))
        wall = time.perf_counter() - started
    with Store(path) as store:
        draw = random.Random(1)
        began = time.process_time()
        for _ in range(READS):
            assert store.get(_key(draw.randrange(calls), "review")) is not None
        read = time.process_time() - began
        began = time.perf_counter()
        found = check_store(store)
        checked = time.perf_counter() - began
    assert found.sound
    assert found.answers == 2 * calls
    began = time.perf_counter()
    with Store(folder / "merged.sqlite3") as merged:
        assert merged.merge(path) == 2 * calls
    joined = time.perf_counter() - began
    size = path.stat().st_size
    for left in folder.iterdir():
        left.unlink()
    return (
        f"{calls:,}",
        str(writers),
        f"{wall:.0f}",
        f"{calls / wall:,.0f}",
        f"{1e6 * spent / calls:.0f}",
        f"{1e6 * read / READS:.0f}",
        f"{size / calls / 1000:.2f}",
        f"{checked:.0f}",
        f"{joined:.0f}",
    )


def main(calls: int = 100_000, *, writers: tuple[int, ...] = (1, 4)) -> None:
    """Measure and print."""
    rows = []
    for count in writers:
        with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR")) as folder:
            rows.append(_row(calls, count, Path(folder)))
    table(
        (
            "calls",
            "writers",
            "wall s",
            "calls a second",
            "CPU µs a call",
            "CPU µs a reading",
            "MB a 1,000 calls",
            "check, s",
            "merge, s",
        ),
        rows,
    )


if __name__ == "__main__":
    numbers = tuple(int(each) for each in sys.argv[1:])
    main(*numbers[:1], writers=numbers[1:] or (1, 4))
