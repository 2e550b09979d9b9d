"""Check claims that the paper does not mention a thing against the words of the paper.

Here the thing may be anything that the review names in a few words. To say that it is not mentioned
is contradicted by a mention. To say that it is not discussed is a matter of degree, so such a claim
counts only where the paper names the thing often, its related work or introduction included, or
in a heading, and it is only suspect.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from revkit_reviewground.checks.finding import Certainty, Finding
from revkit_reviewground.checks.folded_text import fold
from revkit_reviewground.checks.missing_scope import (
    DENIAL,
    DEPTH,
    NO_CLAIM,
    is_doubtful,
)
from revkit_reviewground.checks.missing_topics import TOPICS
from revkit_reviewground.checks.paper_text import PaperText
from revkit_reviewground.checks.review_text import ReviewField

_NOT = (
    r"(?:(?:do|does|did|is|are)\s+not|(?:do|does|did|is|are)n['’]t|never|nowhere|fail(?:s|ed)?\s+to"
    r"|neglects?\s+to|omits?\s+to)\s+(?:even\s+|ever\s+|explicitly\s+|once\s+|at\s+all\s+"
    r"|also\s+){0,2}"
)
_THING = r"(?P<thing>[^.,;:!?()\"“”\n]{2,70})"
_BEFORE = re.compile(
    r"\b(?:nowhere\s+(?:is|are)\s+(?P<nowhere>)(?=[^.,;:!?()]{2,60}\smentioned)|"
    rf"{_NOT}(?P<mention>mentions?)|{_NOT}(?:discuss(?:es)?|acknowledges?)"
    r"|(?P<none>(?:no|any|without\s+(?:any|a))\s+mention)(?:\s+is\s+made)?\s+of"
    r"|(?P<ing>without\s+mentioning)"
    r"|(?:no|without\s+(?:any|a))\s+discussion\s+(?:of|on|about)"
    r"|(?:paper|authors|manuscript|submission|work)\s+(?:overlooks?"
    rf"|ignores?|neglects?))\s+{_THING}",
    re.IGNORECASE,
)
_AFTER = re.compile(
    r"(?:^|[.;:!?]\s+|,\s+(?:but|and|yet|that)\s+|\b(?:that|because|since|however,?"
    r"|unfortunately,?)\s+)"
    r"(?P<thing>[^.,;:!?()\"“”\n]{2,60}?)\s+(?:is|are|was|were|goes|go)\s+(?:(?P<mention>(?:not"
    r"|never|nowhere)"
    r"\s+(?:even\s+|once\s+|ever\s+){0,2}mentioned|unmentioned)|(?:not"
    r"|never)\s+(?:\w+ly\s+)?discussed)\b"
    r"(?P<rest>[^.,;:!?\n]{0,40})",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"\s+(?:at\s+all|anywhere|either|explicitly|altogether|whatsoever|once|mentioned|(?:is"
    r"|are)\s+(?:offered|made"
    r"|provided|given|included|presented|found)|(?:in|throughout)\s+(?:the"
    r"|this)\s+(?:\w+\s+)?(?:paper|text|work"
    r"|manuscript|article|submission|section)|in\s+(?:the\s+)?related\s+work)\b.{0,40}\Z",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"\A\s*(?:(?:the|an?|any|its|their|either|both|even|use\s+of|topic\s+of|concept\s+of|idea\s+of"
    r"|work\s+on|literature\s+on|methods?\s+(?:for|of))\s+)+",
    re.IGNORECASE,
)
# What names nothing specific, so that its words may be in the paper for something else.
_VAGUE = re.compile(
    r"\b(?:it|this|that|these|those|which|who|whether|how|why|what|when|where|if|one|ones|them"
    r"|such|i|we"
    r"|connections?|relations?\w*|links?|differences?|similarit\w+|comparisons?|impact|effects?"
    r"|role|choice"
    r"|reasons?|implications?|assumptions?|advantages?|disadvantages?|limitations?|drawbacks?"
    r"|problems?"
    r"|issues?|results?|experiments?|contributions?|details?|works?|papers?|methods?|approach\w*"
    r"|models?"
    r"|possib\w+|potential\w*|existing|previous|prior|earlier|trade-?offs?|anything|aspects?"
    r"|points?|not"
    r"|no|any|state-of-the-art|question|need|case|way|cost|importance|performance|setting"
    r"|practical)\b",
    re.IGNORECASE,
)
# What one part of the paper does not mention, another may.
_ELSEWHERE = re.compile(
    r"\b(?:abstract|introduction|title|captions?|conclusions?|main\s+(?:text|paper|body)"
    r"|appendix|supplement\w*"
    r"|checklist|related[\s-]work|literature\s+review)\b|\b(?:table|figure|fig|section|tab"
    r"|algorithm|appendix)"
    r"\.?\s?(?:\d|[A-Z]\b)",
    re.IGNORECASE,
)
_LEAST_DISCUSSED = 5


def check_mentions(paper: PaperText, review: Sequence[ReviewField]) -> Iterator[Finding]:
    """Yield a finding for each thing that, according to the review, the paper does not mention or
    discuss although it does.

    Found whatever the inflection, hyphens, blanks and capitals, and by its acronym.
    """
    for field in review:
        for start, sentence in field.sentences:
            for low, high, strict in _denied(sentence):
                found = mentions(paper, sentence[low:high])
                shown = _evidence(paper, found, strict)
                if shown is None:
                    continue
                firm = strict and len(found) > 1 and not is_doubtful(sentence)
                certainty: Certainty = "false" if firm else "suspect"
                verb = "mention" if strict else "discuss"
                message = f"the review says that the paper does not {verb} this, but it is there"
                yield field.finding(
                    "missing", start + low, start + high, message, certainty, paper.place(*shown)
                )


def _denied(sentence: str) -> Iterator[tuple[int, int, bool]]:
    """Return where the review names a thing as not mentioned (true) or not discussed (false)."""
    if len(sentence) > 1500 or not DENIAL.search(sentence) or NO_CLAIM.search(sentence):
        return
    for pattern in (_BEFORE, _AFTER):
        for match in pattern.finditer(sentence):
            groups = match.groupdict()
            if re.match(r"\s*(?:as|for|when|why|how|before|until)\b", groups.get("rest") or ""):
                continue
            low, high = match.span("thing")
            tail = _TAIL.search(sentence, low, high)
            high = tail.start() if tail else high
            lead = _LEAD.match(sentence[low:high])
            low += lead.end() if lead else 0
            if _names_a_thing(sentence[low:high]):
                if _ELSEWHERE.search(sentence, 0, low) or _ELSEWHERE.search(
                    sentence, high, high + 60
                ):
                    continue
                strict = bool(
                    groups["mention"]
                    or any(groups.get(name) is not None for name in ("none", "ing", "nowhere"))
                )
                yield low, low + len(sentence[low:high].rstrip()), strict


def _names_a_thing(thing: str) -> bool:
    words = thing.split()
    if not 1 <= len(words) <= 4 or _VAGUE.search(thing) or DEPTH.search(thing):
        return False
    if any(topic.named.search(thing) for topic in TOPICS):
        return False
    capitals = sum(map(str.isupper, thing))
    return len(words) > 1 or len(thing) > 6 or capitals > 1


def mentions(paper: PaperText, thing: str) -> list[tuple[int, int]]:
    """Return where the paper names ``thing`` outside its reference list, at most 40 places."""
    found: list[tuple[int, int]] = []
    words = [word for word in re.split(r"[\s-]+", thing) if word]
    acronym = thing if re.fullmatch(r"[A-Z]{2,6}s?", thing) else ""
    if not acronym and 1 < len(words) < 6:
        acronym = "".join(word[0] for word in words).upper()
        acronym = acronym if len(acronym) > 2 else ""
    if acronym:
        short = re.compile(rf"(?<![A-Za-z]){re.escape(acronym.rstrip('s'))}s?(?![A-Za-z])")
        found += [match.span() for match in short.finditer(paper.text)][:200]
    for form in _forms(thing):
        at = paper.folded.text.find(form) if len(form) > 5 else -1
        while at >= 0 and len(found) < 200:
            span = paper.folded.source(at, at + len(form))
            # A find must begin where a word begins.
            if _starts_word(paper, at):
                found.append(span)
            at = paper.folded.text.find(form, at + 1)
    kept = [span for span in found if paper.role_at(span[0]) not in ("references", "front")]
    return sorted(set(kept))[:40]


def _starts_word(paper: PaperText, at: int) -> bool:
    index = bisect_left(paper.folded.starts, at)
    return index < len(paper.folded.starts) and paper.folded.starts[index] == at


def _forms(thing: str) -> list[str]:
    """Return the folded forms of ``thing``: singular, and with either spelling of "-ization"."""
    whole = fold(thing).text
    if whole.endswith("ies"):
        whole = whole[:-3]
    elif whole.endswith("s") and not whole.endswith("ss"):
        whole = whole[:-1]
    other = whole.replace("isation", "ization").replace("ised", "ized").replace("ising", "izing")
    return sorted({whole, other})


def _evidence(
    paper: PaperText, found: Sequence[tuple[int, int]], strict: bool
) -> tuple[int, int] | None:
    if strict:
        return found[0] if found else None
    for start, end in found:
        block = paper.block_at(start)
        if block is not None and block.kind == "heading":
            return start, end
    discussed = [
        span for span in found if paper.role_at(span[0]) in ("related-work", "introduction")
    ]
    return discussed[0] if discussed and len(found) >= _LEAST_DISCUSSED else None
