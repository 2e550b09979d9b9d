"""Compute maps, tables and reports again from records, and compare them with those of a bundle."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from revkit.errors import describe_error
from revkit.execution.provenance import package_versions
from revkit.model.values import Json, canonical_json

# Between versions of numpy or scipy sums may differ in their last digits, far below what any
# table prints.
RELATIVE = 1e-9
_LONGEST = 80  # characters of a value that a message shows
Place: TypeAlias = tuple[str | int, ...]


@dataclass
class Recomputed:
    """Compares the results in a bundle with those computed here from its records.

    ``versions`` are the packages of the run. ``differences`` names what is not the same, ``notes``
    what differs only in last digits, which is accepted where the packages are other versions.
    """

    versions: Mapping[str, str]
    differences: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def compare(self, what: str, stored: Json, compute: Callable[[], Json]) -> None:
        """Compare ``stored`` with the result of ``compute``."""
        try:
            computed = compute()
            if canonical_json(computed) == canonical_json(stored):
                return
        except (Exception, SystemExit) as error:  # a plugin may raise anything
            reason = describe_error(error)
            self.differences.append(f"{what} cannot be computed again here: {reason}")
            return
        versions = self._other_versions()
        place = next(_differences(stored, computed, RELATIVE if versions else 0.0), None)
        if place is None:
            self.notes.append(f"{what} differs in last digits{versions}")
            return
        where, there, here = place
        self.differences.append(
            f"{what} does not follow from the records of the bundle: {_named(where, stored)} is "
            f"{_short_text(there)} in the bundle and {_short_text(here)} when computed "
            f"again{versions}"
        )

    def _other_versions(self) -> str:
        """Return the packages whose versions here differ from those of the run, in brackets; "" for
        none.
        """
        here = package_versions()
        others = [
            f"{name} {there or 'absent'} there, {here.get(name) or 'absent'} here"
            for name, there in sorted(self.versions.items())
            if there != here.get(name, "")
        ]
        return f" (other versions of packages: {'; '.join(others)})" if others else ""


def _differences(
    there: Json, here: Json, relative: float, place: Place = ()
) -> Iterator[tuple[Place, Json, Json]]:
    """Return the places where two values differ by more than ``relative``."""
    if isinstance(there, dict) and isinstance(here, dict) and there.keys() == here.keys():
        for key in there:
            yield from _differences(there[key], here[key], relative, (*place, key))
    elif isinstance(there, list) and isinstance(here, list) and len(there) == len(here):
        for number, (one, other) in enumerate(zip(there, here, strict=True)):
            yield from _differences(one, other, relative, (*place, number))
    elif not _same(there, here, relative):
        yield place, there, here


def _same(there: Json, here: Json, relative: float) -> bool:
    if isinstance(there, float) and isinstance(here, float) and relative:
        return abs(there - here) <= relative * max(abs(there), abs(here))
    return canonical_json(there) == canonical_json(here)


def _named(place: Place, value: Json) -> str:
    """A place in words: of a cell of a table, its row and column."""
    match place, value:
        case ("rows", int(row), int(column)), {"columns": list(columns)}:
            head = columns[column] if column < len(columns) else None
            name = head.get("name") if isinstance(head, dict) else column
            return f"column {name!r} of row {row + 1}"
    return ", ".join(map(repr, place)) or "all of it"


def _short_text(value: Json) -> str:
    text = canonical_json(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
