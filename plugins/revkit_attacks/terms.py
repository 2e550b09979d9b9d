"""The words of attacks that reports explain. The glossary has the same sentences."""

from __future__ import annotations

from revkit.model.table import Term

SEARCHES = (
    Term(
        "strategy",
        "A rule by which a simulated attacker chooses the edits to try next.",
        ("strategies",),
    ),
    Term(
        "query",
        "One review of an edited version of a paper that the attacker requests.",
        ("queries",),
    ),
    Term("search", "All queries of one strategy for one paper and one agent.", ("searches",)),
    Term(
        "fixed edits",
        "The edits of each family as they are, each variant reviewed once: an attacker who does "
        "not try again.",
    ),
    Term(
        "eligible",
        "A paper on which an attack can succeed: if the attacker wants an accept, a paper that the "
        "agent rejects unchanged.",
    ),
    Term(
        "gap",
        "The success rate of the searches minus that of the fixed edits, on the same papers. Above "
        "0, fixed edits alone understate the weakness.",
    ),
    Term(
        "smallest set",
        "The edits that are left of a successful attack after the edits that it does not need were "
        "removed.",
    ),
    Term("any strategy", "At least one of the strategies succeeds, with the queries of all."),
    Term("any agent", "The strategy succeeds against at least one of the agents."),
)
PRESENTATION = (
    Term("gain", "The number of points, of 100, by which an agent scores a variant better."),
    Term(
        "quality measure",
        "The agent of the run that measures the quality of the writing independently of the agents "
        "under test.",
    ),
    Term(
        "gaming",
        "The part of a gain that the quality measure does not explain: the score rises, and the "
        "paper is not better written.",
    ),
)
EXPOSURE = (
    Term(
        "exposed",
        "The one role or member of a reviewer that sees the attack. The others read the unchanged "
        "paper.",
    ),
)
PLANTED = (
    Term(
        "planted statement",
        "A statement that an attack added to a paper: an invented claim, an undefined term, or a "
        "genuine claim that was moved to an unusual place.",
        ("planted",),
    ),
    Term("without doubt", "The review states it as a fact and does not question it."),
)
FILES = (
    Term(
        "honest file",
        "A PDF file without a planted text: a clean file, or a confounder, which looks similar to "
        "an attack.",
    ),
    Term(
        "scan",
        "The check of revkit for text that a program reads and a reader does not see.",
    ),
    Term(
        "placebo",
        "A harmless text that is hidden in the same way as an attack. It counts as hidden text.",
    ),
)
TERMS = (*SEARCHES, *PRESENTATION, *EXPOSURE, *PLANTED, *FILES)
