"""Check that each section, table, figure, equation or theorem that a review names is in the
paper.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from revkit_reviewground.checks.anchor_index import AnchorIndex, Answer
from revkit_reviewground.checks.anchor_mentions import KINDS, Mention, mentions
from revkit_reviewground.checks.finding import Finding
from revkit_reviewground.checks.folded_text import fold
from revkit_reviewground.checks.paper_text import PaperText
from revkit_reviewground.checks.review_text import ReviewField

# Labels that a text out of LaTeX shows instead of numbers: "Table tab:main", "Fig. exp.curve".
_LABEL = re.compile(
    r"\b(?:Table|Tab\.|Figure|Fig\.|Section|Sec\.|Eq\.|Equation)\s(?P<label>[a-z]{2,20}[.:_]"
    r"[A-Za-z][\w.:-]{1,60}\w)"
)
# What a review asks for does not exist yet; "line 3 of Algorithm 1" counts within the algorithm.
_WISHED = re.compile(
    r"\b(?:new|additional|extra|another|separate|add|adding|insert)\b[\w\s]{0,20}\Z"
)
_ALGORITHM = re.compile(r"\b(?:algorithm|alg\.|pseudo-?code|listing|code)\b", re.IGNORECASE)


def check_anchors(paper: PaperText, review: Sequence[ReviewField]) -> Iterator[Finding]:
    """Yield a finding for each numbered part that the review names and that the paper does not have
    ("false") or that the text does not show ("unverifiable").

    Sub-labels ("Figure 4a") are checked by their number. Parts of other works and parts that the
    review wishes for are not checked. Pages are not, since a text has none.
    """
    index: AnchorIndex | None = None
    for field in review:
        seen: set[tuple[str, str]] = set()
        for mention in mentions(field.own):
            if _is_exempt(field, mention) or (mention.kind, mention.number) in seen:
                continue
            seen.add((mention.kind, mention.number))
            if index is None:
                index = AnchorIndex(paper)
            answer = index.has(mention.kind, mention.number, roman=mention.reads_roman)
            if answer != "there":
                yield _finding(field, mention, answer, index)
        for match in _LABEL.finditer(field.own):
            if fold(match["label"]).text not in paper.folded.text:
                yield field.finding(
                    "anchor",
                    match.start(),
                    match.end(),
                    f"the paper's text does not show the label {match['label'][:60]}",
                    "unverifiable",
                )


def _finding(field: ReviewField, mention: Mention, answer: Answer, index: AnchorIndex) -> Finding:
    name = f"{mention.kind} {mention.number}"
    if answer == "unclear":
        message = f"the paper's text does not tell whether it has {name}"
        return field.finding("anchor", mention.start, mention.end, message, "unverifiable")
    known = index.known[mention.kind if mention.kind in KINDS else "section"]
    whole = sorted(int(number) for number in known if number.isdigit())
    message = f"the paper has no {name}"
    if whole and mention.number.isdigit():
        message += f"; its last is {whole[-1]}"
    return field.finding("anchor", mention.start, mention.end, message, "false")


def _is_exempt(field: ReviewField, mention: Mention) -> bool:
    before = field.own[max(0, mention.start - 40) : mention.start]
    if _WISHED.search(before):
        return True
    if mention.kind == "line":
        around = field.own[max(0, mention.start - 80) : mention.end + 80]
        return _ALGORITHM.search(around) is not None
    return False
