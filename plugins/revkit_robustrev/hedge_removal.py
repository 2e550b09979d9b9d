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
    BETWEEN,
    DETERMINERS,
    HAVE,
    MODALS,
    PRONOUNS,
    last_plain,
    words,
)
from revkit_robustrev.hedge_limits import (
    POSSIBILITY,
    PREDICATE,
    claims,
    first_glance,
    in_parentheses,
    on_condition,
    possible_claim,
    questioned,
    supposed,
    unreal,
)
from revkit_robustrev.hedge_place import EVIDENCE, NEGATIONS, HedgePlace, from_evidence
from revkit_robustrev.hedge_words import (
    CLAIM_PARTICIPLES,
    DEGREES,
    GRADED,
    KNOWN_VERBS,
)
from revkit_robustrev.subjects import PREPOSITIONS, subject_number

_PEOPLE = words(
    "we i you one users user readers reader people humans someone anyone authors author"
)
_NOT_VERB = re.compile(r"[ \n]not[ \n]([a-z]{2,20})(?![\w'’*$\\-])")
# Imagined cases, and what is allowed.
_NO_CAN = re.compile(
    r"\b(?:would|were|should|suppose|imagine|hypothetical(?:ly)?|may or may not"
    r"|might or might not|may well|might well|as well|optional(?:ly)?|let|could)\b",
    re.IGNORECASE,
)
# "May be used", "may be written as": what is allowed or defined.
_USED = re.compile(
    r"[ \n](?:[a-z]{2,12}ly[ \n])?(?:used|written|seen|viewed|expressed|defined|chosen|interpreted"
    r"|regarded|applied|computed|obtained|sampled|thought|considered|rewritten|replaced|set|taken"
    r"|omitted|found|assumed|noted|argued|said|formalized|formulated)\b"
)
_NO_CASE = PRONOUNS - {"it", "that", "which", "they"} | {"there"}
# What evidence shows, and proposes in no sense of "suggest".
_QUALITIES = re.compile(
    r"[ \n](?:[a-z-]{2,20}[ \n]){0,2}(?:effectiveness|efficacy|usefulness|importance|significance"
    r"|existence|validity|benefits?|advantages?|potential|superiority|robustness|ability|need"
    r"|necessity|improvements?|trade-?off|win|correlation|relationship|difference|success|presence"
    r"|possibility|feasibility|strength|limitations?|difficulty|capability|gain)\b"
)
# The head of a subject that is evidence, with what follows it: "the difference between A and B".
_OUTCOMES = words(
    "difference differences gap improvement improvements increase decrease gain gains performance"
    " behavior behaviour success discussion correlation experimentation fact failure trend"
    " relationship accuracy plot"
)
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
    if edit is None:
        return None
    if edit.new == "can" or place.form.startswith("tend"):
        return None if questioned(place) else edit
    return None if supposed(place) else edit


def _drop_modal(place: HedgePlace) -> Edit | None:
    if place.before.mark or place.before.word in NEGATIONS or place.form[0].isupper():
        return None
    if in_parentheses(place):
        return None
    if place.before.word in _PEOPLE:
        need = place.before.word == "we" and place.after.word in ("need", "require", "rely")
        return _plain_verb(place) if need else None
    return _plain_verb(place) or _negated_verb(place) or _can(place)


def _plain_verb(place: HedgePlace) -> Edit | None:
    """ "May improve" becomes "improves", where the number of its subject is clear."""
    found = verb_after(place)
    if found is None or unreal(place):
        return None
    adverbs, verb, end = found
    if not claims(place.text[end : place.high], verb) or supposed(place):
        return None
    if place.before.word in ("we", "they") and verb not in ("need", "require", "rely"):
        return None
    if place.before.word in BETWEEN or place.before.word.endswith("ly"):
        return None  # "they often might learn"
    number = subject_number(place.text, place.low, place.start)
    if not number:
        return None
    singular = number == "singular"
    if coordinated(place.text[end : place.high], be_only=not singular):
        return None
    return Edit(place.start, end, finite(adverbs, verb, singular), place.hedge.action)


def _negated_verb(place: HedgePlace) -> Edit | None:
    """ "May not be optimal" becomes "is not optimal"."""
    match = _NOT_VERB.match(place.text, place.end, place.high)
    if match is None or match[1] in NO_VERB or unreal(place) or supposed(place):
        return None
    number = subject_number(place.text, place.low, place.start)
    if not number or coordinated(place.text[match.end() : place.high], be_only=False):
        return None
    singular = number == "singular"
    if match[1] == "be":
        new = "is not" if singular else "are not"
    else:
        new = f"{'does' if singular else 'do'} not {match[1]}"
    return Edit(place.start, match.end(), new, place.hedge.action)


def _can(place: HedgePlace) -> Edit | None:
    """ "May" of a case that occurs becomes "can", which any subject takes."""
    found = verb_after(place)
    if found is None or place.before.word in _NO_CASE or found[1] == "have":
        return None
    if found[1] == "be" and _USED.match(place.text, found[2], place.high):
        return None
    if found[1] in ("need", "want", "require"):
        return None
    if found[1] == "be" and place.before.word in ("this", "it", "reason", "cause", "explanation"):
        return None  # "the reason may be that", "this may be one of"
    if _NO_CAN.search(place.text, place.low, place.high) or questioned(place):
        return None
    if on_condition(place):
        return None
    return Edit(place.start, place.end, "can", place.hedge.action)


def _drop_infinitive(place: HedgePlace) -> Edit | None:
    found = verb_after(place)
    before = last_plain(place.before)
    base = place.hedge.new == "base" and place.before.word == before
    joined = before in ("and", "or", "does", "do", "did") and place.before.mark == ""
    if found is not None and base and (before in ("will", "would", "can") or joined):
        if joined and (found[1] == "be" or "not" in place.before.words or in_parentheses(place)):
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
    if not singular and before in doubtful | {"and", "or", "do", "does", "did", ""}:
        return None
    adverbs, verb, end = found
    if in_parentheses(place) or (singular and verb not in KNOWN_VERBS):
        return None
    if not place.form.startswith("tend") and first_glance(place):
        return None
    if coordinated(place.text[end : place.high], be_only=not singular):
        return None
    return Edit(place.start, end, finite(adverbs, verb, singular), place.hedge.action)


def _drop_copula(place: HedgePlace) -> Edit | None:
    before = last_plain(place.before)
    match = PREDICATE.match(place.rest)
    if match is None or before in MODALS or before in NEGATIONS or not before:
        return None
    if match[1] not in GRADED and (match[1] not in DEGREES or match[2] not in GRADED):
        return None
    if first_glance(place) or in_parentheses(place):
        return None
    if before in ("do", "does", "did", "i", "and", "or") or "not" in place.before.words[-2:]:
        return None
    return Edit(place.start, place.end, place.hedge.new, place.hedge.action)


def _replace_report(place: HedgePlace) -> Edit | None:
    before = last_plain(place.before)
    new, _, participle = place.hedge.new.partition("/")
    if place.before.word in NEGATIONS or "not" in place.before.words:
        return None
    if new.startswith("showing"):
        ok = place.before.mark == "BOUND" and place.text[: place.start].rstrip().endswith(",")
    elif participle and (before in HAVE or before == "been"):
        new, ok = participle, "we" not in place.before.words
    else:
        ok = place.before.word not in MODALS and (
            before in EVIDENCE or from_evidence(place) or _impersonal(place) or _from_outcome(place)
        )
        if re.match(r"[^.;]{0,120}\bshould\b", place.rest):
            return None  # a proposal
        if before in ("which", "it", "this", "that") and "indicat" in place.form:
            ok = ok and "$" not in place.text[max(place.low, place.start - 80) : place.start]
        if ok and before in ("it", "this") and new.startswith("show that"):
            ok = False
    return Edit(place.start, place.end, new, place.hedge.action) if ok else None


def _from_outcome(place: HedgePlace) -> bool:
    """Whether the sentence begins with an outcome: "The difference between A and B suggests"."""
    clause = place.text[place.low : place.start]
    opening = clause.lower().split()
    return (
        len(opening) <= 14
        and not _OUTCOMES.isdisjoint(opening[:4])
        and "," not in clause
        and not {"we", "they", "that", "which", "authors", "al."} & set(opening)
        and place.form.split()[0].endswith("s")
        and not {"differences", "improvements", "gains"} & set(opening[:4])
    )


def _replace_quality(place: HedgePlace) -> Edit | None:
    """ "Results suggest the validity" becomes "Results show the validity"."""
    if not _QUALITIES.match(place.rest) or "$" in place.text[place.low : place.high]:
        return None
    if place.hedge.new.startswith("showing"):
        ok = place.before.mark == "BOUND" and place.text[: place.start].rstrip().endswith(",")
    else:
        ok = place.before.word not in MODALS | NEGATIONS and from_evidence(place)
    return Edit(place.start, place.end, place.hedge.new, place.hedge.action) if ok else None


def _impersonal(place: HedgePlace) -> bool:
    """Whether the word before the form is a plain noun of a thing, after an article."""
    clause = re.split(r"[;:,]", place.text[max(place.low, place.start - 120) : place.start])[-1]
    words = clause.split()
    return (
        len(words) >= 2
        and words[0].lower() in ("the", "this", "these", "such", "our", "its", "their", "a", "an")
        and bool(re.fullmatch(r"[a-z]{3,20}", words[-1]))
        and words[-1] not in _PEOPLE | MODALS | DETERMINERS | PREPOSITIONS
        and not words[-1].endswith("ly")
    )


def _replace(place: HedgePlace) -> Edit | None:
    found = verb_after(place)
    if place.before.mark or place.before.word in NEGATIONS or found is None:
        return None
    if place.before.word in ("that", "which", "who") or questioned(place):
        return None  # "words that are likely to appear": a property, no doubt
    return Edit(place.start, place.end, place.hedge.new, place.hedge.action)


def _drop_clause(place: HedgePlace) -> Edit | None:
    rest = place.rest
    first = re.match(r"[ \n](\w+)", rest)
    if (
        first is None
        or not first[1][0].isascii()
        or re.search(r"[ \n,](?:and|or|but)[ \n]that\b", rest)
    ):
        return None
    start, end = place.start, place.end + 1
    if place.form.lower() == "we believe" and not _opens_clause(place, first[1]):
        return None
    if place.before.mark == "START":
        word = first[1]
        return Edit(start, end + len(word), word[0].upper() + word[1:], place.hedge.action)
    joined = place.before.word in ("and", "but", "that", "because", "although", "since", "while")
    if place.before.mark == "BOUND" or joined:
        return Edit(start, end, "", place.hedge.action)
    return None


def _opens_clause(place: HedgePlace, word: str) -> bool:
    """Whether ``word`` can begin a clause without "that", and the hedge can be left out."""
    joined = ("and", "but", "because", "although", "since", "while")
    return (place.before.mark == "START" or place.before.word in joined) and (
        word.lower() in DETERMINERS | PRONOUNS | {"there"} - {"to", "no"}
    )


def _drop_adverb(place: HedgePlace) -> Edit | None:
    before, after = place.before, place.after
    if before.word in NEGATIONS or after.word in NEGATIONS or before.word in _DEGREES:
        return None
    if place.form.lower() == "perhaps" and before.word == "and" and after.word in DETERMINERS:
        return _drop_word(place)
    if after.mark in ("END", "BOUND") or after.word in ("and", "or", "but", "of", "than"):
        return None
    opening = before.mark == "START" and after.word in ("if", "when", "even")
    if opening or before.word.endswith("n't") or in_parentheses(place):
        return None
    if before.word in ("can", "could") and after.word.isalpha():
        return _drop_word(place)  # "can potentially speed up": what is possible stays possible
    if place.form.lower() in POSSIBILITY and not possible_claim(place):
        return None
    if before.mark == "START":
        return _drop_opening(place)
    if after.mark == "COMMA":
        return _drop_between_commas(place)
    return _drop_word(place)


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
        return None
    word = match[1]
    end = place.end + match.end()
    return Edit(place.start, end, word[0].upper() + word[1:], place.hedge.action)


def _drop_likely(place: HedgePlace) -> Edit | None:
    words = place.before.words
    following = re.match(r"[ \n]([a-z]+)", place.rest)
    if following is None:
        return None
    word = following[1]
    if place.before.mark == "BOUND" and word in ("due", "because", "since", "caused"):
        return _drop_word(place)
    if place.before.mark or not words or "not" in words[-2:]:
        return None
    if _FINITE_AFTER.fullmatch(word) and words[-1] not in BE | HAVE | MODALS | PREPOSITIONS:
        known = word[:-1] in KNOWN_VERBS or word[:-2] in KNOWN_VERBS or word in ("is", "has")
        return _drop_word(place) if known and words[-1] not in _NO_LIKELY else None
    if words[-1] in ("will", "would"):
        return _drop_word(place) if word not in NO_VERB else None
    if words[-1] not in BE | HAVE:
        return None
    if word in ("due", "because", "a", "an", "the") or (word.endswith("ed") and len(word) > 4):
        return _drop_word(place)
    return _drop_word(place) if word in GRADED or word in CLAIM_PARTICIPLES else None


_FINITE_AFTER = re.compile(r"[a-z]{1,15}s")
_NO_LIKELY = DETERMINERS - {"this", "it"} | words("more less as equally very not and or how so")


def _drop_first_word(place: HedgePlace) -> Edit | None:
    if place.before.word not in ("a", "the", "one"):
        return None
    if place.before.word == "one":
        return None
    adjective = place.form.split()[0]
    end = place.start + len(adjective) + 1
    noun = place.text[end : place.end]
    return place.edit(place.start, place.end, noun)


def _drop_parenthesis(place: HedgePlace) -> Edit | None:
    text = place.text
    if place.before.mark == "START":
        return _drop_opening(place) if place.after.mark == "COMMA" else None
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
    "drop-modal": _drop_modal,
    "drop-infinitive": _drop_infinitive,
    "drop-copula": _drop_copula,
    "replace-report": _replace_report,
    "replace": _replace,
    "replace-quality": _replace_quality,
    "drop-clause": _drop_clause,
    "drop-adverb": _drop_adverb,
    "drop-likely": _drop_likely,
    "drop-first-word": _drop_first_word,
    "drop-parenthesis": _drop_parenthesis,
    "drop-extent": _drop_extent,
}
