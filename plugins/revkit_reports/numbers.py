"""Numbers as a reader sees them; what has no value is a dash, never a zero."""

from __future__ import annotations

from revkit.model.table import Cell, Column

EMPTY = "-"


def fixed(value: float | None, places: int) -> str:
    """``value`` with ``places`` decimals, without a minus sign before zero."""
    if value is None:
        return EMPTY
    text = f"{value:,.{places}f}"
    return text[1:] if text.startswith("-") and not text.strip("-0.,") else text


def percent(value: float | None, places: int = 1) -> str:
    """A share as per cent: 0.187 -> "18.7%"."""
    return EMPTY if value is None else fixed(100 * value, places) + "%"


def between(low: float | None, high: float | None, scale: float = 1.0, places: int = 1) -> str:
    """The bounds of an interval; one that lies at infinity is shown as open."""
    if low is None and high is None:
        return EMPTY
    ends = [None if end is None else fixed(end * scale, places) for end in (low, high)]
    return f"[{ends[0] or '...'}, {ends[1] or '...'}]"


def counted(number: int, noun: str, plural: str = "") -> str:
    """A number with its noun: "1 agent", "2,000 papers"."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def p_value(value: float | None) -> str:
    """A p-value to what it can bear: "0.042", "3.1e-05", "<1e-15"."""
    if value is None:
        return EMPTY
    if value < 1e-15:
        return "<1e-15"
    return f"{value:.1e}" if value < 0.001 else f"{value:.3f}"


def stated_p(value: float | None) -> str:
    """A p-value within a sentence: "p = 0.042", "p < 1e-15"."""
    text = p_value(value)
    return f"p {text[0]} {text[1:]}" if text.startswith("<") else f"p = {text}"


def cell_text(cell: Cell, column: Column) -> str:
    """One cell of any table, by the unit of its column."""
    if cell is None:
        return EMPTY
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, str):
        return cell
    if column.unit == "share":
        return percent(float(cell))
    if column.unit == "p":
        return p_value(float(cell))
    if isinstance(cell, int):
        return f"{cell:,}"
    return fixed(cell, 2)


def is_number(column: Column) -> bool:
    """Whether the column is set flush right."""
    return bool(column.unit) or column.name.startswith("chi2")
