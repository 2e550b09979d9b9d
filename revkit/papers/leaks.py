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
_FEWEST = 2


def find_leaks(text: str) -> tuple[str, ...]:
    """Return the signs that ``text`` contains its own reviews, such as ("ratings", "a decision"):
    the signs that review systems print, where there are at least two of them; else nothing."""
    found = tuple(name for name, sign in _SIGNS.items() if sign.search(text))
    return found if len(found) >= _FEWEST else ()
