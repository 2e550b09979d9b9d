"""Agent cards: filled from tables by what metrics declare."""

from __future__ import annotations

from typing import Any

import pytest

from revkit.errors import PaperError
from revkit.figures import AGENT, NOTE, Figure
from revkit.figures.cards import cards_of, cards_table, check_lines
from revkit.model.card import PART_TITLES, PARTS, CardLine
from revkit.model.records import AgentRow, Records
from revkit.model.review import Scale
from revkit.model.table import Column, Table

SCALE = Scale("points", 0, 10)
RATE = Figure("rate", "Rate", "share", n=True)


def records(*agents: AgentRow) -> Records:
    return Records(1, 1, (), (), agents, (), ())


def agent(name: str, *defenses: str) -> AgentRow:
    return AgentRow(name, "toy", SCALE, True, defenses)


def table(*rows: dict[str, Any]) -> Table:
    columns = (
        AGENT,
        Column("family", "Family"),
        *RATE.columns,
        Column("limit", unit="share"),
        NOTE,
    )
    return Table.of("toy-rates", "Rates", columns, rows)


def row(name: str, value: float | None, low: float | None, high: float | None, **more: Any) -> Any:
    ends = {"rate": value, "rate_low": low, "rate_high": high, "rate_n": 20}
    return {"agent": name, "family": "all", **ends, **more}


LINE = CardLine("robustness", "rate", weak="above", limit=0.1)


def test_a_figure_has_its_interval_n_and_unit() -> None:
    (card,) = cards_of(records(agent("a")), [([LINE], table(row("a", 0.3, 0.2, 0.4)))])
    (found,) = card.figures
    assert (found.value, found.low, found.high, found.n) == (0.3, 0.2, 0.4, 20)
    assert (found.unit, found.title, found.metric) == ("share", "Rate", "toy-rates")
    assert (found.limit, found.weak) == (0.1, True)
    assert card.weaknesses == (found,)


@pytest.mark.parametrize(
    ("low", "high", "side", "limit", "weak"),
    [
        (0.2, 0.4, "above", 0.1, True),
        (0.1, 0.4, "above", 0.1, False),  # a value at the limit is not a weakness
        (0.05, 0.4, "above", 0.1, False),
        (None, None, "above", 0.1, False),  # one review may be beyond it by chance
        (None, 0.4, "above", 0.1, False),  # an open end
        (0.2, 0.4, "below", 0.5, True),
        (0.2, 0.6, "below", 0.5, False),
        (0.2, 0.4, "either", 0.1, True),
        (0.2, 0.4, "either", 0.5, True),
        (0.2, 0.4, "either", 0.3, False),
        (None, None, "either", 0.3, False),
        (None, None, "either", 0.2, False),
        (None, 0.4, "either", 0.1, False),
        (0.2, 0.4, "", 0.1, None),
    ],
)
def test_a_weakness_needs_the_whole_interval(
    low: float | None, high: float | None, side: Any, limit: float, weak: bool | None
) -> None:
    line = CardLine("robustness", "rate", weak=side, limit=limit)
    (card,) = cards_of(records(agent("a")), [([line], table(row("a", 0.3, low, high)))])
    assert card.figures[0].weak is weak


@pytest.mark.parametrize(
    ("unit", "value", "weak", "seen"),
    [
        ("share", 0.5, False, True),
        ("score points", 2.0, False, True),
        ("count", 1, True, False),  # one failed review is a failed review
        ("count", 0, False, False),
        ("share", 0.0, False, False),
    ],
)
def test_without_an_interval_only_a_count_of_events_shows_a_weakness(
    unit: str, value: float, weak: bool, seen: bool
) -> None:
    found = Table.of(
        "toy", "Toy", (AGENT, Column("seen", "Seen", unit)), [{"agent": "a", "seen": value}]
    )
    line = CardLine("failures", "seen", weak="above")
    (card,) = cards_of(records(agent("a")), [([line], found)])
    assert (card.figures[0].weak, card.figures[0].seen) == (weak, seen)
    assert len(card.weaknesses) == weak
    assert len(card.seen) == seen


def test_a_limit_may_be_a_column_and_without_it_nothing_is_judged() -> None:
    line = CardLine("accuracy", "rate", weak="below", limit="limit")
    found = table(row("a", 0.3, 0.2, 0.4, limit=0.6), row("b", 0.3, 0.2, 0.4))
    first, second = cards_of(records(agent("a"), agent("b")), [([line], found)])
    assert first.figures[0].weak is True
    assert second.figures[0].weak is None


def test_several_rows_are_told_apart_and_none_is_repeated() -> None:
    rows = [row("a", 0.1, 0.0, 0.2), {**row("a", 0.5, 0.4, 0.6), "family": "hedging"}]
    lines = [
        CardLine("robustness", "rate", where=(("family", "all"),)),
        CardLine("robustness", "rate", each="family", brief=False),
    ]
    (card,) = cards_of(records(agent("a")), [(lines, table(*rows))])
    assert [(each.about, each.value, each.brief) for each in card.figures] == [
        ("", 0.1, True),
        ("hedging", 0.5, False),
    ]


def test_of_rows_without_a_value_one_says_why() -> None:
    lines = [CardLine("robustness", "rate", each="family")]
    empty = row("a", None, None, None, note="no valid pair")
    (card,) = cards_of(records(agent("a")), [(lines, table(empty, {**empty, "family": "b"}))])
    assert [(each.value, each.note) for each in card.figures] == [(None, "no valid pair")]


def test_each_part_is_measured_or_says_why_not() -> None:
    (card,) = cards_of(records(agent("a", "screen")), [([LINE], table(row("a", 0.3, 0.2, 0.4)))])
    gaps = dict(card.gaps)
    assert set(gaps) | {each.part for each in card.figures} == set(PARTS)
    assert gaps["adaptive"] == "the experiment has no attack"
    assert gaps["calibration"] == "the experiment has no calibration"
    assert gaps["cost"] == "no metric of the experiment measures it"
    rows = cards_table([card]).records()
    assert {row["part"] for row in rows} == set(PARTS)
    assert all(row["value"] is not None or row["note"] for row in rows)
    assert set(PART_TITLES) == set(PARTS)


def test_defenses_are_no_part_of_an_agent_without_any() -> None:
    line = CardLine("defenses", "rate")
    found = table(row("a", 0.3, 0.2, 0.4), row("b", 0.3, 0.2, 0.4))
    first, second = cards_of(records(agent("a"), agent("b", "screen")), [([line], found)])
    assert not first.of("defenses")
    assert "defenses" not in dict(first.gaps)
    assert len(second.of("defenses")) == 1


def test_a_line_may_name_agents_by_a_path_and_say_what_absence_means() -> None:
    columns = (Column("component", "Component"), Column("calls", "Calls", "count"))
    usage = Table.of("usage", "Usage", columns, [{"component": "agents.a", "calls": 7}])
    line = CardLine("cost", "calls", named="component", prefix="agents.", absent="asks no model")
    first, second = cards_of(records(agent("a"), agent("b")), [([line], usage)])
    assert first.figures[0].value == 7
    assert (second.figures[0].value, second.figures[0].note) == (None, "asks no model")


@pytest.mark.parametrize("name", ["column", "n", "each", "limit"])
def test_a_line_must_name_columns_of_its_table(name: str) -> None:
    named: dict[str, Any] = {"column": "rate", name: "absent"}
    line = CardLine("robustness", **named)
    with pytest.raises(PaperError, match="no columns"):
        check_lines([line], table())
