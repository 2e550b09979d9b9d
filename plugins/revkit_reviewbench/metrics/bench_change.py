"""The metric `bench-change`: scores of reviews before and after a perturbation of the paper."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

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
    sums,
)
from revkit.figures.numbers import EMPTY, between, count_of, number_at
from revkit.model.records import Records
from revkit.model.table import Cell, Chart, Column, Finding, Table
from revkit_reviewbench.dimensions import BY_NAME, DIMENSIONS
from revkit_reviewbench.metrics.base import AGENT, JUDGE, ReviewMetric
from revkit_reviewbench.metrics.parts import OVERALL
from revkit_reviewbench.metrics.review_scores import NO_REVIEWS, ReviewScores, Total, column_of
from revkit_reviewbench.terms import TERMS

NO_PAIRS = (
    "This run judges no reviews of perturbed papers next to reviews of unchanged ones: set "
    "perturbation: all of reviews-of-run."
)
RATING = "rating"
_QUESTION = "Do reviews get better or worse if their paper was changed?"
_MOST_LEADING, _MOST_FINDINGS = 3, 12
_COUNTS = (
    Column("rose", "Rose", "count", "Pairs with a higher overall score after."),
    Column("fell", "Fell", "count", "Pairs with a lower overall score after."),
    Column("n", "Pairs", "count", "Both reviews have a score on all eight dimensions."),
    Column("papers", "Papers", "count", "Papers with a pair."),
    Column(
        "lost",
        "Lost pairs",
        "count",
        "Reviews of perturbed papers without a pair: one side failed or lacks a score.",
    ),
)


_HELP = {
    "before": "Mean {} for unchanged papers, over the pairs.",
    "after": "Mean {} for perturbed papers, over the pairs.",
    "change": "Mean of after minus before, over the pairs; below 0: the reviews get worse.",
}


def _figures(name: str, short: str, meaning: str, unit: str) -> dict[tuple[str, str], Figure]:
    """Return the figures before, after and change of one score; the columns of overall have short
    names.
    """
    prefix = "" if name == OVERALL else f"{column_of(name)}_"
    return {
        (name, end): Figure(
            f"{prefix}{end}",
            f"{short} {end}" if short else end.capitalize(),
            unit,
            help.format(meaning),
        )
        for end, help in _HELP.items()
    }


FIGURES = {
    **_figures(OVERALL, "", "overall score", POINTS),
    **{
        key: figure
        for d in DIMENSIONS
        for key, figure in _figures(d.name, d.short, f"score on {d.title}", POINTS).items()
    },
    **_figures(
        RATING, "Rating", "rating that the reviews give, on their own scale", "rating points"
    ),
}
_COLUMNS = (
    JUDGE,
    AGENT,
    Column("perturbation", "Perturbation", "", "What was done to the papers."),
    *(column for figure in FIGURES.values() for column in figure.columns),
    *_COUNTS,
    CONFIDENCE,
    UNIT,
    SHORT,
    NOTE,
)

_Pair = tuple[str, float, float]  # the paper, before, after


@dataclass(frozen=True)
class BenchChange(ReviewMetric):
    """The effect of a perturbation of the paper on its reviews (Li et al., Figure 4, Table 6).

    A pair is an agent's review of an unchanged paper and its review of the same paper perturbed,
    in the same repeat, judged by the same evaluator and the same checklists. ``change`` is the mean
    of after minus before; its interval resamples papers, all pairs of a paper at once. Only
    pairs with a score on all eight dimensions on both sides count, so the changes of the dimensions
    add up to the overall change; lost pairs are counted. ``rating_...`` are the same for the rating
    in the reviews, on their own scale: an attack may raise it although the review gets worse. The
    scores of each dimension before and after are in columns of the CSV, and in `bench-scores`.

    It needs ``perturbation: all`` (or a list) of `reviews-of-run`. The paper compares means without
    an interval.
    """

    name: ClassVar[str] = "bench-change"
    version: ClassVar[str] = "7"
    table_columns: ClassVar[tuple[Column, ...]] = _COLUMNS

    def measure(self, records: Records) -> Table:
        """Return the table; without pairs it is empty, with a note."""
        scored = ReviewScores(records)
        rows = [
            self._row(records, scored, judge, agent, kind)
            for judge in scored.judges
            for agent in scored.agents
            for kind in scored.perturbations
            if kind and (agent, "") in scored.sources and (agent, kind) in scored.sources
        ]
        notes = [] if rows else [NO_PAIRS if scored.reviews else NO_REVIEWS]
        most = max((int(str(row["papers"])) for row in rows), default=0)
        why = "the unit is the reviewed paper, with all its pairs"
        return Table.of(
            self.name,
            "ReviewBench: reviews before and after a perturbation",
            _COLUMNS,
            rows,
            [*notes, self.interval_note(records, why)],
            headline=True,
            findings=_findings(rows),
            reading="Each row compares the reviews of unchanged papers with those of the same "
            "papers after a perturbation.",
            terms=TERMS,
            fine=_FINE,
            charts=_charts(scored, rows),
            warnings=self.imprecise(
                most,
                rows,
                lambda row: f"{row['agent']}, judged by {row['judge']}",
                "reviewed paper",
            ),
            method=[self.interval_note(records, why)],
        )

    def _row(
        self, records: Records, scored: ReviewScores, judge: str, agent: str, kind: str
    ) -> dict[str, Cell]:
        pairs = list(_pairs(scored, judge, agent, kind))
        tally = scored.tallies.get((agent, kind))
        reviews = len(scored.reviews_of((agent, kind)))
        planned = (tally.planned if tally else reviews) * records.repeats
        values = {name: list(_values(pairs, name)) for name in (OVERALL, *BY_NAME, RATING)}
        columns = {
            (name, end): sums(scored.papers, column)
            for name, found in values.items()
            for end, column in _columns_of(found).items()
        }
        estimates = self.means(records, list(columns.values()))
        row: dict[str, Cell] = {"judge": judge, "agent": agent, "perturbation": kind}
        row |= _counts(values[OVERALL], planned)
        notes = []
        for (name, end), estimate in zip(columns, estimates, strict=True):
            row |= FIGURES[name, end].cells(estimate)
            if name == OVERALL and (note := note_of(estimate)):
                notes.append(f"{end}: {note}")
        row |= {
            "confidence": self.confidence,
            "unit": "paper",
            "short": short_of(
                {
                    FIGURES[name, end].title: estimate
                    for (name, end), estimate in zip(columns, estimates, strict=True)
                }
            ),
            "note": join_notes(*notes),
        }
        return row


def _columns_of(values: Sequence[_Pair]) -> dict[str, list[tuple[str, float]]]:
    return {
        "before": [(paper, before) for paper, before, _ in values],
        "after": [(paper, after) for paper, _, after in values],
        "change": [(paper, after - before) for paper, before, after in values],
    }


def _counts(values: Sequence[_Pair], planned: int) -> dict[str, Cell]:
    return {
        "rose": sum(after > before for _, before, after in values),
        "fell": sum(after < before for _, before, after in values),
        "n": len(values),
        "papers": len({paper for paper, _, _ in values}),
        "lost": planned - len(values),
    }


def _pairs(
    scored: ReviewScores, judge: str, agent: str, kind: str
) -> Iterator[tuple[Total, Total]]:
    """Return the scores of reviews before and after, if both are complete."""
    before = {
        (total.review.paper, total.review.repeat, total.repeat): total
        for total in scored.totals(judge, (agent, ""))
        if not total.missing
    }
    for total in scored.totals(judge, (agent, kind)):
        first = before.get((total.review.paper, total.review.repeat, total.repeat))
        if first is not None and not total.missing:
            yield first, total


def _values(pairs: Sequence[tuple[Total, Total]], name: str) -> Iterator[_Pair]:
    for before, after in pairs:
        first, second = _value(before, name), _value(after, name)
        if first is not None and second is not None:
            yield before.review.paper, first, second


def _value(total: Total, name: str) -> float | None:
    if name == RATING:
        return total.review.rating
    return total.overall if name == OVERALL else total.scores[name]


_FINE = (
    *(f"{column_of(d.name)}_{end}" for d in DIMENSIONS for end in ("before", "after")),
    "papers",
    "confidence",
    "unit",
    "short",
    "note",
)


def _findings(rows: Sequence[dict[str, Cell]]) -> list[Finding]:
    """Return the question, and the change of the overall score and of the rating in each row."""
    texts = []
    for row in rows:
        change, rating = number_at(row, "change"), number_at(row, "rating_change")
        if change is None:
            continue
        low, high = (number_at(row, f"change_{end}") for end in ("low", "high"))
        shown = "no change is shown"
        if low is not None and high is not None and not low <= 0 <= high:
            shown = "better" if change > 0 else "worse"
        ends = between(low, high, places=2)
        pairs = count_of(int(str(row["n"])), "pair of reviews", "pairs of reviews")
        text = (
            f"{row['agent']} under {row['perturbation']}, by the evaluator {row['judge']}: the "
            f"overall score changes by {change:+.2f}{'' if ends == EMPTY else f' {ends}'} "
            f"({shown}, {pairs})"
        )
        if rating is not None:
            text += f"; the rating in the reviews changes by {rating:+.2f}"
        texts.append(f"{text}.")
    if not texts:
        return []
    return [
        Finding(_QUESTION, part="question"),
        *map(Finding, texts[:_MOST_LEADING]),
        *(Finding(text, place="section") for text in texts[_MOST_LEADING:_MOST_FINDINGS]),
    ]


def _charts(scored: ReviewScores, rows: Sequence[dict[str, Cell]]) -> list[Chart]:
    return [
        Chart(
            "bars",
            f"Change of the overall score, judged by {judge}",
            "agent",
            "change",
            group="perturbation",
            low="change_low",
            high="change_high",
            where=(("judge", judge),),
        )
        for judge in (scored.judges if rows else ())
    ]
