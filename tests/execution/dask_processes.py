"""A Dask cluster of processes on this machine, for tests that kill its parts."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path


class Cluster:
    """A Dask scheduler and workers, each a process without a nanny.

    All write to ``folder / "dask.log"``; ``file`` tells clients where the scheduler is.
    """

    def __init__(self, folder: Path, environment: Mapping[str, str], workers: int) -> None:
        self.folder = folder
        self.environment = dict(environment)
        self.file = folder / "scheduler.json"
        self.started: list[subprocess.Popen[bytes]] = []
        self.scheduler = self.start("scheduler", "--port", "0", "--no-dashboard")
        end = time.monotonic() + 60
        while not self.file.exists() and time.monotonic() < end:
            time.sleep(0.05)
        self.workers = [self._worker() for _ in range(workers)]

    def start(self, what: str, *options: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", f"distributed.cli.dask_{what}"]
        with (self.folder / "dask.log").open("ab") as log:
            process = subprocess.Popen(
                [*command, "--scheduler-file", str(self.file), *options],
                cwd=self.folder, env=self.environment, stdout=log, stderr=log,
            )  # fmt: skip
        self.started.append(process)
        return process

    def _worker(self) -> subprocess.Popen[bytes]:
        return self.start("worker", "--nthreads", "1", "--no-nanny", "--no-dashboard")

    def mend(self) -> None:
        """Start a new worker for each that ended."""
        self.workers = [
            worker if worker.poll() is None else self._worker() for worker in self.workers
        ]

    def close(self) -> None:
        for process in self.started:
            process.kill()
            process.wait()
        self.file.unlink(missing_ok=True)
