"""The state of a running run: its requests and its budget, in a file that `revkit follow` reads.

Unlike events, it is kept for every run, so it costs a request next to nothing: two entries in
memory. A thread writes the file every two seconds, beginning with the first request.
"""

from __future__ import annotations

import contextlib
import json
import os
import threading
import time
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from revkit.dataclass import dataclass
from revkit.model.strict_json import strict_json
from revkit.observing.events import Fact, Opened, plain

STATE = ".revkit-state"
EVERY = 2.0
RECENT = 30.0  # seconds that "lately" goes back
_MOST = 100_000  # requests that are kept as recent
_SAMPLE = 1000  # times that are kept of those before


@dataclass(frozen=True)
class ModelState:
    """The requests to one model: those in flight with the age of the oldest, in seconds, and the
    component that sent it; those that ended lately (within `RECENT` seconds), how many of them
    failed, and the median seconds of those answered; ``usual_seconds`` is the median of the answers
    before. None: there was none.
    """

    model: str
    in_flight: int
    oldest_seconds: float
    oldest_agent: str
    ended: int
    failed: int
    median_seconds: float | None
    usual_seconds: float | None


@dataclass(frozen=True)
class BudgetState:
    """What is left of one limit of the budget: of US dollars ("usd"), calls or tokens."""

    unit: str
    left: float
    whole: float


@dataclass(frozen=True)
class LiveState:
    """The state of a run at one moment, in seconds since 1970."""

    moment: float
    models: tuple[ModelState, ...] = ()
    budget: tuple[BudgetState, ...] = ()


class Live:
    """Keeps the state of the run in ``folder`` and writes it there. ``whole`` are the limits of the
    budget by unit.
    """

    def __init__(self, folder: Path, whole: Mapping[str, float]) -> None:
        self._path = folder / STATE
        self._whole = dict(whole)
        self._left: dict[str, float] = {}
        self._flying: dict[int, tuple[float, str, str]] = {}
        self._ended: deque[tuple[float, str, float, bool]] = deque(maxlen=_MOST)
        self._before: dict[str, list[float]] = {}
        self._closed = threading.Event()
        self._thread: threading.Thread | None = None
        self._starting = threading.Lock()

    def begun(self, request: Opened) -> None:
        """Take a request that is sent now."""
        facts = request.facts
        self._flying[request.number] = (
            request.started,
            str(facts.get("model")),
            str(facts.get("agent")),
        )
        if self._thread is None:
            self._start()

    def done(self, request: Opened) -> None:
        """Take a request that has ended."""
        begun = self._flying.pop(request.number, None)
        if begun is None:  # of a run before
            return
        started, model, _ = begun
        now = time.monotonic()
        facts = request.facts
        self._ended.append((now, model, now - started, facts.get("outcome") == "answered"))
        for unit in self._whole:
            left: Fact = facts.get(f"left_{unit}")
            if isinstance(left, int | float):
                self._left[unit] = left

    def _start(self) -> None:
        with self._starting:
            if self._thread is None and not self._closed.is_set():
                thread = threading.Thread(target=self._beat, name="revkit-live", daemon=True)
                # Without a thread the run goes on, and nobody can follow it.
                with contextlib.suppress(RuntimeError, MemoryError):
                    thread.start()
                    self._thread = thread

    def _beat(self) -> None:
        while not self._closed.wait(EVERY):
            self.write()

    def state(self) -> LiveState:
        """Return the state now."""
        now = time.monotonic()
        flying = list(self._flying.copy().values())
        while self._ended and self._ended[0][0] < now - RECENT:
            _, model, seconds, answered = self._ended.popleft()
            if answered:
                _sample(self._before.setdefault(model, []), seconds)
        recent = list(self._ended)
        names = {each[1] for each in flying} | {each[1] for each in recent}
        models = tuple(
            _state_of(
                model,
                now,
                sorted(each for each in flying if each[1] == model),
                [each for each in recent if each[1] == model],
                self._before.get(model, []),
            )
            for model in sorted(names)
        )
        budget = tuple(
            BudgetState(unit, self._left.get(unit, whole), whole)
            for unit, whole in self._whole.items()
        )
        return LiveState(time.time(), models, budget)

    def write(self) -> None:
        """Write the state; a folder that cannot be written is the affair of its run."""
        part = self._path.with_name(f"{STATE}.part")
        with contextlib.suppress(OSError):
            part.write_text(json.dumps(asdict(self.state())), encoding="utf-8")
            os.replace(part, self._path)

    def close(self) -> None:
        """Write no more, and remove the file."""
        with self._starting:
            self._closed.set()
        if self._thread is not None:
            self._thread.join()
        remove_state(self._path.parent)


def _sample(values: list[float], value: float) -> None:
    """Add ``value``; of too many, every second one is left out."""
    values.append(value)
    if len(values) > _SAMPLE:
        del values[::2]


def _state_of(
    model: str,
    now: float,
    flying: Sequence[tuple[float, str, str]],
    recent: Sequence[tuple[float, str, float, bool]],
    before: Sequence[float],
) -> ModelState:
    from statistics import median  # takes as long to import as ten modules of revkit

    answered = [seconds for _, _, seconds, good in recent if good]
    return ModelState(
        str(plain(model)),
        len(flying),
        round(now - flying[0][0], 3) if flying else 0.0,
        flying[0][2] if flying else "",
        len(recent),
        len(recent) - len(answered),
        round(median(answered), 3) if answered else None,
        round(median(before), 3) if before else None,
    )


def read_state(folder: Path) -> LiveState | None:
    """Return the state that the run in ``folder`` wrote last; None if there is none."""
    try:
        value = strict_json((folder / STATE).read_text(encoding="utf-8"))
        return LiveState(
            float(value["moment"]),
            tuple(ModelState(**each) for each in value["models"]),
            tuple(BudgetState(**each) for each in value["budget"]),
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None


def remove_state(folder: Path) -> None:
    """Remove what a run, or one that was killed, left of its state."""
    for name in (STATE, f"{STATE}.part"):
        with contextlib.suppress(OSError):
            (folder / name).unlink(missing_ok=True)
