"""Events: the beginning and the end of a run, a stage, a call and a request, and states between.

A `call` is one question to a model that the store does not answer; it takes one `request` or, with
repetitions, several. Facts are numbers, names of models and of agents, kinds of outcomes and
digests: no text of a paper, a prompt, a reply or an error, no key, and no path.
"""

from __future__ import annotations

import itertools
import re
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import Literal, Protocol, Self, TypeAlias

from revkit.dataclass import dataclass

Fact: TypeAlias = str | int | float | bool | None
Name: TypeAlias = Literal["run", "stage", "call", "request", "state"]
Phase: TypeAlias = Literal["begin", "end", "now"]
_PATH = re.compile(r"^(?:[/~.\\]|[A-Za-z]:[/\\]|file:)|\\")


@dataclass(frozen=True, slots=True)
class Event:
    """One event. ``number`` is that of what begins or ends, counted from 1 in this process;
    ``parent`` that of what it is part of (0: of nothing); ``moment`` is in seconds since 1970.
    A fact that is None is unknown.
    """

    name: Name
    phase: Phase
    number: int
    parent: int
    moment: float
    facts: Mapping[str, Fact]


class Sink(Protocol):
    """Takes events from any thread. What it raises is reported once, and it gets no more."""

    def take(self, event: Event) -> None:
        """Take one event, quickly: a call waits for it."""

    def close(self) -> None:
        """Write what is left; the last event was taken."""


class Watch(Protocol):
    """Takes the requests of a run, from any thread, without their events."""

    def begun(self, request: Opened) -> None:
        """Take a request that is sent now."""

    def done(self, request: Opened) -> None:
        """Take a request that has ended, with its facts."""


class Opened:
    """Something that has begun. As a context manager it ends with its body; an exception names the
    outcome, unless there is one already.
    """

    def __init__(
        self, observer: Observer, name: Name, number: int, parent: int, facts: dict[str, Fact]
    ) -> None:
        self.name: Name = name
        self.number = number
        self.parent = parent
        self.facts = facts
        self.started = time.monotonic()
        self._observer = observer

    def begin(self, name: Name, **facts: Fact) -> Opened:
        """Begin a part of this."""
        return self._observer.begin(name, self.number, **facts)

    def note(self, **facts: Fact) -> None:
        """State facts for the end."""
        self.facts.update(facts)

    def add(self, **facts: float | None) -> None:
        """Add to the sums for the end. A sum with an unknown part is unknown."""
        for name, value in facts.items():
            before = self.facts.get(name, 0)
            known = value is not None and isinstance(before, int | float)
            self.facts[name] = before + value if known else None  # type: ignore[operator]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is not None:
            # By its name: importing asyncio takes a tenth of a second, and a replay needs none.
            cancelled = kind.__name__ == "CancelledError"
            self.facts.setdefault("outcome", "cancelled" if cancelled else kind.__name__)
        self._observer.end(self)


class _Nothing(Opened):
    """What begins where nobody observes."""

    def __init__(self) -> None:
        super().__init__(Observer(), "call", 0, 0, {})

    def begin(self, name: Name, **facts: Fact) -> Opened:
        return self

    def note(self, **facts: Fact) -> None:
        return

    def add(self, **facts: float | None) -> None:
        return

    def __exit__(self, *_: object) -> None:
        return


class _WatchedCall(_Nothing):
    """A call of which only the requests are seen."""

    def __init__(self, watch: Watch) -> None:
        super().__init__()
        self._watch = watch
        self._numbers = itertools.count(1)

    def begin(self, name: Name, **facts: Fact) -> Opened:
        if name != "request":
            return NOTHING
        return _WatchedRequest(self._watch, next(self._numbers), facts)


class _WatchedRequest(Opened):
    """A request that has no event."""

    def __init__(self, watch: Watch, number: int, facts: dict[str, Fact]) -> None:
        self.name = "request"
        self.number = number
        self.parent = 0
        self.facts = facts
        self.started = time.monotonic()
        self._watch = watch
        watch.begun(self)

    def begin(self, name: Name, **facts: Fact) -> Opened:
        return NOTHING

    def __exit__(self, *_: object) -> None:
        self._watch.done(self)


class Observer:
    """Gives events to ``sinks``; without one it does nothing. Every ``every`` seconds of a run it
    emits a state: requests in flight and the seconds of the oldest of them, the requests that ended
    since the state before with their median time, and what is left of the budget. A hung call and a
    slow provider are therefore seen before they end.
    """

    def __init__(self, sinks: Sequence[Sink] = (), every: float = 10.0) -> None:
        self._sinks = list(sinks)
        self._every = every
        self._numbers = itertools.count(1)
        self._lock = threading.Lock()
        self._open: dict[int, Opened] = {}
        self._around: list[int] = []  # the run and its stage, which calls belong to
        self._left: dict[str, dict[str, Fact]] = {}  # by part of the run; "" is this process
        self._relayed: dict[tuple[str, int], tuple[str, Opened]] = {}
        self._ended: list[float] = []
        self._failed = 0
        self._closed = threading.Event()
        self._beating: threading.Thread | None = None
        self._watch: Watch | None = None
        self._unseen: Opened | None = None  # what begins for those who see requests alone

    @contextmanager
    def watched(self, watch: Watch) -> Iterator[None]:
        """Give the requests of the body to ``watch`` too, unless another watches them already."""
        if self._watch is not None:
            yield
            return
        self._watch, self._unseen = watch, _WatchedCall(watch)
        try:
            yield
        finally:
            self._watch = self._unseen = None

    def begin(self, name: Name, parent: int | None = None, **facts: Fact) -> Opened:
        """Begin a part of ``parent``, by default of the stage or the run that is open."""
        if not self._sinks:
            return (name == "call" and self._unseen) or NOTHING
        facts = {key: plain(value) for key, value in facts.items()}
        with self._lock:
            if parent is None:
                parent = self._around[-1] if self._around else 0
            opened = Opened(self, name, next(self._numbers), parent, facts)
            self._open[opened.number] = opened
            if name in ("run", "stage"):
                self._around.append(opened.number)
            if self._beating is None:
                self._beating = threading.Thread(
                    target=self._beat, name="revkit-observing", daemon=True
                )
                self._beating.start()
        if name == "request" and self._watch is not None:
            self._watch.begun(opened)
        self._emit(name, "begin", opened.number, parent, dict(facts))
        return opened

    def end(self, opened: Opened) -> None:
        """End what `begin` returned."""
        with self._lock:
            if self._open.pop(opened.number, None) is None:
                return
            if opened.number in self._around:
                self._around.remove(opened.number)
            seconds = round(time.monotonic() - opened.started, 6)
            self._count(opened, seconds, "")
        if opened.name == "request" and self._watch is not None:
            self._watch.done(opened)
        facts = {key: plain(value) for key, value in opened.facts.items()}
        facts["seconds"] = seconds
        self._emit(opened.name, "end", opened.number, opened.parent, facts)

    def _count(self, opened: Opened, seconds: float, part: str) -> None:
        left = {key: fact for key, fact in opened.facts.items() if key.startswith("left_")}
        self._left.setdefault(part, {}).update(left)
        if opened.name == "request":
            self._ended.append(seconds)
            self._failed += opened.facts.get("outcome") != "answered"

    def share(self, part: str, **left: Fact) -> None:
        """State what is left of the budget for ``part`` of the run, before its first request."""
        with self._lock:
            self._left[part] = {f"left_{unit}": value for unit, value in left.items()}

    def relay(self, event: Event, source: str, part: str, parent: int) -> None:
        """Take an event of the process ``source``, which works on ``part`` of the run and whose
        events belong to ``parent``. Its numbers are replaced by numbers of this process; ``left_``
        facts become those of all parts. A process that works on a part again ends what an earlier
        one left open.
        """
        if event.name == "state" or not self._sinks:
            return  # the states of this process count the requests of all
        if event.name == "run" and event.phase == "begin":
            self.lose(part, source)
        key = (source, event.number)
        facts = dict(event.facts)
        if event.phase == "begin":
            with self._lock:
                above = self._relayed.get((source, event.parent))
                opened = Opened(
                    self,
                    event.name,
                    next(self._numbers),
                    above[1].number if above else parent,
                    facts,
                )
                # The clock of another machine may be ahead.
                opened.started -= max(0.0, time.time() - event.moment)
                self._open[opened.number] = opened
                self._relayed[key] = part, opened
        else:
            with self._lock:
                _, opened = self._relayed.pop(key, (part, NOTHING))
                if opened is NOTHING:
                    return
                del self._open[opened.number]
                opened.facts = facts
                self._count(opened, float(facts.get("seconds") or 0.0), part)
                facts |= {name: fact for name, fact in self._rest().items() if name in facts}
        self._emit(
            event.name,
            event.phase,
            opened.number,
            opened.parent,
            {**facts, "shard": part.replace("-of-", "/")},
            event.moment,
        )

    def lose(self, part: str | None = None, source: str = "") -> None:
        """End what processes left open that were killed: those of ``part``, except ``source``; of
        all parts without one.
        """
        with self._lock:
            gone = [
                key
                for key, (each, _) in self._relayed.items()
                if part is None or (each == part and key[0] != source)
            ]
            ended = [self._relayed.pop(key) for key in reversed(gone)]
            for _, opened in ended:
                del self._open[opened.number]
        for each, opened in ended:
            seconds = round(time.monotonic() - opened.started, 6)
            facts = {**opened.facts, "outcome": "lost", "seconds": seconds}
            shard = each.replace("-of-", "/")
            self._emit(opened.name, "end", opened.number, opened.parent, {**facts, "shard": shard})

    def _rest(self) -> dict[str, Fact]:
        """What is left of the budget for all parts of the run."""
        rest: dict[str, Fact] = {}
        for left in self._left.values():
            for name, value in left.items():
                before = rest.get(name, 0)
                if isinstance(value, int | float) and isinstance(before, int | float):
                    rest[name] = before + value
        return rest

    def close(self) -> None:
        """Emit the last state, and close the sinks."""
        self._closed.set()
        if self._beating is not None:
            self._beating.join()
            self._state()
        for sink in list(self._sinks):
            try:
                sink.close()
            except Exception as error:
                self._leave_out(sink, error)

    def _beat(self) -> None:
        while not self._closed.wait(self._every):
            self._state()

    def _state(self) -> None:
        from statistics import median  # takes as long to import as ten modules of revkit

        now = time.monotonic()
        with self._lock:
            flying = [each.started for each in self._open.values() if each.name == "request"]
            calls = sum(each.name == "call" for each in self._open.values())
            left = self._rest()
            ended, self._ended = self._ended, []
            failed, self._failed = self._failed, 0
        facts: dict[str, Fact] = {
            "calls": calls,
            "requests": len(flying),
            "oldest_seconds": round(now - min(flying), 3) if flying else 0.0,
            "ended": len(ended),
            "failed": failed,
            "median_seconds": round(median(ended), 6) if ended else None,
        }
        self._emit("state", "now", 0, 0, {**facts, **left})

    @property
    def observes(self) -> bool:
        """Whether events are made."""
        return bool(self._sinks)

    def _emit(
        self,
        name: Name,
        phase: Phase,
        number: int,
        parent: int,
        facts: dict[str, Fact],
        moment: float | None = None,
    ) -> None:
        event = Event(name, phase, number, parent, moment or time.time(), facts)
        for sink in list(self._sinks):
            try:
                sink.take(event)
            except Exception as error:
                self._leave_out(sink, error)

    def _leave_out(self, sink: Sink, error: Exception) -> None:
        with self._lock:
            if sink not in self._sinks:
                return
            self._sinks.remove(sink)
        warn(f"{type(sink).__name__} failed and gets no more events ({type(error).__name__})")


def plain(value: Fact) -> Fact:
    """Return ``value``; of a path, as servers of local models use for names, the last part."""
    if isinstance(value, str) and _PATH.search(value):
        return re.split(r"[/\\]", value.rstrip("/\\"))[-1]
    return value


def warn(text: str) -> None:
    """Print a warning that changes nothing else."""
    try:
        sys.stderr.write(f"warning: observing: {text}; the run goes on\n")
    except OSError:
        return


NOTHING: Opened = _Nothing()
