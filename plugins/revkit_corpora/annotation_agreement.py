"""The metric `annotation-agreement`: the correlation of scores of reviews with human
annotations.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from revkit.contracts import Metric
from revkit.dataclass import dataclass
from revkit.figures import (
    CONFIDENCE,
    NOTE,
    SHORT,
    UNIT,
    Figure,
    Resampled,
    join_notes,
    note_of,
    short_of,
)
from revkit.model.records import Records
from revkit.model.table import Cell, Column, Table
from revkit.model.values import is_number
from revkit.options import option
from revkit_corpora.review_sets import MEASURES

if TYPE_CHECKING:
    from revkit.stats import Estimate

WORDS = "number of words"
_SPEARMAN = Figure(
    "spearman", "Spearman", "correlation", "Correlation of the ranks; 0: unrelated, 1: same order."
)
_PEARSON = Figure("pearson", "Pearson", "correlation", "Correlation of the scores.")
_COLUMNS = (
    Column("scorer", "Scorer", "", "An agent or judge, or the number of words as a floor."),
    Column("rubric", "Rubric", "", "The rubric of a judge; empty for an agent."),
    Column("measure", "Measure", "", "What people marked in the review, as its corpus states it."),
    *_SPEARMAN.columns,
    *_PEARSON.columns,
    Column("n", "n", "count", "Reviews with a score and the measure."),
    Column("papers", "Papers", "count", "The papers that these review; each is resampled whole."),
    Column("unscored", "Unscored", "count", "Reviews with the measure and without a score."),
    CONFIDENCE,
    UNIT,
    SHORT,
    NOTE,
)


@dataclass(frozen=True)
class AnnotationAgreement(Resampled, Metric):
    """Correlation of scores with annotations, for texts that are reviews (``items: reviews`` of
    `disapere`, `mred` and `substanreview`).

    A row is one scorer (an agent, or a judge with a rubric) and one measure of the annotations. The
    first rows are a floor: the number of words of a review. A scorer that follows a measure no
    better than that only separates long reviews from short ones. Scores of repeats are averaged.
    Intervals resample papers, since reviews of one paper hang together. ``measures`` selects
    measures; by default all are compared, and the table says how many correlations that makes.
    """

    name: ClassVar[str] = "annotation-agreement"
    version: ClassVar[str] = "4"
    table_columns: ClassVar[tuple[Column, ...]] = _COLUMNS

    measures: tuple[str, ...] = option(
        (), help="Names of the measures; none: all measures of the texts."
    )

    def measure(self, records: Records) -> Table:
        """Return a row for each scorer and measure."""
        marked = _marked(records)
        names = self.measures or tuple(
            dict.fromkeys(name for each in marked.values() for name in each)
        )
        scorers = {(WORDS, ""): {paper.id: float(paper.words) for paper in records.papers}}
        scorers |= dict(_scorers(records))
        rows = [
            self._row(records, scorer, rubric, scores, name, marked)
            for (scorer, rubric), scores in scorers.items()
            for name in names
        ]
        notes = (
            f"{len(rows)} correlations: of so many, one in {round(1 / (1 - self.confidence))} is "
            "expected to exclude 0 by chance.",
            "Intervals are over papers, each resampled with all its reviews.",
        )
        return Table.of(
            self.name,
            "Scores of reviews against what people marked in them",
            _COLUMNS,
            rows,
            notes if marked else ("No text has measures: use a corpus with items: reviews.",),
            headline=True,
            reading="Each row is one scorer and one measure. A scorer that is not better than the "
            "number of words only separates long reviews from short ones.",
            fine=("pearson", "unscored", "confidence", "unit", "short", "note"),
            warnings=self.imprecise(
                len({_paper(records, id_) for id_ in marked}),
                rows,
                lambda row: f"{row['scorer']} and {row['measure']}",
            ),
        )

    def _row(
        self,
        records: Records,
        scorer: str,
        rubric: str,
        scores: Mapping[str, float],
        name: str,
        marked: Mapping[str, Mapping[str, float]],
    ) -> dict[str, Cell]:
        with_measure = [id_ for id_, each in marked.items() if name in each]
        ids = [id_ for id_ in with_measure if id_ in scores]
        papers = [_paper(records, id_) for id_ in ids]
        first, second = [scores[id_] for id_ in ids], [marked[id_][name] for id_ in ids]
        spearman, pearson = self._correlations(records, first, second, papers)
        notes = dict.fromkeys(filter(None, map(note_of, (spearman, pearson))))
        return {
            "scorer": scorer,
            "rubric": rubric,
            "measure": name,
            **_SPEARMAN.cells(spearman),
            **_PEARSON.cells(pearson),
            "n": len(ids),
            "papers": len(set(papers)),
            "unscored": len(with_measure) - len(ids),
            "confidence": self.confidence,
            "unit": "paper",
            "short": short_of({"Spearman": spearman, "Pearson": pearson}),
            "note": join_notes(*notes) or None,
        }

    def _correlations(
        self, records: Records, x: Sequence[float], y: Sequence[float], papers: Sequence[str]
    ) -> tuple[Estimate, Estimate]:
        from revkit import stats

        resampling = self.resampling(records)
        return (
            stats.cluster_bootstrap_correlation(
                x, y, papers, kind="spearman", resampling=resampling
            ),
            stats.cluster_bootstrap_correlation(
                x, y, papers, kind="pearson", resampling=resampling
            ),
        )


def _marked(records: Records) -> dict[str, dict[str, float]]:
    """Return the annotated measures of each text that has any."""
    found: dict[str, dict[str, float]] = {}
    for paper in records.papers:
        given = paper.labels.extra.get(MEASURES)
        if isinstance(given, Mapping):
            numbers = {str(name): float(value) for name, value in given.items() if is_number(value)}
            if numbers:
                found[paper.id] = numbers
    return found


def _paper(records: Records, id_: str) -> str:
    """Return the paper that a review belongs to; the review itself if its corpus names no paper."""
    return str(records.labels[id_].extra.get("paper") or id_)


def _scorers(records: Records) -> Iterator[tuple[tuple[str, str], dict[str, float]]]:
    """Return the mean score of each text by each agent, and by each judge on each rubric."""
    for agent in records.agents:
        yield (agent.name, ""), _means((v.paper, v.score) for v in records.originals(agent.name))
    for judge in records.judges:
        for rubric in records.rubrics:
            yield (
                (judge.name, rubric.name),
                _means(
                    (each.paper, each.score)
                    for each in records.judgements
                    if (each.judge, each.rubric) == (judge.name, rubric.name)
                    and not each.perturbation
                ),
            )


def _means(scores: Iterator[tuple[str, float | None]]) -> dict[str, float]:
    found: dict[str, list[float]] = {}
    for paper, score in scores:
        if score is not None:
            found.setdefault(paper, []).append(score)
    return {paper: math.fsum(values) / len(values) for paper, values in found.items()}
