"""A figure with its interval, as columns of a table and as cells of its rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from revkit.dataclass import dataclass
from revkit.figures.numbers import between, number_at
from revkit.model.table import Cell, Column

if TYPE_CHECKING:
    from revkit.stats import Estimate, Interval

SHARE_METHOD = "Agresti and Coull over papers; Clopper and Pearson below 20 papers."


@dataclass(frozen=True, slots=True)
class Figure:
    """A value, the two ends of its interval, and optionally its method and number of observations.

    ``name``, ``title``, ``unit`` and ``help`` are those of the value's column (`Column`). ``how``
    ends the help of both bounds ("Lower bound: papers resampled."). ``bounds`` and
    ``bounds_title`` name the bounds where a table has several intervals of one value; they are the
    figure's own otherwise. Two more columns are for the ends of a sharper interval, which are
    filled where the interval is conservative (`revkit.stats.Interval.sharp`). ``method`` adds a
    column that says how the interval was computed, ``n`` one that counts the observations. Reports
    find all of them by the roles of the columns, so names are free.
    """

    name: str
    title: str
    unit: str = ""
    help: str = ""
    how: str = "papers resampled."
    bounds: str = ""
    bounds_title: str = ""
    method: bool = False
    n: bool = False

    @property
    def value_column(self) -> Column:
        """The column of the value."""
        return Column(self.name, self.title, self.unit, self.help)

    @property
    def interval_columns(self) -> tuple[Column, ...]:
        """The columns of the bounds, and of method and n if requested."""
        prefix, title = self.bounds or self.name, self.bounds_title or self.title
        found = (
            *bounds(prefix, title, self.unit, self.how, of=self.name),
            *_sharp_columns(prefix, title, self.unit, self.name),
        )
        if self.method:
            help = "The method of the interval."
            column = Column(f"{prefix}_method", f"{title}, interval", "", help, "method", self.name)
            found = (*found, column)
        if self.n:
            help = "The number of observations."
            column = Column(f"{prefix}_n", f"{title}, n", "count", help, "n", self.name)
            found = (*found, column)
        return found

    @property
    def columns(self) -> tuple[Column, ...]:
        """Return all columns: value, low, high, the ends of a sharper interval, and method and n if
        requested."""
        return (self.value_column, *self.interval_columns)

    def cells(self, estimate: Estimate | None) -> dict[str, Cell]:
        """Return the cells of `columns`; empty without an estimate."""
        if estimate is None:
            return {}
        prefix = self.bounds or self.name
        found = {self.name: estimate.value, **bound_cells(prefix, estimate.interval)}
        if estimate.interval.sharp is not None:
            low, high = estimate.interval.sharp
            found |= {f"{prefix}_sharp_low": low, f"{prefix}_sharp_high": high}
        if self.method:
            found[f"{prefix}_method"] = estimate.interval.method
        if self.n:
            found[f"{prefix}_n"] = estimate.n
        return found


def bounds(
    prefix: str, title: str, unit: str, how: str = "papers resampled.", *, of: str = ""
) -> tuple[Column, ...]:
    """Return two columns for an interval: ``<prefix>_low`` and ``<prefix>_high``.

    ``of`` names the column of the value that they bound for a reader; leave it empty for a second
    interval of the same value, which reports show only in the full table.
    """
    low, high = (Column(f"{prefix}_{end}", f"{title}, {end}", unit) for end in ("low", "high"))
    return (
        Column(low.name, low.title, unit, f"Lower bound: {how}", "low" if of else "", of),
        Column(high.name, high.title, unit, f"Upper bound: {how}", "high" if of else "", of),
    )


def _sharp_columns(prefix: str, title: str, unit: str, of: str) -> tuple[Column, ...]:
    low, high = f"{prefix}_sharp_low", f"{prefix}_sharp_high"
    help = "of a sharper, approximate interval; given where the interval is conservative."
    return (
        Column(low, f"{title}, sharper low", unit, f"Lower bound {help}", "sharp-low", of),
        Column(high, f"{title}, sharper high", unit, f"Upper bound {help}", "sharp-high", of),
    )


def bound_cells(prefix: str, interval: Interval | None) -> dict[str, Cell]:
    """Return the cells of `bounds`; empty without an interval."""
    if interval is None:
        return {}
    return {f"{prefix}_low": interval.low, f"{prefix}_high": interval.high}


def interval_text(row: Mapping[str, Cell], prefix: str, scale: float = 1.0, places: int = 1) -> str:
    """Return the interval in the cells of `bounds` of a row, for a sentence: "[0.0, 2.4]".

    A conservative interval is marked as in a table: "[0.0, 36.9]*".
    """
    low, high = (number_at(row, f"{prefix}_{end}") for end in ("low", "high"))
    return between(low, high, scale, places, _sharp(row, prefix))


def sharp_width(row: Mapping[str, Cell], prefix: str) -> float | None:
    """Return the width of the sharper interval in a row; None if the interval is not conservative,
    or an end is open.
    """
    low, high = _sharp(row, prefix) or (None, None)
    return None if low is None or high is None else high - low


def _sharp(row: Mapping[str, Cell], prefix: str) -> tuple[float | None, float | None] | None:
    low, high = (number_at(row, f"{prefix}_sharp_{end}") for end in ("low", "high"))
    return None if low is None and high is None else (low, high)
