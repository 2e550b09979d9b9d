"""The change of scores, on the agent's own scale and on the common severity scale."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from revkit.dataclass import dataclass
from revkit.figures import (
    AGENT,
    CONFIDENCE,
    FAMILY,
    NOTE,
    POINTS,
    SHORT,
    UNIT,
    Figure,
    Sums,
    arrays,
    bound_cells,
    bounds,
    join_notes,
    note_of,
    short_of,
    short_warnings,
)
from revkit.model.records import Records
from revkit.model.table import Cell, Column, Measure, Table
from revkit_robustrev.metrics.base import OverPapers
from revkit_robustrev.metrics.pairs import (
    ALL_AGENTS,
    ALL_FAMILIES,
    Group,
    RepeatedPair,
    family_names,
    groups,
    left_out_note,
    repeats_note,
    sums_over_papers,
)
from revkit_robustrev.metrics.repeats import is_gross

if TYPE_CHECKING:
    from revkit import stats
    from revkit.stats.noise import RepeatedDistance

OWN, SEVERITY = "own", "severity"
SEVERITY_RANGE = 100.0
QUANTILES = {"q05": 0.05, "q25": 0.25, "median": 0.5, "q75": 0.75, "q95": 0.95}
_T = "Student's t over papers (linearised ratio)."
_REPORTED = "over papers; the interval to report."
SIZE = Figure(
    "mean_abs",
    "Mean |shift|",
    POINTS,
    "How far the edits move scores up or down on average: the mean of |score after the edit - "
    "score before it|, on the scale that the title names: the agent's own, or severity from 0 (no "
    "flaw) to 100 (reject). With repeats, over all comparisons of a review of the paper with one "
    "of the variant.",
    _REPORTED,
    bounds="abs_cluster",
    bounds_title="|shift|, cluster",
)
SHIFT = Figure(
    "mean",
    "Mean shift",
    POINTS,
    "Mean of score after - score before (with repeats, of their means); noise cancels.",
    _REPORTED,
    bounds="mean_cluster",
    bounds_title="Shift, cluster",
)
SCORE_NOISE = Figure(
    "noise",
    "Score noise",
    POINTS,
    "Mean |difference| of two reviews of one text, mean of papers and their variants.",
    "over papers.",
)
NET = Figure(
    "net",
    "Net |shift|",
    POINTS,
    "How much |shift| exceeds the difference between reviews of the same text (noise), as an "
    "energy distance.",
    "over papers; holds the uncertainty of both.",
)
COLUMNS = (
    AGENT,
    FAMILY,
    Column(
        "axis",
        "Axis",
        "",
        '"own": points of the agent\'s scale; "severity": 0 (no flaw) to 100 (reject).',
    ),
    Column("scale", "Scale", "", "The agent's own scale."),
    Column("pairs", "Pairs", "count", "Pairs put to the agent."),
    Column("failed", "Failed", "count", "Pairs of which all reviews of a side failed."),
    Column("without_score", "No score", "count", "Pairs reviewed without a score on either side."),
    Column("n", "n", "count", "Pairs with a score on both sides."),
    Column("papers", "Papers", "count", "Papers with such a pair."),
    Column("moved", "Papers that move", "count", "Papers with a pair whose scores differ."),
    Column("unmoved", "Unmoved", "count", "Pairs of which all scores are equal, in every repeat."),
    SIZE.value_column,
    *bounds("abs_t", "|shift|, t", POINTS, _T),
    *SIZE.interval_columns,
    Column("abs_method", "|shift|, interval", "", "How the interval of |shift| was computed."),
    SHIFT.value_column,
    *bounds("mean_t", "Shift, t", POINTS, _T),
    *SHIFT.interval_columns,
    Column("mean_method", "Shift, interval", "", "How the interval of the shift was computed."),
    *SCORE_NOISE.columns,
    *NET.columns,
    Column("minimum", "Lowest", POINTS, "The lowest shift of a pair, between mean scores."),
    *(
        Column(name, f"{100 * share:g} %", POINTS, f"The {100 * share:g} % quantile of the shifts.")
        for name, share in QUANTILES.items()
    ),
    Column("maximum", "Highest", POINTS, "The highest shift."),
    CONFIDENCE,
    UNIT,
    SHORT,
    NOTE,
)
_OWN_ROWS = (("family", ALL_FAMILIES), ("axis", OWN))
_SEVERITY_ROWS = (("family", ALL_FAMILIES), ("axis", SEVERITY))
MEASURES = (
    Measure("agent", "mean_abs", _OWN_ROWS, title="Score change, own scale"),
    Measure("agent", "mean_abs", _SEVERITY_ROWS, title="Score change, 0-100"),
    Measure("agent", "net", _SEVERITY_ROWS, title="Net score change, 0-100"),
)


@dataclass(frozen=True)
class _Part:
    """One agent's pairs in one row, and the distances of their scores on the axis of the row.

    ``limit`` is the range of the axis, ``turn`` how many points of severity one of its points is.
    """

    group: Group
    axis: str
    limit: float
    turn: float
    moves: Sequence[tuple[RepeatedPair, RepeatedDistance]]

    def sums(self, records: Records, value: Callable[[RepeatedDistance], float | None]) -> Sums:
        """``value`` of each pair added over papers."""
        found = {id(pair): value(move) for pair, move in self.moves}
        return sums_over_papers(records, self.group.pairs, lambda pair: found[id(pair)])


@dataclass(frozen=True)
class ScoreShift(OverPapers):
    """Score of the variant minus score of the original (ROBUST-REV, section 4, takes its size).

    Every agent and family has two rows: in points of the agent's own scale, and on the 0-100
    severity axis, where a shift above 0 means a harsher review. Only the severity axis has rows
    over all agents, the mean of the agents' means, for points of different scales have no mean. A
    pair counts once: its size is the mean distance between a review of the paper and one of the
    variant. With repeats, the net size is what remains of it without the noise of both sides.
    """

    name: ClassVar[str] = "score-shift"
    version: ClassVar[str] = "12"
    table_columns: ClassVar[tuple[Column, ...]] = COLUMNS
    table_measures: ClassVar[tuple[Measure, ...]] = MEASURES

    def measure(self, records: Records) -> Table:
        rows: list[dict[str, Cell]] = []
        together: dict[str, list[_Part]] = {}
        for agent in records.agents:
            for group in groups(records, agent):
                own, severity = _parts(group)
                found = self._figures_of(records, [own])
                rows.append(self._row(records, [own], found))
                # The severity axis is the own one, stretched and perhaps turned.
                rows.append(self._row(records, [severity], found.turned(own.turn)))
                together.setdefault(group.family, []).append(severity)
        for family in family_names(records) if records.agents else ():
            column = together[family]
            rows.append(self._row(records, column, self._figures_of(records, column), ALL_AGENTS))
        scales = {agent.scale.name: agent.scale.severity_loss for agent in records.agents}
        notes = [
            *self.interval_notes(records),
            "If no paper moves, the intervals are bounds from the declared scale. Otherwise that "
            "of the size lies halfway between Student's t and Hall's interval over papers, and "
            "that of the signed shift is Student's t, widened if shifts are skewed; both are "
            "truncated to the scale. Quantiles describe the pairs at hand and carry no interval.",
            f'Rows of "{ALL_AGENTS}" are the mean of the agents\' means, each agent weighted '
            "equally, on the severity axis only.",
            *(f"Scale {name} on the severity axis: {loss}." for name, loss in scales.items()),
            *left_out_note(records),
            *repeats_note(records),
        ]
        return Table.of(
            self.name,
            "Score shift",
            COLUMNS,
            rows,
            notes,
            method=[self.interval_sentence(records)],
            measures=MEASURES,
            warnings=short_warnings(self.name, rows, _place_of),
        )

    def _figures_of(self, records: Records, parts: Sequence[_Part]) -> _Estimates:
        """The figures with intervals, of one agent or of the mean over agents."""
        from revkit import stats

        papers, limit = len(records.papers), parts[0].limit
        resampling = self.resampling(records)
        size, shift = (
            arrays([part.sums(records, value) for part in parts], papers)
            for value in (lambda move: move.across, lambda move: move.change)
        )
        gross = stats.cluster_mean_size(*size, limit, resampling=resampling)
        noise, net = self._net(records, parts, gross) if records.repeats > 1 else (None, None)
        return _Estimates(
            gross,
            stats.cluster_mean_shift(*shift, limit, resampling=resampling),
            noise,
            net,
        )

    def _row(
        self, records: Records, parts: Sequence[_Part], found: _Estimates, agent: str = ""
    ) -> dict[str, Cell]:
        first = parts[0]
        size = [part.sums(records, lambda move: move.across) for part in parts]
        pairs = [pair for part in parts for pair in part.group.pairs]
        moves = [move for part in parts for _, move in part.moves if move.across is not None]
        failed = sum(
            any(all(v.failure for v in side) for side in (pair.originals, pair.variants))
            and not all(pair.scores)
            for pair in pairs
        )
        together = [sum(totals) for totals in zip(*(s.totals for s in size), strict=True)]
        return {
            "agent": agent or first.group.agent.name,
            "family": first.group.family,
            "axis": first.axis,
            "scale": "" if agent else first.group.agent.scale.name,
            "pairs": len(pairs),
            "failed": failed,
            "without_score": len(pairs) - failed - len(moves),
            "n": len(moves),
            "papers": sum(any(s.counts[i] for s in size) for i in range(len(records.papers))),
            "moved": sum(total > 0 for total in together),
            "unmoved": sum(move.across == 0 for move in moves),
            **SIZE.cells(found.size),
            "abs_method": found.size.interval.method,
            **SHIFT.cells(found.shift),
            "mean_method": found.shift.interval.method,
            **({} if agent else self._student(records, first)),
            **SCORE_NOISE.cells(found.noise),
            **NET.cells(found.net),
            **_quantiles([move.change for move in moves if move.change is not None]),
            "confidence": self.confidence,
            "unit": "paper",
            "short": short_of(
                {
                    "mean |shift|": found.size,
                    "mean shift": found.shift,
                    "score noise": found.noise,
                    "net |shift|": found.net,
                }
            ),
            "note": join_notes(note_of(found.size), note_of(found.shift)),
        }

    def _student(self, records: Records, part: _Part) -> dict[str, Cell]:
        from revkit import stats

        size, shift = (
            part.sums(records, value)
            for value in (lambda move: move.across, lambda move: move.change)
        )
        abs_t, mean_t = (
            stats.cluster_t_interval(s.totals, s.counts, confidence=self.confidence).interval
            for s in (size, shift)
        )
        return {**bound_cells("abs_t", abs_t), **bound_cells("mean_t", mean_t)}

    def _net(
        self, records: Records, parts: Sequence[_Part], gross: stats.Estimate
    ) -> tuple[stats.Estimate, stats.Estimate]:
        """Score noise and the excess of the size over it, on pairs with two scores a side."""
        from revkit import stats

        papers, limit = len(records.papers), parts[0].limit
        resampling = self.resampling(records)
        noises = [part.sums(records, lambda move: move.noise) for part in parts]
        repeated = [
            part.sums(records, lambda move: None if move.noise is None else move.across)
            for part in parts
        ]
        sizes = [part.sums(records, lambda move: move.across) for part in parts]
        noise, counts = arrays(noises, papers)
        across, _ = arrays(repeated, papers)
        level = stats.cluster_mean_rate(noise / limit, counts, resampling=resampling)
        agents = [part.group.agent for part in parts]
        if is_gross(list(zip(agents, sizes, repeated, noises, strict=True))):
            return _times(level, limit), gross
        net = stats.cluster_excess(across / limit, noise / limit, counts, resampling=resampling)
        return _times(level, limit), _times(net, limit)


@dataclass(frozen=True)
class _Estimates:
    """The figures of a row that have intervals."""

    size: stats.Estimate
    shift: stats.Estimate
    noise: stats.Estimate | None
    net: stats.Estimate | None

    def turned(self, factor: float) -> _Estimates:
        """The same on an axis whose points are ``factor`` points of this one."""
        far = abs(factor)
        return _Estimates(
            _times(self.size, far),
            _times(self.shift, factor),
            None if self.noise is None else _times(self.noise, far),
            None if self.net is None else _times(self.net, far),
        )


def _times(estimate: stats.Estimate, factor: float) -> stats.Estimate:
    """``estimate`` with value and bounds multiplied; a negative factor swaps the bounds."""
    return replace(
        estimate,
        value=None if estimate.value is None else estimate.value * factor + 0.0,
        interval=estimate.interval.map_ends(lambda end: end * factor + 0.0),
    )


def _parts(group: Group) -> tuple[_Part, _Part]:
    from revkit import stats

    scale = group.agent.scale
    own = scale.maximum - scale.minimum
    turn = (SEVERITY_RANGE / own) * (-1 if scale.higher_is_better else 1)
    moves = [(pair, stats.repeated_distance(*pair.scores)) for pair in group.pairs]
    turned = [
        (
            pair,
            stats.RepeatedDistance(
                *(
                    None if x is None else x * factor
                    for x, factor in (
                        (move.across, abs(turn)),
                        (move.noise, abs(turn)),
                        (move.excess, abs(turn)),
                        (move.change, turn),
                    )
                )
            ),
        )
        for pair, move in moves
    ]
    return (
        _Part(group, OWN, own, turn, moves),
        _Part(group, SEVERITY, SEVERITY_RANGE, 1.0, turned),
    )


def _quantiles(shifts: Sequence[float]) -> dict[str, Cell]:
    if not shifts:
        return {}
    import numpy as np

    values = np.quantile(np.array(shifts), list(QUANTILES.values()))
    named = {name: float(value) for name, value in zip(QUANTILES, values, strict=True)}
    return {"minimum": float(min(shifts)), **named, "maximum": float(max(shifts))}


def _place_of(row: Mapping[str, Cell]) -> str:
    """The agent of a row that reports show; "" for the others."""
    agent, own = str(row["agent"]), row["axis"] == OWN
    return agent * (row["family"] == ALL_FAMILIES and (own or agent == ALL_AGENTS))
