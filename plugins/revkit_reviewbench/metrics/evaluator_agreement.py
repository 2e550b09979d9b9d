"""The metric `evaluator-agreement`: agreement of an evaluator with human scores, as in Table 4."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from revkit.dataclass import dataclass
from revkit.errors import OptionError
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
from revkit.figures.numbers import count_of, number_at, with_interval
from revkit.model.records import Records
from revkit.model.table import Cell, Column, Finding, Table
from revkit.model.values import Json, digest_of
from revkit.options import option, options_of
from revkit_reviewbench.dimensions import NAMES
from revkit_reviewbench.metrics.base import JUDGE, ReviewMetric
from revkit_reviewbench.metrics.human_scores import (
    OVERALL,
    HumanScore,
    HumanScoresProblem,
    read_human_scores,
)
from revkit_reviewbench.metrics.pairwise import pairwise_abs_error, pairwise_rank_error
from revkit_reviewbench.metrics.review_scores import NO_REVIEWS, ReviewScores
from revkit_reviewbench.terms import TERMS

if TYPE_CHECKING:
    from revkit.stats import Estimate

_QUESTION = "Does the evaluator score reviews as people do?"
_MOST_LEADING = 3
FIGURES = (
    Figure(
        "mae", "MAE", POINTS, "Mean difference between the score of the evaluator and of people."
    ),
    Figure(
        "spearman",
        "Spearman",
        "correlation",
        "Correlation of the ranks; 1: the same order as people.",
    ),
    Figure(
        "pearson",
        "Pearson",
        "correlation",
        "Correlation of the scores; 1: on one line with those of people.",
    ),
    Figure(
        "pairwise_abs_error",
        "Pairwise absolute error",
        POINTS,
        "Mean error of the evaluator in the difference between two reviews.",
    ),
    Figure(
        "pairwise_rank_error",
        "Pairwise rank error",
        "share",
        "Share of the pairs of reviews that the evaluator orders the other way than people; a tie "
        "is half.",
    ),
)
_COLUMNS = (
    JUDGE,
    Column("dimension", "Dimension", "", "One of the eight, or overall.", clear=True),
    *(column for figure in FIGURES for column in figure.columns),
    Column("n", "n", "count", "Reviews with a score by people and one by the evaluator."),
    Column("papers", "Papers", "count", "The reviewed papers."),
    Column("unmatched", "Unmatched", "count", "Reviews with a human score only."),
    CONFIDENCE,
    UNIT,
    SHORT,
    NOTE,
)


@dataclass(frozen=True)
class EvaluatorAgreement(ReviewMetric):
    """Agreement of an evaluator with human scores (Li et al., section 5.4 and Table 4).

    ``file`` is a CSV with the columns ``paper`` and ``agent`` (as the first run names them),
    ``score``, and perhaps ``dimension`` (one of the eight, or overall, which is the default).
    Several scores of one review, by several raters or in repeats of the evaluator, are averaged, so
    an item is one agent's review of one paper (an unchanged one if reviews of perturbed papers are
    judged, too). Scores are on the range of the dimension (overall: -2 to 14) unless
    ``human-scale`` states another.

    A figure that cannot be computed is an empty cell with the reason in ``note``: a correlation of
    constant scores, or an order of pairs without a pair that people order. Intervals are
    over papers: of errors studentised, of correlations percentiles, of pairwise errors by the
    jackknife.
    """

    name: ClassVar[str] = "evaluator-agreement"
    version: ClassVar[str] = "7"
    table_columns: ClassVar[tuple[Column, ...]] = _COLUMNS
    file: str = option("", help="CSV of human scores: paper, agent, score, and perhaps dimension.")
    human_scale: tuple[float, float] | None = option(
        None, help="Lowest and highest human score; none: the range of each dimension."
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.file:
            message = "is required: a CSV of human scores"
            raise OptionError(self.name, [("file", message)])
        scale = self.human_scale
        if scale is not None and scale[0] >= scale[1]:
            message = "the lowest score must be below the highest"
            raise OptionError(self.name, [("human-scale", message)])
        self._human()

    def _human(self) -> tuple[HumanScore, ...]:
        try:
            return read_human_scores(self.file, self.human_scale)
        except HumanScoresProblem as error:
            raise OptionError(self.name, [("file", str(error))]) from None

    def identity(self) -> Json:
        """Return the options, with the scores instead of the file's path."""
        scores: Json = [[s.paper, s.agent, s.dimension, s.score] for s in self._human()]
        return {**options_of(self), "file": digest_of(scores)}

    def files_needed(self) -> Sequence[str]:
        """Return the file of human scores."""
        return (self.file,)

    def measure(self, records: Records) -> Table:
        """Return a row for each evaluator and each dimension with human scores."""
        scored = ReviewScores(records)
        human = _by_dimension(self._human())
        rows = [
            self._row(records, scored, judge, dimension, human[dimension])
            for judge in scored.judges
            for dimension in (OVERALL, *NAMES)
            if dimension in human
        ]
        notes = [] if scored.reviews else [NO_REVIEWS]
        why = "the unit is the reviewed paper, because its reviews are not independent"
        most = max((int(str(row["papers"])) for row in rows), default=0)
        notes += [
            "An item is one agent's review of one paper; scores of several raters are averaged.",
            self.interval_note(records, why),
        ]
        return Table.of(
            self.name,
            "ReviewBench: evaluators against people",
            _COLUMNS,
            rows,
            notes,
            headline=True,
            findings=_findings(rows),
            reading="Each row is one evaluator on one dimension. Lower errors and higher "
            "correlations are better.",
            terms=TERMS,
            fine=("papers", "confidence", "unit", "short", "note"),
            warnings=self.imprecise(
                most, rows, lambda row: f"{row['judge']}, {row['dimension']}", "reviewed paper"
            ),
            method=notes[-1:],
        )

    def _row(
        self,
        records: Records,
        scored: ReviewScores,
        judge: str,
        dimension: str,
        human: Mapping[tuple[str, str], float],
    ) -> dict[str, Cell]:
        judged = _evaluated(scored, judge, dimension)
        items = [(key, human[key], judged[key]) for key in sorted(human) if key in judged]
        estimates = self._estimates_of(records, items)
        notes = [f"{name}: {note}" for name, each in estimates.items() if (note := note_of(each))]
        return {
            "judge": judge,
            "dimension": dimension,
            **{
                key: cell
                for figure in FIGURES
                for key, cell in figure.cells(estimates[figure.name]).items()
            },
            "n": len(items),
            "papers": len({paper for (paper, _), _, _ in items}),
            "unmatched": len(human) - len(items),
            "confidence": self.confidence,
            "unit": "paper",
            "short": short_of(estimates),
            "note": join_notes(*notes),
        }

    def _estimates_of(
        self, records: Records, items: Sequence[tuple[tuple[str, str], float, float]]
    ) -> dict[str, Estimate]:
        from revkit import stats

        papers = [paper for (paper, _), _, _ in items]
        human, judged = [h for _, h, _ in items], [a for _, _, a in items]
        errors = sums(
            list(dict.fromkeys(papers)),
            ((paper, abs(h - a)) for paper, h, a in zip(papers, human, judged, strict=True)),
        )
        resampling = self.resampling(records)
        estimates = {
            "mae": stats.mean_error(errors.totals, errors.counts, power=1, resampling=resampling)
        }
        for kind in ("spearman", "pearson"):
            estimates[kind] = stats.cluster_bootstrap_correlation(
                human, judged, papers, kind=kind, resampling=resampling
            )
        for pairwise in (pairwise_abs_error, pairwise_rank_error):
            estimates[pairwise.__name__] = pairwise(human, judged, papers, resampling=resampling)
        return estimates


def _findings(rows: Sequence[Mapping[str, Cell]]) -> list[Finding]:
    """Return the question, and the agreement on the overall score."""
    found = []
    for row in rows:
        if row["dimension"] != OVERALL or number_at(row, "mae") is None:
            continue
        reviews = count_of(int(str(row["n"])), "review")
        papers = count_of(int(str(row["papers"])), "paper")
        text = (
            f"{row['judge']}: its overall scores differ from those of people by "
            f"{with_interval(row, 'mae', 2)} points on average, on a scale from -2 to 14, "
            f"over {reviews} of {papers}"
        )
        if number_at(row, "spearman") is not None:
            ranks = with_interval(row, "spearman", 2)
            text += f"; the correlation of the ranks is {ranks} (1: same order)"
        found.append(Finding(f"{text}."))
    return [Finding(_QUESTION, part="question"), *found[:_MOST_LEADING]] if found else []


def _by_dimension(
    scores: Sequence[HumanScore],
) -> dict[str, dict[tuple[str, str], float]]:
    """Return the mean human score of each review, by dimension."""
    lists: dict[str, dict[tuple[str, str], list[float]]] = {}
    for each in scores:
        mine = lists.setdefault(each.dimension, {})
        mine.setdefault((each.paper, each.agent), []).append(each.score)
    return {
        dimension: {key: math.fsum(values) / len(values) for key, values in mine.items()}
        for dimension, mine in lists.items()
    }


def _evaluated(scored: ReviewScores, judge: str, dimension: str) -> dict[tuple[str, str], float]:
    """Return the evaluator's mean score of each review on a dimension, or overall."""
    lists: dict[tuple[str, str], list[float]] = {}
    for source in scored.main_sources:
        for total in scored.totals(judge, source):
            score = total.overall if dimension == OVERALL else total.scores.get(dimension)
            if score is not None:
                lists.setdefault((total.review.paper, total.review.agent), []).append(score)
    return {key: math.fsum(values) / len(values) for key, values in lists.items()}
