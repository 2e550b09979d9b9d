"""What flows through a run: papers, edits, variants, reviews, tables."""

from revkit.model.edits import Edit, apply_edits, edits_between, inverse_edits
from revkit.model.paper import (
    Block,
    Citation,
    Labels,
    Paper,
    Reference,
    Sentence,
    Skipped,
    Span,
)
from revkit.model.review import Failure, Outcome, Review, Scale
from revkit.model.table import Column, Table
from revkit.model.variant import Check, Rejection, Variant

__all__ = [
    "Block",
    "Check",
    "Citation",
    "Column",
    "Edit",
    "Failure",
    "Labels",
    "Outcome",
    "Paper",
    "Reference",
    "Rejection",
    "Review",
    "Scale",
    "Sentence",
    "Skipped",
    "Span",
    "Table",
    "Variant",
    "apply_edits",
    "edits_between",
    "inverse_edits",
]
