"""The metric `bench-scores`: one row a reviewing agent, as in Table 1 of ReviewBench's paper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from revkit.errors import OptionError
from revkit.model.records import Records
from revkit.model.table import Cell, Chart, Column, Table
from revkit.options import option, unknown_name
from revkit_reviewbench.dimensions import BY_NAME, DIMENSIONS
from revkit_reviewbench.metrics.intervals import (
    AGENT,
    CONFIDENCE,
    JUDGE,
    NOTE,
    POINTS,
    UNIT,
    Resampled,
    cells,
    joined,
    note_of,
    with_bounds,
)
from revkit_reviewbench.metrics.scored import (
    NO_REVIEWS,
    Scored,
    Sums,
    Total,
    column_of,
    counted,
    sums,
)

if TYPE_CHECKING:
    from revkit.stats import Estimate

_OVERALL = "overall"
_COUNTS = (
    Column("planned", "Reviews", "count", "Reviews that the first run asked the agent for."),
    Column("failed", "Failed", "count", "Those that failed or had no text."),
    Column("n", "n", "count", "Reviews (times repeats) with a score on all eight dimensions."),
    Column("papers", "Papers", "count", "Reviewed papers with at least one such review."),
    Column(
        "incomplete",
        "Incomplete",
        "count",
        "Reviews that lack a score on one dimension or more: counted here, never as zero.",
    ),
    Column("lost", "Lost", "", "Why dimensions lack a score, with the number of each kind."),
)


@dataclass(frozen=True)
class BenchScores(Resampled):
    """ReviewBench's main table (Li et al., Table 1): means of eight dimensions and their sum.

    One row for each evaluator and reviewing agent. All means of a row are over the same reviews,
    those with a score on every one of the eight dimensions, so the overall score (equation 3) is
    the sum of the row to the last bit; in the paper's table it is not, for four of its rows. What
    each dimension gives on all its scores stands in `bench-vector`.

    ``reference`` names the agent whose gains the last columns tell, as the paper's does for its
    own; empty stands for the agent with the highest overall score. Gains are over the papers that
    both have complete reviews of: ``gain`` is reference minus agent in points, with an interval
    over the same resampled papers; ``gain_share`` divides it by the agent's overall score, as the
    paper's Δ does, and is empty where that is not positive.
    """

    name: ClassVar[str] = "bench-scores"
    reference: str = option("", help="The agent whose gains are told; empty: the best one.")

    def measure(self, records: Records) -> Table:
        """Return the table. Raises `OptionError` where the reference is no agent of the run."""
        scored = Scored(records)
        if self.reference and self.reference not in scored.agents and scored.agents:
            told = unknown_name("agent", self.reference, scored.agents)
            raise OptionError(self.name, [("reference", told)])
        rows: list[dict[str, Cell]] = []
        notes = [] if scored.reviews else [NO_REVIEWS]
        if scored.reviews and len(scored.dimensions) < len(DIMENSIONS):
            notes.append(
                f"This run judges by {len(scored.dimensions)} of the eight rubrics, so no review "
                "has an overall score; bench-vector has what there is."
            )
        for judge in scored.judges if scored.reviews else ():
            parts = [self._part(scored, judge, agent) for agent in scored.agents]
            best = self._reference(parts)
            estimates = self._means(records, parts)
            for part, means in zip(parts, estimates, strict=True):
                rows.append(self._row(records, scored, part, means, best))
            if best and not self.reference:
                notes.append(
                    f"Gains of {judge!r} are those of {best.agent!r}, which has the highest "
                    "overall score of these very reviews; name a reference beforehand for a claim."
                )
        return Table.of(
            self.name,
            "ReviewBench: scores of reviews on eight dimensions",
            _columns(),
            rows,
            [*notes, *self._notes(records, len(scored.papers))],
            headline=True,
            fine=_FINE,
            charts=_charts(scored),
        )

    def _part(self, scored: Scored, judge: str, agent: str) -> _Part:
        totals = scored.totals(judge, agent)
        whole = [total for total in totals if not total.missing]
        by_name = {
            dimension.name: sums(
                scored.papers, ((t.review.paper, t.scores[dimension.name]) for t in whole)
            )
            for dimension in DIMENSIONS
        }
        overall = sums(scored.papers, ((t.review.paper, t.overall or 0.0) for t in whole))
        return _Part(judge, agent, totals, {**by_name, _OVERALL: overall})

    def _reference(self, parts: Sequence[_Part]) -> _Part | None:
        if self.reference:
            return next((part for part in parts if part.agent == self.reference), None)
        known = [part for part in parts if part.sums[_OVERALL].n]
        return max(known, key=lambda part: part.mean(_OVERALL), default=None)

    def _means(self, records: Records, parts: Sequence[_Part]) -> list[dict[str, Estimate]]:
        import numpy as np

        from revkit import stats

        names = [*BY_NAME, _OVERALL]
        flat = [part.sums[name] for part in parts for name in names]
        if not flat:
            return []
        found = stats.cluster_bootstrap_means(
            np.array([each.totals for each in flat]).T,
            np.array([each.counts for each in flat]).T,
            seed=records.seed,
            resamples=self.resamples,
            level=self.confidence,
        )
        size = len(names)
        return [
            dict(zip(names, found[i * size : (i + 1) * size], strict=True))
            for i in range(len(parts))
        ]

    def _row(
        self,
        records: Records,
        scored: Scored,
        part: _Part,
        means: dict[str, Estimate],
        best: _Part | None,
    ) -> dict[str, Cell]:
        overall = means[_OVERALL]
        values = {name: cells(column_of(name), estimate) for name, estimate in means.items()}
        if overall.value is not None:
            # The sum of the row's own means, so that rounding cannot part them.
            values[_OVERALL]["overall"] = sum(means[name].value or 0.0 for name in BY_NAME)
        gains, told = self._gains(records, part, best)
        tally = scored.tallies.get(part.agent)
        lost = [kind for total in part.totals for kind in total.missing.values()]
        return {
            "judge": part.judge,
            "agent": part.agent,
            **{key: cell for found in values.values() for key, cell in found.items()},
            **gains,
            "planned": tally.planned if tally else None,
            "failed": tally.failed + tally.empty if tally else None,
            "n": part.sums[_OVERALL].n,
            "papers": part.sums[_OVERALL].papers,
            "incomplete": sum(bool(total.missing) for total in part.totals),
            "lost": counted(lost),
            "confidence": self.confidence,
            "unit": "paper",
            "note": joined(note_of(overall), told),
        }

    def _gains(
        self, records: Records, part: _Part, best: _Part | None
    ) -> tuple[dict[str, Cell], str]:
        """What the reference has over the agent of ``part``, and why a cell is empty."""
        from revkit import stats

        if best is None or best.agent == part.agent:
            return {}, ""
        mine, other = part.sums[_OVERALL], best.sums[_OVERALL]
        mine, other = mine.on(other.counts), other.on(mine.counts)
        if not mine.n:
            return {}, f"gain: no paper has complete reviews of this agent and {best.agent!r}"
        estimate = stats.cluster_bootstrap_difference(
            other.totals,
            other.counts,
            mine.totals,
            mine.counts,
            seed=records.seed,
            resamples=self.resamples,
            level=self.confidence,
        )
        base = sum(mine.totals) / mine.n
        share = estimate.value / base if estimate.value is not None and base > 0 else None
        note = "" if base > 0 else "gain_share: the agent's overall score is not positive"
        told = cells("gain", estimate)
        return {**told, "gain_share": share, "shared": mine.papers}, joined(
            note, f"gain: {note_of(estimate)}" if note_of(estimate) else ""
        ) or ""

    def _notes(self, records: Records, papers: int) -> list[str]:
        return [
            *self.few_note(papers),
            "All means of a row are over the reviews with a score on all eight dimensions; overall "
            "is their sum, from -2 to 14. Contradict. runs from -2 to 0, the others from 0 to 2.",
            self.interval_note(
                records, "the unit is the reviewed paper, since its reviews hang together"
            ),
        ]


@dataclass(frozen=True)
class _Part:
    """The scores that one evaluator gave to one agent's reviews."""

    judge: str
    agent: str
    totals: Sequence[Total]
    sums: dict[str, Sums]

    def mean(self, name: str) -> float:
        return sum(self.sums[name].totals) / self.sums[name].n


def _columns() -> tuple[Column, ...]:
    scores = [
        with_bounds(column_of(d.name), d.short, POINTS, f"Mean score on {d.title}.")
        for d in DIMENSIONS
    ]
    return (
        JUDGE,
        AGENT,
        *(column for triple in scores for column in triple),
        *with_bounds("overall", "Overall", POINTS, "Sum of the eight means."),
        *with_bounds("gain", "Gain", POINTS, "Overall score of the reference minus this agent's."),
        Column("gain_share", "Δ", "share", "The gain divided by this agent's overall score."),
        Column("shared", "Shared papers", "count", "Papers on which the gain is taken."),
        *_COUNTS,
        CONFIDENCE,
        UNIT,
        NOTE,
    )


_FINE = (
    *(f"{column_of(d.name)}_{end}" for d in DIMENSIONS for end in ("low", "high")),
    "gain",
    "gain_low",
    "gain_high",
    "shared",
    "planned",
    "papers",
    "lost",
    "confidence",
    "unit",
    "note",
)


def _charts(scored: Scored) -> list[Chart]:
    return [
        Chart(
            "bars",
            f"Overall score by reviewer, judged by {judge}",
            "agent",
            "overall",
            low="overall_low",
            high="overall_high",
            where=(("judge", judge),),
        )
        for judge in (scored.judges if scored.reviews else ())
    ]
