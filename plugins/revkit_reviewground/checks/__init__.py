"""Evidence checks: compare what a review states about its paper with the paper's text.

`check_review` runs all checks; each also works by itself. They are rules on text: no model, no
network, the same answer each time.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from revkit.model.paper import Paper
from revkit.model.values import Json
from revkit_reviewground.checks.anchors import check_anchors
from revkit_reviewground.checks.comparisons import check_comparisons
from revkit_reviewground.checks.finding import (
    CERTAINTIES,
    KINDS,
    Certainty,
    Finding,
    FindingPlace,
    Kind,
)
from revkit_reviewground.checks.missing_content import check_missing
from revkit_reviewground.checks.numbers import check_numbers
from revkit_reviewground.checks.paper_text import PaperText
from revkit_reviewground.checks.quotes import check_quotes, find_quote
from revkit_reviewground.checks.review_text import ReviewField, fields
from revkit_reviewground.checks.reviewers import Participant, check_reviewers

__all__ = [
    "CERTAINTIES",
    "KINDS",
    "Certainty",
    "Finding",
    "FindingPlace",
    "Kind",
    "PaperText",
    "Participant",
    "ReviewField",
    "check_anchors",
    "check_comparisons",
    "check_missing",
    "check_numbers",
    "check_quotes",
    "check_review",
    "check_reviewers",
    "fields",
    "find_quote",
]


def check_review(
    paper: Paper,
    review: Mapping[str, Json],
    debriefs: Sequence[Mapping[str, Json]] = (),
    *,
    present: Collection[Participant] = (),
    most_words: int = 20,
) -> tuple[Finding, ...]:
    """Return what is wrong with ``review``, by field and place.

    ``review`` is a review by field names; texts may lie in lists and objects. ``debriefs`` are the
    summaries of related work that the review was written with: they may be quoted. ``present``
    names other participants whose words were in the input, ``most_words`` the longest quotation
    allowed.

    The findings do not depend on anything but the arguments. A review without text gives none.
    """
    text = PaperText(paper)
    found = fields(review)
    sources = [field.text for debrief in debriefs for field in fields(debrief)]
    order = {field.name: index for index, field in enumerate(found)}
    findings: list[Finding] = []
    checks: tuple[Iterator[Finding], ...] = (
        check_quotes(text, found, sources, most_words),
        check_anchors(text, found),
        check_missing(text, found),
        check_reviewers(text, found, present),
        check_comparisons(text, found, "\n".join(sources)),
        check_numbers(text, found),
    )
    for check in checks:
        findings.extend(check)
    findings.sort(key=lambda one: (order[one.field], one.at, KINDS.index(one.kind)))
    return tuple(findings)
