"""The words of a sentence in the form in which the rules of meaning compare them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from functools import cache, cached_property, lru_cache

from revkit.dataclass import dataclass
from revkit.english import function_words, generic_nouns

# A number with its sign and unit sign, or a word with its inner hyphens, apostrophes and digits.
_TOKEN = re.compile(
    r"[-+−±]?\d+(?:,\d{3})*(?:\.\d+)?(?:e[-+]?\d+)?[%‰]?(?![\w])"
    r"|[^\W_][\w]*(?:[-'’.&/][\w]+)*"
)
CARDINALS = {
    word: str(value)
    for value, word in enumerate(
        (
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
        ),
        start=2,
    )
}
_SUFFIX = re.compile(
    r"(?:izations?|isations?|ational|ations?|ments?|nesses|ness|ities|ity|ances?|ences?|ically"
    r"|isms?|ingly|edly|ively|ably|ibly|ially|ional|ions?|ings?|ives?|ers?|ors?|ies|ied|ization|izing|ising|ize[sd]?"
    r"|ise[sd]?|able|ible|ical|ally|ous|ful|less|ial|al|ly|ed|es|ic|y|s|e)\Z"
)
# Forms too short to cut, and forms of irregular verbs.
_SHORTEST = {
    "uses": "use", "used": "use", "using": "use", "found": "find", "built": "build",
    "chose": "choose", "chosen": "choose", "held": "hold", "kept": "keep", "led": "lead",
    "sought": "seek", "wrote": "write", "written": "write", "began": "begin", "begun": "begin",
    "drew": "draw", "drawn": "draw", "grew": "grow", "grown": "grow", "meant": "mean",
}  # fmt: skip
_CONTRACTED = {"wo": "will", "ca": "can", "sha": "shall"}  # "won't", "can't", "shan't"
# Endings after which three letters may be left: "take", "taking", "takes".
_SHORT = re.compile(r"(?<=\w{3})(?:es|ing|ed|e|s)\Z")


SPEAKERS = frozenset(("we", "our", "ours"))  # the authors, who can be part of a relation


@dataclass(frozen=True, slots=True)
class Word:
    """One word or number of a text: as written, in lower case, and its family."""

    text: str
    lower: str
    family: str
    start: int

    @property
    def number(self) -> bool:
        """Whether it is a number: figures, or a cardinal in words."""
        return self.lower[:1].isdigit() or self.lower[:1] in "+-−±" or self.lower in CARDINALS

    @property
    def content(self) -> bool:
        """Whether it carries content: not a function word."""
        return self.lower not in function_words()

    @property
    def named(self) -> bool:
        """Whether it is written like a name or an acronym; a capital at the start of a sentence may
        mean nothing.
        """
        return self.text != self.lower and not self.text.islower() and not self.number


@lru_cache(maxsize=50_000)
def family(word: str) -> str:
    """Return what related words have in common: "improve", "improvement" and "improving" are one
    family.

    An approximation without a dictionary: endings are cut, as long as four letters are left.
    """
    word = CARDINALS.get(word, _SHORTEST.get(word, word))
    if len(word) <= 3 or not word.isalpha():
        return word
    if len(word) > 5 and word.endswith("ies"):
        word = word[:-3] + "y"
    previous = ""
    while previous != word:
        previous = word
        shorter = _SUFFIX.sub("", word)
        if len(shorter) >= 4:
            word = shorter
    word = _SHORT.sub("", word)
    return word[:-1] if len(word) > 4 and word[-1] == word[-2] else word


@cache
def generic_families() -> frozenset[str]:
    """Return the families of the nouns that say nothing of a subject."""
    return frozenset(family(noun) for noun in generic_nouns())


class Words:
    """The words of one sentence, read once."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def all(self) -> tuple[Word, ...]:
        """Every word, in the order of the text."""
        found = []
        for match in _TOKEN.finditer(self.text):
            lower = match[0].lower().replace("’", "'")
            for ending in ("'s", "n't"):
                lower = lower.removesuffix(ending)
            if ending_is_not(match[0]):
                found.append(Word("not", "not", "not", match.start()))
            lower = _CONTRACTED.get(lower, lower) if ending_is_not(match[0]) else lower
            if lower:
                found.append(Word(match[0], lower, family(lower), match.start()))
        return tuple(found)

    @cached_property
    def lowers(self) -> tuple[str, ...]:
        """Every word in lower case."""
        return tuple(word.lower for word in self.all)

    @cached_property
    def content(self) -> tuple[Word, ...]:
        """The words that carry content."""
        return tuple(word for word in self.all if word.content)


def ending_is_not(word: str) -> bool:
    """Return whether a word ends in a contracted "not"."""
    return word.lower().replace("’", "'").endswith("n't")


def related(one: str, other: str) -> bool:
    """Return whether two families are the same: equal, or one begins the other and is long
    enough.
    """
    if one == other:
        return True
    short, long = sorted((one, other), key=len)
    shared = 0
    for a, b in zip(short, long, strict=False):
        if a != b:
            break
        shared += 1
    return shared >= 5 and shared >= len(short) - 1 and len(long) - shared <= 4


def unmatched(these: Sequence[Word], those: Sequence[Word]) -> list[Word]:
    """Return the words of ``these`` without a related word in ``those``; each word is matched
    once.
    """
    left = [word.family for word in those]
    lost = []
    for word in these:
        if word.family in left:
            left.remove(word.family)
        else:
            lost.append(word)
    still = []
    for word in lost:
        mate = next((other for other in left if related(word.family, other)), None)
        if mate is None:
            still.append(word)
        else:
            left.remove(mate)
    return still


# From this share of common words in one order on, a sentence is the old one with a small edit. Free
# rewordings have 0.2 to 0.7, single changes of meaning 0.85 and more (benchmarks/meaning).
_SMALL = 0.75


def similarity(old: Words, new: Words) -> float:
    """Return the share of words that both sentences have in the same order, from 0 to 1."""
    return _ratio(old.lowers, new.lowers)


@lru_cache(maxsize=256)
def _ratio(old: tuple[str, ...], new: tuple[str, ...]) -> float:
    return SequenceMatcher(None, old, new, autojunk=False).ratio()


def small_edit(old: Words, new: Words) -> bool:
    """Return whether ``new`` is ``old`` with a small edit, and not a free rewording."""
    return similarity(old, new) >= _SMALL
