"""Check claims about comparisons: if a review states that the paper compares with X, the paper must
name X.

The seed's rule on related work: never claim "the paper compares to/cites X" unless the paper's
text contains X (ReviewGrounder, appendix E.2.5, rule 3).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from revkit_reviewground.checks.finding import Certainty, Finding
from revkit_reviewground.checks.names import Name, is_known, names
from revkit_reviewground.checks.paper_text import PaperText
from revkit_reviewground.checks.review_text import ReviewField

_GAP = r"(?:\s+[^\s.;:!?]{1,40}){0,6}?\s+"
_CLAIM = re.compile(
    rf"\b(?:compare[sd]|(?:authors|they|who|and|also|then)\s+compare|(?:by|when|in)\s+comparing"
    rf"|benchmark(?:s|ed)?|evaluate[sd]?)\b{_GAP}(?:to|with|against)\s+"
    r"|\bcomparisons?\s+(?:to|with|against)\s+"
    r"|\bcontrast(?:s|ed)?(?:\s+[^\s.;:!?]{1,30}){0,4}?\s+(?:with|to)\s+"
    r"|\b(?:lead|margin|edge|wins?|victory|superiority)\s+over\s+|\bout(?:scores?|does|classes"
    r"|shines|paces)\s+"
    r"|\b(?:outperform(?:s|ed|ing)?|beats?|beating|surpass(?:es|ed|ing)?|exceed(?:s|ed|ing)?)\s+"
    r"|\b(?:more|less)\s+\w+\s+than\s+|\b(?:faster|slower|higher|lower|worse|stronger"
    r"|cheaper)(?:\s+\w+){0,3}?\s+than\s+"
    r"|\b(?:evaluation|experiments?|comparisons?|tables?|results)\s+(?:also\s+)?(?:covers?"
    r"|includes?|considers?|features?)\s+"
    r"|\b(?:superior(?:ity)?|better|improv(?:es?|ed|ing|ements?)|advantages?|gains?)"
    r"(?:\s+\w+){0,3}?\s+(?:to|than|over|upon|against|on)\s+"
    r"|\b(?:baselines?|competitors?|(?:state-of-the-art|SOTA|existing|competing"
    r"|prior)\s+(?:methods|models|approaches|algorithms))\s*(?:\(|,?\s+(?:such\s+as|like"
    r"|including)\s+)"
    r"|\b(?:experiments?|evaluation|evaluated|tested|benchmarked|pits?"
    r"|pitted)(?:\s+[^\s.;:!?]{1,30}){0,4}?\s+against\s+"
    r"|\b(?:on\s+(?:a\s+)?par|comparable|competitive)\s+(?:with|to)\s+"
    r"|\b(?:match(?:es|ed)?(?:\s+or\s+\w+)?|rivals?|trails?|lags?\s+behind|falls?\s+behind"
    r"|overtakes?"
    r"|relative\s+to|over\s+(?:the\s+)?baselines?|superior\s+to|inferior\s+to)\s+"
    r"|\b(?:comparisons?|compared|comparing)(?:\s+(?:both|directly|favou?rably"
    r"|empirically))?\s+(?:to|with|against)\s+"
    r"|\bbaselines?\s+(?:\w+\s+){1,4}\((?=[^()]{2,60}\bamong\s+them)"
    r"|\bbaselines,\s+(?=[^,.;]{2,40}\s+(?:in\s+particular|above\s+all|especially)\b)"
    r"|\b(?:cites?|citing)\s+",
    re.IGNORECASE,
)
_BEFORE_CLAIM = (
    re.compile(
        r"\s(?:is|are|was|were)\s+(?:also\s+)?(?:among|one\s+of|used\s+as|included\s+(?:as|among"
        r"|in)"
        r"|part\s+of)\s+(?:a\s+|the\s+)?(?:\w+\s+)?(?:baselines?|competitors?"
        r"|compared\s+methods)\b",
        re.IGNORECASE,
    ),
    re.compile(
        r"\s(?:is|are|was|were)\s+(?:\w+ly\s+)?(?:outperformed|beaten|surpassed"
        r"|included\s+in\s+(?:the\s+)?(?:Table|comparison))\b",
        re.IGNORECASE,
    ),
    re.compile(
        r"\s+among\s+(?:the|its|their)\s+(?:\w+\s+)?(?:baselines|competitors)\b"
        r"|\s+(?:in\s+particular|among\s+them)(?=\W)[^.;:]{0,40}\b(?:strong|well\s+chosen"
        r"|suitable)\b",
        re.IGNORECASE,
    ),
    re.compile(
        r"\s+as\s+(?:a\s+|the\s+|its\s+|one\s+)?(?:\w+\s+)?(?:baselines?|competitors?"
        r"|points?\s+of\s+(?:comparison|reference)|comparisons?)\b",
        re.IGNORECASE,
    ),
)
_FIRST_CUE = re.compile(
    "aseline|ompetitor|ompar|eference|outperformed|beaten|surpassed|included in"
)
_CLAUSE_START = re.compile(
    r"[.;:!?]\s|\b(?:includes?|uses?|considers?|reports?|contains?|takes?|treats?)\s+",
    re.IGNORECASE,
)
_OPENING_CLAIM = re.compile(
    r"\A\W*(?:against|relative\s+to|in\s+comparison\s+(?:to|with)"
    r"|versus)\s+(?P<object>[^.;:!?,]{2,80}),\s",
    re.IGNORECASE,
)
# Clauses that ask, wish, deny or speak of others.
_NOT_CLAIMED = re.compile(
    r"\b(?:should|could|would|might|may|must|need(?:s|ed)?|suggest\w*|recommend\w*|please"
    r"|encourage\w*"
    r"|consider|if|whether|how|why|what|which|ideally|too\s+bad|helpful|useful|interesting"
    r"|beneficial|curious"
    r"|wonder\w*|want|wish\w*|like\s+to|hope|expect\w*|strengthen\w*|clarify|future|try"
    r"|not|no|n't|never|without|lack\w*|missing|absen\w+|fail\w*|omit\w*|ignor\w+|neglect\w*"
    r"|limited"
    r"|unclear|only|beyond|other\s+than|rather\s+than|nor|neither|instead|more\s+comparisons?"
    r"|(?:better|stronger|more|recent|other|additional|newer)\s+baselines?|related-work\s+search"
    r"|search\s+suggests?|external|another)\b|n't\b|n’t\b|\?",
    re.IGNORECASE,
)
# What follows the names may still deny or wish: "a comparison with X is missing".
_TAKEN_BACK = re.compile(
    r"\?|\btoo\s+bad\b|\b(?:is|are|was|were|be)\s+(?:\w+ly\s+)?(?:missing|absent|lacking|not"
    r"|needed|required"
    r"|omitted|important|necessary"
    r"|essential|crucial|useful|helpful|warranted|desirable|interesting)\b|\b(?:would|should"
    r"|could)\b",
    re.IGNORECASE,
)
_OBJECT = re.compile(r"(?:[^.;:!?\n]|(?<=\bal)\.|\.(?=\w)){1,160}")
_OBJECT_END = re.compile(
    r"\s+(?:on|in|by|across|for|using|at|while|whereas|when|because|since|showing|shows|and\s+"
    r"(?:shows?|demonstrat\w+|achiev\w+|the|is|are|provid\w+)|under|with\s+respect|as\s+well\s+as"
    r"\s+on|through|which|that|but)\s+|\s[-–—]{1,2}\s"
)


def check_comparisons(
    paper: PaperText, review: Sequence[ReviewField], others: str = ""
) -> Iterator[Finding]:
    """Yield a finding for each name that, according to the review, the paper compares with, beats,
    uses as a baseline or cites, and that the paper's text does not contain.

    Only names count that cannot be plain words (capitals inside, digits, a cited work), only in
    plain statements. ``others`` is the text of the debriefs: the message says where a name in it
    comes from.
    """
    for field in review:
        seen: set[str] = set()
        for start, sentence in field.sentences:
            for name in claimed(sentence):
                if name.text in seen or is_known(paper, name) or field.cites_reply(start):
                    continue
                seen.add(name.text)
                message = f"the paper's text does not hold {name.text!r}"
                if name.text.lower() in others.lower():
                    message += "; it comes from the related-work search"
                at = start + name.start
                yield field.finding(
                    "comparison", at, at + len(name.text), message, _certainty(name)
                )


def _certainty(name: Name) -> Certainty:
    letters = sum(map(str.isalpha, name.text))
    return "false" if letters > 2 or name.author else "suspect"


def claimed(sentence: str) -> Iterator[Name]:
    """Return the names that, according to ``sentence``, the paper compares with, beats, uses as
    baselines or cites.
    """
    for start, end in _objects_first(sentence):
        yield from _strong_names(sentence, start, end)
    for match in _CLAIM.finditer(sentence):
        clause = max(
            sentence.rfind(mark, 0, match.start()) for mark in (";", ":", ", but ", " but ")
        )
        before = sentence[max(0, clause) : match.end()]
        found = _OBJECT.match(sentence, match.end())
        if (
            _NOT_CLAIMED.search(before)
            or found is None
            or _TAKEN_BACK.search(sentence, match.end())
        ):
            continue
        stop = _OBJECT_END.search(sentence, match.end(), found.end())
        yield from _strong_names(sentence, match.end(), stop.start() if stop else found.end())


def _objects_first(sentence: str) -> Iterator[tuple[int, int]]:
    """Return the spans of names that come before the words that call them baselines."""
    spans = []
    if not _FIRST_CUE.search(sentence) and not _OPENING_CLAIM.match(sentence):
        return
    for pattern in _BEFORE_CLAIM:
        match = pattern.search(sentence)
        if match:
            low = max(0, match.start() - 80)
            starts = [found.end() for found in _CLAUSE_START.finditer(sentence, low, match.start())]
            spans.append((starts[-1] if starts else low, match.start()))
    opening = _OPENING_CLAIM.match(sentence)
    if opening:
        spans.append(opening.span("object"))
    if spans and not _NOT_CLAIMED.search(sentence):
        yield from spans


def _strong_names(sentence: str, start: int, end: int) -> Iterator[Name]:
    for name in names(" " + sentence[start:end]):
        if name.is_strong:
            yield Name(name.text, start + name.start - 1, name.author, name.year)
