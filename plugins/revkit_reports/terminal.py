"""The report for a terminal: compact tables of plain characters, at most 100 columns wide."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from revkit.contracts import Reporter, RunView, SweepView
from revkit.figures.numbers import EMPTY, count_of
from revkit.model.card import AgentCard
from revkit.model.table import Table
from revkit_reports.cards import EXPLAINED, card_title, short_rows, verdict
from revkit_reports.headline import TableView, view_of
from revkit_reports.layout import lay_out
from revkit_reports.limits import warnings
from revkit_reports.overview import findings, label_swept, opening, tables_to_compare
from revkit_reports.sentences import (
    counts_sentence,
    finding,
    gist,
    skipped_reasons,
    unread_labels,
)
from revkit_reports.summary import Summary, measures_of, summary_of
from revkit_reports.tables import legend
from revkit_reports.visible import one_line, width

FILE = "report.txt"
COLUMNS = 100
MOST_ROWS = 30


@dataclass(frozen=True)
class Terminal(Reporter):
    """``report.txt``, which is also printed at the end of a run.

    If the experiment asks for cards, it holds a short card of each agent. Otherwise it holds the
    measures of all metrics side by side with their intervals, findings, headline
    tables, counts of everything that was left out, and warnings.
    """

    name: ClassVar[str] = "terminal"
    version: ClassVar[str] = "5"

    def render(self, run: RunView) -> Mapping[str, str]:
        summary = summary_of(run)
        pieces = [
            _filled(f"{one_line(run.name)}: {finding(summary)}"),
            *(_card(card) for card in run.cards),
            _filled(EXPLAINED) if run.cards else "",
            *([] if run.cards else _tables(summary)),
            _counts(summary),
            _warnings(summary),
        ]
        return {FILE: "\n\n".join(piece for piece in pieces if piece) + "\n"}

    def overview(self, sweep: SweepView) -> Mapping[str, str]:
        """Return the tables of all points of a sweep, side by side."""
        pieces = [
            _filled(f"{one_line(sweep.name)}: {opening(sweep)}"),
            "\n".join(_filled(text, "- ", "  ") for text in findings(sweep)),
            *_headlines([label_swept(found, sweep) for found in tables_to_compare(sweep)]),
        ]
        return {FILE: "\n\n".join(piece for piece in pieces if piece) + "\n"}

    def summary(self, files: Mapping[str, str]) -> str:
        return files.get(FILE, "")


def _tables(summary: Summary) -> list[str]:
    """Return measures side by side, findings, and headline tables."""
    return [
        *(_first(table, summary) for table in summary.first_tables),
        *(_filled(one_line(found.text, 600)) for found in summary.findings("section")),
        *_headlines(summary.tables(short=True)),
    ]


def _filled(text: str, lead: str = "", rest: str = "") -> str:
    return textwrap.fill(
        text, COLUMNS, initial_indent=lead, subsequent_indent=rest, break_on_hyphens=False
    )


def _first(table: Table, summary: Summary) -> str:
    """Return measures side by side; the first such table also explains its brackets."""
    found = view_of(table, MOST_ROWS)
    pieces = ["\n\n".join(lay_out(found, COLUMNS)), _filled(found.same)]
    if table is summary.first_tables[0]:
        pieces.append(_filled(legend(measures_of(table, summary))))
    pieces.append(_filled(found.explained))
    if found.left_out:
        pieces.append(_filled(f"{count_of(found.left_out, 'more row')} in result.json."))
    return "\n".join(piece for piece in pieces if piece)


def _card(card: AgentCard) -> str:
    """Return the first line of each part of a card, and each line that shows a weakness."""
    rows = short_rows(card)
    wide = max((width(row.part) for row in rows), default=0)
    pieces = [_filled(f"{card_title(card)}. {verdict(card)}", "", "  ")]
    for row in rows:
        text = f"{row.figure}: {row.value}" if row.value != EMPTY else f"{row.figure}: {row.beside}"
        text += f" ({row.observations})" if row.observations else ""
        text += f"; {row.context}" if row.context and row.value != EMPTY else ""
        part = row.part if row.first else ""
        lead = f"{row.mark or ' '} {part}{' ' * (wide - width(part))}  "
        pieces.append(_filled(text, lead, " " * len(lead)))
    return "\n".join(pieces)


def _headlines(tables: Sequence[Table]) -> list[str]:
    """Return each table with the first sentences of its notes; a note is printed only once."""
    printed: set[str] = set()
    pieces = []
    for table in tables:
        notes = [note for note in view_of(table, MOST_ROWS).notes if note not in printed]
        printed.update(notes)
        pieces.append(_headline(view_of(table, MOST_ROWS), notes))
    if any(gist(note) != note for note in printed):
        pieces.append("The full notes are in result.json.")
    return pieces


def _headline(found: TableView, notes: Sequence[str]) -> str:
    pieces = [_filled(found.title)]
    if not found.rows:
        pieces.append("No rows.")
    else:
        pieces.append("\n\n".join(lay_out(found, COLUMNS)))
        if found.same:
            pieces.append(_filled(found.same))
        if found.explained:
            pieces.append(_filled(found.explained))
        pieces += [_filled(text, "", "  ") for text in found.remarks]
        if found.left_out:
            left = count_of(found.left_out, "more row")
            pieces.append(_filled(f"{left} in tables/{found.name}.csv.", "", "  "))
    pieces += [_filled(gist(note), "- ", "  ") for note in notes]
    return "\n".join(pieces)


def _counts(summary: Summary) -> str:
    lines = [_filled(counts_sentence(summary))]
    lines += [
        _filled(f"skipped: {one_line(reason)} ({times:,})", "  ", "    ")
        for reason, times in skipped_reasons(summary)
    ]
    lines += [
        _filled(f"{one_line(what)} ({times:,})", "  ", "    ")
        for what, times in unread_labels(summary)
    ]
    lines += [
        _filled(f"{one_line(family, 60)}: {one_line(each.reason)} ({each.times:,})", "  ", "    ")
        for family, losses in summary.rejections.items()
        for each in losses
        if each.crashed
    ]
    lines += [
        _filled(
            f"failed: {one_line(agent, 60)}, {kind} ({times:,}){why and ': '}{one_line(why)}",
            "  ",
            "    ",
        )
        for agent, kind, why, times in summary.failure_lines()
    ]
    return "\n".join(lines)


def _warnings(summary: Summary) -> str:
    return "\n".join(_filled(f"! {text}", "", "  ") for text in warnings(summary))
