"""The report as Markdown: what a researcher would paste into a paper."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from revkit.contracts import Reporter, RunView, SweepView
from revkit.figures.numbers import between, counted, fixed, p_value, percent
from revkit.model.table import Table
from revkit_reports.headline import shown
from revkit_reports.limits import warnings
from revkit_reports.overview import as_written, compared, opening
from revkit_reports.sentences import (
    counts_sentence,
    direction_sentence,
    finding,
    interval_methods,
    method,
    reason_of,
    skipped_reasons,
    unread_labels,
)
from revkit_reports.summary import Summary, summary_of
from revkit_reports.tables import Figure, figure, number
from revkit_reports.visible import one_line

FILE = "report.md"
NET_RATE = (
    " Noise floor: the chance that two reviews of one unchanged paper disagree; net rate: the flip "
    "rate less the noise floor."
)
_SPECIAL = re.compile(r"[\\`*_{}\[\]()#+!|~$^]")
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}


@dataclass(frozen=True)
class Markdown(Reporter):
    """``report.md``: the tables of ROBUST-REV with intervals and tests where papers were perturbed
    and reviewed, every table that asks to be shown, gates, and the method."""

    name: ClassVar[str] = "markdown"
    version: ClassVar[str] = "1"

    def render(self, run: RunView) -> Mapping[str, str]:
        summary = summary_of(run)
        flips = [
            "## Flip rate by agent",
            _agents(summary),
            "## Flip rate by family",
            _families(summary),
            "## Direction of flips",
            prose(direction_sentence(summary.direction, summary.interval_name)),
            _directions(summary),
            "## Differences between agents",
            _mcnemar(summary),
        ]
        accuracy = [
            "## Accuracy against robustness" if summary.about_flips else "## Accuracy",
            _accuracy(summary),
        ]
        parts = [
            f"# {summary.kind}: {escape(run.name)}",
            prose(finding(summary)),
            _warnings(summary),
            *(flips if summary.about_flips else ()),
            *(accuracy if summary.about_accuracy else ()),
            *(_headline(found) for found in summary.headlines),
            f"## {summary.counts_title}",
            _gates(summary),
            "## Method",
            prose(method(summary)),
            _provenance(summary),
        ]
        return {FILE: "\n\n".join(part for part in parts if part) + "\n"}

    def overview(self, sweep: SweepView) -> Mapping[str, str]:
        """The tables of all points of a sweep, side by side."""
        parts = [
            f"# Sweep: {escape(sweep.name)}",
            prose(opening(sweep)),
            *(_headline(as_written(found, sweep)) for found in compared(sweep)),
            _versions(sweep.versions),
        ]
        return {FILE: "\n\n".join(parts) + "\n"}


def escape(text: str, limit: int = 200) -> str:
    """``text`` as one line of Markdown that renders as itself, in a table cell as well."""
    plain = "".join(_ENTITIES.get(c, c) for c in one_line(text, limit))
    return _SPECIAL.sub(lambda match: "\\" + match.group(), plain)


def prose(text: str) -> str:
    """A sentence of this package that may quote names: every character stands for itself.

    Brackets and plus signs do no harm in a sentence of ours, so intervals stay readable in the
    source; a bracket that could start a link is followed by no parenthesis here.
    """
    plain = "".join(_ENTITIES.get(c, c) for c in text)
    plain = re.sub(r"[\\`*_#|~$]", lambda match: "\\" + match.group(), plain)
    return plain.replace("](", "]\\(").replace("![", "\\![")


def table(
    header: Sequence[str], rows: Sequence[Sequence[str]], numbers: Sequence[bool] = ()
) -> str:
    """A Markdown table, its ``numbers`` flush right (all but the first column where they are not
    told); cells are escaped already."""
    right = numbers or [index > 0 for index in range(len(header))]
    rule = ["--:" if flush else ":--" for flush in right]
    lines = [header, rule, *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _share(found: Figure) -> str:
    if found.value is None:
        return "-"
    interval = f" {between(found.low, found.high, 100)}" if found.measured else ""
    return percent(found.value) + interval


def _points(found: Figure, places: int) -> str:
    if found.value is None:
        return "-"
    interval = f" {between(found.low, found.high, places=places)}" if found.measured else ""
    return fixed(found.value, places) + interval


def _agents(summary: Summary) -> str:
    header = ["Agent", "n", "Flip rate", "Score-shift mean", "0-100 axis", "Accuracy"]
    rows = [
        [
            escape(line.name),
            f"{line.valid:,}" if summary.tables.has("flip-rate") else "-",
            _share(line.rate),
            _points(line.shift, 2),
            _points(line.severity, 1),
            _share(line.accuracy),
        ]
        for line in summary.agents
    ]
    if not rows:
        return "No agents."
    if summary.records.repeats > 1:
        header[3:3] = ["Noise floor", "Net rate"]
        for row, line in zip(rows, summary.agents, strict=True):
            row[3:3] = [_share(line.noise), _share(line.net)]
    scales = sorted({f"{line.scale}" for line in summary.agents})
    note = (
        f"Square brackets: {summary.interval_name}, {interval_methods(summary)}. n: pairs "
        "with a verdict on both sides. Score-shift mean: mean |shift| in points of the agent's own "
        f"scale ({', '.join(scales)}); the 0-100 axis runs from no flaw to reject and is the one "
        "to compare agents of different scales on."
        + (NET_RATE if summary.records.repeats > 1 else "")
    )
    return table(header, rows) + "\n\n" + prose(note)


def _families(summary: Summary) -> str:
    header = ["Family", "Mean flip rate", "n", "Variants", "Rejected"]
    rows = [
        [
            escape(line.name),
            _share(line.rate),
            f"{line.valid:,}" if summary.tables.has("flip-rate") else "-",
            f"{line.variants:,}",
            f"{line.rejected:,}",
        ]
        for line in summary.families
    ]
    if not rows:
        return "No families."
    if any(line.crashed for line in summary.families):
        header.append("Crashed")
        for row, line in zip(rows, summary.families, strict=True):
            row.append(f"{line.crashed:,}")
    return table(header, rows) + "\n\n" + prose("The mean over agents of their flip rates.")


def _directions(summary: Summary) -> str:
    header = ["Agent", "Reject to accept", "Accept to reject", "Ratio", "p exact", "p papers"]
    rows = [
        [
            escape(line.name),
            f"{line.up:,}",
            f"{line.down:,}",
            _points(line.ratio, 1),
            p_value(line.p_exact),
            p_value(line.p_clustered),
        ]
        for line in summary.directions
    ]
    return table(header, rows) if rows else ""


def _mcnemar(summary: Summary) -> str:
    rows = [
        [
            escape(str(row.get("first"))),
            escape(str(row.get("second"))),
            fixed(number(row, "n"), 0),
            fixed(number(row, "first_only"), 0),
            fixed(number(row, "second_only"), 0),
            _share(figure(row, "difference")),
            fixed(number(row, "chi2"), 1),
            p_value(number(row, "p_chi2")),
            p_value(number(row, "p_mid")),
            p_value(number(row, "p_clustered")),
            p_value(number(row, "p_holm")),
        ]
        for row in summary.tables.rows("mcnemar")
    ]
    if not rows:
        return "No two agents were compared."
    header = [
        "First",
        "Second",
        "n",
        "First only",
        "Second only",
        "Difference",
        "chi2",
        "p",
        "mid-p",
        "p papers",
        "p Holm",
    ]
    note = (
        "McNemar's test on per-pair flips. chi2, p and mid-p take pairs as independent; p papers "
        "is the clustered test with papers as the unit, and p Holm is p papers after Holm's "
        "correction over all rows."
    )
    return table(header, rows) + "\n\n" + prose(note)


def _accuracy(summary: Summary) -> str:
    if not summary.labelled:
        return "No paper has a decision, so accuracy was not measured."
    header = ["Agent", "Accuracy", "Commoner decision", "Balanced", "Macro F1", "Flip rate"]
    rows = [
        [
            escape(line.name) + (f" (always {line.constant})" if line.constant else ""),
            _share(line.accuracy),
            percent(line.majority),
            _share(line.balanced),
            _share(line.macro_f1),
            *([_share(line.rate)] if summary.about_flips else ()),
        ]
        for line in summary.agents
    ]
    if not summary.about_flips:
        header.pop()
    return table(header, rows) if rows else ""


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
            *(fixed(value, 3) for value in (gate.low, gate.middle, gate.high)),
            ", ".join(fixed(limit, 3) for limit in gate.limits[:3]) or "-",
        ]
        for gate in summary.gates
    ]
    return text + ("\n\n" + table(header, rows) if rows else "")


def _headline(found: Table) -> str:
    """A table that asks to be shown, with its notes."""
    seen = shown(found)
    pieces = [f"## {escape(found.title)}"]
    if seen.rows:
        header = [escape(title) for title in seen.columns]
        rows = [[escape(cell.inline) for cell in row] for row in seen.rows]
        pieces.append(table(header, rows, seen.numbers))
    else:
        pieces.append("No rows.")
    pieces += [prose(text) for text in (seen.same,) if text]
    if seen.left_out:
        rows_left = counted(seen.left_out, "more row")
        pieces.append(f"Also in `tables/{found.name}.csv`: {rows_left}.")
    notes = [*seen.remarks, *seen.notes]
    if notes:
        pieces.append("\n".join(f"- {prose(note)}" for note in notes))
    return "\n\n".join(pieces)


def _warnings(summary: Summary) -> str:
    return "\n".join(f"- **Note.** {prose(text)}" for text in warnings(summary))


def _provenance(summary: Summary) -> str:
    return f"Seed {summary.records.seed}. {_versions(summary.run.versions)}"


def _versions(versions: Mapping[str, str]) -> str:
    told = ", ".join(
        f"{escape(name, 60)} {escape(version, 60)}" for name, version in sorted(versions.items())
    )
    return f"Versions: {told or 'not recorded'}."
