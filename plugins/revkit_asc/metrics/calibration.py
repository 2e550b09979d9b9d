"""The main table of a calibration: disagreement and error of agents before and after it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, Literal

from revkit.dataclass import dataclass
from revkit.figures import Resampling, bound_cells, join_notes, short_of, short_warnings
from revkit.figures.numbers import (
    MOST_LISTED,
    between,
    count_of,
    list_names,
    number_at,
    stated_p,
    to_fixed,
    with_interval,
)
from revkit.model.records import AgentRow, FittedMap, Records
from revkit.model.table import Cell, Chart, Column, Finding, Table
from revkit.options import option
from revkit_asc.metrics.base import (
    ITEM,
    NO_CALIBRATION,
    Calibrated,
    counted,
    interval_note,
)
from revkit_asc.metrics.calibration_columns import BEST, COLUMNS, CONTRASTS, FIGURES, FINE
from revkit_asc.metrics.calibration_notes import (
    AVERAGING,
    FLAT_MEANS,
    FLOOR_NOTE,
    LIMIT,
    READING,
    counts,
    expected,
    identities,
)
from revkit_asc.metrics.doubtful_maps import Doubt, doubt_warnings, doubts_of
from revkit_asc.terms import CALIBRATION

if TYPE_CHECKING:
    from revkit.stats import Estimate
    from revkit_asc.metrics.figures import Figures
    from revkit_asc.metrics.heldout import HeldOut
    from revkit_asc.metrics.settings import Setting
    from revkit_asc.metrics.totals import Refits

EACH = "each agent"
_SMALL = 0.5
QUESTION = (
    "How far are the scores of different agents from each other and from the consensus of people, "
    "without and with a calibration map?"
)
CHARTS = tuple(
    Chart(
        "bars",
        title,
        "setting",
        name,
        low=f"{name}_low",
        high=f"{name}_high",
        where=(("scores", EACH),),
    )
    for name, title in (
        ("d", "Disagreement between agents, severity points"),
        ("mae", "Mean absolute error against the consensus, severity points"),
    )
)


@dataclass(frozen=True)
class Calibration(Calibrated):
    """Disagreement and error of agents: raw, with each calibrator, and at the floor (ASC, sections
    4 and 5).

    A row counts the items that all of its agents scored. Agents whose map was refused are named in
    the row, which is then about the others; the reduction is always against the raw scores of the
    same agents and items. Three more kinds of rows are opt-in: maps fitted to the severity mix
    of the stream, maps with an offset for each topic, and scores made of the whole panel.

    Intervals cover the choice of items and of anchors: the maps are fitted again ``refits`` times
    on reweighted anchors. Bounds with the maps as fitted are beside those of D and MAE. Each way
    of fitting is compared with the one that ``map`` names, item by item and refit by refit.
    """

    name: ClassVar[str] = "calibration"
    version: ClassVar[str] = "9"
    table_columns: ClassVar[tuple[Column, ...]] = COLUMNS

    map: str = option(
        "",
        help="The way of fitting that the opt-in rows build on, and with which the others are "
        "compared; empty: the last one.",
    )
    refits: int = option(
        50,
        help="How often the maps are fitted again on reweighted anchors, for intervals that cover "
        "the choice of anchors; below 10: not at all.",
        minimum=0,
        maximum=10_000,
    )
    prior: Literal["anchors", "stream"] = option(
        "anchors",
        help="stream: a row with anchors reweighted to the severity mix of the held-out items.",
    )
    topics: bool = option(False, help="A row with an offset for each topic of the anchors.")
    panel: bool = option(False, help="Rows with scores made of all agents of an item.")

    def measure(self, records: Records) -> Table:
        from revkit_asc.metrics.figures import figures_of
        from revkit_asc.metrics.heldout import agents_of, held_out
        from revkit_asc.metrics.settings import fitted_ways

        agents = agents_of(records, self.without, self.name)
        held = held_out(records, agents)
        reasons: dict[str, str] = {}
        settings = list(self._settings(records, agents, held, reasons))
        figures = figures_of(
            settings,
            len(held.papers),
            Resampling(records.seed, self.resamples, self.confidence, "item"),
        )
        refitted = self._refit(records, agents, settings)
        doubts = doubts_of(settings, fitted_ways(records))
        rows = [
            self._row(found, reasons.get(found.setting.name, ""), refitted) for found in figures
        ]
        self._compare(rows, settings, refitted, records)
        method = [
            FLOOR_NOTE,
            interval_note(self, records, refits=self.refits),
            *counts(records, held, self.without),
            *identities(figures),
        ]
        return Table.of(
            self.name,
            "Calibration of the agents",
            COLUMNS,
            rows,
            [*self._notes(records, settings), *method],
            headline=True,
            fine=FINE,
            charts=CHARTS,
            method=method,
            reading=READING,
            terms=CALIBRATION,
            findings=[
                *_findings(rows, fitted_ways(records), doubts),
                *_changes(rows, self.confidence),
            ],
            warnings=[
                *doubt_warnings(doubts),
                *short_warnings(self.name, rows, lambda row: str(row["setting"])),
            ],
        )

    def _notes(
        self,
        records: Records,
        settings: Sequence[Setting],
    ) -> Iterator[str]:
        from revkit_asc.metrics.settings import refusals

        if records.anchors is None:
            yield NO_CALIBRATION
        yield AVERAGING
        yield from refusals(settings)
        if records.repeats > 1:
            yield (
                f"Rows without a word on calls use the first of the {records.repeats} calls on an "
                "item; all rows use the maps of the experiment, however many calls an item gets."
            )

    def _settings(
        self,
        records: Records,
        agents: Sequence[AgentRow],
        held: HeldOut,
        reasons: dict[str, str],
    ) -> Iterator[Setting]:
        from dataclasses import replace

        from revkit_asc.metrics.panel import mean_of
        from revkit_asc.metrics.settings import (
            fitted_setting,
            fitted_ways,
            oracle_setting,
            raw_setting,
        )

        ways = fitted_ways(records)
        raw = raw_setting(held)
        yield raw
        if raw.agents:
            yield mean_of(raw)
        for name, maps in ways.items():
            yield fitted_setting(held, name, maps)
        yield from self._opt_in(records, agents, held, ways, reasons)
        yield oracle_setting(held)
        if records.repeats > 1:
            several = [raw_setting(held, records.repeats)]
            several += [fitted_setting(held, n, m, records.repeats) for n, m in ways.items()]
            for setting in (*several, oracle_setting(held, records.repeats)):
                yield replace(setting, name=f"{setting.name}, mean of {records.repeats} calls")

    def _opt_in(
        self,
        records: Records,
        agents: Sequence[AgentRow],
        held: HeldOut,
        ways: Mapping[str, Mapping[str, FittedMap]],
        reasons: dict[str, str],
    ) -> Iterator[Setting]:
        from revkit_asc.metrics.choice import chosen_way
        from revkit_asc.metrics.panel import half_shrunk, mean_of, stacked
        from revkit_asc.metrics.refits import prior_setting, topic_setting
        from revkit_asc.metrics.settings import fitted_setting

        if not (self.panel or self.topics or self.prior == "stream") or not ways:
            return
        way = chosen_way(ways, self.map, self.name)
        if self.prior == "stream":
            setting, text = prior_setting(held, records, agents, way, ways[way])
            reasons[setting.name] = text
            yield setting
        if self.topics:
            setting, text = topic_setting(held, records, agents, way, ways[way])
            reasons[setting.name] = text
            yield setting
        if self.panel:
            base = fitted_setting(held, way, ways[way])
            if base.agents:
                yield mean_of(base)
                yield half_shrunk(base)
                setting, text = stacked(base, records, agents, ways[way])
                reasons[setting.name] = text
                yield setting

    def _refit(
        self, records: Records, agents: Sequence[AgentRow], settings: Sequence[Setting]
    ) -> dict[str, Refits]:
        """Return the figures of refitted maps, by setting: those of the calibrators, and the two
        of the panel that are made of their scores alone.
        """
        from revkit_asc.metrics.choice import chosen_way
        from revkit_asc.metrics.panel import half_shrunk, mean_of
        from revkit_asc.metrics.settings import fitted_ways
        from revkit_asc.metrics.totals import refit

        one_call = {s.name: s for s in settings if s.kind == "fitted" and s.calls == 1}
        ways = fitted_ways(records)
        derived = {}
        if self.panel and ways:
            base = chosen_way(ways, self.map, self.name)
            if base in one_call and one_call[base].agents:
                derived = {
                    make(one_call[base]).name: (base, make) for make in (mean_of, half_shrunk)
                }
        return refit(one_call, records, agents, ways, self.refits, derived)

    def _compare(
        self,
        rows: Sequence[dict[str, Cell]],
        settings: Sequence[Setting],
        refitted: Mapping[str, Refits],
        records: Records,
    ) -> None:
        """Fill the cells that compare each calibrator with the chosen one."""
        from revkit import stats
        from revkit_asc.metrics.choice import chosen_way
        from revkit_asc.metrics.settings import fitted_ways
        from revkit_asc.metrics.totals import contrast

        ways = fitted_ways(records)
        if len(ways) < 2:
            return
        base = chosen_way(ways, self.map, self.name)
        of_way = {s.name: s for s in settings if s.kind == "fitted" and s.calls == 1}
        places = {name: i for i, s in enumerate(settings) for name in of_way if s is of_way[name]}
        for figure in ("d", "mae"):
            found = {
                name: change
                for name in ways
                if name != base
                and (change := contrast(
                    (of_way[base], refitted[base]),
                    (of_way[name], refitted[name]), figure, self.confidence,
                )) is not None
            }  # fmt: skip
            adjusted = stats.holm([change.p for change in found.values()])
            for (name, change), p in zip(found.items(), adjusted, strict=True):
                prefix = CONTRASTS[figure].name
                rows[places[name]].update(
                    {
                        "against": base,
                        prefix: change.value,
                        f"{prefix}_low": change.low,
                        f"{prefix}_high": change.high,
                        f"{figure}_p": p,
                    }
                )

    def _row(self, found: Figures, reason: str, refitted: Mapping[str, Refits]) -> dict[str, Cell]:
        setting = found.setting
        refits = refitted.get(setting.name) if setting.kind in ("fitted", "derived") else None
        as_fitted = setting.kind == "derived" and bool(setting.calibrator) and refits is None
        conditional = refits is not None and not len(refits.figures)
        single = found.single[found.best] if found.best is not None else None
        cells: dict[str, Cell] = {
            "setting": setting.name,
            "calibrator": setting.calibrator or None,
            "scores": "one score" if setting.members else EACH,
            "calls": setting.calls,
            "agents": setting.members or len(setting.agents),
            "refused": len(setting.refused),
            "items": len(setting.items),
            "left_out": setting.left_out,
            "unscored": sum(setting.unscored.values()),
            "d_sd": found.sd_over_pairs,
            "pairs": found.pairs,
            "rmse": found.of["rmse"].value,
            "r_single": found.of["r_single"].value,
            "mae_mean": found.of["mae_mean"].value,
            "d_expected": expected(found),
            "confidence": self.confidence,
            "unit": ITEM,
        }
        shown: dict[str, Estimate | None] = {}
        for name, figure in FIGURES.items():
            if name != "reduction" or setting.kind != "raw":
                shown[figure.title] = _total(found, name, refits)
                cells |= figure.cells(shown[figure.title])
        for name in ("d", "mae"):
            cells |= bound_cells(f"{name}_items", found.of[name].interval)
        cells["refits"] = None if refits is None else len(refits.figures)
        if single is not None:
            cells |= BEST.cells(single)
            shown[BEST.title] = single
        if single is not None and found.best is not None and not setting.members:
            cells["best_agent"] = setting.agents[found.best]
        if setting.extrapolated is not None and setting.extrapolated.size:
            cells["extrapolated"] = float(setting.extrapolated.mean())
        cells["short"] = short_of(shown)
        slope = "" if setting.members else _named("slope", found.of["slope"].note)
        cells["note"] = join_notes(
            reason,
            f"no map: {', '.join(setting.refused)}" if setting.refused else "",
            counted(setting.unscored),
            "D is not defined for a single score"
            if setting.members
            else _named("D", found.of["d"].note),
            found.of["d"].interval.note if found.of["d"].value is not None else "",
            f"intervals take the maps as fitted: {refits.reason}" if refits and conditional else "",
            "intervals take the maps as fitted" if as_fitted else "",
            "" if found.of["slope"].note == found.of["d"].note else slope,
        )
        return cells


def _total(found: Figures, name: str, refits: Refits | None) -> Estimate:
    """Return a figure whose interval also covers the choice of anchors, if there are refits."""
    from revkit_asc.metrics.totals import total

    if refits is None or not len(refits.figures):
        return found.of[name]
    return total(name, found.of[name], refits)


def _named(name: str, note: str) -> str:
    return f"{name}: {note}" if note else ""


def _changes(rows: Sequence[Mapping[str, Cell]], confidence: float) -> list[Finding]:
    """Return the finding that compares each calibrator with the chosen one."""
    texts, base, papers = [], None, ""
    for row in rows:
        parts = []
        for figure, title in (("d", "D"), ("mae", "MAE")):
            names = (f"{figure}_change", f"{figure}_change_low", f"{figure}_change_high")
            change, low, high, p = (row.get(name) for name in (*names, f"{figure}_p"))
            if (
                isinstance(change, float)
                and isinstance(low, float)
                and isinstance(high, float)
                and isinstance(p, float)
            ):
                shown = "not shown to differ"
                if p < 1 - confidence:
                    shown = "worse" if change > 0 else "better"
                    if abs(change) < _SMALL:
                        shown += f" by less than {_SMALL:g} points"
                parts.append(f"{title} {change:+.2f} {between(low, high, places=2)}, "
                             f"{stated_p(p)} ({shown})")  # fmt: skip
        if parts:
            texts.append(f"{row['setting']}: {', '.join(parts)}")
            base, papers = row["against"], count_of(int(row["items"] or 0), "paper")
    return (
        [
            Finding(
                f"Differences from {base} on the same {papers} and anchors, in severity points; "
                f"above 0 is worse than {base} (p corrected by Holm). {'; '.join(texts)}.",
                place="section",
            )
        ]
        if texts
        else []
    )


def _findings(
    rows: Sequence[Mapping[str, Cell]], ways: Iterable[str], doubts: Sequence[Doubt]
) -> list[Finding]:
    """Return the question, disagreement and error raw, with each calibrator and at the floor, and
    the limit.

    To name the best way only would be to choose it on the papers that it is judged by.
    """
    first = {str(row["setting"]): row for row in reversed(rows)}
    known = [
        (name, with_interval(first[name], "d"), with_interval(first[name], "mae"))
        for name in ("raw", *ways)
        if name in first
        and isinstance(first[name].get("d"), float)
        and isinstance(first[name].get("mae"), float)
    ]
    if not 1 < len(known) <= MOST_LISTED or known[0][0] != "raw":
        return []
    (_, d, error), *calibrated = known
    papers = count_of(int(first["raw"]["items"] or 0), "paper")
    known_doubts = {each.way: each for each in doubts}
    apart = list_names(
        [
            f"by {apart} with {name} maps"
            + (f" ({known_doubts[name].count})" if name in known_doubts else "")
            for name, apart, _ in calibrated
        ]
    )
    wrong = list_names([f"by {wrong} with {name} maps" for name, _, wrong in calibrated])
    texts = [
        f"On {papers} that no map was fitted on, the raw scores of two agents differ by {d} "
        f"severity points on average, and their scores {apart} (smaller is better).",
        f"A raw score differs by {error} points from the consensus of people, and a score {wrong} "
        "(smaller is better).",
    ]
    if any(each.flat for each in doubts):
        texts.insert(1, FLAT_MEANS)
    floor = first.get("oracle floor", {})
    if isinstance(floor.get("d"), float) and isinstance(floor.get("mae"), float):
        texts.append(
            "The maps that fit these same papers best (oracle floor, a guide and not a method) "
            f"give {to_fixed(number_at(floor, 'd'), 1)} between agents and "
            f"{to_fixed(number_at(floor, 'mae'), 1)} from the consensus."
        )
    return [
        Finding(QUESTION, part="question"),
        *map(Finding, texts),
        Finding(LIMIT, part="limit"),
    ]
