"""Putting a hedge into a plain statement.

Only statements about what is or follows are hedged; definitions, conditions, plans, commands and
sentences about the paper itself are left alone, and so is whatever is in doubt.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from revkit import Edit
from revkit_robustrev.guards import (
    BE,
    BETWEEN,
    DETERMINERS,
    HAVE,
    MODALS,
    PRONOUNS,
    is_third_person_verb,
    last_plain,
    looks_plural,
    words,
)
from revkit_robustrev.hedge_lexicon import lexicon
from revkit_robustrev.hedge_place import EVIDENCE, NEGATIONS, Place
from revkit_robustrev.subjects import PREPOSITIONS, noun_number

# In a clause with one of these, the verb states a condition, a definition or a wish, not a claim.
_NO_CLAIM = words(
    "if when whenever unless until whether assume assuming suppose let such where ensure"
    " provided than as how what why given once so while whose denote denotes define defined"
    " called lest require requires required requiring ensures ensuring enforce enforces want"
    " wants guarantee guarantees guaranteeing need needs should must"
)
_ABOUT_THE_PAPER = words(
    "paper section table figure appendix chapter work article goal aim objective idea task"
    " contribution contributions step steps input output inputs outputs reason question problem"
    " following example remainder code notation difference purpose motivation"
    " definition challenge intuition focus rest author authors algorithm procedure challenges"
    " questions goals ideas tasks problems lemma theorem proposition corollary property"
    " equation proof setup dataset datasets"
)
_NO_SUBJECT = (
    DETERMINERS
    | PREPOSITIONS
    | MODALS
    | NEGATIONS
    | BE
    | HAVE
    | words(
        "and or but only even not there here it we i you what who do does did et al longer below"
        " above following next later first never nothing far here same latter"
    )
)
_FINITE = BE | HAVE | MODALS | words("do does did")
_NO_PREDICATE = (
    PREPOSITIONS
    | NEGATIONS
    | PRONOUNS
    | words(
        "to that because why how when where if due likely unlikely possible possibly probably"
        " perhaps thus therefore hence also only just still then now often always usually typically"
        " equal worth such there called shown given taken done made built found seen known written"
        " drawn chosen kept left held set put run cut learned sent fed split led brought based able"
        " as so up down at both each all either neither one two three four five six seven eight"
        " nine ten first second however meant understood said apparently true false as like reset"
        " cast available respectively seldom rarely almost nearly too enough far sure ready"
        " responsible around roughly approximately about"
    )
)
_EVALUATIVE = re.compile(
    r"[ \n](?:an?|the)(?:[ \n][a-z-]+){0,2}?[ \n](?:natural|promising|good|strong|simple|key|major"
    r"|central|challenging|important|common|powerful|effective|useful|valid|typical|hard"
    r"|difficult|crucial|general|robust|viable|suitable|reasonable|fundamental|significant|practical|interesting"
    r"|essential|better|only|main|best|most|critical|serious|severe|popular|notable|clear|limiting"
    r"|dominant|primary)\b"
)
_PLAIN_WORD = re.compile(r"[ \n]([a-z][a-z-]*)(?=[ \n,.;)])")
_SECOND_WORD = re.compile(r"[ \n][a-z-]+[ \n]([a-z]+)")


def add_hedge(place: Place) -> Edit | None:
    """Return the edit that hedges the form at ``place``, or None where that is not safe."""
    if place.form[0].isupper() or _no_claim(place):
        return None
    return _ACTIONS[place.hedge.action](place)


def _no_claim(place: Place) -> bool:
    clause = re.split(r"[;:]|, ", place.text[max(place.low, place.start - 160) : place.start])[-1]
    earlier = clause.lower().split()
    first = place.text[place.low : place.low + 12].split()[:1]
    return not _NO_CLAIM.isdisjoint(earlier) or (
        bool(first)
        and first[0].lower().rstrip(",") in ("let", "if", "where", "suppose", "assume", "note")
    )


def _subject(place: Place) -> str:
    """The word before the verb if it can end its subject; "" otherwise."""
    word = place.before.word
    if place.before.mark or not re.fullmatch(r"[a-z][a-z-]*", word):
        return ""
    head = place.text[place.low : place.start].split()
    if head and head[-1][0].isupper() and len(head) > 1:
        return ""
    if word in ("this", "these", "they", "which", "that", "those"):
        return word
    if word in _NO_SUBJECT or word in _ABOUT_THE_PAPER or word.endswith(("ly", "ed", "ing")):
        return ""
    return word


def _add_copula(place: Place) -> Edit | None:
    subject = _subject(place)
    following = _PLAIN_WORD.match(place.text, place.end, place.high)
    if not subject or following is None:
        return None
    singular = place.form == "is"
    if subject not in ("which", "that"):
        number = {"this": "singular", "these": "plural", "those": "plural", "they": "plural"}.get(
            subject, noun_number(subject)
        )
        if singular and number != "singular":
            return None
        if not singular and number != "plural":
            return None
    word = following[1]
    if word in _NO_PREDICATE or word.endswith(("ed", "ing")) or looks_plural(word):
        return None
    article = word in ("a", "an", "the")
    if article and ("$" in place.text[place.low : place.high] or subject in ("that", "which")):
        return None
    if word in DETERMINERS and not (article and _EVALUATIVE.match(place.rest)):
        return None
    second = _SECOND_WORD.match(place.text, place.end, place.high)
    adverb = word.endswith("ly") or word in BETWEEN
    if adverb and (
        second is None or second[1] in _NO_PREDICATE or second[1].endswith(("ed", "ing"))
    ):
        return None
    return Edit(place.start, place.end, place.hedge.new, place.hedge.action)


def _with_adverb(place: Place, subject_ok: Callable[[str], bool]) -> Edit | None:
    """Put "may" before the verb and before an adverb in front of it."""
    if not re.match(r"[ \n][A-Za-z(]|[.,]", place.rest) or "contradiction" in place.rest:
        return None
    if place.after.word in _FINITE:
        return None  # "experiment results are ...": the form is a noun
    word = place.before.word
    start = place.start
    new = f"may {place.hedge.new}"
    if (
        word == "also"
        or word == "further"
        or (word.endswith("ly") and word not in ("only", "early"))
    ):
        before = place.before.words
        if place.before.mark or len(before) < 2:
            return None
        start = place.start - len(word) - 1
        if place.text[start : place.start].lower() != f"{word} " or place.text[start].isupper():
            return None
        word = before[-2]
        new = f"may {place.text[start : place.start]}{place.hedge.new}"
    elif word in BETWEEN:
        return None
    if place.before.mark or not subject_ok(word):
        return None
    return Edit(start, place.end, new, place.hedge.action)


def _third_subject(word: str) -> bool:
    if word in ("this", "it", "which", "that", "and"):
        return True
    if re.fullmatch(r"[a-z][a-z-]*-v?\d+", word):
        return True  # a name such as "BERT-2"
    return word not in _NO_SUBJECT | _ABOUT_THE_PAPER and noun_number(word) == "singular"


def _plural_subject(word: str) -> bool:
    if word in ("these", "those", "they"):
        return True
    return word not in _ABOUT_THE_PAPER and looks_plural(word)


def _add_modal(place: Place) -> Edit | None:
    return _with_adverb(place, _third_subject)


def _add_modal_noun(place: Place) -> Edit | None:
    if not is_third_person_verb(place.before, place.after) or last_plain(place.before) == "and":
        return None
    if place.after.word.endswith("ed"):
        return None  # "experiment results showed ..."
    return _with_adverb(place, _third_subject)


def _add_modal_plural(place: Place) -> Edit | None:
    """After a plural subject; not where the verb may be an infinitive ("helps models improve")."""
    clause = re.split(r"[;:,]", place.text[max(place.low, place.start - 120) : place.start])[-1]
    earlier = set(clause.lower().split())
    if not earlier.isdisjoint(
        MODALS | words("do does did help helps make makes let lets making letting helping and or")
    ):
        return None
    return _with_adverb(place, _plural_subject)


def _add_report(place: Place) -> Edit | None:
    before = last_plain(place.before)
    if before not in EVIDENCE or place.before.word in NEGATIONS | MODALS:
        return None
    return Edit(place.start, place.end, place.hedge.new, place.hedge.action)


def _add_cause(place: Place) -> Edit | None:
    comma = place.before.mark == "BOUND" and place.text[: place.start].rstrip().endswith(",")
    if not comma and place.before.word not in ("is", "are", "was", "were"):
        return None
    if place.form == "because" and (comma or place.after.word == "of"):
        return None
    if place.form == "due to" and place.rest.startswith(" the fact"):
        return None
    return Edit(place.start, place.start, "possibly ", place.hedge.action)


def _add_will(place: Place) -> Edit | None:
    following = _PLAIN_WORD.match(place.text, place.end, place.high)
    if following is None or place.before.word in BETWEEN or not _subject(place):
        return None
    verb = lexicon().addition.get(following[1])
    if verb is None or verb.action != "add-modal-plural":
        return None
    return Edit(place.start, place.end, place.hedge.new, place.hedge.action)


_ACTIONS: Mapping[str, Callable[[Place], Edit | None]] = {
    "add-copula": _add_copula,
    "add-modal": _add_modal,
    "add-modal-noun": _add_modal_noun,
    "add-modal-plural": _add_modal_plural,
    "add-report": _add_report,
    "add-cause": _add_cause,
    "add-will": _add_will,
}
