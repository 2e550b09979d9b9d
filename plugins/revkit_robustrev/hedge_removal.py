"""Remove a hedge from a sentence so that a plain, grammatical statement remains.

Each function gets a `HedgePlace` and returns an edit, or None where it is not sure. Negation is
never touched: "may not improve" has no plain form that says the same about what was tried.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from revkit import Edit
from revkit.english import capitalise
from revkit.grammar import Parse
from revkit_robustrev.finite_verbs import coordinated, finite, verb_after
from revkit_robustrev.guards import (
    DETERMINERS,
    PRONOUNS,
    words,
)
from revkit_robustrev.hedge_adverbs import (
    OPENINGS,
    drop_adverb,
    drop_extent,
    drop_first_word,
    drop_likely,
    drop_parenthesis,
)
from revkit_robustrev.hedge_limits import (
    questioned,
    supposed,
)
from revkit_robustrev.hedge_modals import drop_modal
from revkit_robustrev.hedge_place import NEGATIONS, HedgePlace
from revkit_robustrev.hedge_reports import replace_passive, replace_quality, replace_report
from revkit_robustrev.hedge_seeming import drop_copula, drop_infinitive, drop_past
from revkit_robustrev.hedge_states import STATE_VERBS
from revkit_robustrev.hedge_syntax import ParsedPlace
from revkit_robustrev.hedge_syntax_modals import modal_edit
from revkit_robustrev.hedge_syntax_words import ACTIONS, COMPARING, OURS, POSSIBLE_CLAIM


def needs_parse(place: HedgePlace) -> bool:
    """Whether a parse can help at ``place``, where `remove_hedge` found no edit: for most words
    that stay, the words beside them already show that they doubt no claim."""
    if place.hedge.action == "drop-modal":
        return place.form.islower() and not (
            place.before.word in NEGATIONS | _NO_SUBJECT
            or (place.form == "could" and place.after.word == "not")
        )
    if place.hedge.action == "drop-possible":
        return POSSIBLE_CLAIM.match(place.rest) is not None
    if place.hedge.action in ("drop-adverb", "drop-likely"):
        to = place.after.word == "to" and place.before.word not in ("is", "are")
        return place.before.word not in COMPARING and not to
    return place.hedge.action in SYNTAX_ACTIONS


_NO_SUBJECT = words("or who you i")


def remove_on_parse(place: HedgePlace, parse: Parse) -> Edit | None:
    """Return the edit that removes the hedge at ``place``, or None, with what the parse shows.

    It is for places where the words alone leave `remove_hedge` in doubt.
    """
    if place.form[0].isupper() and place.before.mark != "START":
        return None
    action = SYNTAX_ACTIONS.get(place.hedge.action)
    edit = action(ParsedPlace(place, parse)) if action else None
    if edit is None or _taken_up(place):
        return None
    return edit


def remove_hedge(place: HedgePlace) -> Edit | None:
    """Return the edit that removes the hedge at ``place``, or None if that is not safe."""
    if place.form[0].isupper() and place.before.mark != "START":
        return None
    action = _ACTIONS.get(place.hedge.action)
    edit = action(place) if action else None
    if edit is None or _taken_up(place):
        return None
    if place.hedge.action == "drop-modal" and edit.new != "can":
        return None if supposed(place) else edit
    return None if questioned(place) else edit


def _taken_up(place: HedgePlace) -> bool:
    """Whether the sentence gives one of several guesses, or the next ones of the paragraph test
    what is doubted or name it a guess."""
    if place.text.startswith("Or ", place.low):
        return True
    high = min(place.high + 320, len(place.text))
    end = place.text.find("\n\n", place.high, high)
    return _TAKEN_UP.search(place.text, place.high, high if end < 0 else end) is not None


# The next sentences test it or call it a hypothesis: it is none any more without its hedge.
_TAKEN_UP = re.compile(
    r"\b(?:To (?:test|verify|confirm|validate|check|examine|investigate) (?:this|that"
    r"|these|our"
    r"|whether|if)|(?:[Tt]his|Our|The|These|Such) (?:hypothes[ie]s|conjectures?|speculations?"
    r"|possibilit(?:y|ies)|suspicions?)|If (?:so|true|this is)|Alternatively|Another possib"
    r"|Or (?:it|they|this|the)\b"
    r"|(?:[Ff]urther|[Ff]uture|[Mm]ore|[Aa]dditional) (?:[a-z]+ )?(?:research|work|stud(?:y|ies)"
    r"|experiments?|analys[ei]s|investigations?|data|evidence)\b[^.]{0,50}\b(?:needed|required"
    r"|necessary|warranted|should) [^.]{0,30}(?:confirm|verify|test|whether|validate|prove)"
    r"|This (?:possibility|hypothesis|remains|needs to be|has to be|(?:is|remains) (?:[a-z]+ )?"
    r"(?:contentious|controversial|debated|speculative|unproven)))"
)


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
        or (place.form.lower().startswith("we ") and OURS.search(rest))
    ):
        return None
    start, end = place.start, place.end + 1
    if place.form.lower() == "it is possible that" and _CONCESSION.search(
        place.text, place.low, place.start
    ):
        return None  # "while it is possible that masks win": a case that is granted
    if place.form.lower() in ("we believe", "we think") and (
        _TO_BE.match(rest) or not _opens_clause(place, first[1])
    ):
        return None
    if place.before.mark == "START":
        word = first[1]
        return Edit(start, end + len(word), capitalise(word), place.hedge.action)
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


# "We believe the main advantage to be its size".
_TO_BE = re.compile(r"[^.;,]{0,80}[ \n]to[ \n]be\b")
_CONCESSION = re.compile(r"\b(?:while|although|though|whereas|if)\b", re.IGNORECASE)


def _after_opening(place: HedgePlace) -> bool:
    """Whether the clause is the main one, so that no comma joins two of them."""
    opening = place.text[place.low : place.start].rstrip()
    first = opening.split(maxsplit=1)[0].lower().rstrip(",") if opening else ""
    return not opening.endswith(",") or len(opening.split()) <= 5 or first in OPENINGS


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
    r"[ \n](?!(?:that|in|to|it|so|and|or|not|what|how|both)\b)[A-Za-z][\w-]{2,20}"
    r"(?:[ \n][A-Za-z-]{1,20}){0,7}[ \n](?:is|are|can|cannot|will|has|have|does|do|provides?"
    r"|makes?)\b"
)


_ACTIONS: Mapping[str, Callable[[HedgePlace], Edit | None]] = {
    "drop-modal": drop_modal,
    "drop-past": drop_past,
    "drop-infinitive": drop_infinitive,
    "drop-copula": drop_copula,
    "replace-report": replace_report,
    "replace": _replace,
    "replace-quality": replace_quality,
    "replace-passive": replace_passive,
    "drop-clause": _drop_clause,
    "drop-adverb": drop_adverb,
    "drop-likely": drop_likely,
    "drop-first-word": drop_first_word,
    "drop-parenthesis": drop_parenthesis,
    "drop-extent": drop_extent,
}
SYNTAX_ACTIONS: Mapping[str, Callable[[ParsedPlace], Edit | None]] = {
    "drop-modal": modal_edit,
    **ACTIONS,
}
