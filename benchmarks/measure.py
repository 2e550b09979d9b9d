"""Timing: CPU seconds of whole processes and of calls, as medians, with the machine named."""

from __future__ import annotations

import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# An installed package has its modules compiled. Where this is set, each start of revkit would
# compile some 300 of them again, which no user waits for.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


@dataclass(frozen=True)
class Cost:
    """Of one process: CPU seconds, wall seconds, peak memory in MB, exit code."""

    cpu: float
    wall: float
    peak: float
    code: int


def machine() -> str:
    """One line that names the machine and its speed on a fixed loop."""
    started = time.process_time()
    total = 0
    for number in range(10_000_000):
        total += number
    loop = time.process_time() - started
    model = platform.processor() or platform.machine()
    for line in _lines(Path("/proc/cpuinfo")):
        if line.startswith("model name"):
            model = line.partition(":")[2].strip()
            break
    return (
        f"{model}, {os.cpu_count()} processors, Python {platform.python_version()}, "
        f"{platform.system()}; ten million additions in a loop take {loop:.2f} s CPU"
    )


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text().splitlines()
    except OSError:
        return []


def process(
    command: Sequence[str], cwd: Path | None = None, env: Mapping[str, str] | None = None
) -> Cost:
    """Run one command to its end and account for it and its children."""
    started = time.perf_counter()
    with subprocess.Popen(
        command, cwd=cwd, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as running:
        _, status, usage = os.wait4(running.pid, 0)
        running.returncode = os.waitstatus_to_exitcode(status)
    wall = time.perf_counter() - started
    cpu = usage.ru_utime + usage.ru_stime
    return Cost(cpu, wall, usage.ru_maxrss / 1024, running.returncode)


def median_process(command: Sequence[str], runs: int = 7) -> Cost:
    """The medians over ``runs`` runs, after one that is not counted."""
    process(command)
    costs = [process(command) for _ in range(runs)]
    return Cost(
        statistics.median(cost.cpu for cost in costs),
        statistics.median(cost.wall for cost in costs),
        statistics.median(cost.peak for cost in costs),
        max(cost.code for cost in costs),
    )


def median_call(call: Callable[[], object], runs: int = 5) -> float:
    """Median CPU seconds of ``call`` over ``runs`` runs, after one that is not counted."""
    call()
    seconds = []
    for _ in range(runs):
        started = time.process_time()
        call()
        seconds.append(time.process_time() - started)
    return statistics.median(seconds)


def python(*arguments: str) -> list[str]:
    """A command that runs this interpreter."""
    return [sys.executable, *arguments]


def revkit(*arguments: str) -> list[str]:
    """A command that runs revkit with this interpreter."""
    return [sys.executable, "-m", "revkit", *arguments]


def table(header: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print a Markdown table."""
    print("| " + " | ".join(header) + " |")
    print("|" + "---|" * len(header))
    for row in rows:
        print("| " + " | ".join(str(cell) for cell in row) + " |", flush=True)
