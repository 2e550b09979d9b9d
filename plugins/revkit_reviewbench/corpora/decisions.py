"""Decisions as sources word them: accepted, rejected, never decided by reviewers, or unknown.

An invitation to the workshop track of ICLR 2017 and 2018 counts as a no, as elsewhere in revkit.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from revkit.model.intake import clean_text

_MORE = r"(?: [a-z0-9%]{1,20}){0,5}"
_ACCEPTED = re.compile(
    rf"accept(?:ed|ance)?{_MORE}|(?:notable top [0-9]{{1,2}}%|oral|poster|spotlight|talk)|yes|true"
)
_REJECTED = re.compile(
    rf"(?:not accepted|reject(?:ed|ion)?){_MORE}|(?:invited? to )?workshop track|no|false"
)
_PENDING = frozenset(("", "n/a", "nan", "none", "null", "pending", "undecided", "under review"))


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision read. ``accept`` is None where there is none; ``withdrawn`` tells that the paper
    was withdrawn or rejected without review; ``note`` quotes a wording that nobody knows."""

    accept: bool | None = None
    wording: str = ""
    withdrawn: bool = False
    note: str = ""


def read_decision(value: object) -> Decision:
    """Read a decision: text, true or false, or nothing. Never raises, never guesses."""
    if isinstance(value, bool):
        return Decision(value, "Accept" if value else "Reject")
    if value is None:
        return Decision()
    wording = " ".join(clean_text(value)[0].split()) if isinstance(value, str) else str(value)
    level = " ".join(re.sub(r"[-_()\[\]:,.\u2013\u2014]", " ", wording[:200].casefold()).split())
    if level in _PENDING:
        return Decision()
    if "withdraw" in level or "desk" in level.split():
        return Decision(None, wording, withdrawn=True)
    if _REJECTED.fullmatch(level):
        return Decision(False, wording)
    if _ACCEPTED.fullmatch(level) and "reject" not in level:
        return Decision(True, wording)
    return Decision(None, wording, note=f"unknown decision {wording[:60]!r}: neither yes nor no")
