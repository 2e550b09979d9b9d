"""The metric `bench-scores`: one row for each reviewing agent, as in Table 1 of ReviewBench's
paper.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from revkit.dataclass import dataclass
from revkit.figures import (
    CONFIDENCE,
    NOTE,
    POINTS,
    SHORT,
    UNIT,
    Figure,
    Sums,
    join_notes,
    note_of,
    short_of,
)
from revkit.figures.numbers import EMPTY, between, count_of, to_fixed
from revkit.model.card import CardLine
from revkit.model.records import Records
from revkit.model.table import Cell, Column, Finding, Measure, Table, TableWarning, WarningKind
from revkit.options import option
from revkit_reviewbench.dimensions import DIMENSIONS
from revkit_reviewbench.metrics.base import AGENT, JUDGE
from revkit_reviewbench.metrics.parts import (
    ALL_COMPLETE,
    COUNTS,
    OVERALL,
    READING,
    TEXT,
    UNCHANGED,
    Part,
    bars,
    means,
    score_cells,
    score_columns,
)
from revkit_reviewbench.metrics.reference import (
    WithReference,
    all_parts,
    best_note,
    best_of,
    gains,
)
from revkit_reviewbench.metrics.review_scores import NO_REVIEWS, ReviewScores, column_of
from revkit_reviewbench.terms import TERMS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from revkit.stats import Estimate


GAIN = Figure("gain", "Gain", POINTS, "Overall score of the reference minus that of this reviewer.")
SHARE = Figure(
    "gain_share",
    "Δ",
    "share",
    "How much higher the overall score of the reference is, in per cent of that of this reviewer.",
)
MEMORY = Column("memory", "Memory", "GB", "Memory that the reviewer's models need, as stated.")
MEASURES = (Measure("agent", OVERALL, (("perturbation", UNCHANGED),), better="higher"),)
# In points of the overall score: below it a ratio of two scores has no meaning.
_SMALLEST = 1.0
_MOST_FINDINGS = 3
_QUESTION = (
    "How good is the content of each agent's reviews, on eight dimensions and against the "
    "checklists of the papers?"
)
_LIMIT = (
    "All scores are those of an evaluator, which may be wrong; whether it agrees with people is "
    "not measured here."
)
_TOO_NEAR = "the agent's overall score may be below one point, too near zero for a ratio"


@dataclass(frozen=True)
class BenchScores(WithReference):
    """ReviewBench's main table (Li et al., Table 1): the means of eight dimensions and their sum.

    One row for each evaluator and reviewing agent, and for each perturbation where reviews of
    perturbed papers are judged beside those of unchanged ones (Table 6). All means of a row are
    over the same reviews, those with a score on every one of the eight dimensions, so the overall
    score (equation 3) is exactly the sum of the row; in four rows of the paper's table it is not.
    `bench-vector` has the means of each dimension over all its scores.

    ``reference`` names the agent whose gains are in the last columns; empty means the agent with
    the highest overall score. Gains are over the papers of which both agents have complete reviews
    under the same perturbation, and their intervals resample these papers: ``gain`` is reference
    minus agent in points; ``gain_share`` divides it by the agent's overall score, as the paper's Δ
    does. The scale includes zero, near which a ratio has no meaning: the share is empty if the
    interval of that score reaches below one point, and reports show the gain in points instead.
    `bench-difference` has the gain of each dimension.

    ``memory`` adds the last column of Table 8 of ReviewGrounder's paper. That column is an estimate
    of its authors; servers with the OpenAI protocol do not report memory, so it is stated here.
    """

    name: ClassVar[str] = "bench-scores"
    version: ClassVar[str] = "8"

    memory: Mapping[str, float] | None = option(
        None,
        help=(
            "Memory in GB that the models of a reviewer need, by the reviewer's name, as you state "
            "it; a reviewer without an entry has an empty cell."
        ),
        minimum=0.0,
        later=True,
    )

    def measure(self, records: Records) -> Table:
        """Return the table. Raises `OptionError` if the reference is not an agent of the run."""
        scored = ReviewScores(records)
        self.check_reference(scored)
        self.check_agents("memory", self.memory or (), scored.agents)
        rows: list[dict[str, Cell]] = []
        notes = [] if scored.reviews else [NO_REVIEWS]
        if scored.reviews and len(scored.dimensions) < len(DIMENSIONS):
            notes.append(
                f"This run judges by {len(scored.dimensions)} of the eight rubrics, so no review "
                "has an overall score; bench-vector has the scores of single dimensions."
            )
        for judge in scored.judges if scored.reviews else ():
            parts = all_parts(scored, judge)
            best = "" if self.reference else best_of(parts)
            by_source = {(part.agent, part.perturbation): part for part in parts}
            for part, estimates in zip(parts, means(self, records, parts), strict=True):
                reference = self.reference_of(part.agent, scored.agents, best)
                other = by_source.get((reference, part.perturbation))
                rows.append(self._row(records, scored, part, estimates, other))
            if best and len(scored.agents) > 1:
                notes.append(best_note(judge, best))
        return Table.of(
            self.name,
            "ReviewBench: scores of reviews on eight dimensions",
            (*_columns(), *((MEMORY,) if self.memory else ())),
            rows,
            [*notes, ALL_COMPLETE, self._interval_note(records)],
            reading=READING,
            terms=TERMS,
            headline=True,
            fine=self._fine(rows, len(scored.perturbations) > 1),
            charts=bars(scored, "Overall score by reviewer", "overall") if scored.reviews else (),
            measures=MEASURES if len(scored.judges) == 1 else (),
            warnings=[
                *self.imprecise(
                    len(scored.papers),
                    rows,
                    lambda row: f"{row['agent']}, judged by {row['judge']}",
                    "reviewed paper",
                ),
                *_incomplete(rows),
            ],
            method=[ALL_COMPLETE, self._interval_note(records)],
            findings=_findings(rows),
        )

    def card_lines(self, table: Table) -> Sequence[CardLine]:
        """Return the overall score and the eight dimensions, on unchanged papers. A dimension is a
        weakness if its mean is on the worse side of the middle level.
        """
        where = (("perturbation", UNCHANGED),)
        overall = CardLine("content", OVERALL, "Sum of eight dimensions", where, n="n")
        each = [
            CardLine(
                "content",
                column_of(d.name),
                d.title,
                where,
                n="n",
                weak="below",
                limit=-1.0 if d.pitfall else 1.0,
                brief=False,
            )
            for d in DIMENSIONS
        ]
        return (overall, *each)

    def _row(
        self,
        records: Records,
        scored: ReviewScores,
        part: Part,
        estimates: dict[str, Estimate],
        best: Part | None,
    ) -> dict[str, Cell]:
        gained, note = self._gained(records, part, best)
        tally = scored.tallies.get((part.agent, part.perturbation))
        return {
            "judge": part.judge,
            "agent": part.agent,
            "perturbation": part.perturbation or UNCHANGED,
            **score_cells(estimates),
            **gained,
            "planned": tally.planned if tally else None,
            "failed": tally.failed + tally.empty if tally else None,
            **part.counts(),
            "confidence": self.confidence,
            "unit": "paper",
            "short": short_of({**estimates}),
            "note": join_notes(note_of(estimates[OVERALL]), note),
            **({"memory": self.memory.get(part.agent)} if self.memory else {}),
        }

    def _gained(
        self, records: Records, part: Part, best: Part | None
    ) -> tuple[dict[str, Cell], str]:
        """Return the gain of the reference over the agent of ``part``, and why a cell is empty."""
        if best is None or best.agent == part.agent:
            return {}, ""
        mine, other = part.sums[OVERALL].shared(best.sums[OVERALL])
        if not mine.n:
            return {}, f"gain: no paper has complete reviews of this agent and {best.agent!r}"
        estimate = gains(self, records, part, best, [OVERALL])[OVERALL]
        gained = {**GAIN.cells(estimate), "shared": mine.papers}
        notes = [f"gain: {note_of(estimate)}" if note_of(estimate) else ""]
        (base,) = self.means(records, [mine])
        low = base.interval.low
        if low is not None and low < _SMALLEST:
            return gained, join_notes(*notes, f"gain_share: {_TOO_NEAR}") or ""
        share = self._share(records, mine, other)
        notes.append(f"gain_share: {note_of(share)}" if note_of(share) else "")
        return {**gained, **SHARE.cells(share)}, join_notes(*notes) or ""

    def _share(self, records: Records, mine: Sums, other: Sums) -> Estimate:
        """Return the other mean divided by this one, minus 1; undefined if this one is below one
        point.
        """
        import numpy as np

        from revkit import stats

        def share(t: NDArray[np.float64]) -> NDArray[np.float64]:
            with np.errstate(invalid="ignore", divide="ignore"):
                base = t[:, 0] / t[:, 1]
                return np.where(base >= _SMALLEST, (t[:, 2] / t[:, 3] - base) / base, np.nan)

        present = [bool(count) for count in mine.counts]
        columns = (mine.totals, mine.counts, other.totals, other.counts)
        return stats.cluster_bootstrap_statistic(
            np.array(columns, dtype=float).T[present],
            share,
            observations=mine.n + other.n,
            resampling=self.resampling(records),
            reason=_TOO_NEAR,
        )

    def _fine(self, rows: Sequence[dict[str, Cell]], several: bool) -> tuple[str, ...]:
        """Return the columns of detail. A gain is one of them unless a reference was named or its
        ratio is missing.
        """
        alone = any(row.get("gain") is not None and row.get("gain_share") is None for row in rows)
        gain = () if self.reference or alone else ("gain", "gain_low", "gain_high")
        return (*(() if several else ("perturbation",)), *gain, *_FINE)

    def _interval_note(self, records: Records) -> str:
        why = "the unit is the reviewed paper, because its reviews are not independent"
        return self.interval_note(records, why)


def _findings(rows: Sequence[dict[str, Cell]]) -> list[Finding]:
    """Return the question; for each of the first evaluators, the best and the worst overall score;
    and the limit.
    """
    scores: dict[str, list[dict[str, Cell]]] = {}
    for row in rows:
        if row["perturbation"] == UNCHANGED and row.get(OVERALL) is not None:
            scores.setdefault(str(row["judge"]), []).append(row)
    texts = [_sentence(judge, found) for judge, found in [*scores.items()][:_MOST_FINDINGS]]
    if not texts:
        return []
    return [
        Finding(_QUESTION, part="question"),
        *map(Finding, texts),
        Finding(_LIMIT, part="limit"),
    ]


def _sentence(judge: str, rows: Sequence[dict[str, Cell]]) -> str:
    by_score: dict[float, list[dict[str, Cell]]] = {}
    for row in rows:
        by_score.setdefault(_value(row, OVERALL) or 0.0, []).append(row)
    best, worst = (_scored(by_score[choose(by_score)]) for choose in (max, min))
    text = f"The evaluator {judge} gives the reviews of {best}"
    if len(by_score) == 1:
        return f"{text}."
    return (
        f"{text}, the highest overall score of {len(rows)} reviewers, and those of {worst}, the "
        "lowest (scale -2 to 14, higher is better)."
    )


def _scored(rows: Sequence[dict[str, Cell]]) -> str:
    """Return the names of agents with one score, and the score with the interval of the first."""
    low, high = (_value(rows[0], f"{OVERALL}_{end}") for end in ("low", "high"))
    ends = between(low, high, places=2)
    score = to_fixed(_value(rows[0], OVERALL) or 0.0, 2)
    names = " and ".join(str(row["agent"]) for row in rows)
    reviews = count_of(int(str(rows[0]["n"])), "review")
    each = " each" if len(rows) > 1 else ""
    return f"{names} {score}{'' if ends == EMPTY else f' {ends}'} ({reviews}{each})"


def _value(row: dict[str, Cell], name: str) -> float | None:
    cell = row.get(name)
    return cell if isinstance(cell, float) else None


def _incomplete(rows: Sequence[dict[str, Cell]]) -> list[TableWarning]:
    """Return a warning for each evaluator whose reviews lack scores."""
    judges = dict.fromkeys(str(row["judge"]) for row in rows)
    warnings = []
    for judge in judges:
        mine = [row for row in rows if row["judge"] == judge]
        complete, lacking = (
            sum(int(str(row[name])) for row in mine) for name in ("n", "incomplete")
        )
        if lacking:
            kind: WarningKind = "incomplete" if complete else "no-figure"
            text = (
                f"{judge}: {lacking:,} of {count_of(complete + lacking, 'review')} lack a score on "
                "at least one dimension and have no overall score."
            )
            advice = (
                "A mean over the others may be too high or too low. Look for failed judgements."
            )
            warnings.append(TableWarning(kind, text, advice=advice))
    return warnings


def _columns() -> tuple[Column, ...]:
    return (
        JUDGE,
        AGENT,
        TEXT,
        *score_columns(),
        *GAIN.columns,
        *SHARE.columns,
        Column("shared", "Shared papers", "count", "Papers that the gain is computed on."),
        Column("planned", "Reviews", "count", "Reviews that the first run requested.", clear=True),
        Column("failed", "Failed", "count", "Requested reviews that failed or had no text."),
        *COUNTS,
        CONFIDENCE,
        UNIT,
        SHORT,
        NOTE,
    )


_FINE = (
    *(f"{column_of(d.name)}_{end}" for d in DIMENSIONS for end in ("low", "high")),
    "shared",
    "planned",
    "papers",
    "lost",
    "confidence",
    "unit",
    "short",
    "note",
)
