"""`Paraphrase`: sentences reworded by a table of substitutions and restructured on their parse."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar

from revkit import Check, Context, Edit, Paper, Perturbation, Rejection, Sentence
from revkit.meaning import family
from revkit.model.dose import word_changes
from revkit.model.records import Expectation
from revkit.model.values import Json
from revkit.options import option, options_of
from revkit_robustrev.articles import repaired
from revkit_robustrev.changed_sentences import changed_sentences, unchanged_checks
from revkit_robustrev.claims import ParserUse, parser_problems, used_parser
from revkit_robustrev.guards import Side, side_after, side_before
from revkit_robustrev.prose import Prose
from revkit_robustrev.restructuring import Restructurer, Restructuring, apart
from revkit_robustrev.rule_shares import OPERATION, RuleEdit, dosed, limited, spaced, words_changed
from revkit_robustrev.substitutions import SubstitutionRule, plain_form, substitutions


@dataclass(frozen=True)
class Paraphrase(Perturbation):
    """Rewords a paper sentence by sentence without a model (ROBUST-REV, section 3, family 1).

    Two kinds of rules are applied where the words around a place leave no doubt about its reading.
    A hand-checked table of academic substitutions ("show"/"demonstrate", "in order to"/"to")
    changes words; inflection, capitals and "a"/"an" follow. Operations on the dependency parse
    restructure sentences: order of clauses, phrases and free enumerations, active and passive,
    impersonal and personal, nominal and verbal, relative clause, attribute and participle, split
    and join. Of two that exclude one another the larger is applied. They need the extra
    ``parser``: ``auto`` uses it where it is installed, ``required`` refuses to run without it,
    ``never`` uses the table alone. The check ``parser`` of each variant records which it was.

    Left alone are protected spans (numbers, citations, mathematics, links), quotations, names,
    emphasised words, headings and every block that is not prose; no rule adds or removes a
    negation, a comparison or a hedge. No rule makes more than ``rule-share`` of a paper's edits, so
    that the family does not measure the reaction to one word.

    In a reading of whole variants, half of them had an edit that looked spoilt, so the family
    declares that a fair score may get lower. Whether the meaning stayed is for constraints to
    judge: set ``same-claim`` and ``same-meaning`` with ``keep-if``. Sentences, places and
    alternatives are drawn from ``ctx.rng``.
    """

    name: ClassVar[str] = "paraphrase"
    version: ClassVar[str] = "8"
    expect: ClassVar[Expectation] = "may-lower"
    data: ClassVar[tuple[str, ...]] = ("substitutions.tsv",)

    share: float = option(
        1.0, help="Share of the sentences that can be reworded that are.", minimum=0, maximum=1
    )
    dose: float | None = option(
        None,
        help="The share of the paper's words to change, about: sentences are drawn until it is "
        "reached (null: as many as the rules allow).",
        minimum=0,
        maximum=1,
    )
    substitutions: int = option(
        6,
        help="The most substitutions in one sentence; more of them move its meaning further.",
        minimum=1,
    )
    restructurings: int = option(
        6, help="The most operations that restructure one sentence; 0: the table alone.", minimum=0
    )
    parser: ParserUse = option(
        "auto", help="Whether sentences are restructured on a parse (extra 'parser')."
    )
    rule_share: float = option(
        0.03,
        help="The most that one rule may make of a paper's edits; two edits a rule are always "
        "allowed.",
        minimum=0,
        maximum=1,
    )
    max_sentences: int | None = option(
        None, help="The most sentences to reword in one paper (null: no limit).", minimum=1
    )

    def identity(self) -> Json:
        """The options, and what decides the parses."""
        return {**options_of(self), "parser": used_parser(self._use)}

    def ready(self) -> list[str]:
        """The remedy where the parser is required and not installed."""
        return parser_problems(self.parser)

    def perturb(self, paper: Paper, ctx: Context) -> Sequence[Edit] | Rejection:
        """Return the edits of each sentence drawn, or why there are none."""
        prose = Prose(paper)
        operations = Restructurer(paper, prose) if used_parser(self._use) else None
        reworded = self._reworded(paper, prose, operations, ctx.rng)
        places = sorted({change.sentence for change in reworded})
        wanted = round(self.share * len(places))
        if self.max_sentences is not None:
            wanted = min(wanted, self.max_sentences)
        if wanted < len(places):
            drawn = set(ctx.rng.sample(places, wanted))
            reworded = [change for change in reworded if change.sentence in drawn]
        if not reworded:
            return Rejection("no sentence holds a form of the table in a context that allows it")
        kept = limited(spaced(reworded), self.rule_share, ctx.rng)
        if self.dose is not None:
            kept = dosed(paper, kept, self.dose, ctx.rng)
        return [edit for change in kept for edit in change.edits]

    def gates(self, paper: Paper, edits: Sequence[Edit], ctx: Context) -> Sequence[Check]:
        """Numbers and citations are as before; at least one sentence is reworded. Recorded are the
        share of words changed, of changed sentences that are restructured, and the parser."""
        changed, _ = changed_sentences(paper, edits)
        restructured = sum(any(e.kind == OPERATION for e in run.edits) for run in changed)
        words = sum(words_changed(run.old, run.new) for run in changed)
        parser = used_parser(self._use)
        detail = parser or "sentences are not restructured"
        return [
            *unchanged_checks(paper, edits),
            Check("words-changed", words / max(paper.words, 1), None, True, "share"),
            Check("restructured", restructured / max(len(changed), 1), None, True, "share"),
            Check("parser", float(parser is not None), None, True, "used", detail),
        ]

    @property
    def _use(self) -> ParserUse:
        return "never" if self.restructurings == 0 else self.parser

    def _reworded(
        self, paper: Paper, prose: Prose, operations: Restructurer | None, rng: Random
    ) -> list[RuleEdit]:
        """What can be changed: each change is the edits of one rule at one place, by sentence."""
        found: list[list[RuleEdit]] = []
        taken = 0  # the end of the last change: a join reaches into the next sentence
        for index, sentence in enumerate(paper.sentences):
            words = self._reword(prose, sentence, rng)
            changes = (
                []
                if operations is None
                else self._restructured(operations, index, sentence, words, rng)
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
                found.append(changes)
                taken = max(taken, *(change.end for change in changes))
        return [change for changes in found for change in sorted(changes)]

    def _restructured(
        self,
        operations: Restructurer,
        index: int,
        sentence: Sentence,
        words: Sequence[Edit],
        rng: Random,
    ) -> list[RuleEdit]:
        """The operations on one sentence. One that would keep ``words`` (substitutions) from
        changing more than it changes is left."""
        candidates = operations.of(index)
        rng.shuffle(candidates)
        text = operations.text(index)
        # of two that exclude one another, the larger
        candidates.sort(key=lambda each: _size(each, text), reverse=True)
        chosen: list[Restructuring] = []
        for candidate in candidates:
            if len(chosen) == self.restructurings:
                break
            made = RuleEdit.of(candidate, sentence.start, index)
            blocked = [w for w in words if any(not _distant(w, edit) for edit in made.edits)]
            lost = sum(
                words_changed(text[w.start - sentence.start : w.end - sentence.start], w.new)
                for w in blocked
            )
            if _impersonal(made.edits) and any(
                _IMPERSONAL.search(piece.new) for each in chosen for piece in each.pieces
            ):
                continue  # "it is often the case that it is important to"
            if apart(candidate, chosen) and lost <= _size(candidate, text):
                chosen.append(candidate)
        return [RuleEdit.of(each, sentence.start, index) for each in chosen]

    def _reword(self, prose: Prose, sentence: Sentence, rng: Random) -> list[Edit]:
        if not prose.editable(sentence):
            return []
        found = list(self._candidates(prose, sentence, rng))
        rng.shuffle(found)
        edits: list[Edit] = []
        for edit in found:
            if all(_apart(edit, other) and not _repeats(edit, other) for other in edits):
                edits.append(edit)
                if len(edits) == self.substitutions:
                    break
        return sorted(edits)

    def _candidates(self, prose: Prose, sentence: Sentence, rng: Random) -> Iterator[Edit]:
        """The edits of the forms of the table, from left to right. Where the longest form at a
        place allows no rule, shorter forms are tried, and forms that begin within it."""
        table, at = substitutions(), sentence.start
        while hit := table.pattern.search(prose.text, at, sentence.end):
            start, at = hit.start(), hit.start() + 1
            for form in table.shorter(plain_form(hit[0])):
                edit = self._replace(prose, sentence, start, form, rng)
                if edit is not None:
                    yield edit
                    at = start + len(form)
                    break

    def _replace(
        self, prose: Prose, sentence: Sentence, start: int, form: str, rng: Random
    ) -> Edit | None:
        """Return the edit of one form, by a rule drawn from those that apply; None without one."""
        text, end = prose.text, start + len(form)
        old = text[start:end]
        before = side_before(text, sentence.start, start)
        if old[0].isupper() and before.mark != "START":
            return None  # a name, or a word of a title
        if len(before.words) > 1 and before.words[-1] == before.words[-2]:
            return None  # a doubled word of the author: "it is is composed of"
        if prose.blocked(sentence, start, end):
            return None
        rules = substitutions().rules[form]
        after = side_after(text, end, sentence.end)
        fitting = [rule for rule in rules if rule.applies(before, after)]
        if not fitting:
            return None
        weights = [words_changed(old.lower(), rule.new) ** 3 for rule in fitting]
        rule = rng.choices(fitting, weights)[0] if any(weights) else rng.choice(fitting)
        return _edit(text, sentence, start, old, rule, before, after)


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
    r"[^,.;:]{2,80}?[ \n](?:is|are|was|were|has|have|can|does|do|will|gains?|achieves?|improves?"
    r"|outperforms?|performs?|reduces?|increases?|decreases?|converges?|yields?|obtains?)[ \n]"
)


def _clashes(before: Side, after: Side, new: str) -> bool:
    """Whether an edit doubles a word, or joins words that do not go together.

    That happens where the author's own words are wrong: "despite of", "is consists of".
    """
    words = new.lower().split()
    return _clash(before.word, words[0]) or _clash(words[-1], after.word)


def _repeats(edit: Edit, other: Edit) -> bool:
    """Whether two edits of one sentence bring the same word: "employ a tuple employing"."""
    one, two = edit.new.lower().split(), other.new.lower().split()
    return family(one[0]) == family(two[0])


def _impersonal(edits: Sequence[Edit]) -> bool:
    """Whether one of the edits writes a frame such as "it is"."""
    return any(_IMPERSONAL.search(edit.new) for edit in edits)


def _distant(edit: Edit, other: Edit) -> bool:
    """Whether a substitution is at least a character away from an operation's edit."""
    return edit.end + 1 < other.start or other.end + 1 < edit.start


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
    new = rule.new[0].upper() + rule.new[1:] if old[0].isupper() else rule.new
    if "the proposed" in rule.new and _PROPOSED.search(text, sentence.start, sentence.end):
        return None  # "we propose the proposed method"
    if rule.new.startswith("look") and _JUDGED.search(text, start, sentence.end):
        return None  # "we look at A to be more reliable"
    if "also" in new.split() and " also " in text[sentence.start : sentence.end]:
        return None
    place = repaired(text, sentence.start, start, old, new)
    if place is None or _clashes(before, after, new):
        return None
    if rule.new.startswith("present") and _CLAUSE.match(text, start + len(old), sentence.end):
        return None  # "Table 3 shows our model gains ...": a clause without "that"
    note = f"{rule.old} -> {rule.new}"
    replaced = tuple(family(word) for word in rule.old.split())
    return Edit(place[0], start + len(old), place[1], note, "substitution", replaced)
