"""Columns that the tables of many metrics share, and their cells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from revkit.model.table import Cell, Column

if TYPE_CHECKING:
    from revkit.stats import Estimate

POINTS = "score points"
AGENT = Column("agent", "Agent", "", "The name of the agent in the experiment.", "agent")
FAMILY = Column("family", "Family", "", "The name of the perturbation in the experiment.", "family")
JUDGE = Column("judge", "Judge", "", "The name of the judge in the experiment.", "judge")
RUBRIC = Column("rubric", "Rubric", "", "The rubric by which texts were scored.", "rubric")
CONFIDENCE = Column(
    "confidence", "Confidence", "share", "The confidence level of the intervals.", "confidence"
)
UNIT = Column("unit", "Unit", "", "The unit that the intervals treat as independent.", "unit")
METHOD = Column("method", "Interval method", "", "The method of the interval of the row.", "method")
NOTE = Column("note", "Note", "", "Why a cell is empty, or what limits a figure.", "note")


def name_pairs(row: Mapping[str, Cell]) -> str:
    """Return how a sentence names the pairs of a row: "gpt under hedging (add)". The row has the
    cells agent, family and direction.
    """
    way = f" ({row['direction']})" if row["direction"] else ""
    return f"{row['agent']} under {row['family']}{way}"


def join_notes(*notes: str) -> str | None:
    """Return distinct notes in order as one cell; None if all are empty."""
    return "; ".join(dict.fromkeys(note for note in notes if note)) or None


def note_of(estimate: Estimate) -> str:
    """Return the note of an estimate, else the note of its interval."""
    return estimate.note or estimate.interval.note


def count_kinds(kinds: Iterable[str]) -> Cell:
    """Return kinds with their counts as one cell ("refusal 1, timeout 3"); None if there are
    none.
    """
    found = Counter(kinds)
    return ", ".join(f"{kind} {number}" for kind, number in sorted(found.items())) or None
