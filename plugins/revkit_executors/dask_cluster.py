"""`DaskCluster`: the shards of an experiment on a cluster of dask.distributed."""

from __future__ import annotations

import importlib
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, ClassVar

from revkit import Executor, option
from revkit.dataclass import dataclass
from revkit.errors import MissingPackage, OptionError, RunError

_LOOK = 0.5  # seconds between two looks at whether the run was stopped
_LOST = (
    "the connection to the Dask scheduler {} was lost; shards in progress store their answers, and "
    "the same command continues from there"
)


@dataclass(frozen=True)
class DaskCluster(Executor):
    """Runs shards on the workers of a Dask cluster (dask.distributed, extra ``dask``).

    The scheduler is at ``address``, such as ``tcp://10.0.0.1:8786``, or in the JSON file that
    ``dask scheduler --scheduler-file`` writes. Without an address, the run starts a cluster of
    ``at-once`` processes on this machine. All workers and the command need the same packages, and
    one folder under the same path for the shards. A worker that is lost is replaced: the scheduler
    gives its shard to another worker, which continues from what was stored.

    Only the name of a function and JSON texts are sent, and results are read as text. But whoever
    reaches a Dask scheduler can run programs on its workers: protect it with a separate network
    or with TLS (``ca-file``, ``certificate`` and ``key``).
    """

    name: ClassVar[str] = "dask"
    version: ClassVar[str] = "1"

    address: str = option("", help="The scheduler: its address or its scheduler file.")
    shards: int = option(16, help="Parts of the experiment.", minimum=1, maximum=100_000)
    at_once: int = option(
        2,
        help="Parts that run at the same time; limits of requests a minute are divided by it.",
        minimum=1,
        maximum=100_000,
    )
    timeout: float = option(
        60.0, help="Seconds to wait for the scheduler and for a first worker.", minimum=1
    )
    ca_file: str = option("", help="The certificate authority of the cluster, for TLS.")
    certificate: str = option("", help="The client's certificate, for TLS.")
    key: str = option("", help="The file of the client's private key, for TLS.")

    def __post_init__(self) -> None:
        super().__post_init__()
        given = [bool(each) for each in (self.ca_file, self.certificate, self.key)]
        if any(given) and not all(given):
            text = "needs certificate and key too, and they need it"
            raise OptionError(self.name, [("ca-file", text)])

    def run(
        self, work: Callable[[str], str], tasks: Sequence[str], stopped: Callable[[], bool]
    ) -> Iterator[str]:
        """Submit at most ``at_once`` tasks at a time, and yield each result when it is there."""
        engine = _engine()
        with ExitStack() as stack:
            client = self._client(engine, stack)
            waiting = deque(tasks)
            ended: SimpleQueue[Any] = SimpleQueue()
            running = 0
            while running or (waiting and not stopped()):
                while waiting and running < self.at_once and not stopped():
                    future = client.submit(work, waiting.popleft(), pure=False)
                    future.add_done_callback(ended.put)
                    running += 1
                with suppress(Empty):
                    future = ended.get(timeout=_LOOK)
                    running -= 1
                    yield self._result(future)
                    future.release()
                if client.status != "running":
                    raise RunError(_LOST.format(self.address))

    def _client(self, engine: Any, stack: ExitStack) -> Any:
        """Connect to the scheduler, and wait for a first worker."""
        try:
            if not self.address:
                cluster = engine.LocalCluster(
                    n_workers=self.at_once, threads_per_worker=1, dashboard_address=None
                )
                where: dict[str, Any] = {"address": stack.enter_context(cluster)}
            elif Path(self.address).is_file():
                where = {"scheduler_file": self.address}
            else:
                where = {"address": self.address}
            if self.key:
                where["security"] = engine.Security(
                    tls_ca_file=self.ca_file,
                    tls_client_cert=self.certificate,
                    tls_client_key=self.key,
                    require_encryption=True,
                )
            client = stack.enter_context(
                engine.Client(
                    **where,
                    timeout=self.timeout,
                    set_as_default=False,
                    # Results are texts: what is pickled is not read.
                    deserializers=["msgpack"],
                )
            )
            client.wait_for_workers(1, timeout=self.timeout)
        except (OSError, ValueError, TimeoutError) as error:
            raise RunError(
                f"the Dask cluster {self.address or 'of this machine'} cannot be used: {error}; "
                "start the scheduler and at least one worker"
            ) from error
        return client

    def _result(self, future: Any) -> str:
        if future.status == "finished":
            return str(future.result(timeout=self.timeout))
        if future.status in ("cancelled", "lost"):
            raise RunError(_LOST.format(self.address))
        try:
            reason = str(future.exception(timeout=self.timeout))
        except Exception as error:
            reason = str(error)
        raise RunError(
            f"a shard was lost with each worker that had it: {reason[:300]}; its answers are "
            "stored, and the same command continues from there"
        )


def _engine() -> Any:
    try:
        return importlib.import_module("distributed")
    except ImportError as error:
        raise MissingPackage("install it with: pip install 'revkit[dask]'") from error
