"""The metric `calibration-attack`: what calibration maps do to scores of attacked papers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar

from revkit.contracts import Metric
from revkit.dataclass import dataclass
from revkit.figures import (
    AGENT,
    CONFIDENCE,
    NOTE,
    SHORT,
    UNIT,
    Figure,
    Resampled,
    Sums,
    join_notes,
    note_of,
    short_of,
    sums,
)
from revkit.model.consensus import consensus_of
from revkit.model.records import AgentRow, FittedMap, Pair, Records
from revkit.model.table import Cell, Column, Table
from revkit_asc.metrics.base import NO_CALIBRATION, SETTING
from revkit_asc.terms import CALIBRATION

if TYPE_CHECKING:
    from revkit.contracts import Curve
    from revkit.stats import Estimate

RAW = "raw"
POINTS = "points of 0-100"
_NO_ATTACK = "The experiment has no perturbation."
SHIFT = Figure(
    "shift",
    "Shift",
    POINTS,
    "Mean severity under the attack minus that without it; below 0: "
    "the attack makes the agent more lenient.",
)
BEFORE = Figure(
    "error", "MAE", POINTS, "Mean distance of the scores from the consensus, without the attack."
)
AFTER = Figure(
    "attacked", "MAE, attacked", POINTS, "Mean distance from the consensus of attacked papers."
)
FIGURES = (SHIFT, BEFORE, AFTER)
COLUMNS = (
    SETTING,
    AGENT,
    Column("family", "Attack", "", "The perturbation as the experiment names it."),
    Column("pairs", "Pairs", "count", "Pairs with a score on both sides."),
    Column("papers", "Papers", "count", "Papers with such a pair."),
    *(column for figure in FIGURES for column in figure.columns),
    Column(
        "outside", "Outside anchors", "share", "Attacked papers scored outside the anchors' range."
    ),
    Column(
        "outside_clean",
        "Outside anchors, unchanged",
        "share",
        "Papers without the attack scored outside that range.",
    ),
    CONFIDENCE,
    UNIT,
    SHORT,
    NOTE,
)


@dataclass(frozen=True)
class CalibrationAttack(Resampled, Metric):
    """Maps fitted on anchors without an attack, applied to the scores of attacked papers.

    One row for raw severities and one for each map, for each agent and perturbation. A map is a
    function of the score alone, so it moves with a score that an attack moves: `shift` is the mean
    change of the severity, `outside` the share of attacked papers whose score no anchor had, where
    the map continues as it states and its error is unknown. The errors are mean distances from the
    consensus, over papers that have one. All figures are over pairs with both scores; their
    intervals resample papers.
    """

    name: ClassVar[str] = "calibration-attack"
    version: ClassVar[str] = "4"
    table_columns: ClassVar[tuple[Column, ...]] = COLUMNS

    def measure(self, records: Records) -> Table:
        """Return the table; without maps or perturbations it is empty, with a note."""
        rows = list(self._rows(records))
        note = (
            f"Intervals are {100 * self.confidence:g} % intervals from {self.resamples:,} "
            f"resamples of papers (seed {records.seed})."
        )
        return Table.of(
            self.name,
            "Calibrated scores under attack",
            COLUMNS,
            rows,
            [note] if rows else [NO_CALIBRATION if records.anchors is None else _NO_ATTACK],
            warnings=self.imprecise(
                len(records.papers) if rows else 0,
                rows,
                lambda row: f"{row['agent']} under {row['family']}, {row['setting']}",
            ),
            method=[note] if rows else (),
            reading="A map was fitted without an attack, so it moves with a score that an attack "
            "moves. Compare MAE with and without the attack."
            if rows
            else "",
            terms=CALIBRATION,
        )

    def _rows(self, records: Records) -> Iterator[dict[str, Cell]]:
        if records.anchors is None:
            return
        for agent in records.agents:
            settings: list[FittedMap | None] = [None]
            settings += [
                each
                for each in records.anchors.maps
                if each.agent == agent.name and each.curve is not None
            ]
            for family in records.perturbations:
                pairs = [
                    pair
                    for pair in records.pairs(agent.name, family.name)
                    if pair.original.score is not None and pair.variant.score is not None
                ]
                for fitted in settings:
                    yield self._row(records, agent, family.name, pairs, fitted)

    def _row(
        self,
        records: Records,
        agent: AgentRow,
        family: str,
        pairs: Sequence[Pair],
        fitted: FittedMap | None,
    ) -> dict[str, Cell]:
        curve = None if fitted is None else fitted.curve
        severity = [agent.scale.to_severity(float(pair.original.score or 0)) for pair in pairs]
        attacked = [agent.scale.to_severity(float(pair.variant.score or 0)) for pair in pairs]
        before, after = _mapped(curve, severity), _mapped(curve, attacked)
        names = [pair.original.paper for pair in pairs]
        truth = {
            paper.id: found.severity
            for paper in records.papers
            if (found := consensus_of(paper.labels)) is not None
        }

        def over(value: Callable[[int], float | None]) -> Sums:
            values = [(name, value(index)) for index, name in enumerate(names)]
            return sums([paper.id for paper in records.papers], values)

        def error(values: Sequence[float]) -> Callable[[int], float | None]:
            return lambda i: abs(values[i] - truth[names[i]]) if names[i] in truth else None

        parts = [over(lambda i: after[i] - before[i]), over(error(before)), over(error(after))]
        estimates: list[Estimate] = self.means(records, parts)
        cells: dict[str, Cell] = {}
        for figure, estimate in zip(FIGURES, estimates, strict=True):
            cells |= figure.cells(estimate)
        return {
            "setting": RAW if fitted is None else fitted.name,
            "agent": agent.name,
            "family": family,
            "pairs": len(pairs),
            "papers": parts[0].papers,
            **cells,
            "outside": _outside(curve, attacked),
            "outside_clean": _outside(curve, severity),
            "confidence": self.confidence,
            "unit": "paper",
            "short": short_of(dict(zip((each.name for each in FIGURES), estimates, strict=True))),
            "note": join_notes(note_of(estimates[0])),
        }


def _mapped(curve: Curve | None, severity: Sequence[float]) -> list[float]:
    if curve is None or not severity:
        return list(severity)
    return [float(value) for value in curve(severity)]


def _outside(curve: Curve | None, severity: Sequence[float]) -> float | None:
    """Return the share of severities outside the range of the anchors; None for raw ones."""
    if curve is None or not severity:
        return None
    return sum(map(bool, curve.extrapolated(severity))) / len(severity)
