"""Decide whether a full stop ends a sentence, from the word before it and the text after it."""

from __future__ import annotations

import re

from revkit.model.sentence_words import (
    ALSO_WORDS,
    MONTHS,
    NEVER,
    SELDOM,
    SMALL_STARTERS,
    STARTERS,
)

_WORD_BEFORE = re.compile(r"[^\s()\[\]{}\"“”„«»‘—–;:/]*\Z")
_NEXT_WORD = re.compile(r"[\"'“„«‘(\[*_–-]*([^\W\d_]+)(,?)")
_CAPITALISED = re.compile(r"[\"'“„«‘(\[*_]{0,4}[^\W\d_a-z][^\W\d_A-Z]")
_INITIALS = re.compile(r"[^\W\d_](?:\.-?[^\W\d_]){0,4}\Z")
_SMALL_WORD = re.compile(r"[^\W\d_]+(?=[\s,])")
_PARTICLE_NAME = re.compile(
    r"(?:de|van|von|del|della|di|da|dos|den|le|la|el|al|ten|ter)\s(?:der?\s|den\s|la\s)?[^\W\d_a-z]"
)
# "circRNAs", "rIL-35", "word2vec", "k-means".
_MIXED = re.compile(r"[a-z]{1,8}[A-Z\d]|[a-z]-[A-Za-z]{2}")
# "ii) Since", "(b) Another".
_ITEM = re.compile(r"\(?(?:[ivx]{1,4}|[a-z])[.)]\s+[\"'“*_$\\]*[^\W\d_a-z]")
_NUMBER = re.compile(r"[*_(\s]{0,4}(\d{1,2})[.)]")
_MARK = re.compile(r"\[\d{1,3}\](?=\s[A-Z])")
# Before the number of a list's item: a word and a colon (not the colon of "7 : 1 : 2"), a bracket.
_LISTED = re.compile(r"(?:[^\W\d_]\)?[:;]|\))\s+\Z")
# A number of a list, alone, or that of a theorem, figure, or observation with its name.
_LABEL = re.compile(
    r"(?:\d[\d.]{0,5}|[ivxIVX]{1,5}|[^\W\d_]?)[)\]]?\Z|[A-Z][a-z]{2,11}\s\d{1,2}(?:\.\d{1,2}){0,2}\Z"
)
# Opening quotation marks in UTF-8 that was read as Windows-1252 or as Latin-1.
_BROKEN_OPENING = ("â€œ", "â€˜", "â\x80\x9c", "â\x80\x98")


def _plain_word_before(text: str, stop: int) -> bool:
    """Return whether four lower-case letters or more precede the stop, which excludes common
    abbreviations.
    """
    return text[stop - 4 : stop].isalpha() and text[stop - 4 : stop].islower()


def starts(text: str, at: int, end: int, stop: int) -> bool:
    """Return whether a sentence may start at ``at``, after the stop at ``stop``.

    Not with a small letter, save in "iPhone", in the item of a list, and in words that hardly
    follow anything but the end of a sentence.
    """
    first = text[at]
    if first.isupper() or first.isdigit():
        return True
    if first.islower():
        if first == "â":
            return text.startswith(_BROKEN_OPENING, at)
        if "α" <= first <= "ω":
            return True
        if _PARTICLE_NAME.match(text, at, end) or _MIXED.match(text, at, end):
            return True
        if _ITEM.match(text, at, end):
            return True
        word = _SMALL_WORD.match(text, at, min(at + 12, end))
        return bool(
            word
            and word[0] in SMALL_STARTERS
            and (text[stop] == "?" or _plain_word_before(text, stop))
        )
    if first in ",;:)]}/=<>≤≥+|&.!?…" and not text.startswith(("<a", "<b", "<e", "<i", "<s"), at):
        return False
    if first in "*_\"'“‘([" and at + 1 < end:
        rest = text[at : min(at + 6, end)].lstrip("*_\"'“‘([`")
        if not rest[:1].islower() or text[stop] != ".":
            return True
        if first == "(":
            return _ITEM.match(text, at, end) is not None
        return first != "[" and _plain_word_before(text, stop)
    return True


def _is_starter(text: str, after: int) -> bool:
    """Return whether the word at ``after`` usually starts a sentence."""
    found = _NEXT_WORD.match(text, after, after + 20)
    if found is None:
        return False
    word = found[1]
    lower = word.lower()
    if lower in STARTERS:
        # "A" and "I" may be initials.
        return len(word) > 1 or text[found.end() : found.end() + 1] == " "
    return found[2] == "," and lower.endswith("ly")


def _number_ends(text: str, sentence: int, stop: int, after: int, word: str) -> bool:
    """Return whether the stop after a number ends a sentence."""
    if text[after].isdigit():
        return len(word) == 4 and word[:2] in ("19", "20")
    if len(word) > 2 or word[0] == "0":
        return True
    following = _NEXT_WORD.match(text, after, after + 20)
    if following and following[1].lower() in MONTHS and following[1] not in ("April", "August"):
        return False
    if _LISTED.search(text, max(sentence, stop - 24), stop - len(word)):
        return False
    first = _NUMBER.match(text, sentence, stop - len(word))
    return first is None or int(first[1]) + 1 != int(word)


def _before_number(word: str) -> bool:
    """Return whether a number after ``word`` and its full stop belongs to it, as in "Equ. 1"."""
    if len(word) > 5:
        return False
    if word[0].isupper():
        return len(word) > 1 and word[1:].islower()
    return len(word) < 5 and not word.isascii()


def ends(text: str, sentence: int, stop: int, after: int) -> bool:
    """Return whether the full stop at ``stop`` ends a sentence; the next would start at
    ``after``.
    """
    match = _WORD_BEFORE.search(text, max(sentence, stop - 24), stop)
    word = match.group().lstrip("*_'’([") if match else ""
    following = text[after]
    if not word:
        if not text[stop - 1 : stop].isspace():
            return True
        # "p < . 05", or the last stop of ". . .".
        return not following.isdigit() and text[max(sentence, stop - 4) : stop].rstrip()[-1:] != "."
    if word.isdigit():
        return _number_ends(text, sentence, stop, after, word)
    lower = word.lower()
    if lower in NEVER:
        if lower not in ALSO_WORDS or following.isdigit():
            return False
        return lower == "no" or (word == lower and _CAPITALISED.match(text, after) is not None)
    if following.isdigit():
        if lower in SELDOM or len(word) == 1 or _before_number(word):
            return False
    elif lower not in SELDOM and not (
        len(word) < 10 and word[0].lower() != word[0].upper() and _INITIALS.match(word)
    ):
        return True
    else:
        return _is_starter(text, after)
    return True


def starts_unspaced(text: str, sentence: int, stop: int, after: int) -> bool:
    """Return whether the blank between two sentences is missing at ``after``, as in "tasks.Some
    things".
    """
    match = _WORD_BEFORE.search(text, max(sentence, stop - 24), stop)
    word = match.group() if match else ""
    if len(word) < 3 and word.isalpha():
        return False
    return "." not in word and _is_starter(text, after)


def mark_end(text: str, after: int, end: int) -> int:
    """Return the end of a citation marker at ``after`` that belongs to the sentence before it, or
    0.

    So it does in "the latent space. [1] The heads", not in "the properties. [33] found".
    """
    match = _MARK.match(text, after, end)
    return match.end() if match and _is_starter(text, match.end() + 1) else 0


def is_label(body: str) -> bool:
    """Return whether the text before a stop is only a label of the following text, as in "Figure
    3.".
    """
    return _LABEL.match(body) is not None


def is_abbreviated_remark(text: str, sentence: int, stop: int) -> bool:
    """Return whether the stop belongs to an abbreviation alone in brackets, as in "Inclusion
    (Inc.)".
    """
    opened = text.rfind("(", max(sentence, stop - 9), stop)
    if opened <= sentence:
        return False
    return not any(character.isspace() for character in text[opened:stop])


def never_ends(text: str, sentence: int, stop: int) -> bool:
    """Return whether the word before ``stop`` is an abbreviation that never ends a sentence."""
    match = _WORD_BEFORE.search(text, max(sentence, stop - 24), stop)
    word = match.group().lower() if match else ""
    return word in NEVER and word not in ALSO_WORDS
