"""Runs in batches that are killed lose nothing and pay nothing twice."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.execution.test_batches import CALLS, spec_of
from tests.execution.test_chaos import wait_for
from tests.llm_server.server import LlmServer

pytestmark = [
    pytest.mark.chaos,
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX"),
]

PLUGIN = """
from tests.execution.sheets import Sheets, Stamp
from tests.execution.test_batches import TwoTurns
from revkit import hookimpl

@hookimpl
def register_corpora(register): register(Sheets)
@hookimpl
def register_perturbations(register): register(Stamp)
@hookimpl
def register_agents(register): register(TwoTurns)
"""


class Place:
    """A folder in which commands run against one server, and are killed."""

    def __init__(self, folder: Path, environment: dict[str, str], server: LlmServer) -> None:
        self.folder = folder
        # The reviewer is one of the installed plugins.
        self.environment = {k: v for k, v in environment.items() if k != "REVKIT_PLUGINS"}
        self.server = server
        (folder / "parts.py").write_text(PLUGIN, encoding="utf-8")

    def start(self, out: str, **llm: Any) -> subprocess.Popen[bytes]:
        spec = self.folder / f"{out}.json"
        spec.write_text(json.dumps(spec_of(self.server, **llm)), encoding="utf-8")
        command = ["run", spec.name, "--plugin", "parts.py", "--out", out, "--store", f"{out}.db"]
        return subprocess.Popen(
            [sys.executable, "-m", "revkit", *command, "--quiet"],
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )

    def batch(self, **llm: Any) -> subprocess.Popen[bytes]:
        return self.start("batch", **{"batch": True, "batch-least": 1, "batch-most": 9, **llm})

    @property
    def steps(self) -> int:
        """How often the server was asked for something."""
        return len(self.server.batches.files) + self.server.batches.looked

    def end(self, process: subprocess.Popen[bytes]) -> int:
        _, told = process.communicate(timeout=180)
        self.told = told.decode()
        return process.returncode

    def files(self, out: str) -> dict[str, bytes]:
        return {
            path.relative_to(self.folder / out).as_posix(): path.read_bytes()
            for path in sorted((self.folder / out).rglob("*"))
            if path.is_file() and path.name not in ("provenance.json", ".revkit-run", "spec.yaml")
        }

    def check(self) -> None:
        """The killed run has the bytes of one by single calls, and every call was paid once."""
        assert self.end(self.start("single")) == 0
        assert self.files("batch") == self.files("single")
        assert set(self.server.batches.paid.values()) == {1}
        assert sum(self.server.batches.paid.values()) == CALLS


@pytest.fixture
def place(tmp_path: Path, environment: dict[str, str]) -> Iterator[Place]:
    with LlmServer(keep=0) as server:
        yield Place(tmp_path, environment, server)


def test_a_kill_between_submit_and_result(place: Place) -> None:
    place.server.batches.hold = True
    process = place.batch()
    assert wait_for(lambda: place.server.batches.looked > 3, process)
    process.send_signal(signal.SIGKILL)
    place.end(process)
    made = len(place.server.batches.made)
    assert place.end(place.batch(**{"batch-wait": 0})) == 6
    assert "Run the same command again" in place.told
    place.server.batches.hold = False
    assert place.end(place.batch()) == 0
    assert made < len(place.server.batches.made)  # of the second turn
    place.check()


@pytest.mark.parametrize("number", [1, 2, 4])
def test_a_kill_after_the_provider_made_a_batch_and_before_it_is_recorded(
    place: Place, number: int
) -> None:
    place.server.batches.after_create = lambda made: "hang" if made == number else ""
    process = place.batch()
    assert wait_for(lambda: len(place.server.batches.made) == number, process)
    process.send_signal(signal.SIGKILL)
    place.end(process)
    assert place.end(place.batch()) == 0
    place.check()


@pytest.mark.parametrize("seed", range(3))
def test_kills_at_random_moments(place: Place, seed: int) -> None:
    draw = random.Random(seed)
    place.server.batches.polls = 2
    kills = 0
    for _ in range(4):
        process = place.batch()
        target = place.steps + draw.randrange(1, 8)
        if wait_for(lambda target=target: place.steps >= target, process):  # type: ignore[misc]
            process.send_signal(draw.choice([signal.SIGKILL, signal.SIGTERM]))
            kills += 1
        place.end(process)
    assert place.end(place.batch()) == 0
    assert kills
    place.check()
