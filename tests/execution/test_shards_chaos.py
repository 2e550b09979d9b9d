"""Shards and child processes that are killed at random moments lose nothing that was stored."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.execution.test_chaos import PLUGIN, SPEC, wait_for
from tests.execution.test_shards import files

pytestmark = [
    pytest.mark.chaos,
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX"),
]


class Place:
    """A folder in which commands on the slow experiment are started."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self.folder = folder
        self.environment = {**environment, "PAUSE": "0.005"}
        (folder / "slow.py").write_text(PLUGIN, encoding="utf-8")
        # Reviews that fail are computed again by each command, and would hide what was lost.
        (folder / "spec.yaml").write_text(SPEC.replace("papers: 60", "papers: 30"))

    def start(self, log: str, *arguments: str) -> Any:
        return subprocess.Popen(
            [sys.executable, "-m", "revkit", *arguments, "--plugin", "slow.py"],
            cwd=self.folder, env={**self.environment, "LOG": str(self.folder / log)},
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip

    def finish(self, log: str, *arguments: str) -> None:
        assert self.start(log, *arguments).wait(timeout=120) in (0, 1)

    def calls(self, log: str) -> list[str]:
        path = self.folder / log
        return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


@pytest.fixture
def place(tmp_path: Path, environment: dict[str, str]) -> Place:
    return Place(tmp_path, environment)


def killed_until_done(place: Place, log: str, arguments: list[str], draw: random.Random) -> int:
    """Kill the command three times after a random number of calls, then let it end; return how
    often it was killed.
    """
    kills = 0
    for _ in range(3):
        before, more = len(place.calls(log)), draw.randrange(1, 40)
        process = place.start(log, *arguments)
        target = before + more
        if wait_for(lambda target=target: len(place.calls(log)) >= target, process):  # type: ignore[misc]
            process.send_signal(draw.choice([signal.SIGKILL, signal.SIGTERM]))
            kills += 1
        process.wait(timeout=60)
    place.finish(log, *arguments)
    return kills


def repeated(place: Place, log: str) -> int:
    """Return how many calls were made again, besides the failures, which every command repeats."""
    again = Counter(name for name in place.calls(log) if not name.startswith(("metric", "report")))
    return sum(count - 1 for name, count in again.items() if name.startswith("edit"))


@pytest.mark.parametrize("seed", range(2))
def test_killed_shards_merge_to_the_bytes_of_an_undisturbed_run(place: Place, seed: int) -> None:
    draw = random.Random(seed)
    place.finish("whole.log", "run", "spec.yaml", "--out", "whole", "--store", "whole.db")
    kills = 0
    for number in (1, 2):
        command = ["run", "spec.yaml", "--shard", f"{number}/2", "--out", "parts"]
        kills += killed_until_done(place, f"{number}.log", command, draw)
        # Only what was in flight at a kill (4 threads) is computed again.
        assert repeated(place, f"{number}.log") <= 4 * 3
    assert kills >= 2
    place.finish("merge.log", "merge", "parts", "--out", "merged", "--store", "merged.db")
    assert files(place.folder / "merged") == files(place.folder / "whole")
    assert {each.split()[0] for each in place.calls("merge.log")} <= {"metric", "report"}


def test_a_merge_that_is_killed_is_repeated(place: Place) -> None:
    place.finish("whole.log", "run", "spec.yaml", "--out", "whole", "--store", "whole.db")
    for number in (1, 2):
        shard = ["run", "spec.yaml", "--shard", f"{number}/2", "--out", "parts"]
        place.finish("parts.log", *shard)
    command = ["merge", "parts", "--out", "merged", "--store", "merged.db"]
    for delay in (0.3, 0.6, 0.9):
        process = place.start("merge.log", *command)
        time.sleep(delay)
        process.kill()
        process.wait()
    place.finish("merge.log", *command)
    assert files(place.folder / "merged") == files(place.folder / "whole")


def test_children_end_with_the_run_that_is_killed(place: Place) -> None:
    command = ["run", "spec.yaml", "--set", "processes=2", "--out", "run", "--store", "s.db"]
    process = place.start("run.log", *command)
    assert wait_for(lambda: len(place.calls("run.log")) >= 5, process)
    children = children_of(process.pid)
    assert children
    process.kill()
    process.wait()
    end = time.monotonic() + 20
    while any(Path(f"/proc/{child}").exists() for child in children):
        assert time.monotonic() < end, "a child outlives its run"
        time.sleep(0.05)
    place.finish("run.log", *command)
    place.finish("whole.log", "run", "spec.yaml", "--out", "whole", "--store", "whole.db")
    one, other = files(place.folder / "run"), files(place.folder / "whole")
    assert {name for name in {*one, *other} if one.get(name) != other.get(name)} <= {"spec.yaml"}


def children_of(pid: int) -> list[int]:
    """Return the processes that ``pid`` started (Linux)."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == pid:
            found.append(int(path.parent.name))
    return found


def test_the_children_of_this_process_are_seen() -> None:
    if not Path("/proc/self/stat").exists():
        pytest.skip("needs /proc")
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    try:
        assert process.pid in children_of(os.getpid())
    finally:
        process.kill()
        process.communicate()
