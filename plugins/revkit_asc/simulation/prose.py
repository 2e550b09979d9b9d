"""The prose of simulated manuscripts, read once from the tables in this folder."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Literal

from revkit.dataclass import dataclass

Grade = Literal["sound", "minor", "grave"]
GRADES: tuple[Grade, ...] = ("sound", "minor", "grave")
NUMBERS = "numbers"
"""The one aspect without its own sentence: the gain that abstract and results report."""

NUMBERS_POINTS = (0, 3, 10)
_MARK = re.compile(r"\[\[([^\[\]]{1,80})\]\]")


@dataclass(frozen=True, slots=True)
class Aspect:
    """One aspect of a study: its section, the points of its three grades, and its wordings.

    ``signs`` are the words by which a reader knows a flaw, in small letters, by their grade.
    """

    name: str
    section: str
    points: tuple[int, int, int]
    wordings: tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]
    signs: tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Cluster:
    """One topical cluster: its name, the words for its area, and lists of words by slot."""

    name: str
    area: str
    words: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Frame:
    """Sentences and names that manuscripts of all clusters share, by their purpose."""

    lists: Mapping[str, tuple[str, ...]]

    def __getitem__(self, name: str) -> tuple[str, ...]:
        return self.lists[name]


def _table(name: str) -> Mapping[str, object]:
    path = Path(__file__).parent / f"{name}.toml"
    return tomllib.loads(path.read_text(encoding="utf-8"))


def _texts(value: object) -> tuple[str, ...]:
    assert isinstance(value, list)
    return tuple(str(item) for item in value)


@cache
def aspects() -> tuple[Aspect, ...]:
    """Return all aspects that have sentences, in the order of the table."""
    found = []
    for name, row in _table("flaws").items():
        assert isinstance(row, dict)
        kinds = (
            _texts(row["sound"]),
            _texts(row["minor_wordings"]),
            _texts(row["grave_wordings"]),
        )
        sound, minor, grave = (tuple(_MARK.sub(r"\1", text) for text in kind) for kind in kinds)
        signs = tuple(tuple(sign.lower() for text in kind for sign in _MARK.findall(text))
                      for kind in kinds)  # fmt: skip
        found.append(
            Aspect(
                name,
                str(row["section"]),
                (0, int(row["minor"]), int(row["grave"])),
                (sound, minor, grave),
                (signs[0], signs[1], signs[2]),
            )
        )
    return tuple(found)


@cache
def points() -> Mapping[str, tuple[int, int, int]]:
    """Return the points of the three grades of each aspect, `NUMBERS` included."""
    return {aspect.name: aspect.points for aspect in aspects()} | {NUMBERS: NUMBERS_POINTS}


@cache
def clusters() -> tuple[Cluster, ...]:
    """Return the seven clusters, in the order of the table."""
    found = []
    for name, row in _table("clusters").items():
        assert isinstance(row, dict)
        words = {key: _texts(value) for key, value in row.items() if key != "area"}
        found.append(Cluster(name, str(row["area"]), words))
    return tuple(found)


@cache
def frame() -> Frame:
    """Return the sentences and names that all clusters share."""
    return Frame({name: _texts(value) for name, value in _table("frame").items()})
