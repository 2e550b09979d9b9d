"""Texts of a sheet, repaired for a paper, with a note for each kind of repair."""

from __future__ import annotations

import re

from revkit.model.intake import clean_text

# Excel writes "_x000D_" for a character that XML cannot contain, and "_x005F_" for its "_".
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")
_ENCODED_TWICE = re.compile("[\u00c2-\u00df][\u0080-\u00bf]|[\u00e0-\u00ef][\u0080-\u00bf]{2}")
_WINDOWS_FORM = re.compile("â€[\u0153\u009d˜™¦“”\u02dc]|Ã[©¨¼¶¤±³¡]")


def repair(raw: str) -> tuple[str, tuple[str, ...]]:
    """Return a cell's text as a paper can contain it, and a note for each kind of repair.

    Text that may be encoded twice stays, with a note, because that is uncertain.
    """
    text = raw
    notes: list[str] = []
    if "_x" in text:
        text, count = _ESCAPED.subn(lambda match: chr(int(match[1], 16)), text)
        if count:
            notes.append(f"read {count} escaped character{'s' * (count > 1)} of the sheet")
    text, repairs = clean_text(text)
    notes += repairs
    if not text.isascii():
        left = len(_WINDOWS_FORM.findall(text)) + len(_ENCODED_TWICE.findall(text))
        if left:
            notes.append(f"{left} place{'s' * (left > 1)} may be encoded twice: left as written")
    return text, tuple(notes)
