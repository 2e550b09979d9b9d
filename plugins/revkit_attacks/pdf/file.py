"""Attacked files: a PDF with one planted text, and what was read back from the file made."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from io import BytesIO
from typing import TYPE_CHECKING

from revkit.dataclass import dataclass
from revkit.errors import RunError
from revkit_attacks.marks import KEY, LINE, VALUE
from revkit_attacks.pdf.channels import SIDE_CHANNELS
from revkit_attacks.pdf.in_page import IN_PAGE, Write, visible
from revkit_attacks.pdf.overrides import OVERRIDES
from revkit_attacks.pdf.pages import (
    Spot,
    add_content,
    add_standard_font,
    codes_of,
    page_size,
    text_operators,
)
from revkit_attacks.pdf.spots import Position, spot_of

if TYPE_CHECKING:
    from pypdf import PdfWriter

PDF_HIDES: Mapping[str, Write] = {"visible": visible, **IN_PAGE, **OVERRIDES, **SIDE_CHANNELS}
"""All ways in which a text is put into a PDF, by name."""
FAMILIES: Mapping[str, str] = {
    "visible": "visible",
    **dict.fromkeys(IN_PAGE, "in-page"),
    **dict.fromkeys(OVERRIDES, "override"),
    **dict.fromkeys(SIDE_CHANNELS, "side-channel"),
}
"""The family of each: visible, in-page, override or side-channel."""


@dataclass(frozen=True)
class Placement:
    """Where the planted text is in the file, as read back from it: page (from 1) and box in
    points (left, bottom, right, top); ``inside`` is whether the box is in the visible page."""

    page: int
    box: tuple[float, float, float, float]
    inside: bool


@dataclass(frozen=True)
class AttackedPdf:
    """A file with one planted text: its bytes, the planted truth, and what was read back.

    ``placement`` is None where no extractor returns the text with a place (side channels).
    ``returned_by`` states for each extractor whether the planted text is in what it returns.
    """

    data: bytes
    hide: str
    position: Position
    text: str
    placement: Placement | None
    returned_by: Mapping[str, bool]


def need_libraries() -> None:
    """Raise `RunError` with the remedy where a library that writes PDF files is missing."""
    missing = [name for name in ("pypdf", "pypdfium2", "reportlab") if find_spec(name) is None]
    if missing:
        raise RunError(
            f"attacks on PDF files need {', '.join(missing)}: pip install 'revkit[attacks]'"
        )


def attack_pdf(source: bytes, hide: str, text: str, position: Position = "end") -> AttackedPdf:
    """Plant ``text`` in the PDF ``source`` by the technique ``hide``, and read the file again.

    The file carries the visible line and the metadata mark of `revkit_attacks.marks`. The same
    arguments give the same bytes. Raises `KeyError` for an unknown technique, `RunError` where a
    library is missing, and `ValueError` where ``source`` cannot be changed or has no such
    position.
    """
    need_libraries()
    write = PDF_HIDES[hide]
    writer = opened(source)
    write(writer, spot_of(source, writer, position), text)
    mark(writer)
    data = BytesIO()
    writer.write(data)
    made = data.getvalue()
    return AttackedPdf(
        made, hide, position, text, placement_of(made, text), returned_by(made, text)
    )


def marked_pdf(source: bytes) -> bytes:
    """Return the PDF ``source`` with the visible line and the mark of a test file alone."""
    need_libraries()
    writer = opened(source)
    mark(writer)
    data = BytesIO()
    writer.write(data)
    return data.getvalue()


def opened(source: bytes) -> PdfWriter:
    """Return a writer with the pages of ``source``. Raises `ValueError` where it cannot be read."""
    from pypdf import PdfWriter
    from pypdf.errors import PyPdfError

    try:
        writer = PdfWriter(clone_from=BytesIO(source))
        if not writer.pages:
            raise ValueError("the PDF has no page")
    except (PyPdfError, KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"the PDF cannot be changed: {error}") from None
    return writer


def mark(writer: PdfWriter) -> None:
    """Add the visible line and the metadata mark of a test file."""
    page = writer.pages[0]
    left, _, _, top = page_size(page)
    add_standard_font(writer, page, "/RevkitMark")
    spot = Spot(0, left + 60, top - 14)
    line = [codes_of(LINE)]
    add_content(writer, page, text_operators(spot, line, "/RevkitMark", size=7, before="0 g"))
    writer.add_metadata({KEY: VALUE})


def folded(text: str) -> str:
    """Letters and digits of ``text`` alone: extractors differ in blanks and line ends."""
    return "".join(sign for sign in text.casefold() if sign.isalnum())


def pypdf_text(data: bytes) -> str:
    """What pypdf returns of all pages."""
    from pypdf import PdfReader

    return "\n".join(page.extract_text() for page in PdfReader(BytesIO(data)).pages)


def pdfium_text(data: bytes) -> str:
    """What PDFium returns of all pages."""
    import pypdfium2

    document = pypdfium2.PdfDocument(data)
    try:
        pages = (page.get_textpage().get_text_range(errors="replace") for page in document)
        return "\n".join(pages)
    finally:
        document.close()


def returned_by(data: bytes, text: str) -> dict[str, bool]:
    """For each extractor, whether ``text`` is in what it returns of the file ``data``."""
    said = folded(text)
    return {
        "pypdf": said in folded(pypdf_text(data)),
        "pdfium": said in folded(pdfium_text(data)),
    }


def placement_of(data: bytes, text: str) -> Placement | None:
    """Where PDFium finds ``text`` in the file: the first page that holds all of it."""
    import pypdfium2

    document = pypdfium2.PdfDocument(data)
    try:
        for number in range(len(document)):
            page = document[number]
            box = _box_of(page.get_textpage(), folded(text))
            if box is not None:
                left, bottom, right, top = page.get_cropbox()
                inside = left <= box[0] and bottom <= box[1] and box[2] <= right and box[3] <= top
                return Placement(number + 1, box, inside)
        return None
    finally:
        document.close()


def _box_of(page: object, said: str) -> tuple[float, float, float, float] | None:
    import pypdfium2.raw as raw

    handle = page.raw  # type: ignore[attr-defined]
    signs: list[tuple[str, int]] = []
    for index in range(raw.FPDFText_CountChars(handle)):
        code = raw.FPDFText_GetUnicode(handle, index)
        if 0x20 < code < 0xD800:
            signs += [(sign, index) for sign in chr(code).casefold() if sign.isalnum()]
    start = "".join(sign for sign, _ in signs).find(said)
    if start < 0 or not said:
        return None
    boxes = [page.get_charbox(index) for _, index in signs[start : start + len(said)]]  # type: ignore[attr-defined]
    return (
        round(min(box[0] for box in boxes), 2),
        round(min(box[1] for box in boxes), 2),
        round(max(box[2] for box in boxes), 2),
        round(max(box[3] for box in boxes), 2),
    )
