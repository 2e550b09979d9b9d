"""Both reviews of a pair for the page, and the failed reviews."""

from __future__ import annotations

import json
from collections.abc import Sequence

from revkit.contracts import RunView
from revkit.dataclass import dataclass
from revkit.figures.numbers import to_fixed
from revkit.model.records import Pair, Verdict
from revkit.model.review import Failure, Outcome, Review
from revkit_reports.turns import in_turns
from revkit_reports.visible import one_line, visible

TEXT = 2_400
DETAILS = 800
REASON = 300


@dataclass(frozen=True)
class ReviewView:
    """One review as the page shows it. ``lines`` are those of its text, each with whether the
    other review of the pair has no equal line; ``facts`` are its scores and details.
    """

    lines: tuple[tuple[str, bool], ...]
    facts: tuple[str, ...]


@dataclass(frozen=True)
class BothReviews:
    """The review of the original paper, and that of the variant."""

    before: ReviewView
    after: ReviewView


@dataclass(frozen=True)
class FailedReview:
    """One failed review: who, of which text, the kind of the failure and its reason."""

    agent: str
    paper: str
    family: str
    repeat: int
    kind: str
    reason: str


@dataclass(frozen=True)
class FailureSelection:
    """The failed reviews that are shown, and how many there are."""

    shown: tuple[FailedReview, ...]
    total: int

    @property
    def left_out(self) -> int:
        """The number of failures that are not shown."""
        return self.total - len(self.shown)


def both_reviews(run: RunView, pair: Pair) -> BothReviews | None:
    """Return the two reviews of a pair, bounded; None if the run has no texts of them."""
    before, after = _outcome(run, pair.original), _outcome(run, pair.variant)
    if before is None or after is None:
        return None
    first, second = _lines(before), _lines(after)
    return BothReviews(
        ReviewView(_compared(first, second), _facts(before)),
        ReviewView(_compared(second, first), _facts(after)),
    )


def failed_reviews(run: RunView, limit: int) -> FailureSelection:
    """Return up to ``limit`` failed reviews, in turn from each agent and kind of failure."""
    cells: dict[tuple[str, str], list[Verdict]] = {}
    for verdict in run.records.verdicts:
        if verdict.failure:
            cells.setdefault((verdict.agent, verdict.failure), []).append(verdict)
    chosen = [each for each, _ in zip(in_turns(list(cells.values())), range(limit), strict=False)]
    total = sum(map(len, cells.values()))
    return FailureSelection(tuple(_failed(run, each) for each in chosen), total)


def reason_of_failure(run: RunView, verdict: Verdict) -> str:
    """Return why a review failed, in one line; "" if the records do not state it."""
    outcome = _outcome(run, verdict)
    return one_line(outcome.detail, REASON) if isinstance(outcome, Failure) else ""


def _failed(run: RunView, verdict: Verdict) -> FailedReview:
    family = verdict.perturbation or "unchanged paper"
    return FailedReview(
        one_line(verdict.agent, 80),
        one_line(run.title_of(verdict.paper), 120) or one_line(verdict.paper, 80),
        one_line(family, 80) + (f", variant {verdict.index + 1}" if verdict.index else ""),
        verdict.repeat + 1,
        one_line(verdict.failure, 40),
        reason_of_failure(run, verdict),
    )


def _outcome(run: RunView, verdict: Verdict) -> Outcome | None:
    found = run.outcomes_of(verdict.agent, verdict.paper, verdict.perturbation, verdict.index)
    return found[verdict.repeat] if verdict.repeat < len(found) else None


def _lines(outcome: Outcome) -> list[str]:
    text = outcome.raw if isinstance(outcome, Failure) else outcome.text
    return [line for line in visible(text, TEXT).split("\n") if line.strip()]


def _compared(own: Sequence[str], other: Sequence[str]) -> tuple[tuple[str, bool], ...]:
    known = {line.strip() for line in other}
    return tuple((line, line.strip() not in known) for line in own)


def _facts(outcome: Outcome) -> tuple[str, ...]:
    if isinstance(outcome, Failure):
        return (f"failed: {one_line(outcome.kind, 40)}: {one_line(outcome.detail, REASON)}",)
    facts = []
    if outcome.confidence is not None:
        facts.append(f"confidence {to_fixed(outcome.confidence, 2)}")
    facts += [
        f"{one_line(name, 40)} {to_fixed(score, 2)}" for name, score in outcome.aspects.items()
    ][:20]
    if not outcome.text and outcome.details:
        facts.append(one_line(_compact(outcome), DETAILS))
    facts += [f"warning: {one_line(text)}" for text in outcome.warnings[:5]]
    return tuple(facts)


def _compact(review: Review) -> str:
    return json.dumps(dict(review.details), ensure_ascii=False, sort_keys=True, default=str)
