"""Leaks: a file that holds the reviews of its paper, or the decision, gives an agent the answer."""

from __future__ import annotations

import re

_SIGNS = {
    "reviewers": re.compile(r"\bAnonReviewer\d|\bReviewer [A-Za-z0-9]{4}\b(?=\s*(?:Official|\d))"),
    "ratings": re.compile(r"\b(?:Rating|Recommendation|Overall (?:score|assessment)):\s{0,3}\d"),
    "confidences": re.compile(r"\bConfidence:\s{0,3}\d"),
    "a decision": re.compile(
        r"\bAcceptance Decision\b|\bPaper Decision\b"
        r"|\bDecision:\s{0,3}(?:Accept|Reject|Invite|Withdraw)",
        re.IGNORECASE,
    ),
    "reviews": re.compile(r"\bOfficial Review\b|\bMeta-?Review(?::| of)|\bPublic Comment\b"),
}
# Literals of which one occurs wherever the sign occurs: searching for them is a hundred times as
# fast, and most papers contain none. The sign without letter case looks in the folded text.
_LITERALS = {
    "reviewers": ("Reviewer",),
    "ratings": ("Rating:", "Recommendation:", "Overall score:", "Overall assessment:"),
    "confidences": ("Confidence:",),
    "a decision": ("decision",),
    "reviews": ("Official Review", "Meta", "Public Comment"),
}
_FEWEST = 2


def find_leaks(text: str) -> tuple[str, ...]:
    """Return the signs that ``text`` contains its own reviews, such as ("ratings", "a decision"):
    the signs that review systems print, where there are at least two of them; else nothing."""
    possible = [
        name
        for name, literals in _LITERALS.items()
        if any(literal in _folded(text, name) for literal in literals)
    ]
    if len(possible) < _FEWEST:
        return ()
    found = tuple(name for name in possible if _SIGNS[name].search(text))
    return found if len(found) >= _FEWEST else ()


def _folded(text: str, name: str) -> str:
    return text.casefold() if _SIGNS[name].flags & re.IGNORECASE else text
