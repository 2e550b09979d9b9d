"""Failures of one component with one cause, which the next item is likely to have, too.

They are counted while a run goes, so that a person can stop it before it has paid for all items. No
item is left out for them: which items came first depends on threads.
"""

from __future__ import annotations

import re
from collections import Counter
from hashlib import blake2b

from revkit.execution.warning import RunWarning
from revkit.http.values import one_line
from revkit.model.review import Failure

FEWEST = 25
_SHOWN_AT = (FEWEST, 10 * FEWEST, 100 * FEWEST)
_MOST_LETTERS = 160
# The status of a response is a cause. Other numbers count, measure or identify: a request, a time.
_STATUS_OR_NUMBER = re.compile(
    r"(?P<status>\b(?:HTTP(?:/\d(?:\.\d)?)?|status(?: code)?|code)[ :=]{0,3}[1-5]\d\d\b)"
    r"|\b(?=[a-z_-]{0,30}\d)[\w-]{12,}|\d+",
    re.IGNORECASE,
)


class EqualFailures:
    """The outcomes of the items of each component, by cause."""

    def __init__(self) -> None:
        self._items: Counter[str] = Counter()
        # By a digest, since a run may have as many causes as items.
        self._causes: dict[str, Counter[bytes]] = {}
        self._texts: dict[tuple[str, bytes], str] = {}

    def count(self, component: str, outcome: object) -> str:
        """Count an item of ``component``; return a warning where all of many items so far failed
        with one cause, else "".
        """
        self._items[component] += 1
        if not isinstance(outcome, Failure) or outcome.kind == "budget":
            return ""
        text = _cause_of(outcome)
        cause = blake2b(text.encode("utf-8", "replace"), digest_size=12).digest()
        causes = self._causes.setdefault(component, Counter())
        causes[cause] += 1
        count = causes[cause]
        if count == FEWEST:
            self._texts[component, cause] = text
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
            [(cause, count)] = causes.most_common(1)
            if count < FEWEST or 2 * count <= self._items[component]:
                continue
            detail = (
                f"{count:,} of {self._items[component]:,} items of {component} failed with one "
                f"cause ({self._texts[component, cause]}); before you repeat the command, remove "
                "the cause, unless it passes, as rate limits and faults of servers do"
            )
            found.append(RunWarning("equal-failures", component, detail))
        return found


def _cause_of(failure: Failure) -> str:
    """Return the text of a failure on one line, with "…" for numbers and identifiers in which equal
    failures differ.
    """
    text = one_line(f"{failure.kind}: {failure.detail}".rstrip(": "), 4 * _MOST_LETTERS)
    masked = _STATUS_OR_NUMBER.sub(lambda match: match["status"] or "…", text)
    return one_line(masked, _MOST_LETTERS)
