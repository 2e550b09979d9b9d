"""Run: a finished run, as Python and the command line see it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from pathlib import Path
from typing import Any

from revkit.contracts import RunView
from revkit.dataclass import dataclass
from revkit.errors import RunError
from revkit.execution.charts import ChartFile, chart_of
from revkit.execution.fault import Fault
from revkit.execution.loop import Counts
from revkit.execution.provenance import package_versions
from revkit.execution.warning import RunWarning
from revkit.figures.numbers import count_of
from revkit.files.run_files import read_records
from revkit.model.figure_at_stop import FigureAtStop
from revkit.model.notebook import html_facts
from revkit.model.records import Judgement, Records, Verdict
from revkit.model.table import Table
from revkit.spec import Experiment


@dataclass(frozen=True)
class Run:
    """A finished run: its folder, its records, its tables by name, and its counts.

    ``summary`` is the text for a terminal. ``computed`` and ``stored`` count items (variants,
    reviews, judgements, scores of anchors) that were computed or cached; ``faults`` names
    maps, metrics and reports that crashed, ``changed_files`` the files that options name and that a
    reviewer changed while it worked: their content is not part of any key. ``warnings`` are what
    casts doubt on the reviews as a whole; they rest on the calls that were made now. ``at_stop``
    has the figures at the look at which the run stopped early; empty if it did not.
    """

    folder: Path
    experiment: Experiment
    records: Records
    tables: Mapping[str, Table]
    summary: str = ""
    counts: Counts = field(default_factory=Counts)
    faults: tuple[Fault, ...] = ()
    changed_files: tuple[str, ...] = ()
    warnings: tuple[RunWarning, ...] = ()
    at_stop: tuple[FigureAtStop, ...] = ()

    def table(self, name: str) -> Table:
        """Return the table of one metric. Raises `RunError`, which lists the existing tables."""
        if name not in self.tables:
            raise RunError(f"this run has no table {name!r}; it has {', '.join(self.tables)}")
        return self.tables[name]

    def figure(self, table: str, number: int = 1) -> ChartFile:
        """Return a chart of a table, which a notebook shows and which is saved as SVG or PDF.

        Raises `RunError` if the run has no such table, or the table no such chart.
        """
        return chart_of(self._view(), table, number)

    def _view(self) -> RunView:
        return RunView(
            self.experiment.name,
            self.experiment.deciding(),
            self.records,
            tuple(self.tables.values()),
            package_versions(),
            self.experiment.digest,
            lambda _: "",
            lambda *_: (),
        )

    def __repr__(self) -> str:
        return f"Run({self.experiment.name!r}, {str(self.folder)!r}, {self.records!r})"

    def _repr_html_(self) -> str:
        texts = [each.text for table in self.tables.values() for each in table.findings]
        facts = {
            "folder": self.folder,
            "papers": len(self.records.papers),
            "agents": ", ".join(row.name for row in self.records.agents),
            "tables": ", ".join(self.tables),
            "ended": self.closing,
        }
        return html_facts(f"Run {self.experiment.name}", facts, texts[:2])

    @cached_property
    def _failures(self) -> tuple[int, int]:
        """Return how many outcomes of all kinds failed, and how many there are."""
        records = self.records
        scores = records.anchors.verdicts if records.anchors else ()
        failed = _failed(records.verdicts) + _failed(records.judgements) + _failed(scores)
        return failed, len(records.verdicts) + len(records.judgements) + len(scores)

    @cached_property
    def exit_code(self) -> int:
        """The exit code: 0 success, 1 items failed or a map, metric or report crashed, 4 no valid
        outcome.
        """
        failed, outcomes = self._failures
        if failed == outcomes:
            return 4
        return 1 if failed or self._crashed or self.faults else 0

    @property
    def only_failed_items(self) -> bool:
        """Whether exit code 1 is due to failed reviews alone: nothing crashed."""
        return self.exit_code == 1 and not self._crashed and not self.faults

    @property
    def _crashed(self) -> bool:
        return self.records.variant_counts.crashed > 0

    @property
    def out_of_budget(self) -> bool:
        """Whether a review was not requested because the budget was spent."""
        return any(verdict.failure == "budget" for verdict in self.records.verdicts)

    @property
    def closing(self) -> str:
        """One line: the counts of papers, variants and reviews, the failures, how many items
        (edits, reviews, judgements, attacks, scores of anchors) were computed and cached, and the
        folder of the results.
        """
        records = self.records
        variants = records.variant_counts
        unread = sum(
            any(each.kind != "form" for each in row.labels.unmapped) for row in records.papers
        )
        parts = [
            _counted(len(records.papers), "paper", sum(records.skipped.values()), "skipped")
            + (f" ({unread:,} with labels that could not be read)" if unread else ""),
            _counted(variants.made, "variant", variants.rejected, "rejected", variants.crashed),
        ]
        if records.agents:
            parts.append(_outcomes(records.verdicts, "review"))
        if records.judges:
            parts.append(_outcomes(records.judgements, "judgement"))
        if records.attack is not None:
            parts.append(_counted(len(records.attack.rows), "attack", 0, ""))
        anchors = records.anchors
        if anchors is not None:
            lost = sum(anchors.skipped.values())
            parts.append(_counted(len(anchors.papers), "anchor", lost, "skipped"))
            parts.append(_outcomes(anchors.verdicts, "anchor score"))
        return f"{', '.join(parts)}: {self.counts.text}. Results: {self.folder}"

    def rows(self, name: str) -> Iterator[dict[str, Any]]:
        """Yield the rows of one kind of record ("papers", "variants", "edits", "checks",
        "outcomes", "screens", "skipped", "judgements", "attacks", "queries", "units", "transfers",
        "anchors", "scores", "maps"), read from the run folder one by one.
        """
        yield from read_records(self.folder, name)


def _failed(outcomes: Sequence[Verdict] | Sequence[Judgement]) -> int:
    return sum(bool(outcome.failure) for outcome in outcomes)


def _outcomes(outcomes: Sequence[Verdict] | Sequence[Judgement], what: str) -> str:
    return _counted(len(outcomes), what, _failed(outcomes), "failed")


def _counted(count: int, what: str, lost: int, how: str, crashed: int = 0) -> str:
    losses = [f"{number:,} {how}" for number, how in ((lost, how), (crashed, "crashed")) if number]
    return count_of(count, what) + (f" ({', '.join(losses)})" if losses else "")
