"""Each agent's map: diagnostics of its fit, and the errors of its scores on held-out items."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from revkit.contracts import Curve
from revkit.dataclass import dataclass
from revkit.figures import (
    AGENT,
    CONFIDENCE,
    NOTE,
    SHORT,
    UNIT,
    Figure,
    Resampling,
    bound_cells,
    join_notes,
    short_of,
    short_warnings,
    sums,
)
from revkit.model.card import CardLine
from revkit.model.records import FittedMap, Records
from revkit.model.table import Cell, Column, Table
from revkit.model.values import Json, is_number
from revkit.options import option
from revkit_asc.metrics.base import (
    ITEM,
    NO_CALIBRATION,
    OVER_ITEMS,
    SETTING,
    Calibrated,
    counted,
    interval_note,
)
from revkit_asc.terms import CALIBRATION

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from revkit import stats
    from revkit_asc.metrics.anchors import AnchorTable
    from revkit_asc.metrics.figures import Figures
    from revkit_asc.metrics.heldout import HeldOut
    from revkit_asc.metrics.settings import Setting

_POINTS = "severity points"
FEWEST_OF_A_THIRD = 20
FIGURES = {
    name: Figure(name, title, unit, help, OVER_ITEMS)
    for name, title, unit, help in (
        ("mae", "MAE", _POINTS, "Mean difference between a score and the consensus."),
        ("r", "r", "correlation", "Pearson's r with the consensus."),
        ("spread", "Spread", "ratio", "sd of scores over sd of consensus."),
        ("slope", "Slope", "ratio", "Slope of the consensus on the scores."),
    )
}
REMOVED = Figure(
    "removed",
    "Error removed",
    _POINTS,
    "MAE of the raw scores minus MAE of the mapped scores, on the same items; above 0: the map "
    "makes the scores more accurate.",
    OVER_ITEMS,
)
COVERAGE = Figure(
    "coverage",
    "Coverage",
    "share",
    "Held-out items whose consensus lies in it.",
    "Agresti and Coull.",
)
COLUMNS = (
    SETTING,
    AGENT,
    Column("calibrator", "Calibrator", "", "The component that fitted the map."),
    Column("anchors", "Anchors", "count", "Anchors that the map was fitted on."),
    Column("dropped", "Dropped", "count", "Anchors that the calibrator left out."),
    Column("failed", "Failed", "count", "Calls on anchors that gave no score."),
    Column("df", "df", "", "Effective degrees of freedom of the map."),
    Column("lambda", "lambda", "", "The weight of the curvature."),
    Column("domain", "Domain", "", "What the spline runs over."),
    Column("kkt", "KKT", "", "Residual of the optimality conditions."),
    Column("raw_low", "Raw, low", _POINTS, "Lowest raw severity of an anchor."),
    Column("raw_high", "Raw, high", _POINTS, "Highest raw severity of an anchor."),
    Column("map_low", "Map, low", _POINTS, "The map at the lowest raw severity."),
    Column("map_high", "Map, high", _POINTS, "The map at the highest raw severity."),
    Column("flags", "Flags", "", "What the fit warns of."),
    Column("items", "Items", "count", "Held-out items that the agent scored: the n."),
    Column("unscored", "Unscored", "count", "Held-out items that the agent did not score."),
    *FIGURES["mae"].columns,
    *REMOVED.columns,
    Column("rmse", "RMSE", _POINTS, "Root of the mean squared error."),
    *(column for name in ("r", "spread", "slope") for column in FIGURES[name].columns),
    Column(
        "extrapolated",
        "Scores outside the range of the anchors",
        "share",
        "Share of scores outside the anchors' raw range.",
    ),
    Column("nominal", "Nominal", "share", "The level of the map's own interval of an item."),
    Column(
        "on_anchors",
        "On anchors",
        "share",
        "Anchors within the map's own interval, each left out of its fit.",
    ),
    Column(
        "width", "Width", _POINTS, "Mean width of the map's own interval on the held-out items."
    ),
    *COVERAGE.columns,
    Column(
        "coverage_least",
        "Least coverage",
        "share",
        "The coverage of the third of the scale where it is smallest (20 items or more).",
    ),
    CONFIDENCE,
    UNIT,
    SHORT,
    NOTE,
)


@dataclass(frozen=True)
class CalibrationAgents(Calibrated):
    """One row for each agent, raw and with each calibrator, on the items that this agent scored.

    So ``items`` may differ from the table of the calibration, whose rows need the scores of all
    agents. The interval of a map is computed for items like its anchors:
    ``on_anchors`` is the share of anchors within it, each tested without itself, ``coverage`` that
    of the held-out items (Agresti and Coull's interval), which may have another mix of severities.
    """

    name: ClassVar[str] = "calibration-agents"
    version: ClassVar[str] = "8"
    table_columns: ClassVar[tuple[Column, ...]] = COLUMNS

    interval_confidence: float = option(
        0.9,
        help="The nominal level of the maps' own intervals.",
        minimum=0.5,
        maximum=0.999,
        formerly="interval-level",
    )

    def measure(self, records: Records) -> Table:
        from revkit_asc.metrics.anchors import anchor_table
        from revkit_asc.metrics.figures import figures_of
        from revkit_asc.metrics.heldout import agents_of, held_out
        from revkit_asc.metrics.settings import fitted_ways

        agents = agents_of(records, self.without, self.name)
        held, table = held_out(records, agents), anchor_table(records, agents)
        ways = fitted_ways(records)
        settings = list(_single(held, ways))
        figures = figures_of(
            settings,
            len(held.papers),
            Resampling(records.seed, self.resamples, self.confidence, "item"),
        )
        rows = [
            self._row(records, agent, found, fitted, table)
            for (agent, fitted), found in zip(_places(held, ways), figures, strict=True)
        ]
        notes = [interval_note(self, records)]
        if records.anchors is None:
            notes.insert(0, NO_CALIBRATION)
        short = short_warnings(self.name, rows, lambda row: f"{row['agent']}, {row['setting']}")
        title = "Calibration of each agent"
        return Table.of(
            self.name,
            title,
            COLUMNS,
            rows,
            notes,
            warnings=short,
            method=notes,
            reading="Each row is one agent, with its raw scores or with one map.",
            terms=CALIBRATION,
        )

    def _row(
        self,
        records: Records,
        agent: str,
        found: Figures,
        fitted: FittedMap | None,
        table: AnchorTable,
    ) -> dict[str, Cell]:
        setting = found.setting
        cells: dict[str, Cell] = {
            "setting": setting.name,
            "agent": agent,
            "items": len(setting.items),
            "unscored": setting.left_out,
            "rmse": found.of["rmse"].value,
            "confidence": self.confidence,
            "unit": ITEM,
        }
        refused = setting.refused.get(agent, "")
        figures: dict[str, stats.Estimate | None] = {}
        for name, estimate in (
            ("mae", found.of["mae"]),
            ("r", found.of["r_single"]),
            ("spread", found.of["spread"]),
            ("slope", found.of["slope"]),
        ):
            if not refused:
                cells |= FIGURES[name].cells(estimate)
                figures[FIGURES[name].title] = estimate
        if agent in table.scores:
            cells["failed"] = sum(table.scores[agent].unscored(table.calls).values())
        if fitted is not None:
            cells["calibrator"] = fitted.calibrator
        if fitted is not None and fitted.curve is not None:
            cells |= _fit_cells(fitted.curve)
            cells |= self._coverage(fitted.curve, setting)
            figures[REMOVED.title] = self._removed(records, setting)
            cells |= REMOVED.cells(figures[REMOVED.title])
            if setting.extrapolated is not None and setting.extrapolated.size:
                cells["extrapolated"] = float(setting.extrapolated.mean())
        cells["short"] = short_of(figures)
        cells["note"] = join_notes(
            f"refused: {refused}" if refused else "",
            counted(setting.unscored),
            "" if refused else found.of["r_single"].note,
        )
        return cells

    def _removed(self, records: Records, setting: Setting) -> stats.Estimate:
        """Return by how much the map lowers the error, item by item."""
        import numpy as np

        before = np.abs(setting.raw[:, 0] - setting.consensus)
        after = np.abs(setting.scores[:, 0] - setting.consensus)
        items = [str(item) for item in setting.items]
        (estimate,) = self.means(records, [sums(items, zip(items, before - after, strict=True))])
        return estimate

    def _coverage(self, curve: Curve, setting: Setting) -> dict[str, Cell]:
        import numpy as np

        from revkit import stats

        if not len(setting.items):
            return {"nominal": self.interval_confidence}
        low, high, known = curve.interval(setting.raw[:, 0], self.interval_confidence)
        cells: dict[str, Cell] = {
            "nominal": self.interval_confidence,
            "on_anchors": _number(known.get("held_out_anchors")),
        }
        if known.get("bounded"):
            inside = (np.asarray(low) <= setting.consensus) & (
                setting.consensus <= np.asarray(high)
            )
            count, n = int(inside.sum()), len(inside)
            bounds = stats.share_interval(count, n, self.confidence)
            cells |= {
                "coverage": count / n,
                **bound_cells("coverage", bounds),
                "width": float((np.asarray(high) - np.asarray(low)).mean()),
                "coverage_least": _least_coverage(setting, inside),
            }
        return cells

    def card_lines(self, table: Table) -> Sequence[CardLine]:
        """Return the error on the common scale, and how much of it the map removes: an agent whose
        scores need the map is not on the scale of people.
        """
        return (
            CardLine(
                "calibration",
                REMOVED.name,
                "Error that a map removes",
                each="setting",
                n="items",
                weak="above",
            ),
            CardLine(
                "calibration",
                "mae",
                "Mean error against the consensus",
                each="setting",
                n="items",
                beside=("extrapolated",),
            ),
        )


def _least_coverage(setting: Setting, inside: NDArray[np.bool_]) -> float | None:
    """Return the smallest share of items within their interval, over the thirds of the scale with
    20 items or more.
    """
    place = (setting.scores[:, 0] * 3.0 / 100.0).astype(int).clip(0, 2)
    shares = [
        float(inside[place == third].mean())
        for third in range(3)
        if int((place == third).sum()) >= FEWEST_OF_A_THIRD
    ]
    return min(shares, default=None)


def _places(
    held: HeldOut, ways: Mapping[str, Mapping[str, FittedMap]]
) -> Iterator[tuple[str, FittedMap | None]]:
    for agent in held.agents:
        yield agent, None
    for maps in ways.values():
        for agent in held.agents:
            yield agent, maps.get(agent)


def _single(held: HeldOut, ways: Mapping[str, Mapping[str, FittedMap]]) -> Iterator[Setting]:
    """Return settings with one agent each, in the order of `_places`."""
    from revkit_asc.metrics.settings import fitted_setting, raw_setting

    for agent in held.agents:
        yield raw_setting(held.only(agent))
    for name, maps in ways.items():
        for agent in held.agents:
            yield fitted_setting(held.only(agent), name, maps)


def _fit_cells(curve: Curve) -> dict[str, Cell]:
    """Return the cells with the diagnostics of a curve; a cell is None if the curve does not state
    the value.
    """
    known = curve.diagnostics
    spans = known.get("range")
    dropped = known.get("dropped")
    cells: dict[str, Cell] = {
        "anchors": _count(known.get("n")),
        "dropped": sum(_count(n) or 0 for n in dropped.values())
        if isinstance(dropped, Mapping)
        else _count(dropped),
        "df": _number(known.get("df")),
        "lambda": _number(known.get("lambda")),
        "kkt": _number(known.get("kkt")),
        "flags": ", ".join(curve.flags) or None,
    }
    domain = known.get("domain")
    cells["domain"] = domain if isinstance(domain, str) else None
    low = _number(spans.get("low")) if isinstance(spans, Mapping) else None
    high = _number(spans.get("high")) if isinstance(spans, Mapping) else None
    if low is not None and high is not None:
        ends = [float(value) for value in curve([low, high])]
        cells |= {"raw_low": low, "raw_high": high, "map_low": ends[0], "map_high": ends[1]}
    return cells


def _number(value: Json) -> float | None:
    return float(value) if is_number(value) else None


def _count(value: Json) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None
