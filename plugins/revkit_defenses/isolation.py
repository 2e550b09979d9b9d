"""The defenses `section-median` and `masked-majority`: reviews of parts, and what is proved."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar, Literal

from revkit.contracts import Context, Defense, Reviewing
from revkit.dataclass import dataclass
from revkit.model.paper import Paper
from revkit.model.review import Failure, Outcome, Review, Scale
from revkit.model.values import Json
from revkit.options import option
from revkit_defenses.certificates import (
    certified_majority,
    certified_median,
    median_bound,
    worse_median,
)
from revkit_defenses.parts import PaperPart, groups, has_prose, masked_copies, sections

_LEAST_PARTS = 2
_MOST_BOUNDS = 4


class Isolation(Defense):
    """Asks for one review of each of several texts, and aggregates them.

    A part shows less than the paper, so its scores are lower: ``accept_at`` replaces the score from
    which the agent accepts, for the parts and for their median.
    """

    accept_at: float | None

    @abstractmethod
    def texts(self, paper: Paper) -> Sequence[PaperPart]:
        """The texts to review."""

    @abstractmethod
    def aggregate(self, reviews: Sequence[Review], scale: Scale) -> Review:
        """One review of all, with what is proved of it."""

    def guard(self, paper: Paper, review: Reviewing, ctx: Context) -> Outcome:
        """Review the texts one by one; a Failure where half of them or more gave no review."""
        texts = self.texts(paper)
        if len(texts) < _LEAST_PARTS:
            return Failure("rejected", f"{self.name}: the paper has no two parts to review apart")
        outcomes = [review(text.paper(paper)) for text in texts]
        reviews = [each for each in outcomes if isinstance(each, Review)]
        failures = [each for each in outcomes if isinstance(each, Failure)]
        if 2 * len(reviews) <= len(texts):
            detail = f"{self.name}: {len(failures)} of {len(texts)} parts gave no review"
            return Failure("partial", f"{detail}: {failures[0].detail}", failures[0].raw)
        scale = review.scale
        if self.accept_at is not None:
            scale = replace(scale, accept_at=self.accept_at)
            reviews = [_decided(each, scale) for each in reviews]
        return self.aggregate(reviews, scale)


@dataclass(frozen=True)
class SectionMedian(Isolation):
    """Review each section by itself, and take the median of the scores.

    An instruction, or any other text, in one section reaches one of the reviews and no other. So
    the median can be moved by it only as far as one score can move a median, and that is computed
    and printed for each paper, without a model: "whoever writes m of the n sections can bring the
    score between a and b". `Review.certified` is the largest m that leaves the decision as it is.
    After Xiang et al. (2024, "Certifiably Robust RAG against Retrieval Corruption", arXiv
    2405.15556), who isolate passages.

    ``parts: sections`` cuts at headings; its certificate holds for an attack within m sections that
    adds no heading of the highest level. ``parts: paragraphs`` distributes paragraphs over
    ``groups`` by a digest of their words; a paragraph that is added changes one group and a
    rewritten one two, so its certificate counts groups and needs no condition. In both, a part
    with fewer than ``least-words`` words of prose is not reviewed, which the proof covers, and so
    is a part that fails. The title is not shared between parts.

    The price: no review sees the whole paper, so what only the whole shows is lost, and a paper
    takes as many reviews as it has parts.
    """

    name: ClassVar[str] = "section-median"
    version: ClassVar[str] = "1"

    parts: Literal["sections", "paragraphs"] = option("sections", help="What is reviewed apart.")
    groups: int = option(5, help="Number of groups of paragraphs.", minimum=2, maximum=100)
    accept_at: float | None = option(
        None, help="Median score from which the paper is accepted; none: that of the agent."
    )
    least_words: int = option(40, help="Least words of prose of a reviewed part.", minimum=1)

    def texts(self, paper: Paper) -> Sequence[PaperPart]:
        """The parts with enough prose."""
        every = sections(paper) if self.parts == "sections" else groups(paper, self.groups)
        return [part for part in every if has_prose(part, paper, self.least_words)]

    def aggregate(self, reviews: Sequence[Review], scale: Scale) -> Review:
        """The median score with its bounds, or the majority where a review has no score."""
        return aggregated(reviews, scale, 1, "median")


@dataclass(frozen=True)
class MaskedMajority(Isolation):
    """Review copies of the paper that show ``shown`` sections each, and take most decisions.

    Of n sections there are n copies; each section is in ``shown`` of them. With one section a copy
    it isolates as `section-median` does; with more, a review sees more of the paper and less is
    proved: whoever writes m sections controls at most m times ``shown`` decisions. A smoothing in
    the manner of RanMASK (Zeng et al., 2021, arXiv 2105.03743), with sections instead of words and
    a fixed design in that of draws, so that the certificate is exact. It holds for an attack that
    adds no heading of the highest level. A tie rejects.
    """

    name: ClassVar[str] = "masked-majority"
    version: ClassVar[str] = "1"

    accept_at: float | None = option(
        None, help="Score from which a copy counts as accepted; none: as the agent decides."
    )
    shown: int = option(2, help="Sections that each copy shows.", minimum=1, maximum=100)

    def texts(self, paper: Paper) -> Sequence[PaperPart]:
        """The masked copies."""
        return tuple(masked_copies(sections(paper), self.shown))

    def aggregate(self, reviews: Sequence[Review], scale: Scale) -> Review:
        """The decision of most copies, with the median score of those that agree with it."""
        return aggregated(reviews, scale, self.shown, "majority")


def _decided(review: Review, scale: Scale) -> Review:
    """``review`` with the decision that follows from its score on ``scale``."""
    return review if review.score is None else replace(review, accept=scale.accepts(review.score))


def aggregated(
    reviews: Sequence[Review], scale: Scale, texts_a_part: int, rule: Literal["median", "majority"]
) -> Review:
    """One review of all ``reviews``: score, decision, certificate, and their texts.

    ``median``: the decision follows from the median score, where the scale implies one. The
    certificate is that of the rule which decided.
    """
    scores = [each.score for each in reviews if each.score is not None]
    accepts = [each.accept for each in reviews if each.accept is not None]
    complete = len(scores) == len(reviews)
    score = worse_median(scores, scale) if complete else None
    implied = None if score is None else scale.accepts(score)
    details: dict[str, Json] = {"parts": len(reviews), "scores": [each.score for each in reviews]}
    if rule == "median" and implied is not None:
        certified = certified_median(scores, scale, texts_a_part)
        bounds = _bounds(scores, scale, texts_a_part)
        details |= {"bounds": bounds, "certified": certified}
        text = _says(len(reviews), scores, scale, texts_a_part)
        return Review(implied, score, _texts(text, reviews), details=details, certified=certified)
    if len(accepts) != len(reviews):
        return Review(None, score, _texts("", reviews), details=details)
    accept = 2 * sum(accepts) > len(accepts)
    certified = certified_majority(accepts, texts_a_part)
    details |= {"accepting": sum(accepts), "certified": certified}
    text = f"{sum(accepts)} of {len(accepts)} reviews of parts accept."
    if rule == "majority" and complete:
        same = [r.score for r in reviews if r.accept == accept and r.score is not None]
        score = worse_median(same, scale)
    return Review(accept, score, _texts(text, reviews), details=details, certified=certified)


def _bounds(scores: Sequence[float], scale: Scale, texts_a_part: int) -> list[Json]:
    changed = range(1, min(_MOST_BOUNDS, len(scores)) + 1)
    return [median_bound(scores, m * texts_a_part, scale).to_json() for m in changed]


def _says(count: int, scores: Sequence[float], scale: Scale, texts_a_part: int) -> str:
    bound = median_bound(scores, texts_a_part, scale)
    return (
        f"Median {worse_median(scores, scale):g} of {count} parts. Whoever writes one of them can "
        f"bring it between {bound.lowest:g} and {bound.highest:g}, and no further."
    )


def _texts(head: str, reviews: Sequence[Review]) -> str:
    parts = [f"Part {number}:\n{each.text}" for number, each in enumerate(reviews, 1) if each.text]
    return "\n\n".join([head, *parts] if head else parts)
