"""Add a hedge to a plain statement.

Only statements about what is or follows are hedged; definitions, conditions, plans, commands and
sentences about the paper itself are left alone, and so is whatever is in doubt.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from revkit import Edit
from revkit_robustrev.citation_phrases import is_name
from revkit_robustrev.guards import DETERMINERS, words
from revkit_robustrev.hedge_causes import add_cause, add_explanation, add_likely, add_reason
from revkit_robustrev.hedge_evidence import (
    add_quality,
    add_report,
    add_showing,
    add_showing_quality,
)
from revkit_robustrev.hedge_knowledge import known_already
from revkit_robustrev.hedge_limits import (
    COMPONENTS,
    OWN_DESIGN,
    clause_before,
    in_parentheses,
    measured_fact,
    negated_before,
    no_claim,
    own_fact,
)
from revkit_robustrev.hedge_place import HedgePlace
from revkit_robustrev.hedge_predicates import (
    add_can,
    add_copula,
    add_makes,
    add_modal,
    add_modal_noun,
    add_modal_plural,
    add_tend,
    add_will,
    of_a_kind_of_thing,
)
from revkit_robustrev.hedge_stances import (
    add_arguably,
    add_belief,
    add_direction,
    add_knowledge,
    add_perhaps,
    add_reach,
    add_remains,
    add_unstudied,
)
from revkit_robustrev.hedge_words import KNOWN_VERBS

_REASONS = words("since because as that so it they")
_BACK = words("which that this these")
# What follows from the sentence before, or is wished.
_FOLLOWS = words("hope hopes implies imply implied implying therefore thus hence so consequently")
_SECOND_VERB = re.compile(
    r"[ \n](?:and|but)[ \n](?:also[ \n]|thus[ \n]|[a-z]{2,20}ly[ \n])?([a-z]{2,20}s)\b"
)
# A merit that the author states, and a fact that is conceded.
_MERIT = re.compile(
    r"\b(?:propert(?:y|ies)|advantages?|benefits?|strengths?|features?|merits?|virtues?)\b"
    r"[^.;,]*\b(?:is|are|was|were) that\b",
    re.IGNORECASE,
)
_CONCEDED = re.compile(r"(?:Although|Though|While|Whereas|Even though)\b[^,]*\Z")
_SHOWN_THAT = re.compile(
    r"\b(?:shows?|showed|shown|demonstrate[sd]?|prove[sdn]?|reveals?|revealed|confirms?) that\b"
)
# "Deep networks ...": a kind of thing, not a part of this paper's method.
_GENERIC = re.compile(
    r"[A-Z][a-z]+[ \n](?:[a-z-]{2,20}[ \n]){0,3}(?:networks|models|methods|approaches|algorithms"
    r"|techniques|systems|agents|classifiers|architectures|representations|policies|gradients)[ \n]"
)
_POINTING = DETERMINERS | words("many most few other existing previous recent proposed resulting")


def add_hedge(place: HedgePlace, section: str) -> Edit | None:
    """Return the edit that hedges the form at ``place``, or None where that is not safe.

    ``section`` is the heading above it, "" before the first one.
    """
    action = place.hedge.action
    if not _allowed_in(section, action):
        return None
    if place.form[0].isupper() or measured_fact(place.text, place.low, place.high):
        return None
    of_a_kind = action == "add-can" and _in_field(section) and of_a_kind_of_thing(place)
    if action in _OF_THE_WORLD and not of_a_kind and not _of_the_world(place):
        return None
    if known_already(place):
        return None
    if place.text[place.high - 1] not in ".!?)]\"'’”":
        return None  # a sentence that the text cuts off
    edit = _ACTIONS[action](place)
    if edit is None or in_parentheses(place):
        return None
    if _BUILT_ON.match(place.text, place.high):
        return None
    if action in _STANCES:
        return edit  # the whole sentence is judged, whatever its clauses say
    if of_a_kind:
        return None if _half_hedged(place) else edit
    return None if no_claim(place) or negated_before(place) else edit


# A next sentence that takes this one for sure.
_BUILT_ON = re.compile(
    r"\s*(?:Therefore|Thus|Hence|Consequently|Accordingly|Indeed|Clearly|Obviously|It follows)\b"
)


def _of_the_world(place: HedgePlace) -> bool:
    """Whether the sentence claims something of the world: not of the paper's method or findings.

    The subject must be no component of a method and no name, and the clause no reason.
    """
    if own_fact(place.text, place.low, place.high):
        return False
    clause = clause_before(place)
    subject = clause.split()
    first = subject[0] if subject else ""
    if first.lower() in _REASONS or is_name(first):
        return False
    if any(sum(letter.isupper() for letter in word) > 1 for word in subject):
        return False  # "LR improves": a part of the method by its acronym
    opening = place.text[place.low : place.low + 16].lower().split(",")[0]
    follows = _FOLLOWS & {opening, *clause.lower().split()}
    if _SHOWN_THAT.search(place.text, place.low, place.start):
        return False
    if _MERIT.search(place.text, place.low, place.start):
        return False
    if place.hedge.action != "add-can" and _CONCEDED.match(place.text[place.low : place.start]):
        return False
    if follows or " ensure " in place.rest or _half_hedged(place):
        return False
    if first.lower() in _BACK and place.hedge.action == "add-can":
        clause = place.text[place.low : place.start]
    named = any(letter.isupper() for word in subject[1:] for letter in word)
    if _GENERIC.fullmatch(place.text[place.low : place.start]) and first.lower() not in _POINTING:
        return True
    return not (named or OWN_DESIGN.search(clause) or COMPONENTS.search(clause))


def _half_hedged(place: HedgePlace) -> bool:
    """Whether a second verb of the same subject would stay sure: "may prevent A and leads to B"."""
    return any(
        word[:-1] in KNOWN_VERBS or word[:-2] in KNOWN_VERBS or word in ("is", "has")
        for word in _SECOND_VERB.findall(place.rest.partition(";")[0])
    )


# Where a paper speaks of the world; elsewhere, of its method and of what it measured.
_OF_THE_FIELD = re.compile(
    r"abstract|introduc|related|background|discussion|conclu|motivation|limitation|future"
    r"|previous|prior work|literature|overview|implications",
    re.IGNORECASE,
)
# Where a paper says what it is good for.
_OF_THE_PAPER = re.compile(
    r"abstract|introduc|discussion|conclu|future|outlook|implications|summary", re.IGNORECASE
)
_AT_THE_END = re.compile(r"discussion|conclu|future|outlook|implications|summary", re.IGNORECASE)
# Where a paper explains what it observed; a method is explained by its making.
_OF_THE_METHOD = re.compile(
    r"method|approach|model|preliminar|notation|problem|theor|proof|algorithm|architecture|setup"
    r"|set-up|implementation|detail|dataset|training|procedure|formulation|framework|material"
    r"|protocol|design|background|derivation|analysis of the",
    re.IGNORECASE,
)
_OF_RESULTS = re.compile(
    r"result|experiment|evaluat|discuss|ablation|conclu|comparison|performance|findings|limitation",
    re.IGNORECASE,
)
_ANYWHERE = ("add-makes",)


def _in_field(section: str) -> bool:
    return not section or bool(_OF_THE_FIELD.search(section))


def _allowed_in(section: str, action: str) -> bool:
    """Whether ``action`` may hedge a sentence of ``section``.

    In a section on the method or the results, a plain statement of the world is more often a
    measured or designed fact than a claim. Such sentences are left out. Causes are claims where
    results are discussed.
    """
    if not section:
        return action not in ("add-implied", "add-direction", "add-reach")
    if action in ("add-cause", "add-reason"):
        return bool(_OF_RESULTS.search(section)) or not _OF_THE_METHOD.search(section)
    if action == "add-direction":
        return bool(_AT_THE_END.search(section))
    if action == "add-implied":
        return bool(_OF_RESULTS.search(section))
    if action == "add-belief":
        return bool(_OF_THE_PAPER.search(section))
    if action == "add-reach":
        return bool(_AT_THE_END.search(section))
    of_the_world = action in _OF_THE_WORLD or action in _OF_THE_LITERATURE
    return not of_the_world or action in _ANYWHERE or _in_field(section)


# Actions that make a claim of the world less certain; the others weaken what evidence shows, give
# an explanation, or state a judgement of the authors.
_OF_THE_WORLD = (
    "add-copula",
    "add-modal",
    "add-modal-plural",
    "add-modal-noun",
    "add-can",
    "add-will",
    "add-makes",
)
# Actions on what is said of other work.
_OF_THE_LITERATURE = ("add-unstudied", "add-perhaps", "add-tend", "add-remains")
# Actions that hedge a sentence from its beginning.
_STANCES = ("add-belief", "add-knowledge", "add-unstudied", "add-perhaps", "add-tend")


_ACTIONS: Mapping[str, Callable[[HedgePlace], Edit | None]] = {
    "add-copula": add_copula,
    "add-modal": add_modal,
    "add-modal-noun": add_modal_noun,
    "add-modal-plural": add_modal_plural,
    "add-report": add_report,
    "add-implied": add_report,
    "add-cause": add_cause,
    "add-reason": add_reason,
    "add-explanation": add_explanation,
    "add-will": add_will,
    "add-likely": add_likely,
    "add-can": add_can,
    "add-tend": add_tend,
    "add-reach": add_reach,
    "add-quality": add_quality,
    "add-showing": add_showing,
    "add-showing-quality": add_showing_quality,
    "add-makes": add_makes,
    "add-arguably": add_arguably,
    "add-perhaps": add_perhaps,
    "add-remains": add_remains,
    "add-belief": add_belief,
    "add-knowledge": add_knowledge,
    "add-unstudied": add_unstudied,
    "add-direction": add_direction,
}
