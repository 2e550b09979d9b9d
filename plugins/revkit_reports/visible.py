"""Make text from papers, plugins and experiments safe to print: visible, and limited in length.

Escaping for HTML or Markdown comes after this. Here we replace characters that escaping does not
cover: control characters, and marks that reorder or hide the text next to them.
"""

from __future__ import annotations

import unicodedata

# Directional marks reorder the text around them; zero-width ones hide an edit from the eye.
_NAMED = dict.fromkeys(
    (
        *range(0x200B, 0x200C),
        *range(0x200E, 0x2010),
        *range(0x202A, 0x202F),
        *range(0x2060, 0x2070),
        0x061C,
        0x00AD,
        0xFEFF,
        *range(0xFFF9, 0xFFFC),
    )
)
_TABLE: dict[int, str] = {code: f"[U+{code:04X}]" for code in _NAMED}
_TABLE |= {code: chr(0x2400 + code) for code in range(32) if code not in (9, 10)}
_TABLE |= {code: f"[U+{code:04X}]" for code in range(0x7F, 0xA0)}
_TABLE |= {code: f"[U+{code:04X}]" for code in (0x2028, 0x2029, 0xFFFE, 0xFFFF)}
_TABLE |= dict.fromkeys(range(55296, 57344), "�")
_TABLE |= {code: f"[U+{code:04X}]" for code in range(0xE0000, 0xE0080)}


def visible(text: str, limit: int = 0) -> str:
    """Return ``text`` with control, directional and zero-width characters spelled out.

    With a ``limit`` above 0 a longer text keeps its two ends and states how much is left out. The
    cut is made first, so a text of many megabytes costs no more than a short one.
    """
    if limit and len(text) > limit:
        head, tail = limit - limit // 3, limit // 3
        gap = f" [... {len(text) - head - tail:,} characters ...] "
        text = text[:head] + gap + text[len(text) - tail :]
    return text.translate(_TABLE)


def one_line(text: str, limit: int = 200) -> str:
    """Return `visible` text with every run of blanks and line breaks as one blank."""
    bounded = text if len(text) <= 4 * limit else text[: 3 * limit] + " " + text[-limit:]
    joined = " ".join(visible(bounded).split())
    return short(joined, limit)


def short(text: str, limit: int, ellipsis: str = "...") -> str:
    """Return ``text`` cut to ``limit`` characters; its end is kept since names often differ
    there.
    """
    if len(text) <= limit:
        return text
    tail = (limit - len(ellipsis)) // 3
    return text[: limit - len(ellipsis) - tail] + ellipsis + text[len(text) - tail :]


def width(text: str) -> int:
    """Return how many columns of a terminal ``text`` takes."""
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )


def letters(text: str) -> list[str]:
    """Return the letters of ``text``, each with its combining accents."""
    found: list[str] = []
    for character in text:
        if found and unicodedata.combining(character):
            found[-1] += character
        else:
            found.append(character)
    return found
