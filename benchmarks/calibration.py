"""Calibration: fitting and applying maps, beside scikit-learn's isotonic and pyGAM's grid search.

pyGAM is not a dependency of revkit: ``pip install pygam`` in this environment, or name the
interpreter of one that has it in ``REVKIT_BENCHMARK_PYGAM``; else its row says that it is absent.
"""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import numpy as np

from benchmarks.measure import ROOT, table
from revkit_asc.calibrators import Isotonic, MonotoneSpline

ANCHORS, AGENTS, MANY, APPLIED = 240, 1000, 100_000, 10_000_000
INTERPRETER = "REVKIT_BENCHMARK_PYGAM"
RUNS = 7
# In a separate process, so that it can be another environment; prints CPU and wall seconds.
PYGAM = """
import json, sys, time
import numpy as np
from pygam import LinearGAM, s
raw, target = (np.array(values) for values in json.load(sys.stdin))
def fit():
    LinearGAM(s(0, constraints="monotonic_inc")).gridsearch(
        raw[:, None], target, lam=np.logspace(-3, 3, 9), progress=False
    )
fit()
taken = []
for _ in range(RUNS):
    cpu, wall = time.process_time(), time.perf_counter()
    fit()
    taken.append((time.process_time() - cpu, time.perf_counter() - wall))
print(json.dumps([sorted(column)[RUNS // 2] for column in zip(*taken)]))
"""


def anchors(seed: int, count: int, rounded: bool) -> tuple[Any, Any]:
    """An agent that uses 5 to 55 of its scale, with noise."""
    rng = np.random.default_rng(seed)
    target = rng.uniform(0, 100, count)
    raw = 30 + 25 * np.tanh((target - 50) / 30) + rng.normal(0, 6, count)
    return (np.round(raw) if rounded else raw), target


def timed(call: Callable[[], object]) -> tuple[float, float]:
    """Median CPU and wall seconds, after one call that is not counted."""
    call()
    taken = []
    for _ in range(RUNS):
        cpu, wall = time.process_time(), time.perf_counter()
        call()
        taken.append((time.process_time() - cpu, time.perf_counter() - wall))
    cpus, walls = (sorted(column)[RUNS // 2] for column in zip(*taken, strict=True))
    return cpus, walls


def fit_one(seed: int) -> float:
    """One agent of the batch."""
    return float(MonotoneSpline().fit(*anchors(seed, ANCHORS, rounded=True))([40.0])[0])


def batch(workers: int) -> float:
    """Wall seconds for all agents."""
    started = time.perf_counter()
    if workers == 1:
        for seed in range(AGENTS):
            fit_one(seed)
    else:
        with ProcessPoolExecutor(workers) as pool:
            list(pool.map(fit_one, range(AGENTS), chunksize=25))
    return time.perf_counter() - started


def pygam(raw: Any, target: Any) -> tuple[float, float] | str:
    """CPU and wall seconds of its grid search over nine lambdas, or why there are none."""
    interpreter = os.environ.get(INTERPRETER)
    if interpreter is None:
        if importlib.util.find_spec("pygam") is None:
            return f"pyGAM is not installed (or set {INTERPRETER})"
        interpreter = sys.executable
    done = subprocess.run(
        [interpreter, "-c", f"RUNS = {RUNS}\n{PYGAM}"],
        input=json.dumps([raw.tolist(), target.tolist()]),
        capture_output=True, text=True, check=False, cwd=ROOT,
    )  # fmt: skip
    if done.returncode:
        return f"pyGAM failed: {done.stderr.strip().splitlines()[-1]}"
    cpu, wall = json.loads(done.stdout.splitlines()[-1])
    return cpu, wall


def peer() -> Any:
    """scikit-learn's class as one would use it on anchors; it comes with sentence-transformers."""
    from sklearn.isotonic import IsotonicRegression

    return IsotonicRegression(y_min=0, y_max=100, out_of_bounds="clip")


def main() -> None:
    """Measure and print."""
    rows: list[tuple[object, ...]] = []
    raw, target = anchors(1, ANCHORS, rounded=True)
    ours = timed(lambda: MonotoneSpline().fit(raw, target))
    rows.append(_row("monotone-spline, auto, n = 240", ours, ours))
    rows.append(_row("isotonic, n = 240", timed(lambda: Isotonic().fit(raw, target)), ours))
    rows.append(_row("scikit-learn isotonic", timed(lambda: peer().fit(raw, target)), ours))
    other = pygam(raw, target)
    if isinstance(other, str):
        rows.append(("pyGAM grid search of nine", other, "", ""))
    else:
        rows.append(_row("pyGAM grid search of nine", other, ours))
    for rounded, name in ((False, "continuous"), (True, "whole numbers")):
        raw, target = anchors(2, MANY, rounded)
        base = timed(lambda: peer().fit(raw, target))  # noqa: B023
        rows.append(_row(f"scikit-learn isotonic, n = 100,000, {name}", base, base))
        many = timed(lambda: MonotoneSpline().fit(raw, target))  # noqa: B023
        rows.append(_row(f"monotone-spline, auto, n = 100,000, {name}", many, base))
    table(("fit", "CPU ms", "wall ms", "CPU against the first of its group"), rows)
    print()
    seconds = {workers: batch(workers) for workers in (1, 2)}
    table(
        ("1,000 agents, n = 240, auto", "wall s"),
        [(f"{workers} process(es)", f"{wall:.1f}") for workers, wall in seconds.items()],
    )
    print()
    asked = np.random.default_rng(3).uniform(0, 70, APPLIED)
    applied = []
    for domain in ("range", "rank"):
        for rounded in (True, False):
            curve = MonotoneSpline(domain=domain).fit(*anchors(1, ANCHORS, rounded))
            cpu, _ = timed(lambda: curve(asked))  # noqa: B023
            name = f"{domain}, {'whole' if rounded else 'continuous'} anchors"
            applied.append((name, f"{APPLIED / cpu / 1e6:.0f}"))
    table(("apply 10 million scores", "million a CPU second"), applied)


def _row(name: str, taken: tuple[float, float], base: tuple[float, float]) -> tuple[object, ...]:
    cpu, wall = taken
    return name, f"{cpu * 1e3:.1f}", f"{wall * 1e3:.1f}", f"{cpu / base[0]:.2f}"
