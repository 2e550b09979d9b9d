"""The report for a terminal: compact tables of plain characters, at most 100 columns wide."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import ClassVar

from revkit.contracts import Reporter, RunView, SweepView
from revkit.dataclass import dataclass
from revkit.figures.numbers import EMPTY, count_of
from revkit.model.card import AgentCard
from revkit.model.table import Table
from revkit_reports.cards import EXPLAINED, card_title, short_rows, verdict
from revkit_reports.headline import Stated, TableView
from revkit_reports.layout import lay_out
from revkit_reports.limits import labelled_warnings
from revkit_reports.opening import Lines, described, opening_lines, words
from revkit_reports.overview import findings, label_swept, opening, tables_to_compare
from revkit_reports.sentences import (
    counts_sentence,
    gist,
    how_to_read,
    loose_findings,
    section_findings,
    skipped_reasons,
    unread_labels,
)
from revkit_reports.summary import Summary, summary_of
from revkit_reports.visible import one_line, width

FILE = "report.txt"
COLUMNS = 100
MOST_ROWS = 30
_WIDEST = 24  # letters of a name before its definition
MORE = (
    "The full notes and the meaning of each column are in result.json, and in report.html and "
    "report.md if the experiment writes them."
)


@dataclass(frozen=True)
class Terminal(Reporter):
    """``report.txt``, which is also printed at the end of a run.

    It opens with the question, the material, the answer and the words that it uses. If the
    experiment asks for cards, a short card of each agent follows. Otherwise the measures of all
    metrics follow side by side with their intervals, findings, headline tables, counts of
    everything that was left out, and warnings.
    """

    name: ClassVar[str] = "terminal"
    version: ClassVar[str] = "7"

    def render(self, run: RunView) -> Mapping[str, str]:
        summary = summary_of(run)
        stated = Stated.of(run.tables)
        firsts = [stated.view_of(found, MOST_ROWS) for found in summary.first_tables]
        shown = summary.tables(short=True)
        views = [stated.view_of(found, MOST_ROWS) for found in shown]
        if run.cards:
            firsts, views = [], []
        lines = opening_lines(summary)
        warned = labelled_warnings(summary)
        lists = described(summary)
        more = [text for _, text in (*warned, *(each for _, of in lists for each in of))]
        found = words(summary, lines, [*firsts, *views], more)
        title = f"{summary.kind}: {one_line(run.name)}"
        pieces = [
            _filled(title),
            _list(lines),
            *(defined(title, of) for title, of in lists),
            defined("Words in this report", found),
            *(_card(card) for card in run.cards),
            _filled(EXPLAINED) if run.cards else "",
            *(_first(view) for view in firsts),
            _filled(" ".join(how_to_read(summary, [*firsts, *views]))) if firsts or views else "",
            *([] if run.cards else map(_filled, loose_findings(summary))),
            *(
                _headline(view, section_findings(table))
                for table, view in zip(shown, views, strict=False)
            ),
            _filled(MORE) if firsts or views else "",
            _counts(summary),
            "\n".join(_filled(f"! {text}", "", "  ") for _, text in warned),
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


def _filled(text: str, lead: str = "", rest: str = "") -> str:
    return textwrap.fill(
        text, COLUMNS, initial_indent=lead, subsequent_indent=rest, break_on_hyphens=False
    )


def _list(lines: Lines) -> str:
    return "\n".join(_filled(f"{label}: {text}", "", "  ") for label, text in lines)


def defined(title: str, found: Lines) -> str:
    """Return words with their definitions below a title, the definitions below each other."""
    if not found:
        return ""
    wide = min(max(width(name) for name, _ in found), _WIDEST)
    rest = " " * (wide + 4)
    lines = []
    for name, text in found:
        if width(name) > wide:
            lines += [_filled(name, "  ", "  "), _filled(text, rest, rest)]
        else:
            lines.append(_filled(text, f"  {name}{' ' * (wide - width(name))}  ", rest))
    return "\n".join([f"{title}:", *lines])


def _first(found: TableView) -> str:
    """Return measures side by side."""
    pieces = [_filled(found.title), _filled(found.reading)]
    pieces += ["\n\n".join(lay_out(found, COLUMNS)), _filled(found.same)]
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
    stated = Stated()
    return [_headline(stated.view_of(table, MOST_ROWS)) for table in tables]


def _headline(found: TableView, findings: Sequence[str] = ()) -> str:
    pieces = [_filled(found.title), *map(_filled, findings)]
    if not found.rows:
        pieces.append("No rows.")
    else:
        pieces += [_filled(found.reading)] if found.reading else []
        pieces.append("\n\n".join(lay_out(found, COLUMNS)))
        if found.same:
            pieces.append(_filled(found.same))
        pieces += [_filled(text, "", "  ") for text in found.remarks]
        if found.left_out:
            left = count_of(found.left_out, "more row")
            pieces.append(_filled(f"{left} in tables/{found.name}.csv.", "", "  "))
    pieces += [_filled(gist(note), "- ", "  ") for note in found.notes]
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
