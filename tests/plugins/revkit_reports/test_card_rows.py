"""The lines of agent cards as words."""

from __future__ import annotations

import pytest

from revkit.model.card import AgentCard, Beside, CardFigure
from revkit_reports.cards import card_rows


@pytest.mark.parametrize(
    ("value", "n", "shown", "count"),
    [
        (0.0, 1, "0 of 1", ""),  # a share of one paper says no more than its count
        (1.0, 1, "1 of 1", ""),
        (0.5, 1, "50.0% [0.0, 97.5]", "1"),  # repeats disagree
        (0.0, 2, "0.0% [0.0, 97.5]", "2"),
    ],
)
def test_a_share_of_one_is_its_count(value: float, n: int, shown: str, count: str) -> None:
    figure = CardFigure("defenses", "defenses", "stopped", "Stopped", "", value, 0.0, 0.975,
                        "share", n)  # fmt: skip
    row = card_rows(AgentCard("a", "toy", ("screen",), (figure,)))[0]
    assert (row.value, row.count) == (shown, count)


def test_a_column_that_counts_for_a_figure_is_named_n() -> None:
    figure = CardFigure("defenses", "defenses", "false_accept", "False accepts", "", 0.0, 0.0,
                        0.8, "share", 2, "False accepts, n")  # fmt: skip
    row = card_rows(AgentCard("a", "toy", ("screen",), (figure,)))[0]
    assert row.observations == "n = 2"


def test_a_figure_behind_another_has_its_own_interval_and_n() -> None:
    more = (
        Beside("Attack success", 0.25, "share", 0.1, 0.5, 16),
        Beside("Majority", 0.6, "share"),
        Beside("Flips", 0.0, "share", 0.0, 0.975, 1),
    )
    figure = CardFigure("defenses", "defenses", "stopped", "Stopped", "", 0.5, 0.1, 0.9,
                        "share", 4, "", more)  # fmt: skip
    row = card_rows(AgentCard("a", "toy", ("screen",), (figure,)))[0]
    assert row.context == "attack success 25.0% [10.0, 50.0] (n 16); majority 60.0%; flips 0 of 1"
