"""The progress of a run: bars on a terminal, a plain line now and then in pipes and notebooks."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any


class Progress:
    """Counts completed items without showing anything."""

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        return None

    def paper(self) -> None:
        """Count one complete paper."""

    def item(self) -> None:
        """Count one variant or review, computed or cached."""

    def stage(self, text: str) -> None:
        """Announce a stage of the run that takes a while."""

    def note(self, text: str) -> None:
        """Show how far the current stage is."""

    def warn(self, text: str) -> None:
        """Show a warning at once."""


class BarProgress(Progress):
    """Shows bars on standard error. ``papers`` and ``items`` are totals, None if unknown."""

    def __init__(self, papers: int | None, items: int | None) -> None:
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            TextColumn,
            TimeElapsedColumn,
            TimeRemainingColumn,
        )
        from rich.progress import Progress as Bars

        self._bars: Any = Bars(
            TextColumn("{task.description:<20}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
            refresh_per_second=4,
        )
        self._papers = self._bars.add_task("papers", total=papers)
        self._items = self._bars.add_task("variants and reviews", total=items)
        self._note: Any = None

    def __enter__(self) -> Progress:
        self._bars.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._bars.stop()

    def paper(self) -> None:
        self._bars.advance(self._papers)

    def item(self) -> None:
        self._bars.advance(self._items)

    def stage(self, text: str) -> None:
        self._bars.add_task(text, total=None)

    def note(self, text: str) -> None:
        if self._note is None:
            self._note = self._bars.add_task(text, total=None)
        self._bars.update(self._note, description=text)

    def warn(self, text: str) -> None:
        self._bars.console.print(f"warning: {text}", style="yellow", markup=False, highlight=False)


class LineProgress(Progress):
    """Writes plain lines on standard error: the first after `FIRST` seconds, then one each `EVERY`
    seconds, so that a log or a notebook shows that the run is alive. Short runs write nothing."""

    FIRST = 10.0
    EVERY = 30.0

    def __init__(
        self, papers: int | None, items: int | None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._totals = papers, items
        self._papers = self._items = 0
        self._clock = clock
        self._started = clock()
        self._next = self._started + self.FIRST

    def paper(self) -> None:
        self._papers += 1
        self._line()

    def item(self) -> None:
        self._items += 1
        self._line()

    def stage(self, text: str) -> None:
        self._line(text)

    def note(self, text: str) -> None:
        self._line(text)

    def warn(self, text: str) -> None:
        sys.stderr.write(f"warning: {text}\n")
        sys.stderr.flush()

    def _line(self, stage: str = "") -> None:
        now = self._clock()
        if now < self._next:
            return
        self._next = now + self.EVERY
        papers, items = (
            f"{done:,}" if total is None else f"{done:,} of {total:,}"
            for done, total in zip((self._papers, self._items), self._totals, strict=True)
        )
        minutes, seconds = divmod(int(now - self._started), 60)
        what = f", {stage}" if stage else ""
        sys.stderr.write(
            f"{minutes}:{seconds:02d}  {papers} papers, {items} variants and reviews{what}\n"
        )
        sys.stderr.flush()


def progress_for(papers: int | None, items: int | None, *, quiet: bool) -> Progress:
    """Return bars if standard error is a terminal, else lines; a silent counter if ``quiet``."""
    if quiet:
        return Progress()
    if not sys.stderr.isatty():
        return LineProgress(papers, items)
    return BarProgress(papers, items)
