"""The fitted maps as curves, and the mean consensus of items with similar calibrated scores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, ClassVar

from revkit.contracts import Metric
from revkit.dataclass import dataclass
from revkit.figures import AGENT, CONFIDENCE, NOTE, confidence_option
from revkit.model.records import FittedMap, Records
from revkit.model.table import Cell, Chart, Column, Table
from revkit.options import option
from revkit_asc.metrics.base import NO_CALIBRATION, SETTING

if TYPE_CHECKING:
    from revkit.stats.values import FloatArray

MAP, RELIABILITY = "map", "reliability"
ANCHORS, HELD_OUT = "anchors", "held-out"
_POINTS = "severity points"
COLUMNS = (
    Column(
        "what", "What", "", "map: calibrated at a raw score; reliability: consensus at a score."
    ),
    SETTING,
    AGENT,
    Column("sample", "Sample", "", "anchors (the map was fitted on them) or held-out."),
    Column("raw", "Raw", _POINTS, "Raw severity, on the agent's scale stretched to 0-100."),
    Column(
        "calibrated",
        "Score",
        _POINTS,
        "The map at this raw severity, or the mean score of the bin.",
    ),
    Column("n", "n", "count", "Anchors of the map, or items of the bin."),
    Column("consensus", "Consensus", _POINTS, "Mean consensus of the items of the bin."),
    Column(
        "consensus_low",
        "Consensus, low",
        _POINTS,
        "Lower bound of the mean consensus, Student's t.",
    ),
    Column(
        "consensus_high",
        "Consensus, high",
        _POINTS,
        "Upper bound of the mean consensus, Student's t.",
    ),
    CONFIDENCE,
    NOTE,
)


@dataclass(frozen=True)
class CalibrationCurve(Metric):
    """Each map on a grid over the raw range of its anchors, and the mean consensus by bins of the
    score.

    Reliability is the mean consensus of the items that got about the same score: on the diagonal a
    score means what it says. On the anchors it is in-sample; the held-out items are the test. Bins
    are of equal width on 0-100, and empty ones are left out.
    """

    name: ClassVar[str] = "calibration-curve"
    version: ClassVar[str] = "4"
    table_columns: ClassVar[tuple[Column, ...]] = COLUMNS

    without: tuple[str, ...] = option((), help="Agents to leave out, by name.")
    grid: int = option(41, help="Points of each curve.", minimum=2, maximum=1001)
    bins: int = option(10, help="Bins of the reliability.", minimum=2, maximum=100)
    confidence: float = confidence_option(formerly="level")

    def measure(self, records: Records) -> Table:
        from revkit_asc.metrics.heldout import agents_of
        from revkit_asc.metrics.settings import fitted_ways

        agents = agents_of(records, self.without, self.name)
        ways = fitted_ways(records)
        rows = [
            row
            for maps in ways.values()
            for agent in agents
            if (fitted := maps.get(agent.name)) is not None
            for row in self._curve(fitted)
        ]
        rows += self._reliabilities(records)
        notes = [
            "Reliability on anchors is in-sample. The items of a bin are taken as independent.",
            *(
                f"{fitted.name}: {fitted.agent} has no map ({fitted.refused})."
                for maps in ways.values()
                for fitted in maps.values()
                if fitted.curve is None and fitted.agent not in self.without
            ),
        ]
        if records.anchors is None:
            notes.insert(0, NO_CALIBRATION)
        return Table.of(
            self.name, "Calibration curves", COLUMNS, rows, notes, charts=_charts(list(ways))
        )

    def _curve(self, fitted: FittedMap) -> Iterator[dict[str, Cell]]:
        import numpy as np

        if fitted.curve is None:
            return
        spans, n = fitted.curve.diagnostics.get("range"), fitted.curve.diagnostics.get("n")
        low, high = 0.0, 100.0
        if isinstance(spans, Mapping):
            ends = [spans.get("low"), spans.get("high")]
            numbers = [float(end) for end in ends if isinstance(end, int | float)]
            low, high = numbers if len(numbers) == 2 else (low, high)
        raw = np.linspace(low, high, self.grid)
        for x, y in zip(raw.tolist(), np.asarray(fitted.curve(raw)).tolist(), strict=True):
            yield {
                "what": MAP,
                "setting": fitted.name,
                "agent": fitted.agent,
                "sample": ANCHORS,
                "raw": x,
                "calibrated": y,
                "n": n if isinstance(n, int) else None,
            }

    def _reliabilities(self, records: Records) -> Iterator[dict[str, Cell]]:
        import numpy as np

        from revkit_asc.metrics.anchors import anchor_table
        from revkit_asc.metrics.heldout import agents_of, held_out
        from revkit_asc.metrics.settings import (
            RAW,
            calls_of,
            curve_mapping,
            fitted_ways,
        )

        agents = agents_of(records, self.without, self.name)
        held, table = held_out(records, agents), anchor_table(records, agents)
        for agent in held.agents:
            samples = {HELD_OUT: (calls_of(held, agent, 1), held.consensus)}
            if agent in table.scores and len(table.papers):
                samples[ANCHORS] = (table.raw(agent), table.consensus)
            for sample, (every, consensus) in samples.items():
                usable = ~np.isnan(every)
                raw, target = every[usable], consensus[usable]
                yield from self._bins(RAW, agent, sample, raw, target)
                for way, maps in fitted_ways(records).items():
                    fitted = maps.get(agent)
                    if fitted is not None and fitted.curve is not None:
                        scores, _ = curve_mapping(fitted)(raw)
                        yield from self._bins(way, agent, sample, scores, target)

    def _bins(
        self, setting: str, agent: str, sample: str, scores: FloatArray, target: FloatArray
    ) -> Iterator[dict[str, Cell]]:
        import numpy as np

        from revkit import stats

        place = np.minimum((scores * self.bins / 100.0).astype(int), self.bins - 1)
        for number in range(self.bins):
            inside = place == number
            if not inside.any():
                continue
            mean = stats.mean_interval(target[inside], confidence=self.confidence, unit="item")
            yield {
                "what": RELIABILITY,
                "setting": setting,
                "agent": agent,
                "sample": sample,
                "calibrated": float(scores[inside].mean()),
                "n": int(inside.sum()),
                "consensus": mean.value,
                "consensus_low": mean.interval.low,
                "consensus_high": mean.interval.high,
                "confidence": self.confidence,
                "note": mean.interval.note or None,
            }


def _charts(ways: list[str]) -> list[Chart]:
    charts = [
        Chart(
            "lines",
            f"Maps: {way}",
            "raw",
            "calibrated",
            group="agent",
            where=(("what", MAP), ("setting", way)),
        )
        for way in ways
    ]
    return charts + [
        Chart(
            "lines",
            f"Consensus at a score, {sample} items: {setting}",
            "calibrated",
            "consensus",
            group="agent",
            where=(("what", RELIABILITY), ("setting", setting), ("sample", sample)),
            diagonal=True,
        )
        for setting in ("raw", *ways[-1:])
        for sample in ((HELD_OUT,) if setting == "raw" else (HELD_OUT, ANCHORS))
    ]
