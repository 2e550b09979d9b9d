"""Read values from outside within limits: JSON texts, counts, and texts of messages."""

from __future__ import annotations

import json
import math
import unicodedata
from typing import Any

from revkit.model.intake import clean_text

MOST_COUNT = 10**12
"""The largest number of tokens, calls or bytes that is taken from outside."""

_LONGEST_WHOLE = 4000  # digits; Python refuses to convert more than 4,300


def read_count(value: object) -> int | None:
    """Return ``value`` as a count: a whole number from 0 to `MOST_COUNT`; None for anything else.

    None means "not known" and is never a zero.
    """
    whole = isinstance(value, int) and not isinstance(value, bool)
    return value if whole and 0 <= value <= MOST_COUNT else None  # type: ignore[operator,return-value]


def read_number(value: object) -> float | None:
    """Return ``value`` as a finite float; None for anything else, such as ``true``, NaN or
    10^400.
    """
    if not isinstance(value, int | float) or isinstance(value, bool):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def read_json(text: str | bytes) -> Any:
    """Parse JSON from outside. Raises ``ValueError`` if it is invalid or nested too deeply.

    A byte order mark before it is skipped. Bytes are UTF-8. A whole number of thousands of digits,
    NaN, infinity and a number beyond floats become None, which means "not known", so that one
    absurd number does not make the rest unreadable.
    """
    if isinstance(text, bytes):
        text = text.decode("utf-8")
    text = text.removeprefix("\ufeff")
    try:
        return _DECODER.decode(text)
    except RecursionError:
        raise ValueError("the JSON is nested too deeply") from None


def _whole_number(digits: str) -> int | None:
    return int(digits) if len(digits) <= _LONGEST_WHOLE else None


def _finite(digits: str) -> float | None:
    number = float(digits)
    return number if math.isfinite(number) else None


_DECODER = json.JSONDecoder(
    parse_int=_whole_number, parse_float=_finite, parse_constant=lambda _: None
)


def one_line(text: str, most: int = 200) -> str:
    """Return ``text`` on one line without hidden characters, at most ``most`` characters, for
    messages.
    """
    cleaned = clean_text(text[: 4 * most])[0]
    if not cleaned.isascii():
        cleaned = "".join(each for each in cleaned if unicodedata.category(each) != "Cf")
    line = " ".join(cleaned.split())
    return line if len(line) <= most else line[: most - 1] + "…"
