"""What a condensed paragraph must keep: sentence by sentence, and as a whole."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import Any

from revkit import english
from revkit.model import Edit, Paper
from revkit.model.edits import apply_edits, edits_between
from revkit.model.sentences import split_sentences
from revkit.model.words import count_words
from revkit.prompting import MOST_SENTENCES, one_line
from revkit_robustrev.changed_sentences import citations
from revkit_robustrev.elaboration import has_weight, is_one_of_several, judge
from revkit_robustrev.length_compress import CITATIONS, removals
from revkit_robustrev.length_links import Links, terms_of
from revkit_robustrev.length_roadmaps import roadmaps
from revkit_robustrev.length_safety import own_names
from revkit_robustrev.rewriting.anchors import edits_around
from revkit_robustrev.rewriting.faults import (
    Fault,
    Sheet,
    content,
)
from revkit_robustrev.rewriting.generator import marks, rewritable
from revkit_robustrev.rewriting.length_faults import openings
from revkit_robustrev.rewriting.merged_faults import (
    WHOLE,
    count_sentences,
    merged_fault,
    names_lost,
    without_citations,
    without_marks,
)
from revkit_robustrev.rewriting.paragraphs import CondensedPart, Entry, ParagraphPart, ReplyFault
from revkit_robustrev.sentence_shape import concludes, leans, runs_on, turns

_LEAST_WORDS = 20  # a shorter passage has little to lose
# What gentle rules permit: see `Condensed`.
_GENTLE_LEAST_WORDS = 40  # of a passage; shorter paragraphs soon read as cut
_MOST_MERGED = 40  # words of a new sentence that merges several
_GENTLE_KEPT = 0.5  # of the words of sentences that are condensed or merged
# Of the words of sentences: so much more goes where they can be left out, so much less where they
# have numbers and formulas.
_OPTIONAL, _PINNED = 0.5, 0.3
_COVERED = 0.35  # of the content words of a sentence that is condensed
_LEAST_KEPT = 0.35  # of the words of a passage
_MENDED = 3  # words by which a sentence can grow where its link is mended
_DIGIT = re.compile(r"\d")
# What is compared by words that are not in the list of comparisons.
_COMPARED = re.compile(r"(?i)\b(?:compar|contrast|baseline|versus|vs\b|against|unlike|outperform)")
# "This method" names what it takes up, "This is" does not.
_NAMED = re.compile(r"(?:This|These|That|Those|Such)\s+((?:[a-z-]+\s+){1,2}[a-z-]+)")
# What a sentence before it announces ("There are two reasons.").
_FIRST_OF = re.compile(r"(?:The\s+)?(?:First|first)(?:ly)?\b|One\b|On the one hand\b")
_BARE = re.compile(
    r"\w+\s+(?:is|are|was|were|has|have|had|can|could|may|might|will|would|does|do|did|also|then|not"
    r"|in|to|of|means?|allows?|leads?|makes?|gives?|shows?|requires?|results?|enables?|suggests?"
    r"|implies|indicates?|helps?|provides?|ensures?|causes?|reduces?|increases?|improves?|happens"
    r"|holds|works?|yields?|avoids?|prevents?|differs|contrasts|motivates?|corresponds)\b"
)
DROPPED = "dropped by a model"
CONDENSED = "condensed by a model"


class Condensed:
    """The rules for paragraphs of ``paper`` that are condensed.

    ``share`` is the share of words that go at least; it bounds the citation marks that can go.
    If a model weighs sentences (``weighed``), the words by which a claim or result is recognized
    do not decide which can be left out, and `offering` takes what the model names. ``gentle``
    rules leave paragraphs of fewer than 40 words as they are, take no sentence that has less than
    half of the words that it had, and none that merges several and is longer than 40 words and
    than each of them, and do not reduce several sentences to one.
    """

    def __init__(
        self,
        paper: Paper,
        sheet: Sheet,
        share: float,
        *,
        weighed: bool = False,
        gentle: bool = False,
    ) -> None:
        self._paper = paper
        self._sheet = sheet
        self._share = share
        self._weighed = weighed
        self._gentle = gentle
        self._offered: frozenset[int] | None = None
        self._free = frozenset(rewritable(paper))
        self._places = judge(paper)
        self._links = Links(paper)
        self._names = own_names(paper)
        self._roadmaps = frozenset(index for group in roadmaps(paper) for index in group)
        self._old = [one_line(paper.text[s.start : s.end]) for s in paper.sentences]
        self._openings = openings(paper)
        # The first sentence outside of roadmaps that has each formula, pointer and the like.
        self._first: dict[str, int] = {}
        for index, old in enumerate(self._old):
            if index not in self._roadmaps:
                for mark in marks(without_citations(old)):
                    self._first.setdefault(mark, index)

    def words(self, sentences: Iterable[int]) -> int:
        """The words of sentences of the paper."""
        spans = (self._paper.sentences[index] for index in sentences)
        return sum(count_words(self._paper.text, span.start, span.end) for span in spans)

    def weight(self, passage: ParagraphPart) -> float:
        """The words of a passage, more where sentences can go, less where they have a number, a
        formula or a pointer, which stays."""
        optional = self.words(passage.optional)
        pinned = self.words(i for i in passage.free if self._pinned(i))
        if passage.chosen:  # these go, and weigh nothing
            return passage.words - optional - _PINNED * pinned
        return passage.words + _OPTIONAL * optional - _PINNED * pinned

    def passages(self) -> list[ParagraphPart]:
        """The paragraphs to ask for, but not the abstract; long ones in parts of equal size."""
        blocks = self._paper.blocks
        groups: dict[int, list[int]] = {}
        for index, sentence in enumerate(self._paper.sentences):
            block = blocks[sentence.block]
            if block.kind == "paragraph" and block.role != "abstract":
                groups.setdefault(sentence.block, []).append(index)
        found = []
        marked = may_go = 0
        for group in groups.values():
            parts = -(-len(group) // MOST_SENTENCES)
            size = -(-len(group) // parts)
            for start in range(0, len(group), size):
                shown = tuple(group[start : start + size])
                free = tuple(index for index in shown if index in self._free)
                words = self.words(free)
                if words < (_GENTLE_LEAST_WORDS if self._gentle else _LEAST_WORDS):
                    continue
                # Of all marks so far, the share of words and what it may differ by.
                marked += sum(self._marked(index) for index in free)
                spare = int((self._share + CITATIONS) * marked) - may_go
                may_go += spare
                optional = tuple(
                    index
                    for index in free
                    if self.can_go(index)
                    and self._marked(index) <= spare
                    and not self._links.missed({index}, (index,))
                )
                found.append(ParagraphPart(shown, free, words, optional, spare))
        return found

    def offering(self, sentences: Iterable[int]) -> Condensed:
        """The same rules, by which only these sentences can be left out, if they could before."""
        rules = copy(self)
        rules._offered = frozenset(sentences)
        return rules

    def _marked(self, index: int) -> int:
        """The citation marks of a sentence."""
        return citations(self._old[index]).total()

    def can_go(self, index: int) -> bool:
        """Whether a sentence can be left out: it does not open its paragraph, has no number, mark
        or claim, apart from citations, and is not a step of an argument or of a list; the next one
        neither follows from it nor begins what it announces. The sentences of a roadmap can go."""
        if self._offered is not None and index not in self._offered:
            return False
        block = self._paper.sentences[index].block
        if index in self._openings:
            return False
        if self.next_in_block(index) is None and runs_on(self._paper, block):
            return False
        if index in self._roadmaps:
            return True
        if self._pinned(index) or turns(self._old[index]) or is_one_of_several(self._old[index]):
            return False
        following = self.next_in_block(index)
        if following is not None:
            then = self._old[following]
            if concludes(then) or _FIRST_OF.match(then):
                return False
        role = self._paper.blocks[block].role
        if self._weighed or not has_weight(without_citations(self._old[index]), role, self._names):
            return True
        return self._places[index].cost is not None

    def next_in_block(self, index: int) -> int | None:
        """The next sentence of the same block; None after the last one."""
        sentences, following = self._paper.sentences, index + 1
        if following == len(sentences) or sentences[following].block != sentences[index].block:
            return None
        return following

    def _pinned(self, index: int) -> bool:
        """Whether a sentence has a number, or is the first that has a formula, a pointer or a
        quotation."""
        bare = without_citations(self._old[index])
        if _DIGIT.search(without_marks(bare)):
            return True
        return any(self._first.get(mark) == index for mark in marks(bare))

    def __call__(
        self, passage: ParagraphPart, rows: Sequence[Mapping[str, Any]]
    ) -> tuple[CondensedPart | None, list[ReplyFault]]:
        """What of a reply can be used, and its faults.

        Sentences whose entry has a fault stay as they were, and so do those that cannot be left
        out; what then misses them, stays too. None where nothing can be used.
        """
        entries, findings = self._read(passage, rows)
        if not entries:
            return None, findings or [ReplyFault(Fault("empty", "the paragraph is empty"))]
        faulty = {index for finding in findings for index in self._named(passage, finding)}
        taken = {index for entry in entries for index in entry.sources}
        entries += [
            self._kept(index) for index in passage.free if index in faulty and index not in taken
        ]
        composed = _Composed(self, passage, sorted(entries, key=lambda e: e.sources))
        findings += composed.settle()
        draft = composed.draft()
        edits = self.edits(draft)
        if edits is None or not self._holds(passage, draft, edits):
            return None, [*findings, ReplyFault(Fault("structure changed", _STRUCTURE))]
        if draft.words < _LEAST_KEPT * passage.words:
            message = f"it has {draft.words} words of {passage.words}, and too little is left"
            return None, [*findings, ReplyFault(Fault("too short", message))]
        if self._gentle and self._is_one(passage, draft):
            message = "of several sentences, one is left: keep at least two"
            return None, [*findings, ReplyFault(Fault("too short", message))]
        return draft, findings

    def _is_one(self, passage: ParagraphPart, draft: CondensedPart) -> bool:
        """Whether one sentence is left of a passage that had several."""
        fixed = len(passage.shown) - len(passage.free)
        left = fixed + sum(count_sentences(entry.text) for entry in draft.entries)
        return left < 2 <= len(passage.shown)

    def restored(
        self, passage: ParagraphPart, draft: CondensedPart, named: Collection[int]
    ) -> CondensedPart | None:
        """``draft`` with the old text of the sentences that are ``named``, and of what then misses
        one; None where it cannot be used.

        If all that are named are as they were, the fault is in what is around them: the sentences
        before and after them come back, or the nearest one before that differs, or else all.
        """
        if not named:
            return draft
        composed = _Composed(self, passage, list(draft.entries))
        back = [index for index in named if index in passage.free]
        if not any(composed.differs(index) for index in back):
            around = {other for index in named for other in (index - 1, index + 1)}
            changed = [index for index in passage.free if composed.differs(index)]
            before = [index for index in changed if index < min(named)]
            back = [index for index in changed if index in around] or before[-1:] or changed
        for index in sorted(back):
            composed.restore(index)
        composed.settle()
        mended = replace(composed.draft(), attempt=draft.attempt)
        edits = self.edits(mended)
        return None if edits is None or not self._holds(passage, mended, edits) else mended

    def _kept(self, index: int) -> Entry:
        return Entry((index,), self._old[index])

    def _named(self, passage: ParagraphPart, finding: ReplyFault) -> list[int]:
        return [passage.shown[number - 1] for number in finding.numbers]

    def _read(
        self, passage: ParagraphPart, rows: Sequence[Mapping[str, Any]]
    ) -> tuple[list[Entry], list[ReplyFault]]:
        """The entries of a reply that name their sentences rightly and have no fault."""
        entries: list[Entry] = []
        findings: list[ReplyFault] = []
        last = 0
        for row in rows:
            named = tuple(map(int, row["from"]))  # a schema takes 1.0 as an integer
            fault = _order_fault(passage, named, last)
            if fault is None:
                last = named[-1]
                entry = Entry(
                    tuple(passage.shown[number - 1] for number in named), one_line(row["text"])
                )
                fault = self._fault(entry)
                if fault is None:
                    entries.append(entry)
            if fault is not None:
                known = [n for n in named if 1 <= n <= len(passage.shown)]
                taken = {passage.number(i) for entry in entries for i in entry.sources}
                findings.append(
                    ReplyFault(fault, tuple(n for n in dict.fromkeys(known) if n not in taken))
                )
        return entries, findings

    def _fault(self, entry: Entry) -> Fault | None:
        """What is wrong with a new sentence by itself."""
        old, new = self.old(entry.sources), entry.text
        if new == old:
            return None
        names = self._gentle and self._names_can_go(entry)
        fault = merged_fault(self._sheet, old, new, names_can_go=names)
        if fault is not None:
            return fault
        if count_words(new, 0, len(new)) > count_words(old, 0, len(old)) + _MENDED:
            return Fault("not shorter", "it has more words than before")
        lost = self.lost(entry)
        if lost and (len(entry.sources) == 1 or not all(map(self.can_go, lost))):
            return Fault("content lost", "too many words of content of one of these are gone")
        return self._strength_fault(entry) if self._gentle else None

    def _names_can_go(self, entry: Entry) -> bool:
        """Whether an entry compares nothing, and a sentence before it has each name that it loses:
        neither a baseline goes nor what introduces an acronym."""
        old = self.old(entry.sources)
        if _COMPARED.search(old) or not english.comparisons().isdisjoint(old.lower().split()):
            return False
        before = self._old[: entry.sources[0]]
        return all(
            any(re.search(rf"\b{re.escape(name)}", text, re.IGNORECASE) for text in before)
            for name in names_lost(old, entry.text)
        )

    def _strength_fault(self, entry: Entry) -> Fault | None:
        """Whether a new sentence holds too much, or keeps too little of one that must stay."""
        words = count_words(entry.text, 0, len(entry.text))
        before = [self.words([index]) for index in entry.sources]
        sentences = count_sentences(entry.text)
        if len(before) > 1 and sentences == 1 and words > max(_MOST_MERGED, *before):
            message = f"one sentence of {words} words holds too much: write two"
            return Fault("holds too much", message)
        stay = [n for n, index in zip(before, entry.sources, strict=True) if not self.can_go(index)]
        if words < _GENTLE_KEPT * sum(stay):
            message = f"it has {words} words of {sum(stay)}: write it in full"
            return Fault("too terse", message)
        return None

    def lost(self, entry: Entry) -> list[int]:
        """The sentences of an entry of whose content it keeps too little."""
        kept = content(entry.text)
        return [
            index
            for index in entry.sources
            if len((before := content(self._old[index])) & kept) < _COVERED * len(before)
        ]

    def old(self, sources: Sequence[int]) -> str:
        """The old text of neighbouring sentences."""
        return " ".join(self._old[index] for index in sources)

    def edits(self, draft: CondensedPart) -> list[Edit] | None:
        """The edits that put a draft into the paper, None where a line would begin as markup."""
        note = f"{CONDENSED}, attempt {draft.attempt}"
        gone = removals(self._paper, draft.gone, DROPPED)
        edits = [replace(edit, kind=WHOLE) for edit in gone]
        for entry in draft.entries:
            if entry.text != self.old(entry.sources):
                edits += self._edits_of(entry, note)
        for edit in edits:
            line_start = self._paper.text[edit.start - 1 : edit.start] == "\n"
            if line_start and edit.new and not edit.new[0].isalpha():
                return None
        return sorted(edits)

    def _edits_of(self, entry: Entry, note: str) -> list[Edit]:
        """The edits of one entry, word by word; one that joins two sentences touches both."""
        sentences, text = self._paper.sentences, self._paper.text
        start, end = sentences[entry.sources[0]].start, sentences[entry.sources[-1]].end
        old = text[start:end]
        edits = edits_around(old, entry.text, start, note)
        if edits is None:
            edits = list(edits_between(old, entry.text, offset=start, note=note))
        for one, other in zip(entry.sources, entry.sources[1:], strict=False):
            edits = _joined(text, edits, sentences[one].end - 1, sentences[other].start + 1, note)
        return edits

    def _holds(self, passage: ParagraphPart, draft: CondensedPart, edits: Sequence[Edit]) -> bool:
        """Whether the paragraph with ``edits`` parses as a paragraph with as many sentences."""
        block = self._paper.blocks[self._paper.sentences[passage.shown[0]].block]
        text = self._paper.text[block.start : block.end]
        moved = [
            replace(e, start=e.start - block.start, end=e.end - block.start)
            for e in edits
            if block.start <= e.start and e.end <= block.end
        ]
        if len(moved) < len(edits):
            return False
        after = apply_edits(text, moved)
        spans = split_sentences(text, 0, len(text))
        fewer = len(draft.gone)
        for entry in draft.entries:
            fewer += len(entry.sources) - count_sentences(entry.text)
        # What parses as several blocks or as another kind of block even alone.
        kinds = [[b.kind for b in Paper("p", each).blocks] for each in (text, after)]
        return len(split_sentences(after, 0, len(after))) == len(spans) - fewer and (
            kinds[0] == kinds[1]
        )

    def missed_term(self, index: int, gone: frozenset[int], written: str = "") -> bool:
        """Whether a sentence that stays uses a term that only sentences that go introduce, and
        that is not in ``written``."""
        return self._links.missed(gone, (index,), written)

    def missed_names(self, sources: Sequence[int], new: str) -> bool:
        """Whether a name that ``sources`` introduce is not in ``new``, and used soon after."""
        kept = terms_of(new)
        return any(name not in kept for index in sources for name in self._links.names(index))

    def leans_on(self, gone: int, first: int, new: str, before: str) -> bool:
        """Whether a sentence that begins with the old sentence ``first`` still leans on the one
        that is ``gone``, as it did before.

        "This method" does so only if the word is from there and not from the text ``before`` it.
        """
        if not (leans(new) and leans(self._old[first])):
            return False
        named = _NAMED.match(new)
        if named is None or _BARE.match(new):
            return True
        return not content(named[1]).isdisjoint(content(self._old[gone]) - content(before))

    def taken_up(self, first: int, new: str, before: str) -> list[int]:
        """The sentences before ``first`` in its paragraph that have what ``new`` takes up by a noun
        ("This method"), the nearest first; empty where the text ``before`` it in the new paragraph
        has the noun, too."""
        named = _NAMED.match(new)
        if named is None or _BARE.match(new):
            return []
        nouns = content(named[1])
        found: list[int] = []
        index = first - 1
        block = self._paper.sentences[first].block
        while index >= 0 and self._paper.sentences[index].block == block:
            if not nouns.isdisjoint(content(self._old[index])):
                found.append(index)
            index -= 1
        return [] if not nouns.isdisjoint(content(before)) else found

    def sentence(self, index: int) -> str:
        """The old text of a sentence."""
        return self._old[index]


_STRUCTURE = "the new paragraph must read as one paragraph, and each new sentence as one sentence"
_TERM_MISSED = "it introduces a term that a later sentence uses: keep the term"
_CANNOT_GO = "this sentence cannot be left out: shorten it, or merge it with a neighbour"


@dataclass
class _Composed:
    """Entries that go together, and the sentences that are left out; restores what is missed."""

    rules: Condensed
    passage: ParagraphPart
    entries: list[Entry]

    def settle(self) -> list[ReplyFault]:
        """Restore sentences until nothing in the passage misses one; return why."""
        findings: list[ReplyFault] = []
        while (found := self._next_fault()) is not None:
            index, finding = found
            self.restore(index)
            findings.append(finding)
        return findings

    def draft(self) -> CondensedPart:
        """The passage as it is composed now."""
        words = sum(count_words(entry.text, 0, len(entry.text)) for entry in self.entries)
        return CondensedPart(tuple(self.entries), tuple(self._gone()), words)

    def _gone(self) -> list[int]:
        kept = {index for entry in self.entries for index in entry.sources}
        return [index for index in self.passage.free if index not in kept]

    def differs(self, index: int) -> bool:
        """Whether a sentence is left out, condensed or merged."""
        return not any(index in each.sources and self._is_old(each) for each in self.entries)

    def restore(self, index: int) -> None:
        """Put a sentence back as it was, with the others of its entry."""
        entry = next((e for e in self.entries if index in e.sources), None)
        if entry is not None:
            self.entries.remove(entry)
        for source in (index,) if entry is None else entry.sources:
            self.entries.append(Entry((source,), self.rules.sentence(source)))
        self.entries.sort(key=lambda e: e.sources)

    def _next_fault(self) -> tuple[int, ReplyFault] | None:
        gone = self._gone()
        for index in gone:
            if not self.rules.can_go(index):
                return index, self._finding("cannot be left out", _CANNOT_GO, index)
        for index in gone:
            if self.rules.missed_term(index, frozenset(gone)):
                return index, self._finding("term missed", _TERM_MISSED, index)
        # Of these, a merged entry keeps too little; their marks and numbers are in it.
        merged: set[int] = set()
        for entry in self.entries:
            lost = self.rules.lost(entry)
            merged.update(lost)
            for index in lost:
                if self.rules.missed_term(index, frozenset([*gone, *lost]), entry.text):
                    return index, self._finding("term missed", _TERM_MISSED, index)
        return self._lean(merged.union(gone)) or self._names() or self._citations()

    def _is_old(self, entry: Entry) -> bool:
        return entry.text == self.rules.old(entry.sources)

    def _finding(self, kind: str, message: str, *indexes: int) -> ReplyFault:
        return ReplyFault(Fault(kind, message), tuple(map(self.passage.number, indexes)))

    def _lean(self, gone: Collection[int]) -> tuple[int, ReplyFault] | None:
        """A sentence that is left out while the next one that stays leans on it; after the last
        one of a part, this is the first one of the next part as it was."""
        fixed = [index for index in self.passage.shown if index not in self.passage.free]
        starts = {entry.sources[0]: entry.text for entry in self.entries}
        following = self.rules.next_in_block(self.passage.shown[-1])
        if following is not None:
            fixed.append(following)
        starts |= {index: self.rules.sentence(index) for index in fixed}
        for first, new in starts.items():
            before = " ".join(text for start, text in starts.items() if start < first)
            if first - 1 in gone and self.rules.leans_on(first - 1, first, new, before):
                message = "the next sentence leans on it: keep it, or mend how that one begins"
                return first - 1, self._finding("leaned on", message, first - 1)
            kept = {
                source for entry in self.entries for source in entry.sources if self._is_old(entry)
            }
            found = self.rules.taken_up(first, new, before)
            if found and found[0] in self.passage.free and found[0] not in kept:
                message = "a sentence after it takes up what is gone: keep the term"
                return found[0], self._finding("reference lost", message, found[0])
        return None

    def _names(self) -> tuple[int, ReplyFault] | None:
        text = " ".join(entry.text for entry in self.entries)
        for entry in self.entries:
            if self._is_old(entry):
                continue
            if self.rules.missed_names(entry.sources, text):
                message = "a name or acronym that is used later must be introduced"
                return entry.sources[0], self._finding("name missed", message, *entry.sources)
        return None

    def _citations(self) -> tuple[int, ReplyFault] | None:
        """What loses the most citation marks, if more go than may."""
        lost = {index: citations(self.rules.sentence(index)).total() for index in self._gone()}
        for entry in self.entries:
            before = citations(self.rules.old(entry.sources))
            lost[entry.sources[0]] = (before - citations(entry.text)).total()
        if sum(lost.values()) <= self.passage.citations:
            return None
        index = max(lost, key=lambda each: lost[each])
        message = "too many citation marks are gone: keep those of this sentence"
        return index, self._finding("citations lost", message, index)


def _order_fault(passage: ParagraphPart, named: tuple[int, ...], last: int) -> Fault | None:
    """Whether an entry does not name neighbouring free sentences that follow ``last``."""
    fixed = [passage.number(index) for index in passage.shown if index not in passage.free]
    if not all(1 <= number <= len(passage.shown) for number in named):
        return Fault("unknown number", "it names a number that is not in the paragraph")
    if any(number in fixed for number in named):
        return Fault("fixed sentence", "a fixed sentence stays as it is and needs no entry")
    if list(named) != list(range(named[0], named[0] + len(named))):
        return Fault("not neighbours", "the sentences that an entry names must follow one another")
    if named[0] <= last:
        return Fault("order", "entries must be in order, and each number in one entry only")
    return None


def _joined(text: str, edits: list[Edit], start: int, end: int, note: str) -> list[Edit]:
    """``edits``, with those that touch ``start:end`` as one that covers it; it is the gap between
    two sentences and one sign on each side."""
    near = [edit for edit in edits if edit.start <= end and edit.end >= start]
    if not near:
        return edits
    first = min(start, near[0].start)
    last = max(end, near[-1].end)
    moved = [replace(edit, start=edit.start - first, end=edit.end - first) for edit in near]
    new = apply_edits(text[first:last], moved)
    others = [edit for edit in edits if edit not in near]
    return sorted([*others, Edit(first, last, new, note)])
