"""Donor texts: sports news, casual blogs and informal tweets, written for this project.

Each line of ``donors/*.tsv`` is a text with slots: ``{town}`` takes one of the values that
``donors/slots.tsv`` lists, ``{3-9}`` a number, and two slots of one name take two values. Every
line has more than 10^9 fillings, so that no text occurs twice in an experiment, although each
perturbation sees only one paper at a time. All teams, places and people are invented.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Literal

from revkit.model import Paper

Kind = Literal["sports", "blog", "tweets"]

_FOLDER = Path(__file__).parent / "donors"
_SLOT = re.compile(r"\{([a-z]+|\d+-\d+)\}")


@lru_cache(maxsize=3)
def lines(kind: Kind) -> tuple[str, ...]:
    """Return the donor texts of one kind, with unfilled slots."""
    return tuple(_rows(f"{kind}.tsv"))


@lru_cache(maxsize=1)
def slots() -> Mapping[str, tuple[str, ...]]:
    """Return the values that a named slot can take."""
    rows = (row.split("\t") for row in _rows("slots.tsv"))
    return {name: tuple(values.split("|")) for name, values in rows}


def _rows(name: str) -> list[str]:
    return (_FOLDER / name).read_text(encoding="utf-8").splitlines()[1:]


def own_random(paper: Paper, rubric: str, rng: random.Random) -> random.Random:
    """Return a random generator for one text under one rubric, seeded from ``rng``.

    Two texts, and two rubrics on one text, get different ones even if each ``rng`` has one seed.
    """
    return random.Random(f"{rng.getrandbits(64)}:{rubric}:{paper.digest}")


def draw(kind: Kind, paper: Paper, rubric: str, rng: random.Random) -> str:
    """Return one donor text for ``paper``, filled."""
    own = own_random(paper, rubric, rng)
    line = own.choice(lines(kind))
    values: dict[str, list[str]] = {}

    def fill(match: re.Match[str]) -> str:
        name = match[1]
        if name[0].isdigit():
            low, _, high = name.partition("-")
            return str(own.randint(int(low), int(high)))
        if name not in values:
            values[name] = own.sample(slots()[name], line.count(match[0]))
        return values[name].pop()

    return _SLOT.sub(fill, line)
