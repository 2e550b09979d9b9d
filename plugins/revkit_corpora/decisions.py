"""Decisions: from the wording of a venue to a yes, a no, or neither.

The wordings are a table, not a search for "accept" in the text, so "not accept" can never become a
yes. Before the look-up case, brackets, colons, hyphens and repeated blanks are levelled: "Accept
(Poster)", "accept-poster" and "Accept: poster" are one row. A wording that is not in the table
gives neither, with a note, and the wording itself stays in `Labels.decision`.

An invitation to the workshop track of ICLR 2017 and 2018 counts as a no: the paper was not accepted
at the conference. Papers withdrawn or rejected without review have no verdict of reviewers, hence
neither. The bare numbers are the codes of the ICLR 2017 table of submissions (2 poster, 1 oral,
0 reject, -1 invited to the workshop track).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from revkit_corpora.texts import clean, excerpt

_ACCEPTED = (
    "accept",
    "accepted",
    "acceptance",
    "accept as poster",
    "accept as oral",
    "accept notable top 5%",
    "accept notable top 25%",
    "accept oral",
    "accept oral presentation",
    "accept poster",
    "accept spotlight",
    "accept talk",
    "accept strong",
    "accepted oral",
    "accepted papers",
    "accepted poster",
    "accepted spotlight",
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
    "reject invite to workshop track",
    "rejected",
    "rejected paper",
    "rejected papers",
    "rejected submission",
    "rejected submissions",
    "rejection",
    "accepted: false",
    "workshop track",
    "0",
    "-1",
)
_NEITHER = (
    "",
    "desk reject",
    "desk rejected",
    "desk rejected submission",
    "desk rejected submissions",
    "desk rejection",
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
    "withdraw",
    "withdrawn",
    "withdrawn rejected submissions",
    "withdrawn submission",
    "withdrawn submissions",
)


def _level(wording: str) -> str:
    if re.fullmatch(r"\s*-?[0-9]+(?:\.0)?\s*", wording):
        return wording.strip().removesuffix(".0")
    return " ".join(re.sub(r"[-_()\[\]:,.–—]", " ", wording.casefold()).split())


TABLE: Mapping[str, bool | None] = {
    _level(wording): accept
    for wordings, accept in ((_ACCEPTED, True), (_REJECTED, False), (_NEITHER, None))
    for wording in wordings
}


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision read: ``accept`` (None: neither), the ``wording``, and a ``note`` or ""."""

    accept: bool | None = None
    wording: str = ""
    note: str = ""


def read_decision(value: object) -> Decision:
    """Read a decision as it stands at a source: text, a bool, a code of ICLR 2017, or nothing.

    Never raises: what is not in `TABLE` gives ``accept=None`` and a note.
    """
    if value is None:
        return Decision()
    if isinstance(value, bool):
        return Decision(value, "true" if value else "false")
    if isinstance(value, int | float):
        value = str(int(value)) if value == value and value in (-1, 0, 1, 2) else str(value)
    if not isinstance(value, str):
        return Decision(note=f"decision {excerpt(value)} is no text: no decision")
    wording = " ".join(clean(value)[0].split())
    level = _level(wording)
    if level in TABLE:
        return Decision(TABLE[level], wording)
    return Decision(None, wording, f"unknown decision {excerpt(wording)}: neither yes nor no")
