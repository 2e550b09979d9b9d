"""Units: the edits of a paper that an attacker may choose from, and the texts they make."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property

from revkit.contracts import Perturbation, Unit
from revkit.dataclass import dataclass
from revkit.model.edits import Edit
from revkit.model.paper import Paper


@dataclass(frozen=True)
class EditUnit:
    """One unit: what a strategy sees of it, its edits, and the variant that they come from."""

    unit: Unit
    edits: tuple[Edit, ...]
    index: int


@dataclass(frozen=True)
class AttackedPaper:
    """A paper as components see it, and the units of its space."""

    id: str
    paper: Paper
    units: tuple[EditUnit, ...]

    def edits_of(self, numbers: Iterable[int]) -> tuple[Edit, ...]:
        """The edits of some units, in the order of the text."""
        return tuple(sorted(edit for number in numbers for edit in self.units[number].edits))

    def text_of(self, numbers: Iterable[int]) -> Paper:
        """The paper with some units applied, as an agent sees it."""
        return self.paper.edited(self.edits_of(numbers)).blind()

    @cached_property
    def offered(self) -> tuple[Unit, ...]:
        """The units as a strategy sees them."""
        return tuple(each.unit for each in self.units)


def units_of(
    paper: Paper, made: Sequence[tuple[str, int, Perturbation, Sequence[Edit]]]
) -> tuple[EditUnit, ...]:
    """The units of ``paper``, by arm, variant and place, from the variants that were made of it.

    ``made`` has the arm, the number, the perturbation and the edits of each variant. The same edits
    in two variants of an arm are one unit. Raises `ValueError` where a perturbation groups edits
    that are not those of its variant.
    """
    starts = [block.start for block in paper.blocks]
    found: dict[tuple[str, tuple[Edit, ...]], EditUnit] = {}
    for arm, index, perturbation, edits in made:
        for group in _groups(perturbation, paper, edits):
            if (arm, group) not in found:
                found[arm, group] = EditUnit(
                    _unit(len(found), arm, group, paper, starts), group, index
                )
    return _with_conflicts(list(found.values()))


def _groups(
    perturbation: Perturbation, paper: Paper, edits: Sequence[Edit]
) -> list[tuple[Edit, ...]]:
    groups = [tuple(sorted(group)) for group in perturbation.units(paper, edits) if group]
    if sorted(edit for group in groups for edit in group) != sorted(edits):
        raise ValueError(f"{perturbation.name} groups other edits than those of its variant")
    return sorted(groups)


def _unit(
    number: int, arm: str, edits: tuple[Edit, ...], paper: Paper, starts: Sequence[int]
) -> Unit:
    first = edits[0]
    block = max(0, bisect_right(starts, first.start) - 1)
    return Unit(number, arm, block, paper.text[first.start : first.end], first.new, first.note)


def _with_conflicts(units: Sequence[EditUnit]) -> tuple[EditUnit, ...]:
    """The units with what each cannot be combined with: edits that overlap, or that insert at the
    same place."""
    conflicts: list[set[int]] = [set() for _ in units]
    open_edits: list[tuple[Edit, int]] = []
    for edit, number in sorted((edit, each.unit.number) for each in units for edit in each.edits):
        open_edits = [
            (other, owner)
            for other, owner in open_edits
            if other.end > edit.start or (other.start, other.end) == (edit.start, edit.end)
        ]
        for _, owner in open_edits:
            if owner != number:
                conflicts[owner].add(number)
                conflicts[number].add(owner)
        open_edits.append((edit, number))
    return tuple(
        replace(each, unit=replace(each.unit, conflicts=frozenset(conflicts[each.unit.number])))
        for each in units
    )
