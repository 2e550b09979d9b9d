"""Leave out "possibly", "likely", "to our knowledge" and other words that are not needed."""

from __future__ import annotations

import re

from revkit import Edit
from revkit.english import capitalise
from revkit_robustrev.finite_verbs import NO_VERB
from revkit_robustrev.guards import (
    BE,
    DETERMINERS,
    HAVE,
    MODALS,
    looks_plural,
    words,
)
from revkit_robustrev.hedge_limits import (
    POSSIBILITY,
    clause_before,
    in_parentheses,
    possible_claim,
    questioned,
)
from revkit_robustrev.hedge_place import NEGATIONS, HedgePlace
from revkit_robustrev.hedge_states import QUALITIES, STATE_VERBS
from revkit_robustrev.hedge_words import (
    CAUSES,
    CLAIM_PARTICIPLES,
    CLAIM_VERBS,
    DEGREES,
    GRADED,
    KNOWN_VERBS,
    OTHER_VERBS,
)
from revkit_robustrev.subjects import PREPOSITIONS

_DEGREES = words("more less most least as so very how too quite only even than equally just")
OPENINGS = PREPOSITIONS | words(
    "although though while since as if when because given despite unlike however thus moreover"
    " furthermore hence therefore after before until unless whereas once where so then here also"
    " but and yet even considering depending assuming"
)


ONE_OF_TWO = re.compile(r"[ \n](?:due|because|caused|owing)\b[^.;]{0,80}\b(?:or|and/or)\b")


def drop_adverb(place: HedgePlace) -> Edit | None:
    """ "Possibly due to noise" becomes "due to noise"."""
    before, after = place.before, place.after
    if ONE_OF_TWO.match(place.rest):
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
    if before.word == "to" and place.form.lower() == "potentially" and after.word in _VERBS:
        return _drop_word(place)  # "to potentially improve"
    if place.form.lower() in POSSIBILITY and after.word.endswith("ing") and before.mark == "BOUND":
        known = not {after.word[:-3], after.word[:-3] + "e"}.isdisjoint(_VERBS)
        if known and place.text[: place.start].rstrip().endswith(","):
            return _drop_word(place)  # ", potentially guiding research"
    if before.word in ("and", "but", "or") and place.form.lower() in POSSIBILITY:
        second = after.words[1].strip(",.") if after.words[1:2] else ""
        worth = after.word in GRADED | _WORTHY | CLAIM_VERBS or (
            after.word in DEGREES and second in GRADED | _WORTHY
        )
        verb = after.word.removesuffix("ing")
        worth = worth or (verb != after.word and not {verb, verb + "e"}.isdisjoint(_VERBS))
        worth = (
            worth or after.word in _VERBS or re.fullmatch(r"[a-z]{4,}ed", after.word) is not None
        )
        return _drop_word(place) if worth else None
    degree = after.word in DEGREES and after.words[1:2] and after.words[1].strip(",.") in GRADED
    if after.word == "different" and before.word not in BE:
        return None  # "with potentially different sizes"
    if place.form.lower() == "potentially" and (after.word in _WORTHY | QUALITIES or degree):
        return _drop_word(place) if not before.mark else None
    kind = place.form.lower() in ("potentially", "possibly") and before.word in BE
    if kind and re.fullmatch(r"[a-z-]{3,}", after.word) and after.word not in NO_VERB - {"the"}:
        return _drop_word(place)  # "these are potentially core parts"
    if place.form.lower() in POSSIBILITY and not (_guess(place) or possible_claim(place)):
        return None
    if before.mark == "START":
        return _drop_opening(place)
    if after.mark == "COMMA":
        return _drop_between_commas(place)
    return _drop_word(place)


_VERBS = KNOWN_VERBS | STATE_VERBS | OTHER_VERBS
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
        or (word in _VERBS | {"have", "has"} and before in ("that", "which", "they", "also"))
    )


def _drop_between_commas(place: HedgePlace) -> Edit | None:
    """Leave out a form between commas; the first comma stays where it ends an opening."""
    comma = len(place.text[: place.start].rstrip()) - 1
    if place.text[comma] != "," or comma <= place.low:
        return None
    opening = place.text[place.low : comma].split()
    first = opening[0].lower().rstrip(",") if opening else ""
    keeps = len(opening) == 1 or first in OPENINGS or first.endswith(("ing", "ly", "ed"))
    keeps = keeps and (BE | HAVE | {"we"}).isdisjoint(opening)  # "in it we propose, ..., the"
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
    return Edit(place.start, end, capitalise(word), place.hedge.action)


def drop_likely(place: HedgePlace) -> Edit | None:
    """ "Is likely due to noise" becomes "is due to noise"."""
    words = place.before.words
    if words[-1:] == ("also",) and not place.before.mark:
        words = words[:-1]  # "they also likely provide"
    head = place.text[place.low : place.start]
    if place.after.mark == "COMMA" and re.search(r"\b(?:and|or|but|though),[ \n]\Z", head):
        return Edit(place.low + len(head.rstrip()) - 1, place.end + 1, "", place.hedge.action)
    following = re.match(r"[ \n]([a-z]+)", place.rest)
    if following is None or ONE_OF_TWO.match(place.rest):
        return None
    word = following[1]
    if place.form == "most likely" and words[-1:] == ("the",) and word in _ONE_CAUSE:
        return _drop_word(place)  # "the most likely explanation"
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
    if words[-1] == "and" and word in _VERBS and _AND_VERB.match(place.rest):
        return _drop_word(place)  # "is valued and likely explains the gap"
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
    known = word in GRADED | QUALITIES | CLAIM_PARTICIPLES or word in _LIKELY_ADJECTIVES
    known = known or word.endswith(("able", "ible", "ous", "ive", "ical", "ular", "ial", "ual"))
    return _drop_word(place) if known else None


_CAUSES_AFTER_COMMA = words(
    "due because since caused attributable owing resulting reflecting driven explained"
)
_ONE_CAUSE = words("explanation reason cause source mechanism interpretation candidate candidates")
_AND_VERB = re.compile(r"[ \n][a-z]+[ \n](?:the|an?|why|how|to|in|from|its|their|this|these)\b")
_LIKELY_ADJECTIVES = words("different underestimated unable not part responsible")
_WORTHY = words(
    "inaccurate exciting interesting restrictive negative conflicting promising applicable"
    " useful fruitful irrelevant suboptimal noisy misleading beneficial powerful novel biased"
    " confounding transformative richer faster adaptive"
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


def drop_first_word(place: HedgePlace) -> Edit | None:
    """ "A possible explanation" becomes "an explanation"."""
    adjective = place.form.split()[0]
    if place.before.words[-2:] == ("the", "most") and not place.before.mark:
        return Edit(place.start - 5, place.start + len(adjective) + 1, "", place.hedge.action)
    if place.before.word not in ("a", "the", "other", "another", "one", "some"):
        return None
    if place.before.word == "one" and not place.form.startswith("possible"):
        return None
    end = place.start + len(adjective) + 1
    noun = place.text[end : place.end]
    return place.edit(place.start, place.end, noun)


def drop_parenthesis(place: HedgePlace) -> Edit | None:
    """ "This is, to our knowledge, the first" becomes "this is the first"."""
    text = place.text
    if place.before.mark == "START":
        plain = re.match(r"[ \n](?:this|these|no|there|we|our|the|it|none)\b", place.rest)
        return _drop_opening(place) if place.after.mark == "COMMA" or plain else None
    if place.before.word in ("but", "and") and not place.before.mark:
        clause = re.match(r",?[ \n](?=(?:this|it|there|the|no|none|we|most)\b)", place.rest)
        return (
            Edit(place.start, place.end + clause.end(), "", place.hedge.action) if clause else None
        )
    if place.before.word in ("that", "which") and place.after.word and not place.before.mark:
        return Edit(place.start, place.end + 1, "", place.hedge.action)  # "which to our knowledge"
    comma = len(text[: place.start].rstrip()) - 1
    if comma <= place.low or text[comma] != ",":
        return None
    if re.match(r"[ \n](?:this|there|no|the|it|none|we)[ \n]", place.rest):
        return Edit(place.start, place.end + 1, "", place.hedge.action)  # "However, ... there is"
    if place.after.mark == "COMMA":
        return _drop_between_commas(place)
    if place.rest[:1] in (".", ";"):
        return Edit(comma, place.end, "", place.hedge.action)
    return None


def drop_extent(place: HedgePlace) -> Edit | None:
    """ "In some sense, A is B" becomes "A is B"."""
    before, after = place.before, place.after
    if before.word in NEGATIONS | _DEGREES | {"and", "or", "but"} or after.word in ("that", "not"):
        return None
    if before.mark or after.mark == "COMMA":
        return drop_parenthesis(place)
    if place.rest[:1] in (".", ";") or after.word:
        return Edit(len(place.text[: place.start].rstrip()), place.end, "", place.hedge.action)
    return None
