"""The data of a run: papers, edits, variants, reviews, tables."""

from revkit.model.criterion import Criterion
from revkit.model.edits import Edit, apply_edits, edits_between, inverse_edits
from revkit.model.paper import Labels, Material, Paper, Skipped, Unmapped
from revkit.model.paper_file import PaperFile
from revkit.model.rating_scale import RatingScale
from revkit.model.review import Failure, Outcome, Review, Scale
from revkit.model.structure import Block, Citation, Part, Reference, Sentence, Span
from revkit.model.table import Chart, Column, Table
from revkit.model.variant import Check, Layout, Rejection, Variant
from revkit.model.work import Work
from revkit.model.written_review import PaperReviews, WrittenReview

__all__ = [
    "Block",
    "Chart",
    "Check",
    "Citation",
    "Column",
    "Criterion",
    "Edit",
    "Failure",
    "Labels",
    "Layout",
    "Material",
    "Outcome",
    "Paper",
    "PaperFile",
    "PaperReviews",
    "Part",
    "RatingScale",
    "Reference",
    "Rejection",
    "Review",
    "Scale",
    "Sentence",
    "Skipped",
    "Span",
    "Table",
    "Unmapped",
    "Variant",
    "Work",
    "WrittenReview",
    "apply_edits",
    "edits_between",
    "inverse_edits",
]
