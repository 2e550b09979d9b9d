"""Take "may" and "might" out of a claim."""

from __future__ import annotations

import re

from revkit import Edit
from revkit_robustrev.finite_verbs import NO_VERB, coordinated, finite, verb_after
from revkit_robustrev.guards import BETWEEN, PRONOUNS, looks_plural, words
from revkit_robustrev.hedge_abilities import make_able
from revkit_robustrev.hedge_limits import (
    WORTH,
    claims,
    clause_before,
    in_parentheses,
    on_condition,
    questioned,
    supposed,
    unreal,
)
from revkit_robustrev.hedge_place import NEGATIONS, HedgePlace
from revkit_robustrev.hedge_words import ADJECTIVES, CLAIM_VERBS, GRADED, KNOWN_VERBS, PEOPLE
from revkit_robustrev.subjects import Number, subject_number

_NOT_VERB = re.compile(
    r"[ \n]not[ \n]((?!only\b|necessarily\b|even\b|yet\b)(?:[a-z]{2,20}ly[ \n])?)"
    r"([a-z]{2,20})(?![\w'’*$\\-])"
)
_NOT_NECESSARILY = re.compile(r"[ \n]not[ \n](necessarily )([a-z]{2,20})(?![\w'’*$\\-])")
_EXPLAINED = re.compile(r"[ \n](?:explained|caused|due|because|attributed)\b")
# Imagined cases, and what is allowed.
_NO_CAN = re.compile(
    r"\b(?:would|were|should|suppose|imagine|hypothetical(?:ly)?|may or may not"
    r"|might or might not|may well|might well|might as well|may as well|optional(?:ly)?|let"
    r"|could|possible that|in case)\b",
    re.IGNORECASE,
)
# A condition with a past tense is only imagined: "if we replaced A, B might learn".
_IMAGINED = re.compile(
    r"\b(?:if|unless|suppose)\b[^,;]{0,60}?(?<!is )(?<!are )(?<!be )(?<!been )(?<!not )"
    r"\b(?:were|had|did|could|[a-z]{2,20}ed)\b",
    re.IGNORECASE,
)
# What has not happened yet.
_UNTIL_THEN = re.compile(
    r"\bby (?:the )?(?:year |end of |middle of )?(?:the )?(?:20|21)\d\d\b"
    r"|\bin the (?:near |coming )?(?:future|years|decades)\b"
)
# What a thing has, not what it has done: "may have a large variance".
_NO_STATE = words("possible tractable limited due able present holding")
_HAS = re.compile(
    r"[ \n](?:an?|no|some|such|many|more|less|large|high|low|small|enough|different|similar"
    r"|its|their|[a-z]{2,20}(?:ive|ous|ful|ical|ial|able|ible))[ \n]"
)
# What something is, not a case of it: "may be the best so far".
_IDENTITY = re.compile(
    r"[ \n](?:able|as|due|because|that|the|one|our|its|their|this|these|folklore)\b"
)
_REASON = re.compile(r"[ \n]be[ \n](?:that|because|due to)\b")
# "May be used", "may be written as": what is allowed or defined.
_USED = re.compile(
    r"[ \n](?:[a-z]{2,12}ly[ \n])?(?:used|written|seen|viewed|expressed|defined|chosen|interpreted"
    r"|regarded|applied|computed|obtained|sampled|thought|considered|rewritten|replaced|set|taken"
    r"|omitted|found|assumed|noted|argued|said|formalized|formulated)\b"
)
_REPORTS = words("suggest indicate imply mean")
_NO_CASE_OF = _REPORTS | words("need want require look seem appear belong possess lie apply share")
# A cause or a relation is claimed of something definite; not of a case that occurs.
_RELATED = re.compile(
    r"[ \n](?:[a-z]{2,20}ly[ \n])?(?:related|independent|dependent|unable|responsible|involved"
    r"|associated|linked|attributed|caused|derived|explained)\b"
)
_NO_FAILURE = words(
    "always be have happen need want require fail matter know seem appear exist differ"
)
_ASIDE = re.compile(r" (?:e\.g|for (?:instance|example)|such as|however|which|as done)\b")
_NO_CASE = PRONOUNS - {"it", "that", "which", "they"}


def drop_modal(place: HedgePlace) -> Edit | None:
    """Return the edit for a modal: the plain verb, "can", "can fail to", or None."""
    if place.before.word in NEGATIONS or place.form[0].isupper():
        return None
    if place.text.startswith("Alternatively", place.low):
        return None  # one of two explanations
    if place.before.word == "or" or _UNTIL_THEN.search(place.text, place.low, place.high):
        return None  # "may help or might hurt", and "may rise by 2050": it has not happened
    plain = None if place.form == "could" else _drop_modal(place)
    return plain or make_able(place)


def _drop_modal(place: HedgePlace) -> Edit | None:
    if _CAUSAL.match(place.rest) and _OR.match(place.rest):
        return None  # of several causes, none is sure
    if in_parentheses(place) or place.before.mark == "BOUND":
        return _can(place)
    if place.before.mark:
        return None
    if place.before.word in ("reason", "cause", "explanation") and _REASON.match(place.rest):
        return None if supposed(place) else _is(place)
    relative = place.before.word in ("that", "which", "who")
    if relative and not _AFTER_COMMA.search(place.text[place.low : place.start]):
        return None  # "the share of lines that may benefit": which of several is meant
    if place.before.word in PEOPLE:
        need = place.before.word == "we" and place.after.word in ("need", "require", "rely")
        return _plain_verb(place) if need else None
    return (
        _was(place)
        or _happened(place)
        or _plain_verb(place)
        or _negated_verb(place)
        or _can(place)
        or _can_fail(place)
    )


_HAVE_DONE = re.compile(
    r"[ \n]((?:also|thus|therefore|further|even|[a-z]{2,20}ly)[ \n])?have[ \n]((?:also|thus"
    r"|further|[a-z]{2,20}ly)[ \n])?([a-z]{2,18}ed)\b"
)
_OBJECT = re.compile(
    r"[ \n](?:the|an?|it|them|its|their|our|this|these|to|in|on|by|from|with|over|for)\b"
)
_NO_PARTICIPLES = words("needed limited based related learned bred fed shed embed")


def _happened(place: HedgePlace) -> Edit | None:
    """ "May have resulted from" becomes "resulted from", which any subject takes."""
    match = _HAVE_DONE.match(place.text, place.end, place.high)
    if match is None or match[3] in _NO_PARTICIPLES or unreal(place) or supposed(place):
        return None
    sentence = place.text[place.low : place.high]
    if place.form == "might" and re.search(r"\b(?:not|no|without|lack\w*)\b|n't\b", sentence):
        return None  # "this was not done, and might have helped"
    known = match[3][:-2] in KNOWN_VERBS or match[3][:-1] in KNOWN_VERBS
    if not known and not _OBJECT.match(place.text, match.end(), place.high):
        return None  # "a class may have labeled masks"
    if coordinated(place.text[match.end() : place.high], be_only=False):
        return None
    adverbs = (match[1] or "") + (match[2] or "")
    return Edit(place.start, match.end(), adverbs + match[3], place.hedge.action)


_OR = re.compile(r"[^.;]{0,200}\b(?:or|and/or|various|several)\b")
_CAUSAL = re.compile(
    r"[ \n](?:also )?be[ \n](?:[a-z]+ly )?(?:due|because|caused|explained|attributed|attributable"
    r"|related)\b"
)


_HAVE_BEEN = re.compile(
    r"[ \n](?:also[ \n])?have[ \n](?:also[ \n])?been[ \n]"
    r"(?=(?:(?:mainly|partly|largely|mostly|primarily)[ \n])?(?:caused"
    r"|due|because|affected|influenced|driven|induced|triggered|limited|underestimated"
    r"|overestimated|introduced by|confounded|biased|attenuated|masked|facilitated|involved in"
    r"|responsible|attributed|mediated|regulated|associated|related|enhanced|triggered)\b)"
)


def _was(place: HedgePlace) -> Edit | None:
    """ "The change may have been caused by A" becomes "The change was caused by A"."""
    match = _HAVE_BEEN.match(place.text, place.end, place.high)
    if match is None or unreal(place) or supposed(place):
        return None
    number = subject_number(place.text, place.low, place.start)
    if not number or coordinated(place.text[match.end() : place.high], be_only=False):
        return None
    if _AFTER_COMMA.search(place.text[place.low : place.start]):
        return None
    new = "was " if number == "singular" else "were "
    return Edit(place.start, match.end(), new, place.hedge.action)


def _is(place: HedgePlace) -> Edit:
    """ "The reason may be that" becomes "The reason is that"."""
    return Edit(place.start, place.end + len(" be"), "is", place.hedge.action)


_TO_COME = re.compile(
    r"\b(?:[Ff]urther|[Ff]uture|[Aa]dditional|[Mm]ore) (?:research|work|stud\w{1,3})\b"
    r"|\b[Ff]uture\b|\bfurther (?:experiment|analys|investigation|effort|development)"
)


def _plain_verb(place: HedgePlace) -> Edit | None:
    """ "May improve" becomes "improves", where the number of its subject is clear."""
    found = verb_after(place)
    if found is None or (unreal(place) and found[1] not in _REPORTS):
        return None
    adverbs, verb, end = found
    if verb in _REPORTS and on_condition(place):
        return None
    if _TO_COME.search(place.text, place.low, place.start):
        return None  # "further research may provide": it has not been done
    rest = place.text[end : place.high]
    thought = _THOUGHT.search(clause_before(place)) and (
        verb in KNOWN_VERBS - {"be", "have"} or (verb == "be" and _QUALITY.match(rest))
    )
    if not (claims(rest, verb) or thought) or supposed(place):
        return None
    if place.before.word in ("we", "they") and verb not in ("need", "require", "rely"):
        return None
    if place.before.word in BETWEEN or place.before.word.endswith("ly"):
        return None  # "they often might learn"
    number = subject_number(place.text, place.low, place.start)
    if number == "plural" and _AFTER_COMMA.search(place.text[place.low : place.start]):
        return None  # "..., which may have limited": the clause may be meant
    if not number and place.before.word in ("and", "but"):
        number = _number_before(place)
    if not number and _of_clause(place, verb, place.text[end : place.high]):
        number = "singular"
    if not number or (verb == "be" and _IN_CASES.match(place.text[end : place.high])):
        return None
    singular = number == "singular"
    if coordinated(place.text[end : place.high], be_only=not singular):
        return None
    return Edit(place.start, end, finite(adverbs, verb, singular), place.hedge.action)


# What evidence suggests that something is; a place or time is left alone.
_QUALITY = re.compile(
    r"[ \n](?:[a-z]{2,20}ly[ \n])?(?!(?:able|used|possible|in|at|on|under|present)\b)"
    r"(?:an?|the|[a-z-]{3,20})[ \n]"
)
# A property in some cases: "may be poor when noise is high".
_IN_CASES = re.compile(
    r"[ \n](?:[a-z]+ly[ \n])?[a-z-]+[ \n](?:when|if|unless|under|due to|because|in (?:some|many"
    r"|such|cases?))\b"
)
_AFTER_COMMA = re.compile(r", which[ \n]\Z")


def _number_before(place: HedgePlace) -> Number:
    """The number of the subject by its first verb: "the gap is large and may be caused by"."""
    head = place.text[place.low : place.start]
    if re.search(r"[;:]|\b(?:that|which|who|while|whereas|if|when|although|because)\b|,", head):
        return ""
    verbs = re.findall(r"\b(?:is|was|has|are|were|have)\b", head)
    if len(verbs) != 1:
        return ""
    return "singular" if verbs[0] in ("is", "was", "has") else "plural"


def _of_clause(place: HedgePlace, verb: str, rest: str) -> bool:
    """Whether "which" refers to the clause before it: "..., which may be explained by"."""
    reports = verb in _REPORTS or verb == "explain" or (verb == "be" and _EXPLAINED.match(rest))
    return bool(reports) and place.text[: place.start].rstrip().endswith(", which")


_HELD = words("represent have hold suffice apply accord match correspond scale extend translate")


def _negated_verb(place: HedgePlace) -> Edit | None:
    """ "May not be optimal" becomes "is not optimal"."""
    match = _NOT_VERB.match(place.text, place.end, place.high) or _NOT_NECESSARILY.match(
        place.text, place.end, place.high
    )
    if match is None or match[2] in NO_VERB or unreal(place) or supposed(place):
        return None
    if match[2] != "be" and match[2] not in CLAIM_VERBS | _HELD:
        return None  # "may not find": a failure of some cases
    if place.before.word in ("which", "that"):
        return None  # "an order which may not be the best": any of several
    number = subject_number(place.text, place.low, place.start)
    if not number or coordinated(place.text[match.end() : place.high], be_only=False):
        return None
    singular = number == "singular"
    if match[2] == "be":
        new = f"{'is' if singular else 'are'} not {match[1].rstrip()}".rstrip()
    else:
        new = f"{'does' if singular else 'do'} not {match[1]}{match[2]}"
    return Edit(place.start, match.end(), new, place.hedge.action)


def _can(place: HedgePlace) -> Edit | None:
    """ "May" of a case that occurs becomes "can", which any subject takes."""
    found = verb_after(place)
    if found is None or not _case(place, found[1], place.text[found[2] : place.high]):
        return None
    return Edit(place.start, place.end, "can", place.hedge.action)


def _case(place: HedgePlace, verb: str, rest: str) -> bool:
    """Whether "may" before ``verb`` speaks of a case that occurs, so that "can" says it too."""
    before = place.before.word
    if before in _NO_CASE or verb in _NO_CASE_OF:
        return False
    if before == "there" and verb not in ("be", "exist"):
        return False
    if verb == "exist" and before != "there":
        return False  # that it exists is the claim
    if verb == "have" and not _HAS.match(rest):
        return False
    if verb == "be":
        worth = WORTH.match(rest)
        if _USED.match(rest) or _IDENTITY.match(rest) or _RELATED.match(rest):
            return False
        if before in ("results", "result"):
            return False
        several = before == "they" or looks_plural(before)
        if before not in ("there", "it") and (
            worth is None or worth[1] in _NO_STATE or not several
        ):
            return False  # "the class may be tractable": one thing has no cases
        if before in ("this", "it", "reason", "cause", "explanation") and (
            worth is None or not (worth[1] in GRADED or worth[1].endswith(ADJECTIVES))
        ):
            return False  # "this may be one of"
    if _WHERE.search(place.text[place.low : place.start]) or _THOUGHT.search(clause_before(place)):
        return False  # a situation that is described, or what evidence suggests
    if re.search(r"\b(?:to what|how|why)\b", clause_before(place)):
        return False
    if verb == "exist" or (verb == "be" and _OPTION.match(rest)):
        return False
    if verb in _EXPLAINING or _TO_COME.search(place.text, place.low, place.start):
        return False  # "this may reflect": a guess at one cause, no case of many
    if before in ("some", "others", "many", "several"):
        return False  # people
    end = re.split(r"[;:,]", place.text[place.start : place.high])[0]
    clause = clause_before(place) + end
    if _NO_CAN.search(place.text[place.low : place.start] + end) or questioned(place):
        return False
    if "$" in clause and (place.before.mark or in_parentheses(place)):
        return False
    if place.before.mark and not _after_aside(place):
        return False
    return not _IMAGINED.search(place.text, place.low, place.high)


_WHERE = re.compile(r"\b(?:in which|where|when|whenever)\b[^,;]*\Z|\b[Oo]therwise\b")
_THOUGHT = re.compile(r"\b(?:suggest|indicat|show|hypothes|speculat|conclud)\w* that\b")
_OPTION = re.compile(
    r"[ \n](?:[a-z]+ly[ \n])?(?:divided|designed|categorized|classified|grouped|derived|devised"
    r"|developed"
    r"|added|given|employed|adopted|implemented|incorporated|constructed|combined|extended"
    r"|modified)\b"
)
_EXPLAINING = words(
    "reflect result explain represent indicate suggest imply point stem arise derive account"
    " contribute relate"
)


def _after_aside(place: HedgePlace) -> bool:
    """Whether the form comes after an aside between commas: "sales, for instance, may rise"."""
    head = place.text[place.low : place.start].rstrip()
    parts = head[:-1].split(",")
    return head.endswith(",") and any(_ASIDE.match(part) for part in parts[1:])


def _can_fail(place: HedgePlace) -> Edit | None:
    """ "May not return" becomes "can fail to return", which any subject takes."""
    match = _NOT_VERB.match(place.text, place.end, place.high)
    if (
        match is None
        or match[1]
        or match[2] in NO_VERB | _NO_FAILURE
        or match[2].endswith(("ly", "ed"))
    ):
        return None
    if not _case(place, match[2], place.text[match.end() : place.high]):
        return None
    new = f"can fail to {match[1]}{match[2]}"
    return Edit(place.start, match.end(), new, place.hedge.action)
