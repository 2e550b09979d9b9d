"""Agent cards: what the metrics of a run say about one agent, in one place.

A metric declares which figures of its table belong on a card (`CardLine`); the core reads them from
the finished table (`CardFigure`), so that no statistic is computed twice.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

from revkit.dataclass import dataclass
from revkit.model.table import Cell, Rows
from revkit.model.values import Json

CardPart = Literal[
    "accuracy",
    "robustness",
    "direction",
    "adaptive",
    "defenses",
    "calibration",
    "content",
    "evidence",
    "cost",
    "failures",
]
"""The parts of a card, in order.

"accuracy": verdicts and scores on unchanged papers. "robustness": changes of the review under edits
that keep the science. "direction": which way they go. "adaptive": what an attacker reaches who
tries again. "defenses": what the defenses of the agent buy and cost. "calibration": its scores on
the common scale. "content": what its reviews cover. "evidence": what they state that the paper
contradicts. "cost": calls of models. "failures": reviews that are missing.
"""
PARTS: tuple[CardPart, ...] = get_args(CardPart)
PART_TITLES: Mapping[CardPart, str] = {
    "accuracy": "Accuracy",
    "robustness": "Robustness",
    "direction": "Direction",
    "adaptive": "Adaptive attack",
    "defenses": "Defenses",
    "calibration": "Calibration",
    "content": "Content of reviews",
    "evidence": "Evidence faults",
    "cost": "Cost",
    "failures": "Failures",
}
"""The title of each part for a reader."""


@dataclass(frozen=True, slots=True)
class CardLine:
    """Figures of a table that belong on the cards of agents: the column ``column``, in the rows of
    each agent whose cells equal the pairs of ``where``.

    ``each`` names a column where an agent has several such rows, and whose cells distinguish them
    (a family, a dimension). ``n`` names the column that counts the observations, and ``beside``
    columns that a reader needs next to the figure, such as the dose. ``title`` is by default that
    of the column. ``weak`` says on which side of ``limit`` (a number, or a column of the same row)
    a figure is a weakness, "either" on both; a card states one only if the whole interval is on
    one such side. Without an interval, only a count of events can show one (a review that failed):
    a share or a mean beyond the limit was seen and not shown. ``named`` is the column that names
    the agent, by default that with the role "agent", and ``prefix`` the text before the name
    in its cells. Lines that are not ``brief`` are left out of short cards unless they show a
    weakness. ``absent`` says what it means if no row is about the agent.

    A row that an earlier line of the same column has is not repeated.
    """

    part: CardPart
    column: str
    title: str = ""
    where: Rows = ()
    each: str = ""
    n: str = ""
    beside: tuple[str, ...] = ()
    weak: Literal["", "above", "below", "either"] = ""
    limit: float | str = 0.0
    named: str = ""
    prefix: str = ""
    brief: bool = True
    absent: str = ""


@dataclass(frozen=True, slots=True)
class Beside:
    """A further figure of the same row: its title, its value and the unit of its column, with the
    interval and the number of observations that the table has for it.
    """

    title: str
    value: Cell
    unit: str = ""
    low: float | None = None
    high: float | None = None
    n: int | float | None = None

    def to_json(self) -> dict[str, Json]:
        return {
            "title": self.title,
            "value": self.value,
            "unit": self.unit,
            "low": self.low,
            "high": self.high,
            "n": self.n,
        }


@dataclass(frozen=True, slots=True)
class CardFigure:
    """One line of a card, read from the table of ``metric``.

    ``about`` names what the figure is about where a column has several lines, else "".
    ``value`` is None if it was not measured, and ``note`` then says why. ``low`` and ``high`` bound
    the interval where there is one. ``n`` is the number of observations, of which one may count in
    part where repeats disagree, and ``counted`` is what they are. ``weak`` states whether the data
    show a weakness, None where the line does not judge or has no value. ``seen`` states that the
    value is beyond the limit but has no interval, so that no weakness is shown. ``limit`` is the
    value from which on it would be one.
    """

    part: CardPart
    metric: str
    column: str
    title: str
    about: str = ""
    value: Cell = None
    low: float | None = None
    high: float | None = None
    unit: str = ""
    n: int | float | None = None
    counted: str = ""
    beside: tuple[Beside, ...] = ()
    weak: bool | None = None
    limit: float | None = None
    note: str = ""
    brief: bool = True
    seen: bool = False

    def to_json(self) -> dict[str, Json]:
        return {
            "part": self.part,
            "metric": self.metric,
            "column": self.column,
            "title": self.title,
            "about": self.about,
            "value": self.value,
            "low": self.low,
            "high": self.high,
            "unit": self.unit,
            "n": self.n,
            "counted": self.counted,
            "beside": [each.to_json() for each in self.beside],
            "weak": self.weak,
            "seen": self.seen,
            "limit": self.limit,
            "note": self.note,
            "brief": self.brief,
        }


@dataclass(frozen=True, slots=True)
class AgentCard:
    """What a run says about one agent.

    ``gaps`` gives the reason for each part that was not measured. ``warnings`` are about the agent
    as a whole.
    """

    agent: str
    component: str
    defenses: tuple[str, ...] = ()
    figures: tuple[CardFigure, ...] = ()
    gaps: tuple[tuple[CardPart, str], ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def weaknesses(self) -> tuple[CardFigure, ...]:
        """The lines that show a weakness."""
        return tuple(each for each in self.figures if each.weak)

    @property
    def seen(self) -> tuple[CardFigure, ...]:
        """The lines beyond their limit that have no interval, so that no weakness is shown."""
        return tuple(each for each in self.figures if each.seen)

    def of(self, part: CardPart) -> tuple[CardFigure, ...]:
        """Return the lines of one part."""
        return tuple(each for each in self.figures if each.part == part)

    def to_json(self) -> dict[str, Json]:
        return {
            "agent": self.agent,
            "component": self.component,
            "defenses": list(self.defenses),
            "figures": [each.to_json() for each in self.figures],
            "gaps": dict(self.gaps),
            "warnings": list(self.warnings),
        }
