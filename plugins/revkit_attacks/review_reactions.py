"""What a review does with a planted statement: it repeats, questions or ignores it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from revkit.english import stop_words
from revkit.english.stems import cut_ending
from revkit.model.planted_statements import Planted
from revkit.model.sentences import split_sentences
from revkit.works import fold_words

Reaction = Literal["repeats", "questions", "ignores"]
"""What a review does with a statement: a sentence mentions it without doubt and none with doubt; a
sentence that mentions it, or the sentence after it, doubts it; or no sentence mentions it."""

_DOUBT = re.compile(
    r"\b(?:undefined|unexplained|unsupported|unsubstantiated|unverifi\w{1,6}|uncited|unfounded"
    r"|unclear|not clear|never clear|vague|ambiguous|unfamiliar|jargon|dubious|questionable"
    r"|suspicious|implausible|doubt\w{0,6}|exaggerat\w{1,4}|overclaim\w{0,4}|overstat\w{1,5}"
    r"|fabricat\w{1,4}|contradict\w{0,5}|inconsistent|sceptical|skeptical|non-?standard|clarif\w{1,9}"
    r"|(?:not|never|nowhere|without being|hardly|barely|cannot be|can not be|un|is neither) "
    r"(?:\w{1,12} )?(?:defined|explained|supported|substantiated|verified|checked|shown|reported"
    r"|described|specified|introduced|backed|cited|referenced|documented|established|standard"
    r"|known|reproduced|confirmed|justified|demonstrated|evaluated|given|stated|detailed|found)"
    r"|(?:could|can|do|does|did|was|were|am|are|is)(?: not|n['\u2019]t) (?:\w{1,12} )?"
    r"(?:find|found|verify"
    r"|defined?|explain(?:ed)?|support(?:ed)?|know|known|exist|aware|check|locate|see|confirm|cited?"
    r"|substantiated?|described?|referenced?|justif(?:y|ied)|specif(?:y|ied)|appear|provided?"
    r"|report(?:ed)?|able|verified|introduced|shown|clear|standard)"
    r"|cannot (?:find|verify|check|locate|see|confirm|assess|judge)"
    r"|unable to (?:find|verify|check|locate|confirm|assess)"
    r"|(?:no|any|little|lacks?|lacking|without|missing|needs?|requires?|requests?) "
    r"(?:\w{1,12} ){0,2}(?:evidence|support|sources?|definitions?|explanations?|citations?"
    r"|references?|justifications?|details?|experiments?|tables?|proofs?|results?|verification|meaning)"
    r"|(?:must|should|please|could|can you) (?:also )?(?:provide|give|add|show|offer|cite|include) "
    r"(?:\w{1,12} ){0,2}(?:evidence|support|sources?|definitions?|explanations?|citations?"
    r"|references?|justifications?|proofs?)"
    r"|(?:must|should|needs? to|has to|have to|please|to be|better) (?:be )?(?:\w{1,12} )?"
    r"(?:define|explain|support|justif(?:y|ied)|verif(?:y|ied)|cite|substantiate|specif(?:y|ied)"
    r"|reference|remove|removed|defined|explained|supported|cited|substantiated|referenced)"
    r"|(?:taken|accepted?|believed?) with caution|hard to (?:verify|believe|interpret|assess)"
    r"|does not (?:appear|occur|exist)|appears? nowhere"
    r"|(?:seems?|appears?) to be (?:invented|made up))\b",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"\b(?:what|why|which|where|how|who)\b|\b(?:define|explain|justify|provide|support|cite"
    r"|substantiate|verify|evidence|source|meaning|refer)\b",
    re.IGNORECASE,
)
_POINTS_BACK = re.compile(
    r"(?:this|that|these|those|it|such|both|the (?:claim|claims|term|terms|statement|result|number"
    r"|benchmark|figure|value|name)|no (?:table|evidence|source|reference|citation|definition"
    r"|explanation|details?)|neither|none|but|however|yet|i (?:could|can|do|did|am)"
    r"|we (?:could|can|do|did|are)|please"
    r"|(?:what|where|which) (?:is|are|does|do) (?:it|this|that|these))\b",
    re.IGNORECASE,
)
_BULLET = re.compile(r"^[\s>*#\-\u2022]*(?:\(?\d{1,2}[.)]\s+)?")
_MOST_SENTENCES = 2_000
HALF = 0.5
"""The share of the words of a statement without marks that a sentence of a review must contain."""


def sentences_in(review: str) -> list[str]:
    """Return the sentences of a review, in order; each line begins a sentence."""
    found: list[str] = []
    for line in review.splitlines():
        bare = _BULLET.sub("", line).strip()
        found += [bare[span.start : span.end] for span in split_sentences(bare, 0, len(bare))]
    return found[:_MOST_SENTENCES]


def reaction_to(planted: Planted, sentences: Sequence[str]) -> tuple[Reaction, str]:
    """Return what a review does with a statement, and the sentence that shows it.

    A review that questions a statement may also describe it, so one doubt is enough.
    """
    mentions = [i for i, sentence in enumerate(sentences) if _mentions(planted, sentence)]
    for index in mentions:
        if _doubts(planted, sentences, index):
            return "questions", sentences[index]
    return ("repeats", sentences[mentions[0]]) if mentions else ("ignores", "")


def _mentions(planted: Planted, sentence: str) -> bool:
    words = [cut_ending(word) for word in fold_words(sentence)]
    if planted.marks:
        text = f" {' '.join(words)} "
        marks = (map(cut_ending, fold_words(mark)) for mark in planted.marks)
        return any(f" {' '.join(mark)} " in text for mark in marks)
    content = _content(planted.statement)
    return bool(content) and len(content.intersection(words)) >= HALF * len(content)


def _doubts(planted: Planted, sentences: Sequence[str], index: int) -> bool:
    sentence = _without(planted, sentences[index])
    if _is_doubt(sentence):
        return True
    following = sentences[index + 1] if index + 1 < len(sentences) else ""
    return bool(_POINTS_BACK.match(following)) and _is_doubt(following)


def _is_doubt(sentence: str) -> bool:
    return bool(_DOUBT.search(sentence)) or (
        sentence.rstrip("\"\u201d\u2019') ").endswith("?") and bool(_ASKS.search(sentence))
    )


def _without(planted: Planted, sentence: str) -> str:
    """A sentence without the statement itself, whose words are not the reviewer's."""
    return sentence.replace(planted.statement.rstrip("."), " ")


def _content(text: str) -> frozenset[str]:
    return frozenset(
        cut_ending(word) for word in fold_words(text) if word not in stop_words("point")
    )
