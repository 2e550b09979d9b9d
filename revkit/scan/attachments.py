"""Attachments: what a file that is attached to a PDF says, and whether it is data or a document."""

from __future__ import annotations

import bz2
import gzip
import lzma
import re
import zipfile
import zlib
from html import unescape
from io import BytesIO
from pathlib import PurePath

from revkit.dataclass import dataclass
from revkit.papers.prose import is_prose

_MOST_MEMBERS = 1_000
_HEAD = 65_536
_TOO_LARGE = f"more text than the scan reads, or more than {_MOST_MEMBERS:,} files"
_PACKED = (b"\x1f\x8b", b"BZh", b"\xfd7zXZ")
_DAMAGED = (
    *(OSError, EOFError, ValueError, RuntimeError, NotImplementedError, KeyError),
    *(zlib.error, lzma.LZMAError, zipfile.BadZipFile),
)
_UNKNOWN_SHARE = 0.02
_DATA = re.compile(
    r"\.(?:csv|tsv|dat|jsonl?|ndjson|geojson|xml|ya?ml|toml|ini|cfg|conf|arff|bib|bst|cls|sty|tex|py"
    r"|pyx|ipynb|r|rmd|m|jl|c|h|cc|cpp|cxx|hpp|cu|java|scala|kt|js|ts|go|rs|rb|pl|lua|hs|ml|f|f90"
    r"|sh|bash|bat|ps1|sql|mk|cmake|log|svg|gv|dot|proto|lock|diff|patch)",
    re.IGNORECASE,
)
_PRINTED = re.compile(rb"[\x20-\x7e\t\r\n]{6,}")
_WIDE = re.compile(rb"(?:[\x20-\x7e]\x00){6,}")
_MARKUP = re.compile(r"<[^<>]{0,2000}>")
_DOCUMENTS = ("word/", "ppt/", "content.xml", "META-INF/container.xml")


@dataclass(frozen=True, slots=True)
class Attached:
    """An attached file: the text in it, whether it is data or a program, and why some of it was not
    read ("" if all was).
    """

    says: str
    is_data: bool
    missing: str = ""


def read_attached(name: str, data: bytes, most: int) -> Attached:
    """Read the attached file ``name``: a text, an archive of texts, or the printed characters of
    another file, in all at most ``most`` bytes.

    It is data if its name ends as that of data or a program, or if its text is not prose; an
    archive is data unless it is a document, such as a Word file.
    """
    try:
        if zipfile.is_zipfile(BytesIO(data)):
            return _zipped(data, most)
        if data.startswith(_PACKED):
            return _packed(data, most)
    except _DAMAGED as error:
        return Attached(_printed(data[:most]), True, f"damaged or locked: {error}")
    if data.startswith((b"%PDF-", b"{\\rtf", b"\xd0\xcf\x11\xe0")):
        return Attached(_printed(data[:most]), False)
    says, is_text = _text(data[:most])
    missing = _TOO_LARGE if is_text and len(data) > most else ""
    is_data = _DATA.fullmatch(PurePath(name).suffix) is not None
    return Attached(says, is_data or not is_prose(says), missing)


def _text(data: bytes) -> tuple[str, bool]:
    """The text in ``data``, and whether all of it is text."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace"), True
    says = data.decode("utf-8", "replace")
    is_text = says.count("\ufffd") <= _UNKNOWN_SHARE * len(says) and "\0" not in says
    return (says, True) if is_text else (_printed(data), False)


def _printed(data: bytes) -> str:
    """The runs of printed characters in ``data``, as one byte or two bytes each."""
    runs = [match[0].decode("ascii") for match in _PRINTED.finditer(data)]
    runs += [match[0].decode("utf-16-le") for match in _WIDE.finditer(data)]
    return " ".join(runs)


def _zipped(data: bytes, most: int) -> Attached:
    with zipfile.ZipFile(BytesIO(data)) as archive:
        members = [each for each in archive.infolist() if not each.is_dir()]
        is_document = any(each.filename.startswith(_DOCUMENTS) for each in members)
        is_cut = len(members) > _MOST_MEMBERS
        parts, left = [each.filename for each in members[:_MOST_MEMBERS]], most
        for each in members[:_MOST_MEMBERS]:
            with archive.open(each) as file:
                says, is_text = _text(part := file.read(_HEAD))
                if is_text and len(part) == _HEAD:
                    says += _text(file.read(max(0, left)))[0]
            left -= len(says)
            parts.append(says)
            if left < 0:
                is_cut = True
                break
    says = "\n".join(parts)
    plain = unescape(_MARKUP.sub(" ", says)) if is_document else says
    return Attached(plain, not is_document, _TOO_LARGE if is_cut else "")


def _packed(data: bytes, most: int) -> Attached:
    module = gzip if data[:1] == b"\x1f" else bz2 if data[:1] == b"B" else lzma
    with module.open(BytesIO(data)) as file:
        says, is_text = _text(part := file.read(most + 1))
    return Attached(says, True, _TOO_LARGE if is_text and len(part) > most else "")
