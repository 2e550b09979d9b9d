"""The metric `bench-difference`: the difference between each agent and a reference, by
dimension.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from revkit.dataclass import dataclass
from revkit.figures import (
    CONFIDENCE,
    NOTE,
    POINTS,
    SHORT,
    UNIT,
    Figure,
    join_notes,
    note_of,
    short_of,
)
from revkit.model.records import Records
from revkit.model.table import Cell, Column, Table
from revkit_reviewbench.dimensions import BY_NAME, DIMENSIONS
from revkit_reviewbench.metrics.base import AGENT, JUDGE
from revkit_reviewbench.metrics.parts import OVERALL, TEXT, UNCHANGED, Part, bars
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
    from revkit.stats import Estimate

_OVER = "the agent minus the reference, on the shared papers."
FIGURES = {
    OVERALL: Figure("difference", "Difference", POINTS, f"Mean overall score of {_OVER}"),
    **{
        d.name: Figure(column_of(d.name), d.short, POINTS, f"Mean {d.title} of {_OVER}")
        for d in DIMENSIONS
    },
}


def _columns() -> tuple[Column, ...]:
    columns = [
        JUDGE,
        AGENT,
        TEXT,
        *FIGURES[OVERALL].columns,
        Column(
            "p_holm",
            "p, Holm",
            "p",
            "p-value of no overall difference, with Holm's correction over the rows of the judge.",
        ),
        Column("mean", "Overall", POINTS, "The agent's mean overall score on the shared papers."),
        Column("reference", "Reference", POINTS, "The reference's mean on the same papers."),
    ]
    for d in DIMENSIONS:
        columns += FIGURES[d.name].columns
        help = "p-value of no difference, with Holm's correction over rows and dimensions."
        columns.append(Column(f"{column_of(d.name)}_p", f"{d.short}, p, Holm", "p", help))
    return (
        *columns,
        Column("shared", "Shared papers", "count", "Papers with complete reviews of both."),
        Column("n", "n", "count", "The agent's complete reviews of these papers."),
        CONFIDENCE,
        UNIT,
        SHORT,
        NOTE,
    )


@dataclass(frozen=True)
class BenchDifference(WithReference):
    """The difference between each agent and a reference agent, overall and on each dimension.

    All columns from ``difference`` on are differences from the ``reference``, except ``mean`` and
    ``reference``, which contain both overall scores.

    For ablations (Li et al., Tables 3 and 9, Figures 5 and 6): with the full configuration as the
    ``reference``, the difference of a row is the effect of removing or replacing a part. Both means
    are over the papers of which both agents have complete reviews, under the same perturbation,
    and the interval resamples these papers for both at once. The differences of the eight
    dimensions add up to the overall difference. An interval that includes 0 does not show that a
    part has no effect.

    ``p_holm`` is of the test of signs over papers (`revkit.stats.cluster_sign_test`), with Holm's
    correction over the rows of a judge; the p-values of the dimensions are corrected over the rows
    of the judge and all dimensions together. The intervals are not corrected.
    """

    name: ClassVar[str] = "bench-difference"
    version: ClassVar[str] = "7"
    table_columns: ClassVar[tuple[Column, ...]] = _columns()

    def measure(self, records: Records) -> Table:
        """Return the table. Raises `OptionError` if the reference is not an agent of the run."""
        scored = ReviewScores(records)
        self.check_reference(scored)
        rows: list[dict[str, Cell]] = []
        tests: dict[str, list[dict[str, float | None]]] = {}
        notes = [] if scored.reviews else [NO_REVIEWS]
        for judge in scored.judges if scored.reviews else ():
            parts = all_parts(scored, judge)
            best = "" if self.reference else best_of(parts)
            by_source = {(part.agent, part.perturbation): part for part in parts}
            for part in parts:
                reference = self.reference_of(part.agent, scored.agents, best)
                other = by_source.get((reference, part.perturbation))
                if other is not None and other is not part:
                    rows.append(self._row(records, part, other))
                    tests.setdefault(judge, []).append(_tests(part, other))
            if best and len(scored.agents) > 1:
                notes.append(best_note(judge, best))
        for judge, found in tests.items():
            own = [row for row in rows if row["judge"] == judge]
            _correct(own, found, (OVERALL,))
            _correct(own, found, tuple(BY_NAME))
        if self.reference:
            notes.append(f"Differences are from {self.reference!r}.")
        several = len(scored.perturbations) > 1
        why = "the unit is the reviewed paper, the same papers on both sides"
        return Table.of(
            self.name,
            "ReviewBench: differences from the reference",
            _columns(),
            rows,
            [*notes, self.interval_note(records, why)],
            headline=True,
            fine=(*(() if several else ("perturbation",)), *_FINE),
            charts=bars(scored, "Difference of the overall score from the reference", "difference")
            if rows
            else (),
            warnings=self.imprecise(
                len(scored.papers),
                rows,
                lambda row: f"{row['agent']}, judged by {row['judge']}",
                "reviewed paper",
            ),
            method=[self.interval_note(records, why)],
            reading="Each row is one reviewer minus the reference, on the same papers. Below 0, it "
            "is worse than the reference. Intervals are of single figures; the p-values are "
            "corrected for the number of comparisons.",
            terms=TERMS,
        )

    def _row(self, records: Records, part: Part, other: Part) -> dict[str, Cell]:
        mine, theirs = part.sums[OVERALL].shared(other.sums[OVERALL])
        row: dict[str, Cell] = {
            "judge": part.judge,
            "agent": part.agent,
            "perturbation": part.perturbation or UNCHANGED,
            "shared": mine.papers,
            "n": mine.n,
            "confidence": self.confidence,
            "unit": "paper",
        }
        if not mine.n:
            return {**row, "note": "no paper has complete reviews of both"}
        found = gains(self, records, part, other, (OVERALL, *BY_NAME))
        row["short"] = short_of(
            {"difference" if name == OVERALL else name: gain for name, gain in found.items()}
        )
        for name, gain in found.items():
            row |= FIGURES[name].cells(_negated(gain))
            if name == OVERALL:
                row["note"] = join_notes(note_of(gain))
        return {
            **row,
            "mean": sum(mine.totals) / mine.n,
            "reference": sum(theirs.totals) / theirs.n,
        }


def _tests(part: Part, other: Part) -> dict[str, float | None]:
    """Return the p-value of each figure over the papers that both have."""
    from revkit import stats

    found = {}
    for name in FIGURES:
        mine, theirs = part.sums[name].shared(other.sums[name])
        differences = [
            a / m - b / n
            for a, m, b, n in zip(
                mine.totals, mine.counts, theirs.totals, theirs.counts, strict=True
            )
            if m
        ]
        # Sums of equal scores can differ in the last digit.
        moved = [0.0 if abs(each) < _ROUNDING else each for each in differences]
        found[name] = stats.cluster_sign_test(moved).p_value if moved else None
    return found


def _correct(
    rows: Sequence[dict[str, Cell]],
    tests: Sequence[Mapping[str, float | None]],
    names: Sequence[str],
) -> None:
    """Write the p-values of ``names`` into ``rows``, with Holm's correction over all of them."""
    from revkit import stats

    adjusted = iter(stats.holm([found[name] for found in tests for name in names]))
    for row in rows:
        for name in names:
            row["p_holm" if name == OVERALL else f"{column_of(name)}_p"] = next(adjusted)


def _negated(gain: Estimate) -> Estimate:
    """Return a gain of the reference as a difference from it: the interval with its sign
    changed.
    """
    interval = gain.interval.map_ends(lambda end: 0.0 - end)
    return replace(gain, value=_minus(gain.value), interval=interval)


def _minus(value: float | None) -> float | None:
    return None if value is None else 0.0 - value


_ROUNDING = 1e-9
_FINE = (
    *(f"{column_of(d.name)}_p" for d in DIMENSIONS),
    *("confidence", "unit", "short", "note"),
)
