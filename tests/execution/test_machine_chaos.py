"""A machine that fails under a run: no space, damaged bytes, a clock that steps, no memory.

Each test prints a line ``fault: ...`` with what it measured; docs/faults.md shows these lines.
"""

from __future__ import annotations

import json
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.execution.test_chaos import PLUGIN, Place, wait_for
from tests.execution.test_shards import files
from tests.llm_server.server import LlmServer

pytestmark = [
    pytest.mark.chaos,
    pytest.mark.slow,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="uses limits of Linux"),
]
PAPERS = 12

# Starts revkit under a fault, which the environment names.
UNDER = """
import builtins, errno, io, json, os, resource, runpy, sys, time
fault = json.loads(os.environ["FAULT"])
for name, most in fault.get("limits", {}).items():
    resource.setrlimit(getattr(resource, name), (most, most))
if "full" in fault:
    # The disk is full from the first write to a file of this name on, until the run ends.
    real, state = io.open, {"full": False}
    def opened(file, mode="r", *rest, **more):
        found = real(file, mode, *rest, **more)
        if isinstance(file, int) or not set(mode) & set("wax+"):
            return found
        name = os.path.basename(os.fspath(file))
        with real(os.environ["WRITTEN"], "a") as log:
            log.write(name + "\\n")
        write = found.write
        def guarded(data):
            if state["full"] or name == fault["full"]:
                state["full"] = True
                raise OSError(errno.ENOSPC, "No space left on device")
            return write(data)
        found.write = guarded
        return found
    io.open = builtins.open = opened
if "clock" in fault:
    # One second after the start, the clock goes back by this many seconds.
    true, start = time.time, time.monotonic()
    time.time = lambda: true() - (fault["clock"] if time.monotonic() - start > 1 else 0)
sys.argv = ["revkit", *sys.argv[1:]]
runpy.run_module("revkit", run_name="__main__", alter_sys=True)
"""


class Machine(Place):
    """A place whose runs can be started under a fault."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        super().__init__(folder, environment)
        spec = (folder / "spec.yaml").read_text(encoding="utf-8")
        small = spec.replace("papers: 60", f"papers: {PAPERS}")
        (folder / "spec.yaml").write_text(small, encoding="utf-8")
        (folder / "under.py").write_text(UNDER, encoding="utf-8")

    def under(
        self, fault: dict[str, Any], out: str = "run", store: str = "s.db"
    ) -> tuple[int, str]:
        """The exit code and the output of a run under ``fault``."""
        arguments = ["run", "spec.yaml", "--plugin", "slow.py", "--out", out, "--store", store]
        done = subprocess.run(
            [sys.executable, "under.py", *arguments],
            cwd=self.folder, text=True, capture_output=True, check=False, timeout=120,
            env={**self.environment, "LOG": str(self.folder / f"{store}.log"),
                 "WRITTEN": str(self.folder / "written"), "FAULT": json.dumps(fault)},
        )  # fmt: skip
        return done.returncode, done.stdout + done.stderr

    def renew(self) -> None:
        """Remove the run and its store."""
        shutil.rmtree(self.folder / "run", ignore_errors=True)
        for each in self.folder.glob("s.db*"):
            each.unlink()

    def again(self, out: str = "run", store: str = "s.db") -> float:
        """Start the same run without a fault; return the seconds until it has ended."""
        started = time.monotonic()
        process = self.start(out, store)
        _, complaint = process.communicate(timeout=120)
        assert process.returncode == 1, complaint  # some reviews fail on purpose
        return time.monotonic() - started


@pytest.fixture
def machine(tmp_path: Path, environment: dict[str, str]) -> Machine:
    place = Machine(tmp_path, environment)
    place.again("whole", "whole.db")
    return place


def measured(kind: str, trials: int, seconds: list[float], lost: str) -> None:
    slowest = f"{max(seconds):.1f} s" if seconds else "-"
    line = f"fault: {kind}: {trials} trials, lost: {lost}, slowest recovery: {slowest}"
    sys.stdout.write(line + "\n")


def lost_of(machine: Machine, before: set[str], at: int) -> int:
    """Stored answers that were computed again after the first ``at`` calls: paid twice."""
    return len(before & set(machine.log()[at:]))


def test_disk_full_at_each_file_that_is_written(machine: Machine) -> None:
    code, _ = machine.under({"full": "no such file"}, "all", "all.db")
    assert code == 1
    names = list(dict.fromkeys((machine.folder / "written").read_text().splitlines()))
    assert len(names) > 10, names
    seconds, lost, hit = [], 0, 0
    for name in names:
        machine.renew()
        code, output = machine.under({"full": name})
        assert "Traceback" not in output, f"{name}: {output[-2000:]}"
        assert code == 1
        hit += "No space left" in output
        kept, calls = machine.kept(), len(machine.log())
        seconds.append(machine.again())
        lost += lost_of(machine, kept, calls)
        assert machine.tree("run") == machine.tree("whole"), name
    assert hit >= len(names) / 2, "the fault was seldom seen"
    assert lost == 0
    measured("disk full at each file", len(names), seconds, f"{lost} stored answers")


@pytest.mark.parametrize(
    ("kind", "added"),
    [
        ("executor", "executor: {use: local, with: {shards: 2, at-once: 2}}"),
        ("sweep", "sweep: {seed: [1, 2]}"),
    ],
)
def test_disk_full_at_the_files_of_many_runs(
    kind: str, added: str, tmp_path: Path, environment: dict[str, str]
) -> None:
    """The files that a plain run does not write."""
    machine = Machine(tmp_path, {**environment, "REVKIT_PLUGINS": "executors"})
    spec = machine.folder / "spec.yaml"
    plain = spec.read_text(encoding="utf-8").replace(f"papers: {PAPERS}", "papers: 6")
    written = []
    for text in (plain, f"{plain}\n{added}\n"):
        spec.write_text(text, encoding="utf-8")
        (machine.folder / "written").unlink(missing_ok=True)
        name = f"all-{len(written)}"
        machine.under({"full": "no such file"}, name, f"{name}.db")
        written.append((machine.folder / "written").read_text().splitlines())
    names = sorted({*written[1]} - {*written[0]})
    assert names
    machine.again("whole", "whole.db")
    seconds, lost = [], 0
    for name in names:
        machine.renew()
        shutil.rmtree(machine.folder / "run.shards", ignore_errors=True)
        code, output = machine.under({"full": name})
        assert "Traceback" not in output, f"{name}: {output[-2000:]}"
        assert code == 1
        kept, calls = machine.kept(), len(machine.log())
        seconds.append(machine.again())
        lost += lost_of(machine, kept, calls)
        assert machine.tree("run") == machine.tree("whole"), name
    assert lost == 0
    measured(f"disk full at the files of the {kind}", len(names), seconds, "nothing")


def test_disk_full_while_the_store_is_written(machine: Machine) -> None:
    sizes = [4_096, 16_384, 33_000, 40_000, 60_000, 100_000]
    seconds, lost = [], 0
    for size in sizes:
        machine.renew()
        _, output = machine.under({"limits": {"RLIMIT_FSIZE": size}})
        assert "Traceback" not in output, output[-2000:]
        kept, calls = machine.kept(), len(machine.log())
        seconds.append(machine.again())
        lost += lost_of(machine, kept, calls)
        assert machine.tree("run") == machine.tree("whole"), size
    assert lost == 0
    measured("disk full in the store", len(sizes), seconds, f"{lost} stored answers")


def test_a_store_with_flipped_bytes(machine: Machine) -> None:
    whole = (machine.folder / "whole.db").read_bytes()
    draw = random.Random(7)
    trials, refused, seconds = 12, 0, []
    for number in range(trials):
        damaged = bytearray(whole)
        for _ in range(draw.choice((1, 4, 32))):
            damaged[draw.randrange(len(damaged))] ^= 1 << draw.randrange(8)
        store = f"damaged{number}.db"
        (machine.folder / store).write_bytes(damaged)
        started = time.monotonic()
        process = machine.start(f"out{number}", store)
        output = "".join(process.communicate(timeout=120))
        assert "Traceback" not in output, output[-2000:]
        if (machine.folder / f"out{number}" / "result.json").exists():
            assert machine.tree(f"out{number}") == machine.tree("whole")
            seconds.append(time.monotonic() - started)
        else:
            assert process.returncode == 1
            assert "store" in output
            refused += 1
    measured("flipped bytes", trials, seconds, f"{refused} stores refused, 0 wrong bytes")


def test_a_clock_that_steps_back(machine: Machine) -> None:
    seconds = []
    for number, step in enumerate((60, 86_400)):
        started = time.monotonic()
        code, output = machine.under({"clock": step}, f"out{number}", f"c{number}.db")
        seconds.append(time.monotonic() - started)
        assert code == 1, output[-2000:]
        assert machine.tree(f"out{number}") == machine.tree("whole")
    measured("clock steps back", len(seconds), seconds, "nothing")


@pytest.mark.parametrize(
    ("kind", "limits"),
    [
        ("memory", [{"RLIMIT_AS": most * 2**20} for most in (45, 50, 55, 60, 80, 250)]),
        ("descriptors", [{"RLIMIT_NOFILE": most} for most in (7, 10, 14, 16, 24, 64)]),
    ],
)
def test_a_limit_of_the_system(machine: Machine, kind: str, limits: list[dict[str, int]]) -> None:
    seconds, lost, complete = [], 0, 0
    for limit in limits:
        machine.renew()
        try:
            code, output = machine.under({"limits": limit})
        except subprocess.TimeoutExpired:
            # Python waits without end for a thread that gets no memory for its first step: a user
            # kills such a run, and it must go on as after any other kill.
            assert kind == "memory", limit
            code, output = -signal.SIGKILL, ""
        assert "Traceback" not in output, f"{limit}: {output[-2000:]}"
        if (machine.folder / "run" / "result.json").exists():
            # A component that cannot open its own file is a failure, computed again below.
            failed, usual = (
                json.loads(machine.tree(name)["result.json"])["failures"]
                for name in ("run", "whole")
            )
            complete += failed == usual
            assert failed > usual or machine.tree("run") == machine.tree("whole"), limit
        else:
            # Where a library of C gets no memory, a signal can end the process without a message.
            assert code < 0 or "error: " in output, limit
        kept, calls = machine.kept(), len(machine.log())
        seconds.append(machine.again())
        lost += lost_of(machine, kept, calls)
        assert machine.tree("run") == machine.tree("whole"), limit
    assert lost == 0
    assert 0 < complete < len(limits), "no limit was too small, or none was large enough"
    measured(
        f"limit of {kind}", len(limits), seconds, f"{lost} answers; {complete} runs were whole"
    )


GREEDY = """
from dataclasses import dataclass
from typing import ClassVar
from revkit import *

@dataclass(frozen=True)
class Greedy(Agent):
    \"\"\"Needs a gigabyte for one paper.\"\"\"
    name: ClassVar[str] = "greedy"
    version: ClassVar[str] = "1"
    deterministic: ClassVar[bool] = True
    scale = Scale("ten", 1, 10, accept_at=6)
    def review(self, paper, ctx):
        if "count 3." in paper.text:
            bytearray(2**30)
        return Review(True, 6)

@hookimpl
def register_agents(register):
    register(SlowReview)
    register(Greedy)
"""


def test_a_child_that_needs_too_much_memory_is_one_failed_item(machine: Machine) -> None:
    (machine.folder / "slow.py").write_text(PLUGIN + GREEDY, encoding="utf-8")
    spec = machine.folder / "spec.yaml"
    text = spec.read_text(encoding="utf-8").replace("a: slow-review", "a: greedy")
    spec.write_text(f"{text}\nprocesses: 2\n", encoding="utf-8")
    machine.again("roomy", "roomy.db")
    code, output = machine.under({"limits": {"RLIMIT_AS": 800 * 2**20}})
    assert code == 1
    assert "Traceback" not in output
    rows = (machine.folder / "run" / "records" / "outcomes.jsonl").read_text(encoding="utf-8")
    failed = [
        row for row in map(json.loads, rows.splitlines()) if row["agent"] == "a" and row["failure"]
    ]
    assert len(failed) == 2  # the paper and its variant
    assert {row["paper"] for row in failed} == {"p3"}
    assert all("MemoryError" in json.dumps(row) for row in failed)
    seconds = [machine.again()]
    assert machine.tree("run") == machine.tree("roomy")
    measured("memory of a child", 1, seconds, "2 items failed, and were computed later")


def test_fewer_open_files_than_connections(tmp_path: Path, environment: dict[str, str]) -> None:
    """No reply is lost and none is paid twice; there are fewer connections, or a clear error."""
    papers = 40
    environment = {name: each for name, each in environment.items() if name != "REVKIT_PLUGINS"}
    (tmp_path / "under.py").write_text(UNDER, encoding="utf-8")
    complete = 0
    with LlmServer(latency=0.05, keep=0) as server:
        spec = {
            "revkit": 1,
            "name": "files",
            "corpus": {"use": "synthetic", "with": {"papers": papers}},
            "agents": {"model": {"use": "llm", "with": {"model": "openai/mock", "form": "iclr"}}},
            "metrics": ["outcomes"],
            "reports": ["markdown"],
            "services": {"llm": {"default": {"base-url": server.url, "max-connections": 50}}},
        }
        (tmp_path / "spec.json").write_text(json.dumps(spec), encoding="utf-8")

        def run(name: str, **limits: int) -> subprocess.CompletedProcess[str]:
            command = ["run", "spec.json", "--out", name, "--store", f"{name}.db"]
            return subprocess.run(
                [sys.executable, "under.py", *command],
                cwd=tmp_path, env={**environment, "FAULT": json.dumps({"limits": limits})},
                capture_output=True, text=True, check=False, timeout=120,
            )  # fmt: skip

        assert run("whole").returncode == 0
        seconds = []
        for most in (16, 24, 36, 64):
            server.requests = server.peak = 0
            done = run(f"few-{most}", RLIMIT_NOFILE=most)
            assert server.peak <= max(1, most - 32)
            if done.returncode:
                assert "Too many open files" in done.stderr
                assert "error: " in done.stderr
            else:
                complete += 1
            started = time.monotonic()
            assert run(f"few-{most}").returncode == 0
            seconds.append(time.monotonic() - started)
            assert server.requests == papers
            assert files(tmp_path / f"few-{most}") == files(tmp_path / "whole")
    assert complete >= 2
    measured("64 open files or fewer, 50 connections", 4, seconds, f"0 replies; {complete} whole")


def test_sigterm_at_several_moments(machine: Machine) -> None:
    draw = random.Random(3)
    seconds, lost = [], 0
    for _ in range(4):
        machine.renew()
        before = len(machine.log())
        process = machine.start()
        number = draw.randint(1, 40)
        wait_for(lambda most=number, at=before: len(machine.log()) >= at + most, process)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)
        kept, calls = machine.kept(), len(machine.log())
        seconds.append(machine.again())
        lost += lost_of(machine, kept, calls)
        assert machine.tree("run") == machine.tree("whole")
    assert lost == 0
    measured("SIGTERM", 4, seconds, f"{lost} stored answers")
