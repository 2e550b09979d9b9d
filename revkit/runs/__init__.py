"""Runs as things to find, open and compare: everything here reads run folders and writes none.

`open_run` opens a finished run from its folder alone, `list_runs` lists the runs below a folder.
"""

from revkit.runs.listing import RUNS, RunEntry, find_run, list_runs
from revkit.runs.opened import OpenedRun, open_run
from revkit.runs.pairs import ReviewedPair

__all__ = [
    "RUNS",
    "OpenedRun",
    "ReviewedPair",
    "RunEntry",
    "find_run",
    "list_runs",
    "open_run",
]
