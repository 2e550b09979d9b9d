"""The report for a terminal: compact tables of plain characters, at most 100 columns wide."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from revkit.contracts import Reporter, RunView, SweepView
from revkit.figures.numbers import between, counted, fixed, percent
from revkit.model.table import Table
from revkit_reports.headline import Shown, shown
from revkit_reports.layout import laid_out, text_table
from revkit_reports.limits import warnings
from revkit_reports.overview import as_written, compared, opening
from revkit_reports.sentences import (
    counts_sentence,
    direction_sentence,
    finding,
    gist,
    interval_methods,
    skipped_reasons,
    unread_labels,
)
from revkit_reports.summary import Summary, summary_of
from revkit_reports.visible import one_line

FILE = "report.txt"
COLUMNS = 100
NAME_WIDTH = 24
MOST_ROWS = 30


@dataclass(frozen=True)
class Terminal(Reporter):
    """``report.txt``, which is also what is printed at the end of a run.

    It holds the two tables of ROBUST-REV with their intervals and the direction of flips where
    papers were perturbed and reviewed, every table that asks to be shown, the counts of everything
    that was left out, and warnings. Names that are too long are cut in the middle.
    """

    name: ClassVar[str] = "terminal"
    version: ClassVar[str] = "1"

    def render(self, run: RunView) -> Mapping[str, str]:
        summary = summary_of(run)
        flips = [
            _agents(summary),
            _noise(summary),
            _families(summary),
            _filled(direction_sentence(summary.direction, summary.interval_name)),
        ]
        measured = summary.about_flips and summary.tables.has("flip-rate")
        pieces = [
            _filled(f"{one_line(run.name)}: {finding(summary)}"),
            *(flips if measured else (_accuracy(summary),)),
            *_headlines(summary.headlines),
            _counts(summary),
            _warnings(summary),
        ]
        return {FILE: "\n\n".join(piece for piece in pieces if piece) + "\n"}

    def overview(self, sweep: SweepView) -> Mapping[str, str]:
        """The tables of all points of a sweep, side by side."""
        pieces = [
            _filled(f"{one_line(sweep.name)}: {opening(sweep)}"),
            *_headlines([as_written(found, sweep) for found in compared(sweep)]),
        ]
        return {FILE: "\n\n".join(pieces) + "\n"}

    def summary(self, files: Mapping[str, str]) -> str:
        return files.get(FILE, "")


def _filled(text: str, lead: str = "", rest: str = "") -> str:
    return textwrap.fill(
        text, COLUMNS, initial_indent=lead, subsequent_indent=rest, break_on_hyphens=False
    )


def _agents(summary: Summary) -> str:
    interval = summary.interval_name
    header = ["Agent", "Flip rate", interval, "n", "|Shift|", "0-100", "Accuracy", interval]
    rows = [
        [
            one_line(line.name, NAME_WIDTH),
            percent(line.rate.value),
            between(line.rate.low, line.rate.high, 100),
            f"{line.valid:,}",
            fixed(line.shift.value, 2),
            fixed(line.severity.value, 1),
            percent(line.accuracy.value),
            between(line.accuracy.low, line.accuracy.high, 100),
        ]
        for line in summary.agents
    ]
    if not rows:
        return "No agents."
    legend = (
        "n: pairs with a verdict on both sides. |Shift|: mean size of the score shift, own scale; "
        "0-100: the same on the severity axis. "
        f"Intervals: {interval_methods(summary)}."
    )
    return text_table(header, rows) + "\n" + _filled(legend)


def _accuracy(summary: Summary) -> str:
    """Accuracies alone, where no flips are told."""
    if not summary.tables.has("clean-accuracy") or not summary.agents:
        return ""
    interval = summary.interval_name
    header = ["Agent", "Accuracy", interval, "Commoner decision", "Balanced", "Macro F1"]
    rows = [
        [
            one_line(line.name, NAME_WIDTH),
            percent(line.accuracy.value),
            between(line.accuracy.low, line.accuracy.high, 100),
            percent(line.majority),
            percent(line.balanced.value),
            percent(line.macro_f1.value),
        ]
        for line in summary.agents
    ]
    return text_table(header, rows)


def _noise(summary: Summary) -> str:
    """Noise floor and what is left of each flip rate, where the papers were reviewed again."""
    if summary.records.repeats < 2:
        return ""
    interval = summary.interval_name
    header = ["Agent", "Flip rate", "Noise floor", interval, "Net rate", interval]
    rows = [
        [
            one_line(line.name, NAME_WIDTH),
            percent(line.rate.value),
            percent(line.noise.value),
            between(line.noise.low, line.noise.high, 100),
            percent(line.net.value),
            between(line.net.low, line.net.high, 100),
        ]
        for line in summary.agents
    ]
    return text_table(header, rows)


def _families(summary: Summary) -> str:
    header = ["Family", "Mean flip rate", summary.interval_name, "n", "Variants", "Rejected"]
    rows = [
        [
            one_line(line.name, NAME_WIDTH),
            percent(line.rate.value),
            between(line.rate.low, line.rate.high, 100),
            f"{line.valid:,}",
            f"{line.variants:,}",
            f"{line.rejected:,}",
        ]
        for line in summary.families
    ]
    if any(line.crashed for line in summary.families):
        header.append("Crashed")
        for row, line in zip(rows, summary.families, strict=True):
            row.append(f"{line.crashed:,}")
    return text_table(header, rows) if rows else ""


def _headlines(tables: Sequence[Table]) -> list[str]:
    """Each table with the gist of its notes; a note that stood under an earlier one stays away."""
    told: set[str] = set()
    pieces = []
    for table in tables:
        notes = [note for note in shown(table, MOST_ROWS).notes if note not in told]
        told.update(notes)
        pieces.append(_headline(shown(table, MOST_ROWS), notes))
    if any(gist(note) != note for note in told):
        pieces.append("Notes in full: result.json.")
    return pieces


def _headline(found: Shown, notes: Sequence[str]) -> str:
    pieces = [_filled(found.title)]
    if not found.rows:
        pieces.append("No rows.")
    else:
        pieces.append("\n\n".join(laid_out(found, COLUMNS)))
        if found.same:
            pieces.append(_filled(found.same))
        pieces += [_filled(text, "", "  ") for text in found.remarks]
        if found.left_out:
            left = counted(found.left_out, "more row")
            pieces.append(_filled(f"Also in tables/{found.name}.csv: {left}.", "", "  "))
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
        _filled(f"failed: {one_line(agent, 60)}, {kind} ({times:,})", "  ", "    ")
        for agent, kind, times in summary.failures
    ]
    return "\n".join(lines)


def _warnings(summary: Summary) -> str:
    return "\n".join(_filled(f"! {text}", "", "  ") for text in warnings(summary))
