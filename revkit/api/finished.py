"""Finished runs: list them, find one, open it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from revkit.runs import OpenedRun, RunEntry


def open_run(folder: str | Path) -> OpenedRun:
    """Open a finished run from its folder alone: tables, records, provenance.

    The spec, the plugins and the store of the run are not needed. Raises `RunError` for a folder
    without a finished run, and for a sweep, of which each point is a run folder.
    """
    from revkit.runs import open_run

    return open_run(folder)


def list_runs(folder: str | Path = "runs", *, points: bool = False) -> list[RunEntry]:
    """Return the runs in ``folder`` and its subfolders, the latest first; ``points`` includes those
    of sweeps. Raises `RunError` where the folder does not exist."""
    from revkit.runs import list_runs

    return list_runs(folder, points=points)


def find_run(text: str | Path, root: str | Path = "runs") -> Path:
    """Return the folder of the run that ``text`` names: a path, a folder in ``root``, the name of
    an experiment, the start of a digest, or "last". Raises `RunError` where there is none."""
    from revkit.runs import find_run

    return find_run(text, Path(root))
