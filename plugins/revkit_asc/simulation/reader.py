"""Read the flaws of a manuscript from its text, in one pass."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from revkit.dataclass import dataclass
from revkit_asc.simulation.flaws import severity_of
from revkit_asc.simulation.prose import NUMBERS, aspects, clusters

_CLAIMED = re.compile(r"\b(?:gains|by|is) (\d{1,3}\.\d) points(?: of|, and| better)\b")
_MEASURED = re.compile(r"\bgains? (?:of )?(\d{1,3}\.\d) points o(?:n|ver)\b")


@dataclass(frozen=True, slots=True)
class PaperReading:
    """The result of reading a text: a severity from 0 to 100, the cluster ("" if the text names
    none), and the grade of each flaw found.
    """

    severity: float
    cluster: str
    flaws: Mapping[str, int]


@cache
def _signs() -> tuple[tuple[str, str, int], ...]:
    return tuple(
        (sign, aspect.name, grade)
        for aspect in aspects()
        for grade, signs in enumerate(aspect.signs)
        for sign in signs
    )


def read_manuscript(text: str) -> PaperReading:
    """Read the flaws in ``text``, regardless of case and line breaks.

    Of two flaws of one aspect the graver counts. A gain that is claimed and another that is
    measured are a flaw too: minor where they differ by less than one point, else grave.
    """
    seen = " ".join(text.lower().split())
    flaws: dict[str, int] = {}
    for sign, name, grade in _signs():
        if sign in seen and grade > flaws.get(name, 0):
            flaws[name] = grade
    claimed, measured = _CLAIMED.search(seen), _MEASURED.search(seen)
    if claimed and measured:
        apart = abs(float(claimed[1]) - float(measured[1]))
        if apart > 0.05:
            flaws[NUMBERS] = 1 if apart < 1.0 else 2
    area = next((cluster.name for cluster in clusters() if cluster.area in seen), "")
    return PaperReading(severity_of(flaws), area, flaws)
