"""The words of defenses that reports explain. The glossary has the same sentences."""

from __future__ import annotations

from revkit.model.table import Term

TERMS = (
    Term(
        "attacked",
        "A paper after the edits of a family, or after those that a search found.",
        ("under attack",),
    ),
    Term("unchanged", "A paper as it is, without edits."),
    Term(
        "held",
        "A paper that a defense did not pass on to the agent, so that a person must decide.",
    ),
    Term("pooled", "All families whose edits keep the science, together."),
    Term(
        "false reject",
        "An unchanged paper that the agent accepts without the defense and rejects with it.",
    ),
    Term(
        "false accept",
        "An unchanged paper that the agent rejects without the defense and accepts with it.",
    ),
)
