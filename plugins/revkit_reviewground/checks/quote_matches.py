"""Find the place of a paper that is most similar to a quotation by words, and its distance.

A person who copies a sentence by hand may drop an article or misspell a word. That does not make a
quotation false; a word that is replaced, left out or negated does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher

from revkit.dataclass import dataclass
from revkit_reviewground.checks.folded_text import Folded, fold

# Where one changed word in so many is a slip of the hand.
_SLIPS = 6
_LEAST_SHARE = 0.6
_FEWEST_SHARED = 4
_MOST_PLACES = 60
_ARTICLES = frozenset(("a", "an", "the"))


@dataclass(frozen=True, slots=True)
class NearPlace:
    """Characters ``start`` to ``end`` of the paper; ``slip`` states that the quotation differs from
    them only by articles and misspellings.
    """

    start: int
    end: int
    slip: bool


def nearest(text: Folded, positions: dict[str, list[int]], quote: str) -> NearPlace | None:
    """Return the span of ``text`` that contains most words of ``quote`` in the same order, or
    `None` if no span contains three of five. ``positions`` come from `word_positions`.
    """
    words = list(fold(quote).pieces)[:300]
    first = _best_offset(positions, words)
    if first is None:
        return None
    low = max(0, first - 6)
    window = list(text.pieces[low : first + len(words) + 12])
    matcher = SequenceMatcher(None, words, window, autojunk=False)
    blocks = [block for block in matcher.get_matching_blocks() if block.size]
    shared = [word for block in blocks for word in words[block.a : block.a + block.size]]
    telling = sum(len(word) > 2 and word not in _ARTICLES for word in shared)
    if telling < _FEWEST_SHARED or len(shared) < _LEAST_SHARE * len(words):
        return None
    start, end = blocks[0].b, blocks[-1].b + blocks[-1].size
    return NearPlace(
        text.spans[low + start][0],
        text.spans[low + end - 1][1],
        _is_slip(matcher, words, window, start, end),
    )


def word_positions(text: Folded) -> dict[str, list[int]]:
    """Return the positions of each word of ``text``, without very frequent words."""
    found: dict[str, list[int]] = {}
    for index, piece in enumerate(text.pieces):
        found.setdefault(piece, []).append(index)
    return {word: places for word, places in found.items() if len(places) <= _MOST_PLACES}


def _best_offset(positions: dict[str, list[int]], words: Sequence[str]) -> int | None:
    """Return the most likely start of the quotation, by the votes of its rarer words, within three
    words.
    """
    votes: Counter[int] = Counter()
    for index, word in enumerate(words):
        for place in positions.get(word, ()):
            for near in range(-3, 4):
                votes[place - index + near] += 1
    if not votes:
        return None
    most = max(votes.values())
    return max(0, min(offset for offset, count in votes.items() if count == most) + 3)


def _is_slip(
    matcher: SequenceMatcher[str],
    words: Sequence[str],
    window: Sequence[str],
    start: int,
    end: int,
) -> bool:
    changes = 0
    for kind, low, high, first, last in matcher.get_opcodes():
        mine, theirs = words[low:high], window[first:last]
        # The paper's words before and after those of the quotation are not missing from it.
        if last <= start:
            theirs = window[max(0, start - len(mine)) : start]
        elif first >= end:
            theirs = window[end : end + len(mine)]
        if kind == "equal" or not (mine or start < last <= end):
            continue
        if not _is_same(mine, theirs):
            return False
        changes += 1
    return changes <= max(1, len(words) // _SLIPS)


def _is_same(mine: Sequence[str], theirs: Sequence[str]) -> bool:
    mine = [word for word in mine if word not in _ARTICLES]
    theirs = [word for word in theirs if word not in _ARTICLES]
    return len(mine) == len(theirs) and all(map(_is_misspelt, mine, theirs))


def _is_misspelt(one: str, other: str) -> bool:
    """Return whether two words are the same apart from spelling or inflection: same start, no
    prefix, no digit.
    """
    if one == other:
        return True
    if min(len(one), len(other)) < 4 or one[0] != other[0] or not (one + other).isalpha():
        return False
    return SequenceMatcher(None, one, other, autojunk=False).ratio() > 0.8
