"""Dose: how much of a paper the edits of a variant change.

Words are counted as `Paper.words` does: runs of non-blanks that hold a letter or a digit. They are
compared without their case and without signs at their ends, so that a clause that becomes the
first of its sentence is the same words.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from revkit.dataclass import dataclass
from revkit.model.edits import Edit, ordered_edits
from revkit.model.paper import Paper
from revkit.model.sentences import split_sentences
from revkit.model.structure import Span
from revkit.model.variant import Check

MEAN_DISTANCE = "mean cosine distance"
"""The unit of a check whose value is the embedding distance of a variant, as a mean over all
sentences of the paper."""

_CELLS = 10_000  # of an exact comparison; larger ones are cut at words that occur once
_DEPTH = 3
_BLANK = re.compile(r"\s")
_Change = tuple[str | None, str | None]


@dataclass(frozen=True, slots=True)
class Dose:
    """The amounts that the edits of one variant change.

    ``words_changed`` counts words inserted, deleted or replaced (token edit distance; a replaced
    word counts once), in the reference list too. ``words_moved`` counts words that leave one place
    of a sentence for another; they are not among the first. ``dose`` is ``words_changed`` over the
    words of prose of the paper (above 1 where more is inserted than there was), ``sentences`` the
    share of its sentences that are changed, removed or inserted. Shares are None for a paper
    without prose. ``distance`` is the mean cosine distance of its sentences, None where no check
    measured it.
    """

    words_changed: int
    words_moved: int
    dose: float | None
    sentences: float | None
    distance: float | None


def dose_of(paper: Paper, edits: Iterable[Edit], checks: Sequence[Check] = ()) -> Dose:
    """Return the dose of ``edits``, in time that grows with the length of text and edits.

    Stretches of more than about a hundred words a side are compared exactly between words that
    occur once in each; what has none counts as replaced as a whole, so the count is then an upper
    bound. Raises as `revkit.model.edits.ordered_edits` does.
    """
    made = ordered_edits(paper.text, edits)
    changed = moved = 0
    for group in _by_sentence(paper, _widened(paper.text, made)):
        changes = [change for old, new in group for change in _changes(old, new)]
        here, apart = _counted(changes)
        changed += here
        moved += apart
    words, sentences = paper.words, len(paper.sentences)
    distances = [check.value for check in checks if check.unit == MEAN_DISTANCE]
    return Dose(
        changed,
        moved,
        changed / words if words else None,
        _sentences_changed(paper, made) / sentences if sentences else None,
        next((value for value in distances if value is not None), None),
    )


def word_changes(old: str, new: str) -> tuple[int, int]:
    """Return how many words change between two texts, and how many only move."""
    return _counted(list(_changes(_words(old), _words(new))))


def _counted(changes: Sequence[_Change]) -> tuple[int, int]:
    """Return the changes with a side that did not move, and the words that moved."""
    gone = Counter(old for old, _ in changes if old is not None)
    come = Counter(new for _, new in changes if new is not None)
    moved = gone & come
    left, right = Counter(moved), Counter(moved)
    count = 0
    for old, new in changes:
        old_stays = old is None or _takes(left, old)
        new_stays = new is None or _takes(right, new)
        count += not (old_stays and new_stays)
    return count, moved.total()


def _takes(counts: Counter[str], word: str) -> bool:
    if not counts[word]:
        return False
    counts[word] -= 1
    return True


def _words(text: str) -> list[str]:
    """Return the words of ``text`` in the form in which they are compared."""
    return [word for run in text.split() if (word := _core(run))]


def _core(run: str) -> str:
    start, end = 0, len(run)
    while start < end and not run[start].isalnum():
        start += 1
    while end > start and not run[end - 1].isalnum():
        end -= 1
    return run[start:end].casefold()


@dataclass(frozen=True, slots=True)
class _Stretch:
    """A span of whole words of the text that edits touch, and the text that replaces it."""

    start: int
    end: int
    new: str


def _widened(text: str, edits: Sequence[Edit]) -> Iterator[_Stretch]:
    """Return the edits extended to whole words; edits that share a word are one span."""
    start = end = at = -1
    pieces: list[str] = []
    for edit in edits:
        if not pieces or edit.start > end:
            if pieces:
                yield _Stretch(start, end, "".join([*pieces, text[at:end]]))
            start, floor = edit.start, max(end, 0)
            while start > floor and not text[start - 1].isspace():
                start -= 1
            at, pieces = start, []
        pieces += [text[at : edit.start], edit.new]
        at = edit.end
        if at > end:
            blank = _BLANK.search(text, at)
            end = blank.start() if blank else len(text)
    if pieces:
        yield _Stretch(start, end, "".join([*pieces, text[at:end]]))


_Texts = tuple[Sequence[str], Sequence[str]]


def _by_sentence(paper: Paper, stretches: Iterable[_Stretch]) -> Iterator[list[_Texts]]:
    """Return the words before and after of each span; spans in the same sentence are joined."""
    ends = [sentence.end for sentence in paper.sentences]
    group: list[_Texts] = []
    last = -1
    for stretch in stretches:
        first = bisect_left(ends, stretch.start)
        if group and first != last:
            yield group
            group = []
        group.append((_words(paper.text[stretch.start : stretch.end]), _words(stretch.new)))
        last = bisect_left(ends, stretch.end)
    if group:
        yield group


def _changes(old: Sequence[str], new: Sequence[str], depth: int = _DEPTH) -> Iterator[_Change]:
    """Return each word that is deleted, inserted or replaced."""
    first = 0
    while first < min(len(old), len(new)) and old[first] == new[first]:
        first += 1
    last = 0
    while last < min(len(old), len(new)) - first and old[-1 - last] == new[-1 - last]:
        last += 1
    old, new = old[first : len(old) - last], new[first : len(new) - last]
    if len(old) * len(new) <= _CELLS:
        yield from _exact(old, new)
        return
    anchors = _anchors(old, new) if depth else []
    if not anchors:
        yield from _replaced(old, new)
        return
    i = j = 0
    for a, b in [*anchors, (len(old), len(new))]:
        yield from _changes(old[i:a], new[j:b], depth - 1)
        i, j = a + 1, b + 1


def _replaced(old: Sequence[str], new: Sequence[str]) -> Iterator[_Change]:
    shared = min(len(old), len(new))
    yield from zip(old[:shared], new[:shared], strict=True)
    yield from ((word, None) for word in old[shared:])
    yield from ((None, word) for word in new[shared:])


def _anchors(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """Return the longest increasing sequence of positions of words that occur once on both
    sides.
    """
    before, after = Counter(old), Counter(new)
    places = {word: j for j, word in enumerate(new) if after[word] == 1}
    pairs = [(i, places[w]) for i, w in enumerate(old) if before[w] == 1 and w in places]
    tails: list[int] = []  # the smallest last place of a run of each length
    chains: list[tuple[int, int, int]] = []  # pair, and the chain that it goes on
    heads: list[int] = []
    for i, j in pairs:
        length = bisect_left(tails, j)
        chains.append((i, j, heads[length - 1] if length else -1))
        if length == len(tails):
            tails.append(j)
            heads.append(len(chains) - 1)
        else:
            tails[length], heads[length] = j, len(chains) - 1
    found: list[tuple[int, int]] = []
    at = heads[-1] if heads else -1
    while at >= 0:
        i, j, at = chains[at]
        found.append((i, j))
    return found[::-1]


def _exact(old: Sequence[str], new: Sequence[str]) -> Iterator[_Change]:
    """Return the smallest set of changes; in a tie, the set that keeps the most words."""
    if not old or not new:
        yield from _replaced(old, new)
        return
    rows = [list(range(len(new) + 1))]
    for i, word in enumerate(old):
        above, row = rows[-1], [i + 1]
        for j, other in enumerate(new):
            if word == other:
                row.append(above[j])
            else:
                row.append(1 + min(above[j], above[j + 1], row[j]))
        rows.append(row)
    i, j = len(old), len(new)
    while i or j:
        cost = rows[i][j]
        if i and j and old[i - 1] == new[j - 1] and cost == rows[i - 1][j - 1]:
            i, j = i - 1, j - 1
        elif i and cost == rows[i - 1][j] + 1:
            i -= 1
            yield old[i], None
        elif j and cost == rows[i][j - 1] + 1:
            j -= 1
            yield None, new[j]
        else:
            i, j = i - 1, j - 1
            yield old[i], new[j]


def _sentences_changed(paper: Paper, edits: Sequence[Edit]) -> int:
    """Return how many sentences are changed or removed, and how many are inserted between them."""
    sentences = paper.sentences
    starts = [sentence.start for sentence in sentences]
    ends = [sentence.end for sentence in sentences]
    prose = [Span(block.start, block.end) for block in paper.blocks if block.is_prose]
    opens = [span.start for span in prose]
    touched: set[int] = set()
    inserted = 0
    for edit in edits:
        first, last = bisect_right(ends, edit.start), bisect_left(starts, edit.end)
        touched.update(range(first, last))
        block = bisect_right(opens, edit.start) - 1
        if first >= last and block >= 0 and edit.start <= prose[block].end:
            inserted += len(split_sentences(edit.new, 0, len(edit.new)))
    return len(touched) + inserted
