"""Agent cards in the three reports."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import revkit
from revkit.model.card import AgentCard, CardFigure
from revkit_reports.cards import card_rows, comparison, short_rows, verdict

FIGURE = CardFigure(
    "robustness", "toy", "rate", "Rate", "all", 0.25, 0.1, 0.4, "share", 20, "Papers"
)


def test_a_row_has_the_value_with_its_interval_and_n() -> None:
    row = card_rows(AgentCard("a", "toy", figures=(FIGURE,)))[0]
    assert (row.part, row.figure, row.value, row.count) == (
        "Robustness",
        "Rate: all",
        "25.0% [10.0, 40.0]",
        "20",
    )


def test_a_short_card_has_brief_lines_and_weaknesses() -> None:
    def line(about: str, *, brief: bool, weak: bool) -> CardFigure:
        return CardFigure("robustness", "toy", "rate", "Rate", about, 0.1, brief=brief, weak=weak)

    lines = (
        line("all", brief=True, weak=False),
        line("one", brief=False, weak=True),
        line("two", brief=False, weak=False),
    )
    evidence = CardFigure("evidence", "toy", "marks", "Marks", value=0.0, brief=False)
    card = AgentCard("a", "toy", figures=(*lines, evidence))
    rows = [(row.figure, row.mark, row.first) for row in short_rows(card)]
    # A part of which no line is brief is represented by its first line.
    assert rows == [("Rate: all", "", True), ("Rate: one", "!", False), ("Marks", "", True)]


def test_the_verdict_names_parts_with_their_weaknesses() -> None:
    weak = CardFigure("direction", "toy", "rate", "Change of acceptance", value=0.1, weak=True)
    assert verdict(AgentCard("a", "toy")) == (
        "No weakness was shown by these data; with few papers, there may still be one."
    )
    assert verdict(AgentCard("a", "toy", figures=(weak,))) == (
        "1 weakness shown: direction (change of acceptance)."
    )
    seen = CardFigure("direction", "toy", "rate", "Rejects flipped", "order", 0.5, unit="share",
                      n=1, counted="Rejects", weak=False, seen=True)  # fmt: skip
    assert verdict(AgentCard("a", "toy", figures=(seen,))) == (
        "No weakness was shown by these data; with few papers, there may still be one. "
        "Seen, not shown (no interval): direction (rejects flipped: order 50.0% of 1 reject)."
    )
    assert verdict(AgentCard("a", "toy", figures=(weak, seen))) == (
        "1 weakness shown: direction (change of acceptance). Seen, not shown (no interval): "
        "direction (rejects flipped: order 50.0% of 1 reject)."
    )


def test_agents_are_compared_figure_by_figure() -> None:
    other = CardFigure("accuracy", "toy", "right", "Right", value=3, unit="count", weak=True)
    cards = [AgentCard("a", "toy", figures=(FIGURE,)), AgentCard("b", "toy", figures=(other,))]
    header, rows = comparison(cards)
    assert header == ["Part", "Figure", "a", "b"]
    assert rows == [
        ["Accuracy", "Right", "-", "3 !"],
        ["Robustness", "Rate: all", "25.0% [10.0, 40.0], n 20", "-"],
    ]


def test_the_reports_show_cards_if_the_experiment_asks_for_them(tmp_path: Path) -> None:
    spec: dict[str, Any] = {
        "revkit": 1,
        "name": "small",
        "corpus": {"use": "synthetic", "with": {"papers": 4}},
        "agents": {"reader": {"use": "planted-reviewer", "with": {"fails": 1.0}}},
        "metrics": ["outcomes"],
        "reports": ["terminal", "markdown", "html"],
        "cards": True,
    }
    run = revkit.run(spec, out=tmp_path / "run", store=tmp_path / "store")
    texts = {name: (run.folder / f"report.{name}").read_text() for name in ("txt", "md", "html")}
    printed = " ".join(texts["txt"].split())
    assert "! Failures Failed reviews: 4 (4 planned)" in printed
    assert "Adaptive attack not measured: the experiment has no attack" in printed
    assert "### reader (planted-reviewer)" in texts["md"].replace("\\", "")
    assert '<article class="card weak">' in texts["html"]
    without = revkit.run({**spec, "cards": False}, out=tmp_path / "no", store=tmp_path / "store")
    assert "agent-cards" not in without.tables
    assert not (without.folder / "cards.json").exists()
    assert "Failed reviews: 4" not in (without.folder / "report.txt").read_text()
