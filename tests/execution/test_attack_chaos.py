"""An attack that is killed goes on from its queries, and ends with the same bytes."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.chaos,
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX"),
]

# Each review appends a line to the log named by LOG; it is slow enough to be killed between two.
PLUGIN = '''
import os, time
from dataclasses import dataclass
from typing import ClassVar
from revkit import *

@dataclass(frozen=True)
class SlowReview(Agent):
    """Accepts one review in sixteen of attacked papers, by their text and number."""
    name: ClassVar[str] = "slow-review"
    version: ClassVar[str] = "1"
    scale = Scale("ten", 1, 10, accept_at=6)
    def review(self, paper, ctx):
        time.sleep(0.01)
        handle = os.open(os.environ["LOG"], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        os.write(handle, f"{paper.digest} {ctx.repeat}\\n".encode())
        os.close(handle)
        score = 1.0 + ctx.rng.randrange(9) / 2 + (ctx.rng.random() < 1 / 16) * 5
        return Review(score >= 6, score)

@hookimpl
def register_agents(register): register(SlowReview)
'''
SPEC = """
revkit: 1
name: killed
corpus: {use: synthetic, with: {papers: 6}}
perturbations: {hedging: {use: hedging, with: {mode: remove}}}
agents: {a: slow-review, b: {use: slow-review}}
attack:
  budget: 20
  strategies: {greedy: greedy, evolution: evolution}
metrics: [attack-success]
reports: [markdown]
"""


def start(folder: Path, out: str, store: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "revkit", "run", "spec.yaml", "--plugin", "slow.py",
         "--out", out, "--store", store],
        cwd=folder, env={"LOG": str(folder / f"{store}.log"), "PATH": ""},
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip


def calls(folder: Path, store: str) -> list[str]:
    log = folder / f"{store}.log"
    return log.read_text(encoding="utf-8").splitlines() if log.exists() else []


def tree(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name not in ("provenance.json", ".revkit-run")
    }


def test_a_killed_attack_ends_with_the_same_bytes(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(PLUGIN, encoding="utf-8")
    (tmp_path / "spec.yaml").write_text(SPEC, encoding="utf-8")
    whole = start(tmp_path, "whole", "whole.db")
    said, _ = whole.communicate(timeout=120)
    assert whole.returncode == 0, said
    number = len(calls(tmp_path, "whole.db"))
    for share in (0.3, 0.6, 0.9):
        process = start(tmp_path, "killed", "killed.db")
        while len(calls(tmp_path, "killed.db")) < share * number and process.poll() is None:
            time.sleep(0.005)
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=60)
    last = start(tmp_path, "killed", "killed.db")
    said, _ = last.communicate(timeout=120)
    assert last.returncode == 0, said
    assert tree(tmp_path / "killed") == tree(tmp_path / "whole")
    # Only what was in flight when a run was killed is asked again: four threads, three times.
    assert number <= len(calls(tmp_path, "killed.db")) <= number + 3 * 4
