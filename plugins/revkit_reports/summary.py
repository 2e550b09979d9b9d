"""Facts of a run that all three reports state: measures side by side, counts, gates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property

from revkit.contracts import RunView
from revkit.dataclass import dataclass
from revkit.model.records import Records
from revkit.model.table import Cell, Column, Finding, Subject, Table
from revkit_reports.losses import GateLine, Loss, failures, gates, rejections
from revkit_reports.reviews import reason_of_failure
from revkit_reports.tables import TableMeasure, measures_by, of_aspect, ordered, side_by_side

TRIED = 50
SUBJECTS: tuple[Subject, ...] = ("agent", "family", "judge", "rubric")


@dataclass(frozen=True)
class Summary:
    """All that a report prints, read once from a run."""

    run: RunView
    gates: tuple[GateLine, ...]
    rejections: Mapping[str, Sequence[Loss]]
    failures: Sequence[tuple[str, str, int]]

    @property
    def records(self) -> Records:
        """The records of the run."""
        return self.run.records

    @cached_property
    def robustness(self) -> TableMeasure | None:
        """The measure of robustness by agent, if a metric has one."""
        return of_aspect(self.run.tables, "robustness")

    @cached_property
    def accuracy(self) -> TableMeasure | None:
        """The measure of accuracy by agent, if a metric has one."""
        return of_aspect(self.run.tables, "accuracy")

    @cached_property
    def reasons(self) -> Mapping[tuple[str, str], str]:
        """The most frequent reason of each agent and kind of failure, among the first `TRIED`."""
        found: dict[tuple[str, str], Counter[str]] = {}
        for each in self.records.verdicts:
            known = (
                found.setdefault((each.agent, each.failure), Counter()) if each.failure else None
            )
            if known is not None and known.total() < TRIED:
                known[reason_of_failure(self.run, each)] += 1
        return {place: reasons.most_common(1)[0][0] for place, reasons in found.items()}

    def failure_lines(self) -> list[tuple[str, str, str, int]]:
        """Return each agent and kind of failure with its reason ("" if not known) and count."""
        return [
            (who, kind, self.reasons.get((who, kind), ""), times)
            for who, kind, times in self.failures
        ]

    @property
    def about_flips(self) -> bool:
        """Return whether the experiment compares reviews of papers before and after a change, or
        asks how often reviews change.
        """
        records = self.records
        if records.perturbations and records.agents:
            return True
        if records.judges or records.anchors is not None:
            return False
        return bool(records.perturbations) or self.robustness is not None

    @property
    def kind(self) -> str:
        """The title of the report."""
        subjects = [
            subject
            for subject, there in (
                ("robustness", self.about_flips),
                ("judges", bool(self.records.judges)),
                ("calibration", self.records.anchors is not None),
            )
            if there
        ]
        if not subjects:
            return "Report on reviews"
        if len(subjects) == 1:
            return {"judges": "Report on judges"}.get(
                subjects[0], f"{subjects[0].capitalize()} report"
            )
        return f"Report on {', '.join(subjects[:-1])} and {subjects[-1]}"

    @property
    def counts_title(self) -> str:
        """The title of the section on counts; only perturbations have gates."""
        return "Gates and failures" if self.records.perturbations else "Counts and failures"

    def names(self, by: Subject) -> list[str]:
        """Return the agents, families, judges or rubrics of the run, in its order."""
        records = self.records
        rows = {
            "agent": records.agents,
            "family": records.perturbations,
            "judge": records.judges,
            "rubric": records.rubrics,
        }[by]
        return [row.name for row in rows]  # type: ignore[attr-defined]

    @cached_property
    def agents(self) -> list[str]:
        """Return the agents, best first by the first measure that has a better direction."""
        return ordered(self.names("agent"), self.measures("agent"))

    def measures(self, by: Subject) -> list[TableMeasure]:
        """Return the measures of one kind of rows."""
        return measures_by(self.run.tables, by)

    @cached_property
    def alone(self) -> Table | None:
        """Return the one table whose measures would fill the first table alone; its own section of
        the report then replaces the first table.
        """
        tables = {each.table.name: each.table for each in self.measures("agent")}
        found = list(tables.values())
        alone = len(found) == 1 and (found[0].section or found[0].headline)
        return found[0] if alone and not self.about_flips else None

    @cached_property
    def first_tables(self) -> list[Table]:
        """Return measures of all metrics side by side: one table for each kind of rows."""
        found = []
        for by in SUBJECTS:
            measures = self.measures(by)
            names = self.agents if by == "agent" else self.names(by)
            more = self._family_columns() if by == "family" and self.about_flips else []
            if names and (measures or more) and not (by == "agent" and self.alone):
                found.append(side_by_side(by, names, measures, more))
        return found

    def _family_columns(self) -> list[tuple[Column, Mapping[str, Cell]]]:
        """Return counts of the variants of each family, and its expected effect."""
        made, rejected, crashed = (dict.fromkeys(self.names("family"), 0) for _ in range(3))
        for variant in self.records.variants:
            made[variant.perturbation] += 1
            crashed[variant.perturbation] += variant.outcome == "crashed"
            rejected[variant.perturbation] += variant.outcome in ("declined", "gate")
        expected: dict[str, Cell] = {
            row.name: {"invariant": "none", "may-lower": "may lower"}.get(row.expect, row.expect)
            for row in self.records.perturbations
        }
        columns: list[tuple[Column, Mapping[str, Cell]]] = [
            (
                Column(
                    "variants.made",
                    "Variants attempted",
                    "count",
                    "Variants attempted.",
                    clear=True,
                ),
                made,
            ),
            (
                Column(
                    "variants.rejected",
                    "Variants rejected",
                    "count",
                    "Variants that could not be made or failed a gate (a check of the edit); no "
                    "agent read them.",
                ),
                rejected,
            ),
            (
                Column("variants.crashed", "Crashed", "count", "The perturbation raised an error."),
                crashed if self.crashed else {},
            ),
            (
                Column(
                    "variants.expected",
                    "Expected change of score",
                    "",
                    "What the family declares about the score of a careful reader: none (no "
                    "change), may lower (it may fall), decrease (it should fall).",
                ),
                expected,
            ),
        ]
        return columns

    def tables(self, *, short: bool = False) -> list[Table]:
        """Return the tables with their own section, in the order of the experiment; ``short`` for a
        report of one screen.
        """
        return [
            table
            for table in self.run.tables
            if table.headline or (table.section and (not short or table is self.alone))
        ]

    def findings(self, place: str) -> list[Finding]:
        """Return the findings that tables declare for one place of the report."""
        return [f for table in self.run.tables for f in table.findings if f.place == place]

    @cached_property
    def constant(self) -> dict[str, str]:
        """The agents that give one verdict to all unchanged papers, with that verdict."""
        found = {}
        for name in self.names("agent"):
            accepts = [v.accept for v in self.records.originals(name) if v.accept is not None]
            if len(accepts) > 1 and len(set(accepts)) == 1:
                found[name] = "accept" if accepts[0] else "reject"
        return found

    @property
    def labelled(self) -> int:
        """The number of papers with a decision."""
        return sum(paper.labels.accept is not None for paper in self.records.papers)

    @property
    def one_scale(self) -> bool:
        """Whether all agents score on the same scale."""
        return len({agent.scale for agent in self.records.agents}) <= 1

    @property
    def verdicts(self) -> int:
        """The number of reviews, failed ones included."""
        return len(self.records.verdicts)

    @property
    def failed(self) -> int:
        """The number of failed reviews."""
        return sum(bool(verdict.failure) for verdict in self.records.verdicts)

    @property
    def crashed(self) -> int:
        """The number of variants that are missing because a perturbation raised an error."""
        return self.records.variant_counts.crashed


def summary_of(run: RunView) -> Summary:
    """Return the summary of ``run``."""
    return Summary(
        run=run,
        gates=tuple(gates(run.records)),
        rejections=rejections(run.records),
        failures=failures(run.records),
    )


def measures_of(table: Table, summary: Summary) -> list[TableMeasure]:
    """Return the measures that ``table``, one of the first tables, shows."""
    by = next(column.role for column in table.columns)
    return summary.measures(by) if by in SUBJECTS else []
