"""Parse numbers, combine several numbers into one, and round halves."""

from __future__ import annotations

import math
import re
import statistics
from collections import Counter
from collections.abc import Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from typing import TypeVar

from revkit_external.parse.trouble import ReadingError, excerpt

T = TypeVar("T")
_NUMBER = re.compile(r"[+-]?(?:\d{1,15}(?:\.\d{1,15})?|\.\d{1,15})", re.ASCII)
_DIGIT = re.compile(r"\d")
_ROUNDINGS = {
    "half-up": ROUND_HALF_UP,
    "half-even": ROUND_HALF_EVEN,
    "down": ROUND_FLOOR,
    "up": ROUND_CEILING,
}


def number_of(value: object, place: str) -> float:
    """Return ``value`` as a number: a JSON number, or a string that contains nothing but a number.

    "8/10", "7,5" and "10: strong accept" are not numbers; a ``regex`` selects a part. Raises
    `ReadingError`, which names ``place``, for other values, NaN and infinities.
    """
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise ReadingError("schema", f"expected a number at {place}, not {excerpt(value)}")
    if isinstance(value, str) and not _NUMBER.fullmatch(value.strip()):
        raise ReadingError("unparseable", f"{excerpt(value)} at {place} {_why_no_number(value)}")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise ReadingError("schema", f"expected a finite number at {place}, not {excerpt(value)}")
    return number


def _why_no_number(text: str) -> str:
    try:
        number = float(text)
    except ValueError:
        return "contains more than a number" if _DIGIT.search(text) else "is not a number"
    if math.isnan(number):
        return "is not a number"
    if math.isinf(number):
        return "is too large for a number" if _DIGIT.search(text) else "is not a finite number"
    return "is a number with an exponent, underscores or too many digits; write it in digits"


def reduced(values: Sequence[float], how: str) -> float:
    """Reduce several numbers to one. ``majority`` raises if no value is the most frequent."""
    if how == "count":
        return float(len(values))
    if how == "majority":
        return majority(values)
    if how == "mean":
        return statistics.fmean(values)
    if how == "median":
        return float(statistics.median(values))
    return min(values) if how == "min" else max(values)


def majority(values: Sequence[T]) -> T:
    """Return the most frequent value; a tie is not a verdict. Raises `ReadingError` for a tie.
    ``values`` has at least one entry.
    """
    ranked = Counter(values).most_common()
    if len(ranked) > 1 and ranked[0][1] == ranked[1][1]:
        message = ", ".join(f"{count} x {value}" for value, count in ranked)
        raise ReadingError("unparseable", f"no majority: {message}")
    return ranked[0][0]


def rounded(value: float, how: str) -> float:
    """Round to a whole number: halves according to ``half-up``, ``half-even``, ``down`` or
    ``up``.
    """
    return float(Decimal(repr(value)).quantize(Decimal(1), rounding=_ROUNDINGS[how]))
