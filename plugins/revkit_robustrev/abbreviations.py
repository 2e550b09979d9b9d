"""Abbreviations: those that a paper introduces itself, "recurrent neural network (RNN)", and those
that papers of machine learning use without introducing them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path

from revkit.dataclass import dataclass
from revkit.english import (
    article_before,
    article_for,
    capitalise,
    capitalise_as,
    function_words,
    table_rows,
)
from revkit.meaning import family
from revkit_robustrev.guards import side_before, undetermined, words

_INTRODUCED = re.compile(r"[ \n]\(([A-Z]{2,6})(s?)\)")
_BEFORE = 160  # characters before a short form in brackets that its long form is looked for in
_MOST = 7  # words of a long form
_TABLE = Path(__file__).parent / "abbreviations.tsv"
_PART = re.compile(r"[- ]")
# Words without a plural, before which no "a" is written either: "a reinforcement learning".
_UNCOUNTED = (
    "ing", "memory", "descent", "tion", "sion", "ance", "ence", "ity", "ics", "ysis", "data",
    "information", "knowledge", "speech", "ment",
)  # fmt: skip
_LONGEST = 400_000  # characters of a paper that are searched
_USED = 3  # uses of a short form from which on it can replace the long one
_AN = ("a", "an")
_LEADING = words(
    "deep a an the our this that these those each every standard simple use using train we propose"
    " and or of in on with for by to from as both different multiple several many most other via"
)


@dataclass(frozen=True, slots=True)
class Abbreviation:
    """A short form with its long form, in the singular and, where the paper has one, in the plural.

    ``since`` is the character of the paper from which on it is known, ``uses`` how often the paper
    has the short form, and ``article`` what is before it ("a", "an"; "" where the paper shows
    none).
    """

    short: str
    long: str
    plural: str
    since: int
    uses: int = 0
    article: str = ""

    @property
    def counted(self) -> bool:
        """Whether "a" can be before the long form."""
        return not self.long.lower().endswith(_UNCOUNTED)


@dataclass(frozen=True, slots=True)
class Replacement:
    """One place where a form of an abbreviation can be replaced by the other form."""

    start: int
    end: int
    new: str
    short: str


@lru_cache(maxsize=64)
def abbreviations(text: str) -> tuple[Abbreviation, ...]:
    """Return the abbreviations that ``text`` introduces, and usual ones that it uses without
    introducing them. A short form that is introduced with two meanings is left out."""
    found: dict[str, Abbreviation] = {}
    doubtful: set[str] = set()
    plain = " ".join(text[:_LONGEST].split())
    lowered = plain.lower()
    for match in _INTRODUCED.finditer(text, 0, min(len(text), _LONGEST)):
        short = match[1]
        long = _long_form(text[max(match.start() - _BEFORE, 0) : match.start()], short)
        if long is None or long.isupper():
            continue
        plural = bool(match[2]) or (_has_plural_look(long) and not short.endswith("S"))
        one = _singular(long) if plural else long
        if short in found:
            if found[short].long.lower() != one.lower():
                doubtful.add(short)
            continue
        many = one + "s" if plural or f"{one}s".lower() in lowered else ""
        forms = [each.lower() if each.lower() in plain else each for each in (one, many)]
        found[short] = _seen(Abbreviation(short, forms[0], forms[1], match.end()), text)
    for each in _usual():
        if each.short not in found and _topic(each.long) in lowered:
            seen = _seen(each, text)
            introduced = f"({each.short})" in text or f"({each.short}s)" in text
            if seen.uses and not introduced:
                found[each.short] = seen
    return tuple(found[short] for short in sorted(found) if short not in doubtful)


def _topic(long: str) -> str:
    """The last two words of a usual long form: a paper that has them means no other long form."""
    return " ".join(long.lower().split()[-2:])


def _seen(each: Abbreviation, text: str) -> Abbreviation:
    """``each`` with its uses in ``text``, and the article that is before it there."""
    places = list(_words(text, each.short, 0, len(text)))
    before = (text[max(start - 4, 0) : start].split()[-1:] for start, _ in places)
    article = next((word[0].lower() for word in before if word and word[0].lower() in _AN), "")
    return replace(each, uses=len(places), article=article)


def _words(text: str, form: str, low: int, high: int) -> Iterator[tuple[int, int]]:
    """The places of ``form``, and of its plural in "s", as whole words of ``text``."""
    at = text.find(form, low, high)
    while at >= 0:
        end = at + len(form)
        end += text[end : end + 1] == "s"
        if not _in_word(text[at - 1 : at]) and not _in_word(text[end : end + 1]):
            yield at, end
        at = text.find(form, at + 1, high)


def _in_word(sign: str) -> bool:
    return sign.isalnum() or sign == "_"


@cache
def _usual() -> tuple[Abbreviation, ...]:
    return tuple(
        Abbreviation(row["short"], row["long"], row["plural"], 0) for row in table_rows(_TABLE)
    )


def _long_form(before: str, short: str) -> str | None:
    """The last words of ``before`` whose letters make ``short``; None where none do."""
    tokens = before.split()[-_MOST:]
    for count in range(min(len(short), len(tokens)), 0, -1):
        last = tokens[-count:]
        parts = [part for token in last for part in token.split("-")]
        plain = len(parts) > 1 and all(part.isalpha() and part.isascii() for part in parts)
        if plain and _spells(short.lower(), [part.lower() for part in parts]):
            return " ".join(last)
    return None


def _spells(short: str, listed: list[str]) -> bool:
    """Whether each word gives its first letter to ``short``, and at most one later letter."""
    if not listed:
        return not short
    if not short or listed[0][:1] != short[0]:
        return False
    if _spells(short[1:], listed[1:]):
        return True
    return len(short) > 1 and short[1] in listed[0][1:] and _spells(short[2:], listed[1:])


def _has_plural_look(long: str) -> bool:
    return long.endswith("s") and not long.endswith(("ss", "us", "is", "ics"))


def _singular(long: str) -> str:
    return long[:-1] if _has_plural_look(long) else long


def replacements(text: str, low: int, high: int) -> Iterator[Replacement]:
    """Yield the places of the sentence ``low:high`` of ``text`` where an abbreviation can be
    written out, or the long form can be abbreviated. The sentence that introduces it has none."""
    flat = _flat(text)
    for each in abbreviations(text):
        if each.since > low:
            continue
        places = [(*place, True) for place in _words(text, each.short, low, high)]
        places += [(*place, False) for place in _words(flat, each.long.lower(), low, high)]
        for start, end, short in places:
            if text[start - 1 : start] in _SIGNS or _continues(text, end):
                continue
            new = _other_form(text, (low, high), (start, end), each, short=short)
            if new is None:
                continue
            place = _with_article(
                text, low, start, new, article_for(new) if short else each.article
            )
            if place is not None:
                yield Replacement(place[0], end, place[1], each.short)


@lru_cache(maxsize=64)
def _flat(text: str) -> str:
    """``text`` in small letters, with a blank for each line end; the same length as ``text``."""
    lowered = text.lower()
    return (lowered if len(lowered) == len(text) else text).replace("\n", " ")


_SIGNS = frozenset("/'’*`$\\^{(-")


def _continues(text: str, end: int) -> bool:
    """Whether what follows a place belongs to the same name: "RNN-based", "RNN (left)", "RNN 2"."""
    after = text[end : end + 2]
    return (
        after[:1] in (_SIGNS | {"+", "}", ":"})
        or (after[:1] in " \n" and after[1:] in "([")
        or (after[:1] in (" ", "\n") and after[1:].isdigit())
    )


def _other_form(
    text: str, sentence: tuple[int, int], place: tuple[int, int], each: Abbreviation, *, short: bool
) -> str | None:
    """The other form at a place of a sentence; None where it would be noticed or be in doubt."""
    (low, high), (start, end) = sentence, place
    before = text[max(low, start - 60) : start].split()
    after = text[end : min(high, end + 60)].split()
    nearest = before[-1].lower() if before else ""
    opening = start - low < 2
    many = text[end - 1] == "s" and end - start > len(each.short if short else each.long)
    if many and not each.plural:
        return None
    if short:
        if nearest in _NAMING:
            return None  # "graph networks (Lee, 2009), or GNNs"
        long = each.plural if many else each.long
        if _beside_names(before, after) or nearest[-1:].isdigit() or nearest[:1] in ("[", "("):
            return None
        near = {family(word.strip(".,;:()").lower()) for word in before[-2:] + after[:2]}
        if near & {family(word.lower()) for word in _PART.split(long)}:
            return None  # "LSTM recurrent networks" would have "network" twice
        if not many:
            ends, follows = _ends(text, end, high), (after or [""])[0]
            if ends and not each.counted and nearest in _AN:
                return None
            alone = each.counted and (ends or follows.endswith(("s", "ed", "ly")))
            if alone and undetermined(side_before(text, low, start)):
                return None  # "we find that generative network is"
        return capitalise(long) if opening else long
    if not (opening or nearest in _LEADING or nearest in function_words() or nearest[-1:] == ","):
        return None  # a part of a longer name
    written = text[start:end]
    if each.uses < _USED:
        return None
    if any(word[0].isupper() for word in written.split()[1:]) and each.long.islower():
        return None  # a title
    return each.short + ("s" if many else "")


def _beside_names(before: list[str], after: list[str]) -> bool:
    """Whether another name or abbreviation is beside a place: "SGD, Adam and NAG"."""
    one, two = [*before[-2:], "", ""][:2] if len(before) > 1 else ("", *before, "")[:2]
    three, four = [*after[:2], "", ""][:2]
    return (
        _is_name(two)
        or _is_name(three)
        or (two.lower() in _JOINTS and _is_name(one))
        or (three.lower() in _JOINTS and four[:1].isupper())
        or (three in ("", ",") and _is_name(four))
    )


_NAMING = words("or called named dubbed termed abbreviated denoted aka i.e.")
_JOINTS = words("and or vs vs. versus plus over than , with to")


def _is_name(word: str) -> bool:
    return sum(letter.isupper() for letter in word) > 1


def _with_article(text: str, low: int, start: int, new: str, wanted: str) -> tuple[int, str] | None:
    """Start and text of a replacement with the article ``wanted`` if there is one before it; None
    where it is not known which one."""
    found = article_before(text, low, start)
    if found is None:
        return start, new
    at, article, blanks = found
    if not wanted:
        return None
    if wanted == article.lower():
        return start, new
    return at, capitalise_as(wanted, article) + blanks + new


def _ends(text: str, end: int, high: int) -> bool:
    """Whether no noun follows to which an abbreviation could belong."""
    rest = text[end:high].split()[:1]
    return not rest or not rest[0][:1].isalpha() or rest[0].lower() in function_words()


def abbreviated(text: str, known: tuple[Abbreviation, ...]) -> str:
    """``text`` with the short form for every long form of ``known``."""
    if known:
        text = " ".join(text.split())
    for each in known:
        parts, last = [], 0
        for start, end in _words(_flat(text), each.long.lower(), 0, len(text)):
            many = end - start > len(each.long)
            parts += [text[last:start], each.short + ("s" if many else "")]
            last = end
        text = "".join([*parts, text[last:]])
    return text


def changed_abbreviations(text: str, old: str, new: str) -> tuple[Abbreviation, ...]:
    """The abbreviations of the paper ``text`` of which a sentence has another number of short forms
    before and after."""
    return tuple(
        each
        for each in abbreviations(text)
        if each.short in old + new and _count(old, each.short) != _count(new, each.short)
    )


def _count(text: str, form: str) -> int:
    return sum(1 for _ in _words(text, form, 0, len(text)))
