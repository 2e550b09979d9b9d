"""Taking a hedge out of a sentence so that a plain, grammatical statement is left.

Each function gets a `Place` and returns an edit, or None where it is not sure. Negation is never
touched: "may not improve" has no plain form that says the same about what was tried.
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
from revkit_robustrev.hedge_place import EVIDENCE, NEGATIONS, Place
from revkit_robustrev.subjects import Number, subject_number

_DEGREES = words("more less most least as so very how too quite only even than equally just")
_ADJECTIVES = words(
    "reasonable natural plausible necessary important clear promising difficult sufficient"
    " appropriate intuitive obvious evident counterintuitive surprising straightforward robust"
    " consistent arbitrary redundant essential crucial beneficial useful stable effective hard"
    " easy simple similar unnecessary relevant interesting helpful harmful acceptable adequate"
    " attractive feasible realistic valid safe sensible suitable very quite more less"
)


def remove_hedge(place: Place) -> Edit | None:
    """Return the edit that takes the hedge at ``place`` out, or None where that is not safe."""
    if place.form[0].isupper() and place.before.mark != "START":
        return None
    return _ACTIONS[place.hedge.action](place)


def _drop_modal(place: Place) -> Edit | None:
    found = verb_after(place)
    if found is None or place.before.mark or place.before.word in NEGATIONS:
        return None
    if place.form[0].isupper() or place.before.words[-2:] == ("as", "one"):
        return None
    adverbs, verb, end = found
    number = subject_number(place.text, place.low, place.start)
    if place.before.word == "there":
        number = _number_after(place.text[end : place.high]) if verb == "be" else ""
    if not number or (place.before.word == "i" and verb == "be"):
        return None
    singular = number == "singular"
    if coordinated(place.text[end : place.high], be_only=not singular):
        return None
    return Edit(place.start, end, finite(adverbs, verb, singular), place.hedge.action)


def _number_after(rest: str) -> Number:
    """The number of what "there may be" announces, by its first word."""
    words = rest.lower().split()
    if not words:
        return ""
    if words[0] in ("a", "an", "another", "one", "little"):
        return "singular"
    plural = words[0] in (
        "many",
        "several",
        "multiple",
        "numerous",
        "two",
        "three",
        "other",
        "various",
    )
    return "plural" if plural or looks_plural(words[0]) else ""


def _drop_infinitive(place: Place) -> Edit | None:
    found = verb_after(place)
    before = last_plain(place.before)
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
    if coordinated(place.text[end : place.high], be_only=not singular):
        return None
    return Edit(place.start, end, finite(adverbs, verb, singular), place.hedge.action)


def _drop_copula(place: Place) -> Edit | None:
    before = last_plain(place.before)
    if place.after.word not in _ADJECTIVES or not before or before in MODALS or before in NEGATIONS:
        return None
    if before in ("do", "does", "did", "i", "and", "or") or "not" in place.before.words[-2:]:
        return None
    return Edit(place.start, place.end, place.hedge.new, place.hedge.action)


def _replace_report(place: Place) -> Edit | None:
    before = last_plain(place.before)
    new, _, participle = place.hedge.new.partition("/")
    if place.before.word in NEGATIONS or "not" in place.before.words:
        return None
    if new.startswith("showing"):
        ok = place.before.mark == "BOUND" and place.text[: place.start].rstrip().endswith(",")
    elif participle and (before in HAVE or before == "been"):
        new, ok = participle, "we" not in place.before.words
    else:
        ok = place.before.word not in MODALS and (before in EVIDENCE or _from_evidence(place))
        if ok and before in ("it", "this") and new.startswith("show that"):
            ok = False
    return Edit(place.start, place.end, new, place.hedge.action) if ok else None


_PEOPLE = words("we they i authors author et al. researchers who reviewers")


def _from_evidence(place: Place) -> bool:
    """Whether the clause begins with evidence: "The results on both datasets suggest that"."""
    clause = re.split(r"[,;:]", place.text[max(place.low, place.start - 90) : place.start])[-1]
    opening = clause.lower().split()[:9]
    plural = words("results experiments findings numbers observations scores ablations")
    wanted = plural if place.form.split()[0] in ("suggest", "indicate") else EVIDENCE - plural
    return (
        place.before.mark == ""
        and not wanted.isdisjoint(opening[:3])
        and _PEOPLE.isdisjoint(opening)
        and "that" not in opening
        and "which" not in opening
    )


def _replace(place: Place) -> Edit | None:
    if place.before.mark or place.before.word in NEGATIONS or verb_after(place) is None:
        return None
    return Edit(place.start, place.end, place.hedge.new, place.hedge.action)


def _drop_clause(place: Place) -> Edit | None:
    rest = place.rest
    first = re.match(r"[ \n](\w+)", rest)
    if (
        first is None
        or not first[1][0].isascii()
        or re.search(r"[ \n,](?:and|or|but)[ \n]that\b", rest)
    ):
        return None
    start, end = place.start, place.end + 1
    if place.before.mark == "START":
        word = first[1]
        return Edit(start, end + len(word), word[0].upper() + word[1:], place.hedge.action)
    joined = place.before.word in ("and", "but", "that", "because", "although", "since", "while")
    if place.before.mark == "BOUND" or joined:
        return Edit(start, end, "", place.hedge.action)
    return None


def _drop_adverb(place: Place) -> Edit | None:
    before, after = place.before, place.after
    if before.word in NEGATIONS or after.word in NEGATIONS or before.word in _DEGREES:
        return None
    if after.mark in ("END", "BOUND") or after.word in ("and", "or", "but", "of", "than"):
        return None
    opening = before.mark == "START" and after.word in ("if", "when", "even")
    if opening or before.word.endswith("n't"):
        return None
    text = place.text
    if before.mark == "START":
        return _drop_opening(place)
    if after.mark == "COMMA":
        comma = len(text[: place.start].rstrip()) - 1
        if text[comma] != "," or comma <= place.low:
            return None
        return Edit(comma, place.end + 1, "", place.hedge.action)
    return _drop_word(place)


def _drop_word(place: Place) -> Edit | None:
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


def _drop_opening(place: Place) -> Edit | None:
    """Leave an opening out and give its capital to the word that now comes first."""
    match = re.match(r",?[ \n]([A-Za-z]\w*)", place.rest)
    if match is None:
        return None
    word = match[1]
    end = place.end + match.end()
    return Edit(place.start, end, word[0].upper() + word[1:], place.hedge.action)


def _drop_likely(place: Place) -> Edit | None:
    words = place.before.words
    following = re.match(r"[ \n]([a-z]+)", place.rest)
    if following is None or place.before.mark or not words or "not" in words[-2:]:
        return None
    word = following[1]
    if words[-1] in ("will", "would"):
        return _drop_word(place) if word not in NO_VERB else None
    if words[-1] not in BE | HAVE:
        return None
    if word in ("due", "because", "a", "an", "the") or (word.endswith("ed") and len(word) > 4):
        return _drop_word(place)
    return None


def _drop_first_word(place: Place) -> Edit | None:
    if place.before.word not in ("a", "the", "one"):
        return None
    if place.before.word == "one":
        return None
    adjective = place.form.split()[0]
    end = place.start + len(adjective) + 1
    noun = place.text[end : place.end]
    return place.edit(place.start, place.end, noun)


def _drop_parenthesis(place: Place) -> Edit | None:
    text = place.text
    if place.before.mark == "START":
        return _drop_opening(place) if place.after.mark == "COMMA" else None
    comma = len(text[: place.start].rstrip()) - 1
    if comma <= place.low or text[comma] != ",":
        return None
    if place.after.mark == "COMMA":
        return Edit(comma, place.end + 1, "", place.hedge.action)
    if place.rest[:1] in (".", ";"):
        return Edit(comma, place.end, "", place.hedge.action)
    return None


def _drop_extent(place: Place) -> Edit | None:
    before, after = place.before, place.after
    if before.word in NEGATIONS | _DEGREES | {"and", "or", "but"} or after.word in ("that", "not"):
        return None
    if before.mark or after.mark == "COMMA":
        return _drop_parenthesis(place)
    if place.rest[:1] in (".", ";") or after.word:
        return Edit(len(place.text[: place.start].rstrip()), place.end, "", place.hedge.action)
    return None


_ACTIONS: Mapping[str, Callable[[Place], Edit | None]] = {
    "drop-modal": _drop_modal,
    "drop-infinitive": _drop_infinitive,
    "drop-copula": _drop_copula,
    "replace-report": _replace_report,
    "replace": _replace,
    "drop-clause": _drop_clause,
    "drop-adverb": _drop_adverb,
    "drop-likely": _drop_likely,
    "drop-first-word": _drop_first_word,
    "drop-parenthesis": _drop_parenthesis,
    "drop-extent": _drop_extent,
}
