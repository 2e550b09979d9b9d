"""Turn "may", "might" and "could" of a cause or an effect into "can", which any subject takes."""

from __future__ import annotations

import re

from revkit import Edit
from revkit_robustrev.finite_verbs import verb_after
from revkit_robustrev.guards import words
from revkit_robustrev.hedge_limits import clause_before, on_condition, questioned
from revkit_robustrev.hedge_place import NEGATIONS, HedgePlace
from revkit_robustrev.hedge_words import CLAIM_VERBS, GRADED, PEOPLE

# What one thing is, says or needs; "can" would make another statement of it.
_NO_ABILITY = words(
    "become capture carry dominate drop exceed exhibit imply indicate lack learn matter mean need"
    " offer prove reflect rely require result show suggest suit underlie"
)
_EFFECTS = (CLAIM_VERBS - _NO_ABILITY) | words(
    "alter assist attenuate compete confound delay disrupt elicit hide interact modify occur"
    " participate protect restrict shape support transport"
)
_CAUSED = re.compile(
    r"[ \n](?:(?:also|partly|partially|largely|mainly|primarily|mostly|simply|further|indeed"
    r"|at least (?:partly|partially)|directly)[ \n])?"
    r"(?:(?:attributed|ascribed|related|linked|due|traced)[ \n]to|attributable[ \n]to"
    r"|associated[ \n]with|responsible[ \n]for|involved[ \n]in"
    r"|(?:explained|caused|driven|mediated|induced|triggered|affected|influenced|modulated"
    r"|regulated|enhanced|impaired|hindered|masked|confounded|biased|limited|improved|reduced"
    r"|increased|decreased|dictated|mitigated|alleviated)[ \n]by)\b"
    r"|[ \n](?:also[ \n])?(?:used|exploited|utilized|utilised|employed|useful"
    r"|deployed)[ \n](?:to|for|as)\b"
)
# "Could" before other verbs is an ability, or what was possible in the past.
_COULD = re.compile(
    r"[ \n](?:(?:also|thus|therefore|partly|partially|potentially|possibly|further|even)[ \n])?"
    r"(?:explain|lead[ \n]to|result[ \n]in|cause|contribute[ \n]to|affect|influence|account[ \n]for"
    r"|play[ \n]an?|be[ \n](?:(?:also|partly|partially|largely|mainly|simply)[ \n])?(?:due"
    r"|attributed"
    r"|ascribed|related|explained|caused|driven|responsible|attributable|linked)\b)"
)
_FOUND_THAT = re.compile(
    r"\b(?:found|show\w*|observed|reveal\w*|demonstrat\w+|verified|confirm\w*)\b"
)
_OF_WORTH = re.compile(
    r"[ \n](?:(?:very|more|less|also|highly|particularly)[ \n])?([a-z-]{3,20})\b"
)
_A_ROLE = re.compile(
    r"[ \n](?:also[ \n])?an?[ \n](?:[a-z-]{2,20}[ \n]){0,2}(?:factor|cause|driver|consequence"
    r"|result|mechanism|source|contributor|determinant|limitation|tool|alternative|strategy)\b"
)
# What a thing has: no state that it reached, no duty.
_HAS = re.compile(
    r"[ \n](?!the\b|to\b|been\b|had\b|not\b|[a-z]{2,20}(?:ed|wn|en)\b)(?:an?[ \n]|some[ \n]"
    r"|more[ \n]|less[ \n])?"
    r"(?:[a-z-]+[ \n]){0,2}(?:roles?|functions?|implications?|effects?|impacts?|influence"
    r"|consequences?"
    r"|benefits?|advantages?|limitations?|potential|relationships?|significance|importance|power"
    r"|capacity|bias(?:es)?|difficult(?:y|ies)|properties)\b"
)
# A question within a sentence, a fear, somebody's hypothesis, a rule, or what is only imagined.
_REFUSED = re.compile(
    r"\b(?:how|why|what|when|whenever|until|than|extent|degree|so|such|otherwise|concerns?|fears?"
    r"|risk|likelihood|chance|probability|possibility|hypothes\w+|questions?|impression|suspicion"
    r"|argu\w+|posit|claims?|proposed?s?|would|should|were to|suppose|imagine|in principle"
    r"|in theory|where|in which|may or may not|might or might not|not only|no longer)\b",
    re.IGNORECASE,
)
_TO_COME = re.compile(
    r"\b(?:[Ff]urther|[Ff]uture|[Aa]dditional|[Mm]ore) (?:research|work|stud\w{1,3})\b"
)
_WOULD = re.compile(r"\bwould\b")
_CONDITION = re.compile(r"\b(?:if|unless|would|were to|had|instead|ideally)\b", re.IGNORECASE)


def make_able(place: HedgePlace) -> Edit | None:
    """ "Factors that may affect it" becomes "factors that can affect it"."""
    found = verb_after(place)
    before = place.before.word
    if found is None or before in NEGATIONS | PEOPLE | {"who", "there", "to"}:
        return None
    if place.before.mark == "START" or place.form[0].isupper() or questioned(place):
        return None
    verb, rest = found[1], place.text[found[2] : place.high]
    if not _of_effect(verb, rest) or _REFUSED.search(clause_before(place)):
        return None
    if "may not" in place.rest or "might not" in place.rest:
        return None
    if _TO_COME.search(place.text, place.low, place.start):
        return None  # it has not been done
    if place.form == "could" and not _of_belief(place):
        return None
    if place.form == "might" and (
        on_condition(place) or _WOULD.search(place.text, place.low, place.high)
    ):
        return None  # what is only imagined
    return Edit(place.start, place.end, "can", place.hedge.action)


def _of_belief(place: HedgePlace) -> bool:
    """Whether "could" doubts a cause or an effect: no ability, and no effect that did not occur."""
    return (
        _COULD.match(place.rest) is not None
        and not _FOUND_THAT.search(place.text, place.low, place.start)
        and not _CONDITION.search(place.text, place.low, place.high)
    )


def _of_effect(verb: str, rest: str) -> bool:
    if verb == "have":
        return _HAS.match(rest) is not None
    if verb == "result":
        return rest[1:3] in ("in", "fr")
    if verb != "be":
        return verb in _EFFECTS
    worth = _OF_WORTH.match(rest)
    graded = worth is not None and worth[1] in GRADED
    return bool(_CAUSED.match(rest) or _A_ROLE.match(rest)) or graded
