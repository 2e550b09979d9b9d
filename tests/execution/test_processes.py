"""Child processes compute the same bytes, and one that never returns costs one item."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pytest

from revkit import api
from revkit.contracts import Agent, Context, Perturbation, ServiceName
from revkit.errors import RunError
from revkit.execution.processes import children, frames
from revkit.model.edits import Edit
from revkit.model.paper import Paper
from revkit.model.review import Review, Scale
from revkit.testing import toys
from tests.execution.test_shards import files


@dataclass(frozen=True)
class Odd(Perturbation):
    """Never returns on one paper, ends its process on another, and crashes on a third."""

    name: ClassVar[str] = "odd"
    version: ClassVar[str] = "1"
    uses: ClassVar[tuple[ServiceName, ...]] = ("embedder", "corpus")

    def perturb(self, paper: Paper, ctx: Context) -> Sequence[Edit]:
        if "count 1 " in paper.text:
            while True:  # holds the interpreter: no thread could be left alone like this
                sum(range(1000))
        if "count 2 " in paper.text:
            os._exit(7)
        if "count 3 " in paper.text:
            raise ValueError("three")
        os.write(1, b"what a component prints is not a message\n")
        note = f"{len(ctx.peers())} {ctx.embed([paper.text])[0][0]:.6f} {ctx.rng.random()}"
        return [Edit(0, 0, "# New\n\n", note)]


@dataclass(frozen=True)
class Where(Agent):
    """States in which process it was."""

    name: ClassVar[str] = "where"
    version: ClassVar[str] = "1"
    deterministic: ClassVar[bool] = True
    scale = Scale("ten", 1, 10, accept_at=6)

    def review(self, paper: Paper, ctx: Context) -> Review:
        return Review(True, 6, str(os.getpid()))


SPEC: dict[str, Any] = {
    "revkit": 1,
    "name": "children",
    "corpus": {"use": "toy-papers", "with": {"papers": 9, "start": 4}},
    "perturbations": {"odd": "odd", "words": "toy-words"},
    "agents": {"length": "toy-length", "coin": "toy-coin"},
    "metrics": ["toy-flips"],
    "reports": ["toy-report"],
    "services": {"embedder": "toy-embedder"},
}
PLUGINS: list[Any] = [toys, Odd, Where]


@pytest.mark.slow
def test_any_number_of_processes_gives_the_same_bytes(tmp_path: Path, no_plugins: None) -> None:
    results = {}
    for count in (0, 1, 3):
        out = tmp_path / str(count)
        spec = {**SPEC, "processes": count, "workers": 2}
        api.run(spec, out=out, store=tmp_path / f"{count}.db", plugins=PLUGINS)
        results[count] = files(out)
    assert results[1] == results[0]
    assert results[3] == results[0]


@pytest.mark.slow
def test_a_child_that_never_returns_is_ended_and_recorded(tmp_path: Path, no_plugins: None) -> None:
    corpus = {"use": "toy-papers", "with": {"papers": 6}}
    spec = {**SPEC, "corpus": corpus, "processes": 2, "deadline": 3}
    started = time.monotonic()
    run = api.run(spec, out=tmp_path / "run", store=tmp_path / "s.db", plugins=PLUGINS)
    assert time.monotonic() - started < 30
    rows = {row.paper: row for row in run.records.variants if row.perturbation == "odd"}
    assert rows["toy-1"].rejected == "not done in 3 s, and given up (deadline)"
    assert rows["toy-2"].rejected == "crashed: the process that computed it ended (exit code 7)"
    assert rows["toy-3"].rejected.startswith("crashed: ValueError: three")
    assert {rows[f"toy-{n}"].outcome for n in (1, 2, 3)} == {"crashed"}
    assert {rows[f"toy-{n}"].outcome for n in (0, 4, 5)} == {"made"}
    assert run.exit_code == 1


@pytest.mark.slow
def test_deterministic_agents_work_in_children_and_others_do_not(
    tmp_path: Path, no_plugins: None
) -> None:
    spec = {**SPEC, "perturbations": {}, "agents": {"where": "where"}, "processes": 1}
    run = api.run(spec, out=tmp_path / "run", store=tmp_path / "s.db", plugins=PLUGINS)
    [process] = {row["text"] for row in run.rows("outcomes")}
    assert process != str(os.getpid())


def test_components_that_cannot_be_sent_are_refused(tmp_path: Path, no_plugins: None) -> None:
    @dataclass(frozen=True)
    class Local(Where):
        """Is in no module."""

        name: ClassVar[str] = "local"

    spec = {**SPEC, "perturbations": {}, "agents": {"local": "local"}, "processes": 1}
    with pytest.raises(RunError, match="write processes: 0"):
        api.run(spec, out=tmp_path / "run", store=tmp_path / "s.db", plugins=[toys, Local])


@pytest.mark.skipif(sys.platform == "win32", reason="a closed pipe is another error there")
def test_a_child_whose_run_ends_while_it_starts_prints_nothing() -> None:
    command = [sys.executable, "-c", children._START]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        assert child.stderr is not None
        child.stdout.close()
        child.stdin.write(json.dumps(sys.path).encode() + b"\n")
        frames.send(child.stdin, None)
        assert (child.wait(60), child.stderr.read()) == (0, b"")
