"""Decisions: convert the wording of a venue to accept, reject, or neither.

One grammar for the whole of revkit. Before anything is compared, case, brackets, colons, hyphens
and repeated blanks are levelled: "Accept (Poster)", "accept-poster" and "Accept: poster" are one
wording. In turn:

1. the user's map (``decisions``) of whole wordings;
2. the table below;
3. "accept" or "reject" followed only by words that say how or where (`_KINDS`, `_NO_KINDS`):
   "Accept: Findings", "Accept (Long paper)", "Reject (invited to the workshop track)".

All else is neither, as nothing is searched within a text: "not accept", "accept or reject",
"Conditional accept" and "Invite to Archive" have no meaning here until the user maps them. They
keep their wording, and reports count them.

An invitation to the workshop track of ICLR 2017 and 2018 counts as a no: the paper was not accepted
at the conference. Papers withdrawn or rejected without review have no verdict of reviewers, hence
neither. The bare numbers are the codes of the ICLR 2017 table of submissions (2 poster, 1 oral,
0 reject, -1 invited to the workshop track).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from revkit.dataclass import dataclass
from revkit.model.paper import Unmapped
from revkit.venues.texts import clean, excerpt

_ACCEPTED = (
    "accept",
    "accepted",
    "acceptance",
    "accepted: true",
    "notable top 5%",
    "notable top 25%",
    "oral",
    "poster",
    "spotlight",
    "talk",
    "true",
    "yes",
    "1",
    "2",
)
_REJECTED = (
    "invite to workshop track",
    "invited to workshop track",
    "no",
    "false",
    "not accepted",
    "reject",
    "rejected",
    "rejection",
    "accepted: false",
    "workshop track",
    "0",
    "-1",
)
_WITHDRAWN = (
    "desk reject",
    "desk rejected",
    "desk rejected submission",
    "desk rejected submissions",
    "desk rejection",
    "withdraw",
    "withdrawn",
    "withdrawn rejected submissions",
    "withdrawn submission",
    "withdrawn submissions",
)
_NEITHER = (
    "",
    "n/a",
    "nan",
    "no decision",
    "none",
    "null",
    "pending",
    "submission",
    "undecided",
    "under review",
    "unknown",
)
# How or where a paper was accepted: none of these words makes a yes a no, or a condition of it.
_KINDS = frozenset(
    (
        *("as", "at", "for", "in", "the", "a", "an", "to", "of"),
        *("main", "conference", "proceedings", "findings", "demo", "demonstration", "industry"),
        *("track", "tracks", "long", "short", "full", "regular", "paper", "papers", "special"),
        *("poster", "posters", "oral", "orals", "spotlight", "spotlights", "talk", "talks"),
        *("presentation", "lightning", "highlight", "highlights", "notable", "top", "strong"),
        "journal",
    )
)
_NO_KINDS = _KINDS | frozenset(
    (
        *("invite", "invited", "workshop", "submission", "submissions", "after", "discussion"),
        *("review", "and", "resubmit"),
    )
)


def _level(wording: str) -> str:
    if re.fullmatch(r"\s*-?[0-9]+(?:\.0)?\s*", wording):
        return wording.strip().removesuffix(".0")
    return " ".join(re.sub(r"[-_()\[\]:,.–—]", " ", wording.casefold()).split())


TABLE: Mapping[str, bool | None] = {
    _level(wording): accept
    for wordings, accept in (
        (_ACCEPTED, True),
        (_REJECTED, False),
        (_WITHDRAWN, None),
        (_NEITHER, None),
    )
    for wording in wordings
}
_LEFT = frozenset(_level(wording) for wording in _WITHDRAWN)
_LONGEST = 200


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision that was read: ``accept`` (None: neither) and its ``wording``.

    ``withdrawn`` says that the paper was withdrawn or rejected without review, ``unmapped`` that
    nobody knows what the wording means.
    """

    accept: bool | None = None
    wording: str = ""
    withdrawn: bool = False
    unmapped: bool = False

    @property
    def note(self) -> str:
        """Return a note on a wording without a meaning; "" for all others."""
        if not self.unmapped:
            return ""
        return f"unknown decision {excerpt(self.wording)}: read as neither accept nor reject"

    @property
    def gap(self) -> tuple[Unmapped, ...]:
        """Return the wording in the form of labels, if it has no meaning."""
        return (Unmapped("decision", self.wording[:_LONGEST]),) if self.unmapped else ()


def read_decision(value: object, words: Mapping[str, bool | None] | None = None) -> Decision:
    """Read a decision of any source: text, a bool, a code of ICLR 2017, or nothing.

    ``words`` maps wordings of the user's venue to true, false or null (neither), levelled as all
    wordings are. Never raises: what has no meaning gives ``accept=None`` and ``unmapped``.
    """
    if value is None:
        return Decision()
    if isinstance(value, bool):
        return Decision(value, "true" if value else "false")
    if isinstance(value, int | float):
        value = str(int(value)) if value == value and value in (-1, 0, 1, 2) else str(value)
    if not isinstance(value, str):
        return Decision(wording=excerpt(value), unmapped=True)
    wording = " ".join(clean(value)[0].split())
    if words:
        leveled = _level(wording)
        own = {_level(each): accept for each, accept in words.items()}
        if leveled in own:
            return Decision(own[leveled], wording)
    return _known_decision(wording)


@lru_cache(maxsize=1024)
def _known_decision(wording: str) -> Decision:
    """Return the decision without a map of the user: a corpus has few wordings."""
    leveled = _level(wording)
    if leveled in TABLE:
        return Decision(TABLE[leveled], wording, leveled in _LEFT)
    accept = _by_kind(leveled)
    return Decision(accept, wording, unmapped=accept is None)


def _by_kind(leveled: str) -> bool | None:
    """Return accept or reject from the first word, if all others state only how or where."""
    if len(leveled) > _LONGEST:
        return None
    first, *others = leveled.split() or [""]
    if first in ("accept", "accepted", "acceptance") and _all_in(others, _KINDS):
        return True
    if first in ("reject", "rejected", "rejection") and _all_in(others, _NO_KINDS):
        return False
    return None


def _all_in(words: list[str], known: frozenset[str]) -> bool:
    return all(word in known or re.fullmatch(r"[0-9]{1,2}%", word) for word in words)
