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


def leak_notes(text: str) -> tuple[str, ...]:
    """Return a note where ``text`` seems to hold reviews of itself: at least two of the signs
    that review systems print."""
    found = [name for name, sign in _SIGNS.items() if sign.search(text)]
    if len(found) < _FEWEST:
        return ()
    return (f"holds its own reviews: {', '.join(found)}; an agent sees what it should find",)
