"""Agent cards as rows of text, which each report lays out in its own way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from revkit.dataclass import dataclass
from revkit.figures.numbers import EMPTY, between, cell_text, count_of
from revkit.model.card import PART_TITLES, PARTS, AgentCard, Beside, CardFigure, CardPart
from revkit.model.table import Cell, Column
from revkit_reports.visible import one_line

MARK = "!"
_OF_ONE = " of 1"
EXPLAINED = (
    "Each line is a figure of a table of this run, with its interval in square brackets and "
    "the number of observations (n). A figure without an interval describes these observations "
    "only. "
    f"{MARK} marks a weakness: the whole interval is beyond the limit that the metric states, or "
    "an event was counted of which one is a proof, such as a failed review. Seen, not shown: a "
    "figure beyond its limit that has no interval. Dose: the share of the words that the edits "
    "changed. Noise: how often two reviews of the same text disagree."
)


@dataclass(frozen=True)
class CardRow:
    """One line of a card. ``part`` is its title, ``figure`` the words, ``value`` the number with
    its interval, ``count`` the observations, ``context`` further figures of the same row and
    ``note`` what limits the figure.
    """

    part: str
    figure: str
    value: str
    count: str
    context: str
    note: str = ""
    weak: bool = False
    first: bool = False
    brief: bool = True
    counted: str = ""

    @property
    def observations(self) -> str:
        """The number of observations and what they are: "12 papers"."""
        if not self.count:
            return ""
        counted = self.counted.lower()
        if not counted or counted == "n" or counted.endswith(", n"):
            return f"n = {self.count}"
        one = self.count == "1" and not counted.endswith("ies")
        return f"{self.count} {counted.removesuffix('s') if one else counted}"

    @property
    def beside(self) -> str:
        """The context and the note of the row, for one cell."""
        return "; ".join(filter(None, (self.context, self.note)))

    @property
    def mark(self) -> str:
        """The mark of a weakness; empty without one."""
        return MARK if self.weak else ""


def card_title(card: AgentCard) -> str:
    """Return the name of the agent with its component and defenses."""
    made_of = ", ".join([card.component, *(f"defense {name}" for name in card.defenses)])
    return f"{one_line(card.agent, 60)} ({one_line(made_of, 120)})"


def verdict(card: AgentCard) -> str:
    """Return the weaknesses that the card shows, and figures beyond a limit without an interval."""
    seen = ""
    if card.seen:
        seen = f" Seen, not shown (no interval): {_by_part(card.seen, _with_count)}."
    shown = card.weaknesses
    if not shown:
        none = "No weakness was shown by these data; with few papers, there may still be one."
        return none + seen
    names = _by_part(shown, lambda each: _lower(_name(each)))
    return f"{count_of(len(shown), 'weakness', 'weaknesses')} shown: {names}.{seen}"


def _by_part(figures: Sequence[CardFigure], words: Callable[[CardFigure], str]) -> str:
    by_part: dict[CardPart, list[str]] = {}
    for each in figures:
        by_part.setdefault(each.part, []).append(words(each))
    return "; ".join(
        f"{PART_TITLES[part].lower()} ({', '.join(of)})" for part, of in by_part.items()
    )


def _with_count(each: CardFigure) -> str:
    """Return the name of a figure with its value and observations."""
    row = _row(each, first=False)
    count = f" of {row.observations}" if row.observations else ""
    return f"{_lower(row.figure)} {row.value}{count}"


def card_rows(card: AgentCard) -> list[CardRow]:
    """Return the lines of a card, part by part; one for each part that was not measured."""
    rows = []
    gaps = dict(card.gaps)
    for part in PARTS:
        figures = card.of(part)
        rows += [_row(each, first=each is figures[0]) for each in figures]
        if part in gaps:
            gap = one_line(gaps[part], 160)
            rows.append(CardRow(PART_TITLES[part], "not measured", EMPTY, "", "", gap, first=True))
    return rows


def short_rows(card: AgentCard) -> list[CardRow]:
    """Return the brief lines of each part (the first one where none is), and all that show a
    weakness.
    """
    rows = card_rows(card)
    led = {row.part for row in rows if row.brief or row.weak}
    kept = [row for row in rows if row.brief or row.weak or (row.first and row.part not in led)]
    before = ["", *(row.part for row in kept)]
    return [replace(row, first=row.part != last) for row, last in zip(kept, before, strict=False)]


def comparison(cards: Sequence[AgentCard]) -> tuple[list[str], list[list[str]]]:
    """Return header and rows of a table with a row for each figure and a column for each agent."""
    places = dict.fromkeys((each.part, each.metric, each.column, each.about, _name(each))
                           for card in cards for each in card.figures)  # fmt: skip
    ordered = sorted(places, key=lambda place: PARTS.index(place[0]))
    found = [
        {(e.part, e.metric, e.column, e.about, _name(e)): e for e in card.figures} for card in cards
    ]
    rows = [
        [PART_TITLES[place[0]], place[4], *(_cell(each.get(place)) for each in found)]
        for place in ordered
    ]
    return ["Part", "Figure", *(one_line(card.agent, 60) for card in cards)], rows


def _cell(figure: CardFigure | None) -> str:
    if figure is None:
        return EMPTY
    text = _value(figure)
    if figure.n is not None and not text.endswith(_OF_ONE):
        text += f", n {figure.n:,g}"
    return f"{text} {MARK}" if figure.weak else text


def _row(each: CardFigure, *, first: bool) -> CardRow:
    value = _value(each)
    count = "" if each.n is None or value.endswith(_OF_ONE) else f"{each.n:,g}"
    return CardRow(
        PART_TITLES[each.part],
        _name(each),
        value,
        count,
        "; ".join(f"{_lower(one_line(b.title, 60))} {_text(b)}" for b in each.beside),
        one_line(each.note, 400),
        bool(each.weak),
        first,
        each.brief,
        one_line(each.counted, 40),
    )


def _text(beside: Beside) -> str:
    text = _with_interval(beside.value, beside.low, beside.high, beside.unit, beside.n)
    return text if beside.n is None or text.endswith(_OF_ONE) else f"{text} (n {beside.n:,g})"


def _name(each: CardFigure) -> str:
    title = one_line(each.title, 60)
    return f"{title}: {one_line(each.about, 60)}" if each.about else title


def _value(each: CardFigure) -> str:
    return _with_interval(each.value, each.low, each.high, each.unit, each.n)


def _with_interval(
    value: Cell, low: float | None, high: float | None, unit: str, n: int | float | None
) -> str:
    """Return a figure with its interval; of one observation, its count alone."""
    share = unit == "share"
    if share and n == 1 and isinstance(value, int | float) and value in (0, 1):
        return f"{value:g}{_OF_ONE}"
    text = one_line(cell_text(value, Column("value", unit=unit)), 60)
    ends = between(low, high, *((100.0, 1) if share else (1.0, 2)))
    return text if ends == EMPTY else f"{text} {ends}"


def _lower(title: str) -> str:
    """Return a title within a sentence: one with more capitals than the first keeps them."""
    plain = title[1:] == title[1:].lower()
    return title[:1].lower() + title[1:] if plain else title
