"""How far a run is, from the records that it has written so far, and what its requests do."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal, TypeAlias

from revkit.dataclass import dataclass
from revkit.execution.folder import MARK, in_use
from revkit.execution.shards.task import CONTROL
from revkit.files import json_in_file
from revkit.files.run_files import records_file
from revkit.observing.live import RECENT, BudgetState, ModelState, read_state

State: TypeAlias = Literal["running", "finished", "stopped"]
_HUNG = 30.0  # seconds from which a request without an answer is reported
_OFTEN = 5.0  # times the usual time of an answer, for the same
_SLOWER = 2.0  # times the usual time from which a model is reported as slower
_ENOUGH = 5  # requests that a median or a share needs
_NEAR = 0.1  # of the budget
_UNITS = {"usd": "US dollars", "calls": "calls", "tokens": "tokens"}


@dataclass(frozen=True)
class RunProgress:
    """Papers and reviews that are written, and whether a run holds the folder now. Of a running run
    also its requests by model, and what is left of its budget.

    For an executor or a sweep these are sums over the shards or points; a median is then the mean
    of theirs, weighted by their requests.
    """

    folder: Path
    state: State
    papers: int
    reviews: int
    models: tuple[ModelState, ...] = ()
    budget: tuple[BudgetState, ...] = ()

    @property
    def line(self) -> str:
        """One line for a terminal."""
        return f"{self.folder}: {self.state}, {self.papers:,} papers, {self.reviews:,} reviews"

    @property
    def details(self) -> list[str]:
        """Lines about each model and the budget."""
        return [*map(_model_line, self.models), *map(_budget_line, self.budget)]

    @property
    def warnings(self) -> list[str]:
        """What a person may want to act on: a request that hangs, a model that answers more slowly
        than before, or with failures, and a budget near its end.
        """
        return [
            *(text for model in self.models for text in _warnings_of(model)),
            *(
                f"{each.left / each.whole:.0%} of the {_UNITS[each.unit]} of the budget are left"
                for each in self.budget
                if each.whole and each.left <= _NEAR * each.whole
            ),
        ]


def _model_line(state: ModelState) -> str:
    text = f"{state.model}: {state.in_flight:,} in flight"
    if state.in_flight:
        text += f", the oldest for {state.oldest_seconds:.1f} s ({state.oldest_agent})"
    text += f"; in {RECENT:.0f} s {state.ended:,} ended, {state.failed:,} failed"
    if state.median_seconds is not None:
        text += f", median {state.median_seconds:.2f} s"
    if state.usual_seconds is not None:
        text += f" (before: {state.usual_seconds:.2f} s)"
    return text


def _budget_line(state: BudgetState) -> str:
    figures = (f"{each:,.2f}" if state.unit == "usd" else f"{each:,.0f}" for each in
               (state.left, state.whole))  # fmt: skip
    return f"budget: {' of '.join(figures)} {_UNITS[state.unit]} left"


def _warnings_of(state: ModelState) -> Iterator[str]:
    usual = state.usual_seconds or state.median_seconds
    if state.oldest_seconds > max(_HUNG, _OFTEN * (usual or 0.0)):
        yield (
            f"{state.model}: a request of {state.oldest_agent} has waited "
            f"{state.oldest_seconds:.0f} s for an answer"
        )
    median, before = state.median_seconds, state.usual_seconds
    answered = state.ended - state.failed
    if median and before and answered >= _ENOUGH and median >= _SLOWER * before:
        yield (
            f"{state.model} answers after {median:.2f} s, {median / before:.1f} times as long as "
            "before"
        )
    if state.ended >= _ENOUGH and state.failed * 2 >= state.ended:
        yield f"{state.model}: {state.failed:,} of {state.ended:,} requests failed"


def progress_of(folder: Path) -> RunProgress:
    """How far the run in ``folder`` is. Records of a running run have the ending ``.part``."""
    running = in_use(folder)
    results = ("result.json", "sweep.json", "shard.json")
    finished = any((folder / name).is_file() for name in results)
    state: State = "running" if running else "finished" if finished else "stopped"
    parts = [progress_of(part) for part in _parts(folder, running)]
    if parts:
        return RunProgress(
            folder,
            state,
            sum(part.papers for part in parts),
            sum(part.reviews for part in parts),
            _models_of(parts),
            _budget_of(parts),
        )
    live = read_state(folder) if running else None
    return RunProgress(
        folder,
        state,
        _lines(folder, "papers", running),
        _lines(folder, "outcomes", running),
        live.models if live else (),
        live.budget if live else (),
    )


def _parts(folder: Path, running: bool) -> list[Path]:
    """The points of a sweep, or the shards at which an executor works now."""
    points = sorted(path.parent for path in (folder / "points").glob(f"*/{MARK}"))
    if points or not running:
        return points
    shards = folder.with_name(f"{folder.name}.shards")
    try:
        control = json_in_file(shards / CONTROL)
        working, count = not control["stop"], int(control["shards"])
    except (ValueError, KeyError, TypeError):
        return []
    if not working:
        return []
    return sorted(path.parent for path in shards.glob(f"*-of-{count}/{MARK}"))


def _models_of(parts: Sequence[RunProgress]) -> tuple[ModelState, ...]:
    states: dict[str, list[ModelState]] = {}
    for each in (model for part in parts for model in part.models):
        states.setdefault(each.model, []).append(each)
    return tuple(_sum(each) for _, each in sorted(states.items()))


def _sum(states: Sequence[ModelState]) -> ModelState:
    oldest = max(states, key=lambda each: each.oldest_seconds)
    return replace(
        oldest,
        in_flight=sum(each.in_flight for each in states),
        ended=sum(each.ended for each in states),
        failed=sum(each.failed for each in states),
        median_seconds=_mean(states, lambda each: each.median_seconds),
        usual_seconds=_mean(states, lambda each: each.usual_seconds),
    )


def _mean(
    states: Iterable[ModelState], seconds: Callable[[ModelState], float | None]
) -> float | None:
    known = [(value, each.ended or 1) for each in states if (value := seconds(each)) is not None]
    weights = sum(weight for _, weight in known)
    return sum(value * weight for value, weight in known) / weights if known else None


def _budget_of(parts: Sequence[RunProgress]) -> tuple[BudgetState, ...]:
    """What is left: the points of a sweep share one budget, and only one runs; shards divide it."""
    units = dict.fromkeys(each.unit for part in parts for each in part.budget)
    return tuple(
        BudgetState(
            unit,
            sum(each.left for part in parts for each in part.budget if each.unit == unit),
            sum(each.whole for part in parts for each in part.budget if each.unit == unit),
        )
        for unit in units
    )


def _lines(folder: Path, name: str, running: bool) -> int:
    path = records_file(folder, name)
    part = path.with_name(path.name + ".part")
    chosen = part if part.is_file() and (running or not path.is_file()) else path
    count = 0
    try:
        with chosen.open("rb") as file:
            while block := file.read(1 << 20):
                count += block.count(b"\n")
    except OSError:
        return 0
    return count
