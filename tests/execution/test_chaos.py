"""Runs that are killed, interrupted, or not alone: the end is the same, byte for byte."""

from __future__ import annotations

import collections
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
import zlib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

pytestmark = [
    pytest.mark.chaos,
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX"),
]

WORKERS = 4
PAPERS = 60

# Each call appends its name to the log named by LOG before it returns, and its answer holds the
# same name; so log and store tell what was computed when, and what was kept.
PLUGIN = '''
import os, time
from dataclasses import dataclass
from typing import ClassVar
import revkit
from revkit import *

def log(name):
    handle = os.open(os.environ["LOG"], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.write(handle, (name + "\\n").encode())
    os.close(handle)

PAUSE = float(os.environ.get("PAUSE", "0.01"))

@dataclass(frozen=True)
class SlowPapers(Corpus):
    """Papers."""
    name: ClassVar[str] = "slow-papers"
    papers_: int = 60
    def papers(self, ctx):
        for n in range(self.papers_):
            text = f"# Paper {n}\\n\\nWe may count {n}.\\n"
            yield Paper(f"p{n}", text, labels=Labels(accept=n % 2 == 0))
    def count(self):
        return self.papers_

@dataclass(frozen=True)
class SlowEdit(Perturbation):
    """Slow."""
    name: ClassVar[str] = "slow-edit"
    def perturb(self, paper, ctx):
        time.sleep(PAUSE)
        name = f"edit {paper.digest[:12]} {ctx.rng.random():.6f}"
        log(name)
        return [Edit(0, 0, f"# {ctx.rng.randrange(1000)}\\n\\n", name)]

@dataclass(frozen=True)
class SlowReview(Agent):
    """Slow."""
    name: ClassVar[str] = "slow-review"
    bias: int = 0
    scale = Scale("ten", 1, 10, accept_at=6)
    def review(self, paper, ctx):
        time.sleep(PAUSE)
        name = f"review {self.bias} {paper.digest[:12]} {ctx.rng.random():.6f}"
        log(name)
        if ctx.rng.random() < 0.05:
            return Failure("timeout", name)
        score = 1 + ctx.rng.randrange(10)
        return Review(score >= 6, score, name)

@dataclass(frozen=True)
class SlowMetric(Metric):
    """Slow."""
    name: ClassVar[str] = "slow-metric"
    def measure(self, records):
        log("metric")
        time.sleep(PAUSE * 20)
        rows = [{"agent": a.name, "flips": sum(bool(p.flip) for p in records.pairs(a.name))}
                for a in records.agents]
        return Table.of("slow-metric", "Slow", [Column("agent"), Column("flips")], rows)

@dataclass(frozen=True)
class SlowReport(Reporter):
    """Slow."""
    name: ClassVar[str] = "slow-report"
    def render(self, run):
        log("report")
        time.sleep(PAUSE * 20)
        return {"report.md": str(run.tables) + run.digest, "b.md": run.text_of("p1")}

@hookimpl
def register_corpora(register): register(SlowPapers)
@hookimpl
def register_perturbations(register): register(SlowEdit)
@hookimpl
def register_agents(register): register(SlowReview)
@hookimpl
def register_metrics(register): register(SlowMetric)
@hookimpl
def register_reporters(register): register(SlowReport)
'''
SPEC = f"""
revkit: 1
name: chaos
corpus: {{use: slow-papers, with: {{papers: {PAPERS}}}}}
perturbations: {{e: slow-edit}}
agents: {{a: slow-review, b: {{use: slow-review, with: {{bias: 1}}}}}}
metrics: [slow-metric]
reports: [slow-report]
workers: {WORKERS}
"""
ITEMS = PAPERS * 5  # one variant, and two texts for each of two agents


class Place:
    """A folder with the plugin and the spec, in which runs are started."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self.folder = folder
        self.environment = environment
        (folder / "slow.py").write_text(PLUGIN, encoding="utf-8")
        (folder / "spec.yaml").write_text(SPEC, encoding="utf-8")

    def start(self, out: str = "run", store: str = "s.db", **environment: str) -> Any:
        arguments = ["run", "spec.yaml", "--plugin", "slow.py", "--out", out, "--store", store]
        variables = {**self.environment, "LOG": str(self.folder / f"{store}.log"), **environment}
        return subprocess.Popen(
            [sys.executable, "-m", "revkit", *arguments],
            cwd=self.folder, env=variables, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip

    def log(self, store: str = "s.db") -> list[str]:
        path = self.folder / f"{store}.log"
        return path.read_text(encoding="utf-8").splitlines() if path.exists() else []

    def reached(self, what: str, number: int, before: int) -> bool:
        """Whether ``number`` calls, or the call ``what``, came after the first ``before``."""
        lines = self.log()[before:]
        return len(lines) >= number if what == "calls" else what in lines

    def kept(self, store: str = "s.db") -> set[str]:
        """The names of all calls whose answers are in the store."""
        path = self.folder / store
        if not path.exists():
            return set()
        connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        try:
            tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
            bodies = connection.execute("SELECT body FROM content").fetchall() if tables else []
        finally:
            connection.close()
        names = set()
        for (body,) in bodies:
            value = json.loads(zlib.decompress(body)).get("value", {})
            if "edits" in value:
                names.add(value["edits"][0]["note"])
            elif value.get("text"):
                names.add(value["text"])
        return names

    def tree(self, out: str) -> dict[str, bytes]:
        folder = self.folder / out
        return {
            path.relative_to(folder).as_posix(): path.read_bytes()
            for path in folder.rglob("*")
            if path.is_file() and path.name not in ("provenance.json", ".revkit-run")
        }


@pytest.fixture
def place(tmp_path: Path, environment: dict[str, str]) -> Place:
    return Place(tmp_path, environment)


def wait_for(condition: Callable[[], bool], process: Any) -> bool:
    """Wait until ``condition`` holds; False where the process ended before."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        if condition():
            return True
        if process.poll() is not None:
            return False
        time.sleep(0.002)
    raise AssertionError("nothing happened for a minute")


def test_killed_at_many_moments_it_ends_the_same(place: Place) -> None:
    whole = place.start("whole", "whole.db")
    assert whole.wait(timeout=60) == 1, whole.stderr.read()  # some reviews fail
    whole.communicate()
    calls = [line for line in place.log("whole.db") if line not in ("metric", "report")]
    assert len(calls) == len(set(calls)) == ITEMS

    draw = random.Random(11)
    moments = [("at once", 0)] + [("calls", draw.randint(1, 45)) for _ in range(11)]
    moments += [("metric", 0), ("report", 0)]
    kept_at: list[tuple[int, set[str]]] = []
    kills = 0
    for what, number in moments:
        before = len(place.log())
        process = place.start()
        if what == "at once":
            time.sleep(0.15)
        else:
            reached = wait_for(partial(place.reached, what, number, before), process)
            assert reached, process.communicate()
            time.sleep(draw.random() * 0.01)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        assert process.returncode == -signal.SIGKILL
        kills += 1
        lines, kept = place.log(), place.kept()
        kept_at.append((len(lines), kept))
        assert not (place.folder / "run" / "result.json").exists()
    assert kills >= 12

    last = place.start()
    _, complaint = last.communicate(timeout=60)
    assert last.returncode == 1, complaint
    assert place.tree("run") == place.tree("whole")

    lines = place.log()
    # What the store held at a kill was never computed again after it.
    for length, kept in kept_at:
        assert kept.isdisjoint(lines[length:])
    # What was lost at a kill was in flight then: at most one item a worker. Failures, which are
    # tried again on purpose, have no answer to lose.
    failures = set(calls) - place.kept()
    counted = collections.Counter(line for line in lines if line not in ("metric", "report"))
    assert set(counted) == set(calls)
    repeated = sum(count - 1 for name, count in counted.items() if name not in failures)
    assert repeated <= kills * WORKERS
    lost_at = 0
    for length, kept in kept_at:
        lost = set(lines[lost_at:length]) - kept - failures - {"metric", "report"}
        assert len(lost) <= WORKERS
        lost_at = length


def test_ctrl_c_ends_cleanly_and_the_next_run_goes_on(place: Place) -> None:
    whole = place.start("whole", "whole.db")
    whole.communicate(timeout=60)
    process = place.start()
    assert wait_for(lambda: len(place.log()) > 60, process)
    process.send_signal(signal.SIGINT)
    _, complaint = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "stopping after the items in progress" in complaint
    assert "stopped after" in complaint
    assert "the same command continues from" in complaint
    assert "Traceback" not in complaint
    lines = place.log()
    done = set(lines)
    failures = {name for name in done - place.kept() if name.startswith("review")}
    assert len(failures) < 0.2 * len(done)  # everything that was not a failure was stored
    assert not (place.folder / "run" / "result.json").exists()
    last = place.start()
    last.communicate(timeout=60)
    assert place.tree("run") == place.tree("whole")
    assert place.kept().isdisjoint(set(place.log()[len(lines) :]) & (done - failures))


def test_ctrl_c_twice_ends_at_once(place: Place) -> None:
    process = place.start(PAUSE="30")
    assert wait_for(lambda: (place.folder / "run" / "records").exists(), process)
    time.sleep(1.0)  # until the first items are in flight
    started = time.monotonic()
    process.send_signal(signal.SIGINT)
    time.sleep(0.3)
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    _, complaint = process.communicate(timeout=10)
    assert process.returncode == 130
    assert time.monotonic() - started < 5
    assert "stopped; the same command resumes" in complaint


def test_ctrl_c_during_the_metrics(place: Place) -> None:
    process = place.start(PAUSE="0.02")
    assert wait_for(lambda: "metric" in place.log(), process)
    process.send_signal(signal.SIGINT)
    _, complaint = process.communicate(timeout=30)
    assert process.returncode == 130, complaint
    assert not (place.folder / "run" / "result.json").exists()


def test_two_runs_on_one_folder(place: Place) -> None:
    first = place.start()
    assert wait_for(lambda: len(place.log()) > 5, first)
    second = place.start()
    _, complaint = second.communicate(timeout=30)
    assert second.returncode == 1
    assert "another run is writing to run; wait for it, or use --out" in complaint
    first.communicate(timeout=60)
    assert (place.folder / "run" / "result.json").exists()


def test_two_runs_on_one_store(place: Place) -> None:
    runs = [place.start(out) for out in ("one", "two")]
    for run in runs:
        run.communicate(timeout=60)
    assert [run.returncode for run in runs] == [1, 1]
    assert place.tree("one") == place.tree("two")
    # Nothing that was stored was computed by both: failures alone are tried by each command.
    times = collections.Counter(place.log())
    assert [name for name in place.kept() if times[name] != 1] == []
    again = place.start("three")
    out, _ = again.communicate(timeout=60)
    assert place.tree("three") == place.tree("one")
    assert " 0 found" not in out


_MEASURE = """
import sys
import revkit
from revkit.testing import toys
def peak():
    # Not ru_maxrss, which also counts the process that started this one.
    lines = open("/proc/self/status").read().splitlines()
    return next(int(line.split()[1]) // 1024 for line in lines if line.startswith("VmHWM"))
spec = {
    "revkit": 1, "corpus": {"use": "toy-papers", "with": {"papers": int(sys.argv[2])}},
    "perturbations": {"w": "toy-words"}, "agents": {"a": "toy-length"},
    "metrics": ["toy-flips"], "reports": ["toy-report"],
}
run = revkit.run(spec, out=sys.argv[1] + "/run", store=sys.argv[1] + "/s.db", plugins=[toys])
print(peak(), len(run.records.papers))
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_ten_thousand_papers_in_bounded_memory(tmp_path: Path, environment: dict[str, str]) -> None:
    peaks = {}
    for count in (100, 10_000):
        folder = tmp_path / str(count)
        folder.mkdir()
        done = subprocess.run(
            [sys.executable, "-c", _MEASURE, str(folder), str(count)],
            capture_output=True, text=True, env=environment, timeout=300, check=True,
        )  # fmt: skip
        peak, papers = map(int, done.stdout.split())
        assert papers == count
        peaks[count] = peak
    assert peaks[10_000] < 200, peaks
    # A row of a paper, its variant and its verdicts: a few KiB, not its text.
    assert peaks[10_000] - peaks[100] < 100, peaks


def test_the_log_is_seen(place: Place) -> None:
    """The test's own means: what is logged and kept can be told apart."""
    assert place.log() == []
    assert place.kept() == set()
    assert os.environ.get("LOG") is None
