"""The words of tests of judges that reports explain. The glossary has the same sentences."""

from __future__ import annotations

from revkit.model.table import Term

TERMS = (
    Term(
        "targeted rubric",
        "The rubric whose quality the edits make worse, so that a good judge lowers its score.",
        ("target", "targeted"),
    ),
    Term(
        "drop",
        "The score before the edits minus the score after. Above 0, the judge lowers the score.",
    ),
    Term("subtle", "Edits that make a text slightly worse on one rubric."),
    Term("extreme", "Edits that make a text obviously worse on one rubric."),
    Term(
        "optimism",
        "The mean score that a judge gives to texts that were made obviously worse. Lower is "
        "better.",
        ("optimistic",),
    ),
)
