"""The scores of a run with evaluators, by reviewing agent, dimension and reviewed paper."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from revkit.dataclass import dataclass
from revkit.model.judged_reviews import records_of_reviews
from revkit.model.records import Judgement, Records
from revkit.model.values import is_number
from revkit_reviewbench.dimensions import NAMES

NO_REVIEWS = (
    "No text of this run is a review with an agent and a paper in its labels: run evaluators on "
    "the corpus reviews-of-run."
)

Source = tuple[str, str]  # a reviewing agent, and the perturbation of what it reviewed


@dataclass(frozen=True, slots=True)
class ReviewOf:
    """One judged review: its id in this run, its agent, and the reviewed paper.

    ``perturbation`` is "" for an unchanged paper; ``index`` and ``repeat`` count variants of it and
    reviews of one text. ``rating`` is the rating in the review itself.
    """

    id: str
    agent: str
    paper: str
    perturbation: str = ""
    index: int = 0
    repeat: int = 0
    venue: str = ""
    rating: float | None = None

    @property
    def source(self) -> Source:
        """The agent and the perturbation of the reviewed paper."""
        return self.agent, self.perturbation


@dataclass(frozen=True, slots=True)
class Total:
    """The scores of one review in one repeat of an evaluator, by dimension.

    ``missing`` are the dimensions without a score, each with the kind of failure ("absent" if there
    was no judgement). Only a review without a missing dimension has an ``overall``.
    """

    review: ReviewOf
    scores: Mapping[str, float]
    missing: Mapping[str, str]
    repeat: int = 0

    @property
    def overall(self) -> float | None:
        """The sum of the eight dimensions (equation 3); None if one is missing."""
        return None if self.missing else math.fsum(self.scores.values())


@dataclass(frozen=True, slots=True)
class Tally:
    """The number of planned and failed reviews of one agent, and of reviews without text."""

    planned: int
    failed: int
    empty: int


@dataclass(frozen=True)
class ReviewScores:
    """All scores of a run, of the reviews of the same or of an earlier run."""

    records: Records

    def __post_init__(self) -> None:
        object.__setattr__(self, "records", records_of_reviews(self.records))

    @cached_property
    def reviews(self) -> tuple[ReviewOf, ...]:
        """The reviews of the run, without texts that are not reviews."""
        found = []
        for row in self.records.papers:
            extra = row.labels.extra
            agent, paper = extra.get("agent"), extra.get("paper")
            if isinstance(agent, str) and isinstance(paper, str):
                rating = extra.get("rating")
                known = is_number(rating)
                found.append(
                    ReviewOf(
                        row.id, agent, paper,
                        _text(extra.get("perturbation")),
                        _integer(extra.get("index")), _integer(extra.get("repeat")),
                        _text(extra.get("venue")),
                        float(rating) if known else None,  # type: ignore[arg-type]
                    )
                )  # fmt: skip
        return tuple(found)

    @cached_property
    def _by_source(self) -> Mapping[Source, Sequence[ReviewOf]]:
        found: dict[Source, list[ReviewOf]] = {}
        for review in self.reviews:
            found.setdefault(review.source, []).append(review)
        return found

    def reviews_of(self, source: Source) -> Sequence[ReviewOf]:
        """Return the reviews of one source, in order."""
        return self._by_source.get(source, ())

    @cached_property
    def papers(self) -> tuple[str, ...]:
        """The reviewed papers, in order, which intervals resample."""
        return tuple(dict.fromkeys(review.paper for review in self.reviews))

    @cached_property
    def tallies(self) -> Mapping[Source, Tally]:
        """Return the counts of each source in the first run, including sources without a review."""
        found: dict[Source, Tally] = {}
        for row in self.records.papers:
            tally: Any = row.labels.extra.get("tally")
            if isinstance(tally, Mapping):
                for agent, kinds in tally.items():
                    for kind, counts in kinds.items():
                        numbers = [counts.get(name, 0) for name in ("planned", "failed", "empty")]
                        found[str(agent), str(kind)] = Tally(*map(int, numbers))
                break
        return found

    @cached_property
    def sources(self) -> tuple[Source, ...]:
        """The agents with the perturbations of their papers, in the order of the first run."""
        return tuple(dict.fromkeys([*self.tallies, *(each.source for each in self.reviews)]))

    @cached_property
    def agents(self) -> tuple[str, ...]:
        """The reviewing agents, in the order of the first run."""
        return tuple(dict.fromkeys(agent for agent, _ in self.sources))

    @cached_property
    def perturbations(self) -> tuple[str, ...]:
        """The perturbations of reviewed papers, with "" (none) first."""
        found = dict.fromkeys(kind for _, kind in self.sources)
        return tuple(sorted(found, key=bool))

    @property
    def main_sources(self) -> tuple[Source, ...]:
        """The sources on unchanged papers; if there are none, those of the first perturbation."""
        main = self.perturbations[:1]
        return tuple(source for source in self.sources if source[1] in main)

    @property
    def judges(self) -> tuple[str, ...]:
        """The evaluators of the run: the judges by rubrics of the bench, or, without a judgement by
        one, all.
        """
        names = tuple(row.name for row in self.records.judges)
        used = {each.judge for each in self.records.judgements if each.rubric in NAMES}
        return tuple(name for name in names if name in used) or names

    @cached_property
    def dimensions(self) -> tuple[str, ...]:
        """The dimensions that the run judges."""
        asked = {rubric.name for rubric in self.records.rubrics}
        return tuple(name for name in NAMES if name in asked)

    @cached_property
    def _judgements(self) -> Mapping[tuple[str, str, str, int], Judgement]:
        return {
            (each.judge, each.paper, each.rubric, each.repeat): each
            for each in self.records.judgements
            if not each.perturbation
        }

    def judgements(self, judge: str, source: Source, dimension: str) -> list[tuple[str, Judgement]]:
        """Return the scores of a source's reviews on one dimension, each with the reviewed
        paper.
        """
        return [
            (review.paper, found)
            for review in self.reviews_of(source)
            for repeat in range(self.records.repeats)
            if (found := self._judgements.get((judge, review.id, dimension, repeat))) is not None
        ]

    def totals(self, judge: str, source: Source) -> list[Total]:
        """Return the scores of each review of a source, once for each repeat of the evaluator."""
        return [
            self._total(judge, review, repeat)
            for review in self.reviews_of(source)
            for repeat in range(self.records.repeats)
        ]

    def _total(self, judge: str, review: ReviewOf, repeat: int) -> Total:
        scores: dict[str, float] = {}
        missing: dict[str, str] = {}
        for name in NAMES:
            judged = self._judgements.get((judge, review.id, name, repeat))
            if judged is not None and judged.score is not None:
                scores[name] = judged.score
            else:
                missing[name] = judged.failure if judged is not None else "absent"
        return Total(review, scores, missing, repeat)


def column_of(dimension: str) -> str:
    """Return the name of a dimension as a column."""
    return dimension.replace("-", "_")


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _integer(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else 0
