"""Failures of one component with one cause, which the next item, and the next run, will have too.

They are counted while a run goes, so that a person can stop it before it has paid for all items. No
item is left out for them: which items came first depends on threads.
"""

from __future__ import annotations

import re
from collections import Counter

from revkit.execution.warning import RunWarning
from revkit.http.values import one_line
from revkit.model.review import Failure

FEWEST = 25
_SHOWN_AT = (FEWEST, 10 * FEWEST, 100 * FEWEST)
_MOST_LETTERS = 160
_MOST_CAUSES = 1_000  # of one component; more would only take memory
_NUMBER = re.compile(r"\d+")


class EqualFailures:
    """The outcomes of the items of each component, by cause."""

    def __init__(self) -> None:
        self._items: Counter[str] = Counter()
        self._causes: dict[str, Counter[str]] = {}
        self._texts: dict[tuple[str, str], str] = {}

    def count(self, component: str, outcome: object) -> str:
        """Count an item of ``component``; return a warning where all of many items so far failed
        with one cause, else "".
        """
        self._items[component] += 1
        if not isinstance(outcome, Failure) or outcome.kind == "budget":
            return ""
        text = one_line(f"{outcome.kind}: {outcome.detail}".rstrip(": "), _MOST_LETTERS)
        cause = _NUMBER.sub("#", text)
        causes = self._causes.setdefault(component, Counter())
        if cause not in causes and len(causes) == _MOST_CAUSES:
            return ""
        causes[cause] += 1
        # The least text, so that the order of the items has no influence.
        known = self._texts.setdefault((component, cause), text)
        self._texts[component, cause] = min(known, text)
        count = causes[cause]
        if count not in _SHOWN_AT or count != self._items[component]:
            return ""
        return (
            f"all {count:,} items of {component} so far failed with one cause ({text}); Ctrl-C "
            "stops the run, and nothing that was stored is lost"
        )

    def warnings(self) -> list[RunWarning]:
        """Return a warning for each component of which most items failed with one cause."""
        found = []
        for component, causes in sorted(self._causes.items()):
            cause, count = min(causes.items(), key=lambda each: (-each[1], each[0]))
            if count < FEWEST or 2 * count <= self._items[component]:
                continue
            detail = (
                f"{count:,} of {self._items[component]:,} items of {component} failed with one "
                f"cause ({self._texts[component, cause]}); the same command fails alike until the "
                "cause is removed"
            )
            found.append(RunWarning("equal-failures", component, detail))
        return found
