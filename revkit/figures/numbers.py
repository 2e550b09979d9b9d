"""The format of numbers in reports; a missing value is a dash, never a zero."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal

from revkit.model.table import Cell, Column

Ends = tuple[float | None, float | None]
EMPTY = "-"
OPEN = "..."
# The marks of a conservative interval, and of one that may be too short.
CONSERVATIVE = "*"
CONSERVATIVE_LEGEND = (
    f'An interval with "{CONSERVATIVE}" is conservative: it is probably wider than necessary.'
)
TOO_SHORT = "†"
TOO_SHORT_LEGEND = (
    f'An interval with "{TOO_SHORT}" may be too short: the true value may be outside it more often '
    "than stated."
)
HUGE = 1e12
MOST_LISTED = 6  # names or numbers that a sentence lists at most


def number_of(cell: Cell) -> float | None:
    """Return the number in a cell of a table; None for a text, a truth value and an empty cell.

    A whole number beyond floats becomes an infinity of its sign.
    """
    if cell is None or isinstance(cell, str | bool):
        return None
    try:
        return float(cell)
    except OverflowError:
        return math.inf if cell > 0 else -math.inf


def number_at(row: Mapping[str, Cell], name: str) -> float | None:
    """Return the number in a cell of a row; None as in `number_of`, and for a missing cell."""
    return number_of(row.get(name))


def mark_of(*, conservative: bool, short: bool) -> str:
    """Return the marks of an interval in a table; `legends_of` explains them."""
    return CONSERVATIVE * conservative + TOO_SHORT * short


def legends_of(*, conservative: bool, short: bool) -> list[str]:
    """Return the sentences that explain the marks of the intervals of one or more tables."""
    return [CONSERVATIVE_LEGEND] * conservative + [TOO_SHORT_LEGEND] * short


def to_fixed(value: float | Decimal | None, places: int) -> str:
    """Return ``value`` with ``places`` decimals, without a minus sign before zero; very large
    numbers as 1.23e+15, so that no digit is lost.
    """
    if value is None:
        return EMPTY
    if not -HUGE < value < HUGE:
        return f"{Decimal(value):.2e}"
    text = f"{value:,.{places}f}"
    return text[1:] if text.startswith("-") and not text.strip("-0.,") else text


def plain(value: float) -> str:
    """Return ``value`` with two decimals, or with two digits if two decimals would show zero."""
    if 0 < abs(value) < 0.005:
        return f"{value:.4f}" if abs(value) >= 0.00095 else f"{value:.1e}"
    return to_fixed(value, 2)


def percent(value: float | None, places: int = 1) -> str:
    """Return a share as per cent: 0.187 -> "18.7%"."""
    return EMPTY if value is None else to_fixed(_times(value, 100), places) + "%"


def share_of(value: float | None, n: int, noun: str, plural: str = "") -> str:
    """Return a share with what it is a share of: "5.7% of 145 pairs"."""
    return f"{percent(value)} of {count_of(n, noun, plural)}"


def towards(change: float) -> str:
    """Return in words which way verdicts move if the share of accepted texts changes so."""
    if not change:
        return "neither way"
    return "towards accept (more lenient)" if change > 0 else "towards reject (stricter)"


def _times(value: float, scale: float) -> float | Decimal:
    """Return the product, exactly if a whole number is too large for a float."""
    try:
        return value * scale if scale != 1 else value
    except OverflowError:
        return Decimal(value) * Decimal(scale)


def between(
    low: float | None,
    high: float | None,
    scale: float = 1.0,
    places: int = 1,
    sharp: Ends | None = None,
    *,
    short: bool = False,
) -> str:
    """Return the bounds of an interval; an infinite bound is shown as open.

    ``sharp`` are the bounds of a sharper interval beside a conservative one, which is marked, as is
    one that may be too ``short`` (`legends_of` explains the marks).
    """
    if low is None and high is None:
        return EMPTY
    ends = [None if end is None else to_fixed(_times(end, scale), places) for end in (low, high)]
    mark = mark_of(conservative=sharp is not None, short=short)
    return f"[{ends[0] or OPEN}, {ends[1] or OPEN}]{mark}"


def with_interval(row: Mapping[str, Cell], name: str, places: int = 1) -> str:
    """Return a figure of a row with its interval, if it has one, for a sentence: "3.2 [2.9, 3.6]".
    The bounds are the cells ``name_low`` and ``name_high``.
    """
    value, low, high = (number_at(row, f"{name}{end}") for end in ("", "_low", "_high"))
    ends = between(low, high, places=places)
    return to_fixed(value, places) if ends == EMPTY else f"{to_fixed(value, places)} {ends}"


def places_for(values: Iterable[float | None]) -> int:
    """Return how many decimals a column of ``values`` needs: 1 from 10 on, 2 below, more below 0.1,
    and one more if the smallest value would be shown as zero.
    """
    sizes = [abs(value) for value in values if value]
    largest, smallest = max(sizes, default=0.0), min(sizes, default=1.0)
    if largest >= 10:
        places = 1
    elif largest >= 0.1 or largest == 0:
        places = 2
    else:
        places = min(6, 1 - math.floor(math.log10(largest))) if largest < 0.001 else 3
    return places + (smallest < 0.5 * 10.0**-places)


def places_of_intervals(widths: Iterable[float]) -> int:
    """Return how many decimals show one digit of half the narrowest interval; 0 if no interval has
    a width, and at most 3.
    """
    narrowest = min((width for width in widths if width > 0), default=0.0)
    if not narrowest:
        return 0
    return min(3, max(0, -math.floor(math.log10(narrowest / 2))))


def count_of(number: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun: "1 agent", "2,000 papers"."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def list_names(names: Sequence[str]) -> str:
    """Join names as in a sentence: "a", "a and b", "a, b and c"."""
    return ", ".join(names[:-1]) + f" and {names[-1]}" if len(names) > 1 else "".join(names)


def p_value(value: float | None) -> str:
    """Return a p-value with meaningful digits: "0.042", "3.1e-05", "<1e-15"."""
    if value is None:
        return EMPTY
    if value < 1e-15:
        return "<1e-15"
    return f"{value:.1e}" if value < 0.001 else to_fixed(value, 3)


def stated_p(value: float | None) -> str:
    """Return a p-value for a sentence: "p = 0.042", "p < 1e-15"."""
    text = p_value(value)
    return f"p {text[0]} {text[1:]}" if text.startswith("<") else f"p = {text}"


def cell_text(cell: Cell, column: Column) -> str:
    """Return one cell of any table as text, by the unit of its column."""
    if cell is None:
        return EMPTY
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, str):
        return cell
    if column.unit == "share":
        return percent(cell)
    if column.unit == "p":
        return p_value(cell)
    if isinstance(cell, int) and abs(cell) < HUGE:
        return f"{cell:,}"
    return plain(cell)


def is_number(column: Column) -> bool:
    """Return whether the column is right-aligned."""
    return bool(column.unit)
