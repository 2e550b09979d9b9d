"""Remove a hedge from a sentence so that a plain, grammatical statement remains.

Each function gets a `HedgePlace` and returns an edit, or None where it is not sure. Negation is
never touched: "may not improve" has no plain form that says the same about what was tried.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from revkit import Edit
from revkit_robustrev.finite_verbs import NO_VERB, coordinated, finite, verb_after
from revkit_robustrev.guards import (
    BE,
    DETERMINERS,
    HAVE,
    MODALS,
    PRONOUNS,
    last_plain,
    looks_plural,
    words,
)
from revkit_robustrev.hedge_limits import (
    POSSIBILITY,
    PREDICATE,
    WORTH,
    clause_before,
    first_glance,
    in_parentheses,
    possible_claim,
    questioned,
    supposed,
)
from revkit_robustrev.hedge_modals import drop_modal
from revkit_robustrev.hedge_place import NEGATIONS, HedgePlace
from revkit_robustrev.hedge_reports import replace_quality, replace_report
from revkit_robustrev.hedge_states import QUALITIES, STATE_VERBS
from revkit_robustrev.hedge_words import (
    ADJECTIVES,
    CAUSES,
    CLAIM_PARTICIPLES,
    CLAIM_VERBS,
    DEGREES,
    GRADED,
    KNOWN_VERBS,
)
from revkit_robustrev.subjects import PREPOSITIONS, subject_number

_DEGREES = words("more less most least as so very how too quite only even than equally just")
_OPENINGS = PREPOSITIONS | words(
    "although though while since as if when because given despite unlike however thus moreover"
    " furthermore hence therefore after before until unless whereas once where so then here also"
    " but and yet"
)


def remove_hedge(place: HedgePlace) -> Edit | None:
    """Return the edit that removes the hedge at ``place``, or None if that is not safe."""
    if place.form[0].isupper() and place.before.mark != "START":
        return None
    edit = _ACTIONS[place.hedge.action](place)
    if edit is None or _TAKEN_UP.search(place.text, place.high, place.high + 320):
        return None
    if place.hedge.action == "drop-modal" and edit.new != "can":
        return None if supposed(place) else edit
    return None if questioned(place) else edit


# The next sentences test it or call it a hypothesis: it is none any more without its hedge.
_TAKEN_UP = re.compile(
    r"\b(?:To (?:test|verify|confirm|validate|check|examine|investigate|address) (?:this|that"
    r"|these|our"
    r"|whether|if)|(?:[Tt]his|Our|The|These|Such) (?:hypothes[ie]s|conjectures?|speculations?"
    r"|possibilit(?:y|ies)|suspicions?)|If (?:so|true|this is)|Alternatively|Another possib"
    r"|(?:[Ff]urther|[Ff]uture|[Mm]ore|[Aa]dditional) (?:[a-z]+ )?(?:research|work|stud(?:y|ies)"
    r"|experiments?|analys[ei]s|investigations?|data|evidence)\b[^.]{0,50}\b(?:needed|required"
    r"|necessary|warranted|should) [^.]{0,30}(?:confirm|verify|test|whether|validate|prove)"
    r"|This (?:possibility|hypothesis|remains|needs to be|has to be|(?:is|remains) (?:[a-z]+ )?"
    r"(?:contentious|controversial|debated|speculative|unproven)))"
)


def _drop_infinitive(place: HedgePlace) -> Edit | None:
    found = verb_after(place)
    before = last_plain(place.before)
    base = place.hedge.new == "base" and place.before.word == before
    joined = before in ("and", "or", "does", "do", "did") and place.before.mark == ""
    if found is not None and base and (before in ("will", "would", "can") or joined):
        if joined and (found[1] == "be" or "not" in place.before.words or in_parentheses(place)):
            return None
        return Edit(place.start, place.end + 1, "", place.hedge.action)
    denied = place.before.words[-2:] in (("does", "not"), ("do", "not"))
    if found is not None and denied and place.form in ("seem to", "appear to"):
        if in_parentheses(place):
            return None
        if found[1] == "be":
            return _is_not(place, found)
        if first_glance(place):
            return None
        return Edit(place.start, place.end + 1, "", place.hedge.action)
    if found is None or before in MODALS or before in NEGATIONS or before in HAVE or before == "i":
        return None
    if (
        place.before.word in NEGATIONS
        or "not" in place.before.words[-2:]
        or place.before.mark == "START"
    ):
        return None
    singular = place.hedge.new == "third"
    doubtful = DETERMINERS - PRONOUNS - {"these", "those", "both", "all", "many", "several"}
    if not singular and before in doubtful | BE | {"do", "does", "did"}:
        return None
    if _ASKED.search(clause_before(place)):
        return None  # "nor does it appear to"
    joined = before in ("and", "or", "") and place.before.mark == ""
    if not singular and joined and not _PLURAL_CLAUSE.search(place.text, place.low, place.start):
        return None
    adverbs, verb, end = found
    if verb in ("better", "worse"):
        return None  # "tends to better detect"
    known = KNOWN_VERBS | STATE_VERBS | _SEEMING_VERBS
    if in_parentheses(place) or (singular and verb not in known):
        return None
    if not place.form.startswith("tend") and first_glance(place):
        return None
    if place.form.startswith("tend") and _MORE_THAN.match(place.rest):
        return None  # "errors tend to be larger than": a comparison that holds for most cases
    if coordinated(place.text[end : place.high], be_only=not singular):
        return None
    return Edit(place.start, end, finite(adverbs, verb, singular), place.hedge.action)


_ASKED = re.compile(r"\b(?:does|do|did)[ \n](?!not\b)[^,;]{1,40}\Z")
_PLURAL_CLAUSE = re.compile(r"\b(?:are|were|have)\b")
_SEEMING_VERBS = words(
    "call carry come conflict contrast distribute echo emphasize encourage experience extend face"
    " grow impose live make mirror originate peak perceive recruit remove run send serve share"
    " shape slow spread target trigger understand want"
)
_MORE_THAN = re.compile(
    r"[ \n]be[ \n](?:[a-z]{2,12}er|(?:more|less)[ \n][a-z]+)[ \n][^.;,]{0,40}\bthan\b"
)


def _is_not(place: HedgePlace, found: tuple[str, str, int]) -> Edit | None:
    """ "Does not seem to be" becomes "is not"."""
    does = re.search(r"\b(does|do)[ \n]not[ \n]\Z", place.text[place.low : place.start])
    if does is None or coordinated(place.text[found[2] : place.high], be_only=True):
        return None
    be = "is not" if does[1] == "does" else "are not"
    new = f"{be} {found[0]}".rstrip()
    return Edit(place.low + does.start(), found[2], new, place.hedge.action)


_PAST_FORMS = {
    "be": "",
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
}
_STRONG = words(
    "lie find meet put cut hit read see say tell think know run win seek spend underlie"
)


def _drop_past(place: HedgePlace) -> Edit | None:
    """ "The gap appeared to be small" becomes "the gap was small"."""
    found = verb_after(place)
    if found is None or place.before.mark or place.before.word in NEGATIONS | MODALS | HAVE:
        return None
    if last_plain(place.before) in PRONOUNS - {"it", "they", "this", "which"}:
        return None
    adverbs, verb, end = found
    if first_glance(place) or in_parentheses(place) or verb in _STRONG:
        return None
    if coordinated(place.text[end : place.high], be_only=False):
        return None
    if verb == "be":
        number = subject_number(place.text, place.low, place.start)
        if not number:
            return None
        new = f"{'was' if number == 'singular' else 'were'} {adverbs}".rstrip()
    elif verb in _PAST_FORMS:
        new = adverbs + _PAST_FORMS[verb]
    elif verb in KNOWN_VERBS | STATE_VERBS | _SEEMING_VERBS and re.fullmatch(
        r"[a-z]+?(?:e|[^aeiouy][^aeiouwxye]|ain|er|ow|get)", verb
    ):
        new = adverbs + (verb + "d" if verb.endswith("e") else verb + "ed")
    else:
        return None
    return Edit(place.start, end, new, place.hedge.action)


def _drop_copula(place: HedgePlace) -> Edit | None:
    before = last_plain(place.before)
    match = PREDICATE.match(place.rest)
    if match is not None and place.form == "seem" and place.before.words[-2:] in _DO_NOT:
        return _is_not_so(place, match[1])
    if match is None or before in MODALS or before in NEGATIONS or not before:
        return None
    degree = match[1] in DEGREES and match[2] in QUALITIES
    graded = match[1] in QUALITIES or degree or _SUFFICIENT.match(place.rest) is not None
    worth = WORTH.match(place.rest)
    if not graded and not (worth and worth[1].endswith(ADJECTIVES[1:])):
        return None
    if first_glance(place) or in_parentheses(place):
        return None
    if before in ("do", "does", "did", "i", "and", "or") or "not" in place.before.words[-2:]:
        return None
    return Edit(place.start, place.end, place.hedge.new, place.hedge.action)


_DO_NOT = (("does", "not"), ("do", "not"))
_SUFFICIENT = re.compile(
    r"[ \n]an?[ \n](?:[a-z]+ly[ \n])?(?:sufficient|natural|good|reasonable|promising|plausible"
    r"|suitable|useful|necessary|better|simple|viable|valid|key|major)\b"
)


def _is_not_so(place: HedgePlace, word: str) -> Edit | None:
    """ "Does not seem useful" becomes "is not useful"."""
    does = re.search(r"\b(does|do)[ \n]not[ \n]\Z", place.text[place.low : place.start])
    if does is None or word not in QUALITIES or first_glance(place) or in_parentheses(place):
        return None
    be = "is not" if does[1] == "does" else "are not"
    return Edit(place.low + does.start(), place.end, be, place.hedge.action)


def _replace(place: HedgePlace) -> Edit | None:
    found = verb_after(place)
    if place.before.mark or place.before.word in NEGATIONS or found is None:
        return None
    clause = place.before.word == "which" and place.text[: place.start].endswith(", which ")
    if place.before.word in ("that", "who") or questioned(place):
        return None  # "words that are likely to appear": a property, no doubt
    if place.before.word == "which" and not clause:
        return None
    singular = place.form.startswith("is")
    if found[1] == "be":
        if _EVENT.match(place.text, found[2], place.high):
            return Edit(place.start, place.end, "will", place.hedge.action)
        return Edit(place.start, found[2], finite(*found[:2], singular), place.hedge.action)
    effect = found[1] == "have" and _EFFECT.match(place.text, found[2], place.high)
    if found[1] in _STATES and not effect and not coordinated(place.rest, be_only=False):
        return Edit(place.start, found[2], finite(*found[:2], singular), place.hedge.action)
    return Edit(place.start, place.end, place.hedge.new, place.hedge.action)


# What will happen: "be created"; "be biased" and "be linked" are states.
_EVENT = re.compile(
    r"[ \n](?!(?:biased|linked|related|limited|associated|involved|affected|needed|required"
    r"|located|caused|driven|influenced|based|overestimated|underestimated|mediated)\b)"
    r"(?:[a-z]{3,20}ly[ \n])?(?:[a-z]{2,20}[^ue\W]ed|made|given|found|seen|kept|lost|felt"
    r"|[a-z]{2,10}(?:ated|ized|ised|uced|osed|aged|ired|ured|ived|ined))\b"
)
_EFFECT = re.compile(
    r"[ \n](?:an?[ \n])?(?:[a-z-]+[ \n]){0,2}"
    r"(?:effects?|impacts?|influence|consequences?|implications?)\b"
)
_STATES = STATE_VERBS | words(
    "have contain differ depend reflect require exist include belong play"
)


def _drop_clause(place: HedgePlace) -> Edit | None:
    rest = place.rest
    first = re.match(r"[ \n](\w+)", rest)
    if (
        first is None
        or not first[1][0].isascii()
        or first[1] == "May"
        or re.search(r"[ \n,](?:and|or|but)[ \n]that\b", rest)
    ):
        return None
    start, end = place.start, place.end + 1
    if place.form.lower() == "it is possible that" and _CONCESSION.search(
        place.text, place.low, place.start
    ):
        return None  # "while it is possible that masks win": a case that is granted
    if place.form.lower() in ("we believe", "we think") and not _opens_clause(place, first[1]):
        return None
    if place.before.mark == "START":
        word = first[1]
        return Edit(start, end + len(word), word[0].upper() + word[1:], place.hedge.action)
    joined = place.before.word in (
        "and",
        "but",
        "that",
        "because",
        "although",
        "though",
        "since",
        "while",
    )
    head = place.text[place.low : place.start].lower().split()
    if place.form.lower() == "it seems that" and head[:1] and head[0] in _GROUNDS:
        # "From the figure, it seems that": what the opening refers to stays.
        return Edit(start, place.end, "it is clear that", place.hedge.action)
    if joined or (place.before.mark == "BOUND" and _after_opening(place)):
        return Edit(start, end, "", place.hedge.action)
    return None


_CONCESSION = re.compile(r"\b(?:while|although|though|whereas|if)\b", re.IGNORECASE)


def _after_opening(place: HedgePlace) -> bool:
    """Whether the clause is the main one, so that no comma joins two of them."""
    opening = place.text[place.low : place.start].rstrip()
    first = opening.split(maxsplit=1)[0].lower().rstrip(",") if opening else ""
    return not opening.endswith(",") or len(opening.split()) <= 5 or first in _OPENINGS


_GROUNDS = words("from given judging based looking comparing considering as")


def _opens_clause(place: HedgePlace, word: str) -> bool:
    """Whether ``word`` can begin a clause without "that", and the hedge can be left out."""
    joined = ("and", "but", "because", "although", "though", "since", "while")
    comma = place.text[: place.start].rstrip().endswith((",", ";"))
    plain = word.lower() in DETERMINERS | PRONOUNS | {"there"} - {"to", "no"}
    return (place.before.mark == "START" or comma or place.before.word in joined) and (
        plain or bool(_CLAUSE_WITHOUT_THAT.match(place.rest))
    )


# "We believe neural models can be improved": a subject and its verb.
_CLAUSE_WITHOUT_THAT = re.compile(
    r"[ \n](?!(?:that|in|to|it|so|and|or|not|what|how|both)\b)[A-Za-z][a-z-]{2,20}"
    r"(?:[ \n][A-Za-z-]{1,20}){0,7}[ \n](?:is|are|can|cannot|will|has|have|does|do|provides?"
    r"|makes?)\b"
)


_ONE_OF_TWO = re.compile(r"[ \n](?:due|because|caused|owing)\b[^.;]{0,80}\b(?:or|and/or)\b")


def _drop_adverb(place: HedgePlace) -> Edit | None:
    before, after = place.before, place.after
    if _ONE_OF_TWO.match(place.rest):
        return None  # of two causes, none is sure
    if before.word == "most" and place.form == "probably" and after.word in CAUSES:
        return Edit(place.start - len("most "), place.end + 1, "", place.hedge.action)
    if after.words[1:2] == ("than",) or after.word in ("harmful", "dangerous", "risky"):
        return None  # "possibly higher than three": one case; "potentially harmful": a kind
    sure = place.form.lower() in ("presumably", "probably")
    if before.word in BE and sure and after.word == "not" and not questioned(place):
        return _drop_word(place)  # "are presumably not required"
    if before.word in NEGATIONS or after.word in NEGATIONS or before.word in _DEGREES:
        return None
    if place.form.lower() == "apparently" and before.word in ("a", "an", "the"):
        return None  # "an apparently defective mask": what seems so, and is not
    if place.form.lower() == "apparently" and re.search(r"\beven\b", clause_before(place), re.I):
        return None  # "even where the data is apparently random": what seems, not what is doubted
    if place.form.lower() == "perhaps" and before.word == "and" and after.word in DETERMINERS:
        return _drop_word(place)
    if after.mark in ("END", "BOUND") or after.word in ("and", "or", "but", "of", "than"):
        return None
    opening = before.mark == "START" and after.word in ("if", "when", "even")
    if opening or before.word.endswith("n't") or in_parentheses(place):
        return None
    if after.word in ("could", "would") and not before.mark and before.word not in _NO_LIKELY:
        return _drop_word(place)  # "the gain potentially could grow"
    able = ("can", "could", "would")
    if (before.word in able or (before.words[-2:-1] and before.words[-2] in able)) and (
        after.word.isalpha() and (before.word in able or before.word == "be")
    ):
        return _drop_word(place)  # "can potentially speed up": what is possible stays possible
    if before.word in ("and", "but", "or") and place.form.lower() in POSSIBILITY:
        second = after.words[1].strip(",.") if after.words[1:2] else ""
        worth = after.word in GRADED | _WORTHY | CLAIM_VERBS or (
            after.word in DEGREES and second in GRADED | _WORTHY
        )
        verb = after.word.removesuffix("ing")
        worth = worth or (verb != after.word and not {verb, verb + "e"}.isdisjoint(KNOWN_VERBS))
        return _drop_word(place) if worth else None
    degree = after.word in DEGREES and after.words[1:2] and after.words[1].strip(",.") in GRADED
    if place.form.lower() == "potentially" and (after.word in _WORTHY or degree):
        return _drop_word(place) if not before.mark else None
    if place.form.lower() in POSSIBILITY and not (_guess(place) or possible_claim(place)):
        return None
    if before.mark == "START":
        return _drop_opening(place)
    if after.mark == "COMMA":
        return _drop_between_commas(place)
    return _drop_word(place)


_GUESSED = words("the involved related derived")


def _guess(place: HedgePlace) -> bool:
    """Whether the adverb is before what is guessed of one thing: "were possibly avoided"."""
    before, word = place.before.word, place.after.word
    if place.before.mark == "START" or before in ("and", "or", "but", "a", "an", "the"):
        return False
    passive = before in BE and word.endswith("ed") and len(word) > 4
    more = before in BE and word == "more"
    return (
        passive
        or more
        or word in ("through", "via", "underlying", "derived")
        or (before in BE and word in _GUESSED)
        or (before in BE and word == "some" and place.before.words[-2:-1] == ("there",))
        or (word in STATE_VERBS | _LIKELY_VERBS and before not in BE | HAVE | MODALS | PREPOSITIONS)
    )


def _drop_between_commas(place: HedgePlace) -> Edit | None:
    """Leave out a form between commas; the first comma stays where it ends an opening."""
    comma = len(place.text[: place.start].rstrip()) - 1
    if place.text[comma] != "," or comma <= place.low:
        return None
    opening = place.text[place.low : comma].split()
    first = opening[0].lower().rstrip(",") if opening else ""
    keeps = len(opening) == 1 or first in _OPENINGS or first.endswith(("ing", "ly", "ed"))
    return Edit(comma + keeps, place.end + 1, "", place.hedge.action)


def _drop_word(place: HedgePlace) -> Edit | None:
    """Leave the form out together with the blank after it; "a"/"an" before it is repaired."""
    match = re.match(r"[ \n]([A-Za-z-]+)", place.rest)
    if match is None:
        head = place.text[place.low : place.start].split()[-1:]
        if head and head[0].lower() in ("a", "an"):
            return None
        return Edit(place.start, place.end + 1, "", place.hedge.action)
    found = place.edit(place.start, place.end + 1 + len(match[1]), match[1])
    if found is None or found.start != place.start:
        return found
    return Edit(place.start, place.end + 1, "", place.hedge.action)


def _drop_opening(place: HedgePlace) -> Edit | None:
    """Leave an opening out and give its capital to the word that now comes first."""
    match = re.match(r",?[ \n]([A-Za-z]\w*)", place.rest)
    if match is None:
        formula = re.match(r",[ \n](?=\$)", place.rest)
        return Edit(place.start, place.end + 2, "", place.hedge.action) if formula else None
    word = match[1]
    end = place.end + match.end()
    return Edit(place.start, end, word[0].upper() + word[1:], place.hedge.action)


def _drop_likely(place: HedgePlace) -> Edit | None:
    words = place.before.words
    following = re.match(r"[ \n]([a-z]+)", place.rest)
    if following is None or _ONE_OF_TWO.match(place.rest):
        return None
    word = following[1]
    if place.before.mark == "BOUND" and word in _CAUSES_AFTER_COMMA:
        return _drop_word(place)
    causing = word[:-3] in CLAIM_VERBS or word[:-3] + "e" in CLAIM_VERBS
    if place.before.mark == "BOUND" and word.endswith("ing") and causing:
        return _drop_word(place)  # ", likely contributing to"
    if word == "due" and not place.before.mark and words and words[-1] not in _NO_LIKELY | MODALS:
        return _drop_word(place)  # "it stops likely due to noise"
    if place.before.mark or not words or "not" in words[-2:]:
        return None
    if word in ("will", "would") and words[-1] not in _NO_LIKELY | BE:
        return _drop_word(place)  # "there likely will be"
    if word.endswith("ed") and words[-1] not in BE | HAVE | MODALS | _NO_LIKELY:
        known = not {word[:-2], word[:-1]}.isdisjoint(KNOWN_VERBS | STATE_VERBS | _LIKELY_VERBS)
        clear = words[-1] in ("which", "this", "that", "it", "they", "these")
        return _drop_word(place) if known and (clear or _PAST_WITH.match(place.rest)) else None
    if word in STATE_VERBS | _LIKELY_VERBS and words[-1] not in BE | HAVE | MODALS | _NO_LIKELY:
        return _drop_word(place) if words[-1] not in PREPOSITIONS else None
    if _FINITE_AFTER.fullmatch(word) and words[-1] not in BE | HAVE | MODALS | PREPOSITIONS:
        verbs = KNOWN_VERBS | STATE_VERBS | _LIKELY_VERBS
        known = not {word[:-1], word[:-2]}.isdisjoint(verbs) or word in ("is", "has", "was")
        joined = words[-1] == "and" and word not in ("is", "has", "was")
        return _drop_word(place) if known and (joined or words[-1] not in _NO_LIKELY) else None
    plural = words[-1] == "they" or looks_plural(words[-1])
    if plural and word in CLAIM_VERBS and place.after.words[1:2] != ("of",):
        return _drop_word(place)  # "they likely lead to"
    if words[-1] in ("will", "would"):
        return _drop_word(place) if word not in NO_VERB else None
    if words[-1] not in BE | HAVE:
        return None
    if word.endswith("ing") and causing and words[-1] in BE:
        return _drop_word(place)  # "is likely contributing"
    irregular = ("arisen", "driven", "lost", "made", "underlain", "the", "a", "an")
    if word in ("due", "because", *irregular) or (word.endswith("ed") and len(word) > 4):
        return _drop_word(place)
    second = place.after.words[1:2]
    if word in DEGREES and second and second[0].strip(",.") in GRADED:
        return _drop_word(place)  # "is likely too hard"
    known = word in GRADED or word in CLAIM_PARTICIPLES or word in ("different", "underestimated")
    return _drop_word(place) if known else None


_CAUSES_AFTER_COMMA = words(
    "due because since caused attributable owing resulting reflecting driven explained"
)
_WORTHY = words(
    "inaccurate exciting interesting restrictive negative conflicting promising applicable"
    " useful fruitful irrelevant suboptimal noisy misleading beneficial"
)
_LIKELY_VERBS = words(
    "participate contribute belong originate derive depend interact occur arise reflect encode"
    " explain affect facilitate mediate regulate require influence lead stem resulted"
)
_PAST_WITH = re.compile(
    r"[ \n][a-z]+[ \n](?:the|a|an|in|to|from|by|with|for|on|its|their|this|these|our|as|at)\b"
)
_FINITE_AFTER = re.compile(r"[a-z]{1,15}s")
_NO_LIKELY = DETERMINERS - {"this", "it", "which"} | words(
    "more less least most as equally very not and or how so"
)


def _drop_first_word(place: HedgePlace) -> Edit | None:
    if place.before.word not in ("a", "the", "other", "another", "one", "some"):
        return None
    if place.before.word == "one" and not place.form.startswith("possible"):
        return None
    adjective = place.form.split()[0]
    end = place.start + len(adjective) + 1
    noun = place.text[end : place.end]
    return place.edit(place.start, place.end, noun)


def _drop_parenthesis(place: HedgePlace) -> Edit | None:
    text = place.text
    if place.before.mark == "START":
        plain = re.match(r"[ \n](?:this|these|no|there|we|our|the|it|none)\b", place.rest)
        return _drop_opening(place) if place.after.mark == "COMMA" or plain else None
    if place.before.word in ("but", "and") and not place.before.mark:
        clause = re.match(r",?[ \n](?=(?:this|it|there|the|no|none|we|most)\b)", place.rest)
        return (
            Edit(place.start, place.end + clause.end(), "", place.hedge.action) if clause else None
        )
    comma = len(text[: place.start].rstrip()) - 1
    if comma <= place.low or text[comma] != ",":
        return None
    if place.after.mark == "COMMA":
        return _drop_between_commas(place)
    if place.rest[:1] in (".", ";"):
        return Edit(comma, place.end, "", place.hedge.action)
    return None


def _drop_extent(place: HedgePlace) -> Edit | None:
    before, after = place.before, place.after
    if before.word in NEGATIONS | _DEGREES | {"and", "or", "but"} or after.word in ("that", "not"):
        return None
    if before.mark or after.mark == "COMMA":
        return _drop_parenthesis(place)
    if place.rest[:1] in (".", ";") or after.word:
        return Edit(len(place.text[: place.start].rstrip()), place.end, "", place.hedge.action)
    return None


_ACTIONS: Mapping[str, Callable[[HedgePlace], Edit | None]] = {
    "drop-modal": drop_modal,
    "drop-past": _drop_past,
    "drop-infinitive": _drop_infinitive,
    "drop-copula": _drop_copula,
    "replace-report": replace_report,
    "replace": _replace,
    "replace-quality": replace_quality,
    "drop-clause": _drop_clause,
    "drop-adverb": _drop_adverb,
    "drop-likely": _drop_likely,
    "drop-first-word": _drop_first_word,
    "drop-parenthesis": _drop_parenthesis,
    "drop-extent": _drop_extent,
}
