"""Take "may have", "might have" and "could have" out of what is said to have happened."""

from __future__ import annotations

import re

from revkit import Edit
from revkit_robustrev.finite_verbs import coordinated
from revkit_robustrev.guards import words
from revkit_robustrev.hedge_limits import (
    in_parentheses,
    supposed,
    unreal,
)
from revkit_robustrev.hedge_place import HedgePlace
from revkit_robustrev.hedge_words import KNOWN_VERBS, PEOPLE
from revkit_robustrev.subjects import subject_number

EXPLAINED = re.compile(r"[ \n](?:explained|caused|due|because|attributed)\b")
_WITHOUT = re.compile(r"\b(?:if|would|had|should|either|or|not|without|instead)\b", re.IGNORECASE)
DID = re.compile(
    r"[ \n](?:also[ \n])?have[ \n](?:also[ \n])?(?:led|resulted|caused|contributed"
    r"|affected|influenced|biased|limited|introduced|reduced|increased|confounded|masked|impacted"
    r"|altered|been[ \n]"
    r"(?:[a-z]+ly[ \n])?(?:caused|due|affected|influenced|driven|induced|biased|confounded))\b"
)


def could_have(place: HedgePlace) -> Edit | None:
    """ "This could have led to a loss" becomes "this led to a loss", of what did occur."""
    if not DID.match(place.rest) or _WITHOUT.search(place.text, place.low, place.high):
        return None
    if in_parentheses(place) or place.before.word in PEOPLE or place.before.mark:
        return None
    return was_caused(place) or happened(place)


_HAVE_DONE = re.compile(
    r"[ \n]((?:also|thus|therefore|further|even|[a-z]{2,20}ly)[ \n])?have[ \n]((?:also|thus"
    r"|further|[a-z]{2,20}ly)[ \n])?((?:[a-z]{2,18}ed|led|made|had|become|arisen|begun|given|grown"
    r"|undergone|lost|come|taken|brought)(?![a-z-])|been[ \n](?=[a-z]))"
)
_PASTS = {
    "become": "became",
    "arisen": "arose",
    "begun": "began",
    "given": "gave",
    "grown": "grew",
    "undergone": "underwent",
    "come": "came",
    "taken": "took",
}
_OBJECT = re.compile(
    r"[ \n](?:the|an?|it|them|its|their|our|this|these|to|in|on|by|from|with|over|for)\b"
)
_NO_PARTICIPLES = words("needed limited based related learned bred fed shed embed")


def happened(place: HedgePlace) -> Edit | None:
    """ "May have resulted from" becomes "resulted from", which any subject takes."""
    match = _HAVE_DONE.match(place.text, place.end, place.high)
    if match is None or match[3] in _NO_PARTICIPLES or unreal(place) or supposed(place):
        return None
    sentence = place.text[place.low : place.high]
    if place.form == "might" and re.search(r"\b(?:not|no|without|lack\w*)\b|n't\b", sentence):
        return None  # "this was not done, and might have helped"
    if coordinated(place.text[match.end() : place.high], be_only=False):
        return None
    adverbs = (match[1] or "") + (match[2] or "")
    if match[3].startswith("been"):
        return _had_been(place, match.end(), adverbs)
    irregular = not match[3].endswith("ed")
    known = irregular or match[3][:-2] in KNOWN_VERBS or match[3][:-1] in KNOWN_VERBS
    if not known and not _OBJECT.match(place.text, match.end(), place.high):
        return None  # "a class may have labeled masks"
    past = _PASTS.get(match[3], match[3])
    return Edit(place.start, match.end(), adverbs + past, place.hedge.action)


def _had_been(place: HedgePlace, end: int, adverbs: str) -> Edit | None:
    """ "They may have been lost" becomes "they were lost"."""
    number = subject_number(place.text, place.low, place.start)
    if not number or AFTER_COMMA.search(place.text[place.low : place.start]):
        return None
    if "up to" in place.text[end : place.high]:
        return None
    new = f"{'was' if number == 'singular' else 'were'} {adverbs}"
    return Edit(place.start, end, new, place.hedge.action)


_HAVE_BEEN = re.compile(
    r"[ \n](?:also[ \n])?have[ \n](?:also[ \n])?been[ \n]"
    r"(?=(?:(?:mainly|partly|largely|mostly|primarily)[ \n])?(?:caused"
    r"|due|because|affected|influenced|driven|induced|triggered|limited|underestimated"
    r"|overestimated|introduced by|confounded|biased|attenuated|masked|facilitated|involved in"
    r"|responsible|attributed|mediated|regulated|associated|related|enhanced|triggered)\b)"
)


def was_caused(place: HedgePlace) -> Edit | None:
    """ "The change may have been caused by A" becomes "The change was caused by A"."""
    match = _HAVE_BEEN.match(place.text, place.end, place.high)
    if match is None or unreal(place) or supposed(place):
        return None
    number = subject_number(place.text, place.low, place.start)
    if AFTER_COMMA.search(place.text[place.low : place.start]):
        if not EXPLAINED.match(place.text, match.end() - 1, place.high):
            return None
        number = "singular"  # the clause before "which"
    if not number or coordinated(place.text[match.end() : place.high], be_only=False):
        return None
    new = "was " if number == "singular" else "were "
    return Edit(place.start, match.end(), new, place.hedge.action)


AFTER_COMMA = re.compile(r", which[ \n]\Z")
