"""`LlmLength`: the same paper at 70 % or at 130 % of its words, written by a language model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

from revkit.contracts import Context
from revkit.model import Check, Edit, Paper, Rejection
from revkit.model.records import Expectation
from revkit.model.words import count_words
from revkit.options import option
from revkit_robustrev.length import Length, Resizing
from revkit_robustrev.length_compress import Aim, removals
from revkit_robustrev.rewriting.asking import AT_ONCE, Answers, Asking, Judge, ask, passages
from revkit_robustrev.rewriting.faults import Sheet
from revkit_robustrev.rewriting.generator import Generator, edits_within, kept_checks
from revkit_robustrev.rewriting.length_faults import Allowed, Condensing, Elaborating

_CONDENSED = "condensed by a model"
_DROPPED = "dropped by a model"
_ADDED = "elaborated by a model"
_WHOLE = "sentence"  # the kind of an edit that removes or adds whole sentences
_SHORTEN = (
    "You condense sentences of scientific papers to about half of their words. Each sentence must "
    "still make its point. Keep every number, name, formula, citation mark, quotation and cross "
    "reference as it is written and in its order; keep every negation, comparison and hedge (may, "
    "likely, suggests) as the same word; keep one sentence one sentence. What can go are filler, "
    "repetition, asides and needless adjectives. Where a whole sentence only gives an example, "
    'background or what was said before, and carries no claim or result, give "" as its text: it '
    "is then left out."
)
_LENGTHEN = (
    "You lengthen scientific papers without adding to what they say. For each sentence asked for, "
    "write one or two more sentences, 20 to 45 words together, that follow it and walk once more "
    "through what it has just said, as by picturing it in its simplest setting. They bring no "
    "number, citation, formula, reference to a figure or table, name, result, claim, comparison "
    "(better, more, faster), negation (not, no, without) or hedge (may, likely), say nothing of "
    "what the authors did or found, and use words of the sentence that they follow."
)
_ELABORATE = (
    "You elaborate scientific papers from what they already say. For each sentence asked for, "
    "write one or two more sentences, 20 to 45 words together, that follow it and make it "
    "easier to understand: spell out what a term or an acronym in it stands for, what a step "
    "does and why it is there, how two of its parts relate, or what a number or a list near "
    "it says, with an example built from the passage itself. Use only what the passage "
    "states, and words of the sentence that you follow. Numbers, comparisons and negations of "
    "the passage can come again, as they are stated there; no other ones, and no new fact, "
    "result, claim, name, citation, formula, reference to a figure or table, or hedge (may, "
    "likely). Do not write of the authors (we, our), of the text or of reading it (picture, "
    "imagine, restate, the reader, this wording)."
)
_SHORTEN_REQUEST = "Condense the sentences with these numbers:"
_LENGTHEN_REQUEST = "Write what follows the sentences with these numbers:"


@dataclass(frozen=True)
class LlmLength(Resizing, Generator):
    """Condense or elaborate a paper with a language model, by words of prose (ROBUST-REV, 3).

    Below a ratio of 1 the model condenses sentence after sentence, and may leave out those that
    `length` could drop. Each condensed sentence passes the gates by itself: numbers, citations,
    formulas, negations, comparisons and hedges are the same and in their order, no name is new, and
    at least half of its content words are still there. Abstract and list items stay. Above 1 the
    model adds a sentence or two after sentences that `length` could elaborate; what it adds
    brings no number, citation, name, comparison, negation, hedge or claim, and keeps to the words
    of the paragraph.

    Paragraphs are asked for in random order and only until there are words enough; then answers are
    taken until the ratio is met within ``tolerance``. With ``prompt-version`` 2 an elaboration says
    again, in other words, what its paragraph holds: it can name numbers, comparisons and negations
    of the paragraph and no others. Version 1 asks for a walk once more through what was said, which
    brings none of these. What does not pass is asked for again with
    its fault, up to ``attempts``. The ``ratios`` are tried in a random order, as `length` does; a
    paper that meets none is rejected with the reason for each.
    """

    name: ClassVar[str] = "llm-length"
    version: ClassVar[str] = "2"
    expect: ClassVar[Expectation] = "may-lower"
    data: ClassVar[tuple[str, ...]] = (
        "revkit_robustrev:elaborations.tsv",
        "revkit.english:*.tsv",
        "revkit_robustrev:abbreviations.tsv",
        "revkit_robustrev:hedge-edits.tsv",
        "revkit_robustrev:substitutions.tsv",
        "revkit_robustrev:trims.tsv",
        "revkit_robustrev:pool.jsonl",
    )

    prompt_version: Literal[1, 2] = option(
        2,
        later=True,
        help="Which of the built-in instructions lengthen: 2 elaborates, 1 walks once more.",
    )

    def gates(self, paper: Paper, edits: Sequence[Edit], ctx: Context) -> Sequence[Check]:
        """What the offline family checks, and that blocks and marks of sentences that stay do."""
        structure = kept_checks(paper, _kept(edits), ctx, hedges=True)
        offline = Length(ratios=self.ratios, tolerance=self.tolerance)
        checks = offline.gates(paper, edits, ctx)
        if self.prompt_version == 2:  # numbers of the passage may come again
            checks = [check for check in checks if check.name != "results-changed"]
        return [*checks, *structure]

    def _shorten(self, paper: Paper, aim: Aim, ctx: Context) -> list[Edit] | Rejection:
        asking = self.asking(_SHORTEN, _SHORTEN_REQUEST, ctx.rng)
        rules = Condensing(paper, Sheet(paper.text, asking.instructions))
        order = _in_random_order(rules.sentences(), paper, ctx)
        gained: dict[int, int] = {}
        answers = Answers()
        for batch in _batches(order):
            new = _asked(paper, batch, asking, rules.judge, ctx)
            _add(answers, new)
            for index, text in new.accepted.items():
                gained[index] = rules.words(index) - count_words(text, 0, len(text))
            if sum(gained.values()) >= aim.most:
                break
        chosen = _chosen(gained, aim, rules.allowed_with(answers))
        if chosen is None:
            return _short_of(gained, aim, paper, answers)
        gone = sorted(index for index in chosen if not answers.accepted[index])
        edits = [replace(edit, kind=_WHOLE) for edit in removals(paper, gone, _DROPPED)]
        for index in sorted(chosen.difference(gone)):
            text, attempt = answers.accepted[index], answers.attempt[index]
            edits += edits_within(paper, index, text, attempt, _CONDENSED) or []
        return sorted(edits)

    def _lengthen(self, paper: Paper, aim: Aim, ctx: Context) -> list[Edit] | Rejection:
        instructions = _LENGTHEN if self.prompt_version == 1 else _ELABORATE
        asking = self.asking(instructions, _LENGTHEN_REQUEST, ctx.rng)
        sheet = Sheet(paper.text, asking.instructions)
        rules = Elaborating(paper, sheet, from_passage=self.prompt_version == 2)
        order = _in_random_order(rules.sentences(), paper, ctx)
        gained: dict[int, int] = {}
        answers = Answers()
        for batch in _batches(order):
            new = _asked(paper, batch, asking, rules.judge, ctx)
            _add(answers, new)
            for index, text in new.accepted.items():
                gained[index] = count_words(text, 0, len(text))
            if sum(gained.values()) >= aim.most:
                break
        chosen = _chosen(gained, aim, rules.allowed)
        if chosen is None:
            return _short_of(gained, aim, paper, answers)
        return [
            Edit(
                paper.sentences[index].end,
                paper.sentences[index].end,
                f" {answers.accepted[index]}",
                f"{_ADDED}, attempt {answers.attempt[index]}",
                _WHOLE,
            )
            for index in sorted(chosen)
        ]


def _kept(edits: Sequence[Edit]) -> list[Edit]:
    """The edits within sentences that stay; whole sentences that go or come are judged apart."""
    return [edit for edit in edits if edit.kind != _WHOLE]


def _in_random_order(found: Iterable[int], paper: Paper, ctx: Context) -> list[list[int]]:
    """Sentences by paragraph, the paragraphs shuffled."""
    groups: dict[int, list[int]] = {}
    for index in found:
        groups.setdefault(paper.sentences[index].block, []).append(index)
    order = list(groups.values())
    ctx.rng.shuffle(order)
    return order


def _batches(order: Sequence[list[int]]) -> Iterator[list[int]]:
    for start in range(0, len(order), AT_ONCE):
        yield [index for group in order[start : start + AT_ONCE] for index in group]


def _asked(
    paper: Paper, batch: Sequence[int], asking: Asking, judge: Judge, ctx: Context
) -> Answers:
    return ask(paper, passages(paper, batch), asking, judge, ctx)


def _add(answers: Answers, new: Answers) -> None:
    answers.accepted.update(new.accepted)
    answers.attempt.update(new.attempt)
    answers.faults.update(new.faults)


def _chosen(gained: Mapping[int, int], aim: Aim, allowed: Allowed) -> set[int] | None:
    """Answers whose words come to ``aim``, the first to come first; None where there are none."""
    chosen: set[int] = set()
    words = 0
    for index, gain in gained.items():
        if words + gain <= aim.words and allowed(index, chosen):
            chosen.add(index)
            words += gain
    if aim.least <= words:
        return chosen
    return _fitted(gained, aim, allowed)


def _fitted(gained: Mapping[int, int], aim: Aim, allowed: Allowed) -> set[int] | None:
    """The first choice found whose words come nearest to ``aim``; for short papers, where taking
    one answer after the other leaves a gap."""
    reached: dict[int, tuple[int, int]] = {0: (0, -1)}
    for index, gain in gained.items():
        for total in sorted(reached, reverse=True):
            if total + gain <= aim.most:
                reached.setdefault(total + gain, (total, index))
    total = min(reached, key=lambda words: (abs(words - aim.words), words))
    if not aim.least <= total <= aim.most:
        return None
    chosen: set[int] = set()
    while total:
        total, index = reached[total]
        if not allowed(index, chosen):
            return None
        chosen.add(index)
    return chosen


def _short_of(gained: Mapping[int, int], aim: Aim, paper: Paper, answers: Answers) -> Rejection:
    words = sum(gained.values())
    message = f"answers that passed come to {words / paper.words:.1%} of the words"
    if words >= aim.least:
        message += f", and no choice of them to between {aim.least} and {aim.most} words"
    return Rejection(f"{message} ({answers.reasons()})" if answers.faults else message)
