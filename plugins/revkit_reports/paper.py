"""Figures and tables for a paper: SVG, LaTeX and CSV files with captions."""

from __future__ import annotations

import csv
import io
import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar

from revkit.contracts import Reporter, RunView
from revkit.dataclass import dataclass
from revkit.figures.numbers import EMPTY, TOO_SHORT, count_of, legends_of
from revkit.files import csv_cell
from revkit.model.table import Cell, Table
from revkit_reports.chart_data import Drawn
from revkit_reports.charts import charts_of
from revkit_reports.grids import grids_of
from revkit_reports.headline import CellView, TableView, view_of
from revkit_reports.layout import TablePart, lines_of, parts_of
from revkit_reports.plot_style import collect_pdf
from revkit_reports.summary import measures_of, summary_of
from revkit_reports.tables import Row, legend, matches
from revkit_reports.visible import one_line

FOLDER = "paper"
# Characters of a line in the text width of the class article (345 pt), in small type.
_ROOM = 80
_LONGEST_NOTE, _LONGEST_CAPTION = 2_000, 20_000
_LATEX = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    TOO_SHORT: r"\textdagger{}",
    "Δ": r"$\Delta$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "−": r"$-$",
    "→": r"$\to$",
}


@dataclass(frozen=True)
class _Printed:
    """A table of the folder, the notes on its method, what its brackets contain, and the methods of
    its intervals."""

    table: Table
    brackets: str
    notes: Sequence[str]
    methods: Sequence[str]


@dataclass(frozen=True)
class PaperFiles(Reporter):
    """The folder ``paper``: tables as LaTeX (booktabs) and CSV, charts as SVG and PDF.

    The tables are those of the reports: ``by-agent`` and ``by-family`` with the measures of all
    metrics side by side, and the headline tables of metrics; and a grid of names for each heat map,
    such as the flip rate of each agent under each family. The caption of a table is short, and has
    a short form for the list of tables. A table that is wider than the text of the class
    ``article`` has its intervals below the values, and is divided into parts below each other if it
    is still too wide. A table without values has no file. ``captions.md`` has the caption of each
    file, and below it the definitions of columns and the notes on method. A table needs
    ``\\usepackage{booktabs}``.
    """

    name: ClassVar[str] = "paper"
    version: ClassVar[str] = "9"

    def render(self, run: RunView) -> Mapping[str, str]:
        files: dict[str, str] = {}
        captions = [f"# Captions of {one_line(run.name, 120)}", ""]
        for each in _printed(run):
            view = view_of(each.table, most_rows=max(1, len(each.table.rows)))
            caption = _table_caption(view, each, run)
            notes = [f"{title}: {text}" for title, text in view.definitions] + [*each.notes]
            name = _unused(each.table.name, files)
            if view.rows:
                files[f"{FOLDER}/{name}.tex"] = latex_of(view, caption, name)
                files[f"{FOLDER}/{name}.csv"] = csv_of(view)
                captions += [f"- `{name}.tex`: {caption}"]
            else:
                captions += [f"- No file for {one_line(view.title)}: the table has no values."]
            captions += [f"    - {one_line(note, _LONGEST_NOTE)}" for note in notes if note]
        for table in run.tables:
            caption = caption_of(table, run)
            for name, drawn, pdf in _charts(table):
                parts = {"svg": standalone(drawn.svg), "pdf": pdf}
                for ending, text in parts.items():
                    if text:
                        files[f"{FOLDER}/{name}.{ending}"] = text
                        captions += [f"- `{name}.{ending}`: {one_line(drawn.title)}. {caption}"]
        files[f"{FOLDER}/captions.md"] = "\n".join(captions) + "\n"
        return files


def _unused(name: str, files: Mapping[str, str]) -> str:
    """Return ``name``, with a number if another table has it: metrics of plugins choose names."""
    found, number = name, 2
    while f"{FOLDER}/{found}.tex" in files:
        found, number = f"{name}-{number}", number + 1
    return found


def _printed(run: RunView) -> list[_Printed]:
    """Return the measures of all metrics side by side, then the grids and tables of metrics."""
    summary = summary_of(run)
    found = []
    for first in summary.first_tables:
        measures = measures_of(first, summary)
        notes = [note for each in measures for note in _notes(each.table)]
        methods = [
            method
            for each in measures
            for method in _methods(each.table, each.rows().values(), {each.measure.column})
        ]
        found.append(_Printed(first, legend(measures), _once(notes), _once(methods)))
    for table in run.tables:
        for grid in grids_of(table):
            methods = _methods(table, grid.rows, {grid.value})
            found.append(_Printed(grid.table, _brackets(table), _notes(table), _once(methods)))
        if table.headline or table.section:
            rows = [row for row in table.records() if matches(row, table.rows_shown)]
            shown = {column.name for column in table.columns} - {*table.fine}
            methods = _once(_methods(table, rows, shown))
            found.append(_Printed(table, _brackets(table), _notes(table), methods))
    return found


def _brackets(table: Table) -> str:
    """Return what the brackets of a table contain; "" if it has no interval."""
    if not any(column.role == "low" and column.of for column in table.columns):
        return ""
    cells: dict[str, set[Cell]] = {"confidence": set(), "unit": set()}
    for column in table.columns:
        if column.role in cells:
            cells[column.role] |= {row[column.name] for row in table.records()} - {None}
    levels = [f"{100 * cell:g}% " for cell in cells["confidence"] if isinstance(cell, float)]
    units = [f" over {one_line(str(cell), 40)}s" for cell in cells["unit"]]
    level, over = ("".join(each) if len(each) == 1 else "" for each in (levels, units))
    return f"The brackets contain {level}intervals{over}."


def _once(texts: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(texts))


def _notes(table: Table) -> Sequence[str]:
    return table.method or table.notes[:2]


def _methods(table: Table, rows: Iterable[Row], measured: set[str]) -> list[str]:
    """Return the methods of the intervals of the columns ``measured``, as the rows state them."""
    columns = [c.name for c in table.columns if c.role == "method" and c.of in {"", *measured}]
    return [one_line(str(row[name])) for row in rows for name in columns if row[name]]


def _charts(table: Table) -> list[tuple[str, Drawn, str]]:
    """Return the name, the chart and the PDF file of each chart of a table."""
    with collect_pdf() as files:
        charts = charts_of(table)
    pdf = iter(files)
    return [
        (f"{table.name}-{number}", drawn, next(pdf, ""))
        for number, drawn in enumerate(charts, 1)
        if drawn.svg
    ]


def caption_of(table: Table, run: RunView) -> str:
    """The title, the number of papers, the notes on method, and the digest of the run."""
    return _caption(table.title, _notes(table), run)


def _table_caption(view: TableView, printed: _Printed, run: RunView) -> str:
    """The caption of a table: how to read it, values that all rows share, what the brackets
    contain, methods of rows, and marks. The notes and definitions are in ``captions.md``."""
    parts = [view.reading, view.same, printed.brackets]
    if printed.methods:
        parts.append(f"Methods of the intervals in this table: {'; '.join(printed.methods)}.")
    parts += legends_of(conservative=view.conservative, short=view.short)
    if any(cell.value == EMPTY for row in view.rows for cell in row):
        parts.append(f'"{EMPTY}" means that there is no value.')
    return _caption(view.title, parts, run)


def _caption(title: str, notes: Iterable[str], run: RunView) -> str:
    papers = count_of(len(run.records.papers), "paper")
    repeats = run.records.repeats
    times = "once" if repeats == 1 else f"{repeats} times"
    parts = [one_line(title).rstrip(".") + ".", f"{papers} in the run; each text reviewed {times}."]
    parts += [one_line(note, _LONGEST_NOTE) for note in notes if note]
    parts.append(f"revkit {one_line(run.versions.get('revkit', ''), 40)}, run {run.digest[:16]}.")
    return " ".join(parts)


def standalone(svg: str) -> str:
    """An ``svg`` element of a page as a file of its format; colours have their light values."""
    return svg.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1) + "\n"


def latex(text: str) -> str:
    """``text`` for LaTeX: no character is read as a command."""
    return "".join(_LATEX.get(letter, letter) for letter in one_line(text, _LONGEST_CAPTION))


def latex_of(view: TableView, caption: str, name: str) -> str:
    """A table with its caption and the label ``name``, as a floating table of booktabs."""
    tabulars = [_tabular(view, part) for part in parts_of(view, _ROOM)]
    lines = [
        r"\begin{table}",
        r"\centering",
        r"\small",
        rf"\caption[{{{latex(view.title)}}}]{{\small {latex(caption)}}}",
        rf"\label{{tab:{name}}}",
        r"\setlength{\tabcolsep}{4pt}",
        "\n\n\\medskip\n".join(tabulars),
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def _tabular(view: TableView, part: TablePart) -> str:
    """Some columns of a table; cells of several lines have several rows."""
    header, rows = lines_of(view, part)
    layout = "".join("lr"[view.numbers[index]] for index in part.columns)
    drop = max(map(len, header))
    titles = [[*[""] * (drop - len(title)), *title] for title in header]
    body = [_rows(cells) for cells in rows]
    between = [r"\addlinespace"] if any(len(each) > 1 for each in body) else []
    lines = [rf"\begin{{tabular}}{{{layout}}}", r"\toprule", *_rows(titles), r"\midrule"]
    for number, each in enumerate(body):
        lines += [*(between if number else []), *each]
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"])


def _rows(cells: Sequence[Sequence[str]]) -> list[str]:
    """The lines of cells that are beside each other, as rows of LaTeX."""
    return [
        " & ".join(latex(line) for line in row) + r" \\"
        for row in itertools.zip_longest(*cells, fillvalue="")
    ]


def csv_of(view: TableView) -> str:
    """A table as CSV; the ends of an interval have columns. Cells that a spreadsheet would
    read as formulas begin with an apostrophe."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    header = []
    for title, measured in zip(view.columns, view.measured, strict=True):
        header += [title, f"{title}, low", f"{title}, high"] if measured else [title]
    writer.writerow(map(_safe, header))
    for row in view.rows:
        cells: list[str] = []
        for cell, measured in zip(row, view.measured, strict=True):
            cells += _cells(cell, measured)
        writer.writerow(map(_safe, cells))
    return file.getvalue()


def _cells(cell: CellView, measured: bool) -> list[str]:
    return [cell.value, cell.low, cell.high] if measured else [cell.value]


def _safe(text: str) -> str:
    number = text.replace(",", "").rstrip("%").lstrip("-").replace(".", "", 1).isdigit()
    return text if number else csv_cell(text)
