"""Figures and tables for a paper: SVG, LaTeX and CSV files with captions."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from typing import ClassVar

from revkit.contracts import Reporter, RunView
from revkit.dataclass import dataclass
from revkit.files import csv_cell
from revkit.model.table import Table
from revkit_reports.chart_data import Drawn
from revkit_reports.charts import charts_of
from revkit_reports.headline import CellView, TableView, view_of
from revkit_reports.plot_style import collect_pdf
from revkit_reports.visible import one_line

FOLDER = "paper"
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
}


@dataclass(frozen=True)
class PaperFiles(Reporter):
    """The folder ``paper``: headline tables as LaTeX (booktabs) and CSV, charts as SVG and PDF.

    ``captions.md`` has a caption for each: title, what it is based on, unit, intervals and the
    digest of the run. A table needs ``\\usepackage{booktabs}``, its caption is in the same file.
    """

    name: ClassVar[str] = "paper"
    version: ClassVar[str] = "4"

    def render(self, run: RunView) -> Mapping[str, str]:
        files: dict[str, str] = {}
        captions = [f"# Captions of {one_line(run.name, 120)}", ""]
        for table in run.tables:
            caption = caption_of(table, run)
            if table.headline or table.section:
                view = view_of(table)
                files[f"{FOLDER}/{table.name}.tex"] = latex_of(view, caption)
                files[f"{FOLDER}/{table.name}.csv"] = csv_of(view)
                captions += [f"- `{table.name}.tex`: {caption}"]
            for name, drawn, pdf in _charts(table):
                parts = {"svg": standalone(drawn.svg), "pdf": pdf}
                for ending, text in parts.items():
                    if text:
                        files[f"{FOLDER}/{name}.{ending}"] = text
                        captions += [f"- `{name}.{ending}`: {one_line(drawn.title)}. {caption}"]
        files[f"{FOLDER}/captions.md"] = "\n".join(captions) + "\n"
        return files


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
    notes = table.method or table.notes[:2]
    parts = [one_line(table.title).rstrip(".") + "."]
    parts.append(f"{len(run.records.papers):,} papers, {run.records.repeats} review(s) of a text.")
    parts += [one_line(note, 600) for note in notes]
    parts.append(f"revkit {one_line(run.versions.get('revkit', ''), 40)}, run {run.digest[:16]}.")
    return " ".join(parts)


def standalone(svg: str) -> str:
    """An ``svg`` element of a page as a file of its format; colours have their light values."""
    return svg.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1) + "\n"


def latex(text: str) -> str:
    """``text`` for LaTeX: no character is read as a command."""
    return "".join(_LATEX.get(letter, letter) for letter in one_line(text, 600))


def latex_of(view: TableView, caption: str) -> str:
    """A headline table with its caption, as a floating table of booktabs."""
    layout = "".join("lr"[number] for number in view.numbers)
    lines = [
        r"\begin{table}",
        rf"\caption{{{latex(caption)}}}",
        rf"\label{{tab:{view.name}}}",
        r"\centering",
        rf"\begin{{tabular}}{{{layout}}}",
        r"\toprule",
        " & ".join(map(latex, view.columns)) + r" \\",
        r"\midrule",
        *(" & ".join(latex(cell.inline) for cell in row) + r" \\" for row in view.rows),
        r"\bottomrule",
        r"\end{tabular}",
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def csv_of(view: TableView) -> str:
    """A headline table as CSV; the ends of an interval have columns. Cells that a spreadsheet would
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
