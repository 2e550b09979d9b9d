"""Rewording: the edits by which the family `Paraphrase` can change each sentence of a paper."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from random import Random

from revkit import Edit, Paper, Sentence
from revkit.english import capitalise_as, function_words, repair_article
from revkit.meaning import family
from revkit.model.dose import word_changes
from revkit_robustrev.abbreviations import Replacement, replacements
from revkit_robustrev.guards import Side, side_after, side_before, undetermined
from revkit_robustrev.prose import Prose
from revkit_robustrev.restructuring import Restructurer, Restructuring, apart
from revkit_robustrev.rule_shares import ABBREVIATION, RuleEdit, Spacing, words_changed
from revkit_robustrev.substitutions import SubstitutionRule, plain_form, substitutions


class Rewording:
    """What can be reworded in ``paper``: at most so many ``substitutions`` and ``restructurings``
    in one sentence. Without a parser ``restructurings`` is None. Places and alternatives are drawn
    from ``rng``.
    """

    def __init__(
        self, paper: Paper, substitutions: int, restructurings: int | None, rng: Random
    ) -> None:
        self._paper = paper
        self._prose = Prose(paper)
        self._operations = None if restructurings is None else Restructurer(paper, self._prose)
        self._substitutions = substitutions
        self._restructurings = restructurings
        self._rng = rng
        self._spacing = Spacing()

    def changes(self) -> list[RuleEdit]:
        """Return what can be changed: each change is the edits of one rule at one place, by
        sentence."""
        found: list[list[RuleEdit]] = []
        taken = 0  # the end of the last change: a join reaches into the next sentence
        for index, sentence in enumerate(self._paper.sentences):
            words = self._reword(sentence, index)
            changes = (
                []
                if self._operations is None
                else self._restructured(self._operations, index, sentence, words)
            )
            changes = [change for change in changes if change.start > taken]
            edits = [edit for change in changes for edit in change.edits]
            changes += [
                RuleEdit((edit,), index)
                for edit in words
                if edit.start > taken
                and all(_distant(edit, other) for other in edits)
                and not (_impersonal([edit]) and _impersonal(edits))
            ]
            if changes:
                for change in changes:
                    self._spacing.keep(change)
                found.append(changes)
                taken = max(taken, *(change.end for change in changes))
        return [change for changes in found for change in sorted(changes)]

    def _restructured(
        self,
        operations: Restructurer,
        index: int,
        sentence: Sentence,
        words: Sequence[Edit],
    ) -> list[RuleEdit]:
        """The operations on one sentence. One that would keep ``words`` (substitutions) from
        changing more than it changes is left."""
        candidates = operations.of(index)
        self._rng.shuffle(candidates)
        text = operations.text(index)
        # of two that exclude one another, the larger
        candidates.sort(key=lambda each: _size(each, text), reverse=True)
        chosen: list[Restructuring] = []
        for candidate in candidates:
            if len(chosen) == self._restructurings:
                break
            made = RuleEdit.of(candidate, sentence.start, index)
            if not self._spacing.allows(made):
                continue
            blocked = [w for w in words if any(not _distant(w, edit) for edit in made.edits)]
            lost = sum(
                words_changed(text[w.start - sentence.start : w.end - sentence.start], w.new)
                for w in blocked
            )
            if _impersonal(made.edits) and any(
                _IMPERSONAL.search(piece.new) for each in chosen for piece in each.pieces
            ):
                continue  # "it is often the case that it is important to"
            if _clausal(candidate.name) and any(_clausal(each.name) for each in chosen):
                continue  # "a measure that is suited to the space that is known as A"
            if _paired(candidate.name) and any(_paired(each.name) for each in chosen):
                continue  # "in both Asia as well as Africa"
            if apart(candidate, chosen) and lost <= _size(candidate, text):
                chosen.append(candidate)
        return [RuleEdit.of(each, sentence.start, index) for each in chosen]

    def _reword(self, sentence: Sentence, index: int) -> list[Edit]:
        if not self._prose.editable(sentence):
            return []
        found = list(self._candidates(sentence, index))
        self._rng.shuffle(found)
        found.sort(key=lambda edit: self._changed(edit), reverse=True)
        found += self._abbreviations(sentence)
        edits: list[Edit] = []
        for edit in found:
            if not self._spacing.is_new(edit, index):
                continue
            if all(_apart(edit, other) and not _repeats(edit, other) for other in edits):
                edits.append(edit)
                if len(edits) == self._substitutions:
                    break
        return sorted(edits)

    def _changed(self, edit: Edit) -> int:
        return words_changed(self._paper.text[edit.start : edit.end], edit.new)

    def _candidates(self, sentence: Sentence, index: int) -> Iterator[Edit]:
        """The edits of the forms of the table, from left to right. Where the longest form at a
        place allows no rule, shorter forms are tried, and forms that begin within it."""
        table, at = substitutions(), sentence.start
        while hit := table.pattern.search(self._prose.text, at, sentence.end):
            start, at = hit.start(), hit.start() + 1
            for form in table.shorter(plain_form(hit[0])):
                edit = self._replace(sentence, start, form, index)
                if edit is not None:
                    yield edit
                    at = start + len(form)
                    break

    def _abbreviations(self, sentence: Sentence) -> list[Edit]:
        """For each abbreviation of the paper, one of the places where it can have its other form:
        written out twice in one sentence, it would be noticed."""
        places: dict[str, list[Replacement]] = {}
        for each in replacements(self._prose.text, sentence.start, sentence.end):
            if not self._prose.blocked(sentence, each.start, each.end):
                places.setdefault(each.short, []).append(each)
        drawn = [self._rng.choice(places[short]) for short in sorted(places)]
        return [
            Edit(
                one.start,
                one.end,
                one.new,
                f"{ABBREVIATION}: {one.short}",
                ABBREVIATION,
                (one.short,),
            )
            for one in drawn
        ]

    def _replace(self, sentence: Sentence, start: int, form: str, index: int) -> Edit | None:
        """Return the edit of one form, by a rule drawn from those that apply; None without one."""
        text, end = self._prose.text, start + len(form)
        old = text[start:end]
        before = side_before(text, sentence.start, start)
        if old[0].isupper() and before.mark != "START":
            return None  # a name, or a word of a title
        if len(before.words) > 1 and before.words[-1] == before.words[-2]:
            return None  # a doubled word of the author: "it is is composed of"
        if self._prose.blocked(sentence, start, end):
            return None
        rules = substitutions().rules[form]
        after = side_after(text, end, sentence.end)
        fitting = [rule for rule in rules if rule.applies(before, after)]
        fresh = [
            rule
            for rule in fitting
            if self._spacing.is_new(Edit(start, end, capitalise_as(rule.new, old)), index)
        ]
        fitting = fresh or fitting
        if not fitting:
            return None
        weights = [words_changed(old.lower(), rule.new) ** 3 for rule in fitting]
        drawn = self._rng.choices(fitting, weights) if any(weights) else [self._rng.choice(fitting)]
        return _edit(text, sentence, start, old, drawn[0], before, after)


def _clausal(name: str) -> bool:
    """Whether an operation makes a relative clause of what follows its noun."""
    return name.startswith(("participle to relative", "phrase to clause", "attribute to clause"))


def _paired(name: str) -> bool:
    """Whether an operation joins two parts of a list in another way."""
    return name.startswith(("list:", "joint:", "addition: both"))


def _size(found: Restructuring, sentence: str) -> float:
    """How much an operation changes: words that it changes, and an eighth of those that it
    moves."""
    old = " ".join(sentence[piece.start : piece.end] for piece in found.pieces)
    changed, moved = word_changes(old, " ".join(piece.new for piece in found.pieces))
    return changed + moved / 8


# Pairs of words that no edit may bring together; the same word twice is refused for any word.
_PAIRS = frozenset(
    (first, second)
    for firsts, seconds in (
        ("a an the", "a an the this these that our its their"),
        ("is are was were be", "is are was were be has have consists consist comprises comprise"),
        ("is are was were be", "resembles resemble differs differ leads lead results uses"),
        ("of to in on with for from by", "of to for from by"),
        ("can may will must should could would might", "can may will must should could would to"),
        ("do does did", "is are was were can will"),
        ("of to", "because since"),
        ("also", "additionally"),
        ("more most", "more most"),
        ("not", "not"),
    )
    for first in firsts.split()
    for second in seconds.split()
)
_PROPOSED = re.compile(r"\bpropos(?:e|es|ed|ing|al)\b", re.IGNORECASE)
_JUDGED = re.compile(r"[ \n](?:to be|as)[ \n]")
_IMPERSONAL = re.compile(r"\bit (?:is|was|can|should|turns|has been)\b", re.IGNORECASE)
_CLAUSE = re.compile(
    r"[^,.;:]{2,80}?[ \n](?:is|are|was|were|has|have|can|could|may|must|should|does|do|will|gains?"
    r"|achieves?|improves?|outperforms?|performs?|reduces?|increases?|decreases?|converges?"
    r"|yields?|obtains?)[ \n]"
)


_SHOWN = re.compile(
    r"\s(?:the|our|this|a|an|its)\s(?:[\w-]+\s){0,3}?(?:model|method|approach|algorithm"
    r"|framework|system|technique|architecture|network|application)s?\b"
)
_ALSO = re.compile(
    r"\b(?:also|[Aa]dditionally|[Ff]urther(?:more)?|[Mm]oreover|[Ii]n addition)[ ,\n]"
)
_LATE = 40  # characters into a sentence
_BESIDE = 40  # characters within which a word is noticed if it comes twice
_SHORT = 4  # letters of words that may come twice


def _clashes(before: Side, after: Side, new: str) -> bool:
    """Whether an edit doubles a word, or joins words that do not go together.

    That happens where the author's own words are wrong: "despite of", "is consists of".
    """
    words = new.lower().split()
    return _clash(before.word, words[0]) or _clash(words[-1], after.word)


def _repeats(edit: Edit, other: Edit) -> bool:
    """Whether two edits of one sentence bring the same word: "employ a tuple employing"."""
    one, two = edit.new.lower().split(), other.new.lower().split()
    if one == two:
        return True
    return family(one[0]) == family(two[0]) and one[0] not in function_words()


def _impersonal(edits: Sequence[Edit]) -> bool:
    """Whether one of the edits writes a frame such as "it is"."""
    return any(_IMPERSONAL.search(edit.new) for edit in edits)


def _distant(edit: Edit, other: Edit) -> bool:
    """Whether a substitution and an operation's edit are apart: at most side by side, where both
    replace words and the new words go together."""
    first, second = sorted((edit, other))
    if first.end + 1 != second.start:
        return first.end + 1 < second.start
    if not (first.new and second.new and first.start < first.end and second.start < second.end):
        return False
    last, following = first.new.split()[-1:], second.new.split()[:1]
    return bool(last and following) and not _clash(last[0].lower(), following[0].lower())


def _apart(edit: Edit, other: Edit) -> bool:
    """Whether two edits do not overlap, and do not clash where they are side by side."""
    first, second = sorted((edit, other))
    if first.end > second.start or first.start == second.start:
        return False
    beside = second.start - first.end <= 1
    return not beside or not _clash(first.new.lower().split()[-1], second.new.lower().split()[0])


def _clash(first: str, second: str) -> bool:
    return first == second or (first, second) in _PAIRS


def _edit(
    text: str,
    sentence: Sentence,
    start: int,
    old: str,
    rule: SubstitutionRule,
    before: Side,
    after: Side,
) -> Edit | None:
    new = capitalise_as(rule.new, old)
    if "the proposed" in rule.new and _PROPOSED.search(text, sentence.start, sentence.end):
        return None  # "we propose the proposed method"
    if rule.new.startswith("look") and _JUDGED.search(text, start, sentence.end):
        return None  # "we look at A to be more reliable"
    if rule.old == "while" and rule.new == "whereas" and start - sentence.start < _LATE:
        return None  # "In fact, while A, B": although, no contrast
    if rule.old == "while" and rule.new == "although" and "," not in text[start : sentence.end]:
        return None  # "While we draw masks at each step.": no clause that it belongs to
    if rule.old == "one can" and " other" in text[start : sentence.end]:
        return None  # "one can encode A, whereas the other"
    if rule.old == "during" and "course" in text[start : start + 24]:
        return None  # "in the course of the course of"
    if rule.old.startswith("demonstrat") and _SHOWN.match(text, start + len(old)):
        return None  # "we show the model on two tasks"
    if rule.new.startswith(("in addition", "additionally", "further")) and (
        _ALSO.search(text, sentence.start, start)
        or _ALSO.search(text, start + len(old), sentence.end)
    ):
        return None  # "In addition, we additionally"
    if rule.old == "but" and " only " in text[sentence.start : start]:
        return None  # "not only allows A, yet it is also B"
    if rule.new.startswith("propos") and " into " in text[start : start + 60]:
        return None  # "we propose a hierarchy into the posterior"
    if rule.old == "see" and " for " in text[start : start + 40]:
        return None  # "(as shown in Figure 3 for details)"
    if rule.old.startswith("due to") and "reason" in text[start : start + 50]:
        return None
    if rule.new.startswith(("a ", "an ")) and not undetermined(before):
        return None  # "the provided a number of views"
    if rule.new == "a number of" and "single" in text[sentence.start : sentence.end].lower():
        return None
    if "also" in new.split() and " also " in text[sentence.start : sentence.end]:
        return None
    near = text[max(sentence.start, start - _BESIDE) : start + len(old) + _BESIDE].lower().split()
    if any(len(word) > _SHORT and word not in old.lower() and word in near for word in new.split()):
        return None  # "specific to a specific item"
    place = repair_article(text, sentence.start, start, old, new)
    if place is None or _clashes(before, after, new):
        return None
    if rule.new.startswith(("present", "we present")) and _CLAUSE.match(
        text, start + len(old), sentence.end
    ):
        return None  # "Table 3 shows our model gains ...": a clause without "that"
    note = f"{rule.old} -> {rule.new}"
    replaced = tuple(family(word) for word in rule.old.split())
    return Edit(place[0], start + len(old), place[1], note, "substitution", replaced)
