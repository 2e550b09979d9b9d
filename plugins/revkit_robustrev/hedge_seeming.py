"""Take "seems", "appears to" and "tends to" out of a statement."""

from __future__ import annotations

import re

from revkit import Edit
from revkit_robustrev.finite_verbs import (
    IRREGULAR_PAST,
    coordinated,
    finite,
    past_tense,
    verb_after,
)
from revkit_robustrev.guards import (
    BE,
    DETERMINERS,
    HAVE,
    MODALS,
    PRONOUNS,
    last_plain,
)
from revkit_robustrev.hedge_limits import (
    PREDICATE,
    WORTH,
    clause_before,
    first_glance,
    in_parentheses,
)
from revkit_robustrev.hedge_place import NEGATIONS, HedgePlace
from revkit_robustrev.hedge_states import QUALITIES, STATE_VERBS
from revkit_robustrev.hedge_words import (
    ADJECTIVES,
    DEGREES,
    KNOWN_VERBS,
    OTHER_VERBS,
)
from revkit_robustrev.subjects import subject_number


def drop_infinitive(place: HedgePlace) -> Edit | None:
    """ "Seems to help" becomes "helps", and "does not seem to help" "does not help"."""
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
    if in_parentheses(place) or verb in DEGREES:
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


# Other words after "appeared to" may be no verbs ("more closely").
_KNOWN = KNOWN_VERBS | STATE_VERBS | OTHER_VERBS | IRREGULAR_PAST.keys()


def drop_past(place: HedgePlace) -> Edit | None:
    """ "The gap appeared to be small" becomes "the gap was small"."""
    found = verb_after(place)
    if found is None or place.before.mark or place.before.word in NEGATIONS | MODALS | HAVE:
        return None
    if last_plain(place.before) in PRONOUNS - {"it", "they", "this", "which"}:
        return None
    adverbs, verb, end = found
    if first_glance(place) or in_parentheses(place):
        return None
    if coordinated(place.text[end : place.high], be_only=False):
        return None
    if verb == "be" and place.before.word == "which":
        return None  # "a gap, which seemed to be": the clause or the noun
    if verb == "be":
        number = subject_number(place.text, place.low, place.start)
        if not number:
            return None
        new = f"{'was' if number == 'singular' else 'were'} {adverbs}".rstrip()
    else:
        past = past_tense(verb) if verb in _KNOWN else None
        if past is None:
            return None
        new = adverbs + past
    return Edit(place.start, end, new, place.hedge.action)


def drop_copula(place: HedgePlace) -> Edit | None:
    """ "Seems useful" becomes "is useful"."""
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
