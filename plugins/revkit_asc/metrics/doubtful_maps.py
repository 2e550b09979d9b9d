"""Maps that distinguish no papers, or rest on too little, as warnings and words of a headline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from revkit.dataclass import dataclass
from revkit.figures.numbers import MOST_LISTED, count_of, list_names
from revkit.model.records import FittedMap
from revkit.model.review import LARGEST_SEVERITY
from revkit.model.table import TableWarning

if TYPE_CHECKING:
    from revkit.contracts import Curve
    from revkit_asc.metrics.settings import Setting

_REACH = 10.0  # points between the ends of a flat map, as for the flag of the maps
_ADVICE = (
    "Do not use these maps, and do not read a small D as agreement. Use more anchors, or agents "
    "whose scores follow the consensus."
)


@dataclass(frozen=True)
class Doubt:
    """The agents of ``way`` whose maps are flat, and the others whose maps are weak, of ``maps``
    maps.
    """

    way: str
    maps: int
    flat: tuple[str, ...]
    weak: tuple[str, ...]

    @property
    def count(self) -> str:
        """How many maps are flat or weak: "2 of 3 maps are flat"."""
        parts = [
            f"{len(names)} of {count_of(self.maps, 'map')} {'is' if len(names) == 1 else 'are'} "
            f"{kind}"
            for kind, names in (("flat", self.flat), ("weak", self.weak))
            if names
        ]
        return ", ".join(parts)


def doubts_of(
    settings: Sequence[Setting], ways: Mapping[str, Mapping[str, FittedMap]]
) -> list[Doubt]:
    """Return the ways of fitting with flat or weak maps.

    A map is flat if its curve says so, or if it gives nearly one severity to all scores from 0 to
    100; it is weak if its curve says that the scores do not follow the consensus of the anchors.
    Neither depends on the new papers.
    """
    found = []
    for setting in settings:
        maps = ways.get(setting.name)
        if setting.kind != "fitted" or maps is None:
            continue
        curves = {agent: each.curve for agent, each in maps.items() if each.curve is not None}
        flat = [agent for agent in setting.agents if _is_flat(curves[agent])]
        weak = [
            agent for agent in setting.agents if "weak" in curves[agent].flags and agent not in flat
        ]
        if flat or weak:
            found.append(Doubt(setting.name, len(setting.agents), tuple(flat), tuple(weak)))
    return found


def _is_flat(curve: Curve) -> bool:
    first, last = (float(end) for end in curve([0.0, LARGEST_SEVERITY]))
    return "flat" in curve.flags or abs(last - first) < _REACH


def doubt_warnings(doubts: Sequence[Doubt]) -> list[TableWarning]:
    """Return a warning for each way with flat or weak maps."""
    return [TableWarning("misleading", _text(each), advice=_ADVICE) for each in doubts]


def _text(doubt: Doubt) -> str:
    parts = []
    if doubt.flat:
        parts.append(
            f"flat are those of {_list_first(doubt.flat)} (less than {_REACH:g} points between the "
            "severities of the lowest and the highest score)"
        )
    if doubt.weak:
        parts.append(
            f"weak are those of {_list_first(doubt.weak)} (their scores are not shown to follow "
            "the consensus of the anchors)"
        )
    return f"Of the {count_of(doubt.maps, doubt.way + ' map')}, {'; '.join(parts)}."


def _list_first(names: Sequence[str]) -> str:
    more = len(names) - MOST_LISTED
    return list_names([*names[:MOST_LISTED], *([f"{more} more"] if more > 0 else [])])
