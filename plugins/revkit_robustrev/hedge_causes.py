"""Make a cause or an explanation that a paper gives less certain."""

from __future__ import annotations

import re

from revkit import Edit
from revkit_robustrev.guards import words
from revkit_robustrev.hedge_evidence import derived
from revkit_robustrev.hedge_limits import CHOICE
from revkit_robustrev.hedge_place import NEGATIONS, HedgePlace

_SHARES = words("mostly mainly largely primarily chiefly partly partially")
_BACK = words("this it which that these those")
_BEFORE = 260  # characters before a sentence in which what it explains is found


def add_cause(place: HedgePlace) -> Edit | None:
    """ "This is because" becomes "This is likely because", where it explains what was observed."""
    start, before = place.start, place.before
    if before.word in _SHARES or before.word in _NO_REASON:
        return None  # "possibly mainly due to"
    if place.after.word in ("of", "one", "we", "i", "us", "our"):
        return None
    if before.word in ("is", "are", "was", "were"):
        if before.words[-2:-1] in (("which",), ("that",)) or not _of_observation(place):
            return None  # "a state that is caused by": what it is by definition
    elif not _explains(place):
        return None
    if CHOICE.search(place.text, place.low, min(place.high, place.end + 60)):
        return None  # the author knows why he chose
    if re.match(r"[ \n]\w+[ \n](?:can|cannot)\b", place.rest):
        return None  # "because they can cause problems": a plain reason
    if " reasons " in place.rest or re.search(
        r"[$=]", place.text[max(0, place.low - 200) : place.low]
    ):
        return None  # causes that follow, or a step of a calculation
    if (
        derived(place)
        or " would " in place.rest
        or "number of" in place.text[place.low : place.high]
    ):
        return None  # a reason in mathematics, or what the author counted
    if _CITED.search(place.text, place.low, place.high):
        return None  # a cause that others established
    if place.form == "due to" and place.rest.startswith(" the fact"):
        return None
    if _POSSIBLE.search(place.text, place.low, place.high) or _MADE.search(place.rest):
        return None
    if _ANNOUNCED.match(place.rest) or _TERM.search(place.text, place.low, place.start):
        return None  # the causes follow, or the author wrote the formula
    if before.word in ("is", "are", "was", "were") or before.mark:
        return Edit(start, start, f"{place.hedge.new} ", place.hedge.action)
    blank = start - 1  # "it falls because" becomes "it falls, likely because"
    return Edit(blank, start, f", {place.hedge.new} ", place.hedge.action)


def _just_before(place: HedgePlace) -> str:
    """What is before the form in its paragraph, as far as `_BEFORE` reaches."""
    return place.text[max(0, place.low - _BEFORE) : place.start].rpartition("\n\n")[2]


def _of_observation(place: HedgePlace) -> bool:
    """Whether the sentence explains something that was observed, or else names what it explains."""
    head = place.text[place.low : place.start]
    subject = head.lower().split()
    if len(subject) >= 2 and subject[-2] not in _BACK:
        return bool(_OBSERVED.search(head))
    return bool(_OBSERVED.search(_just_before(place)))


_OBSERVED = re.compile(
    r"\b(?:better|worse|higher|lower|larger|smaller|faster|slower|more|less|fewer|poor(?:ly)?"
    r"|drop\w*|decreas\w+|increas\w+|improve\w*|degrad\w+|fail\w*|\w*perform\w*|gaps?|differ\w*"
    r"|similar\w*|surpris\w+|interesting\w*|observ\w+|seen?|found|fig(?:ure)?s?|tables?|results?"
    r"|accurac(?:y|ies)|advantages?|gains?|gained|suffer\w*|unstable|instability|collapse\w*"
    r"|diverg\w+|overfit\w*|outliers?|trends?|effects?|errors?|loss(?:es)?|discrepanc\w+"
    r"|variation|variance|reduc\w+|success\w*|strong\w*|weak\w*)\b",
    re.IGNORECASE,
)
# A reason that the author knows, since it is how something is made or defined.
_MADE = re.compile(
    r"\b(?:data ?sets?|corpus|consists?|contains?|defined|definition|requires?|needs?|has to"
    r"|have to|cannot|can only|only|every|each|all|by design|equation|formula|constraints?"
    r"|constrained|assum\w+|initiali[sz]\w+|computed|both|non-?negative|positive|zero|set to"
    r"|fixed|stopped|ended|following)\b|[α-ωΑ-Ω]",
    re.IGNORECASE,
)
_CITED = re.compile(r"\[\d|\b(?:19|20)\d\d[a-z]?\)")
_POSSIBLE = re.compile(
    r"\b(?:possib\w+|alternativ\w+|hypothes\w+|explanations?|plausibl\w+|speculat\w+|unclear"
    r"|whether|presum\w+|suppos\w+|believed|thought|consistent with|challenges?|difficult(?:y"
    r"|ies)|proposed here|perhaps|partly|partially)\b",
    re.I,
)
_ANNOUNCED = re.compile(
    r"[ \n](?:an?|the|two|three|four|several|many|various|multiple|both)[ \n]"
    r"(?:[a-z]+[ \n]){0,4}(?:reasons|factors|causes|aspects|issues)\b"
)
_TERM = re.compile(
    r"\b(?:first|second|third|fourth|last|former|latter|middle)[ \n](?:[a-z]+[ \n])?"
    r"(?:term|summand|factor)\b",
    re.IGNORECASE,
)


def _explains(place: HedgePlace) -> bool:
    """Whether the form gives a cause of what was observed, after a whole clause."""
    text, low = place.text, place.low
    head = text[low : place.start]
    words_ = head.split()
    if len(words_) < 5 or not _OBSERVED.search(head) or not _HAPPENS.search(head):
        return False
    clause = place.after.word in _CLAUSE_STARTS or place.after.word.endswith("s")
    return (
        place.form == "because"
        and clause
        and place.before.word not in NEGATIONS
        and not _OWN_ACTION.search(head)
        and not re.search(r"\b(?:that|which|who|if|when|while|not|no|so|to)\b", head)
    )


_CLAUSE_STARTS = words(
    "the they these there most many such their it this a an in some both large small different"
)
_HAPPENS = re.compile(
    r"\b(?:is|are|was|were|perform\w*|fail\w*|drops?|dropped|decreases?d?|increases?d?|improve[sd]?"
    r"|degrade[sd]?|suffer\w*|outperform\w*|underperform\w*|does|do|did|has|have|had|struggle\w*"
    r"|collapse[sd]?|diverge[sd]?|achieve[sd]?|works?|worked|converge[sd]?|show(?:s|ed)?|exhibits?"
    r"|remain\w*|vary|varies|varied|benefits?)\b"
)
_OWN_ACTION = re.compile(
    r"\b(?:we|our|us|i|chosen?|selected|used|adopted|excluded|omitted|removed|employed|dropped"
    r"|discarded|trained|evaluated|tested|compared|proposed|called|denoted|defined)\b",
    re.IGNORECASE,
)
_NO_REASON = words(
    "though although only just simply merely precisely exactly and or but possibly probably perhaps"
    " especially particularly notably even also not"
)


def add_reason(place: HedgePlace) -> Edit | None:
    """ "One reason is that" becomes "One reason may be that", for something observed."""
    head = place.text[place.low : place.start]
    if place.before.word in ("no", "same", "good", "simple") or CHOICE.search(
        place.text, place.low, place.high
    ):
        return None
    if not _OBSERVED.search(_just_before(place)):
        return None
    if derived(place) or _MADE.search(place.rest) or "?" in head:
        return None
    return Edit(place.start, place.end, place.hedge.new, place.hedge.action)


def add_explanation(place: HedgePlace) -> Edit | None:
    """ "This explains why" becomes "This may explain why"."""
    if place.before.word not in ("this", "which", "it") or derived(place):
        return None
    if place.before.mark or CHOICE.search(place.text, place.low, place.high):
        return None
    return Edit(place.start, place.end, place.hedge.new, place.hedge.action)


def add_likely(place: HedgePlace) -> Edit | None:
    """ "A clear explanation" becomes "a likely explanation", where the author did not choose."""
    if place.before.word not in ("a", "the", "one") or CHOICE.search(place.rest):
        return None
    return Edit(place.start, place.end, place.hedge.new, place.hedge.action)
