"""Clean and shorten untrusted text: titles, names and abstracts of a `Work`.

What a service or a collection says is hostile until cleaned: it may hold control characters,
characters that hide or turn text, markup, and a megabyte where a title should be.
"""

from __future__ import annotations

import html
import re
import unicodedata

from revkit.model.intake import clean_text

MOST_TITLE = 500
MOST_NAME = 200
MOST_AUTHORS = 100
MOST_VENUE = 300
MOST_ABSTRACT = 10_000
MOST_URL = 500
MOST_KEYWORDS = 1_000

# The markup that publishers leave in titles and abstracts (JATS, MathML's shell, HTML).
_MARKUP = re.compile(
    r"</?(?:jats:[a-z-]{1,30}|mml:[a-z]{1,30}|i|b|em|strong|sub|sup|p|br|scp|tt|u|inf|title|sec)"
    r"(?:\s[^<>]{0,200})?/?>",
    re.IGNORECASE,
)
# Joiners are letters' business in some scripts; every other format character only hides.
_JOINERS = frozenset("\u200c\u200d")


def plain(text: str, most: int) -> str:
    """Return ``text`` on one line without markup and hidden characters, at most ``most`` long.

    A text that is cut ends in "…".
    """
    if len(text) > 4 * most:  # before the costly steps; blanks and markup rarely are three quarters
        text = text[: 4 * most]
    if "&" in text:
        text = html.unescape(text)
    if "<" in text:
        text = _MARKUP.sub(" ", text)
    text, _ = clean_text(text)
    if not text.isascii():
        text = "".join(c for c in text if unicodedata.category(c) != "Cf" or c in _JOINERS)
    text = " ".join(text.split())
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def plain_url(text: str) -> str:
    """Return ``text`` if it is a web address without blanks and of plausible length, else ""."""
    text = text.strip()
    sound = text.isascii() and text.isprintable() and " " not in text and len(text) <= MOST_URL
    return text if sound and text.lower().startswith(("http://", "https://")) else ""
