"""PDF: pages with selectable text in DejaVu Sans or Serif, written with ReportLab."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from revkit.dataclass import dataclass
from revkit_external.rendering.elements import Element, Run, plain
from revkit_external.rendering.layouts import USUAL, PageLayout

_FACES = {
    "revkit-sans": "DejaVuSans.ttf",
    "revkit-sans-bold": "DejaVuSans-Bold.ttf",
    "revkit-sans-italic": "DejaVuSans-Oblique.ttf",
    "revkit-sans-bold-italic": "DejaVuSans-BoldOblique.ttf",
    "revkit-mono": "DejaVuSansMono.ttf",
    "revkit-serif": "DejaVuSerif.ttf",
    "revkit-serif-bold": "DejaVuSerif-Bold.ttf",
    "revkit-serif-italic": "DejaVuSerif-Italic.ttf",
    "revkit-serif-bold-italic": "DejaVuSerif-BoldItalic.ttf",
}
_GAP = 18.0  # points between two columns


def write_pdf(parts: Sequence[Element], path: Path, layout: PageLayout = USUAL) -> list[str]:
    """Write the pages; the notes list characters without a glyph and tables printed as lines."""
    from reportlab.platypus.doctemplate import LayoutError

    known = _fonts()[layout.serif]
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
        _build(parts, path, _Styles(layout), tables=True)
    except LayoutError:
        _build(parts, path, _Styles(layout), tables=False)
        notes.append("tables printed as lines, because one does not fit on a page")
    return notes


def _characters(part: Element) -> str:
    return part.text + "".join(plain(cell) for row in part.rows for cell in row)


@cache
def _fonts() -> tuple[frozenset[int], frozenset[int]]:
    """Register the fonts that matplotlib includes, and return the characters that the font without
    and the font with serifs contain.
    """
    import matplotlib
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont

    folder = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
    for name, file in _FACES.items():
        pdfmetrics.registerFont(TTFont(name, str(folder / file)))
    found = []
    for family in ("revkit-sans", "revkit-serif"):
        faces = [name for name in _FACES if name.startswith(family)]
        pdfmetrics.registerFontFamily(family, *faces)
        found.append(frozenset(pdfmetrics.getFont(family).face.charToGlyph))
    return found[0], found[1]


def _build(parts: Sequence[Element], path: Path, styles: _Styles, *, tables: bool) -> None:
    document = _document(path, styles.layout)
    columns = styles.layout.columns
    width = (document.width - _GAP * (columns - 1)) / columns
    story: list[Any] = []
    for part in parts:
        story += _flowables(part, width, styles, tables=tables)
    empty = Element("paragraph", (Run(" "),))
    document.build(story or _flowables(empty, 0.0, styles, tables=False))


def _document(path: Path, layout: PageLayout) -> Any:
    from reportlab.lib.pagesizes import A4, LETTER
    from reportlab.platypus import BaseDocTemplate, Frame, PageTemplate, SimpleDocTemplate

    kind = SimpleDocTemplate if layout.columns == 1 else BaseDocTemplate
    size = LETTER if layout.letter else A4
    document = kind(
        str(path), pagesize=size, invariant=1, title="", author="", subject="", creator=""
    )
    if layout.columns > 1:
        width = (document.width - _GAP * (layout.columns - 1)) / layout.columns
        frames = [
            Frame(
                document.leftMargin + number * (width + _GAP),
                document.bottomMargin,
                width,
                document.height,
                leftPadding=0,
                rightPadding=0,
            )
            for number in range(layout.columns)
        ]
        document.addPageTemplates(PageTemplate(frames=frames))
    return document


def _flowables(part: Element, width: float, styles: _Styles, *, tables: bool) -> list[Any]:
    from reportlab.platypus import Paragraph, Spacer

    if part.kind == "table" and tables:
        return [_table(part, width, styles), Spacer(0, 8)]
    if part.kind == "table":
        lines = [" | ".join(plain(cell) for cell in row) for row in part.rows]
        return [Paragraph(escape(line), styles.style(8.0)) for line in lines]
    if part.kind == "heading":
        size = max(10.0, 17.0 - 2.0 * part.level)
        return [
            Paragraph(f"<b>{_markup(part.runs)}</b>", styles.style(size, before=8.0, keep=True))
        ]
    if part.kind == "code":
        return [
            Paragraph(
                "<br/>".join(escape(line).replace(" ", "\u00a0") for line in part.text.split("\n")),
                styles.style(8.0, font="revkit-mono"),
            )
        ]
    if part.kind == "item":
        style = styles.style(10.0, left=14.0 * part.level)
        return [Paragraph(_markup(part.runs), style, bulletText=part.marker or None)]
    left = 18.0 if part.kind in ("quote", "math") else 0.0
    return [Paragraph(_markup(part.runs), styles.style(10.0, left=left))]


@dataclass(frozen=True)
class _Styles:
    """The styles of paragraphs in one layout; sizes are those of the usual layout."""

    layout: PageLayout

    def style(
        self,
        size: float,
        *,
        font: str = "",
        left: float = 0.0,
        before: float = 0.0,
        keep: bool = False,
    ) -> Any:
        from reportlab.lib.styles import ParagraphStyle

        font = font or ("revkit-serif" if self.layout.serif else "revkit-sans")
        size *= self.layout.scale
        return ParagraphStyle(
            f"{font}-{size}-{left}",
            fontName=font,
            bulletFontName=font,
            fontSize=size,
            leading=size * self.layout.line_height,
            leftIndent=left,
            bulletIndent=max(0.0, left - 12.0),
            spaceBefore=before,
            spaceAfter=5.0,
            keepWithNext=keep,
            splitLongWords=True,
        )


def _table(part: Element, width: float, styles: _Styles) -> Any:
    from reportlab.lib import colors
    from reportlab.platypus import LongTable, Paragraph, TableStyle

    count = max((len(row) for row in part.rows), default=1)
    style = styles.style(8.0)
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
