"""Runs as things to find, open and compare: everything here reads run folders and writes none.

`open_run` opens a finished run from its folder alone, `list_runs` lists the runs below a folder,
`compare_runs` pairs the papers of several runs and states which differences are significant.

Each name is loaded when it is first used: checking assertions needs no comparison of runs.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from revkit.runs.asserting import AssertionResult, check_assertions
    from revkit.runs.comparison import ComparedRun, Comparison, compare_runs
    from revkit.runs.differences import Difference
    from revkit.runs.listing import RUNS, RunEntry, find_run, list_runs
    from revkit.runs.opened import OpenedRun, open_run
    from revkit.runs.pairs import PairView, ReviewedPair
    from revkit.runs.texts import texts_of, write_texts
else:
    _MODULES = {
        "RUNS": "listing",
        "AssertionResult": "asserting",
        "ComparedRun": "comparison",
        "Comparison": "comparison",
        "Difference": "differences",
        "OpenedRun": "opened",
        "PairView": "pairs",
        "ReviewedPair": "pairs",
        "RunEntry": "listing",
        "check_assertions": "asserting",
        "compare_runs": "comparison",
        "find_run": "listing",
        "list_runs": "listing",
        "open_run": "opened",
        "texts_of": "texts",
        "write_texts": "texts",
    }

    def __getattr__(name):
        if name not in _MODULES:
            raise AttributeError(f"module 'revkit.runs' has no attribute {name!r}")
        from importlib import import_module

        value = getattr(import_module(f"revkit.runs.{_MODULES[name]}"), name)
        globals()[name] = value
        return value


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
