"""Drift: how a calibration gets worse over months, and the cost of each recalibration policy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from revkit.dataclass import dataclass
from revkit.figures import (
    CONFIDENCE,
    NOTE,
    SHORT,
    UNIT,
    Figure,
    join_notes,
    short_of,
    short_warnings,
)
from revkit.figures.numbers import count_of, list_names, number_at, to_fixed, with_interval
from revkit.model.records import Records
from revkit.model.table import Cell, Chart, Column, Finding, Table
from revkit_asc.metrics.drift_run import Simulated
from revkit_asc.terms import CALIBRATION, DRIFT

if TYPE_CHECKING:
    from revkit.stats import Estimate
    from revkit.stats.values import FloatArray
    from revkit_asc.metrics.drift_simulation import Course

REPLICATION = "replication"
NEVER = "never"
FINGERPRINT = "new fingerprint"
_READING = (
    "Each row is one policy in the same simulation. A good policy has a low D soon after the "
    "change and a low cost. D can stay higher than before the change under every policy, since the "
    "changed agent may agree less with the others. new fingerprint sees declared changes only."
)
_POINTS = "severity points"
OVER_REPLICATIONS = "Student's t over replications."
POLICY = Column(
    "policy",
    "Policy",
    "",
    "When anchors are scored again and maps renewed. every: all anchors every so many days; "
    "rolling: so many of each agent a day in turn, with new maps every seventh day; new "
    "fingerprint: all, when an agent says that it changed; CUSUM: so many of each agent a day, and "
    "all on an alarm.",
)
REPLICATED = {
    name: Figure(name, title, unit, help, OVER_REPLICATIONS)
    for name, title, unit, help in (
        ("d_before", "D before", _POINTS, "D on the days before an agent changes."),
        ("d_week", "D, first week", _POINTS, "D on the first seven days from the change on."),
        (
            "d_until", "D, next weeks", _POINTS,
            "D from the eighth day after the change to the day `until` (60 unless set).",
        ),
        ("d_after", "D after", _POINTS, "D from then to the last day of the simulation."),
        (
            "delay", "Delay", "days",
            "Days from the change to the first map that was fitted on new scores only.",
        ),
        (
            "alarms", "Other alarms", "count",
            "Alarms of all agents in one simulation, besides the first one after a change.",
        ),
        ("cost", "Cost, %", "%", "Scores of anchors after day 0, in per cent of all reviews."),
    )
}  # fmt: skip
D_OF_DAY = Figure(
    "d", "D", _POINTS, "Mean difference between two agents on that day.", OVER_REPLICATIONS
)
DRIFT_COLUMNS = (
    POLICY,
    *(
        column
        for name in ("d_before", "d_week", "d_until", "d_after")
        for column in REPLICATED[name].columns
    ),
    Column("mae", "MAE", _POINTS, "Mean |score - consensus| from the change on."),
    Column(
        "r_mean", "r of mean", "correlation", "r of the mean of the agents, from the change on."
    ),
    Column("spread", "Spread", "ratio", "sd of scores over sd of consensus, from the change on."),
    Column("slope", "Slope", "ratio", "Slope of the consensus on the scores, from the change on."),
    *REPLICATED["delay"].columns,
    Column("found", "Found", "share", "Changes after which a map was fitted on new scores only."),
    *REPLICATED["alarms"].columns,
    Column("calls", "Calls", "count", "Anchors scored after day 0, by all agents, mean."),
    *REPLICATED["cost"].columns,
    Column("replications", "Replications", "count", "The n of the intervals."),
    CONFIDENCE,
    UNIT,
    SHORT,
    NOTE,
)
DRIFT_FINE = (
    *(f"{name}_{end}" for name in ("d_before", "d_week", "d_until", "d_after") for end in
      ("low", "high")),
    "delay_low", "delay_high", "alarms_low", "alarms_high", "calls", "cost_low", "cost_high",
    "mae", "r_mean", "spread", "slope", "found", "replications", "confidence", "unit", "short",
)  # fmt: skip
COURSE_COLUMNS = (
    POLICY,
    Column("day", "Day", "days", "The day of the simulation, from 1."),
    *D_OF_DAY.columns,
    Column("mae", "MAE", _POINTS, "Mean |score - consensus|."),
    Column("r_mean", "r of mean", "correlation", "Pearson's r of the mean of the agents."),
    Column("spread", "Spread", "ratio", "sd of scores over sd of consensus, mean over agents."),
    Column("slope", "Slope", "ratio", "Slope of the consensus on the scores, mean over agents."),
    SHORT,
)


@dataclass(frozen=True)
class Drift(Simulated):
    """Compares policies of recalibration over 90 days (ASC, section 5, "Drift analysis").

    Each day's scores are those of the run, moved by a slow random walk of each agent; from the day
    of the change on, a changed agent gives the scores of the one that replaces it. Maps are
    fitted by the experiment's own calibrator on the run's anchors. ``fingerprint`` sees declared
    changes only: a provider's silent one is seen by charts and full scorings alone. The seed paper
    gives 1.7 % both as the cost of daily (abstract) and of weekly scoring (section 5); only weekly
    fits its volume, which is the base of the cost here.
    """

    name: ClassVar[str] = "drift"
    version: ClassVar[str] = "7"
    table_columns: ClassVar[tuple[Column, ...]] = DRIFT_COLUMNS

    def measure(self, records: Records) -> Table:
        outcome = self.outcome(records)
        rows = [self._row(course) for course in outcome.courses]
        charts = [
            Chart("bars", "Cost, % of all reviews", "policy", "cost", low="cost_low",
                  high="cost_high"),
        ]  # fmt: skip
        return Table.of(
            self.name,
            f"Drift over {self.days} days",
            DRIFT_COLUMNS,
            rows,
            [*outcome.notes, *([outcome.why] if outcome.why else [])],
            method=outcome.notes,
            findings=self._findings(rows),
            reading=_READING if rows else "",
            terms=(*CALIBRATION, *DRIFT),
            headline=True,
            fine=DRIFT_FINE,
            charts=charts if rows else (),
            warnings=short_warnings(self.name, rows, lambda row: str(row["policy"])),
        )

    def _findings(self, rows: Sequence[Mapping[str, Cell]]) -> list[Finding]:
        """The question, what a change does to D without a policy, and each policy with its cost."""
        known = [row for row in rows if number_at(row, "d_week") is not None]
        if not known:
            return []
        who = list_names([*self.changed])
        verb = "changes" if len(self.changed) == 1 else "change"
        question = (
            f"If {who} {verb} on day {self.day}, how often must anchors be scored again to keep "
            "the scores of the agents comparable?"
        )
        found = [Finding(question, part="question")]
        never = next((row for row in known if row["policy"] == NEVER), None)
        if never is not None and number_at(never, "d_before") is not None:
            text = (
                "In a simulation without new maps, the scores of two agents differ by "
                f"{with_interval(never, 'd_before')} severity points (D) before the change of "
                f"{who} and by {with_interval(never, 'd_week')} in the first week after it"
                f" (lower is better; intervals over "
                f"{count_of(self.seeds, 'replication')})."
            )
            found.append(Finding(text))
        known.sort(key=lambda row: number_at(row, "d_week") or 0.0)
        shown = [
            f"{_named(row)}: {to_fixed(number_at(row, 'd_week'), 1)} at a cost of "
            f"{to_fixed(number_at(row, 'cost'), 2)}%"
            for row in known
        ]
        policies = "; ".join(shown)
        if len(shown) > 1:
            lowest = f"D is lowest in that week under {'; '.join(shown[:2])} of all reviews."
            found.append(Finding(lowest))
        text = (
            f"D in the first week after the change, a mean over "
            f"{count_of(self.seeds, 'replication')}, with the cost of each policy in per cent of "
            f"all reviews (lower is better): {policies}."
        )
        return [*found, Finding(text, place="section")]

    def _row(self, course: Course) -> dict[str, Cell]:
        from revkit_asc.metrics.drift_simulation import FIGURES

        cells: dict[str, Cell] = {
            "policy": course.policy.title,
            "calls": float(course.calls.mean()),
            "replications": self.seeds,
            "confidence": self.confidence,
            "unit": REPLICATION,
        }
        notes: list[str] = []
        shown: dict[str, Estimate | None] = {}
        d = course.figures[:, :, 0]
        for name, (first, last) in self._windows().items():
            if first <= last:
                shown[name] = self._mean(d[:, first - 1 : last].mean(axis=1))
        start = min(self.day, self.days) if self.changed else 1
        for j, name in enumerate(FIGURES[1:], start=1):
            cells[name] = _finite(float(course.figures[:, start - 1 :, j].mean()))
        found = [delay for delay in course.delays if delay is not None]
        if course.delays:
            cells["found"] = len(found) / len(course.delays)
            if found:
                shown["delay"] = self._mean(found)
            if 0 < len(found) < len(course.delays):
                notes.append(f"delay of the {len(found)} of {len(course.delays)} changes found")
        if course.alarms is not None:
            shown["alarms"] = self._mean(course.alarms.astype(float))
        share = 100.0 * course.calls / (self.per_day * self.days)
        shown["cost"] = self._mean(share)
        for name, estimate in shown.items():
            cells |= REPLICATED[name].cells(estimate)
        cells["short"] = short_of({REPLICATED[name].title: e for name, e in shown.items()})
        cells["note"] = join_notes(*notes)
        return cells

    def _windows(self) -> dict[str, tuple[int, int]]:
        """Return the first and last day of each window; a window is empty if its first day is after
        its last.
        """
        if not self.changed or self.day > self.days:
            return {"d_before": (1, self.days)}
        week = min(self.day + 6, self.days)
        until = min(max(self.until, week), self.days)
        return {
            "d_before": (1, self.day - 1),
            "d_week": (self.day, week),
            "d_until": (week + 1, until),
            "d_after": (until + 1, self.days),
        }

    def _mean(self, values: Sequence[float] | FloatArray) -> Estimate:
        """Return the mean over replications with Student's interval, without bounds if the
        replications are equal.
        """
        from revkit import stats

        return stats.mean_interval(values, confidence=self.confidence, unit=REPLICATION)


@dataclass(frozen=True)
class DriftCourse(Simulated):
    """D on each day of the drift simulation under each policy, and the figures that go with it."""

    name: ClassVar[str] = "drift-course"
    version: ClassVar[str] = "7"
    table_columns: ClassVar[tuple[Column, ...]] = COURSE_COLUMNS

    def measure(self, records: Records) -> Table:
        outcome = self.outcome(records)
        rows = [row for course in outcome.courses for row in self._rows(course)]
        who = ", ".join(self.changed)
        chart = Chart(
            "lines",
            "Disagreement by day, severity points",
            "day",
            "d",
            group="policy",
            mark=(float(self.day), f"{who} changes") if self.changed else None,
        )
        return Table.of(
            self.name,
            f"Disagreement over {self.days} days",
            COURSE_COLUMNS,
            rows,
            [*outcome.notes, *([outcome.why] if outcome.why else [])],
            charts=[chart] if rows else (),
            warnings=short_warnings(
                self.name, rows, lambda row: f"{row['policy']} on day {row['day']}"
            ),
        )

    def _rows(self, course: Course) -> Iterator[dict[str, Cell]]:
        from revkit import stats
        from revkit_asc.metrics.drift_simulation import FIGURES

        for place in range(self.days):
            figures = course.figures[:, place, :]
            d = stats.mean_interval(figures[:, 0], confidence=self.confidence, unit=REPLICATION)
            yield {
                "policy": course.policy.title,
                "day": place + 1,
                **D_OF_DAY.cells(d),
                "short": short_of({D_OF_DAY.title: d}),
                **{
                    name: _finite(float(figures[:, j].mean()))
                    for j, name in enumerate(FIGURES)
                    if j
                },
            }


def _named(row: Mapping[str, Cell]) -> str:
    """A policy, with the changes that it cannot see."""
    name = str(row["policy"])
    return f"{name} (declared changes only)" if name == FINGERPRINT else name


def _finite(value: float) -> float | None:
    return value if value - value == 0.0 else None
