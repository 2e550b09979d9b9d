"""Conditions on the words around a place in a sentence.

Rules of wording hold in a context only: "uses" is a verb before "the" and a noun after "its". A
`Side` is what a rule can see to the left or to the right of a place, a `Guard` a condition on it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from revkit.dataclass import dataclass


def words(listed: str) -> frozenset[str]:
    """The set of the words of a text, for lists that are easier to read as text."""
    return frozenset(listed.split())


DETERMINERS = words(
    "the a an this that these those our their its his her your my each every some any all both"
    " no which what another such several many one two three"
)
PRONOUNS = words("we they i you it he she who which that one")
BE = words("is are was were be been being")
HAVE = words("have has had having")
MODALS = words("can could may might must shall should will would to cannot")
NUMBER_WORDS = words("two three four five six seven eight nine ten")
NOT_PLURAL = words(
    "this its is was has as thus does us his hers yes always perhaps towards besides across"
    " less unless plus minus versus vs various previous whereas afterwards sometimes"
)
# Adverbs that may be between a subject or an auxiliary and its verb.
BETWEEN = words(
    "also then further first now only instead thus therefore still often never not even just"
    " next hence always both each all again later thereby"
)
# Singular nouns that are the subject of a sentence about a paper more often than not.
SUBJECT_NOUNS = words(
    "paper work section method approach model algorithm framework network analysis study"
    " technique agent system architecture theorem experiment chapter article procedure strategy"
    " loss function objective module layer training regularization"
)
_OPENERS = " \t\n*_\"'“‘([«{"
_BOUNDS = ",;:([{—–"


@dataclass(slots=True)
class Side:
    """One side of a place. ``words`` are small letters, in the order of the text.

    ``mark`` is "START" (the sentence begins), "BOUND" (punctuation), "COMMA", "END" (the sentence
    or clause ends) or "". ``word`` is the nearest word, "" where punctuation comes first.
    """

    word: str
    mark: str
    words: tuple[str, ...] = ()


def side_before(text: str, low: int, start: int) -> Side:
    """Return the text before ``start`` in the sentence that begins at ``low``."""
    if start - low < 12 and not text[low:start].strip(_OPENERS):
        return Side("", "START")
    head = text[max(low, start - 60) : start].rstrip()
    if not head or head[-1] in _BOUNDS:
        return Side("", "BOUND", tuple(head[:-1].lower().split()[-3:]))
    words = tuple(head.lower().split()[-3:])
    return Side(words[-1].lstrip('("“[*_'), "", words)


def side_after(text: str, end: int, high: int) -> Side:
    """Return the text after ``end`` in the sentence that ends at ``high``."""
    tail = text[end : min(high, end + 40)]
    rest = tail.lstrip()
    if not rest:
        return Side("", "END")
    if len(rest) == len(tail):
        return Side("", "COMMA" if rest[0] == "," else "END" if rest[0] in ".;:!?)" else "BOUND")
    first = tuple(rest.lower().split()[:2])
    word = first[0] if first[0] in ("fig.", "eq.") else first[0].rstrip('.,;:!?)"”*_')
    return Side(word, "", first)


_FREE = words("of in on at by to for with from as and or that which while if when but")


def undetermined(before: Side) -> bool:
    """Whether no determiner of the noun phrase is before a place."""
    for word in reversed(before.words):
        if word in _FREE or word[-1:] in ",;:":
            return True
        if word in DETERMINERS:
            return False
    return True


def looks_plural(word: str) -> bool:
    """Whether ``word`` has the look of a plural noun; names of sciences and the like do not."""
    return (
        len(word) > 3
        and word[-1] == "s"
        and word[-2] not in "sui'’"
        and word.isalpha()
        and word not in NOT_PLURAL
    )


def _cross(side: Side, names: tuple[str, ...]) -> bool:
    return (
        len(side.words) > 1 and side.words[-1][:1].isdigit() and side.words[-2].lstrip("(") in names
    )


def _defined(side: Side) -> bool:
    """Whether a symbol is before a place whose meaning is stated there: "where $n$ is"."""
    symbol = side.words[-1] if side.words else ""
    known = symbol.endswith("$") or (len(symbol) == 1 and symbol.isalpha() and symbol not in "ai")
    return known and any(word.rstrip(",") in ("where", "here") for word in side.words[:-1])


_SETS: Mapping[str, frozenset[str]] = {
    "DET": DETERMINERS,
    "PRON": PRONOUNS,
    "BE": BE,
    "HAVE": HAVE,
    "MODAL": MODALS,
    "NUMBER": NUMBER_WORDS,
    "POSS": words("our their its his her your my"),
    "CANT": frozenset({"cannot", "can't", "never"}),
}
_TESTS: Mapping[str, Callable[[Side], bool]] = {
    "START": lambda side: side.mark == "START",
    "BOUND": lambda side: side.mark in ("START", "BOUND"),
    "COMMA": lambda side: side.mark == "COMMA",
    "END": lambda side: side.mark == "END",
    "LY": lambda side: side.word.endswith("ly"),
    "ING": lambda side: side.word.endswith("ing") and len(side.word) > 4,
    "NUM": lambda side: side.word[:1].isdigit(),
    "PLURAL": lambda side: looks_plural(side.word),
    "PLURALNOUN": lambda side: looks_plural(side.word),
    "CROSS": lambda side: _cross(side, ("figure", "fig.", "fig")),
    "TABLE": lambda side: _cross(side, ("table",)),
    "DEFINED": _defined,
}


@dataclass(frozen=True, slots=True)
class Guard:
    """A condition on a `Side`: one of the alternatives holds, none of the forbidden ones."""

    words: frozenset[str]
    tests: tuple[Callable[[Side], bool], ...]
    not_words: frozenset[str]
    not_tests: tuple[Callable[[Side], bool], ...]

    @classmethod
    def of(cls, terms: str) -> Guard:
        """Read a guard as the tables write it: words and CLASSES, "!" before what is forbidden.
        Raises `ValueError` for an unknown class.
        """
        wanted: set[str] = set()
        unwanted: set[str] = set()
        tests: list[Callable[[Side], bool]] = []
        not_tests: list[Callable[[Side], bool]] = []
        for term in terms.split():
            name = term.removeprefix("!")
            forbidden = name != term
            if name in _TESTS:
                (not_tests if forbidden else tests).append(_TESTS[name])
            elif name in _SETS:
                (unwanted if forbidden else wanted).update(_SETS[name])
            elif name == name.lower():
                (unwanted if forbidden else wanted).add(name)
            else:
                raise ValueError(f"unknown class of words {name!r}")
        return cls(frozenset(wanted), tuple(tests), frozenset(unwanted), tuple(not_tests))

    def allows(self, side: Side) -> bool:
        """Whether ``side`` meets the condition."""
        if side.word in self.not_words:
            return False
        for test in self.not_tests:
            if test(side):
                return False
        if side.word in self.words:
            return True
        for test in self.tests:
            if test(side):
                return True
        return not self.words and not self.tests


def last_plain(side: Side) -> str:
    """The nearest word before a verb, without adverbs between it and its subject or auxiliary."""
    if side.mark:
        return ""
    for word in reversed(side.words):
        if not (word in BETWEEN or (word.endswith("ly") and word.isalpha())):
            return word.lstrip('("“[')
    return ""


_BASE_SUBJECTS = words("we they i you who which that do does did let's help")
_OBJECT_STARTS = DETERMINERS | words("that how whether us it them")
_THIRD_SUBJECTS = words("it this which that who one") | SUBJECT_NOUNS


def is_base_verb(before: Side, after: Side) -> bool:
    """Whether a word that may be a noun ("use", "need") is a verb in its base form here."""
    word = last_plain(before)
    if word in _BASE_SUBJECTS or word in MODALS:
        return after.word != "of"
    if after.word not in _OBJECT_STARTS:
        return False
    return before.mark == "START" or looks_plural(word) or word in ("and", "or")


def is_third_person_verb(before: Side, after: Side) -> bool:
    """Whether a word that may be a plural noun ("uses") is a verb here."""
    if before.word in DETERMINERS and before.word not in _THIRD_SUBJECTS:
        return False
    return after.word in _OBJECT_STARTS or last_plain(before) in _THIRD_SUBJECTS


def is_participle(before: Side) -> bool:
    """Whether a verb form follows "be" or "have", so that it must be a participle."""
    word = last_plain(before)
    return word in BE or word in HAVE


def is_past(before: Side) -> bool:
    """Whether a verb form directly follows a subject pronoun, so that it must be a past tense."""
    return last_plain(before) in ("we", "they", "i", "he", "she", "who")
