"""What a sentence must keep when it is condensed, and what one that elaborates must not bring."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence

from revkit.model import Edit, Paper
from revkit.model.sentences import protected_spans, split_sentences
from revkit.model.words import count_words
from revkit.prompting import one_line
from revkit_robustrev.changed_sentences import (
    changed_sentences,
    citations,
    citations_changed,
    numbers,
    numbers_changed,
)
from revkit_robustrev.claim_signs import claim_changes
from revkit_robustrev.constraints import directions
from revkit_robustrev.elaboration import is_elaboration, judge
from revkit_robustrev.hedge_lexicon import count_hedges, lexicon
from revkit_robustrev.length_expand import sites_of
from revkit_robustrev.length_links import Links
from revkit_robustrev.prose import quotations
from revkit_robustrev.rewriting.anchors import anchors
from revkit_robustrev.rewriting.asking import Answers
from revkit_robustrev.rewriting.faults import (
    Fault,
    Sheet,
    content,
    foreign,
    form_fault,
    is_english,
    markup_fault,
    names_fault,
    shape_fault,
)
from revkit_robustrev.rewriting.generator import MarkOrder, edits_within, marks, rewritable
from revkit_robustrev.rewriting.llm_paraphrase import SIGNS, marks_fault, reworded_fault
from revkit_robustrev.sentence_shape import is_whole

Allowed = Callable[[int, Collection[int]], bool]
_LEAST_WORDS = 8  # a shorter sentence has little to lose
_LEAST_WORDS_BY_MEANING = 12
_CONTENT_KEPT = 0.5
_CONTENT_KEPT_BY_MEANING = 0.4
_NEW_CONTENT = 0.4  # of the content words of a condensed sentence
_FROM_PASSAGE = 0.5  # content words of an elaboration that its paragraph has
_SHARED = 2  # content words that an elaboration has in common with the sentence before it
_STEM = 4  # letters that forms of one word share ("varied", "varies")
_CONTENT = re.compile(r"[a-z][a-z-]{3,}")
_NEAR = 4  # words of content that a hedge can hedge
_MOST_ADDED = 3  # sentences
_WORDS_ADDED = (8, 90)


class Condensing:
    """The rules for sentences that are condensed or left out.

    With ``by_meaning``, words of negation and comparison can change while the rules of `same-claim`
    see no other meaning, and marks can move; a sentence can be left out only if it has no number
    or mark and no other sentence misses it.
    """

    def __init__(self, paper: Paper, sheet: Sheet, *, by_meaning: bool = False) -> None:
        self._paper = paper
        self._sheet = sheet
        self._by_meaning = by_meaning
        self._candidates = judge(paper)
        self._sizes = Counter(sentence.block for sentence in paper.sentences)
        self._links = Links(paper) if by_meaning else None
        self._openings = openings(paper) if by_meaning else frozenset()

    @property
    def mark_order(self) -> MarkOrder:
        """Whether marks can move within a sentence."""
        return "free" if self._by_meaning else "kept"

    def sentences(self) -> list[int]:
        """The sentences to ask for: not those of the abstract, of lists, or of a few words."""
        blocks, sentences = self._paper.blocks, self._paper.sentences
        least = _LEAST_WORDS_BY_MEANING if self._by_meaning else _LEAST_WORDS
        return [
            index
            for index in rewritable(self._paper)
            if blocks[sentences[index].block].kind == "paragraph"
            and blocks[sentences[index].block].role != "abstract"
            and self.words(index) >= least
        ]

    def words(self, index: int) -> int:
        """The words of a sentence."""
        sentence = self._paper.sentences[index]
        return count_words(self._paper.text, sentence.start, sentence.end)

    def judge(self, said: Mapping[int, str]) -> dict[int, Fault]:
        """The faults of condensed sentences; one that is empty leaves its sentence out."""
        found = {index: self._fault(index, new) for index, new in said.items()}
        return {index: fault for index, fault in found.items() if fault is not None}

    def _fault(self, index: int, new: str) -> Fault | None:
        if not new:
            if self.can_go(index):
                return None
            return Fault("cannot be left out", "this sentence cannot be left out: condense it")
        sentence = self._paper.sentences[index]
        old = one_line(self._paper.text[sentence.start : sentence.end])
        if self._by_meaning:
            if new == old:
                return None  # there was nothing to cut
            fault = condensed_fault(self._sheet, old, new)
        else:
            fault = reworded_fault(self._sheet, old, new)
        if fault is not None:
            return fault
        if count_words(new, 0, len(new)) >= self.words(index):
            return Fault("not shorter", "it has as many words as before or more")
        before = content(old)
        kept = _CONTENT_KEPT_BY_MEANING if self._by_meaning else _CONTENT_KEPT
        if len(before & content(new)) < kept * len(before):
            return Fault("content lost", "too many of its words of content are gone")
        edits = edits_within(self._paper, index, new, 1, "", order=self.mark_order)
        if edits is None:
            return Fault("marks changed", "marks must stay as they are")
        return self._fault_in_paper(edits) if self._by_meaning else None

    def _fault_in_paper(self, edits: Sequence[Edit]) -> Fault | None:
        """Whether numbers or citations changed by the forms that the paper uses."""
        changed, _ = changed_sentences(self._paper, edits)
        if any(numbers_changed(self._paper.text, run) for run in changed):
            return Fault("numbers changed", "the numbers must be the same as before")
        if any(citations_changed(self._paper, run) for run in changed):
            return Fault("citations changed", "the citations must be the same as before")
        return None

    def can_go(self, index: int) -> bool:
        """Whether `length` could drop the sentence, and the next one does not lean on it."""
        sentences, following = self._paper.sentences, index + 1
        if self._candidates[index].cost is None:
            return False
        if self._links is not None:
            text = self._paper.text[sentences[index].start : sentences[index].end]
            if index in self._openings or numbers(text) or marks(text) or citations(text):
                return False
            if self._links.missed({index}, (index,)):
                return False
        return not (
            following < len(sentences)
            and sentences[following].block == sentences[index].block
            and self._candidates[following].leans
        )

    def allowed_with(self, answers: Answers) -> Allowed:
        """Whether a sentence can be taken beside others: no paragraph loses all of its own."""
        sentences = self._paper.sentences

        def allowed(index: int, taken: Collection[int]) -> bool:
            if answers.accepted[index]:
                return True
            block = sentences[index].block
            gone = sum(not answers.accepted[i] and sentences[i].block == block for i in taken)
            return gone + 1 < self._sizes[block]

        return allowed


def openings(paper: Paper) -> frozenset[int]:
    """The first sentence of each paragraph: it says what the others are about."""
    found: dict[int, int] = {}
    for index, sentence in enumerate(paper.sentences):
        found.setdefault(sentence.block, index)
    return frozenset(found.values())


def condensed_fault(sheet: Sheet, old: str, new: str) -> Fault | None:
    """What is wrong with ``new`` as ``old`` in fewer words; both on one line."""
    return (
        form_fault(sheet, new)
        or shape_fault(old, new)
        or marks_fault(old, new)
        or foreign(sheet, old, new)
        or markup_fault(old, new)
        or names_fault(sheet, new)
        or meaning_fault(old, new)
        or hedges_moved_fault(old, new)
        or new_content_fault(old, new)
    )


def meaning_fault(
    old: str, new: str, *, linking: frozenset[str] = frozenset(), left_out: Sequence[str] = ()
) -> Fault | None:
    """Whether ``new`` says something else than ``old``, apart from words that it leaves out.

    Words of ``linking`` can come without a new meaning; signs of the kinds ``left_out`` do not
    count.
    """
    ignored = {"content", *left_out}
    if not _brings_words(old, new, linking):
        ignored.add("word")
    kinds = [change.kind for change in claim_changes(old, new, parser=False)]
    named = dict.fromkeys(SIGNS[kind] for kind in kinds if kind not in ignored)
    return Fault("meaning changed", "; ".join(named)) if named else None


def _brings_words(old: str, new: str, linking: frozenset[str]) -> bool:
    """Whether ``new`` has a word of content that is no form of a word of ``old``."""
    before, after = ({word[:_STEM] for word in content(text)} for text in (old, new))
    return bool(after - before - {word[:_STEM] for word in linking})


def hedges_moved(old: str, new: str) -> int:
    """Count the hedges that came, that went while what they hedge stayed, or that now hedge
    something else.

    What a hedge hedges is among the words of content after it, or else before it.
    """
    before, after = _hedges(old), _hedges(new)
    forms = [Counter(form for form, _ in each) for each in (before, after)]
    moved, left = (forms[1] - forms[0]).total(), forms[0] - forms[1]
    known, kept = content(old), content(new)
    for form, near in before:
        if left[form] and near[:1] and near[0] in kept:
            moved += 1
            left[form] -= 1
    hedged = {word for _, near in before for word in near}
    elsewhere = sum(bool(near) and near[0] in known - hedged for _, near in after)
    return max(moved, elsewhere)


def _hedges(text: str) -> list[tuple[str, list[str]]]:
    """The hedges of a sentence, each with the words of content next to it, the nearest first."""
    found = []
    for match in lexicon().counting_pattern.finditer(text):
        following = _CONTENT.findall(text[match.end() :].lower())
        earlier = _CONTENT.findall(text[: match.start()].lower())[::-1]
        near = (following or earlier)[:_NEAR]
        found.append((match[0].lower(), [stem for word in near for stem in content(word)]))
    return found


def hedges_moved_fault(old: str, new: str) -> Fault | None:
    """Whether a hedge came, went without what it hedges, or hedges something else."""
    if not hedges_moved(old, new):
        return None
    return Fault("hedges changed", "keep the hedges (may, likely) of what stays, and add none")


def new_content_fault(old: str, new: str) -> Fault | None:
    """Whether too many words of content are new."""
    before, after = content(old), content(new)
    if len(after - before) <= max(2.0, _NEW_CONTENT * len(after)):
        return None
    return Fault("other words", "use the words of the sentence itself")


class Elaborating:
    """The rules for sentences that are added.

    ``from_passage`` allows numbers, comparisons and negations that the paragraph has already.
    """

    def __init__(self, paper: Paper, sheet: Sheet, *, from_passage: bool = False) -> None:
        self._paper = paper
        self._sheet = sheet
        self._from_passage = from_passage
        self._seen = {one_line(paper.text[s.start : s.end]).lower() for s in paper.sentences}

    def sentences(self) -> list[int]:
        """The sentences that an elaboration can follow: those that `length` elaborates."""
        places = {sentence.start: index for index, sentence in enumerate(self._paper.sentences)}
        return [places[sentence.start] for sentence in sites_of(self._paper)]

    def allowed(self, index: int, taken: Collection[int]) -> bool:
        """Any can be added."""
        return True

    def judge(self, said: Mapping[int, str]) -> dict[int, Fault]:
        """The faults of texts that are to follow their sentences."""
        faults = {}
        for index, new in said.items():
            fault = form_fault(self._sheet, new) or self._fault(index, new)
            if fault is not None:
                faults[index] = fault
        return faults

    def _fault(self, index: int, new: str) -> Fault | None:
        spans = split_sentences(new, 0, len(new))
        added = [new[span.start : span.end] for span in spans]
        least, most = _WORDS_ADDED
        if len(added) > _MOST_ADDED or not least <= count_words(new, 0, len(new)) <= most:
            return Fault("wrong length", "one or two sentences, 20 to 45 words together")
        for text in added:
            fault = self._sentence_fault(index, text)
            if fault is not None:
                return fault
        sentence = self._paper.sentences[index]
        before = content(self._paper.text[sentence.start : sentence.end])
        if len(before & content(new)) < _SHARED:
            return Fault("off topic", "use words of the sentence that it follows")
        if any(text.lower() in self._seen for text in added):
            return Fault("repeated", "this sentence stands in the paper already")
        self._seen.update(text.lower() for text in added)
        return None

    def _sentence_fault(self, index: int, text: str) -> Fault | None:
        if not is_whole(text):
            return Fault("no whole sentence", "it must be whole sentences, each with a full stop")
        if not is_english(text):
            return Fault("not English", "the text must be English")
        fault = self._passage_fault(index, text) if self._from_passage else _new_matter(text)
        return (
            fault
            or markup_fault("", text)
            or foreign(self._sheet, "", text)
            or names_fault(self._sheet, text)
        )

    def _passage_fault(self, index: int, text: str) -> Fault | None:
        """What a sentence brings that its paragraph does not hold, or that says nothing."""
        block = self._paper.blocks[self._paper.sentences[index].block]
        passage = self._paper.text[block.start : block.end]
        if not set(numbers(text)) <= set(numbers(passage)):
            return Fault("number added", "only numbers of the passage may come again")
        if protected_spans(text, 0, len(text)) or quotations(text) or citations(text):
            return Fault("mark added", _NO_MARK)
        if not set(directions(text)) <= set(directions(passage)):
            return Fault(
                "negation or comparison added",
                "only negations and comparisons of the passage may come again",
            )
        if count_hedges(text):
            return Fault("hedge added", "no hedge (may, likely, suggests) may come")
        words = content(text)
        if len(words & content(passage)) < _FROM_PASSAGE * len(words):
            return Fault("new matter", "at least half of its words must be words of the passage")
        if _AUTHORS.search(text):
            return Fault("authors named", "it must not write of the authors (we, our)")
        if _OF_READING.search(text):
            return Fault("says nothing", "it must say something of the subject, not of the text")
        return None


_NO_MARK = "no citation, formula, link, quotation or pointer may come"
_AUTHORS = re.compile(r"\b(?:we|our|ours|us|authors?|paper|study)\b", re.IGNORECASE)
_OF_READING = re.compile(
    r"\b(?:picture|imagine|restat\w{1,3}|reword\w{0,3}|readers?|wording|walk|in isolation"
    r"|to see this|to get a feeling|familiar (?:object|instance)|caption to)\b",
    re.IGNORECASE,
)


def _new_matter(text: str) -> Fault | None:
    """What a sentence brings that an elaboration without content must not."""
    if numbers(text):
        return Fault("number added", "no number may come, in words neither")
    if anchors(text) or citations(text):
        return Fault("mark added", _NO_MARK)
    if directions(text):
        return Fault("negation or comparison added", "no negation and no comparison may come")
    if count_hedges(text):
        return Fault("hedge added", "no hedge (may, likely, suggests) may come")
    if not is_elaboration(text):
        return Fault("claim added", "it must not claim, find, define or refer to anything")
    return None
