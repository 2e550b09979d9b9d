"""`Restructurer`: all operations on the sentences of one paper, and what each may touch."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property

from revkit import Paper, Sentence
from revkit.grammar import parsed
from revkit.model.dose import word_changes
from revkit_robustrev.guards import words
from revkit_robustrev.prose import Prose
from revkit_robustrev.restructuring.additions import additions
from revkit_robustrev.restructuring.attributes import compounds, premodifiers, relative_forms
from revkit_robustrev.restructuring.clauses import clauses
from revkit_robustrev.restructuring.enumeration import enumeration_orders
from revkit_robustrev.restructuring.expressions import expressions
from revkit_robustrev.restructuring.frames import frames
from revkit_robustrev.restructuring.joints import (
    join,
    semicolons,
    splits,
    this_to_which,
    which_to_this,
)
from revkit_robustrev.restructuring.links import links, reasons
from revkit_robustrev.restructuring.lists import lists
from revkit_robustrev.restructuring.manners import manners
from revkit_robustrev.restructuring.order import (
    asides,
    clause_orders,
    connective_orders,
    means_orders,
    places_before_that,
)
from revkit_robustrev.restructuring.phrases import (
    adverbs,
    nominals,
    participles,
    possessives,
    pronouns,
)
from revkit_robustrev.restructuring.predicates import (
    accounts,
    passive_nouns,
    predicates,
    purpose_nouns,
)
from revkit_robustrev.restructuring.recasts import purposes, recastings
from revkit_robustrev.restructuring.specifics import specifics
from revkit_robustrev.restructuring.view import Restructuring, View
from revkit_robustrev.restructuring.voice import actives, done_by_us, passives
from revkit_robustrev.sentence_shape import is_formal, is_whole

_OPERATIONS: tuple[Callable[[View], Iterator[Restructuring]], ...] = (
    clause_orders,
    connective_orders,
    means_orders,
    asides,
    places_before_that,
    enumeration_orders,
    passives,
    actives,
    done_by_us,
    participles,
    nominals,
    possessives,
    pronouns,
    adverbs,
    splits,
    semicolons,
    which_to_this,
    frames,
    links,
    reasons,
    recastings,
    expressions,
    purposes,
    compounds,
    premodifiers,
    relative_forms,
    predicates,
    manners,
    specifics,
    clauses,
    lists,
    passive_nouns,
    accounts,
    purpose_nouns,
    additions,
)
_WE = re.compile(r"\b[Ww]e\b")
_ABOUT = re.compile(r"(?:Figure|Fig\.|Table)[ \n][A-Z]?\.?\d+[a-z]?(?:\([a-z]\))?[ \n][a-z]")
_FIRST_WORD = re.compile(r"\s*([A-Z]\w*)")
_NEAR = 2  # sentences on each side that show who acts
_LONGEST = 75  # words; parses of longer sentences are wrong too often
_PARTING = ("active to passive", "manner")  # operations that put words behind a noun
_IN_TERMS = words("through of under over between without for in with at from as by into within")
_JOINED = 24  # words of a sentence that may be joined with its neighbour


def _raises_name(text: str, each: Restructuring) -> bool:
    """Whether a symbol or a name of mixed case gets a capital at the front: "t might be set to 1"
    as "T might be set to 1"."""
    for piece in each.pieces:
        word = _FIRST_WORD.match(piece.new)
        if word is None or word[1] in ("A", "I"):
            continue
        mixed = any(sign.isupper() or sign.isdigit() for sign in word[1][1:])
        low = word[1][0].lower() + word[1][1:]
        if (mixed or len(word[1]) == 1) and _has(text, low) and not _has(text, word[1]):
            return True
    return False


def _has(text: str, word: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text) is not None


class Restructurer:
    """The ways to restructure each sentence of one paper. All sentences are parsed in one call."""

    def __init__(self, paper: Paper, prose: Prose) -> None:
        self._paper = paper
        self._prose = prose
        self._places = [i for i, s in enumerate(paper.sentences) if self._is_complete(s)]
        parses = parsed([prose.masked(paper.sentences[i]) for i in self._places])
        self._parses = dict(zip(self._places, parses, strict=True))

    def text(self, index: int) -> str:
        """The sentence ``index`` as it is written, with the one that it may be joined to."""
        sentence = self._paper.sentences[index]
        following = self._paper.sentences[index : index + 2][-1]
        return self._paper.text[sentence.start : following.end]

    def of(self, index: int) -> list[Restructuring]:
        """What can be done to the sentence ``index``; places count from its start."""
        parse = self._parses.get(index)
        if parse is None or not 6 <= len(parse.tokens) <= _LONGEST:
            return []
        sentence = self._paper.sentences[index]
        text = self._paper.text[sentence.start : sentence.end]
        view = View(parse, text, ours=self._ours(index))
        found = [each for operation in _OPERATIONS for each in operation(view)]
        if not text.rstrip().endswith("."):
            found = [each for each in found if _stays(view, each)]
        found += self._with_next(index)
        return [
            each
            for each in found
            if self._allowed(sentence, each) and not _raises_name(view.text, each)
        ]

    def _ours(self, index: int) -> bool:
        """Whether a sentence without a citation has a neighbour in its block that says "we"."""
        sentence = self._paper.sentences[index]
        marks = self._paper.citations
        at = bisect_left(marks, sentence.start, key=lambda mark: mark.end)
        if at < len(marks) and marks[at].start < sentence.end:
            return False
        return any(
            each.block == sentence.block
            and _WE.search(self._paper.text, each.start, each.end) is not None
            for each in self._paper.sentences[max(index - _NEAR, 0) : index + _NEAR + 1]
        )

    def _is_complete(self, sentence: Sentence) -> bool:
        text = self._paper.text[sentence.start : sentence.end]
        return (
            text[:1].isupper()
            and text.rstrip().endswith((".", ":"))
            and is_whole(self._prose.masked(sentence).replace("\n", " "))
            and not (is_formal(self._paper, sentence.block) and not self._about_exhibit(sentence))
            and self._prose.editable(sentence)
        )

    def _about_exhibit(self, sentence: Sentence) -> bool:
        """Whether the block is prose about a figure or table, and no caption: "Table 5 shows"."""
        block = self._paper.blocks[sentence.block]
        return _ABOUT.match(self._paper.text, block.start, block.end) is not None

    def _with_next(self, index: int) -> list[Restructuring]:
        """The ways to join a sentence with the one after it."""
        sentences = self._paper.sentences
        if index + 1 >= len(sentences) or index + 1 not in self._parses:
            return []
        one, other = sentences[index], sentences[index + 1]
        long = max(len(self._paper.text[s.start : s.end].split()) for s in (one, other))
        if one.block != other.block or long > _JOINED:
            return []
        text = self._paper.text[one.start : other.end]
        if ";" in text or ":" in text:
            return []
        end = one.end - one.start
        found = [join(text, end, len(text)), this_to_which(text, end, self._parses[index + 1])]
        return [each for each in found if each is not None]

    def _allowed(self, sentence: Sentence, found: Restructuring) -> bool:
        """Whether no replacement touches what is protected, nor leaves a citation mark behind
        words that it does not belong to."""
        text, citations = self._paper.text, self._paper.citations
        if found.name.startswith(_PARTING) and self._parts_term(sentence, found):
            return False
        for piece in found.pieces:
            start, end = sentence.start + piece.start, sentence.start + piece.end
            if start < end and self._prose.blocked(sentence, start, end):
                return False
            after = end + len(text[end : end + 3]) - len(text[end : end + 3].lstrip())
            index = bisect_left(citations, after, key=lambda mark: mark.start)
            if (
                not found.name.startswith("split")
                and index < len(citations)
                and citations[index].start == after
            ):
                return False
        return True

    def _parts_term(self, sentence: Sentence, found: Restructuring) -> bool:
        """Whether words are put into what the paper elsewhere writes as one expression:
        "back-propagation through time"."""
        for piece in found.pieces:
            if piece.start < piece.end:
                continue
            at = sentence.start + piece.start
            before = self._paper.text[sentence.start : at].split()[-1:]
            after = self._paper.text[at : sentence.end].split()[:2]
            if len(before + after) < 3 or after[0].lower() not in _IN_TERMS:
                continue
            if self._words.count(" ".join([*before, *after]).lower().rstrip(".,;:)")) > 1:
                return True
        return False

    @cached_property
    def _words(self) -> str:
        """The text of the paper in small letters, with one blank between words."""
        return " ".join(self._paper.text.lower().split())


def _stays(view: View, found: Restructuring) -> bool:
    """Whether an operation moves nothing, and leaves the words before a colon as they are."""
    last = view.tokens[-4].start if len(view.tokens) > 4 else 0
    if any(piece.end >= last for piece in found.pieces):
        return False
    old = " ".join(view.text[piece.start : piece.end] for piece in found.pieces)
    return word_changes(old, " ".join(piece.new for piece in found.pieces))[1] == 0


def apart(one: Restructuring, others: Sequence[Restructuring], gap: int = 1) -> bool:
    """Whether ``one`` changes no characters near those that ``others`` change."""
    return all(
        piece.end + gap < other.start or other.end + gap < piece.start
        for each in others
        for other in each.pieces
        for piece in one.pieces
    )
