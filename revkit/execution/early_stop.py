"""Early stopping: look at the flips so far, and decide whether the questions are settled.

The interval of each condition is a confidence sequence over papers (`revkit.stats.sequential_mean`)
and holds at all looks together, so a run may stop when it likes what it sees. Only papers up to the
look are used, in the order of the corpus; what threads had begun beyond it does not exist yet.

The figures are those of the tables: every pair counts once, however often it was reviewed, with the
flip that `revkit.model.repeats` computes, and every pair has the same weight.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from revkit.dataclass import dataclass
from revkit.execution.record import Recorder
from revkit.execution.warning import RunWarning
from revkit.figures import sums
from revkit.model.figure_at_stop import FigureAtStop
from revkit.model.records import Verdict, keeps_science
from revkit.model.repeats import accept_share, flip_between
from revkit.model.values import Json
from revkit.spec import Experiment
from revkit.spec.assertions import Assertion
from revkit.spec.stop_conditions import StopWhen, agents_and_family, read_condition

if TYPE_CHECKING:
    from revkit.stats.sequential import SequentialInterval

CONFIDENCE = 0.95
_TESTS: Mapping[str, Callable[[float, float], bool]] = {
    "<=": operator.le,
    "<": operator.lt,
    ">=": operator.ge,
    ">": operator.gt,
}


@dataclass(frozen=True)
class Look:
    """One condition at one look: its papers with a valid pair (of both agents, for a difference),
    and the interval of its figure, which holds at all looks together.
    """

    condition: str
    papers: int
    value: float | None
    low: float | None
    high: float | None
    settled: bool

    def to_json(self) -> Json:
        return {
            "condition": self.condition,
            "papers": self.papers,
            "value": self.value,
            "low": self.low,
            "high": self.high,
            "settled": self.settled,
        }


class Stopping:
    """The looks of one run. ``last`` holds the conditions at the last look, ``figures`` all figures
    at the look at which the run stops.
    """

    def __init__(self, experiment: Experiment, stop: StopWhen) -> None:
        self.last: tuple[Look, ...] = ()
        self.figures: tuple[FigureAtStop, ...] = ()
        self._agents = tuple(experiment.agents)
        self.stopped = False
        self.papers = 0
        self._conditions = [read_condition(text) for text in stop.conditions]
        steps = experiment.perturbation_steps
        self._variants = {name: step.variants for name, step in steps.items()}
        self._pooled = {
            name for name, step in steps.items() if keeps_science(step.component.expect)
        }

    def settle(self, recorder: Recorder) -> bool:
        """Look at all papers so far, and return whether every condition is settled."""
        self.papers = len(recorder.papers)
        self.last = tuple(self._look(each, recorder) for each in self._conditions)
        self.stopped = all(each.settled for each in self.last)
        self.figures = tuple(self._figures(recorder)) if self.stopped else ()
        return self.stopped

    def _look(self, condition: Assertion, recorder: Recorder) -> Look:
        names, family = agents_and_family(condition)
        interval = self._interval(condition.figure, names, family, recorder)
        if interval is None:
            return Look(condition.text, 0, None, None, None, settled=False)
        settled = is_settled(condition, interval.low, interval.high)
        return Look(
            condition.text,
            interval.looked,
            interval.value,
            interval.low,
            interval.high,
            settled,
        )

    def _figures(self, recorder: Recorder) -> Iterator[FigureAtStop]:
        """Yield all figures of all agents that have a value, whatever the conditions are about."""
        for agent in self._agents:
            wanted = [("flip_rate", family) for family in ("", *self._variants)]
            for figure, family in (*wanted, ("accuracy", "")):
                found = self._interval(figure, [agent], family, recorder)
                if found is not None:
                    yield FigureAtStop(
                        figure, agent, family, found.looked, found.value, found.low, found.high
                    )

    def _interval(
        self, figure: str, names: Sequence[str], family: str, recorder: Recorder
    ) -> SequentialInterval | None:
        """Return the interval of a figure over the papers so far; None without a value."""
        from revkit.stats import sequential_mean

        if figure == "accuracy":
            right = _right(recorder, names[0])
            return sequential_mean(right, confidence=CONFIDENCE)[0] if right else None
        families = {family} if family else self._pooled
        flips, *others = (_flips(recorder.verdicts, name, families) for name in names)
        for other in others:
            flips = {pair: flips[pair] - other[pair] for pair in flips if pair in other}
        papers = [row.id for row in recorder.papers]
        found = sums(papers, ((pair[0], value) for pair, value in flips.items()))
        counted = [(t, n) for t, n in zip(found.totals, found.counts, strict=True) if n]
        if not counted:
            return None
        most = sum(self._variants[name] for name in families)
        return sequential_mean(
            [total / n for total, n in counted],
            low=-1.0 if others else 0.0,
            high=1.0,
            confidence=CONFIDENCE,
            weights=[n / most for _, n in counted],
        )[0]

    def to_json(self) -> dict[str, Json]:
        """Return what came of the looks, for ``result.json``."""
        return {
            "stopped": self.stopped,
            "papers": self.papers,
            "confidence": CONFIDENCE,
            "conditions": [each.to_json() for each in self.last],
            "figures": [each.to_json() for each in self.figures] if self.stopped else [],
        }

    def warnings(self) -> Sequence[RunWarning]:
        """Return the warning of a run that stopped: other intervals assume a fixed number."""
        if not self.stopped:
            return ()
        seen = "; ".join(
            f"{each.condition} with {each.value:.3f} [{each.low:.3f}, {each.high:.3f}]"
            for each in self.last
        )
        detail = (
            f"the run stopped after {self.papers:,} papers, because its conditions were settled: "
            f"{seen}. These intervals hold at all looks together; those of the tables assume that "
            "the number of papers was fixed before the run"
        )
        return (RunWarning("stopped-early", "stop-when", detail),)


def is_settled(condition: Assertion, low: float, high: float) -> bool:
    """Whether an interval settles a condition: a part of it compares as stated, or the whole
    interval is on one side of the number.
    """
    number = condition.number
    if condition.part:
        parts = {"low": low, "high": high, "width": high - low}
        return _TESTS[condition.comparison](parts[condition.part], number)
    return high < number or low > number


def _right(recorder: Recorder, agent: str) -> list[float]:
    """Return the share of the verdicts of ``agent`` that equal the decision, for each unchanged
    paper that has both, in the order of the corpus.
    """
    reviews: dict[str, list[Verdict]] = {}
    for row in recorder.verdicts:
        if row.agent == agent and not row.perturbation:
            reviews.setdefault(row.paper, []).append(row)
    found = []
    for paper in recorder.papers:
        share = accept_share(reviews.get(paper.id, ()))
        if share is not None and paper.labels.accept is not None:
            found.append(share if paper.labels.accept else 1 - share)
    return found


def _flips(
    verdicts: Sequence[Verdict], agent: str, families: Collection[str]
) -> dict[tuple[str, str, int], float]:
    """Return the flip of each pair of ``agent`` that has one, by paper, family and number of the
    variant.
    """
    sides: dict[tuple[str, str, int], list[Verdict]] = {}
    for row in verdicts:
        if row.agent == agent and (not row.perturbation or row.perturbation in families):
            sides.setdefault((row.paper, row.perturbation, row.index), []).append(row)
    accepted = {text: accept_share(rows) for text, rows in sides.items()}
    found = {
        text: flip_between(accepted.get((text[0], "", 0)), share)
        for text, share in accepted.items()
        if text[1]
    }
    return {pair: flip for pair, flip in found.items() if flip is not None}
