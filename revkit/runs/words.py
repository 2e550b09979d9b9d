"""Values of runs in words for a terminal; text from elsewhere becomes visible and bounded."""

from __future__ import annotations

import unicodedata

from revkit.runs.table_text import visible

LONGEST = 200


def readable(text: str) -> str:
    """``text`` of several lines, with every other control or direction character as an escape."""
    return "\n".join("".join(map(_visible, line)) for line in text.splitlines())


def _visible(letter: str) -> str:
    if unicodedata.category(letter) in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp"):
        return f"\\u{ord(letter):04x}"
    return letter


def first_sentence(text: str, limit: int = LONGEST) -> str:
    """The first sentence of a finding. A point within a number or a bracket ends none."""
    line = visible(text, 2_000)
    depth = 0
    for place, letter in enumerate(line):
        depth += (letter in "([") - (letter in ")]")
        if letter == "." and depth <= 0 and line[place + 1 : place + 2] in ("", " "):
            return visible(line[: place + 1], limit)
    return visible(line, limit)


def dollars(usd: float | None) -> str:
    """A cost in US dollars."""
    return "cost not known" if usd is None else f"${usd:,.2f}"


def short_date(started: str) -> str:
    """A time in UTC to the minute."""
    return f"{visible(started[:16], 20).replace('T', ' ')} UTC" if started else "no date"
