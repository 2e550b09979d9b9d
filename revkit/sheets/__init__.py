"""Sheets: samples of edits for a reader who does not know how they were made.

A perturbation is judged by reading its edits, not by its own checks. ``draw_sheet`` draws edits
from run folders, mixes them with untouched sentences or with rewrites written by people, and
writes a table to label and, apart from it, the key that says what each item is. ``read_sheet``
puts labels and key together again: rates with intervals, and the agreement of several readers.
"""

from revkit.sheets.draw import Sheet, Show, draw_sheet
from revkit.sheets.ratings import Ratings, RatingSheet, draw_ratings, read_ratings
from revkit.sheets.read import LabelRate, ReaderAgreement, Reading, SheetRates, read_sheet

__all__ = [
    "LabelRate",
    "RatingSheet",
    "Ratings",
    "ReaderAgreement",
    "Reading",
    "Sheet",
    "SheetRates",
    "Show",
    "draw_ratings",
    "draw_sheet",
    "read_ratings",
    "read_sheet",
]
