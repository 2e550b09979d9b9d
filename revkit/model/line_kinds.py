"""Kinds of lines: patterns that distinguish markup and remains of PDF layout from prose."""

from __future__ import annotations

import re
from collections.abc import Sequence

from revkit.model.structure import BlockKind

BULLET = re.compile(r"[-*+•◦▪·–]\s+(?=\S)")
NUMBERED = re.compile(r"(\d{1,3})[.)]\s+(?=\S)")
RULE = re.compile(r"(?:-{2,}|={2,}|(?:-\s*){3,}|(?:\*\s*){3,}|(?:_\s*){3,})\Z")
DELIMITER_ROW = re.compile(r"\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)+\|?\Z")
FENCE = re.compile(r"(`{3,}+|~{3,}+)(?![^`\n]*`)")
CAPTION = re.compile(
    r"(?:\*\*|__|\*|_)?(?:(?P<table>Table|Tab\.|TABLE)|Figure|Fig\.|FIGURE|FIG\.|Algorithm|ALGORITHM"
    r"|Listing)[ \u00a0]*[A-Z]?\d{1,3}(?:\.\d{1,2})?[a-z]?(?:\*\*|__|\*|_)?\s?"
    r"(?:[:|]|\.(?=\s|\*|\Z)|[–—-]\s)"
    r"|(?:\*\*)?Algorithm \d{1,3} [A-Z]"
)
# A line that ends so goes on with "Figure 3" on the next one.
MID_SENTENCE = re.compile(
    r"(?:^|\s)(?:in|see|and|of|from|to|by|the|cf\.|e\.g\.,?|with|or|,|\()\s{0,3}\Z"
)
SUB_CAPTION = re.compile(r"\([a-h]\)\s")
RUNNING_HEAD = re.compile(
    r"(?:Published as a|Under review as|Accepted as|Accepted at|Preprint\b|Under review\b"
    r"|Workshop track\b|arXiv:\d{4}\.\d+v\d+\s+\[|Submitted to\b"
    r"|Anonymous (?:authors?|ACL submission)|Paper under double-blind review"
    r"|\d+(?:st|nd|rd|th) Conference on Neural)[^.!?]{0,70}\.?\Z"
)
PAGE_LINE = re.compile(r"\d{1,3}\Z|-{3,}\Z|" + RUNNING_HEAD.pattern)
HTML_BLOCK = re.compile(
    r"<(?:!--|!DOCTYPE|\?xml|/?(?P<name>table|figure|img|svg|pre|script|style|math|textarea|div"
    r"|center|details|summary|iframe|section|article|header|footer|nav|html|head|body|link|meta"
    r"|form|video|audio|picture|thead|tbody|tr|td|th|dl|hr|br)\b)",
    re.IGNORECASE,
)
_LETTER_WORD = re.compile(r"(?<![\w\\{}_^$])[A-Za-z]?[a-z]{2,}(?![\w{}_^\[])")
FUNCTION_WORDS = frozenset(
    str.split(
        "the of a an and to in is are was were we for with on as by that this from be it our can"
        " where which if or not has have at then let these there all The We In A An To For This"
        " It Our where, is: As"
    )
)
_ENTRY_SIGN = re.compile(
    r"\b(?:19|20)\d\d\b|://|\bpp?\.\s?\d|\b(?:vol|eds?)\.|\bdoi:", re.IGNORECASE
)
_STOPPED = re.compile(r"[.?!:;,][\"”’)*_]*(?:\[\^?[\w,; –-]{1,20}\])?[\"”’)*_]*\Z")
_OTHER_SCRIPT = re.compile("[\u0400-\u1fff\u3040-\u9fff\uac00-\ud7af]")
_RELATION = re.compile(r"[=<>≤≥≈∈∑∏∫→∥⊤∇∂×·−±√≜∼]")
_CODE_SIGN = re.compile(
    r"[=;{}\[\]]|\(\)|->|::|^\s*(?:def|for|if|return|import|class|print|var|let|end)\b"
)


def is_code(lines: Sequence[str]) -> bool:
    """Return whether indented lines are code: all of them are indented, and they are not clearly
    sentences.
    """
    if not all(line.startswith(("    ", "\t")) for line in lines):
        return False
    body = " ".join(lines)
    words = body.split()
    if _CODE_SIGN.search(body) is None and len(_LETTER_WORD.findall(body[:600])) > 0.6 * min(
        len(words), 100
    ):
        return len(words) < 4
    return True


def is_sentence(body: str) -> bool:
    """Return whether ``body`` reads as a sentence and not as a line of names and places."""
    words = body.split()
    return (
        len(words) > 2
        and body[-1] in ".?!:"
        and "@" not in body
        and not (FUNCTION_WORDS.isdisjoint(words))
    )


def is_running_text(body: str) -> bool:
    """Return whether ``body`` is prose and not an entry of a reference list, which has names and a
    year.
    """
    words = body[:600].split()
    return (
        len(words) > 7
        and body[0].isupper()
        and is_sentence(body)
        and sum(map(FUNCTION_WORDS.__contains__, words)) * 6 >= len(words)
        and _ENTRY_SIGN.search(body) is None
    )


def junk_kind(body: str) -> BlockKind | None:
    """Return the kind of a short run of lines that is not prose, or `None` for prose.

    PDF text holds axis labels, cells of tables and torn formulas as if they were paragraphs. Only
    what has neither the words nor the stops of a sentence is taken for such.
    """
    tokens = body[:400].split()
    count = len(tokens)
    stopped = _STOPPED.search(body[-28:]) is not None and (len(tokens[-1]) > 2 or count > 9)
    function_words = sum(map(FUNCTION_WORDS.__contains__, tokens))
    if stopped and function_words > 2 and function_words * 9 > count:
        return None
    if not body.isascii() and _OTHER_SCRIPT.search(body[:200]):
        return None
    if RUNNING_HEAD.match(body):
        return "front-matter"
    if count <= 3:
        ended = stopped and any(map(str.isalpha, body))
        lead_in = function_words > 0 and all(map(str.isalpha, tokens))
        return None if ended or lead_in or "$" in body else "figure"
    if not stopped:
        lines = body.count("\n") + 1
        numbers = sum(1 for token in tokens if token.strip("-+±()%,.")[:1].isdigit())
        if numbers > 0.3 * count or (lines > 1 and len(body) < 28 * lines):
            return "figure"
    words = sum(1 for token in tokens if len(token) > 1 and token.strip("(,.;:)").isalpha())
    if words < 0.3 * count and not (stopped and words > 5) and "$" not in body:
        return "math" if _RELATION.search(body) else "figure"
    if not stopped and count <= 12 and not function_words and "$" not in body:
        return "figure"
    return None
