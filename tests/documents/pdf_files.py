"""PDF files for tests: real ones where they are present, and made ones, bad ones among them."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from pathlib import Path

import pytest

PDFS = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "pdfs"


def real(name: str) -> Path:
    path = PDFS / name
    if not path.is_file():
        pytest.skip("../shared/data is not present")
    return path


def write_pdf(path: Path, content: bytes, pages: int = 1, *, packed: bytes | None = None) -> Path:
    """A PDF of ``pages`` pages with one content stream (``packed`` is it, compressed)."""
    body = zlib.compress(content) if packed is None else packed
    kids = " ".join(f"{number} 0 R" for number in range(6, 6 + pages))
    page = (
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 5 0 R"
        b"/Resources<</Font<</F 3 0 R/B 4 0 R>>>>>>"
    )
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        f"<</Type/Pages/Kids[{kids}]/Count {pages}>>".encode(),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica-Bold>>",
        b"<</Length %d/Filter/FlateDecode>>stream\n%s\nendstream" % (len(body), body),
        *[page] * pages,
    ]
    out, offsets = b"%PDF-1.4\n", []
    for number, each in enumerate(objects, 1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, each)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    size = len(objects) + 1
    out += b"xref\n0 %d\n0000000000 65535 f \n%s" % (size, table)
    out += b"trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % (size, out.index(b"xref\n"))
    path.write_bytes(out)
    return path


def show(text: str, x: float, y: float, size: float = 10, font: str = "F", before: str = "") -> str:
    """Operators that show a line of text."""
    safe = text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
    return f"q {before} BT /{font} {size} Tf {x} {y} Td ({safe}) Tj ET Q\n"


def column(lines: Sequence[str], x: float, top: float, leading: float = 12) -> str:
    """Operators that show lines below one another."""
    return "".join(show(line, x, top - number * leading) for number, line in enumerate(lines))
