"""PDF: pages with selectable text in DejaVu Sans, written with ReportLab."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from revkit_external.rendering.elements import Element, Run, plain

_FACES = {
    "revkit-sans": "DejaVuSans.ttf",
    "revkit-sans-bold": "DejaVuSans-Bold.ttf",
    "revkit-sans-italic": "DejaVuSans-Oblique.ttf",
    "revkit-sans-bold-italic": "DejaVuSans-BoldOblique.ttf",
    "revkit-mono": "DejaVuSansMono.ttf",
}


def write_pdf(parts: Sequence[Element], path: Path) -> list[str]:
    """Write the pages; the notes list characters without a glyph and tables printed as lines."""
    from reportlab.platypus.doctemplate import LayoutError

    known = _fonts()
    notes = []
    absent = {
        character
        for part in parts
        for character in _characters(part)
        if ord(character) not in known and not character.isspace()
    }
    if absent:
        listed = "".join(sorted(absent))[:20]
        notes.append(f"{len(absent)} different characters have no glyph in the font: {listed}")
    try:
        _build(parts, path, tables=True)
    except LayoutError:
        _build(parts, path, tables=False)
        notes.append("tables printed as lines, because one does not fit on a page")
    return notes


def _characters(part: Element) -> str:
    return part.text + "".join(plain(cell) for row in part.rows for cell in row)


@cache
def _fonts() -> frozenset[int]:
    """Register the fonts that matplotlib includes, and return the characters that they contain."""
    import matplotlib
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont

    folder = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
    for name, file in _FACES.items():
        pdfmetrics.registerFont(TTFont(name, str(folder / file)))
    pdfmetrics.registerFontFamily("revkit-sans", *list(_FACES)[:4])
    return frozenset(pdfmetrics.getFont("revkit-sans").face.charToGlyph)


def _build(parts: Sequence[Element], path: Path, *, tables: bool) -> None:
    from reportlab.lib.pagesizes import A4
    from reportlab.platypus import SimpleDocTemplate

    document = SimpleDocTemplate(
        str(path), pagesize=A4, invariant=1, title="", author="", subject="", creator=""
    )
    story: list[Any] = []
    for part in parts:
        story += _flowables(part, document.width, tables=tables)
    document.build(story or _flowables(Element("paragraph", (Run(" "),)), 0.0, tables=False))


def _flowables(part: Element, width: float, *, tables: bool) -> list[Any]:
    from reportlab.platypus import Paragraph, Spacer

    if part.kind == "table" and tables:
        return [_table(part, width), Spacer(0, 8)]
    if part.kind == "table":
        lines = [" | ".join(plain(cell) for cell in row) for row in part.rows]
        return [Paragraph(escape(line), _style(8.0)) for line in lines]
    if part.kind == "heading":
        size = max(10.0, 17.0 - 2.0 * part.level)
        return [Paragraph(f"<b>{_markup(part.runs)}</b>", _style(size, before=8.0, keep=True))]
    if part.kind == "code":
        return [
            Paragraph(
                "<br/>".join(escape(line).replace(" ", "\u00a0") for line in part.text.split("\n")),
                _style(8.0, font="revkit-mono"),
            )
        ]
    if part.kind == "item":
        style = _style(10.0, left=14.0 * part.level)
        return [Paragraph(_markup(part.runs), style, bulletText=part.marker or None)]
    left = 18.0 if part.kind in ("quote", "math") else 0.0
    return [Paragraph(_markup(part.runs), _style(10.0, left=left))]


def _style(
    size: float,
    *,
    font: str = "revkit-sans",
    left: float = 0.0,
    before: float = 0.0,
    keep: bool = False,
) -> Any:
    from reportlab.lib.styles import ParagraphStyle

    return ParagraphStyle(
        f"{font}-{size}-{left}",
        fontName=font,
        bulletFontName=font,
        fontSize=size,
        leading=size * 1.3,
        leftIndent=left,
        bulletIndent=max(0.0, left - 12.0),
        spaceBefore=before,
        spaceAfter=5.0,
        keepWithNext=keep,
        splitLongWords=True,
    )


def _table(part: Element, width: float) -> Any:
    from reportlab.lib import colors
    from reportlab.platypus import LongTable, Paragraph, TableStyle

    count = max((len(row) for row in part.rows), default=1)
    style = _style(8.0)
    cells = [
        [Paragraph(_markup(runs), style) for runs in row]
        + [Paragraph("", style)] * (count - len(row))
        for row in part.rows
    ]
    table = LongTable(
        cells, colWidths=[width / count] * count, repeatRows=1 if len(cells) > 1 else 0
    )
    table.setStyle(TableStyle([("GRID", (0, 0), (-1, -1), 0.25, colors.grey)]))
    return table


def _markup(runs: Sequence[Run]) -> str:
    text = []
    for run in runs:
        inner = escape(f"${run.text}$" if run.style == "math" else run.text).replace("\n", "<br/>")
        if run.style == "code":
            inner = f'<font face="revkit-mono">{inner}</font>'
        if run.bold:
            inner = f"<b>{inner}</b>"
        text.append(f"<i>{inner}</i>" if run.italic else inner)
    return "".join(text)
