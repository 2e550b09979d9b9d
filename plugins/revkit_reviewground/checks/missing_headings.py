"""Check claims of missing content against headings, captions and table columns.

A caption or the first row of a table answers as well. The thing may be anything of two to four
words. It is only suspect: what a heading names may still be reported poorly.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from revkit.english import stop_words
from revkit_reviewground.checks.finding import Finding
from revkit_reviewground.checks.missing_scope import DENIAL, DEPTH, NO_CLAIM, scope_of
from revkit_reviewground.checks.missing_topics import TOPICS
from revkit_reviewground.checks.paper_text import PaperText
from revkit_reviewground.checks.review_text import ReviewField

_VERB = (
    r"(?:defin|report|describ|specif|provid|giv|stat|list|present|includ|measur|disclos|document"
    r"|introduc)"
)
_THING = r"(?P<thing>(?:[\w-]{2,30}\s+){1,4}?[\w-]{2,30})"
_AFTER = re.compile(
    rf"(?:\A\W*|[.;:]\s+|,\s+(?:but|and|yet|that)\s+|\b(?:that|since|because|however,?)\s+)"
    rf"(?:the\s+|its\s+|any\s+)?{_THING}"
    r"(?:\s+of\s+the\s+(?:\w+\s+)?(?:method|model|approach|algorithm|system))?"
    rf"\s+(?:is|are|was|were|goes|go)\s+(?:not|never|nowhere|un)\s?(?:even\s+|ever\s+)?{_VERB}\w*"
    r"(?:\s+(?:anywhere|at\s+all|in\s+the\s+(?:paper|text|manuscript)))?\s*(?:[.;,!]|\Z)",
    re.IGNORECASE,
)
_BEFORE = re.compile(
    r"\b(?:(?:do|does|did)\s+not|(?:do|does|did)n['’]t|never|fails?\s+to|omits?\s+to"
    rf"|neglects?\s+to)\s+{_VERB}\w*\s+(?:the\s+|its\s+|any\s+|an?\s+)?{_THING}"
    r"(?:\s+(?:of\s+the\s+(?:\w+\s+)?(?:method|model|approach|algorithm|system)|anywhere"
    r"|at\s+all))?\s*(?:[.;!]|\Z)",
    re.IGNORECASE,
)
_TABLE_HEAD = 300
_GAP = r"[\s\w,&()/-]{0,20}?"


def check_headings(paper: PaperText, review: Sequence[ReviewField]) -> Iterator[Finding]:
    """Yield a finding for each thing that the review calls undefined, unreported or undescribed
    although a heading, a caption or the first row of a table names it.
    """
    for field in review:
        for start, sentence in field.sentences:
            for low, high in _denied(sentence):
                place = _place_of(paper, sentence[low:high])
                if place is not None:
                    yield field.finding(
                        "missing",
                        start + low,
                        start + high,
                        "the review says that the paper does not report this; it seems to be there",
                        "suspect",
                        paper.place(*place),
                    )


def _denied(sentence: str) -> Iterator[tuple[int, int]]:
    if len(sentence) > 400 or not DENIAL.search(sentence) or NO_CLAIM.search(sentence):
        return
    if DEPTH.search(sentence) or scope_of(sentence):
        return
    for pattern in (_AFTER, _BEFORE):
        for match in pattern.finditer(sentence):
            thing = match["thing"]
            if not any(topic.named.search(thing) for topic in TOPICS):
                yield match.span("thing")


def _place_of(paper: PaperText, thing: str) -> tuple[int, int] | None:
    """Return where a heading, a caption or a table's first row contains the words of ``thing`` in
    sequence.
    """
    words = [word for word in thing.lower().split() if len(word) > 2]
    telling = [word for word in words if word not in stop_words("claim")]
    if not 2 <= len(words) <= 4 or not telling:
        return None
    pattern = re.compile(
        r"\b" + _GAP.join(rf"{re.escape(word.rstrip('s'))}\w{{0,3}}" for word in words),
        re.IGNORECASE,
    )
    for block, raw in paper.headings:
        if block.role != "references" and len(raw) < 200 and pattern.search(raw):
            return block.start, block.end
    for block in paper.paper.blocks:
        end = min(block.end, block.start + _TABLE_HEAD)
        if block.kind == "table" and (match := pattern.search(paper.text, block.start, end)):
            return match.span()
    for start, end in paper.captions:
        if match := pattern.search(paper.text, start, end):
            return match.span()
    return None
