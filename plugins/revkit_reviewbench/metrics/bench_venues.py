"""The metric `bench-venues`: scores of reviews by the venue of the reviewed paper."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from revkit.dataclass import dataclass
from revkit.figures import (
    CONFIDENCE,
    FEW_PAPERS,
    NOTE,
    SHORT,
    UNIT,
    join_notes,
    note_of,
    short_of,
    short_warnings,
)
from revkit.figures.numbers import count_of
from revkit.model.records import Records
from revkit.model.table import Cell, Chart, Column, Table, TableWarning
from revkit_reviewbench.dimensions import DIMENSIONS
from revkit_reviewbench.metrics.base import AGENT, JUDGE, ReviewMetric
from revkit_reviewbench.metrics.parts import (
    ALL_COMPLETE,
    COUNTS,
    OVERALL,
    Part,
    means,
    score_cells,
    score_columns,
)
from revkit_reviewbench.metrics.review_scores import NO_REVIEWS, ReviewScores, column_of
from revkit_reviewbench.terms import TERMS

ALL = "all venues"
NONE = "no venue"
_COLUMNS = (
    JUDGE,
    AGENT,
    Column("venue", "Venue", "", "The venue of the reviewed papers, from their labels."),
    *score_columns(),
    *COUNTS,
    CONFIDENCE,
    UNIT,
    SHORT,
    NOTE,
)
_FINE = (
    *(f"{column_of(d.name)}_{end}" for d in DIMENSIONS for end in ("low", "high")),
    "papers",
    "lost",
    "confidence",
    "unit",
    "short",
    "note",
)


@dataclass(frozen=True)
class BenchVenues(ReviewMetric):
    """ReviewBench's scores on papers of several venues (Li et al., section A.1 and Table 5).

    One row for each evaluator, reviewing agent and venue, as in `bench-scores`, and before them one
    over all venues, in which every review counts once, so that a venue with many papers has more
    weight. The paper has only that row. Venues are those of ``labels.extra["venue"]`` (option
    ``venues`` of `review-bench` and `synthetic-bench`), and reviews are of unchanged papers.

    A difference between venues is not only a property of the reviewer: their papers, their people
    and their checklists differ as well.
    """

    name: ClassVar[str] = "bench-venues"
    version: ClassVar[str] = "6"
    table_columns: ClassVar[tuple[Column, ...]] = _COLUMNS

    def measure(self, records: Records) -> Table:
        """Return the table; without reviews it is empty, with a note."""
        scored = ReviewScores(records)
        venues = tuple(dict.fromkeys(review.venue for review in scored.reviews))
        notes = [] if scored.reviews else [NO_REVIEWS]
        if scored.reviews and not any(venues):
            notes.append("No reviewed paper names a venue.")
        parts = [
            (venue, part)
            for judge in (scored.judges if scored.reviews else ())
            for venue, part in _parts(scored, judge, venues)
        ]
        estimates = means(self, records, [part for _, part in parts])
        rows: list[dict[str, Cell]] = [
            {
                "judge": part.judge,
                "agent": part.agent,
                "venue": venue,
                **score_cells(found),
                **part.counts(),
                "confidence": self.confidence,
                "unit": "paper",
                "short": short_of({**found}),
                "note": join_notes(note_of(found[OVERALL])),
            }
            for (venue, part), found in zip(parts, estimates, strict=True)
        ]
        why = "the unit is the reviewed paper, because its reviews are not independent"
        return Table.of(
            self.name,
            "ReviewBench: scores of reviews by venue",
            _COLUMNS,
            rows,
            [*notes, ALL_COMPLETE, self.interval_note(records, why)],
            headline=True,
            fine=_FINE,
            charts=[
                Chart(
                    "bars",
                    f"Overall score by venue, judged by {judge}",
                    "venue",
                    "overall",
                    group="agent",
                    low="overall_low",
                    high="overall_high",
                    where=(("judge", judge),),
                )
                for judge in (scored.judges if rows else ())
            ],
            warnings=_small(rows)
            or short_warnings(self.name, rows, lambda row: f"{row['agent']} at {row['venue']}"),
            method=[ALL_COMPLETE, self.interval_note(records, why)],
            reading="Each row is one reviewer at one venue; higher is better. Venues differ in "
            "their papers and checklists as well.",
            terms=TERMS,
        )


def _small(rows: Sequence[dict[str, Cell]]) -> list[TableWarning]:
    """Return a warning if a venue has few papers."""
    papers = [int(str(row["papers"])) for row in rows if row["papers"]]
    if not papers or min(papers) >= FEW_PAPERS:
        return []
    count = count_of(min(papers), "reviewed paper")
    text = f"The smallest venue has {count}: intervals from resampling may be too short."
    return [TableWarning("imprecise", text)]


def _parts(scored: ReviewScores, judge: str, venues: tuple[str, ...]) -> Iterator[tuple[str, Part]]:
    for source in scored.main_sources:
        totals = scored.totals(judge, source)
        yield ALL, Part.of(judge, source, totals, scored.papers)
        for venue in venues:
            mine = [total for total in totals if total.review.venue == venue]
            yield venue or NONE, Part.of(judge, source, mine, scored.papers)
