"""Intake: convert the bytes or the raw text of a source to text that a paper can contain.

Nothing is guessed here. Bytes are UTF-8 or they are refused with the place of the fault; raw text
is repaired where JSON, a terminal or a PDF extractor left characters that no file should hold, and
every kind of repair is counted in a note for the report.
"""

from __future__ import annotations

import re

from revkit.errors import PaperError

_BOM = "\ufeff"
_SURROGATE_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_SURROGATE = re.compile("[\ud800-\udfff]")
# How PDF text marks a hyphen at the end of a line; the word goes on behind it.
_SOFT_HYPHEN = re.compile("(?<=[^\\W\\d_])\ufffe[ \t]?\n?(?=[^\\W\\d_])")
_CONTROL = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f]")
_CONTROLS = "".join(filter(_CONTROL.match, map(chr, range(160))))
_ASCII_CONTROLS = "".join(filter(str.isascii, _CONTROLS))


def _join_pair(match: re.Match[str]) -> str:
    pair = match.group()
    return chr(0x10000 + ((ord(pair[0]) - 0xD800) << 10) + (ord(pair[1]) - 0xDC00))


def _has_control(text: str) -> bool:
    """Return whether `_CONTROL` matches; searching for each character takes a tenth of the time."""
    return any(map(text.__contains__, _ASCII_CONTROLS if text.isascii() else _CONTROLS))


def _has_surrogate(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False


def _note(verb: str, count: int, what: str, plural: str = "") -> str:
    return f"{verb} {count} {what if count == 1 else plural or what + 's'}"


def clean_text(raw: str) -> tuple[str, tuple[str, ...]]:
    """Return ``raw`` in the form that a paper contains, and one note for each kind of repair made.

    A byte order mark at the start is dropped; ``\\r\\n`` and lone ``\\r`` become ``\\n``; two
    surrogates that form a pair become their character, a lone one U+FFFD; a form feed becomes a
    line break; a word that PDF text has cut at the end of a line by U+FFFE is joined;
    every other control character except tab and line break is removed. A text without such
    characters comes back as the same object with no notes. Applying the function twice
    changes nothing more.
    """
    text = raw
    notes: list[str] = []
    if text.startswith(_BOM):
        bare = text.lstrip(_BOM)
        notes.append(_note("dropped", len(text) - len(bare), "byte order mark"))
        text = bare
    if "\r" in text:
        pairs = text.count("\r\n")
        lone = text.count("\r") - pairs
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        if pairs:
            notes.append(_note("changed", pairs, "CRLF line end"))
        if lone:
            notes.append(_note("changed", lone, "CR line end"))
    if _has_surrogate(text):
        text, count = _SURROGATE_PAIR.subn(_join_pair, text)
        if count:
            notes.append(_note("joined", count, "surrogate pair"))
        text, count = _SURROGATE.subn("\ufffd", text)
        if count:
            notes.append(_note("replaced", count, "lone surrogate"))
    if "\f" in text:
        count = text.count("\f")
        notes.append(_note("changed", count, "form feed"))
        text = text.replace("\f", "\n")
    if "\ufffe" in text:
        text, count = _SOFT_HYPHEN.subn("", text)
        if count:
            notes.append(_note("joined", count, "word", "words") + " at soft hyphens of PDF text")
        text, count = text.replace("\ufffe", ""), text.count("\ufffe")
        if count:
            notes.append(_note("removed", count, "soft hyphen"))
    if _has_control(text):
        text, count = _CONTROL.subn("", text)
        notes.append(_note("removed", count, "control character"))
    if text.startswith(_BOM):
        # Another character preceded the mark; without this a second pass would differ.
        bare = text.lstrip(_BOM)
        notes.append(_note("dropped", len(text) - len(bare), "byte order mark"))
        text = bare
    return text, tuple(notes)


def decode(data: bytes) -> tuple[str, tuple[str, ...]]:
    """Return ``data``, which must be UTF-8 with or without a byte order mark, as clean text.

    The notes are those of `clean_text`. Raises `PaperError` with the offset of the first byte
    that is not UTF-8; other encodings are never guessed.
    """
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise PaperError(
            f"not UTF-8: byte 0x{data[error.start]:02x} at offset {error.start}"
            f" ({error.reason}); convert the file to UTF-8 first"
        ) from None
    return clean_text(text)
