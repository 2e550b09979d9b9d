"""The progress of a run: bars on a terminal, and no output elsewhere."""

from __future__ import annotations

import sys
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


def progress_for(papers: int | None, items: int | None, *, quiet: bool) -> Progress:
    """Return bars if standard error is a terminal and ``quiet`` is off; else a silent counter."""
    if quiet or not sys.stderr.isatty():
        return Progress()
    return BarProgress(papers, items)
