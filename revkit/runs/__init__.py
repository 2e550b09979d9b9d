"""Runs as things to find, open and compare: everything here reads run folders and writes none.

`open_run` opens a finished run from its folder alone, `list_runs` lists the runs below a folder,
`compare_runs` pairs the papers of several runs and states which differences are significant.

Each name is loaded when it is first used: checking assertions needs no comparison of runs.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from revkit.runs.assertion_results import AssertionResult, check_assertions
    from revkit.runs.comparison import ComparedRun, Comparison, compare_runs
    from revkit.runs.differences import Difference
    from revkit.runs.listing import RUNS, RunEntry, find_run, list_runs
    from revkit.runs.opened_run import OpenedRun, open_run
    from revkit.runs.pairs import PairView, ReviewedPair
    from revkit.runs.texts import texts_of, write_texts
else:
    from revkit.lazy_names import lazy_names

    __getattr__ = lazy_names(
        __name__,
        {
            "assertion_results": "AssertionResult check_assertions",
            "comparison": "ComparedRun Comparison compare_runs",
            "differences": "Difference",
            "listing": "RUNS RunEntry find_run list_runs",
            "opened_run": "OpenedRun open_run",
            "pairs": "PairView ReviewedPair",
            "texts": "texts_of write_texts",
        },
    )

__all__ = [
    "RUNS",
    "AssertionResult",
    "ComparedRun",
    "Comparison",
    "Difference",
    "OpenedRun",
    "PairView",
    "ReviewedPair",
    "RunEntry",
    "check_assertions",
    "compare_runs",
    "find_run",
    "list_runs",
    "open_run",
    "texts_of",
    "write_texts",
]
