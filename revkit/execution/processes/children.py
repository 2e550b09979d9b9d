"""The child processes of a run, and which items they compute.

Python runs one thread at a time, so threads do not share work that needs a processor. A child
process gets an item, asks the run for embeddings and other papers where a component needs them, and
returns the answer. Everything that waits (for models, searches, programs, servers) stays in the
threads of the run, which has one budget, one rate limit and one store.
"""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import replace
from queue import SimpleQueue
from types import TracebackType
from typing import Any, Literal, Self, cast

from revkit.errors import RunError, describe_error
from revkit.execution.keys import parts_of
from revkit.execution.processes.frames import receive, send
from revkit.execution.work import Answer, ItemStep, ItemWorker
from revkit.identity import ONE_OFF
from revkit.model.paper import Paper
from revkit.model.review import Failure
from revkit.model.variant import Variant
from revkit.model.written_review import PaperReviews
from revkit.papers import PaperFacts, read_facts
from revkit.planning import Node
from revkit.spec import AgentStep, Experiment, JudgeStep, PerturbationStep

# Services that a child reaches through the run; whatever else a component uses keeps it in the run.
_SERVED = frozenset(("embedder", "corpus", "reviews"))
_START = (
    "import json, sys\n"
    "sys.path[:] = json.loads(sys.stdin.buffer.readline())\n"
    "from revkit.execution.processes.child import main\n"
    "main()\n"
)
_LONGEST_START = 120.0  # seconds


def compute_item(
    worker: ItemWorker,
    node: Node,
    subject: Paper,
    index: int,
    repeat: int,
    written: PaperReviews | None,
) -> Answer:
    """Compute one item of ``node`` about ``subject``."""
    step = node.step
    if isinstance(step, PerturbationStep):
        return worker.variant(step, subject, index)
    if isinstance(step, JudgeStep):
        return worker.judgement(step, subject, repeat)
    return worker.review(cast(AgentStep, step), subject, repeat, written)


class FactReaders:
    """Up to ``processes`` child processes that read facts about papers, started when they are
    needed. They get no component of an experiment. ``least`` is the number of papers from which on
    starting them is worth it.

    A child that does not answer within ``deadline`` seconds is ended. Where none can be started or
    one has ended, the facts are read in this process. Use it as a context manager: at its end all
    children are ended, and facts that are still being read are given up.
    """

    def __init__(self, processes: int, deadline: float, least: int = 0) -> None:
        self.least = least
        self._deadline = deadline
        self._setup: object = None
        self._optional = True
        self._unavailable = False
        self._free = threading.Semaphore(processes)
        self._idle: SimpleQueue[_Child] = SimpleQueue()
        self._all: list[_Child] = []
        self._lock = threading.Lock()
        self._closed = False
        self._readers = ThreadPoolExecutor(processes, "revkit-facts")

    def begin_facts(self, papers: Sequence[Paper]) -> Future[list[PaperFacts]]:
        """Begin to read the facts about each of ``papers`` in a child."""
        return self._readers.submit(self._facts, papers)

    def _facts(self, papers: Sequence[Paper]) -> list[PaperFacts]:
        try:
            if not (self._unavailable or self._closed):
                with self._borrowed() as child:
                    return cast(list[PaperFacts], child.compute("facts", (papers,), self._serve))
        except _ChildEnded as ended:
            # With a deadline that is too short for one portion, each child would end so.
            self._unavailable = self._optional and ended.expired
        except Exception:
            if not self._optional:
                raise
            # No spec asked for this process, so no error of it may end the run.
            self._unavailable = True
        if self._closed:
            raise CancelledError
        return list(map(read_facts, papers))

    @contextmanager
    def _borrowed(self) -> Iterator[_Child]:
        """Lend an idle child for one request, at most until the deadline. Raises `_ChildEnded`."""
        with self._free:
            child = self._child()
            expired = threading.Event()
            timer = threading.Timer(self._deadline, child.end, (expired,))
            timer.daemon = True
            timer.start()
            try:
                yield child
            except (EOFError, OSError, pickle.UnpicklingError) as error:
                code = child.end()
                child.close()
                raise _ChildEnded(code, expired.is_set()) from error
            finally:
                timer.cancel()
            self._idle.put(child)

    def _child(self) -> _Child:
        while not self._idle.empty():
            child = self._idle.get()
            if child.alive:
                return child
        child = _Child(self._setup)
        with self._lock:
            self._all.append(child)
            if self._closed:
                child.end()
        return child

    def _serve(self, service: str, arguments: tuple[Any, ...]) -> object:
        raise LookupError(f"a child that reads facts needs no service, and asks for {service!r}")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with self._lock:
            self._closed = True
            for child in self._all:
                child.close()
        self._readers.shutdown(cancel_futures=True)


class Children(FactReaders):
    """Up to ``experiment.processes`` child processes that also compute items, started when they are
    needed.

    Use it as a context manager: at its end all of them are ended. Raises `RunError` if a component
    cannot be sent to another process.
    """

    def __init__(self, experiment: Experiment, worker: ItemWorker) -> None:
        super().__init__(experiment.processes, experiment.deadline)
        self._optional = False
        self._worker = worker
        needed = replace(experiment, metrics=(), reports=(), assertions=())
        try:
            self._setup = (one_off_files(), pickle.dumps(needed))
        except Exception as error:  # whatever a component does when it is pickled
            raise RunError(
                "processes: a component of this experiment cannot be sent to another process "
                f"({describe_error(error)}); write processes: 0, or define the component "
                "in a module"
            ) from error

    def take(self, node: Node) -> bool:
        """Whether items of ``node`` are computed by a child: a variant, or the answer of a
        deterministic agent, by components that do not call a model or a search.
        """
        if any(not _SERVED.issuperset(part.uses) for part in parts_of(node)):
            return False
        step = node.step
        if isinstance(step, JudgeStep):
            return step.agent.component.deterministic
        if isinstance(step, AgentStep):
            return step.component.deterministic
        return isinstance(step, PerturbationStep)

    def compute(
        self, node: Node, subject: Paper, index: int, repeat: int, written: PaperReviews | None
    ) -> Answer:
        """Compute one item in a child. A child that does not answer within the deadline is ended,
        and so is the item: the answer is then a failure, and another child takes its place.
        """
        step = cast(ItemStep, node.step)
        try:
            with self._borrowed() as child:
                item = (node.id, subject, index, repeat, written)
                answer = cast(Answer, child.compute("item", item, self._serve))
        except _ChildEnded as ended:
            if ended.expired:
                return self._worker.not_in_time(step)
            return _crashed(step, f"the process that computed it ended (exit code {ended.code})")
        if not isinstance(step, PerturbationStep):
            agent = step.agent if isinstance(step, JudgeStep) else step
            self._worker.changed_files.compare(agent.component)
        return answer

    def _serve(self, service: str, arguments: tuple[Any, ...]) -> object:
        services: Mapping[str, Callable[..., object]] = {"peers": self._worker.peers}
        if self._worker.embed is not None:
            services = {**services, "embed": self._worker.embed}
        if self._worker.parses is not None:
            parses = self._worker.parses
            services = {**services, "known": parses.known, "keep": parses.keep}
        return services[service](*arguments)


class _ChildEnded(Exception):
    """A child ended before its answer: at the deadline if it ``expired``."""

    def __init__(self, code: int, expired: bool) -> None:
        super().__init__(code)
        self.code = code
        self.expired = expired


class _Child:
    def __init__(self, setup: object) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", _START], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._input, self._output = self._process.stdin, self._process.stdout
        timer = threading.Timer(_LONGEST_START, self.end)
        timer.daemon = True
        timer.start()
        try:
            # Python ignores entries that are not strings, such as a Path that a notebook appended.
            path = [each for each in sys.path if isinstance(each, str)]
            self._input.write(json.dumps(path).encode() + b"\n")
            send(self._input, setup)
            state, *detail = receive(self._output)
        except (EOFError, OSError):
            state, detail = "broken", [f"exit code {self.end()}"]
        finally:
            timer.cancel()
        if state != "ready":
            self.close()
            raise RunError(f"a child process could not start: {detail[0]}; write processes: 0")

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def compute(
        self,
        what: Literal["item", "facts"],
        given: tuple[Any, ...],
        serve: Callable[[str, tuple[Any, ...]], object],
    ) -> object:
        """Send a request, serve what components ask for meanwhile, and return the answer."""
        send(self._input, (what, given))
        while True:
            kind, *rest = receive(self._output)
            if kind == "answer":
                return rest[0]
            try:
                reply: tuple[BaseException | None, object] = (None, serve(rest[0], rest[1]))
            except Exception as error:
                reply = (_plain(error), None)
            send(self._input, reply)

    def end(self, mark: threading.Event | None = None) -> int:
        """End the process, set ``mark`` before, and return its exit code."""
        if mark is not None:
            mark.set()
        self._process.kill()
        return self._process.wait()

    def close(self) -> None:
        """End the process, and close the pipes to it."""
        self.end()
        for stream in (self._input, self._output):
            with suppress(OSError):
                stream.close()


def _plain(error: Exception) -> Exception:
    """Return ``error``, or one with its text if it cannot be sent to another process."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(describe_error(error))
    return error


def _crashed(step: ItemStep, reason: str) -> Answer:
    if isinstance(step, PerturbationStep):
        return Answer(Variant(rejected=f"crashed: {reason}", outcome="crashed"), lasting=False)
    return Answer(Failure("crashed", reason), lasting=False)


def one_off_files() -> list[str]:
    """Return the files that were loaded as one-off plugins: a child has to load them too."""
    found = [module for name, module in sys.modules.items() if name.startswith(ONE_OFF)]
    return [str(module.__file__) for module in found if getattr(module, "__file__", None)]
