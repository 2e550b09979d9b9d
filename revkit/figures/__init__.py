"""Figures for metrics: values with intervals, sums over papers, and the format of numbers.

A metric with confidence intervals needs the same few things each time: two options (`Resampled`),
the sum of a value over each paper (`Sums`), estimates from them, and the columns and cells of each
figure (`Figure`). A table also declares what a report states first: see `Measure`, `Finding`
and `TableWarning` in `revkit.model.table`.

Importing this room loads neither NumPy nor SciPy.
"""

from revkit.figures.columns import (
    AGENT,
    CONFIDENCE,
    FAMILY,
    JUDGE,
    METHOD,
    NOTE,
    POINTS,
    RUBRIC,
    UNIT,
    count_kinds,
    join_notes,
    note_of,
)
from revkit.figures.figure import (
    SHARE_METHOD,
    Figure,
    bound_cells,
    bounds,
    interval_text,
    sharp_width,
)
from revkit.figures.resampling_options import Resampled, confidence_option, copies_notes
from revkit.figures.short import SHORT, is_short, short_of, short_warnings
from revkit.figures.sums import Sums, arrays, sums
from revkit.model.resampling import CONFIDENCE as DEFAULT_CONFIDENCE
from revkit.model.resampling import FEW_PAPERS, RESAMPLES, Resampling

__all__ = [
    "AGENT",
    "CONFIDENCE",
    "DEFAULT_CONFIDENCE",
    "FAMILY",
    "FEW_PAPERS",
    "JUDGE",
    "METHOD",
    "NOTE",
    "POINTS",
    "RESAMPLES",
    "RUBRIC",
    "SHARE_METHOD",
    "SHORT",
    "UNIT",
    "Figure",
    "Resampled",
    "Resampling",
    "Sums",
    "arrays",
    "bound_cells",
    "bounds",
    "confidence_option",
    "copies_notes",
    "count_kinds",
    "interval_text",
    "is_short",
    "join_notes",
    "note_of",
    "sharp_width",
    "short_of",
    "short_warnings",
    "sums",
]
