"""`LocalProcesses`: the shards of an experiment as processes of one machine."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import ClassVar

from revkit import Executor, option
from revkit.dataclass import dataclass

_LOOK = 0.5  # seconds between two looks at whether the run was stopped


@dataclass(frozen=True)
class LocalProcesses(Executor):
    """Runs shards as processes of this machine, each with its own event loop and its own store.

    One Python process serves some hundreds of calls a second. With this executor, several processes
    share the calls. ``processes`` of a spec, in contrast, shares the work of families and
    deterministic agents, and leaves the calls in one process. A shard needs about half a second to
    start.
    """

    name: ClassVar[str] = "local"
    version: ClassVar[str] = "1"

    shards: int = option(2, help="Parts of the experiment.", minimum=1, maximum=100_000)
    at_once: int = option(2, help="Parts that run at the same time.", minimum=1, maximum=1024)

    def run(
        self, work: Callable[[str], str], tasks: Sequence[str], stopped: Callable[[], bool]
    ) -> Iterator[str]:
        """Call ``work`` in threads; each call starts the process of a shard and waits for it."""
        waiting = deque(tasks)
        running: set[Future[str]] = set()
        with ThreadPoolExecutor(self.at_once) as pool:
            while running or (waiting and not stopped()):
                while waiting and len(running) < self.at_once and not stopped():
                    running.add(pool.submit(work, waiting.popleft()))
                done, running = wait(running, _LOOK, FIRST_COMPLETED)
                for future in done:
                    yield future.result()
