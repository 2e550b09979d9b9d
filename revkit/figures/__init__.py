"""What metrics share: figures with their intervals, sums over papers, and how numbers are written.

A metric that states how sure it is needs the same few things each time: two options (`Resampled`),
the sum of a value over each paper (`Sums`), estimates from them, and the columns and cells of each
figure (`Figure`). What a report says first is declared on the table as well: see `Measure`,
`Finding` and `TableWarning` in `revkit.model.table`.

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
    counted_kinds,
    joined,
    note_of,
)
from revkit.figures.figure import Figure, bound_cells, bounds
from revkit.figures.resampled import Resampled, confidence_option, copies_notes
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
    "counted_kinds",
    "joined",
    "note_of",
    "sums",
]
