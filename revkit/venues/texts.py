"""Clean the strings of a source before they become part of a paper.

Cleaning is that of `revkit.model.intake.clean_text`, after one additional repair. Text that was
encoded as UTF-8 twice shows "â" and two C1 control characters where an apostrophe was. No text
holds C1 controls on purpose and cleaning would remove them, which would destroy the character for
good; so a run that is valid UTF-8 when its characters are taken for bytes, and holds a C1 control,
is decoded once more, counted and noted. The Windows form ("â€™") could be meant, and stays with a
note.
"""

from __future__ import annotations

import re

from revkit.model.intake import clean_text

_ENCODED_TWICE = re.compile(
    "[\u00c2-\u00df][\u0080-\u00bf]|[\u00e0-\u00ef][\u0080-\u00bf]{2}|[\u00f0-\u00f4][\u0080-\u00bf]{3}"
)
_C1 = re.compile("[\x80-\x9f]")
# From one line end to the next, which is not part of it: searches for a line end are quick.
_LINE_NUMBER = re.compile(r"\n[ \t]*[0-9]{3,4}[ \t]*(?=\n)")
_WINDOWS_FORM = re.compile("â€[\u0153\u009d˜™¦“”\u02dc]|Ã[©¨¼¶¤±³¡]")


def excerpt(value: object, length: int = 60) -> str:
    """Return the start of ``value`` as a literal on one line, for a note."""
    text = value[: length + 1] if isinstance(value, str) else str(value)[: length + 1]
    return ascii(text) if len(text) <= length else ascii(text[:length]) + "..."


def plural(count: int, what: str, many: str = "") -> str:
    """Return "1 review" or "3 reviews"."""
    return f"{count} {what if count == 1 else many or what + 's'}"


def clean(raw: str) -> tuple[str, tuple[str, ...]]:
    """Return ``raw`` in a form that a paper can contain, and a note for each kind of repair."""
    if raw.isascii() and raw.isprintable():  # most texts of one line
        return raw, ()
    repaired = 0

    def decode_again(match: re.Match[str]) -> str:
        nonlocal repaired
        run = match.group()
        if not _C1.search(run):
            return run
        try:
            again = run.encode("latin-1").decode("utf-8")
        except UnicodeDecodeError:
            return run
        if _C1.search(again):
            return run
        repaired += 1
        return again

    text = raw if raw.isascii() or not _C1.search(raw) else _ENCODED_TWICE.sub(decode_again, raw)
    text, repairs = clean_text(text)
    notes = [f"repaired {plural(repaired, 'character')} encoded twice"] if repaired else []
    notes += repairs
    left = len(_WINDOWS_FORM.findall(text)) if not text.isascii() else 0
    if left:
        notes.append(f"{plural(left, 'place')} may be encoded twice: left as written")
    return text, tuple(notes)


def line_numbers(text: str) -> int:
    """Count lines that contain a three- or four-digit number and nothing else."""
    return len(_LINE_NUMBER.findall(f"\n{text}\n"))
