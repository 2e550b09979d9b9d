"""A run that is stopped at once ends the programs of its agents, and removes their folders."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

HANG = """\
import os, pathlib, sys, time
pathlib.Path(sys.argv[1], str(os.getpid())).write_text(str(os.getpid()))
time.sleep(600)
"""
MODULE = """\
import os, pathlib, time
def review(text, place):
    pathlib.Path(place, str(os.getpid())).write_text("")
    time.sleep(600)
"""
AGENTS: dict[str, Callable[[Path], dict[str, Any]]] = {
    "command": lambda place: {
        "argv": [sys.executable, str(place / "hang.py"), str(place / "pids"), "{paper_md}"],
        "output": {"stdout": True, "format": "json"},
    },
    "python": lambda place: {
        "call": "hanging:review",
        "args": ["{paper_text}", str(place / "pids")],
        "path": [str(place)],
    },
}


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
@pytest.mark.parametrize(
    ("use", "signals", "code"),
    [
        ("command", [signal.SIGINT, signal.SIGINT], 130),
        ("command", [signal.SIGTERM], -signal.SIGTERM),
        ("python", [signal.SIGHUP], -signal.SIGHUP),
    ],
)
def test_no_program_and_no_folder_outlives_the_run(
    tmp_path: Path, use: str, signals: list[int], code: int
) -> None:
    (tmp_path / "hang.py").write_text(HANG)
    (tmp_path / "hanging.py").write_text(MODULE)
    for name in ("pids", "temporary"):
        (tmp_path / name).mkdir()
    options = {**AGENTS[use](tmp_path), "map": {"accept": {"path": "$.accept"}}, "concurrency": 2}
    spec = {
        "revkit": 1,
        "name": "hang",
        "corpus": {"use": "synthetic", "with": {"papers": 2}},
        "agents": {"slow": {"use": use, "with": options}},
        "metrics": ["outcomes"],
    }
    (tmp_path / "hang.yaml").write_text(json.dumps(spec))
    process = subprocess.Popen(
        [sys.executable, "-m", "revkit.cli.main", "run", "hang.yaml", "--out", "run"],
        cwd=tmp_path,
        env={**os.environ, "TMPDIR": str(tmp_path / "temporary")},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    end = time.monotonic() + 60
    while not any((tmp_path / "pids").iterdir()):
        if process.poll() is not None or time.monotonic() > end:
            process.kill()
            pytest.fail(process.communicate()[1])
        time.sleep(0.1)
    for number in signals:
        time.sleep(0.5)
        process.send_signal(number)
    _, complaint = process.communicate(timeout=20)
    assert process.returncode == code
    assert "stopped; the same command resumes from the store" in complaint
    assert ("press Ctrl-C again to stop at once" in complaint) == (len(signals) == 2)
    pids = [int(path.name) for path in (tmp_path / "pids").iterdir()]
    assert pids
    assert not [pid for pid in pids if alive(pid)]
    assert not list((tmp_path / "temporary").glob("revkit-*"))
