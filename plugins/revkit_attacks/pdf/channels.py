"""Side channels: text in a file beside its pages, which some programs give to a model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from revkit_attacks.pdf.in_page import Write
from revkit_attacks.pdf.pages import Spot, add_dictionary, add_stream, dictionary

if TYPE_CHECKING:
    from pypdf import PdfWriter
    from pypdf.generic import IndirectObject, PdfObject

_HIDDEN = 2


def _add_annotation(writer: PdfWriter, spot: Spot, annotation: IndirectObject) -> None:
    from pypdf.generic import ArrayObject, NameObject

    page = writer.pages[spot.page]
    old = page.get("/Annots")
    page[NameObject("/Annots")] = ArrayObject([*(old.get_object() if old else ()), annotation])


def _rectangle(spot: Spot) -> list[float]:
    return [spot.x, spot.y, spot.x + 20, spot.y + 12]


def _annotation(writer: PdfWriter, spot: Spot, text: str) -> None:
    from pypdf.generic import ArrayObject, FloatObject, NameObject, NumberObject, TextStringObject

    entries: dict[str, PdfObject] = {
        "/Type": NameObject("/Annot"),
        "/Subtype": NameObject("/Text"),
        "/Rect": ArrayObject([FloatObject(each) for each in _rectangle(spot)]),
        "/Contents": TextStringObject(text),
        "/F": NumberObject(_HIDDEN),
    }
    _add_annotation(writer, spot, add_dictionary(writer, entries))


def _form_value(writer: PdfWriter, spot: Spot, text: str) -> None:
    from pypdf.generic import ArrayObject, FloatObject, NameObject, NumberObject, TextStringObject

    entries: dict[str, PdfObject] = {
        "/Type": NameObject("/Annot"),
        "/Subtype": NameObject("/Widget"),
        "/FT": NameObject("/Tx"),
        "/T": TextStringObject("notes"),
        "/V": TextStringObject(text),
        "/Rect": ArrayObject([FloatObject(each) for each in _rectangle(spot)]),
        "/F": NumberObject(_HIDDEN),
    }
    field = add_dictionary(writer, entries)
    _add_annotation(writer, spot, field)
    writer.root_object[NameObject("/AcroForm")] = dictionary({"/Fields": ArrayObject([field])})


def _information(writer: PdfWriter, _: Spot, text: str) -> None:
    writer.add_metadata({"/Subject": text})


def _xmp(writer: PdfWriter, _: Spot, text: str) -> None:
    from html import escape

    from pypdf.generic import NameObject

    packet = (
        '<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">'
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description '
        'rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:description><rdf:Alt>'
        f'<rdf:li xml:lang="x-default">{escape(text)}</rdf:li></rdf:Alt></dc:description>'
        '</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>'
    )
    entries = {"/Type": NameObject("/Metadata"), "/Subtype": NameObject("/XML")}
    reference = add_stream(writer, packet.encode("utf-8"), entries)
    writer.root_object[NameObject("/Metadata")] = reference


def _outline(writer: PdfWriter, spot: Spot, text: str) -> None:
    writer.add_outline_item(title=text, page_number=spot.page)


def _alternative_text(writer: PdfWriter, spot: Spot, text: str) -> None:
    from pypdf.generic import NameObject, TextStringObject

    element = add_dictionary(
        writer,
        {
            "/Type": NameObject("/StructElem"),
            "/S": NameObject("/Figure"),
            "/Alt": TextStringObject(text),
            "/Pg": _reference(writer, spot.page),
        },
    )
    root = dictionary({"/Type": NameObject("/StructTreeRoot"), "/K": element})
    writer.root_object[NameObject("/StructTreeRoot")] = root


def _reference(writer: PdfWriter, number: int) -> IndirectObject:
    reference = writer.pages[number].indirect_reference
    assert reference is not None
    return reference


def _attachment(writer: PdfWriter, _: Spot, text: str) -> None:
    writer.add_attachment("notes.txt", text.encode("utf-8"))


SIDE_CHANNELS: dict[str, Write] = {
    "annotation": _annotation,
    "form-value": _form_value,
    "information": _information,
    "xmp": _xmp,
    "outline": _outline,
    "alternative-text": _alternative_text,
    "attachment": _attachment,
}
"""The side channels by their names."""
