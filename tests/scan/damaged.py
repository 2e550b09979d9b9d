"""A real paper as a PDF with one damaged page."""

from __future__ import annotations

import re
from pathlib import Path

from tests.documents.pdf_files import real

_PAGE = re.compile(rb"/Type\s*/Page\b")


def damaged_paper(path: Path, page: int, source: bytes | None = None) -> None:
    """Write ``source`` (a paper of ten pages) with the dictionary of page ``page`` overwritten by
    zeros, as a bad sector of a disk does. Skips the test where the paper is not there.
    """
    data = bytearray(source or real("P14-1059.pdf").read_bytes())
    at = [each.start() for each in _PAGE.finditer(data)][page - 1]
    start = data.rindex(b" obj", 0, at) + 4
    end = data.index(b"endobj", at)
    data[start:end] = bytes(end - start)
    path.write_bytes(data)
