"""A comparison for a terminal, as Markdown and as one HTML page that loads nothing and runs no
script. All text from runs is made visible and escaped."""

from __future__ import annotations

import base64
import hashlib
import html
from collections.abc import Mapping, Sequence

from revkit.figures.numbers import EMPTY, between, count_of, number_of, p_value, percent, to_fixed
from revkit.model.table import Cell, Column, Table
from revkit.runs.comparison import Comparison
from revkit.runs.differences import Difference
from revkit.runs.table_text import html_of, markdown_of, text_of, visible

MOST_DIFFERENCES = 40
_LONGEST_VALUE = 70

STYLE = """
:root { color-scheme: light dark; --line: #c8ccd0; --soft: #f2f4f6; }
@media (prefers-color-scheme: dark) { :root { --line: #4a5058; --soft: #22262b; } }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 90rem; padding: 1rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.9rem; }
caption { text-align: left; font-weight: 600; padding: 0.4rem 0; }
th, td { border-bottom: 1px solid var(--line); padding: 0.3rem 0.6rem; }
th, td { text-align: left; vertical-align: top; }
th { background: var(--soft); }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
ins { text-decoration: underline; } del { text-decoration: line-through; }
"""


def comparison_text(found: Comparison) -> str:
    """The comparison for a terminal."""
    parts = [visible(found.text, 2_000), "", text_of(shown_table(found))]
    parts += [
        text_of(differences_table(each.differences, found.label, each.label))
        for each in found.others
    ]
    return "\n".join(parts)


def comparison_markdown(found: Comparison) -> str:
    """The comparison as Markdown, for a pull request or a paper."""
    parts = [visible(found.text, 2_000).replace("<", "&lt;").replace("|", "\\|")]
    parts.append(markdown_of(shown_table(found)))
    parts += [
        markdown_of(differences_table(each.differences, found.label, each.label))
        for each in found.others
    ]
    return "\n\n".join(parts)


def comparison_page(found: Comparison) -> str:
    """The comparison as one HTML page."""
    tables = [shown_table(found, same=True)]
    tables += [
        differences_table(each.differences, found.label, each.label) for each in found.others
    ]
    body = [f"<p><strong>{_text(found.text)}</strong></p>"]
    body += [f'<div class="scroll" tabindex="0">{html_of(table)}</div>' for table in tables]
    title = f"Comparison with {visible(found.label, 120)}"
    return page_of(title, "\n".join(body))


def page_of(title: str, body: str) -> str:
    """One HTML page around ``body``, which is escaped already."""
    digest = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'"
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{_text(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        f"<main>\n<h1>{_text(title)}</h1>\n{body}\n</main>\n</body>\n</html>\n"
    )


def _text(text: str) -> str:
    return html.escape(visible(text, 2_000))


def shown_table(found: Comparison, *, same: bool = False) -> Table:
    """The table of a comparison with values in their units and intervals beside them; figures that
    are equal on every paper are counted in a note unless ``same`` asks for their rows."""
    several = len(found.others) > 1
    columns = [
        *([Column("run", "Run")] if several else []),
        Column("figure", "Figure"),
        Column("agent", "Agent"),
        Column("family", "Family or rubric"),
        Column("papers", "Papers", "count"),
        Column("differ", "Differ", "count"),
        Column("first", found.label, "text"),
        Column("second", "Run compared" if several else found.others[0].label, "text"),
        Column("difference", "Difference [95% interval]", "text"),
        Column("p_holm", "p, Holm", "text"),
        Column("real", "Significant"),
    ]
    every = found.table.records()
    kept = [row for row in every if same or row["informative"]]
    rows = [_words_of(row) for row in kept]
    equal = len(every) - len(kept)
    notes = list(found.table.notes)
    if equal:
        notes.insert(0, f"Not shown: {count_of(equal, 'figure')} equal on every shared paper.")
    names = {column.name for column in columns}
    return Table.of(
        "comparison",
        found.table.title,
        columns,
        [{key: cell for key, cell in row.items() if key in names} for row in rows],
        notes,
    )


def _words_of(row: Mapping[str, Cell]) -> dict[str, Cell]:
    share = row["value_unit"] == "share"
    difference = _signed(row["difference"], share)
    ends = between(
        number_of(row["difference_low"]),
        number_of(row["difference_high"]),
        *((100, 1) if share else (1, 2)),
    )
    real = {True: "yes", False: "not shown", None: "too few papers"}[row["real"]]  # type: ignore[index]
    return {
        "run": row["run"],
        "figure": str(row["figure"]).replace("_", " "),
        "agent": row["agent"],
        "family": row["family"],
        "papers": row["papers"],
        "differ": row["informative"],
        "first": _value(row["first"], share),
        "second": _value(row["second"], share),
        "difference": difference if ends == EMPTY else f"{difference} {ends}",
        "p_holm": p_value(number_of(row["p_holm"])),
        "real": real,
    }


def _value(cell: Cell, share: bool) -> str:
    value = number_of(cell)
    return percent(value) if share else to_fixed(value, 2)


def _signed(cell: Cell, share: bool) -> str:
    text = _value(cell, share)
    value = number_of(cell)
    return f"+{text}" if value is not None and value > 0 else text


def differences_table(found: Sequence[Difference], first: str, second: str) -> Table:
    """What differs in spec, components, contents and packages, at most `MOST_DIFFERENCES` rows."""
    rows: list[dict[str, Cell]] = [
        {
            "where": each.where,
            "path": each.path,
            "first": EMPTY if each.first is None else visible(each.first, _LONGEST_VALUE),
            "second": EMPTY if each.second is None else visible(each.second, _LONGEST_VALUE),
        }
        for each in found[:MOST_DIFFERENCES]
    ]
    more = len(found) - len(rows)
    notes = [f"{more:,} more differences are in the JSON of the comparison."] if more > 0 else []
    if not found:
        notes = ["The two runs have the same spec, components, packages, and contents of files."]
    return Table.of(
        "differences",
        f"What differs between {first} and {second}",
        (
            Column("where", "Where"),
            Column("path", "Path"),
            Column("first", first if first != second else "First"),
            Column("second", second),
        ),
        rows,
        notes,
    )
