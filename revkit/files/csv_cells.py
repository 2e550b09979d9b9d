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
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from revkit.model.values import canonical_json

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
        out.write(_line([csv_cell(column) for column in columns]))
        for line in rows:
            row = json.loads(line)
            out.write(_line([csv_cell(row.get(column)) for column in columns]))
    os.replace(part, target)


def csv_cell(value: Any) -> str:
    """Return the text of a cell for a JSON value: "" for null, lists and objects as JSON."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | dict):
        return canonical_json(value).translate(_PICTURES)
    return _text_cell(value) if isinstance(value, str) else str(value)


def _text_cell(text: str) -> str:
    visible = text.translate(_PICTURES)
    return "'" + visible if _FORMULA.match(visible) else visible


def text_in_cell(cell: str) -> str:
    """Return the text in a cell of such a file, without the apostrophe before a formula."""
    return cell[1:] if _QUOTED.match(cell) else cell


def _line(cells: Sequence[str]) -> str:
    """Return one line of RFC 4180 with a line feed; `csv.writer` does not quote a lone "\\r"."""
    quoted = (
        '"' + cell.replace('"', '""') + '"' if any(c in cell for c in ',\r\n"') else cell
        for cell in cells
    )
    return ",".join(quoted) + "\n"
