"""Choose the indefinite article before a word, "a" or "an", by sound."""

from __future__ import annotations

import re

from revkit.english.generated_text import capitalise_as

_VOWEL_LETTER_SOUNDS_LIKE_CONSONANT = re.compile(
    r"(?:uni(?!n|m)|us[aeiu]|ut[ei]|eu|ubi|once\b|one\b|one-|ewe|u-)", re.IGNORECASE
)
_SILENT_H = re.compile(r"(?:hour|honest|honou?r|heir)", re.IGNORECASE)
_ARTICLE = re.compile(r"\b([Aa]n?)(\s+)\Z")


def article_for(word: str) -> str:
    """Return "a" or "an" for the word that follows, or "" if the spelling does not determine it.

    It does not for acronyms and symbols: "an LSTM" but "a CNN", "an $n$-gram".
    """
    if not word or not word[0].isalpha() or not word[0].isascii():
        return ""
    if len(word) == 1 or word[1].isupper() or not word[1].isalpha():
        return ""
    if word[0] in "aeiouAEIOU":
        return "a" if _VOWEL_LETTER_SOUNDS_LIKE_CONSONANT.match(word) else "an"
    return "an" if _SILENT_H.match(word) else "a"


def article_before(text: str, low: int, start: int) -> tuple[int, str, str] | None:
    """Return (start, article, blanks after it) of an article directly before ``start``."""
    match = _ARTICLE.search(text, max(low, start - 6), start)
    return (match.start(), match[1], match[2]) if match else None


def repair_article(text: str, low: int, start: int, old: str, new: str) -> tuple[int, str] | None:
    """Return start and text of a replacement of ``old`` by ``new`` with the article repaired.

    None where an article is before it and what follows leaves open which one it must be.
    """
    found = article_before(text, low, start)
    if found is None:
        return start, new
    at, article, blanks = found
    wanted = article_for(new)
    if not wanted or new.split(" ", 1)[0].lower() in ("a", "an", "the"):
        return None
    if wanted == article.lower():
        return start, new
    if article_for(old) != article.lower():
        return None  # the author's own article is unusual: leave the place alone
    return at, capitalise_as(wanted, article) + blanks + new
