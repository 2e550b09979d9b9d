"""Base verbs after a modal or "to": finding them, and making them finite."""

from __future__ import annotations

import re

from revkit_robustrev.guards import BE, DETERMINERS, PRONOUNS, words
from revkit_robustrev.hedge_lexicon import lexicon
from revkit_robustrev.hedge_place import NEGATIONS, HedgePlace
from revkit_robustrev.hedge_words import KNOWN_VERBS, OTHER_VERBS
from revkit_robustrev.subjects import PREPOSITIONS

_CONJUNCTIONS = words("and or but nor if when while that which because than as")
_NO_VERBS = words("well due either neither both too me us him her them")
NO_VERB = DETERMINERS | PRONOUNS | PREPOSITIONS | _CONJUNCTIONS | NEGATIONS | _NO_VERBS
_ADVERBS = (
    r"(?:(?:also|even|already|still|then|thus|therefore|often|sometimes|further|only|simply|just"
    r"|in turn"
    r"|nevertheless|indeed|instead|(?:at least )?in part|at least"
    r"|(?!(?:apply|rely|imply|comply|supply|multiply|reply|fly)\b)[a-z]{2,20}ly)[ \n]){0,2}"
)
_VERB = re.compile(rf"[ \n]({_ADVERBS})([a-z]{{2,20}})(?![\w'’*$\\-])")
_FALSE_ENDINGS = re.compile(r"(?:ed|ing|s|ly)\Z")
_ABSTRACT_NOUN = re.compile(r"(?:ity|ness|ism|(?<!func)(?<!n)tion|zero|chance|random)\Z")
_TRUE_VERBS = words(
    "need feed proceed exceed succeed embed shed speed bleed breed bring cling swing spring"
    " sing ring pass discuss focus process possess assess address miss guess express access"
    " suppress stress compress cross progress apply rely imply comply supply multiply reply"
    " discriminate"
)
_COORDINATION = re.compile(
    r"((?:,[ \n])?\b(?:and|or|but)|,)[ \n](?:(?:also|even|then|thus|therefore|hence|further|not|to"
    r"|in turn|[a-z]{2,20}ly)[ \n]){0,3}([a-z][a-z-]*)"
)
_NOUN_ENDING = re.compile(
    r"(?:tion|sion|ment|ity|ness|ance|ence|ism|ist|ing|ed|ous|able|ible|ful|less|ic|ical|ial|ary"
    r"|ship|hood|ogy|phy|[^s]s)\Z"
)
_VERBS_LIKE_NOUNS = words(
    "implement complement supplement augment experiment enhance advance balance influence"
    " reference sentence function question mention condition position need bring exceed proceed"
    " feed bias fail mimic enable disable"
)
_SAFE_WORDS = (
    DETERMINERS
    | PRONOUNS
    | PREPOSITIONS
    | _CONJUNCTIONS
    | BE
    | words(
        "where whether how why then thus hence so although since whereas unlike e.g i.e etc"
        " respectively not especially particularly other others new more less better worse higher"
        " lower different large small long short many some such non low high real deep good bad"
        " slow fast noise data time speed accuracy memory model performance quality size training"
        " test task image text poor rich noisy sparse dense wide deep shallow weak global local"
        " fast cheap costly expensive brittle fragile"
    )
)


def third_person(verb: str) -> str:
    """The third person singular of the present: "improve" -> "improves", "be" -> "is"."""
    irregular = {"be": "is", "have": "has", "do": "does", "go": "goes", "undergo": "undergoes"}
    if verb in irregular:
        return irregular[verb]
    if verb.endswith(("s", "x", "z", "ch", "sh", "o")):
        return verb + "es"
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + "s"


def verb_after(place: HedgePlace) -> tuple[str, str, int] | None:
    """Return (adverbs, base verb, its end) right after the form; None without a clear verb."""
    match = _VERB.match(place.text, place.end, place.high)
    if match is None:
        return None
    adverbs, verb = match[1].replace("\n", " "), match[2]
    if (
        verb in NO_VERB
        or _ABSTRACT_NOUN.search(verb)
        or (_FALSE_ENDINGS.search(verb) and verb not in _TRUE_VERBS)
    ):
        return None
    if re.match(r"[ \n](?:not|never)\b", place.text[match.end() : match.end() + 8]):
        return None
    kept = [word for word in adverbs.split() if word not in lexicon().removal]
    return "".join(f"{word} " for word in kept), verb, match.end()


def coordinated(rest: str, *, be_only: bool) -> bool:
    """Whether another base verb may hang on the one that changes: "may help and improve"."""
    for match in _COORDINATION.finditer(rest.partition(";")[0]):
        joint, word = match[1], match[2]
        if joint[0] == "," and joint != "," and match.start() > _FAR:
            continue
        to = joint != "," and re.search(r"[ \n]to[ \n]", match[0])
        if word in ("be", "have") or to:
            return True
        if be_only or joint == "," or word in _SAFE_WORDS:
            continue
        if joint[0] == ",":
            if word in KNOWN_VERBS and _OBJECT.match(rest, match.end()):
                return True
            continue
        if word in _VERBS_LIKE_NOUNS or word in KNOWN_VERBS or word in OTHER_VERBS:
            return True
        if not _NOUN_ENDING.search(word) and _OBJECT.match(rest, match.end()):
            return True
    return False


_FAR = 90  # characters after which ", and" joins clauses
# After these a word without the ending of a noun or adjective may be a verb with its object.
_OBJECT = re.compile(
    r"[ \n](?:the|an?|this|that|these|those|its|their|our|it|them|us|to|as|up|out|off|away|into"
    r"|from|with|on|by|all|each|any|more|less|how|whether|when)\b|[.,;]"
)


def finite(adverbs: str, verb: str, singular: bool) -> str:
    """Return the verb behind its adverbs, in the present tense and its number."""
    if verb == "be":
        return (
            ("is " if singular else "are ") + adverbs.rstrip()
            if adverbs
            else ("is" if singular else "are")
        )
    return adverbs + (third_person(verb) if singular else verb)


IRREGULAR_PAST = {
    "have": "had",
    "do": "did",
    "go": "went",
    "get": "got",
    "give": "gave",
    "grow": "grew",
    "hold": "held",
    "keep": "kept",
    "lead": "led",
    "lose": "lost",
    "make": "made",
    "rise": "rose",
    "fall": "fell",
    "arise": "arose",
    "take": "took",
    "begin": "began",
    "become": "became",
    "underlie": "underlay",
    "bring": "brought",
    "come": "came",
    "find": "found",
    "build": "built",
    "deal": "dealt",
    "draw": "drew",
    "drive": "drove",
    "overcome": "overcame",
    "undergo": "underwent",
    "spend": "spent",
    "leave": "left",
    "meet": "met",
    "occur": "occurred",
    "prefer": "preferred",
    "infer": "inferred",
    "confer": "conferred",
    "transfer": "transferred",
    "control": "controlled",
    "plateau": "plateaued",
    "overlap": "overlapped",
    "mimic": "mimicked",
    "overfit": "overfitted",
    "underfit": "underfitted",
    "format": "formatted",
}
# Irregular verbs, and verbs that double their last letter.
_NO_PAST = words(
    "be bear bend bet bind bite bleed blow break breed burn burst buy cast catch choose cling"
    " cost creep cut dig drink eat feed feel fight flee fly forget forgive freeze hang hear hide"
    " hit hurt know lay lean leap learn lend let lie light mean mistake pay put quit read ride"
    " ring run say see seek sell send set shake shed shine shoot show shrink shut sing sink sit"
    " sleep slide speak speed spin split spread spring stand steal stick sting strike swear sweep"
    " swell swim swing teach tear tell think throw understand wake wear weep win wind withdraw"
    " write refer defer deter incur concur recur permit commit submit admit emit omit regret equip"
    " embed compel propel excel patrol forbid program refit offset upset reset mislead misread"
    " override overrun overwrite rewrite rebuild withstand foresee outrun undo redo"
)


def past_tense(verb: str) -> str | None:
    """The simple past: "improve" -> "improved", "grow" -> "grew"; None where it is not sure."""
    if verb in IRREGULAR_PAST:
        return IRREGULAR_PAST[verb]
    if verb in _NO_PAST or re.fullmatch(r"[^aeiou]*[aeiou][^aeiouwxy]", verb):
        return None
    if verb.endswith("e"):
        return verb + "d"
    if re.search(r"[^aeiou]y\Z", verb):
        return verb[:-1] + "ied"
    return verb + "ed"
