"""Remove one paper from run folders and stores."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from revkit.api.specs import Plugin
from revkit.places import STORE
from revkit.registry import load_registry

if TYPE_CHECKING:
    from revkit.execution.removal import Traces


def forget(
    paper: str,
    *,
    runs: Sequence[str | Path] = ("runs",),
    stores: Sequence[str | Path] = (STORE,),
    text: str = "",
    yes: bool = False,
    plugins: Iterable[Plugin] = (),
) -> Traces:
    """Return what holds the text, variants and reviews of a paper, and remove them if ``yes``.

    ``paper`` is its id in the runs below the folders ``runs``. Answers are removed from ``stores``:
    those that these runs asked for on this paper, and all that repeat twelve words of it in a row.
    In the records of runs its texts become empty; files of a run that repeat its text, such as
    reports, are deleted. Ids, labels, scores and tables stay. Bundles that hold it are named and
    stay as they are. ``text`` is the text itself, for a store whose runs are gone.

    Vectors of its sentences stay in the store; so do replies of a run by other code that quote
    nothing of it (`RunTraces.unknown`). Raises `RunError` where no run holds such a paper.
    """
    from revkit.execution.removal import find_traces, forget_traces

    traces = find_traces(
        paper, [*map(Path, runs)], [*map(Path, stores)], load_registry(plugins), text
    )
    if yes:
        forget_traces(traces)
    return traces
