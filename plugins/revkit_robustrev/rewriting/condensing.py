"""Condensing: the words that each paragraph is to lose, and the rounds in which it is asked."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from revkit.contracts import Context
from revkit.model import Paper
from revkit_robustrev.length_compress import Aim
from revkit_robustrev.rewriting.asking import Asking, batches
from revkit_robustrev.rewriting.faults import Fault
from revkit_robustrev.rewriting.paragraph_faults import Condensed
from revkit_robustrev.rewriting.paragraphs import (
    Budget,
    DraftChecker,
    ParagraphPart,
    Question,
    ask_paragraphs,
)

MOST_CUT = 0.6  # of the words of a passage
MOST_OF_ALL = 0.5  # of the words of all passages
_SLACK = 0.05  # of the words of a paper: how far a variant may stay from the wanted length
_CONDENSED = 0.22  # of the words of sentences that stay: what usually goes
_MOST_LEFT_OUT = 0.35  # of the words of a passage: whole sentences that a model names
_RANGE = (0.96, 1.03)  # of the wanted words
_SPARE = 0.03  # of the most words


def condense(
    paper: Paper,
    rules: Condensed,
    passages: Sequence[ParagraphPart],
    aim: Aim,
    asking: Asking,
    ctx: Context,
    check: DraftChecker | None = None,
) -> list[Question]:
    """Ask for ``passages``, one after the other, until enough words are gone; where that is not
    enough, ask for those that became shorter and are still above their budget once more up to
    ``attempts``, those that are furthest above it first."""
    # Within the tolerance, the variant that loses less, but half of the wanted words at least.
    slack = slack_of(paper, aim)
    enough = aim.words - slack
    budgets = _budgets(rules, passages, aim.words - slack // 2)
    questions = [Question(*pair) for pair in zip(passages, budgets, strict=True)]
    ask_until = partial(_ask_until, paper, rules, ctx=ctx, check=check)
    ask_until(questions, questions, enough, asking, 0)
    if _gained(questions) < enough:
        above = [q for q in questions if q.draft is not None and q.words > q.budget.most]
        above.sort(key=lambda q: q.budget.most - q.words)
        for question in above:
            question.resume()
        ask_until(above, questions, enough, asking, asking.attempts)
    return questions


def slack_of(paper: Paper, aim: Aim) -> int:
    """The words that may stay beyond those of ``aim``."""
    return min(aim.words - aim.least, int(_SLACK * paper.words), aim.words // 2)


def words_to_leave_out(passages: Sequence[ParagraphPart], wanted: int) -> int:
    """The words of whole sentences that must be left out so that ``wanted`` words go while the
    others are condensed as usual; 0 if condensing is enough."""
    words = sum(passage.words for passage in passages)
    return max(0, round((wanted - _CONDENSED * words) / (1 - _CONDENSED)))


def offered(
    rules: Condensed, passages: Sequence[ParagraphPart], ranked: Sequence[int], needed: int
) -> list[int]:
    """The first of the ``ranked`` sentences, as many as have ``needed`` words together, and no
    more than a part of any passage."""
    room = {index: passage for passage in passages for index in passage.optional}
    taken: dict[ParagraphPart, int] = {}
    found: list[int] = []
    for index in ranked:
        if rules.words(found) >= needed:
            break
        passage, size = room[index], rules.words([index])
        if taken.get(passage, 0) + size <= _MOST_LEFT_OUT * passage.words:
            taken[passage] = taken.get(passage, 0) + size
            found.append(index)
    return found


def open_faults(questions: Sequence[Question]) -> list[Fault]:
    """The last faults of the passages that did not become short enough."""
    return [
        finding.fault
        for question in questions
        if question.words > question.budget.most
        for finding in question.findings
    ]


def _budgets(rules: Condensed, passages: Sequence[ParagraphPart], wanted: int) -> list[Budget]:
    """The words that each passage is to have, so that ``wanted`` go in all."""
    weights = [rules.weight(passage) for passage in passages]
    gone = [rules.words(passage.optional) if passage.chosen else 0 for passage in passages]
    share = (wanted - sum(gone)) / (sum(weights) or 1)
    found = []
    for passage, weight, left_out in zip(passages, weights, gone, strict=True):
        cut = min(left_out + share * weight, MOST_CUT * passage.words)
        least, most = (round(each * (passage.words - cut)) for each in _RANGE)
        spare = round(_SPARE * most) + 1 if passage.chosen else 0
        found.append(Budget(least, most, spare))
    return found


def _ask_until(
    paper: Paper,
    rules: Condensed,
    asked: Sequence[Question],
    questions: Sequence[Question],
    enough: int,
    asking: Asking,
    before: int,
    ctx: Context,
    check: DraftChecker | None,
) -> None:
    for batch in batches(asked):
        if _gained(questions) >= enough:
            break
        ask_paragraphs(paper, batch, asking, rules, ctx, before=before, check=check)


def _gained(questions: Sequence[Question]) -> int:
    return sum(question.passage.words - question.words for question in questions)
