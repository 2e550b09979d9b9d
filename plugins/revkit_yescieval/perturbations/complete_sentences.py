"""Decide whether a span of prose is a complete sentence that may be moved, removed or restated.

A wrong move is worse than a missed one. So a sentence counts as complete only if everything
indicates it: an end mark, all brackets and quotations closed, and neither a label nor a fragment of
a list, a formula or a broken export.
"""

from __future__ import annotations

import re
from collections import Counter

from revkit.model import Paper
from revkit_yescieval.perturbations.language import WORDS

# What may follow the words of a sentence: end mark, closing quotes and brackets, citation markers.
_ENDING = re.compile(
    r"[.!?…。！？｡؟۔।](?:[.!?…\"'”’»)\]}*_`」』）]|\[[\d,;\s–-]{1,40}\]|<sup>[^<>]{0,12}</sup>"
    r"|\^?\d{1,2}|\[\^[^\]\s]{1,20}\])*+\Z"
)
# Part of a block that consists of citation markers: "(1, 8, 24)", "[3]", "(Lee, 2021)". Two
# alternatives may match one marker, so each marker is atomic and the repetition possessive:
# otherwise each marker would double the ways to match a row of them.
MARKERS_ALONE = re.compile(
    r"(?:(?>[(\[](?:[\d\s,;–-]{1,200}|(?:[Pp]apers?|[Rr]efs?\.?)[\s\d,;&–-]{1,60}(?:and \d+)?"
    r"|[^()\[\]]{2,80}\d{4}[a-z]?)[)\]])\s*+)++\.?\Z"
)
# "**Answer:** ...", "**Note.**", "2) ...": labels and numbers must stay in place.
LABEL = re.compile(
    r"(?:\*\*|__)[^*_\n]{1,80}(?:[.:](?:\*\*|__)|(?:\*\*|__)(?::|[.:]?\Z))"
    r"|\(?(?:\d{1,3}|[a-h]|[ivx]{1,5})[.)]\s"
    r"|(?:Theorem|Lemma|Proposition|Corollary|Definition|Proof|Remark|Assumption|Claim|Example)"
    r"\b[ \d.]{0,8}(?:\([^()]{0,80}\))?[.:]?\Z"
)
_TAG = re.compile(r"<(/?)([A-Za-z][\w-]{0,20})(?:\s[^<>]{0,200})?>")
_HAS_WORD = re.compile(r"[^\W\d_]{2}")
_PAIRS = (("(", ")"), ("[", "]"), ("{", "}"), ("“", "”"), ("«", "»"), ("「", "」"))
_LONGEST = 3_000
_VERBS = frozenset(str.split("is are was were has have had can may will do does did"))


def is_complete(paper: Paper, start: int, end: int, block: int) -> bool:
    """Return whether ``text[start:end]``, in the block with that index, is a complete sentence."""
    text = paper.text[start:end]
    if len(text) > _LONGEST or not is_finished(text) or not _HAS_WORD.search(text):
        return False
    if any(text.count(opening) != text.count(closing) for opening, closing in _PAIRS):
        return False
    if any(text.count(mark) % 2 for mark in ('"', "$", "`", "**")) or "\ufffd" in text:
        return False
    if LABEL.match(text) or ("<" in text and not _tags_close(text)):
        return False
    first = text.lstrip("*_\"'“‘([")[:1]
    at_start = paper.blocks[block].start == start
    return not (at_start and block > 0 and first.islower())


def is_title(paper: Paper, start: int, end: int, block: int) -> bool:
    """Return whether a piece is a heading at the start of its paragraph: "Adaptive Gradient
    Methods."
    """
    if paper.blocks[block].start != start or paper.blocks[block].end == end or end - start > 80:
        return False
    words = WORDS.findall(paper.text[start:end])
    if not _VERBS.isdisjoint(words):
        return False
    long = [word for word in words if len(word) > 3]
    return 0 < len(words) <= 8 and bool(long) and all(word[0].isupper() for word in long)


def _tags_close(text: str) -> bool:
    """Return whether every HTML tag that opens also closes, by name."""
    tags = Counter[str]()
    for match in _TAG.finditer(text):
        if match[2].lower() != "br" and not match[0].endswith("/>"):
            tags[match[2].lower()] += -1 if match[1] else 1
    return not any(tags.values())


def is_finished(text: str) -> bool:
    """Return whether a sentence has an end mark, possibly followed by citation markers."""
    tail = text[-400:].rstrip()
    return bool(_ENDING.search(tail)) or bool(_ENDING.search(_without_markers(tail)))


def _without_markers(tail: str) -> str:
    """Return ``tail`` without the citation markers after its end mark: "... cells. (1, 8)"."""
    if not tail.endswith((")", "]", ").", "].")):
        return tail
    for match in re.finditer(r"[.!?…]\s+(?=[(\[])", tail):
        if MARKERS_ALONE.match(tail, match.end()):
            return tail[: match.start() + 1]
    return tail
