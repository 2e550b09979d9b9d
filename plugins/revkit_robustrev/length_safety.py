"""Which sentences can go without a loss that a reader of the rest would notice."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from revkit.model.paper import Paper
from revkit_robustrev.elaboration import ElaborationPlace

# Background and discussion can lose a sentence; a method or a result only an aside.
_OPEN = ("introduction", "related-work", "discussion")
_ASIDE = re.compile(
    r"(?:For example|For instance|As an (?:example|aside|illustration)|To illustrate|Note that"
    r"|Notice that|Recall that|Intuitively|Of course|In other words|Put differently|It is worth"
    r"|It should be noted|Interestingly|Obviously|Clearly|Loosely speaking|Naturally"
    r"|As (?:mentioned|noted|discussed|stated) (?:above|before|earlier)|That is,|Imagine)\b"
)
_OUTLOOK = re.compile(
    r"\b(?:future work|for the future|left for future|leave [^.]{0,60} (?:to|for|as) future"
    r"|remainder of (?:this|the) paper|rest of (?:this|the) paper|organi[sz]ed as follows"
    r"|future research|interesting direction)\b",
    re.IGNORECASE,
)
# A turn that answers the sentence before; without it that one would say more than its author.
_TURN = re.compile(
    r"(?:However|But|Nevertheless|Nonetheless|Yet|Still|Instead|In contrast|By contrast|Conversely"
    r"|On the other hand|On the contrary|Fortunately|Luckily|Unfortunately"
    r"|To (?:this end|that end|address|solve|overcome|tackle"
    r"|alleviate|accomplish|answer|cope|do) |Therefore|Thus|Hence|As a result|Consequently)\b"
)
_ANNOUNCING = re.compile(
    r"\b(?:two|three|four|five|several|some|both|following|first|little|few|naive|limit\w{0,7}|needed|kinds?|types?|categories|classes|groups?"
    r"|approaches|ways|lines?|questions?|issues|challenges|components|parts|steps|stages)\b"
    r"|[?:]\s*\Z",
    re.IGNORECASE,
)
# What is missing in earlier work is why a paper was written; and a pointer leads to an exhibit.
_GAP = re.compile(
    r"\b(?:no|not|nor|never|lack\w{0,3}|unclear|unknown|unsatisf\w{2,6}|yet|intractable|appears?"
    r"|seems?|fig|figures?|algorithms?|tables?|sections?|appendix|deviations?|relations?)\b",
    re.IGNORECASE,
)
_BACK = re.compile(
    r"\b(?:it|them|they|its|their|such|later|these|those|this|former|latter)\b", re.I
)
_OWN = re.compile(r"\b(?:we|our|us|ours|this paper|this work|here)\b", re.IGNORECASE)
# What opens a sentence that takes up the one before it.
_TAKING_UP = re.compile(
    r"(?:Moreover|Furthermore|Additionally|In addition|Also|Similarly|Likewise|Besides|Another"
    r"|Other|Second|Third|Finally|Lastly|Next|Then|More recently|Recently|The (?:second|third|other"
    r"|latter|former|first|same|resulting|remaining|rest|main|key|two|three)|One (?:of|such"
    r"|example)|Unlike|Among|Examples|Most of|All of|Here|There|Again|Alternatively"
    r"|At the same time|Yet another"
    r"|The|A|An|This|These|Those|Such|It|They|Despite|Although|While|As)\b"
    r"|[^.]{0,80}\balso\b"
)


def safe_places(paper: Paper, places: Sequence[ElaborationPlace]) -> list[ElaborationPlace]:
    """``places`` without the cost of those that could be missed: in sections of method and result
    all but asides; turns, announcements, and whatever the next sentence takes up."""
    sentences = paper.sentences
    spans = [paper.text[sentence.start : sentence.end] for sentence in sentences]
    found = []
    for index, place in enumerate(places):
        block = sentences[index].block
        following = index + 1 < len(sentences) and sentences[index + 1].block == block
        safe = (
            place.cost is not None
            and _can_go(spans[index], paper.blocks[block].role)
            and not (following and _takes_up(spans[index + 1]))
        )
        found.append(replace(place, cost=place.cost if safe else None))
    return found


def _takes_up(span: str) -> bool:
    return bool(_TAKING_UP.match(span) or _TURN.match(span) or _BACK.search(span, 0, 60))


def _can_go(span: str, role: str) -> bool:
    if _TURN.match(span) or _ANNOUNCING.search(span) or _GAP.search(span) or "$" in span:
        return False
    if _ASIDE.match(span) or _OUTLOOK.search(span):
        return True
    return role in _OPEN and not _OWN.search(span)
