"""Word: a document with real headings, lists and tables, written with python-docx."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from revkit_external.rendering.elements import Element, Run
from revkit_external.rendering.layouts import USUAL, PageLayout

# What XML cannot hold.
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_LONG_AGO = (1980, 1, 1, 0, 0, 0)


def write_docx(parts: Sequence[Element], path: Path, layout: PageLayout = USUAL) -> list[str]:
    """Write the document; the notes list characters that a Word file cannot contain."""
    import docx

    document = docx.Document()
    properties = document.core_properties
    properties.author = properties.comments = properties.last_modified_by = ""
    properties.created = properties.modified = datetime(2000, 1, 1)
    if layout != USUAL:
        _lay_out(document, layout)
    removed = 0
    for part in parts:
        removed += _add(document, part)
    buffer = io.BytesIO()
    document.save(buffer)
    _without_clock(buffer, path)
    return [f"{removed} control characters removed"] if removed else []


def _lay_out(document: Any, layout: PageLayout) -> None:
    """Set the columns, the font and the line height; the usual layout is the one of the library."""
    from docx.oxml import OxmlElement
    from docx.oxml.ns import qn
    from docx.shared import Pt

    normal = document.styles["Normal"]
    normal.font.size = Pt(layout.size)
    normal.font.name = "Times New Roman" if layout.serif else "Arial"
    normal.paragraph_format.line_spacing = layout.line_height
    properties = document.sections[0]._sectPr
    columns = properties.find(qn("w:cols"))
    if columns is None:
        columns = OxmlElement("w:cols")
        properties.append(columns)
    columns.set(qn("w:num"), str(layout.columns))


def _add(document: Any, part: Element) -> int:
    if part.kind == "table":
        return _table(document, part)
    if part.kind == "heading":
        paragraph = document.add_heading(level=min(part.level, 9))
    elif part.kind == "item":
        style = "List Bullet" if part.marker == "\u2022" else "List Paragraph"
        level = "" if part.level < 2 or style == "List Paragraph" else f" {min(part.level, 3)}"
        paragraph = document.add_paragraph(style=style + level)
        if part.marker and part.marker != "\u2022":
            paragraph.add_run(f"{part.marker} ")
    elif part.kind == "quote":
        paragraph = document.add_paragraph(style="Quote")
    else:
        paragraph = document.add_paragraph()
    return _fill(paragraph, part.runs, monospaced=part.kind == "code")


def _table(document: Any, part: Element) -> int:
    width = max((len(row) for row in part.rows), default=1)
    table = document.add_table(rows=len(part.rows), cols=width, style="Table Grid")
    removed = 0
    for row, cells in zip(table.rows, part.rows, strict=True):
        for cell, runs in zip(row.cells, cells, strict=False):
            removed += _fill(cell.paragraphs[0], runs)
    return removed


def _fill(paragraph: Any, runs: Sequence[Run], *, monospaced: bool = False) -> int:
    removed = 0
    for run in runs:
        text = f"${run.text}$" if run.style == "math" else run.text
        kept = _FORBIDDEN.sub("", text)
        removed += len(text) - len(kept)
        made = paragraph.add_run(kept)
        made.bold = run.bold or None
        made.italic = run.italic or None
        if monospaced or run.style == "code":
            made.font.name = "Courier New"
    return removed


def _without_clock(buffer: io.BytesIO, path: Path) -> None:
    """Write the archive again with one fixed time, so that a paper always gives the same bytes."""
    with zipfile.ZipFile(buffer) as old, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as new:
        for name in sorted(old.namelist(), key=lambda each: (each != "[Content_Types].xml", each)):
            new.writestr(zipfile.ZipInfo(name, _LONG_AGO), old.read(name), zipfile.ZIP_DEFLATED)
