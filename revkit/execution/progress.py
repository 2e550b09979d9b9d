"""Progress of a run: bars on a terminal, silence elsewhere."""

from __future__ import annotations

import sys
from types import TracebackType
from typing import Any


class Progress:
    """Counts what is done and shows nothing."""

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
        """One paper is complete."""

    def item(self) -> None:
        """One variant or review is there, computed or found."""

    def stage(self, text: str) -> None:
        """The run turns to something that takes a while."""


class BarProgress(Progress):
    """Shows bars on standard error. ``papers`` and ``items`` are totals, None where unknown."""

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
    """Bars where standard error is a terminal and ``quiet`` is off; else silence."""
    if quiet or not sys.stderr.isatty():
        return Progress()
    return BarProgress(papers, items)
