"""The words of checks of evidence that reports explain. The glossary has the same sentences."""

from __future__ import annotations

from revkit.model.table import Term

TERMS = (
    Term("checker", "A judge that compares the statements of a review with its paper by rules."),
    Term(
        "phantom reviewer",
        "Another reviewer, a chair or a reply that a review mentions and that was not in its "
        "input.",
    ),
    Term(
        "suspect quote",
        "Words in quotation marks that the paper does not contain, where the review does not say "
        "whose words they are.",
    ),
)
