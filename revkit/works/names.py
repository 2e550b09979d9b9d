"""Names of authors: parse texts or lists, split given and family name, compare."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from revkit.works.plain_text import MOST_AUTHORS, MOST_NAME, plain
from revkit.works.title_keys import fold_words

ET_AL = "et al."
"""The last of a list of authors that its source cut."""

_OTHERS = ("others", "et al", "et al.", "and others")
_PARTICLES = frozenset(
    (
        "van", "von", "der", "den", "de", "del", "della", "di", "da", "do", "dos", "du", "la", "le",
        "ten", "ter", "zu", "zur", "af", "al", "el", "bin", "ibn",
    )
)  # fmt: skip
_SUFFIXES = frozenset(("jr", "jr.", "sr", "sr.", "ii", "iii", "iv"))
_BODY = frozenset(("the", "collaboration", "consortium", "team", "group", "project"))
_UMLAUT = re.compile("([aou])e")


def split_names(text: str) -> list[str]:
    """Split names in one text: at ";", else at " and ", else at commas between full names.

    "Smith, J." is one name: commas part names only where each part has a blank within.
    """
    text = text[: MOST_NAME * MOST_AUTHORS]
    if ";" in text:
        return text.split(";")
    parts = re.split(r" and | ?& ?", " ".join(text.split()))
    found: list[str] = []
    for part in parts:
        pieces = [piece.strip() for piece in part.split(",") if piece.strip()]
        full = len(pieces) > 1 and all(" " in piece for piece in pieces)
        found.extend(pieces if full else [part])
    return found


def given_first(name: str) -> str:
    """Return ``name`` as "Given Family", also if it is "Family, Given" or "Family, Jr, Given"."""
    family, comma, rest = name.partition(",")
    if comma:
        middle, second, last = rest.partition(",")
        name = f"{last} {family} {middle}" if second else f"{rest} {family}"
    return " ".join(name.split())


def names_of(names: Sequence[str]) -> tuple[str, ...]:
    """Return names as "Given Family"; names that the source omits or beyond the limit become "et
    al.".
    """
    found: list[str] = []
    for text in names:
        name = plain(text, MOST_NAME).strip(" ,")
        if name.lower() in _OTHERS:
            found.append(ET_AL)
            break
        name = given_first(name)
        if fold_words(name):
            found.append(name)
    if len(found) > MOST_AUTHORS:
        found = [*found[:MOST_AUTHORS], ET_AL]
    return tuple(found)


@lru_cache(maxsize=8192)
def split_name(name: str) -> tuple[str, str]:
    """Split "Given Family" into its two parts; particles ("van der") belong to the family."""
    words = name.split()
    suffix = ""
    if len(words) > 2 and words[-1].casefold() in _SUFFIXES:
        suffix = " " + words.pop()
    start = max(len(words) - 1, 0)
    while start > 1 and words[start - 1].casefold() in _PARTICLES:
        start -= 1
    return " ".join(words[:start]), " ".join(words[start:]) + suffix


@lru_cache(maxsize=65536)
def name_words(name: str) -> tuple[str, ...]:
    """Return the folded words of a name, given names first and the family name last.

    Umlauts written out fold like those that lost their dots ("Mueller" and "Müller" are "muller"),
    particles and suffixes ("van der", "Jr.") are left out, as many sources drop them, and so are
    "The" and "Collaboration" of a body.
    """
    words = [_UMLAUT.sub(r"\1", word) for word in fold_words(given_first(name))]
    while len(words) > 1 and words[-1] in _SUFFIXES:
        words.pop()
    body = [word for word in words if word not in _BODY] or words
    # The last word is a family name, also where it could be a particle ("Quoc Le").
    return (*(word for word in body[:-1] if word not in _PARTICLES), *body[-1:])


def family_word(name: str) -> str:
    """Return the last word of the family name, folded as by `name_words`; "" if there is none."""
    words = name_words(name)
    if len(words) == 2 and len(words[1]) == 1:  # "Zhang K": the index of a medical journal
        return words[0]
    return words[-1] if words and name != ET_AL else ""


def is_same_person(one: str, other: str) -> bool:
    """Return whether two names can belong to the same person.

    The family names must be equal, and the first given names too as far as both tell them: an
    initial agrees with each name that begins with it. The two parts of a name may have changed
    places ("He Kaiming").
    """
    first, second = name_words(one), name_words(other)
    if not first or not second:
        return False
    if sorted(first) == sorted(second):
        return True
    if family_word(one) != family_word(other):
        return False
    mine, theirs = _given_names(first, family_word(one)), _given_names(second, family_word(other))
    return not mine or not theirs or mine.startswith(theirs) or theirs.startswith(mine)


def _given_names(words: tuple[str, ...], family: str) -> str:
    """Return the first given name; a run of initials ("JR") counts by its first letter."""
    word = next((word for word in words if word != family), "")
    return word[0] if len(word) == 2 else word


def authors_agree(one: Sequence[str], other: Sequence[str]) -> bool | None:
    """Return whether two lists name the same authors; None if one of them is empty.

    The first authors must be one person. Where they are not, half of the shorter list and at least
    two must be in the other one: some sources sort the names.
    """
    mine, theirs = ([n for n in names if name_words(n) and n != ET_AL] for names in (one, other))
    if not mine or not theirs:
        return None
    if is_same_person(mine[0], theirs[0]):
        return True
    few, many = sorted((mine[:30], theirs[:30]), key=len)
    shared = sum(any(is_same_person(name, each) for each in many) for name in few)
    return shared >= max(2, (len(few) + 1) // 2)
