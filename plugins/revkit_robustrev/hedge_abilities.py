"""Turn "may", "might" and "could" of a cause or an effect into "can", which any subject takes."""

from __future__ import annotations

import re

from revkit import Edit
from revkit_robustrev.finite_verbs import verb_after
from revkit_robustrev.guards import words
from revkit_robustrev.hedge_limits import PERFECT, WORTH, clause_before, on_condition, questioned
from revkit_robustrev.hedge_place import NEGATIONS, HedgePlace
from revkit_robustrev.hedge_states import AFFECTED, QUALITIES, stated
from revkit_robustrev.hedge_words import ADJECTIVES, CLAIM_VERBS, GRADED, PEOPLE

_SOME = words("who there to some others many several most few")
# What one thing is, says, needs or wants; "can" would make another statement of it.
_NO_ABILITY = words(
    "belong consist correspond drop equal exist imply indicate know lack mean need point possess"
    " refer reflect rely remain represent result seek seem share show stem suggest suit underlie"
    " want wish wonder"
)
_EFFECTS = (CLAIM_VERBS - _NO_ABILITY) | words(
    "alter assist attenuate change compete confound delay disrupt elicit hide interact modify occur"
    " motivate participate protect restrict shape support transport"
)
_ADVERB = (
    r"(?:(?:also|indeed|further|directly|very|quite|more|[a-z]{3,20}ly|in part"
    r"|at least (?:partly|partially|in part))[ \n])?"
)
_CAUSED = re.compile(
    rf"[ \n]{_ADVERB}"
    r"(?:(?:[a-z]{2,20}(?:ed|wn|en)|found|due|led|driven|built|made)[ \n](?:to|by|in|from|with"
    r"|for|as|on|at"
    r"|using|through|under|when|during|via)"
    r"|attributable[ \n]to|responsible[ \n]for|useful[ \n](?:to|for|as))\b"
)
# "May be divided into", "may be written as": what is defined or chosen.
_CHOSEN = re.compile(
    r"[ \n](?:[a-z]{2,12}ly[ \n])?(?:used[ \n](?:in|on|with|by)|written|seen|viewed|expressed"
    r"|defined|chosen|interpreted"
    r"|regarded"
    r"|computed|sampled|thought|rewritten|replaced|set|taken|omitted|assumed|noted"
    r"|argued"
    r"|said|formalized|formulated|divided|designed|categorized|classified|grouped|derived|devised"
    r"|developed|added|given|adopted|implemented|incorporated|constructed|combined|extended"
    r"|modified"
    r"|abbreviated|denoted|initialized|removed|applied|coupled|acquired|obtained|known|needed)\b"
)
# In the past, "could" is an ability, or what was possible then.
_COULD_BE = re.compile(
    rf"[ \n]be[ \n]{_ADVERB}(?:attributed|ascribed|related|linked|due|explained|caused|driven"
    r"|mediated"
    r"|responsible|attributable|involved|implicated|associated|beneficial|useful|helpful|harmful"
    r"|important|detrimental|problematic|advantageous|an?[ \n]|used[ \n](?:to|for|in|as)|exploited"
    r"|improved|realised|realized|deployed|derived|increased|decreased|reduced|enhanced|lowered"
    r"|altered|affected|influenced|limited|impaired|hampered|hindered)\b"
)
_PAST = re.compile(r"[^.;,]{0,120}\b(?:was|were|had|did|been)\b")
_FOUND_THAT = re.compile(
    r"\b(?:found|show\w*|believed|expected|thought|reported|illustrated|observed|reveal\w*"
    r"|demonstrat\w+|verified|confirm\w*) that\b"
)
_OF_WORTH = re.compile(
    r"[ \n](?:(?:very|more|less|also|even|too|quite|[a-z]{2,20}ly)[ \n])?([a-z-]{3,20})(?![\w-])"
)
_A_ROLE = re.compile(
    r"[ \n](?:also[ \n])?(?:an?|another)[ \n](?:[a-z-]{2,20}[ \n]){0,2}(?:factor|cause|driver"
    r"|consequence"
    r"|result|mechanism|source|contributor|determinant|limitation|tool|alternative|strategy"
    r"|explanation|reason|option|problem|issue|solution|approach|way|means|method|step|target"
    r"|candidate|marker|biomarker|indicator|predictor|advantage|disadvantage|barrier|obstacle"
    r"|challenge|opportunity|threat|hazard|underestimate|overestimate|response|adaptation"
    r"|artifact|sign|bottleneck|drawback|direction|confounder|bias)\b"
    r"|[ \n]of[ \n](?:[a-z]+[ \n])?(?:benefit|importance|interest|relevance|help|value|use)\b"
)
# What a thing has: no state that it reached, no duty.
_HAS = re.compile(
    r"[ \n](?!the\b|to\b|been\b|had\b|not\b|[a-z]{2,20}(?:ed|wn|en)\b)(?:an?[ \n]|some[ \n]"
    r"|more[ \n]|less[ \n])?"
    r"(?:[a-z-]+[ \n]){0,2}(?:roles?|functions?|implications?|effects?|impacts?|influence"
    r"|consequences?"
    r"|benefits?|advantages?|potential|relationships?|significance|importance|power"
    r"|capacity|bias(?:es)?|difficult(?:y|ies)|properties)\b"
)
# A question within a sentence, a fear, somebody's hypothesis, a rule, or what is only imagined.
_REFUSED = re.compile(
    r"\b(?:until|than|only a few|readers?|(?:to|what) (?:[a-z]+ )?(?:extent|degree)|otherwise"
    r"|concerns?|fears?|risk|likelihood|chance|probability|possibility|questions?|impression"
    r"|suspicion|expect(?:ed)?|would|should|were to|suppose|imagine|may or may not"
    r"|might or might not|not only|no longer|so (?:that|as)|such that)\b",
    re.IGNORECASE,
)
_REFUSED_OF_COULD = re.compile(
    r"\b(?:when|whenever|what|so|hypothes[ie]s|in principle|in theory|in which)\b", re.IGNORECASE
)
_TO_COME = re.compile(
    r"\b(?:[Ff]urther|[Ff]uture|[Aa]dditional|[Mm]ore) (?:research|work|stud\w{1,3}|exploration)\b"
)
# What work to come can bring, or be about.
_PLANNED = re.compile(
    r"[ \n](?:also[ \n]|further[ \n]|then[ \n])?(?:provide|reveal|help|clarify|improve|identify"
    r"|elucidate|shed|explore|consider|examine|investigate|address|extend|study|lead to|focus on"
    r"|include|determine|evaluate|test|assess|incorporate|benefit from|use|apply|combine|uncover"
    r"|explain|show|yield|contribute to|enable|allow|facilitate|build on|be extended)\b"
)
_WOULD = re.compile(r"\bwould\b")
_MEASURED = re.compile(r"[^.;]{0,60}(?:\b(?:by|to)[ \n](?:up to[ \n])?\d|\d ?%)")
_ELSEWHERE = re.compile(r"\b(?:where|neither|nor|no|none)\b", re.IGNORECASE)
_CONDITION = re.compile(r"\b(?:unless|would|were to|had|instead|ideally)\b", re.IGNORECASE)


def make_able(place: HedgePlace) -> Edit | None:
    """ "Factors that may affect it" becomes "factors that can affect it"."""
    found = verb_after(place)
    before = place.before.word
    if found is None or before in NEGATIONS | PEOPLE | _SOME | {"what"}:
        return None
    if place.before.mark == "START" or place.form[0].isupper() or questioned(place):
        return None
    if place.text.startswith("Otherwise", place.low):
        return None
    verb, rest = found[1], place.text[found[2] : place.high]
    clause = clause_before(place)
    if not _of_effect(verb, rest) or _REFUSED.search(clause):
        return None
    if place.form == "could" and _REFUSED_OF_COULD.search(clause):
        return None
    if place.form == "might" and verb == "be" and _ONE_OF.match(rest):
        return None  # "might be made by noise or by heat": a guess at what happened
    if "may not" in place.rest or "might not" in place.rest:
        return None
    planned = _TO_COME.search(clause) is not None
    if planned and not _PLANNED.match(place.rest):
        return None  # it has not been done
    if place.form == "could" and not (planned or _of_belief(place, verb)):
        return None
    if _PEOPLE.search(clause):
        return None
    pronoun = {"it", "this"} & set(place.before.words[-2:])
    if place.form == "might" and pronoun and verb not in _EFFECTS | {"be", "have", "result"}:
        return None  # an event to come
    if place.form == "might" and (
        on_condition(place) or _WOULD.search(place.text, place.low, place.high)
    ):
        return None  # what is only imagined
    return Edit(place.start, place.end, "can", place.hedge.action)


_PEOPLE = re.compile(
    r"\b(?:women|men|mothers|girls|boys|children|individuals|persons?|adults|adolescents|parents"
    r"|smallholders|households|workers|respondents|policymakers?)[ \n]"
    r"(?:[a-z]+ly[ \n]|also[ \n])?\Z"
)


# "Could learn", "could show": an ability.
_OF_COULD = (_EFFECTS | {"be", "have", "result"}) - words(
    "produce activate learn capture carry achieve arise appear become exceed exhibit dominate"
)


_ONE_OF = re.compile(r"[ \n][a-z]{2,20}ed[ \n]by\b[^.;]{0,120}[ \n]or[ \n]")


def _of_belief(place: HedgePlace, verb: str) -> bool:
    """Whether "could" doubts an effect: no ability of the past, and none that did not occur."""
    guessed = _PERHAPS.match(place.rest) or _SUGGESTED.search(clause_before(place))
    if verb not in _OF_COULD and (verb in _NO_ABILITY or not guessed):
        return False
    return (
        (verb != "be" or _could_be(place))
        and not _PAST.match(place.rest)
        and not _PAST.search(clause_before(place))
        and (verb == "be" or not _FOUND_THAT.search(place.text, place.low, place.start))
        and not _MEASURED.match(place.rest)
        and not _ELSEWHERE.search(clause_before(place))
        and not _CONDITION.search(place.text, place.low, place.high)
        and not on_condition(place)
    )


_SUGGESTED = re.compile(r"\b(?:suggest|indicat|impl(?:y|ies|ied)|hypothes|speculat)\w* that\b")
_PERHAPS = re.compile(r"[ \n](?:also[ \n])?(?:potentially|possibly|perhaps)[ \n]")


def _could_be(place: HedgePlace) -> bool:
    """Whether "could be" guesses at a cause, an effect, a role or a worth."""
    found = verb_after(place)
    if found is None:
        return False
    rest = " be" + place.text[found[2] : place.high]
    worth = _WORTH.match(rest)
    graded = bool(worth and worth[1] in QUALITIES - {"better", "well", "limiting"})
    role = _A_ROLE.match(rest[3:]) is not None
    return graded or role or _COULD_BE.match(rest) is not None or stated(rest[3:], "be")


_WORTH = re.compile(
    r"[ \n]be[ \n](?:(?:very|more|less|also|highly|particularly|especially|quite|even|too)[ \n])?"
    r"([a-z-]{3,20})\b"
)


def _of_effect(verb: str, rest: str) -> bool:
    if verb == "have":
        return _HAS.match(rest) is not None or _is_had(rest)
    if verb == "result":
        return rest[1:3] in ("in", "fr")
    if verb != "be":
        return verb in _EFFECTS or verb not in _NO_ABILITY | CLAIM_VERBS
    caused = _CAUSED.match(rest) and not _CHOSEN.match(rest)
    return bool(caused or _A_ROLE.match(rest)) or _of_quality(rest)


def _is_had(rest: str) -> bool:
    """Whether a thing follows "have", and no participle of what happened."""
    return not PERFECT.match(rest) and _HAD.match(rest) is not None


# "Have a different length", "have increased levels of".
_HAD = re.compile(
    r"[ \n](?!limitations\b|us\b)[a-z-]{4,20}s[ \n](?:to|of|in|for|on|from)\b|"
    r"[ \n](?!(?:the|to|been|had|not|led|made|that|it|them|we|our|limitations?|room)\b)"
    r"(?:(?:an?|no|some|more|less|fewer|many|several|another|different|other)[ \n][a-z-]+"
    r"|(?:[a-z-]{3,20}(?:al|ic|ve|ar|ous|ent|ant|er))[ \n]"
    r"[a-z-]{3,20})\b(?![ \n]been\b)"
)


def _of_quality(rest: str) -> bool:
    """Whether "be" with ``rest`` says of what worth, how much or how affected something is."""
    named = _OF_A_WORTH.match(rest)
    if named is not None:
        return named[1] in GRADED | QUALITIES
    graded = _OF_WORTH.match(rest)
    if graded is not None and graded[1] in GRADED | AFFECTED:
        return True
    worth = WORTH.match(rest)
    if worth is None or worth[1] in _NO_QUALITIES:
        return False
    return worth[1] in QUALITIES or (
        worth[1].endswith(_ADJECTIVES) and not worth[1].endswith("ing")
    )


# "Able" is an ability already; "positive" and the like are values in mathematics.
_NO_QUALITIES = words(
    "able unable possible positive negative available independent dependent tractable"
    " present identical equivalent"
)
_ADJECTIVES = (*ADJECTIVES, "less", "ent", "ant", "al", "ic", "ary")
# What something is said to be with a word of worth: "be a more accurate term".
_OF_A_WORTH = re.compile(
    r"[ \n](?:also[ \n])?an?[ \n](?:(?:more|less|very|[a-z]{2,20}ly)[ \n])?([a-z-]{3,20})[ \n]"
)
