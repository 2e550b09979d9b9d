"""The HTML report: the tables, the plots, and each flipped pair with its edits marked.

The page loads nothing, and its policy allows one script by its hash: it sorts and filters tables,
and everything is readable without it. All text from papers, plugins and
experiments is made visible first and then escaped by the template.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import groupby, takewhile
from pathlib import Path
from typing import Any, ClassVar

from revkit.contracts import Reporter, RunView, SweepView
from revkit.dataclass import dataclass
from revkit.figures.numbers import (
    CONSERVATIVE,
    EMPTY,
    between,
    cell_text,
    count_of,
    is_number,
    percent,
    to_fixed,
)
from revkit.model.card import AgentCard
from revkit.model.table import Column, Headline, Table
from revkit.options import option
from revkit_reports import plots_of_scores
from revkit_reports.audit import audit_of
from revkit_reports.cards import (
    EXPLAINED,
    card_rows,
    card_title,
    comparison,
    short_rows,
    verdict,
)
from revkit_reports.charts import charts_of
from revkit_reports.exhibits import exhibits_of
from revkit_reports.flips import (
    FlippedVariant,
    FlipSelection,
    select_flipped,
    select_unflipped,
)
from revkit_reports.headline import Stated, TableView, view_of
from revkit_reports.limits import labelled_warnings
from revkit_reports.misjudgements import select_misjudged
from revkit_reports.opening import described, opening_lines, words
from revkit_reports.overview import findings, label_swept, opening, swept_values, tables_to_compare
from revkit_reports.reviews import failed_reviews
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
    unit_of_papers,
    unread_labels,
)
from revkit_reports.summary import Summary, summary_of
from revkit_reports.visible import one_line, visible

FILE = "report.html"
SCRIPT = "tables.js"
MOST_ROWS = 500
MOST_SPEC = 20_000
# A table with more characters a row has its intervals under the values; one with more rows is
# folded if charts show it; more charts of one table are folded.
ROOM = 110
FOLDED = 20
FIRST_CHARTS = 4
# Letters of a line of a table on a wide screen, and of a cell of text until it is broken.
PAGE = 125
LETTERS = 44


@dataclass(frozen=True)
class Html(Reporter):
    """``report.html``, one file that shows a finished run in any browser.

    Up to ``max-pairs`` flipped pairs are shown, taken in turns over agents and families, and up to
    as many scores that contradict the expected effect of an edit. The page states how many it
    leaves out. ``audited`` edits of each family, drawn at random, are shown with their sentences
    before and after, whatever any agent said of them. ``unflipped`` pairs without a flip, drawn at
    random, and up to ``max-failures`` failed reviews follow. A pair is shown with both reviews.
    Where edits hide text, and where a table shows drawn pages, the page has what a reader sees
    beside what a program reads, up to 60 places.
    """

    name: ClassVar[str] = "html"
    version: ClassVar[str] = "11"
    data: ClassVar[tuple[str, ...]] = ("*.jinja", "report.css", "tables.js")

    max_pairs: int = option(
        200,
        help="How many flipped pairs, and as many misjudged ones, to show with their edits.",
        minimum=0,
    )
    audited: int = option(
        5,
        help="How many edits of each family, drawn at random, to show for a reader to judge.",
        minimum=0,
        maximum=100,
        later=True,
    )

    unflipped: int = option(
        20,
        help="How many pairs that did not flip, drawn at random, to show with both reviews.",
        minimum=0,
        maximum=1_000,
        later=True,
    )
    max_failures: int = option(
        100,
        help="How many failed reviews to list with their reasons.",
        minimum=0,
        maximum=1_000,
        later=True,
    )

    def render(self, run: RunView) -> Mapping[str, str]:
        from markupsafe import Markup

        summary = summary_of(run)
        selection = select_flipped(run, self.max_pairs)
        same = select_unflipped(run, self.unflipped)
        failures = failed_reviews(run, self.max_failures)
        judged = select_misjudged(run, self.max_pairs)
        stated = Stated.of(run.tables)
        firsts = _firsts(summary, stated)
        headlines = [_headline(table, stated.view_of(table)) for table in summary.tables()]
        views = [item["view"] for item in (*firsts, *headlines)]
        reading = how_to_read(summary, views)
        lines = opening_lines(summary)
        warned = labelled_warnings(summary)
        lists = described(summary)
        more = [text for _, text in (*warned, *(each for _, of in lists for each in of))]
        found = words(summary, lines, views, more)
        drawn = {table.name for table in (*summary.tables(), *_charted_first(summary))}
        charts = [
            (one_line(table.title), charts)
            for table in run.tables
            if table.name not in drawn and (charts := _charts(table))
        ]
        audits = audit_of(run, self.audited)
        exhibits = exhibits_of(run)
        page = _template("report.html.jinja").render(
            name=one_line(run.name, 120),
            css=Markup(_resource("report.css")),
            script=Markup(_resource(SCRIPT)),
            script_digest=_script_digest(),
            summary=summary,
            opening=lines,
            lists_of_words=[
                *lists,
                *([("Words in this report", found)] if found else []),
            ],
            reading=reading,
            loose=loose_findings(summary),
            tiles=_tiles(summary),
            warnings=warned,
            shifts=Markup(plots_of_scores.shifts(summary)),
            cards=_cards(run.cards),
            firsts=firsts,
            counts=counts_sentence(summary),
            lists=_lists(summary),
            headlines=headlines,
            charts=charts,
            sections=[
                *([("cards", "Agent cards")] if run.cards else []),
                *([("reading", HOW_TO_READ)] if reading else []),
                *_sections(
                    summary,
                    [*firsts, *headlines],
                    bool(charts),
                    bool(audits),
                    failures.total > 0,
                    bool(exhibits),
                ),
            ],
            exhibits=exhibits,
            pictures=any(each.picture for each in exhibits),
            audits=audits,
            repeats=run.records.repeats,
            selection=selection,
            selected=_by_family(selection),
            same=same,
            unflipped=_by_family(same),
            failures=failures,
            judged=judged,
            misjudged=_by_family(judged.selection),
            method=method(summary),
            gates_explained=GATES_EXPLAINED,
            spec=_spec(run.spec),
            tables=[_table(table) for table in run.tables],
            versions=_versions(run.versions),
            digest=one_line(run.digest, 80),
        )
        return {FILE: page}

    def overview(self, sweep: SweepView) -> Mapping[str, str]:
        """Return the tables and charts of all points of a sweep on one page."""
        from markupsafe import Markup

        headlines = [
            _headline(table, view_of(label_swept(table, sweep)))
            for table in tables_to_compare(sweep)
        ]
        # The list of points is secondary to the results.
        headlines[-1]["folded"] = len(headlines[-1]["view"].rows) > FOLDED
        page = _template("sweep.html.jinja").render(
            name=one_line(sweep.name, 120),
            css=Markup(_resource("report.css")),
            script=Markup(_resource(SCRIPT)),
            script_digest=_script_digest(),
            opening=opening(sweep),
            findings=findings(sweep),
            swept=swept_values(sweep),
            headlines=headlines,
            sections=[(f"table-{item['name']}", item["view"].title) for item in headlines],
            tables=[_table(label_swept(table, sweep)) for table in sweep.tables],
            spec=_spec(sweep.spec),
            versions=_versions(sweep.versions),
            digest=one_line(sweep.digest, 80),
        )
        return {FILE: page}


def _spec(spec: Mapping[str, Any]) -> str:
    text = json.dumps(spec, indent=2, ensure_ascii=False, sort_keys=True, default=str)
    return visible(text, MOST_SPEC)


def _versions(versions: Mapping[str, str]) -> list[tuple[str, str]]:
    return [(one_line(k, 80), one_line(v, 80)) for k, v in sorted(versions.items())]


@cache
def _resource(name: str) -> str:
    return (Path(__file__).parent / name).read_text(encoding="utf-8")


@cache
def _script_digest() -> str:
    """The hash by which the policy of the page allows its script, and no other."""
    found = hashlib.sha256(_resource(SCRIPT).encode()).digest()
    return base64.b64encode(found).decode()


@cache
def _template(name: str) -> Any:
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    environment = Environment(
        loader=FunctionLoader(_resource),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.globals.update(between=between, fixed=to_fixed, one_line=one_line, percent=percent)
    return environment.get_template(name)


def _by_family(selection: FlipSelection) -> list[tuple[str, list[FlippedVariant]]]:
    return [
        (family, list(variants))
        for family, variants in groupby(selection.shown, lambda variant: variant.family)
    ]


def _sections(
    summary: Summary,
    headlines: Sequence[Mapping[str, Any]],
    charts: bool,
    audits: bool,
    failures: bool,
    exhibits: bool,
) -> list[tuple[str, str]]:
    """Return the sections of the page in order, each with anchor and title."""
    flips, judges = summary.about_flips, summary.records.judges and summary.records.perturbations
    sections = [
        *((True, f"table-{item['name']}", item["view"].title) for item in headlines),
        (flips, "scores", "How far scores move"),
        (charts, "charts", "More charts"),
        (exhibits, "exhibits", "What a reader sees, and what a program reads"),
        (True, "gates", summary.counts_title),
        (audits, "audit", "Random edits"),
        (flips, "flipped", "Flipped pairs"),
        (flips, "unflipped", "Pairs that did not flip"),
        (failures, "failures", "Failed reviews"),
        (judges, "misjudged", "Scores that contradict expectations"),
        (True, "method", "Method"),
        (True, "tables", "All tables"),
    ]
    return [(anchor, title) for there, anchor, title in sections if there]


def _cards(cards: Sequence[AgentCard]) -> dict[str, Any]:
    """Return the comparison of all agents and the card of each; empty without cards."""
    if not cards:
        return {}
    header, rows = comparison(cards)
    return {
        "explained": EXPLAINED,
        "header": header,
        "rows": rows,
        "cards": [
            {
                "title": card_title(card),
                "verdict": verdict(card),
                "marked": bool(card.weaknesses),
                "rows": short_rows(card),
                "all": card_rows(card),
                "warnings": [one_line(text, 400) for text in card.warnings],
            }
            for card in cards
        ],
    }


def _charted_first(summary: Summary) -> list[Table]:
    """Return the tables whose charts go below the first table: they have measures and no
    section.
    """
    shown_themselves = {table.name for table in summary.tables()}
    found = {each.table.name: each.table for each in summary.measures("agent")}
    return [table for name, table in found.items() if name not in shown_themselves]


def _firsts(summary: Summary, stated: Stated) -> list[dict[str, Any]]:
    """Return measures side by side, with the charts of their tables below the first table."""
    found = [_headline(table, stated.view_of(table)) for table in summary.first_tables]
    if found:
        charts = [chart for table in _charted_first(summary) for chart in _charts(table)]
        charts += _tradeoff(summary)
        found[0]["charts"] = charts[:FIRST_CHARTS]
        found[0]["more_charts"] = charts[FIRST_CHARTS:]
    return found


def _tradeoff(summary: Summary) -> list[dict[str, Any]]:
    from markupsafe import Markup

    svg = plots_of_scores.accuracy_against_robustness(summary)
    note = (
        "An agent that gives every paper the same verdict never flips, so robustness is only "
        "meaningful together with accuracy. The dashed line is the majority-class baseline."
    )
    title = "Accuracy against robustness: the best agents are at the upper right"
    return [{"title": title, "svg": Markup(svg), "note": note}] if svg else []


def _tiles(summary: Summary) -> list[tuple[str, str]]:
    records = summary.records
    papers = unit_of_papers(records)
    tiles = []
    if records.perturbations:
        papers += f", {count_of(len(records.perturbations), 'family', 'families')}"
    tiles.append((f"{len(records.papers):,}", papers))
    tiles += [
        _tile(headline)
        for place in ("lead", "section")
        for found in summary.findings(place)
        for headline in found.headlines
    ]
    if records.anchors is not None:
        agents = count_of(len(records.agents), "agent")
        tiles.append((f"{len(records.anchors.papers):,}", f"anchors, scored by {agents}"))
    if records.judges:
        failed = sum(bool(judgement.failure) for judgement in records.judgements)
        judges = count_of(len(records.judges), "judge")
        tiles.append((f"{len(records.judgements):,}", f"judgements by {judges}"))
        tiles.append((f"{failed:,}", f"of {len(records.judgements):,} judgements failed"))
    if records.agents:
        tiles.append((f"{summary.failed:,}", f"of {summary.verdicts:,} reviews failed"))
    return tiles


def _tile(found: Headline) -> tuple[str, str]:
    """Return a number that a table declares for a tile, and the words below it."""
    value = float(found.value)
    if found.unit == "share":
        text, ends = percent(value), between(found.low, found.high, 100)
    elif found.unit == "ratio":
        text, ends = f"{to_fixed(value, 1)} : 1", between(found.low, found.high)
    else:
        column = Column("value", unit=found.unit)
        text = cell_text(found.value, column)
        ends = between(found.low, found.high, places=2)
    if found.sharp_width is not None:
        ends += CONSERVATIVE
    words = one_line(found.title, 80)
    return text, words if ends == EMPTY else f"{words} {ends}"


def _lists(summary: Summary) -> list[str]:
    """Return the reasons for skipped, rejected and failed items, each with its count."""
    lines = [f"skipped: {one_line(why)}: {n:,}" for why, n in skipped_reasons(summary)]
    lines += [f"{one_line(what)}: {n:,}" for what, n in unread_labels(summary)]
    for family, losses in summary.rejections.items():
        name = one_line(family, 80)
        lines += [f"{name}, {one_line(reason_of(each))}: {each.times:,}" for each in losses]
    return lines + [
        f"{one_line(agent, 80)}, failed: {kind}: {times:,}"
        for agent, kind, times in summary.failures
    ]


def _headline(table: Table, found: TableView) -> dict[str, Any]:
    """Return a headline table for the template, printed as ``found``: charts, whether to stack
    intervals, whether to fold.
    """
    charts = _charts(table)
    letters = sum(
        max([len(title) + 2, *(len(row[i].inline) + 2 for row in found.rows)])
        for i, title in enumerate(found.columns)
    )
    return {
        "name": table.name,
        "view": found,
        "findings": section_findings(table),
        "charts": charts[:FIRST_CHARTS],
        "more_charts": charts[FIRST_CHARTS:],
        "stacked": letters > ROOM,
        "folded": len(found.rows) > FOLDED and bool(charts),
    }


def _charts(table: Table) -> list[dict[str, Any]]:
    from markupsafe import Markup

    return [
        {"title": drawn.title, "svg": Markup(drawn.svg), "note": drawn.note}
        for drawn in charts_of(table)
    ]


def _table(table: Table) -> dict[str, Any]:
    columns = [
        {
            "title": one_line(column.title or column.name, 60),
            "help": one_line(column.help, 400),
            "number": is_number(column),
        }
        for column in table.columns
    ]
    rows = [
        [one_line(cell_text(cell, column)) for cell, column in zip(row, table.columns, strict=True)]
        for row in table.rows[:MOST_ROWS]
    ]
    return {
        "title": one_line(table.title),
        "notes": [one_line(note, 1_000) for note in table.notes],
        "columns": columns,
        "rows": rows,
        "blocks": _blocks(columns, rows),
        "left_out": max(0, len(table.rows) - MOST_ROWS),
    }


def _blocks(columns: Sequence[Mapping[str, Any]], rows: Sequence[Sequence[str]]) -> list[list[int]]:
    """Return the columns of a wide table in blocks that a page shows without scrolling. Each block
    begins with the columns that name the rows.
    """
    widths = [
        min(LETTERS, max([_heading(column), *(len(row[i]) for row in rows)])) + 2
        for i, column in enumerate(columns)
    ]
    if sum(widths) <= PAGE:
        return [list(range(len(columns)))]
    naming = list(takewhile(lambda i: not columns[i]["number"], range(min(3, len(columns)))))
    start = sum(widths[i] for i in naming)
    blocks, used = [list(naming)], start
    for i in range(len(naming), len(columns)):
        if used + widths[i] > PAGE and used > start:
            blocks.append(list(naming))
            used = start
        blocks[-1].append(i)
        used += widths[i]
    return blocks


def _heading(column: Mapping[str, Any]) -> int:
    """Return the letters of a heading in one line; that of a number is not broken."""
    title = str(column["title"])
    return len(title) if column["number"] else max(map(len, title.split()), default=0)
