"""Condensing: the words that each paragraph is to lose, and the rounds in which it is asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from revkit.contracts import Context
from revkit.dataclass import dataclass
from revkit.model import Paper
from revkit_robustrev.length_compress import Aim
from revkit_robustrev.rewriting.asking import Asking, batches
from revkit_robustrev.rewriting.faults import Fault
from revkit_robustrev.rewriting.paragraph_faults import Condensed
from revkit_robustrev.rewriting.paragraphs import (
    Budget,
    CondensedPart,
    DraftChecker,
    ParagraphPart,
    Question,
    ask_paragraphs,
)

_SLACK = 0.05  # of the words of a paper: how far a variant may stay from the wanted length
_RANGE = (0.96, 1.03)  # of the wanted words
_SPARE = 0.03  # of the most words
_MARGIN = 0.008  # of the words of a paper: what the last reading may restore


@dataclass(frozen=True)
class CondensingLimits:
    """How much may go, as shares of words.

    ``cut`` is the most of a passage, ``within`` the most of its sentences that stay, ``in_all``
    the most of all passages, and ``left_out`` the most of a passage that whole sentences have
    that a model names. ``usual`` usually goes from sentences that stay. ``kept`` words of each
    passage count for nothing when the words that are to go are shared out, so that short
    paragraphs lose less. Budgets aim at ``beyond`` of the tolerance more than is needed, for what
    readings restore. With ``apart``, requests state the words of the sentences that stay.
    """

    cut: float
    within: float
    in_all: float
    left_out: float
    usual: float
    kept: int = 0
    beyond: float = 0.5
    apart: bool = False


STRONG = CondensingLimits(cut=0.6, within=1.0, in_all=0.5, left_out=0.35, usual=0.22)
GENTLE = CondensingLimits(
    cut=0.5, within=0.38, in_all=0.4, left_out=0.4, usual=0.15, kept=20, beyond=0.75, apart=True
)
# Reads the drafts of all passages together; returns what of each can be used.
Reader = Callable[
    [Sequence[tuple[ParagraphPart, CondensedPart]], int], Sequence[CondensedPart | None]
]


def condense(
    paper: Paper,
    rules: Condensed,
    passages: Sequence[ParagraphPart],
    aim: Aim,
    asking: Asking,
    ctx: Context,
    check: DraftChecker | None = None,
    limits: CondensingLimits = STRONG,
    read: Reader | None = None,
) -> list[Question]:
    """Ask for ``passages``, one after the other, until enough words are gone; where that is not
    enough, ask for those that became shorter and are still above their budget once more up to
    ``attempts``, those that are furthest above it first.

    Where there is a ``read``, it reads all drafts after the first round, and what it restores is
    made up for in the second.
    """
    # Within the tolerance, the variant that loses less, but half of the wanted words at least.
    slack = slack_of(paper, aim)
    enough = aim.words - slack
    budgets = _budgets(rules, passages, words_wanted(paper, aim, limits), limits)
    questions = [Question(*pair) for pair in zip(passages, budgets, strict=True)]
    ask_until = partial(_ask_until, paper, rules, ctx=ctx, check=check)
    margin = 0 if read is None else round(_MARGIN * paper.words)
    ask_until(questions, questions, enough + margin, asking, 0)
    if read is not None:
        _read_all(questions, read, asking.replicate + asking.attempts)
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


def words_wanted(paper: Paper, aim: Aim, limits: CondensingLimits) -> int:
    """The words that budgets share out: those that are needed, and a part of the tolerance."""
    slack = slack_of(paper, aim)
    return aim.words - slack + int(limits.beyond * slack + 0.5)


def most_words(
    rules: Condensed, passages: Sequence[ParagraphPart], limits: CondensingLimits
) -> int:
    """The words that can go at most from ``passages``: the sentences that are to be left out, and
    the part of the others that ``limits`` permit."""
    found = 0.0
    for passage in passages:
        gone = rules.words(passage.optional) if passage.chosen else 0
        found += min(gone + limits.within * (passage.words - gone), limits.cut * passage.words)
    return int(found)


def words_to_leave_out(
    passages: Sequence[ParagraphPart], wanted: int, limits: CondensingLimits = STRONG
) -> int:
    """The words of whole sentences that must be left out so that ``wanted`` words go while the
    others are condensed as usual; 0 if condensing is enough."""
    words = sum(passage.words for passage in passages)
    return max(0, round((wanted - limits.usual * words) / (1 - limits.usual)))


def offered(
    rules: Condensed,
    passages: Sequence[ParagraphPart],
    ranked: Sequence[int],
    needed: int,
    limits: CondensingLimits = STRONG,
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
        if taken.get(passage, 0) + size <= limits.left_out * passage.words:
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


def _read_all(questions: Sequence[Question], read: Reader, replicate: int) -> None:
    """Read all drafts in the order of the paper, and keep what can be used of each."""
    found = [(question, question.draft) for question in questions if question.draft is not None]
    found.sort(key=lambda pair: pair[0].passage.shown)
    drafts = read([(question.passage, draft) for question, draft in found], replicate)
    for (question, _), draft in zip(found, drafts, strict=True):
        question.draft = draft


def _budgets(
    rules: Condensed, passages: Sequence[ParagraphPart], wanted: int, limits: CondensingLimits
) -> list[Budget]:
    """The words that each passage is to have, so that ``wanted`` go in all."""
    weights = [max(rules.weight(passage) - limits.kept, 0) for passage in passages]
    gone = [rules.words(passage.optional) if passage.chosen else 0 for passage in passages]
    share = (wanted - sum(gone)) / (sum(weights) or 1)
    found = []
    for passage, weight, left_out in zip(passages, weights, gone, strict=True):
        within = min(share * weight, limits.within * (passage.words - left_out))
        cut = min(left_out + within, limits.cut * passage.words)
        least, most = (round(each * (passage.words - cut)) for each in _RANGE)
        spare = round(_SPARE * most) + 1 if passage.chosen else 0
        stay = passage.words - left_out if limits.apart else None
        found.append(Budget(least, most, spare, stay))
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
