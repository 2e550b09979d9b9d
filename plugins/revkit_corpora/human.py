"""The agent `human`: returns the human reviews of a paper as its own reviews."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import ClassVar, Literal

from revkit.contracts import Agent, Context
from revkit.dataclass import dataclass
from revkit.errors import OptionError
from revkit.model.paper import Paper
from revkit.model.rating_scale import RatingScale
from revkit.model.review import Failure, Outcome, Review, Scale
from revkit.model.written_review import PaperReviews, WrittenReview
from revkit.options import option, unknown_name
from revkit.venues import declared_scale, form_named, form_names

SEVERITY = "severity"


@dataclass(frozen=True)
class Human(Agent):
    """Returns the human reviews of a paper, which its corpus contains.

    A row of people beside those of agents: what reviews score in ReviewBench, how often verdicts
    agree, how far people disagree among themselves. Corpora that carry reviews are `deepreview`,
    `openreview`, `peerread`, `review-bench`, `jsonl` (``reviews``) and the data sets of reviews.

    The scale must be declared, since a corpus may hold several: ``form`` names the review form
    ("iclr-2020"), ``ends`` gives the lowest and highest rating, and ``form: severity`` maps the
    ratings of each paper to severity (0 no flaw, 100 reject) by the paper's own form. A paper whose
    ratings are on another scale is a Failure ("rejected").

    ``reviewer`` says whose review counts: ``panel`` is the mean rating of all, with all texts;
    a number is the review with that number; ``each`` gives review 1 to the first repeat, review 2
    to the second and so on, so that ``repeats: 3`` shows the disagreement of three people;
    ``meta`` is the meta-review, which has no rating.

    Nobody reviewed a variant: a run asks for none, and by hand each is a Failure ("rejected"), as
    is a paper that lacks the review. A review without a rating is a Failure ("partial"), unless
    ``unrated`` keeps it for its text.
    """

    name: ClassVar[str] = "human"
    version: ClassVar[str] = "1"
    data: ClassVar[tuple[str, ...]] = ("revkit.venues:forms.toml",)
    deterministic: ClassVar[bool] = True
    uses: ClassVar = ("reviews",)
    cannot_see: ClassVar[str] = (
        "It repeats reviews that people wrote of the unchanged papers: figures that compare them "
        "with ratings of the same people show nothing, and variants have no review."
    )

    form: str = option(
        "", help='Review form of the ratings, such as "iclr-2020", or "severity"; see above.'
    )
    ends: tuple[float, float] | None = option(
        None, help="Lowest and highest rating, for a form that has no name."
    )
    reviewer: Literal["panel", "each", "meta"] | int = option(
        "panel",
        help="The review to return: panel, each, meta, or the number of one review, from 1.",
    )
    verdict: Literal["score", "venue", "none"] = option(
        "score", help="The source of the verdict: the score, the venue's decision, or none."
    )
    accept_at: float | None = option(
        None, help="With verdict: score, the score from which it is accept; null: no verdict."
    )
    unrated: Literal["fail", "keep"] = option(
        "fail",
        help=(
            "Treatment of a review without a rating: as a Failure, or as a review without a score."
        ),
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        problems = []
        if bool(self.form) == bool(self.ends):
            problems.append(
                (
                    "form",
                    "a corpus may hold ratings on several scales: declare one of form "
                    f"(a name such as iclr-2020, or {SEVERITY}) and ends",
                )
            )
        elif self.form and self.form != SEVERITY and form_named(self.form) is None:
            names = (SEVERITY, *form_names())
            problems.append(("form", unknown_name("form", self.form, names)))
        if self.ends and self.ends[0] >= self.ends[1]:
            problems.append(("ends", "the lowest rating must be below the highest"))
        if isinstance(self.reviewer, int) and self.reviewer < 1:
            problems.append(("reviewer", "reviews are counted from 1"))
        if self.accept_at is not None and self.verdict != "score":
            problems.append(("accept-at", "goes with verdict: score"))
        if problems:
            raise OptionError(self.name, problems)

    @cached_property
    def _ratings(self) -> RatingScale | None:
        """The declared scale of the ratings; None for severity."""
        if self.ends:
            return declared_scale(*self.ends)
        return form_named(self.form)

    @property
    def scale(self) -> Scale:
        """The declared scale. A mean may lie between the values of a form."""
        ratings, at = self._ratings, self.accept_at
        if ratings is None:
            return Scale(SEVERITY, 0.0, 100.0, higher_is_better=False, accept_at=at)
        return Scale(ratings.name, ratings.minimum, ratings.maximum, accept_at=at)

    def review(self, paper: Paper, ctx: Context) -> Outcome:
        """Return the chosen review of ``paper``, or the reason why there is none."""
        written = ctx.human_reviews()
        if written is None:
            return Failure(
                "rejected",
                "there is no human review of this text: people reviewed the unchanged paper",
            )
        chosen = self._chosen(written, ctx.repeat)
        if isinstance(chosen, Failure):
            return chosen
        rated = [each.rating for each in chosen if each.rating is not None]
        if rated and (problem := self._misfit(written.scale)):
            return Failure("rejected", problem)
        if not rated and self.unrated == "fail":
            return Failure("partial", f"{_named(chosen)} without a rating", _text(chosen))
        score = _mean([self._score(rating, written.scale) for rating in rated])
        return Review(
            accept=self._accept(score, written),
            score=score,
            text=_text(chosen),
            confidence=_mean([each.confidence for each in chosen]),
            aspects=_aspects(chosen),
            details={
                "reviews": [each.number for each in chosen],
                "ratings": [each.rating for each in chosen],
            },
        )

    def _chosen(self, written: PaperReviews, repeat: int) -> Sequence[WrittenReview] | Failure:
        people = [each for each in written.reviews if not each.meta]
        if self.reviewer == "panel":
            return people or Failure("rejected", "the corpus contains no review of this paper")
        if self.reviewer == "meta":
            metas = [each for each in written.reviews if each.meta]
            return metas or Failure("rejected", "the corpus contains no meta-review of this paper")
        place = repeat if self.reviewer == "each" else int(self.reviewer) - 1
        if place < len(people):
            return [people[place]]
        return Failure(
            "rejected", f"the paper has {len(people)} reviews, and no review {place + 1}"
        )

    def _misfit(self, scale: RatingScale | None) -> str:
        """Return why the ratings of a paper are not on the declared scale; "" if they are."""
        if scale is None:
            return "the scale of its ratings is unknown: declare `form` or `scale` of the corpus"
        mine = self._ratings
        if mine is None or (mine.minimum, mine.maximum) == (scale.minimum, scale.maximum):
            return ""
        return (
            f"its ratings are on {scale.name} ({scale.minimum:g} to {scale.maximum:g}), "
            f"not on {mine.name} ({mine.minimum:g} to {mine.maximum:g})"
        )

    def _score(self, rating: float, scale: RatingScale | None) -> float:
        if self._ratings is not None:
            return rating
        assert scale is not None
        return scale.to_severity(rating)

    def _accept(self, score: float | None, written: PaperReviews) -> bool | None:
        if self.verdict == "venue":
            return written.accept
        return self.scale.accepts(score) if score is not None and self.verdict == "score" else None


def _text(reviews: Sequence[WrittenReview]) -> str:
    """Return the text of one review, or of several reviews under their numbers."""
    if len(reviews) == 1:
        return reviews[0].text
    return "\n\n".join(f"Review {each.number}\n\n{each.text}" for each in reviews if each.text)


def _named(reviews: Sequence[WrittenReview]) -> str:
    numbers = ", ".join(str(each.number) for each in reviews)
    return f"{'meta-review' if reviews[0].meta else 'review'} {numbers}"


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def _aspects(reviews: Sequence[WrittenReview]) -> dict[str, float]:
    """Return the further scores, each the mean of the reviewers who gave one."""
    names = sorted({name for each in reviews for name in each.aspects})
    means = {name: _mean([each.aspects.get(name) for each in reviews]) for name in names}
    return {name: value for name, value in means.items() if value is not None}
