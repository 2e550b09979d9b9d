"""Shortening: choose the sentences to remove, so that the rest has the wanted length."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from revkit.model import Edit, Paper, Rejection
from revkit_robustrev.citation_sites import citations_by_sentence
from revkit_robustrev.elaboration import ElaborationPlace, judge
from revkit_robustrev.length_links import Links
from revkit_robustrev.length_safety import ranked_places, safe_places
from revkit_robustrev.length_trims import trims_of

Group = tuple[int, ...]


class Aim(NamedTuple):
    """How many words are to go or to come: about ``words``, from ``least`` to ``most``."""

    words: int
    least: int
    most: int


_TAIL = 40
_LONGEST = 12  # sentences that go together; a longer chain stays
CITATIONS = 0.05  # greatest difference between the shares of words and of citation markers that go


def compress(paper: Paper, aim: Aim, note: str, rng: random.Random) -> list[Edit] | Rejection:
    """Return the edits that remove as many words from the paper as ``aim`` states.

    Words that a sentence does not need go first, then whole sentences, then words again as far as
    they are missing.
    """
    trims = trims_of(paper)
    spare = sum(trim.words for found in trims.values() for trim in found)
    choice = _Choice(
        paper, ranked_places(paper, judge(paper)), aim.words - min(int(0.8 * spare), aim.words), rng
    )
    near = (aim.words - aim.least) // 2
    choice.take(whole_paragraphs=False)
    if choice.missing > near:
        choice.take(whole_paragraphs=True)
    if choice.missing > near:
        choice.fit()
    dropped = choice.dropped
    order = [t for index in sorted(trims) if index not in choice.gone for t in trims[index]]
    rng.shuffle(order)
    kept: list[Edit] = []
    for trim in order:
        if dropped + trim.words <= aim.words:
            kept.append(trim.edit)
            dropped += trim.words
    if not aim.least <= dropped <= aim.most:
        share = dropped / paper.words
        return Rejection(f"only {share:.0%} of the words are elaboration that can be dropped")
    return sorted([*removals(paper, sorted(choice.gone), note), *kept])


_LEAST = 0.02  # share of the words; what takes less is hardly shorter


def compress_safely(
    paper: Paper, aim: Aim, note: str, rng: random.Random
) -> list[Edit] | Rejection:
    """Return edits that take as many words as can go safely, at most those that ``aim`` asks for.

    Every trim is made; of the sentences only those of `safe_places` go. The share of citation
    markers that go follows the share of words that is reached.
    """
    trims = trims_of(paper)
    spare = sum(trim.words for found in trims.values() for trim in found)
    places, links = safe_places(paper, judge(paper)), Links(paper)
    wanted = aim.words
    for _ in range(4):
        choice = _Choice(paper, places, max(wanted - spare, 0), rng, links)
        choice.take(whole_paragraphs=False)
        choice.take(whole_paragraphs=True)
        reached = choice.dropped
        if reached + spare >= wanted - (aim.words - aim.least):
            break
        wanted = reached + spare
    kept: list[Edit] = []
    for index in sorted(trims):
        for trim in trims[index]:
            if index not in choice.gone and reached + trim.words <= aim.words:
                kept.append(trim.edit)
                reached += trim.words
    if reached < _LEAST * paper.words:
        return Rejection(f"only {reached / paper.words:.0%} of the words can go safely")
    return sorted([*removals(paper, sorted(choice.gone), note), *kept])


class _Choice:
    """The sentences chosen so far, and the words still ``missing`` from the aim."""

    def __init__(
        self,
        paper: Paper,
        candidates: Sequence[ElaborationPlace],
        drop: int,
        rng: random.Random,
        links: Links | None = None,
    ) -> None:
        self.paper = paper
        self.candidates = candidates
        self.missing = drop
        self.dropped = 0
        self.gone: set[int] = set()
        self.links = links or Links(paper)
        self.section = _sections(paper)
        sentences = paper.sentences
        self.left = Counter(sentence.block for sentence in sentences)
        self.opens = self._openings()
        marks = citations_by_sentence(paper)
        self.marks = {index: len(found) for index, found in marks.items()}
        self.most_marks = (drop / max(paper.words, 1) + CITATIONS) * sum(self.marks.values())
        self.paragraphs = Counter(self.section[block] for block in self.left)
        prices: list[tuple[float, Group]] = []
        for index in range(len(candidates)):
            group = self._group(index)
            if group:
                prices.append((self._price(group) + 0.3 * rng.random(), group))
        self.groups = [group for _, group in sorted(prices)]

    def _openings(self) -> set[int]:
        """The first sentence of each section, without which it would start in the middle."""
        found: dict[int, int] = {}
        for index, sentence in enumerate(self.paper.sentences):
            found.setdefault(self.section[sentence.block], index)
        return set(found.values())

    def _fits(self, group: Group) -> bool:
        """Whether the markers that go stay in proportion and no later sentence misses a term."""
        marks = sum(self.marks.get(index, 0) for index in group)
        if marks and sum(self.marks.get(i, 0) for i in self.gone) + marks > self.most_marks:
            return False
        return not self.links.missed(self.gone.union(group), group)

    def _group(self, index: int) -> Group | None:
        """The sentence and those after it that lean on it; None where one of them must stay."""
        sentences, candidates = self.paper.sentences, self.candidates
        if not candidates[index].starts:
            return None
        group = [index]
        while True:
            if candidates[group[-1]].cost is None:
                return None
            following = group[-1] + 1
            if (
                following >= len(candidates)
                or sentences[following].block != sentences[index].block
                or not candidates[following].leans
            ):
                return tuple(group)
            if len(group) == _LONGEST:
                return None
            group.append(following)

    def _price(self, group: Group) -> float:
        """The mean cost of a word of the group."""
        words = sum(self.candidates[index].words for index in group) or 1
        cost = sum((self.candidates[i].cost or 0.0) * self.candidates[i].words for i in group)
        return cost / words

    def _new(self, group: Group) -> tuple[Group, int, int]:
        """What of a group is still there, its block and its words."""
        new = tuple(index for index in group if index not in self.gone)
        words = sum(self.candidates[index].words for index in new)
        return new, self.paper.sentences[group[0]].block, words

    def _empties(self, block: int, new: Group) -> bool:
        return self.left[block] == len(new)

    def _can_empty(self, block: int) -> bool:
        """Whether a paragraph can go as a whole: its section keeps another, no formula ends in
        it."""
        before = self.paper.blocks[block - 1].kind if block else "heading"
        return (
            self.paper.blocks[block].kind == "paragraph"
            and self.paragraphs[self.section[block]] > 1
            and before in ("paragraph", "heading", "table", "figure")
            and _gap(self.paper, block) is not None
        )

    def take(self, whole_paragraphs: bool) -> None:
        """Take groups in the order of their price while they fit into what is missing."""
        for group in self.groups:
            new, block, words = self._new(group)
            if not new or words > self.missing or not self._fits(new):
                continue
            empties = self._empties(block, new)
            if empties and not (whole_paragraphs and self._can_empty(block)):
                continue
            if not empties and not self.opens.isdisjoint(new):
                continue  # a section does not start in the middle
            self._go(new, block, words, empties)

    def _go(self, new: Group, block: int, words: int, empties: bool) -> None:
        self.gone.update(new)
        self.left[block] -= len(new)
        self.missing -= words
        self.dropped += words
        if empties:
            self.paragraphs[self.section[block]] -= 1

    def fit(self) -> None:
        """Take groups of different paragraphs whose words come nearest to what is missing."""
        reached: dict[int, tuple[Group, ...]] = {0: ()}
        blocks: set[int] = set()
        for group in self.groups:
            new, block, words = self._new(group)
            if not new or block in blocks or self._empties(block, new):
                continue
            if not self.opens.isdisjoint(new) or not self._fits(new):
                continue
            blocks.add(block)
            for total, chosen in list(reached.items()):
                if total + words not in reached and total + words <= self.missing + 20:
                    reached[total + words] = (*chosen, new)
            if len(blocks) == _TAIL:
                break
        best = min(reached, key=lambda total: (abs(total - self.missing), total))
        for new in reached[best]:
            _, block, words = self._new(new)
            self._go(new, block, words, False)


def _sections(paper: Paper) -> dict[int, int]:
    """For each block the heading it is under."""
    found: dict[int, int] = {}
    heading = -1
    for index, block in enumerate(paper.blocks):
        if block.kind == "heading":
            heading = index
        found[index] = heading
    return found


def _gap(paper: Paper, block: int) -> tuple[int, int] | None:
    """The span of a paragraph with the blank lines after it (or before it), None beside markup."""
    blocks, text = paper.blocks, paper.text
    this = blocks[block]
    if block + 1 < len(blocks) and text[this.end : blocks[block + 1].start].isspace():
        return this.start, blocks[block + 1].start
    if block and text[blocks[block - 1].end : this.start].isspace():
        return blocks[block - 1].end, this.end
    return None


def removals(paper: Paper, gone: Sequence[int], note: str) -> list[Edit]:
    """One edit for each run of sentences, with the blank after it, or before it at a block's end.

    Paragraphs that go as a whole and follow one another share an edit.
    """
    sentences = paper.sentences
    size = Counter(sentence.block for sentence in sentences)
    edits: list[Edit] = []
    position = 0
    while position < len(gone):
        first = last = gone[position]
        block = sentences[first].block
        while (
            position + 1 < len(gone)
            and gone[position + 1] == last + 1
            and sentences[last + 1].block == block
        ):
            position += 1
            last = gone[position]
        position += 1
        start, end = sentences[first].start, sentences[last].end
        if last - first + 1 == size[block]:
            start, end = _gap(paper, block) or (start, end)
        elif last + 1 < len(sentences) and sentences[last + 1].block == block:
            end = sentences[last + 1].start
        elif first > 0 and sentences[first - 1].block == block:
            start = sentences[first - 1].end
        if edits and edits[-1].end >= start and size[block] == last - first + 1:
            start = edits.pop().start
        edits.append(Edit(start, end, "", note))
    return edits
