"""Take "may" and "might" out of a claim."""

from __future__ import annotations

import re

from revkit import Edit
from revkit_robustrev.finite_verbs import NO_VERB, coordinated, finite, verb_after
from revkit_robustrev.guards import BETWEEN, PRONOUNS, looks_plural, words
from revkit_robustrev.hedge_abilities import make_able
from revkit_robustrev.hedge_limits import (
    PERFECT,
    WORTH,
    clause_before,
    in_parentheses,
    on_condition,
    questioned,
    supposed,
    unreal,
)
from revkit_robustrev.hedge_past import AFTER_COMMA, EXPLAINED, could_have, happened, was_caused
from revkit_robustrev.hedge_place import NEGATIONS, HedgePlace
from revkit_robustrev.hedge_states import stated
from revkit_robustrev.hedge_words import ADJECTIVES, CLAIM_VERBS, GRADED, PEOPLE
from revkit_robustrev.subjects import Number, subject_number

_NOT_VERB = re.compile(
    r"[ \n]not[ \n]((?!only\b|even\b|yet\b)(?:[a-z]{2,20}ly[ \n]|always[ \n]|also[ \n])?)"
    r"([a-z]{2,20})(?![\w'’*$\\-])"
)
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
LISTED = re.compile(
    r"\b(?:reasons|explanations|possibilities|hypotheses|factors)\b.*\((?:1|i|a)\)", re.S
)
# What has not happened yet.
_UNTIL_THEN = re.compile(
    r"(?<![\d–-])(?:20[3-9]\d|21\d\d)\b|[–-](?:20[2-9]\d|21\d\d)\b|\bprojected to\b"
    r"|\bclimate projections?\b|"
    r"\bby (?:the )?(?:year |end of |middle of )?(?:the )?(?:20|21)\d\d\b"
    r"|\bin the (?:near |coming )?(?:future|years|decades)\b"
)
# What a thing has, not what it has done: "may have a large variance".
_NO_STATE = words("tractable limited due able present holding")
_HAS = re.compile(
    r"[ \n](?:an?|no|some|such|many|more|less|large|high|low|small|enough|different|similar"
    r"|its|their|[a-z]{2,20}(?:ive|ous|ful|ical|ial|able|ible))[ \n]"
)
# What something is, not a case of it: "may be the best so far".
_IDENTITY = re.compile(
    r"[ \n](?:able|as|due|because|that|the|one|our|its|their|this|these|folklore)\b"
)
_REASONS = words("reason cause explanation interpretation")
_REASON = re.compile(r"[ \n]be[ \n](?:that|because|due to)\b")
_NAMED = re.compile(
    r"[ \n]be[ \n](?!(?:found|seen|used|attributed|explained|given)\b)(?!.{0,200}\bor\b)"
)
_THE_REASON = re.compile(
    r"[ \n]be[ \n](?:the|one)[ \n](?:[a-z]+[ \n])?(?:reason|cause|explanation)[ \n]"
    r"(?:for|of|why|that|behind)\b"
)
# "May be used", "may be written as": what is allowed or defined.
_USED = re.compile(
    r"[ \n](?:[a-z]{2,12}ly[ \n])?(?:used|written|seen|viewed|expressed|defined|chosen|interpreted"
    r"|regarded|applied|computed|obtained|sampled|thought|considered|rewritten|replaced|set|taken"
    r"|omitted|found|assumed|noted|argued|said|formalized|formulated)\b"
)
_REPORTS = words("suggest indicate imply mean")
_NO_CASE_OF = _REPORTS | words(
    "know need want require look seem appear belong possess lie apply share"
)
# A cause or a relation is claimed of something definite; not of a case that occurs.
_RELATED = re.compile(
    r"[ \n](?:[a-z]{2,20}ly[ \n])?(?:related|independent|dependent|unable|responsible|involved"
    r"|associated|linked|attributed|caused|derived|explained)\b"
)
_NO_FAILURE = words("be have happen need want require fail matter know seem appear exist differ")
_ASIDE = re.compile(r" (?:e\.g|for (?:instance|example)|such as|however|which|as done)\b")
_NO_CASE = PRONOUNS - {"it", "that", "which", "they"}


def drop_modal(place: HedgePlace) -> Edit | None:
    """Return the edit for a modal: the plain verb, "can", "can fail to", or None."""
    if place.before.word in NEGATIONS or place.form[0].isupper():
        return None
    if place.text.startswith("Alternatively", place.low):
        return None  # one of two explanations
    if LISTED.search(place.text, place.low, place.high):
        return None  # "several reasons: (1) noise may have grown; (2)"
    if place.before.word == "or":
        return None  # "may help or might hurt"
    if _UNTIL_THEN.search(place.text, place.low, place.high):
        return _will(place)
    if _THE_REASON.match(place.rest) and place.before.word in ("which", "this", "that", "it"):
        return None if supposed(place) or unreal(place) else _is(place)
    if place.form == "could" and not _COULD_BE_CAUSED.match(place.rest):
        return could_have(place) if _HAVE.match(place.rest) else make_able(place)
    return _drop_modal(place) or make_able(place)


def _drop_modal(place: HedgePlace) -> Edit | None:
    if _CAUSAL.match(place.rest) and _OR.match(place.rest):
        return None  # of several causes, none is sure
    if in_parentheses(place) or place.before.mark == "BOUND":
        return _can(place)
    if place.before.mark:
        return None
    if place.form == "might" and NOT_DONE.match(place.rest):
        return None  # "a test might have helped": there was none
    plan = place.rest.startswith(" be to ") and _ONE_PLAN.search(clause_before(place))
    one = _ONE_REASON.search(clause_before(place)) and _NAMED.match(place.rest)
    if plan or one:
        return None if questioned(place) or unreal(place) else _is(place)
    if place.before.word in _REASONS and _REASON.match(place.rest):
        return None if supposed(place) else _is(place)
    relative = place.before.word in ("that", "which", "who")
    if place.before.word == "which" and _COULD_BE_CAUSED.match(place.rest):
        relative = False
    if relative and not AFTER_COMMA.search(place.text[place.low : place.start]):
        return None  # "the share of lines that may benefit": which of several is meant
    if place.before.word == "we" and _MISJUDGED.match(place.rest):
        return happened(place)
    if place.before.word in PEOPLE:
        need = place.before.word == "we" and place.after.word in ("need", "require", "rely")
        return _plain_verb(place) if need else None
    return (
        _is_possible(place)
        or _there_is(place)
        or was_caused(place)
        or happened(place)
        or _any_one(place)
        or _plain_verb(place)
        or _negated_verb(place)
        or _can(place)
        or _can_fail(place)
    )


def _will(place: HedgePlace) -> Edit | None:
    """ "May rise by 2050" becomes "will rise by 2050"."""
    found = verb_after(place) or _NOT_VERB.match(place.text, place.end, place.high)
    if found is None or place.form == "could" or place.before.mark or unreal(place):
        return None
    if place.before.word in NEGATIONS | PEOPLE | {"that", "who"} or supposed(place):
        return None
    return Edit(place.start, place.end, "will", place.hedge.action)


_HAVE = re.compile(r"[ \n](?:also[ \n])?have[ \n]")
_MISJUDGED = re.compile(r"[ \n]have[ \n](?:under|over)(?:estimated|reported)\b")
_ONE_REASON = re.compile(
    r"\b(?:[Oo]ne|[Aa]nother|[Tt]he|\b[Aa]|[Oo]ur) (?:[a-z]{1,20} ){0,2}(?:reason|explanation|cause"
    r"|factor) (?:for|why|of|behind|to|in) (?!.{0,160}\b(?:reasons|explanations|causes)\b)"
)


_ONE = re.compile(
    r"[ \n](?:also[ \n])?be[ \n](?:an?|one|little|no single|another)[ \n](?!few\b|number\b)"
)
_SEVERAL = re.compile(
    r"[ \n](?:also[ \n])?be[ \n](?:two|three|four|several|many|other|multiple|additional|similar"
    r"|different|various|some)[ \n][a-z-]*(?:[ \n][a-z-]+){0,2}?s\b"
)


def _there_is(place: HedgePlace) -> Edit | None:
    """ "Suggests that there may be a gap" becomes "shows that there is a gap"."""
    if place.before.word != "there" or not _THOUGHT.search(clause_before(place)) or unreal(place):
        return None
    one = _ONE.match(place.rest)
    match = one or _SEVERAL.match(place.rest)
    if match is None or supposed(place):
        return None
    also = "also " if place.rest[1:].startswith("also") else ""
    end = place.end + len(f" {also}be")
    return Edit(place.start, end, f"{'is' if one else 'are'} {also}".rstrip(), place.hedge.action)


def _is_possible(place: HedgePlace) -> Edit | None:
    """ "It may be possible to" becomes "it is possible to"."""
    found = verb_after(place)
    if found is None or found[1] != "be" or place.before.word != "it" or supposed(place):
        return None
    if not place.text.startswith(" possible to ", found[2]) or on_condition(place):
        return None
    return Edit(place.start, found[2], finite(found[0], "be", singular=True), place.hedge.action)


_INDEFINITE = re.compile(
    r"(?:\A\s*|\bthat )[Aa]n? (?!(?:[a-z]+ )?(?:number|variety|range|series|lot|few)\b)"
    r"(?!.*\b(?:that|which|is|are|was|were)\b)"
)


def _any_one(place: HedgePlace) -> Edit | None:
    """ "A model may reach" becomes "a model can reach": any of several is meant."""
    if place.after.word == "be" or not _INDEFINITE.search(clause_before(place)):
        return None
    return _can(place) or make_able(place)


# "Could" that guesses at a cause, and speaks of no ability.
_COULD_BE_CAUSED = re.compile(
    r"[ \n](?:(?:also|partly|partially|in part|thus|therefore|mainly|most likely)[ \n])?"
    r"(?:be[ \n](?:that\b|(?:(?:[a-z]+ly|in part|at least in part)[ \n])?(?:due|because|caused"
    r"|related|associated|linked)\b"
    r"|(?:an?|the|one of the)[ \n](?:[a-z-]+[ \n]){0,2}(?:reasons?|causes?|consequences?"
    r"|explanations?)\b|the result of\b|a result of\b|one reason\b)|have been[ \n]"
    r"(?:(?:[a-z]+ly|in part)[ \n])?(?:due|because|caused)\b)"
)
NOT_DONE = re.compile(
    r"[ \n]have[ \n](?:[a-z]+ly[ \n])?(?:helped|provided|allowed|enabled|benefited|improved"
    r"|revealed|yielded|given|been (?:useful|helpful|better|interesting|beneficial|possible))\b"
)
_OR = re.compile(r"[^.;]{0,200}\b(?:or|and/or)\b|[^.;]{0,28}\b(?:various|several)\b")
_CAUSAL = re.compile(
    r"[ \n](?:also )?be[ \n](?:[a-z]+ly )?(?:due|because|caused|explained|attributed|attributable"
    r"|related)\b"
)


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
    if _CONDITIONED.match(place.text, place.low, place.start) and verb not in ("be", "have"):
        return None  # "when noise is high, it may grow"
    thought = _THOUGHT.search(clause_before(place)) and (
        verb not in ("be", "have")
        or (verb == "be" and _QUALITY.match(rest) and not _USED.match(rest))
        or (verb == "have" and not PERFECT.match(rest))
    )
    plan = verb == "be" and rest.startswith(" to ") and _PLAN.search(clause_before(place))
    if not (stated(rest, verb) or thought or plan) or supposed(place):
        return None
    if place.before.word in ("we", "they") and verb not in ("need", "require", "rely"):
        return None
    if place.before.word in BETWEEN or place.before.word.endswith("ly"):
        return None  # "they often might learn"
    number = subject_number(place.text, place.low, place.start)
    if number == "plural" and _of_clause(place, verb, place.text[end : place.high]):
        number = "singular"
    if number == "plural" and AFTER_COMMA.search(place.text[place.low : place.start]):
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


# "One strategy may be to consume less".
_PLAN = re.compile(
    r"\b(?:strategy|approach|way|option|solution|alternative|direction|step|goal|remedy)\b"
)
_ONE_PLAN = re.compile(
    r"\b(?:[Oo]ne|[Aa]nother|[Aa]n?|[Tt]he) (?:[a-z-]{1,20} ){0,2}(?:strategy|approach|way|option"
    r"|solution"
    r"|alternative|direction|step|goal|remedy)\b(?!.{0,160}\b(?:is|are|was|were|that|which)\b)"
)
_CONDITIONED = re.compile(r"(?:If|When|Whenever)\b(?! so\b)[^,;]*,[^,;]*\Z")
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


def _number_before(place: HedgePlace) -> Number:
    """The number of the subject by its first verb: "the gap is large and may be caused by"."""
    head = place.text[place.low : place.start]
    if re.search(r"[;:]|\b(?:that|which|who|while|whereas|if|when|although|because)\b|,", head):
        return ""
    verbs = re.findall(
        r"\b(?:is|was|has|are|were|(?<!may )(?<!might )(?<!can )(?<!to )have)\b", head
    )
    if len(verbs) != 1:
        return ""
    return "singular" if verbs[0] in ("is", "was", "has") else "plural"


def _of_clause(place: HedgePlace, verb: str, rest: str) -> bool:
    """Whether "which" refers to the clause before it: "..., which may be explained by"."""
    reports = (
        verb in _REPORTS
        or verb in ("explain", "reflect")
        or (verb == "be" and EXPLAINED.match(rest))
    )
    return bool(reports) and place.text[: place.start].rstrip().endswith(", which")


_HELD = words("represent hold suffice apply accord match correspond scale extend translate")


def _negated_verb(place: HedgePlace) -> Edit | None:
    """ "May not be optimal" becomes "is not optimal", and "masks may not cover all of it" becomes
    "masks do not always cover all of it", since a verb without a claim fails in some cases.
    """
    match = _NOT_VERB.match(place.text, place.end, place.high)
    if match is None or match[2] in NO_VERB or unreal(place) or supposed(place):
        return None
    adverbs, verb = match[1], match[2]
    been = _NOT_BEEN.match(place.text, place.end, place.high)
    if verb == "have" and not been and _PARTICIPLE.match(place.text, match.end(), place.high):
        return None  # "may not have reached"
    if place.before.word == "which" and AFTER_COMMA.search(place.text[place.low : place.start]):
        return Edit(place.start, place.end, "will", place.hedge.action)
    if place.before.word in ("which", "that"):
        return None  # "an order which may not be the best": any of several
    number = subject_number(place.text, place.low, place.start)
    if not number or coordinated(place.text[match.end() : place.high], be_only=False):
        return None
    rest = place.text[match.end() : place.high]
    sure = verb in CLAIM_VERBS | _HELD or (verb == "be" and _one_thing(place, number))
    if (
        not sure
        and not been
        and (verb in _NO_FAILURE - {"be"} or _USED.match(rest) or _MATTERS.match(rest))
    ):
        return None
    often = "" if sure or adverbs.strip() in _SHARE else "always "
    singular = number == "singular"
    if been:
        return Edit(
            place.start, been.end(), f"{'was' if singular else 'were'} not", place.hedge.action
        )
    if verb == "be":
        new = f"{'is' if singular else 'are'} not {often}{adverbs}".rstrip()
    else:
        new = f"{'does' if singular else 'do'} not {often}{adverbs}{verb}"
    return Edit(place.start, match.end(), new, place.hedge.action)


_NOT_BEEN = re.compile(r"[ \n]not[ \n]have[ \n]been(?=[ \n])")
_PARTICIPLE = re.compile(r"[ \n](?:[a-z]+ly[ \n])?(?:[a-z]{2,18}ed|been|had|made|led|found)\b")
_SHARE = words("always necessarily fully entirely completely generally exactly only")
_MATTERS = re.compile(r"[ \n](?:enough|an?|the|that|as|able|until|yet)\b")


_DEFINITE = words("these those the our its their both")


def _one_thing(place: HedgePlace, number: Number) -> bool:
    """Whether the subject is one known thing, or known things, so that no share of it is meant."""
    return number == "singular" or not _DEFINITE.isdisjoint(clause_before(place).lower().split())


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
        if (
            rest.startswith(" possible")
            or _USED.match(rest)
            or _IDENTITY.match(rest)
            or _RELATED.match(rest)
        ):
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
    if verb in _EXPLAINING:
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
_THOUGHT = re.compile(
    r"\b(?:suggest|indicat|show|hypothes|speculat|conclud|impl(?:y|ies|ied)|reveal|demonstrat|propos"
    r"|believ|think|suspect|posit|postulat|argu|means)\w* that\b"
)
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
        or place.before.word in PRONOUNS
        or match[1]
        or match[2] in NO_VERB | _NO_FAILURE
        or match[2].endswith(("ly", "ed"))
    ):
        return None
    if not _case(place, match[2], place.text[match.end() : place.high]):
        return None
    new = f"can fail to {match[1]}{match[2]}"
    return Edit(place.start, match.end(), new, place.hedge.action)
