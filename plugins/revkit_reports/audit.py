"""Draw random edits of each family, with their sentences before and after, for a reader to
judge.
"""

from __future__ import annotations

import random
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate

from revkit.contracts import RunView
from revkit.dataclass import dataclass
from revkit.model.records import VariantRow
from revkit_reports.flips import Mark, marks_around
from revkit_reports.visible import one_line

NOTE = 160


@dataclass(frozen=True)
class AuditedEdit:
    """One edit: its variant, its reason, and the passage before and after it.

    The passages hold all edits of the variant there, since a reader sees them together.
    """

    paper: str
    title: str
    direction: str
    note: str
    before: tuple[Mark, ...]
    after: tuple[Mark, ...]


@dataclass(frozen=True)
class FamilyAudit:
    """The sampled edits of one family, and the total number of its edits."""

    family: str
    made: int
    shown: tuple[AuditedEdit, ...]


def audit_of(run: RunView, most: int) -> list[FamilyAudit]:
    """Draw up to ``most`` edits of each family; all edits of a variant are equally likely.

    The draw depends on the seed of the run, the name of the family and its counts of edits alone.
    """
    found = []
    for row in run.records.perturbations:
        rows = [
            each
            for each in run.records.variants
            if each.perturbation == row.name and each.outcome == "made" and each.edits
        ]
        ends = list(accumulate(each.edits for each in rows))
        if not ends or not most:
            continue
        rng = random.Random(f"audit {run.records.seed} {row.name}")
        drawn = sorted(rng.sample(range(ends[-1]), min(most, ends[-1])))
        tried = (_audited(run, rows, ends, number) for number in drawn)
        shown = tuple(each for each in tried if each is not None)
        found.append(FamilyAudit(one_line(row.name, 80), ends[-1], shown))
    return found


def _audited(
    run: RunView, rows: Sequence[VariantRow], ends: Sequence[int], number: int
) -> AuditedEdit | None:
    """Return the edit with that number; None if the run has fewer edits than were counted."""
    place = bisect_right(ends, number)
    row = rows[place]
    edits = sorted(run.edits_of(row.paper, row.perturbation, row.index))
    inner = number - (ends[place] - row.edits)
    if inner >= len(edits):
        return None
    edit = edits[inner]
    marks = marks_around(run.text_of(row.paper), edit, edits)
    return AuditedEdit(
        one_line(row.paper, 80),
        one_line(run.title_of(row.paper), 160) or one_line(row.paper, 80),
        one_line(row.direction, 40),
        one_line(edit.note, NOTE),
        tuple(_side(marks, "inserted")),
        tuple(_side(marks, "deleted")),
    )


def _side(marks: Sequence[Mark], without: str) -> Iterator[Mark]:
    return (mark for mark in marks if mark.kind != without)
