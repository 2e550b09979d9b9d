"""The words of ReviewBench that reports explain. The glossary has the same sentences."""

from __future__ import annotations

from revkit.model.table import Term

TERMS = (
    Term("evaluator", "A judge that scores reviews against the checklist of their paper."),
    Term("checklist", "The key points of a paper against which ReviewBench scores a review."),
    Term(
        "overall score",
        "The sum of the scores of a review on eight dimensions, from -2 to 14. Higher is better.",
    ),
    Term("MSE", "The mean squared difference between a rating and the mean rating of people."),
    Term(
        "macro-F1",
        "The mean of the F1 of accepts and that of rejects, where F1 is the harmonic mean of "
        "precision and recall.",
    ),
)
