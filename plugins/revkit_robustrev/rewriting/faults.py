"""Faults: what is wrong with a sentence that a model wrote to replace another.

The gates of the families of rules, sentence by sentence, and what a rule cannot do and a model
can: add a name, answer in another language, repeat its instructions. A fault is sent to the model,
so it quotes nothing of the paper but numbers and words of fixed lists.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable
from functools import cached_property

from revkit import english
from revkit.dataclass import dataclass
from revkit.model.sentences import split_sentences
from revkit.model.words import count_words
from revkit_robustrev.changed_sentences import citations, difference, numbers
from revkit_robustrev.constraints import directions, first_direction
from revkit_robustrev.guards import words
from revkit_robustrev.hedge_lexicon import count_hedges
from revkit_robustrev.rewriting.anchors import anchors, texts_of

LONGEST = 3_000  # characters of one sentence
# Function words that most English sentences hold, and few sentences in other languages.
_ENGLISH = words(
    "the of and to is in that for with are be as by this on from which it we an was our at can"
    " have not or has these were their than its into between both such more also each when they"
    " only other where how but while if there because then does do may been"
)
_WORD = re.compile(r"[A-Za-z]+(?:['’][a-z]+)?")
_CONTENT = re.compile(r"[a-z][a-z-]{3,}")
_NAME = re.compile(r"[^\W\d_][\w-]*")
_MARKUP = frozenset("`*_#|<>[]{}$\\~^@")
_RUN = 6  # words in a row that are in the instructions and not in the paper: copied


@dataclass(frozen=True)
class Fault:
    """Why a sentence is rejected: ``kind`` has two or three words and is counted, ``message`` is
    sent to the model.
    """

    kind: str
    message: str


Gate = Callable[[str, str], Fault | None]


class Sheet:
    """What is known of a paper and of the instructions while its sentences are judged."""

    def __init__(self, text: str, instructions: str) -> None:
        self._text = text
        self._instructions = instructions

    @cached_property
    def names(self) -> frozenset[str]:
        """All words and names of the paper, as they are written."""
        return frozenset(_NAME.findall(self._text))

    @cached_property
    def words(self) -> frozenset[str]:
        """All words of the paper in small letters."""
        return frozenset(_WORD.findall(self._text.lower()))

    @cached_property
    def instruction_runs(self) -> frozenset[tuple[str, ...]]:
        """Runs of words of the instructions that the paper does not hold."""
        return _runs(self._instructions) - _runs(self._text)


def _runs(text: str) -> frozenset[tuple[str, ...]]:
    found = _WORD.findall(text.lower())
    return frozenset(tuple(found[i : i + _RUN]) for i in range(len(found) - _RUN + 1))


def is_english(text: str) -> bool:
    """Whether a sentence of some length holds two function words of English or more."""
    found = [word for word in _WORD.findall(text.lower()) if word in _ENGLISH]
    return len(found) >= 2


def form_fault(sheet: Sheet, new: str) -> Fault | None:
    """What no sentence that comes into a paper may be: empty, foreign, marked up, or copied."""
    if not new:
        return Fault("empty", "no text was given")
    if len(new) > LONGEST:
        return Fault("too long", f"the text is longer than {LONGEST} characters")
    if any(unicodedata.category(character)[0] == "C" for character in new):
        return Fault("control characters", "the text holds control characters")
    if not sheet.instruction_runs.isdisjoint(_runs(new)):
        return Fault("copied instructions", "the text repeats the instructions")
    return None


def foreign(sheet: Sheet, old: str, new: str) -> Fault | None:
    """Whether ``new`` is not English: too few function words beside ``old``, and most of its words
    unknown in the paper; or letters of other scripts."""
    found = _WORD.findall(new.lower())
    before = sum(word in _ENGLISH for word in _WORD.findall(old.lower()))
    after = sum(word in _ENGLISH for word in found)
    known = sum(word in _ENGLISH or word in sheet.words for word in found)
    few = 2 * (after + 1) < before and 2 * known < len(found)
    if few or _letters_beyond_latin(new) > _letters_beyond_latin(old):
        return Fault("not English", "the text must be English")
    return None


def _letters_beyond_latin(text: str) -> int:
    return sum(c.isalpha() and "LATIN" not in unicodedata.name(c, "") for c in text)


def markup_fault(old: str, new: str) -> Fault | None:
    """Whether ``new`` has signs of markup that ``old`` does not have."""
    added = Counter(c for c in new if c in _MARKUP) - Counter(c for c in old if c in _MARKUP)
    if added:
        return Fault("markup added", "no markup may be added")
    return None


def names_fault(sheet: Sheet, new: str) -> Fault | None:
    """Whether ``new`` brings a name or an acronym that the paper does not hold."""
    for match in _NAME.finditer(new):
        word = match[0]
        named = word[0].isupper() and match.start() > 0
        if (named or any(c.isupper() for c in word[1:])) and word not in sheet.names:
            return Fault("name added", "it brings a name that the paper does not hold")
    return None


def content_fault(old: str, new: str) -> Fault | None:
    """Whether numbers, marks, citations, negations or comparisons differ."""
    if difference(numbers(old), numbers(new)):
        return Fault("numbers changed", "the numbers must be the same as before" + lack(old, new))
    if texts_of(old, anchors(old)) != texts_of(new, anchors(new)):
        return Fault(
            "marks changed",
            "numbers, formulas, citation marks, links, code, cross references and quotations must "
            "all stand as they were written, in the order in which they stood, and none may come",
        )
    if difference(citations(old), citations(new)):
        return Fault("citations changed", "the citations must be the same as before")
    before, after = directions(old), directions(new)
    if before != after:
        message = _changes("lost", before - after) + _changes("added", after - before)
        return Fault(
            "negation or comparison changed",
            "words of negation, comparison and direction must be the same as before:" + message,
        )
    return _opposite(old, new) or (_turned(old, new) if before else None)


def _opposite(old: str, new: str) -> Fault | None:
    """Whether a word lost or won a prefix of negation: "stable" and "unstable"."""
    before, after = (frozenset(_WORD.findall(text.lower())) for text in (old, new))
    for these, those in ((before - after, after), (after - before, before)):
        for word in these:
            prefixes = english.negations("prefix")
            if any(word.startswith(p) and word[len(p) :] in those for p in prefixes):
                return Fault(
                    "negation or comparison changed", "a word became the opposite of what it was"
                )
    return None


def _turned(old: str, new: str) -> Fault | None:
    """Whether words changed sides of the first negation or comparison: that "A outperforms B" and
    "B outperforms A" hold the same words, and no count shows the difference."""
    (a, b), (c, d) = _sides(old), _sides(new)
    if (a - b) & (d - c) or (b - a) & (c - d):
        return Fault(
            "sides changed",
            "what stood before and after the word of negation, comparison or direction must stay "
            "on its side",
        )
    return None


def _sides(text: str) -> tuple[frozenset[str], frozenset[str]]:
    text = text.lower()
    place = first_direction(text)
    return content(text[:place]), content(text[place:])


def content(text: str) -> frozenset[str]:
    """The words of four letters and more, by their first five: "gates" and "gate" are one."""
    return frozenset(word[:5].removesuffix("s") for word in _CONTENT.findall(text.lower()))


def lack(old: str, new: str) -> str:
    """The numbers that ``new`` has lost and added, as the end of a message."""
    before, after = numbers(old), numbers(new)
    return ":" + _changes("lost", before - after) + _changes("added", after - before)


def _changes(what: str, counted: Counter[str]) -> str:
    listed = ", ".join(sorted(word[:20] for word in counted)[:6])
    return f" {what} {listed};" if listed else ""


def shape_fault(old: str, new: str) -> Fault | None:
    """Whether ``new`` is not one sentence that begins and ends as ``old`` does."""
    if len(split_sentences(new, 0, len(new))) > max(1, len(split_sentences(old, 0, len(old)))):
        return Fault("several sentences", "one sentence must stay one sentence")
    if old[-1] != new[-1] or old[0].isupper() != new[0].isupper():
        return Fault(
            "no whole sentence", "it must begin with a capital and end with the same sign as before"
        )
    for opening, closing in ("()", "[]", "“”"):
        balance = old.count(opening) - old.count(closing)
        if new.count(opening) - new.count(closing) != balance:
            return Fault("brackets open", "every bracket must be closed")
    return None


def hedges_fault(old: str, new: str) -> Fault | None:
    """Whether the number of hedges differs."""
    change = count_hedges(new) - count_hedges(old)
    if change:
        what = "added" if change > 0 else "lost"
        return Fault("hedges changed", f"hedges such as may, likely, suggests: {what}; keep them")
    return None


def length_fault(old: str, new: str, least: float, most: float) -> Fault | None:
    """Whether the words of ``new`` are fewer or more than the shares allow, by two words beside."""
    before, after = count_words(old, 0, len(old)), count_words(new, 0, len(new))
    if least * before - 2 <= after <= most * before + 2:
        return None
    what = "short" if after < before else "long"
    return Fault(f"too {what}", f"it is too {what}: {after} words for {before}")
