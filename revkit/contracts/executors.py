"""The contract of executors, which run shards of an experiment in other processes."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence

from revkit.contracts.component import Component


class Executor(Component):
    """A component that gives the shards of an experiment to other processes or machines.

    ``shards`` is the number of shards (1 to 100,000), and ``at_once`` the most of them that run at
    the same time: limits of requests and tokens a minute are divided by it.
    """

    shards: int
    at_once: int

    @abstractmethod
    def run(
        self, work: Callable[[str], str], tasks: Sequence[str], stopped: Callable[[], bool]
    ) -> Iterator[str]:
        """Call ``work`` for each of ``tasks`` elsewhere, and yield the results in any order.

        ``work`` is a function of a module of revkit, so its name is enough to find it. Tasks and
        results are JSON texts. At most ``at_once`` calls run at the same time. A call that is lost
        with its worker is made again by another one; ``work`` continues from what was stored. When
        ``stopped()`` is true, no new call begins, and the calls in progress end soon.

        Raises `revkit.errors.RunError` if the workers cannot be reached or are lost too often.
        """
