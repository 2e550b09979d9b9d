"""The report as Markdown, to paste into a paper."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import ClassVar

from revkit.contracts import Reporter, RunView, SweepView
from revkit.dataclass import dataclass
from revkit.figures.numbers import count_of, to_fixed
from revkit.model.card import AgentCard
from revkit_reports.cards import EXPLAINED, card_rows, card_title, comparison, verdict
from revkit_reports.headline import Stated, TableView, view_of
from revkit_reports.limits import labelled_warnings
from revkit_reports.opening import described, opening_lines, words
from revkit_reports.overview import findings, label_swept, opening, tables_to_compare
from revkit_reports.sentences import (
    GATES_EXPLAINED,
    HOW_TO_READ,
    counts_sentence,
    how_to_read,
    loose_findings,
    method,
    reason_of,
    section_findings,
    skipped_reasons,
    unread_labels,
)
from revkit_reports.summary import Summary, summary_of
from revkit_reports.visible import one_line

FILE = "report.md"
_SPECIAL = re.compile(r"[\\`*_{}\[\]()#+!|~$^]")
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}


@dataclass(frozen=True)
class MarkdownReport(Reporter):
    """``report.md``: the measures of all metrics side by side with their intervals, headline
    tables, gates, and the method."""

    name: ClassVar[str] = "markdown"
    version: ClassVar[str] = "6"

    def render(self, run: RunView) -> Mapping[str, str]:
        summary = summary_of(run)
        stated = Stated.of(run.tables)
        firsts = [stated.view_of(found) for found in summary.first_tables]
        views = [stated.view_of(found) for found in summary.tables()]
        lines = opening_lines(summary)
        warned = labelled_warnings(summary)
        lists = described(summary)
        more = [text for _, text in (*warned, *(each for _, of in lists for each in of))]
        found = words(summary, lines, [*firsts, *views], more)
        parts = [
            f"# {summary.kind}: {escape(run.name)}",
            *(f"**{label}.** {prose(text)}" for label, text in lines),
            *(_defined(title, of) for title, of in lists),
            _defined("Words in this report", found),
            "\n".join(f"- **{label}.** {prose(text)}" for label, text in warned),
            _cards(run.cards),
            _bulleted(f"## {HOW_TO_READ}", how_to_read(summary, [*firsts, *views])),
            *(_headline(view) for view in firsts),
            *map(prose, loose_findings(summary)),
            *(
                _headline(view, section_findings(table))
                for table, view in zip(summary.tables(), views, strict=True)
            ),
            f"## {summary.counts_title}",
            _gates(summary),
            "## Method",
            prose(method(summary)),
            _provenance(summary),
        ]
        return {FILE: "\n\n".join(part for part in parts if part) + "\n"}

    def overview(self, sweep: SweepView) -> Mapping[str, str]:
        """Return the tables of all points of a sweep, side by side."""
        parts = [
            f"# Sweep: {escape(sweep.name)}",
            prose(opening(sweep)),
            "\n".join(f"- {prose(text)}" for text in findings(sweep)),
            *(_headline(view_of(label_swept(each, sweep))) for each in tables_to_compare(sweep)),
            _versions(sweep.versions),
        ]
        return {FILE: "\n\n".join(part for part in parts if part) + "\n"}


def escape(text: str, limit: int = 200) -> str:
    """Return ``text`` as one line of Markdown that renders as itself, in a table cell as well."""
    plain = "".join(_ENTITIES.get(c, c) for c in one_line(text, limit))
    return _SPECIAL.sub(lambda match: "\\" + match.group(), plain)


def prose(text: str) -> str:
    """Return ``text``, a sentence of a report that may quote names, as Markdown that renders as
    itself.

    Brackets and plus signs are not escaped, so intervals stay readable in the source; only a
    bracket that could start a link or an image is.
    """
    plain = "".join(_ENTITIES.get(c, c) for c in text)
    plain = re.sub(r"[\\`*_#|~$]", lambda match: "\\" + match.group(), plain)
    return plain.replace("](", "]\\(").replace("![", "\\![")


def table(
    header: Sequence[str], rows: Sequence[Sequence[str]], numbers: Sequence[bool] = ()
) -> str:
    """Return a Markdown table with the columns ``numbers`` right-aligned (by default all but the
    first); the cells are already escaped.
    """
    right = numbers or [index > 0 for index in range(len(header))]
    rule = ["--:" if flush else ":--" for flush in right]
    lines = [header, rule, *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cards(cards: Sequence[AgentCard]) -> str:
    """Return the comparison of all agents, and the card of each."""
    if not cards:
        return ""
    header, rows = comparison(cards)
    cells = [[escape(cell) for cell in row] for row in rows]
    numbers = [index > 1 for index in range(len(header))]
    pieces = [
        "## Agent cards",
        prose(EXPLAINED),
        table([*map(escape, header)], cells, numbers),
        *map(_card, cards),
    ]
    return "\n\n".join(pieces)


def _card(card: AgentCard) -> str:
    header = ["", "Part", "Figure", "Value", "Number of observations", "Further figures and notes"]
    rows = [
        [
            row.mark,
            row.part if row.first else "",
            row.figure,
            row.value,
            row.observations,
            row.beside,
        ]
        for row in card_rows(card)
    ]
    cells = [[escape(cell) for cell in row] for row in rows]
    pieces = [
        f"### {escape(card_title(card))}",
        prose(verdict(card)),
        table(header, cells, [False, False, False, True, True, False]),
        *(prose(one_line(text, 400)) for text in card.warnings),
    ]
    return "\n\n".join(pieces)


def _bulleted(title: str, texts: Sequence[str]) -> str:
    """Return texts as a list below a title; "" without texts."""
    lines = "\n".join(f"- {prose(text)}" for text in texts)
    return f"{title}\n\n{lines}" if texts else ""


def _defined(title: str, found: Sequence[tuple[str, str]]) -> str:
    """Return words with their definitions as a list below a title; "" without words."""
    lines = "\n".join(f"- **{escape(name, 60)}**: {prose(text)}" for name, text in found)
    return f"**{title}**\n\n{lines}" if found else ""


def _gates(summary: Summary) -> str:
    parts = [prose(counts_sentence(summary))]
    parts += [f"- skipped: {escape(why)}: {times:,}" for why, times in skipped_reasons(summary)]
    parts += [f"- {escape(what)}: {times:,}" for what, times in unread_labels(summary)]
    for family, losses in summary.rejections.items():
        name = escape(family)
        parts += [f"- {name}, {escape(reason_of(each))}: {each.times:,}" for each in losses]
    parts += [f"- {escape(agent)}, failed: {kind}: {n:,}" for agent, kind, n in summary.failures]
    text = parts[0] + ("\n\n" + "\n".join(parts[1:]) if parts[1:] else "")
    header = ["Family", "Gate", "Judged", "Passed", "Lowest", "Median", "Highest", "Limit"]
    rows = [
        [
            escape(gate.family),
            escape(gate.gate) + (f" ({escape(gate.unit, 40)})" if gate.unit else ""),
            f"{gate.judged:,}",
            f"{gate.passed:,}",
            *(to_fixed(value, 3) for value in (gate.low, gate.middle, gate.high)),
            " ".join(
                filter(
                    None, (gate.bound, ", ".join(to_fixed(x, 3) for x in gate.limits[:3]) or "-")
                )
            ),
        ]
        for gate in summary.gates
        if gate.passed < gate.judged
    ]
    if not summary.gates:
        return text
    counted = (
        f"{count_of(len(rows), 'gate')} of {len(summary.gates):,} rejected variants; "
        "records/checks.csv has the values of all."
    )
    return f"{text}\n\n{prose(counted)}" + (
        f"\n\n{table(header, rows)}\n\n{prose(GATES_EXPLAINED)}" if rows else ""
    )


def _headline(view: TableView, findings: Sequence[str] = ()) -> str:
    """Return a headline table with its findings, definitions and notes."""
    pieces = [f"## {escape(view.title)}", *map(prose, findings)]
    if view.rows and view.reading:
        pieces.append(prose(view.reading))
    if view.rows:
        header = [escape(title) for title in view.columns]
        rows = [[escape(cell.inline) for cell in row] for row in view.rows]
        pieces.append(table(header, rows, view.numbers))
    else:
        pieces.append("No rows.")
    if view.same:
        pieces.append(prose(view.same))
    if view.left_out:
        rows_left = count_of(view.left_out, "more row")
        pieces.append(f"{rows_left} in `tables/{view.name}.csv`.")
    if view.rows:
        pieces.append(_defined("What the columns mean", view.definitions))
    pieces.append("\n".join(f"- {prose(note)}" for note in (*view.remarks, *view.notes)))
    return "\n\n".join(piece for piece in pieces if piece)


def _provenance(summary: Summary) -> str:
    return f"Seed {summary.records.seed}. {_versions(summary.run.versions)}"


def _versions(versions: Mapping[str, str]) -> str:
    listed = ", ".join(
        f"{escape(name, 60)} {escape(version, 60)}" for name, version in sorted(versions.items())
    )
    return f"Versions: {listed or 'not recorded'}."
