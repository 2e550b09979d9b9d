"""The four exclusion rules of ReviewBench (Li et al., section 3.1), and sampling.

Each paper that is left out is a `Skipped` with the rule as its reason, so a run counts them. Where
the paper leaves a rule open, we decided:

1. *Empty or incomplete submissions*: fewer words than ``least_words``.
2. *Desk-rejected or withdrawn papers*: by the wording of the decision.
3. *Fewer than three complete reviews* and
4. *papers missing mandatory fields* overlap, as a complete review is one that has all fields. A
   paper with fewer than three reviews falls under rule 3. One with three or more, of which fewer
   than three have all fields, falls under rule 4. Incomplete reviews beside three complete ones
   are left out with a note, and the paper stays.

The sample is drawn from what is left: a paper is in it where a number in [0, 1) that follows from
the seed and the record's id alone is below the share. So order, other records and resumption
change nothing; its size is close to the share, not exactly it. The paper draws with seed 42, by
means that it does not state, so which papers it drew cannot be reproduced.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from revkit.model.paper import LeftOut, Skipped
from revkit.model.values import uniform_of
from revkit.venues import Submission
from revkit_reviewbench.corpora.normalise import Form, NormalReview

LEAST_REVIEWS = 3
INCOMPLETE = "rule 1: empty or incomplete submission"
WITHDRAWN = "rule 2: desk-rejected or withdrawn"
FEW_REVIEWS = "rule 3: fewer than three complete reviews"
FIELDS_MISSING = "rule 4: reviews lack mandatory fields"


def drawn(seed: int, share: float, id_: str) -> bool:
    """Return whether the record called ``id_`` is in the sample."""
    return uniform_of(f"review-bench/{seed}/{id_}".encode()) < share


def excluded(found: Submission, least_words: int) -> str:
    """Return the rule, 1 or 2, that excludes a submission before its reviews are read."""
    if isinstance(found.paper, Skipped) or len(found.text.split()) < max(1, least_words):
        return INCOMPLETE
    return WITHDRAWN if found.decision.withdrawn else ""


def complete_reviews(
    reviews: Sequence[Mapping[str, Any]], form: Form
) -> tuple[tuple[NormalReview, ...], tuple[str, ...], str]:
    """Return the complete reviews, notes on those left out, and the violated rule (3, 4, or "")."""
    complete: list[NormalReview] = []
    notes = []
    for number, fields in enumerate(reviews, 1):
        review = form.normalise(fields)
        if isinstance(review, NormalReview):
            complete.append(review)
        else:
            notes.append(LeftOut(f"review {number} lacks {', '.join(review)}: left out"))
    return tuple(complete), tuple(notes), _rule(complete, len(reviews))


def _rule(complete: Sequence[NormalReview], given: int) -> str:
    if len(complete) >= LEAST_REVIEWS:
        return ""
    return FEW_REVIEWS if given < LEAST_REVIEWS else FIELDS_MISSING
