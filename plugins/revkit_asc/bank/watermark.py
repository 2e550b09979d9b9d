"""Watermarks: a secret and the id of a text decide which of two synonyms the text uses.

`mark` replaces each word of a list of interchangeable pairs by the one of the two that
HMAC-SHA-256(secret, id of the text and the pair) chooses. `detect` reads the words of a text,
however its blanks, line breaks, case, punctuation and Markdown were changed, and counts the pairs
that agree with the secret's choices.

**The test.** For a text that was not made with the secret, each of the n pairs found agrees with
probability 1/2, independently, whatever words its author likes: the choices are those of a keyed
pseudo-random function, not of a language. So the number of agreements is binomial(n, 1/2) and
P(agreements >= k) is an exact p-value: a share ``alpha`` of such texts at most has p <= ``alpha``.
Where one text is compared with many anchors, p is multiplied by their number (Bonferroni).

What it cannot do: a paraphrase that replaces the words takes the mark away, and fewer than
log2(1 / alpha) pairs can never be significant. A secret that is public marks nothing in earnest.
"""

from __future__ import annotations

import hashlib
import hmac
import math
import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path

from revkit.dataclass import dataclass
from revkit.english import capitalise_as
from revkit.errors import StatisticsError
from revkit.model.edits import Edit, apply_edits
from revkit.model.paper import Paper

SCHEME = "synonyms-hmac-sha256-1"
_WORD = re.compile(r"[^\W_]+")
_BROKEN = re.compile(r"(?<=\w)[-\u2010]\s{0,20}\n\s{0,20}(?=\w)")


@cache
def pairs() -> tuple[tuple[str, str], ...]:
    """Return the pairs of interchangeable words, in lower case."""
    text = (Path(__file__).parent / "watermark.tsv").read_text(encoding="utf-8")
    return tuple((first, second) for first, second in map(str.split, text.splitlines()))


@cache
def _places() -> Mapping[str, tuple[int, int]]:
    return {word: (n, side) for n, pair in enumerate(pairs()) for side, word in enumerate(pair)}


def watermark_id(secret: str, anchor: str) -> str:
    """Return the watermark id of ``anchor``: 16 hexadecimal digits that do not reveal the
    secret.
    """
    return _hmac(secret, f"id\n{anchor}").hex()[:16]


def secret_digest(secret: str) -> str:
    """Return the digest of a secret for the bank's header, by which a wrong secret is
    recognised.
    """
    return hashlib.sha256(f"{SCHEME}\n{secret}".encode()).hexdigest()[:16]


def mark(text: str, secret: str, watermark: str) -> str:
    """Return ``text`` in which each word of `pairs` is replaced by the synonym that ``secret``
    chooses for the id ``watermark``.

    Only running sentences change: headings, tables, code, formulas, links, citation marks and the
    reference list stay, and so does all else, a first capital included. Marking twice changes
    nothing more. The pairs fit nearly every sentence, not all: read what changed in an anchor that
    is meant to stay in use. Raises `PaperError` for a text that no paper can hold.
    """
    paper = Paper("text", text)
    chosen = _choices(secret, watermark)
    edits = []
    for block in paper.blocks:
        if not block.is_prose:
            continue
        kept = paper.protected(block.start, block.end)
        for match in _WORD.finditer(text, block.start, block.end):
            place = _places().get(match.group().lower())
            inside = any(s.start < match.end() and match.start() < s.end for s in kept)
            if place is None or inside:
                continue
            new = _as_written(pairs()[place[0]][chosen[place[0]]], match.group())
            edits.append(Edit(match.start(), match.end(), new))
    return apply_edits(text, edits)


def _as_written(new: str, old: str) -> str:
    if old.isupper():
        return new.upper()
    return capitalise_as(new, old)


@dataclass(frozen=True, slots=True)
class Detection:
    """The result of `detect`: of ``sites`` pairs, ``agreements`` agree with the choices for
    ``watermark``. ``p`` is the probability of at least as many agreements in a text that was not
    marked with the secret, corrected for the number of ids that were tried.
    """

    watermark: str
    sites: int
    agreements: int
    p: float

    @property
    def score(self) -> float | None:
        """The share of sites that agree: about 0.5 by chance, 1 in a complete marked text."""
        return self.agreements / self.sites if self.sites else None


def words(text: str) -> Mapping[int, frozenset[int]]:
    """Return which words of each pair (0 and 1) occur in ``text``, by the number of the pair.

    Reformatting changes nothing: blanks and line breaks, words broken at the end of a line, case,
    punctuation, Markdown, compatibility forms and invisible characters.
    """
    plain = unicodedata.normalize("NFKC", text)
    plain = "".join(c for c in plain if unicodedata.category(c) != "Cf")
    plain = _BROKEN.sub("", plain)
    places = _places()
    found: dict[int, frozenset[int]] = {}
    for word in _WORD.findall(plain.lower()):
        place = places.get(word)
        if place is not None:
            found[place[0]] = found.get(place[0], frozenset()) | {place[1]}
    return found


def sites(text: str) -> Mapping[int, int]:
    """Return which single word of each pair occurs in ``text``, by the number of the pair.

    A pair of which both words occur says nothing and is left out.
    """
    return {pair: min(sides) for pair, sides in words(text).items() if len(sides) == 1}


def detect(text: str, secret: str, watermarks: Sequence[str]) -> Detection:
    """Return the best agreement of ``text`` with any of the ids in ``watermarks``.

    Give the one id where it is known which anchor a text would come from (an agent was asked to
    continue it), and all ids of a bank where it is not. Raises `StatisticsError` without any id.
    """
    if not watermarks:
        raise StatisticsError("no watermark to look for")
    found = sites(text)
    best = max((agreements(found, secret, mark_), mark_) for mark_ in sorted(set(watermarks)))
    p = min(1.0, len(set(watermarks)) * tail(best[0], len(found)))
    return Detection(best[1], len(found), best[0], p)


def agreements(found: Mapping[int, int], secret: str, watermark: str) -> int:
    """Count the sites in ``found`` (see `sites`) that agree with the choices for ``watermark``."""
    chosen = _choices(secret, watermark)
    return sum(chosen[pair] == side for pair, side in found.items())


def tail(agreements: int, count: int) -> float:
    """Return P(X >= agreements), exactly, for X binomial with parameters count and 1/2."""
    ways: int = sum(math.comb(count, k) for k in range(agreements, count + 1))
    return ways / (1 << count)


@lru_cache(4096)
def _choices(secret: str, watermark: str) -> tuple[int, ...]:
    """Return the chosen side, 0 or 1, of each pair. A pair is identified by its words, not by its
    index.
    """
    return tuple(
        _hmac(secret, f"pair\n{watermark}\n{first}\n{second}")[0] & 1 for first, second in pairs()
    )


def _hmac(secret: str, message: str) -> bytes:
    return hmac.new(secret.encode(), message.encode(), hashlib.sha256).digest()
