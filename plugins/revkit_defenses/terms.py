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
        "An unchanged paper that the agent accepts without the defense, and that is rejected or "
        "held with it.",
    ),
    Term(
        "false accept",
        "An unchanged paper that the agent rejects without the defense and accepts with it.",
    ),
    Term(
        "normalise",
        "A defense that shows the agent only the text of a paper that a reader sees.",
    ),
    Term("delimiter", "A defense that encloses the paper in the prompt between two marked lines."),
    Term(
        "datamark",
        "A defense that puts a sign between all words of the paper, so that no sentence of it "
        "reads as an order.",
    ),
    Term("encode", "A defense that sends the paper to the model in a code."),
    Term("sandwich", "A defense that repeats the task after the paper."),
    Term(
        "detect-then-review",
        "A defense that has the model look for orders in the paper first, and disregard them.",
    ),
    Term(
        "section-median",
        "A defense that has each section of a paper reviewed separately; the median of the scores "
        "counts.",
    ),
    Term(
        "masked-majority",
        "A defense that has several copies of a paper reviewed, each with only some of its parts; "
        "the majority counts.",
    ),
    Term(
        "output-rule",
        "A defense that holds a paper if an accepting review lists no weakness, or too many.",
    ),
    Term(
        "canary",
        "A defense that adds a request for a harmless word to a copy of the paper, and sees "
        "whether the review obeys.",
    ),
    Term("citation-existence", "A defense that removes references to works that an index lacks."),
    Term(
        "hedge-neutral",
        "A defense that removes cautious words such as may and might before the agent reads the "
        "paper.",
    ),
)
