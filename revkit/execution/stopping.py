"""Early stopping: look at the flips so far, and decide whether the questions are settled.

The interval of each condition is a confidence sequence over papers (`revkit.stats.sequential_mean`)
and holds at all looks together, so a run may stop when it likes what it sees. Only papers up to the
look are used, in the order of the corpus; what threads had begun beyond it does not exist yet.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from revkit.execution.record import Recorder
from revkit.execution.warning import RunWarning
from revkit.model.values import Json
from revkit.spec import Experiment
from revkit.spec.assertions import Assertion
from revkit.spec.stopping import StopWhen, agents_and_family, read_condition

CONFIDENCE = 0.95
_TESTS: Mapping[str, Callable[[float, float], bool]] = {
    "<=": operator.le,
    "<": operator.lt,
    ">=": operator.ge,
    ">": operator.gt,
}


@dataclass(frozen=True)
class Looked:
    """One condition at one look: its papers with a valid pair, and the interval of its figure."""

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
    """The looks of one run. ``last`` holds the conditions at the last look."""

    def __init__(self, experiment: Experiment, stop: StopWhen) -> None:
        self.last: tuple[Looked, ...] = ()
        self.stopped = False
        self.papers = 0
        self._conditions = [read_condition(text) for text in stop.conditions]
        # As in the metric flip-rate: edits that a fair review does not react to.
        self._preserving = {
            name
            for name, step in experiment.perturbation_steps.items()
            if step.component.expect == "invariant"
        }

    def settle(self, recorder: Recorder) -> bool:
        """Look at all papers so far, and return whether every condition is settled."""
        self.papers = len(recorder.papers)
        self.last = tuple(self._look(each, recorder) for each in self._conditions)
        self.stopped = all(each.settled for each in self.last)
        return self.stopped

    def _look(self, condition: Assertion, recorder: Recorder) -> Looked:
        names, family = agents_and_family(condition)
        families = {family} if family else self._preserving
        shares = [_shares(recorder, name, families) for name in names]
        low = 0.0
        if len(shares) == 2:
            low = -1.0
            one, other = shares
            values = [one[paper] - other[paper] for paper in one if paper in other]
        else:
            values = list(shares[0].values())
        if not values:
            return Looked(condition.text, 0, None, None, None, settled=False)
        from revkit.stats import sequential_mean

        [found] = sequential_mean(values, low=low, high=1.0, confidence=CONFIDENCE)
        settled = is_settled(condition, found.low, found.high)
        return Looked(condition.text, len(values), found.value, found.low, found.high, settled)

    def to_json(self) -> dict[str, Json]:
        """Return what came of the looks, for ``result.json``."""
        return {
            "stopped": self.stopped,
            "papers": self.papers,
            "confidence": CONFIDENCE,
            "conditions": [each.to_json() for each in self.last],
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


def _shares(recorder: Recorder, agent: str, families: set[str]) -> dict[str, float]:
    """Return the share of valid pairs that flipped, of each paper that has one."""
    clean = {
        (row.paper, row.repeat): row.accept
        for row in recorder.verdicts
        if row.agent == agent and not row.perturbation and row.accept is not None
    }
    flips: dict[str, list[bool]] = {}
    for row in recorder.verdicts:
        if row.agent == agent and row.perturbation in families and row.accept is not None:
            before = clean.get((row.paper, row.repeat))
            if before is not None:
                flips.setdefault(row.paper, []).append(before != row.accept)
    return {
        row.id: sum(flips[row.id]) / len(flips[row.id])
        for row in recorder.papers
        if row.id in flips
    }
