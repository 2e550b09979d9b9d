"""Columns that tables of many metrics have, and what is written into them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

from revkit.model.table import Cell, Column

if TYPE_CHECKING:
    from revkit.stats import Estimate

POINTS = "score points"
AGENT = Column("agent", "Agent", "", "The agent as the experiment names it.", "agent")
FAMILY = Column("family", "Family", "", "The perturbation as the experiment names it.", "family")
JUDGE = Column("judge", "Judge", "", "The judge as the experiment names it.", "judge")
RUBRIC = Column("rubric", "Rubric", "", "The rubric by which texts were scored.", "rubric")
CONFIDENCE = Column(
    "confidence", "Confidence", "share", "The confidence level of the intervals.", "confidence"
)
UNIT = Column("unit", "Unit", "", "What the intervals take to be independent.", "unit")
METHOD = Column(
    "method", "Interval", "", "How the interval named in this row was computed.", "method"
)
NOTE = Column("note", "Note", "", "Why a cell is empty, or what limits a figure.", "note")


def joined(*notes: str) -> str | None:
    """Distinct notes in the order given, as one cell; None where there is nothing to say."""
    return "; ".join(dict.fromkeys(note for note in notes if note)) or None


def note_of(estimate: Estimate) -> str:
    """What limits a figure: of its value where it has none, else of its interval."""
    return estimate.note or estimate.interval.note


def counted_kinds(kinds: Iterable[str]) -> Cell:
    """Kinds with their numbers, as one cell ("refusal 1, timeout 3"); None where there is none."""
    found = Counter(kinds)
    return ", ".join(f"{kind} {number}" for kind, number in sorted(found.items())) or None
