"""Changes of a valid input, drawn from any source of random numbers."""

from __future__ import annotations

import json
import random
from typing import Any

# Pieces that parsers treat specially: marks, escapes, control characters, extreme numbers.
_TEXTS = tuple(
    piece.encode()
    for piece in (
        *"{}[]()<>\"'\\|`*_#$%&@~^-=+:;,.!?/ \n\r\t\0\x1b\x7f",
        *("\u202e", "\ufeff", "\u2028", "\u00ad", "\u200b", "e\u0301", "\U0001f600", "\u0130"),
        *("[1-999999999]", "[1, 2]", "(2020)", "```", "$$", "---", "===", "| a |", "- ", "> "),
        *("\\begin{x}", "\\end{x}", "\\input{../x}", "\\def\\a{\\a\\a}", "\\cite{", "\\verb|"),
        *("<!--", "-->", "<![CDATA[", "]]>", "&amp;", "&#0;", "&x;", "<!ENTITY x 'y'>", "</p>"),
        *("NaN", "Infinity", "-0", "1e999", "10" * 30, "null", "true", "0x7", "1_0", "\\ud800"),
        *(
            "&a ",
            "*a",
            "<<: ",
            "!!python/object:x",
            "%YAML 9",
            "? ",
            "| \n",
            "obj",
            "stream\n",
            "R",
        ),
        *("../../x", "/etc/x", "C:\\x", "con", "=cmd|'x'!A0", "_x000D_", "@comment{", "@string{"),
    )
)
PIECES: tuple[bytes, ...] = (
    *_TEXTS,
    b"\xff\xfe",
    b"\x80",
    b"\xed\xa0\x80",
    b"PK\x03\x04",
    b"\x1f\x8b",
    b"%PDF-",
    b"SQLite format 3\0",
)


# What takes the place of a value in JSON.
_VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 10**30, 0.5, float("nan"), float("inf"), "", "x", "\ud800"),
    *([], {}, [None], [[]], {"a": 1}, [0, "x"], "../x", "1", "2026-01-01"),
)


def reshaped(seed: bytes, draw: random.Random) -> bytes:
    """Return ``seed`` with other values in one JSON text, if it or a line of it is one."""
    lines = seed.split(b"\n")
    number = draw.randrange(len(lines))
    for text, whole in ((seed, True), (lines[number], False)):
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            continue
        for _ in range(draw.choice((1, 1, 2, 4))):
            value = _other(value, draw)
        new = json.dumps(value).encode()
        return new if whole else b"\n".join([*lines[:number], new, *lines[number + 1 :]])
    return seed


def _other(value: Any, draw: random.Random) -> Any:
    """Return ``value`` with another value somewhere, or without one."""
    if not value or not isinstance(value, dict | list) or draw.random() < 0.1:
        return draw.choice(_VALUES)
    place = draw.choice(list(value) if isinstance(value, dict) else range(len(value)))
    if draw.random() < 0.1:
        kept = value.copy()
        del kept[place]
        return kept
    changed = value.copy()
    changed[place] = _other(value[place], draw)
    return changed


def mutated(seed: bytes, draw: random.Random, most: int = 8, longest: int = 200_000) -> bytes:
    """Return ``seed`` after up to ``most`` changes, at most ``longest`` bytes."""
    if draw.random() < 0.4 and (changed := reshaped(seed, draw)) != seed:
        return changed[:longest]
    data = bytearray(seed)
    for _ in range(draw.randint(1, most)):
        at = draw.randint(0, len(data))
        end = min(len(data), at + draw.choice((1, 2, 8, 64, 512)))
        kind = draw.randint(0, 6)
        if kind == 0:
            data[at:at] = draw.choice(PIECES)
        elif kind == 1:
            data[at:at] = draw.choice(PIECES) * draw.choice((2, 30, 1_000))
        elif kind == 2:
            del data[at:end]
        elif kind == 3 and data:
            data[at % len(data)] ^= 1 << draw.randint(0, 7)
        elif kind == 4:
            data[at:end] = data[at:end] * draw.choice((2, 5, 50))
        elif kind == 5:
            data[at:end] = draw.choice(PIECES)
        else:
            other = draw.randint(0, len(data))
            data[at:at] = data[other : other + draw.choice((4, 64, 512))]
        del data[longest:]
    return bytes(data)
