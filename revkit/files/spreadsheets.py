"""Read rows of a spreadsheet (.xlsx) or of comma-separated values (.csv)."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator, Mapping

from revkit.errors import RunError
from revkit.files.csv_tables import csv_rows, named_twice
from revkit.files.file_reader import Unreadable, decoded, read_bytes
from revkit.files.folders import CorpusFile

_MOST_COLUMNS = 2_000
# A sheet may unpack to this many times its size; more is an attack, not a table.
_MOST_PACKED = 200
# Excel writes "_x000D_" for a character that XML cannot contain, and "_x005F_" for its "_".
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")


def cell_text(raw: str) -> tuple[str, int]:
    """Return a cell's text without the escapes of Excel, and the number of escapes."""
    if "_x" not in raw:
        return raw, 0
    return _ESCAPED.subn(lambda match: chr(int(match[1], 16)), raw)


def rows_of(file: CorpusFile, max_bytes: int) -> Iterator[tuple[int, Mapping[str, object]]]:
    """Yield (row number as a spreadsheet shows it, cells by column name) of the first sheet.

    Raises `Unreadable` for a file that is not a table, or whose columns lack names or share one.
    """
    data = read_bytes(file.path, max_bytes)
    rows = _xlsx(data) if file.name.casefold().endswith(".xlsx") else _csv(data)
    header: list[str] | None = None
    for number, cells in enumerate(rows, start=1):
        if header is None:
            header = ["" if cell is None else str(cell).strip() for cell in cells]
            names = [name for name in header if name]
            if not names:
                raise Unreadable("the first row names no columns")
            if twice := named_twice(names):
                raise Unreadable(f"first row: {twice}")
            continue
        if any(cell is not None and str(cell).strip() for cell in cells):
            yield number, {n: c for n, c in zip(header, cells, strict=False) if n}
    if header is None:
        raise Unreadable("has no row")


def _xlsx(data: bytes) -> Iterator[tuple[object, ...]]:
    try:
        import openpyxl
    except ImportError:
        raise RunError(
            "reading .xlsx needs openpyxl; install it with: pip install 'revkit[yescieval]'"
        ) from None
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            unpacked = sum(member.file_size for member in archive.infolist())
        if unpacked > _MOST_PACKED * max(len(data), 10_000):
            raise Unreadable("is too large when unpacked")
        book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True)
    except Unreadable:
        raise
    except Exception as error:  # the library raises many errors on damaged files
        raise Unreadable(f"not a readable .xlsx ({type(error).__name__})") from None
    try:
        yield from book.worksheets[0].iter_rows(values_only=True, max_col=_MOST_COLUMNS)
    except Exception as error:
        raise Unreadable(f"damaged .xlsx ({type(error).__name__})") from None
    finally:
        book.close()


def _csv(data: bytes) -> Iterator[tuple[object, ...]]:
    for _, cells in csv_rows(decoded(data).removeprefix("\ufeff")):
        yield tuple(cell if cell != "" else None for cell in cells)
