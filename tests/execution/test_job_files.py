"""The job file for SLURM of the documentation, run by a shell as SLURM runs it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
SPEC = """
revkit: 1
name: job
corpus: {use: synthetic, with: {papers: 4}}
agents: {length: length-reader}
metrics: [outcomes]
"""


@pytest.fixture
def job(tmp_path: Path) -> Path:
    """A folder with the job file, an experiment, and the command `revkit`."""
    text = (ROOT / "docs" / "scale.md").read_text(encoding="utf-8")
    found = re.search(r"% file: shards\.sbatch\n```bash\n(.*?)```", text, re.DOTALL)
    assert found is not None
    (tmp_path / "shards.sbatch").write_text(found[1])
    (tmp_path / "experiment.yaml").write_text(SPEC)
    command = tmp_path / "bin" / "revkit"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m revkit "$@"\n')
    command.chmod(0o755)
    return tmp_path


def run_task(folder: Path, number: int, before: str = ":") -> int:
    """Run one task of two, after the commands ``before``; return its exit code."""
    path = os.pathsep.join([str(folder / "bin"), os.environ["PATH"]])
    python_path = os.pathsep.join([str(ROOT), str(ROOT / "plugins")])
    tasks = {"SLURM_ARRAY_TASK_ID": str(number), "SLURM_ARRAY_TASK_COUNT": "2"}
    done = subprocess.run(
        ["bash", "-c", f"{before}; exec bash shards.sbatch"],
        cwd=folder,
        env=os.environ | tasks | {"PATH": path, "PYTHONPATH": python_path},
        capture_output=True,
        text=True,
    )
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode


def test_a_task_succeeds_if_its_shard_is_complete_and_only_then(job: Path) -> None:
    """A full disk gave exit code 1, which the job file took for failed items."""
    shards = job / "runs" / "shards"
    assert run_task(job, 1) == 0
    assert (shards / "1-of-2" / "shard.json").is_file()
    assert run_task(job, 2, "ulimit -f 8") != 0
    assert not (shards / "2-of-2" / "shard.json").exists()
    assert run_task(job, 2) == 0
    assert run_task(job, 2) == 0
