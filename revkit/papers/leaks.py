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
# fast, and most papers contain none. "a decision" is the last: it looks in the folded text, which
# costs more than all others, and alone it is too little.
_LITERALS = {
    "reviewers": ("Reviewer",),
    "ratings": ("Rating:", "Recommendation:", "Overall score:", "Overall assessment:"),
    "confidences": ("Confidence:",),
    "reviews": ("Official Review", "Meta", "Public Comment"),
    "a decision": ("decision",),
}
_FEWEST = 2


def find_leaks(text: str) -> tuple[str, ...]:
    """Return the signs that ``text`` contains its own reviews, such as ("ratings", "a decision"):
    the signs that review systems print, where there are at least two of them; else nothing."""
    possible: set[str] = set()
    for left, (name, literals) in zip(range(len(_LITERALS), 0, -1), _LITERALS.items(), strict=True):
        if len(possible) + left < _FEWEST:
            return ()
        folded = text.casefold() if name == "a decision" else text
        if any(map(folded.__contains__, literals)):
            possible.add(name)
    found = tuple(name for name in _SIGNS if name in possible and _SIGNS[name].search(text))
    return found if len(found) >= _FEWEST else ()
