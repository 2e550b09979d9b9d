"""How much of a variant one rule makes, and how many words are changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING

from revkit import Edit, Paper
from revkit.dataclass import dataclass

if TYPE_CHECKING:
    from revkit_robustrev.restructuring import Restructuring

ABBREVIATION = "abbreviation"  # the kind of an edit that writes a term in its other form
OPERATION = "operation"  # the kind of an edit that restructures its sentence
_ALWAYS = 2  # edits of one rule that are allowed in the shortest paper


@dataclass(frozen=True, order=True)
class RuleEdit:
    """The edits that one rule makes at one place; they belong together. ``sentence`` is the place
    of its sentence in the paper."""

    edits: tuple[Edit, ...]
    sentence: int

    @classmethod
    def of(cls, found: Restructuring, offset: int, sentence: int) -> RuleEdit:
        """The edits of an operation whose sentence begins at ``offset``."""
        return cls(
            tuple(
                sorted(
                    Edit(offset + piece.start, offset + piece.end, piece.new, found.name, OPERATION)
                    for piece in found.pieces
                )
            ),
            sentence,
        )

    @property
    def start(self) -> int:
        """The offset of the first edit in the text of the paper."""
        return self.edits[0].start

    @property
    def end(self) -> int:
        """The offset behind the last edit in the text of the paper."""
        return self.edits[-1].end

    @property
    def rule(self) -> str:
        """What counts as one rule: an operation with its word, or all forms of the replaced word,
        so that "using -> employing" and "use -> utilize" are one."""
        first = self.edits[0]
        if first.kind == OPERATION:
            return first.note
        return " ".join(first.about)


def limited(changes: Sequence[RuleEdit], share: float, rng: Random) -> list[RuleEdit]:
    """``changes`` without those by which a rule would make more than ``share`` of all edits; which
    of its changes go is drawn."""
    kept = list(changes)
    while True:
        total = sum(len(change.edits) for change in kept)
        most = max(_ALWAYS, int(share * total))
        counted: Counter[str] = Counter()
        for change in kept:
            counted[change.rule] += len(change.edits)
        above = sorted(rule for rule, count in counted.items() if count > most)
        if not above:
            return kept
        for rule in above:
            surplus = counted[rule] - most
            places = [i for i, change in enumerate(kept) if change.rule == rule]
            dropped: set[int] = set()
            for place in rng.sample(places, len(places)):
                if surplus <= 0:
                    break
                dropped.add(place)
                surplus -= len(kept[place].edits)
            kept = [change for i, change in enumerate(kept) if i not in dropped]


# A reader notices a form of several words that comes back within this many sentences.
_APART = 2
_APART_NOUNS = 3  # the same for verbs with a noun, of any kind: "carry out an analysis of"
_MARKED = 3  # words from which on a new form is noticed, and connectives at the front


_NOUNS = "with a noun"


class Spacing:
    """The forms that a reader remembers from the sentences just before."""

    def __init__(self) -> None:
        self._last: dict[str, int] = {}

    def allows(self, change: RuleEdit) -> bool:
        """Whether ``change`` writes no form that is remembered at its sentence."""
        if _has_noun(change) and self._near(_NOUNS, change.sentence, _APART_NOUNS):
            return False
        return all(self.is_new(edit, change.sentence) for edit in change.edits)

    def is_new(self, edit: Edit, sentence: int) -> bool:
        """Whether ``edit`` writes no form that is remembered at ``sentence``."""
        return not (_marked(edit) and self._near(edit.new.lower(), sentence, _APART))

    def keep(self, change: RuleEdit) -> None:
        """Remember what ``change`` writes."""
        forms = [edit.new.lower() for edit in change.edits if _marked(edit)]
        if _has_noun(change):
            forms.append(_NOUNS)
        self._last.update(dict.fromkeys(forms, change.sentence))

    def _near(self, form: str, sentence: int, apart: int) -> bool:
        return sentence - self._last.get(form, -apart - 1) <= apart


def spaced(changes: Sequence[RuleEdit]) -> list[RuleEdit]:
    """``changes`` in order, without those that write a long form, or one at the front of a
    sentence, that one of the sentences just before has got already."""
    kept: list[RuleEdit] = []
    spacing = Spacing()
    for change in sorted(changes, key=lambda each: each.sentence):
        if spacing.allows(change):
            spacing.keep(change)
            kept.append(change)
    return kept


def _has_noun(change: RuleEdit) -> bool:
    return change.edits[0].kind == OPERATION and " noun" in change.rule


def _marked(edit: Edit) -> bool:
    """Whether a reader remembers a form; a term of the paper comes back without being noticed."""
    words = edit.new.split()
    if not words or edit.kind == ABBREVIATION:
        return False
    return len(words) >= _MARKED or words[0][0].isupper()


def dosed(paper: Paper, changes: Sequence[RuleEdit], dose: float, rng: Random) -> list[RuleEdit]:
    """As many ``changes``, by drawn sentences, as change the share ``dose`` of the words."""
    places = sorted({change.sentence for change in changes})
    rng.shuffle(places)
    wanted, changed = dose * paper.words, 0
    chosen: set[int] = set()
    for place in places:
        if changed >= wanted:
            break
        chosen.add(place)
        changed += sum(
            words_changed(paper.text[edit.start : edit.end], edit.new)
            for change in changes
            if change.sentence == place
            for edit in change.edits
        )
    return [change for change in changes if change.sentence in chosen]


def words_changed(old: str, new: str) -> int:
    """The words to insert, delete or replace to turn ``old`` into ``new``: the edit distance of
    Levenshtein (1966) over words. A word that moves counts as deleted and inserted."""
    before, after = old.split(), new.split()
    while before and after and before[-1] == after[-1]:
        before.pop()
        after.pop()
    row = list(range(len(after) + 1))
    for i, word in enumerate(before, start=1):
        last = row[0]
        row[0] = i
        for j, other in enumerate(after, start=1):
            last, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, last + (word != other))
    return row[-1]
