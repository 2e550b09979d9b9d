"""Condensing: the words that each paragraph is to lose, and the rounds in which it is asked."""

from __future__ import annotations

from collections.abc import Sequence

from revkit.contracts import Context
from revkit.model import Paper
from revkit_robustrev.length_compress import Aim
from revkit_robustrev.rewriting.asking import Asking, batches
from revkit_robustrev.rewriting.faults import Fault
from revkit_robustrev.rewriting.paragraph_faults import Condensed
from revkit_robustrev.rewriting.paragraphs import Budget, ParagraphPart, Question, ask_paragraphs

MOST_CUT = 0.6  # of the words of a passage
MOST_OF_ALL = 0.5  # of the words of all passages
_SLACK = 0.05  # of the words of a paper: how far a variant may stay from the wanted length
_RANGE = (0.96, 1.03)  # of the wanted words


def condense(
    paper: Paper,
    rules: Condensed,
    passages: Sequence[ParagraphPart],
    aim: Aim,
    asking: Asking,
    ctx: Context,
) -> list[Question]:
    """Ask for ``passages``, one after the other, until enough words are gone; where that is not
    enough, ask for those that became shorter and are still above their budget once more up to
    ``attempts``, those that are furthest above it first."""
    # Within the tolerance, the variant that loses less, but half of the wanted words at least.
    slack = min(aim.words - aim.least, int(_SLACK * paper.words), aim.words // 2)
    enough = aim.words - slack
    budgets = _budgets(rules, passages, aim.words - slack // 2)
    questions = [Question(*pair) for pair in zip(passages, budgets, strict=True)]
    _ask_until(paper, rules, questions, questions, enough, asking, 0, ctx)
    if _gained(questions) < enough:
        above = [q for q in questions if q.draft is not None and q.words > q.budget.most]
        above.sort(key=lambda q: q.budget.most - q.words)
        for question in above:
            question.resume()
        _ask_until(paper, rules, above, questions, enough, asking, asking.attempts, ctx)
    return questions


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
    share = wanted / (sum(weights) or 1)
    found = []
    for passage, weight in zip(passages, weights, strict=True):
        cut = min(share * weight, MOST_CUT * passage.words)
        least, most = (round(each * (passage.words - cut)) for each in _RANGE)
        found.append(Budget(least, most))
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
) -> None:
    for batch in batches(asked):
        if _gained(questions) >= enough:
            break
        ask_paragraphs(paper, batch, asking, rules, ctx, before=before)


def _gained(questions: Sequence[Question]) -> int:
    return sum(question.passage.words - question.words for question in questions)
