"""Run an experiment whose answers are all stored, and nothing else."""

from __future__ import annotations

import threading
from collections.abc import Collection
from pathlib import Path

from revkit.cache import Store
from revkit.execution.folder import RunFolder
from revkit.execution.loop import Loop
from revkit.execution.model_usage import LostCalls
from revkit.execution.processes import Children
from revkit.execution.progress import Progress
from revkit.execution.run import Run
from revkit.execution.runner import Runner
from revkit.execution.work import ItemWorker
from revkit.observing import Observer
from revkit.planning import Node
from revkit.planning.probes import wants_probes
from revkit.spec import Experiment


def run_if_stored(
    experiment: Experiment,
    store: Store,
    *,
    out: Path,
    overwrite: bool = False,
    quiet: bool = True,
    stop: threading.Event,
    sharing: Collection[str] = (),
) -> Run | None:
    """Run ``experiment`` if ``store`` has the answers of all its items; return None at the first
    item that it does not have, before anything is computed.

    An experiment that searches or probes is not tried: which answers it needs is known only after
    the others.
    """
    if experiment.attack is not None or wants_probes(experiment):
        return None
    with RunFolder(out, experiment.digest, overwrite=overwrite) as folder:
        try:
            attempt = _Attempt(stop)
            with ItemWorker(experiment, store, attempt, sharing=sharing) as worker:
                runner = _StoredRunner(experiment, folder, store, worker, attempt, quiet)
                runner.observer = Observer()  # an attempt that ends early is not a run that failed
                return runner.run()
        except (_NotStoredError, LostCalls):
            folder.discard()
            return None


class _NotStoredError(Exception):
    """The store does not have the answer of an item."""


class _Attempt(threading.Event):
    """Set with ``outer``, which stays as it is when the attempt ends early."""

    def __init__(self, outer: threading.Event) -> None:
        super().__init__()
        self._outer = outer

    def is_set(self) -> bool:
        return self._outer.is_set() or super().is_set()


class _StoredLoop(Loop):
    def _check_ready(self, node: Node) -> None:
        raise _NotStoredError


class _StoredRunner(Runner):
    def loop(self, progress: Progress, children: Children | None) -> Loop:
        return _StoredLoop(
            self.experiment, self.graph, self.store, self.worker, progress, self.stop
        )

    def in_batches(self, loop: Loop, progress: Progress, *portion: int | None) -> None:
        """Send nothing."""
