"""Write and read CSV files that are safe to open in a spreadsheet, even with untrusted text.

A cell of text that a spreadsheet would take for a formula, since it begins with ``=``, ``+``,
``-``, ``@``, a tab or a carriage return, gets an apostrophe in front, as one would type it there.
Numbers stay numbers. Control characters other than tabs and line ends, which a terminal would act
on, become their pictures in Unicode. The JSON Lines beside each such file hold the text itself.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from revkit.model.values import canonical_json

_SPECIAL = '"\n\r'
_FORMULA = re.compile(r"'*[=+\-@\t\r]")
_QUOTED = re.compile(r"'+[=+\-@\t\r]")
_PICTURES = {code: chr(0x2400 + code) for code in range(32) if code not in (9, 10, 13)}
_PICTURES |= {code: f"[U+{code:04X}]" for code in range(0x7F, 0xA0)}


def write_csv(path: Path, target: Path, columns: Sequence[str]) -> None:
    """Convert a JSON Lines file to CSV: only ``columns``, lists as JSON."""
    part = target.with_name(target.name + ".part")
    with (
        path.open(encoding="utf-8") as rows,
        part.open("w", encoding="utf-8", errors="backslashreplace", newline="") as out,
    ):
        out.write(csv_header(columns))
        for line in rows:
            out.write(csv_line(json.loads(line), columns))
    os.replace(part, target)


def csv_header(columns: Sequence[str]) -> str:
    """Return the first line of a file with ``columns``."""
    return _line([csv_cell(column) for column in columns])


def csv_line(row: Mapping[str, Any], columns: Sequence[str]) -> str:
    """Return the line of a JSON object in a file with ``columns``; what it lacks is empty. Lone
    surrogates are for the writer to escape.
    """
    cells = [
        "" if value is None or value == "" else csv_cell(value)  # most are empty
        for value in map(row.get, columns)
    ]
    return _line(cells)


def csv_cell(value: Any) -> str:
    """Return the text of a cell for a JSON value: "" for null, lists and objects as JSON."""
    if value is None:
        return ""
    if isinstance(value, str):
        return _text_cell(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | dict):
        return _visible(canonical_json(value)) if value else str(value)
    return str(value)


def _visible(text: str) -> str:
    return text if text.isprintable() else text.translate(_PICTURES)


def _text_cell(text: str) -> str:
    visible = _visible(text)
    if visible[:1].isalnum():
        return visible
    return "'" + visible if _FORMULA.match(visible) else visible


def text_in_cell(cell: str) -> str:
    """Return the text in a cell of such a file, without the apostrophe before a formula."""
    return cell[1:] if _QUOTED.match(cell) else cell


def _line(cells: Sequence[str]) -> str:
    """Return one line of RFC 4180 with a line feed; `csv.writer` does not quote a lone "\\r"."""
    line = ",".join(cells)
    if line.count(",") >= len(cells) or any(map(line.__contains__, _SPECIAL)):
        line = ",".join([_quoted(cell) for cell in cells])
    return line + "\n"


def _quoted(cell: str) -> str:
    if "," in cell or any(map(cell.__contains__, _SPECIAL)):
        return '"' + cell.replace('"', '""') + '"'
    return cell
