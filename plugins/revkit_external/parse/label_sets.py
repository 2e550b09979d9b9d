"""Named sets of labels, which define the meaning of common verdicts.

``@journal4``: accept, minor revision, major revision, reject, in the spellings that tools use. The
first two count as accept; score (1 to 10) 9, 7, 4, 2; severity (0 to 100) 10, 35, 65, 90.
``@journal4-strict`` differs in one thing: only "accept" counts as accept.
``@decision``: accept or reject; score 9, 2; severity 10, 90.
``@strength7``: strong reject to strong accept as 1 to 7, borderline 4; from weak accept on it is
accept, and borderline is not a verdict; severity 95, 80, 65, 50, 35, 20, 5.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

Meaning: TypeAlias = "bool | float"


def spellings(*words: str) -> list[str]:
    """Return each of ``words`` with blanks, underscores and hyphens between its parts."""
    return [word.replace(" ", mark) for word in words for mark in (" ", "_", "-")]


_ACCEPT = spellings("accept", "accepted", "accept as is")
_MINOR = spellings(
    "minor", "minor rev", "minor revision", "minor revisions", "accept with minor revisions"
)
_MAJOR = spellings("major", "major rev", "major revision", "major revisions")
_REJECT = spellings("reject", "rejected")
_JOURNAL = (_ACCEPT, _MINOR, _MAJOR, _REJECT)
_STRENGTH = [
    spellings(word)
    for word in (
        "strong reject",
        "reject",
        "weak reject",
        "borderline",
        "weak accept",
        "accept",
        "strong accept",
    )
]


def _set(groups: Iterable[list[str]], meanings: Iterable[Meaning | None]) -> dict[str, Meaning]:
    return {
        word: meaning
        for words, meaning in zip(groups, meanings, strict=True)
        if meaning is not None
        for word in words
    }


SETS: Mapping[str, Mapping[str, Mapping[str, Meaning]]] = {
    "@journal4": {
        "accept": _set(_JOURNAL, (True, True, False, False)),
        "score": _set(_JOURNAL, (9.0, 7.0, 4.0, 2.0)),
        "severity": _set(_JOURNAL, (10.0, 35.0, 65.0, 90.0)),
    },
    "@journal4-strict": {
        "accept": _set(_JOURNAL, (True, False, False, False)),
        "score": _set(_JOURNAL, (9.0, 7.0, 4.0, 2.0)),
        "severity": _set(_JOURNAL, (10.0, 35.0, 65.0, 90.0)),
    },
    "@decision": {
        "accept": _set((_ACCEPT, _REJECT), (True, False)),
        "score": _set((_ACCEPT, _REJECT), (9.0, 2.0)),
        "severity": _set((_ACCEPT, _REJECT), (10.0, 90.0)),
    },
    "@strength7": {
        "accept": _set(_STRENGTH, (False, False, False, None, True, True, True)),
        "score": _set(_STRENGTH, (1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0)),
        "severity": _set(_STRENGTH, (95.0, 80.0, 65.0, 50.0, 35.0, 20.0, 5.0)),
    },
}
SCORE_SCALES: Mapping[str, tuple[float, float]] = {
    "@journal4": (1.0, 10.0),
    "@journal4-strict": (1.0, 10.0),
    "@decision": (1.0, 10.0),
    "@strength7": (1.0, 7.0),
}


def label_key(text: str) -> str:
    """Return a label as a key: in lower case and without surrounding blanks."""
    return text.strip().casefold()
