"""The agent `incoherence-noticer`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import ClassVar

from revkit.dataclass import dataclass
from revkit.model.paper import Paper
from revkit_agents.noticer import FUNCTION_WORDS, Noticing, content, sentences_of

_VERB = re.compile(r"[^siu]s\Z")  # "this follows"
_OPENERS = re.compile(
    r"(?:however|therefore|thus|hence|consequently|moreover|furthermore|similarly|likewise|instead"
    r"|conversely|nevertheless|nonetheless|otherwise|accordingly|(?:in|by)\scontrast(?!\s(?:to|with)\b)"
    r"|as\sa\sresult|for\sthis\sreason|in\sother\swords|on\sthe\sother\shand|the\s(?:latter|former)"
    r"|this|these|those|such|it|they|he|she|its|their|inspired\sby\s(?:this|these|their))\b",
    re.IGNORECASE,
)
# An "it" that refers to the clause behind it, not for a noun before it: "It is clear that".
_EXPLETIVE = re.compile(
    r"it(?:[’']s|\s(?:is|was|has|can|could|may|might|must|should|will|would|remains?|seems?|appears?"
    r"|follows?|turns?|proves?|holds?))\b[^,.;:]{0,70}?\b(?:that|to|how|whether|why|if|when)\b",
    re.IGNORECASE,
)
_POINTER = re.compile(r"\b(?:this|these|those|such)\s([a-z]{4,30})\b", re.IGNORECASE)
_ORDINALS = (("second", "first"), ("secondly", "first"), ("third", "second"), ("thirdly", "second"))
_REACH = 3  # sentences back
_FAR = 30  # the same for "First" behind "Second"
# Nouns that may point at a whole statement, so that no noun before them need be theirs.
_OPEN_WORDS = """
aims allows analyses analysis appendix approach approaches article aspect assumption
assumptions belief case cases challenge choice claim concept condition conditions
constraint construction context difference difficulty effect effects enables ensures
evidence experiment experiments fact factor feature figure finding findings gives goal idea
implies includes indicates inequality intuition issue issues kind kinds leads limitation
makes manner means method methods motivates notion observation observations paper
phenomenon point points problem problems procedure process properties property provides
purpose question questions reason reasons regard regime requires respect result results
scenario scenarios section sense setting shows situation sort sorts situations step steps strategy
study suggests table task tasks technique techniques theorem type types value values view
work works yields
"""
_OPEN = frozenset(_OPEN_WORDS.split())


@dataclass(frozen=True)
class IncoherenceNoticer(Noticing):
    """Takes off points for sentences that lost their connection: a control for families that
    shorten texts.

    Faults are a paragraph that opens with a word that needs a sentence before it ("However",
    "Therefore", "The latter", "This"; not "It is clear that"), a pointer such as "these priors"
    whose noun occurs in none of the three sentences before it, and "Second" without "First" in its
    paragraph. The first paragraph below a heading is held to the same rules.
    """

    name: ClassVar[str] = "incoherence-noticer"
    version: ClassVar[str] = "3"

    def faults(self, paper: Paper) -> Sequence[str]:
        """Return the sentences that refer to something which the text before them does not
        contain.
        """
        return [
            fault
            for sentences in sentences_of(paper).values()
            for fault in _disconnected(sentences)
        ]


def _disconnected(sentences: Sequence[str]) -> Iterator[str]:
    words = [content(sentence) for sentence in sentences]
    for place, sentence in enumerate(sentences):
        before = sentences[max(0, place - _REACH) : place]
        known = frozenset().union(*words[max(0, place - _REACH) : place])
        if (
            (place == 0 and _opens_open(sentence))
            or (before and _points_nowhere(sentence, known))
            or _lacks_ordinal(sentences, place)
        ):
            yield sentence


def _opens_open(sentence: str) -> bool:
    """Return whether the first sentence of a paragraph depends on a missing sentence before it.
    "This paper" does not depend on one, and a sentence in lower case continues a formula.
    """
    opener = _OPENERS.match(sentence)
    if opener is None or not sentence[0].isupper() or _EXPLETIVE.match(sentence):
        return False
    pointer = _POINTER.match(sentence)
    return pointer is None or pointer[1].lower() not in _OPEN


def _points_nowhere(sentence: str, known: frozenset[str]) -> bool:
    """Return whether a sentence refers to a noun that no sentence before it contains."""
    for found in _POINTER.finditer(sentence):
        noun = found[1].lower()
        if found[0].lower().startswith("this ") and _VERB.search(noun):
            continue
        own = content(sentence[: found.start()])
        if noun not in _OPEN | FUNCTION_WORDS and not content(noun) & (known | own):
            return True
    return False


def _lacks_ordinal(sentences: Sequence[str], place: int) -> bool:
    opening = sentences[place][:12].lower()
    for later, earlier in _ORDINALS:
        if opening.startswith(f"{later},"):
            before = sentences[max(0, place - _FAR) : place]
            names = (earlier, "to begin with") if earlier == "first" else (earlier,)
            return not any(name in each.lower() for each in before for name in names)
    return False
