"""Review sets: data sets of annotated reviews, loaded as papers or as texts.

Each data set has a reader that gives a `SetPaper` for each paper; what becomes of it is the same
for all of them.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from typing import Any, ClassVar, Literal

from revkit.dataclass import dataclass
from revkit.errors import PaperError
from revkit.files import CorpusFile, Unreadable, digest_of_files
from revkit.model.paper import Labels, Material, Paper, Skipped
from revkit.model.values import Json
from revkit.options import option
from revkit.venues import (
    TEXTS,
    Draft,
    HumanReview,
    fields_of,
    read_decision,
    scored,
    with_reviews,
)
from revkit_corpora.file_corpus import ReviewedCorpus
from revkit_corpora.paper_texts import NO_TEXTS, PaperTexts, find_paper_texts

MEASURES = "measures"
"""The key of ``labels.extra`` under which a review carries what annotators found in it."""


@dataclass(frozen=True)
class SetReview:
    """One review of a data set: its ``id`` within the paper, its fields as written, and the
    ``measures`` that follow from its annotations, by name.
    """

    id: str
    fields: Mapping[str, Any]
    rating: object = None
    confidence: object = None
    meta: bool = False
    measures: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class SetPaper:
    """One paper of a data set. ``text`` is the whole text or ""; in the latter case ``abstract`` is
    used.
    """

    id: str
    source: str
    title: str = ""
    text: str = ""
    abstract: str = ""
    venues: tuple[str, ...] = ()
    decision: object = None
    reviews: tuple[SetReview, ...] = ()
    extra: Mapping[str, Json] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    text_ids: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Return the ids under which a folder of texts may contain the text of this paper."""
        return (self.id, *self.text_ids)


@dataclass(frozen=True)
class ReviewSet(ReviewedCorpus):
    """A data set of annotated reviews.

    ``items: papers`` gives the papers with their reviews, ratings and decisions; ``items: reviews``
    gives each review as a separate text, to be judged: its ``labels.extra`` holds its paper, its
    rating and the measures that follow from annotations.
    """

    paths: ClassVar[tuple[str, ...]] = ("path", "texts")

    texts: str = option(
        "",
        help="Folder with the texts of the papers (.md, .txt, .tex), named by the paper's id, "
        'optionally after an underscore ("ICLR2020_ID.md").',
    )
    items: Literal["papers", "reviews"] = option(
        "papers", help="The texts of the corpus: papers, or single reviews of papers."
    )

    @abstractmethod
    def set_papers(self, files: Sequence[CorpusFile]) -> Iterator[SetPaper | Skipped]:
        """Yield the papers of the data set in a stable order."""

    @cached_property
    def _texts(self) -> PaperTexts:
        return find_paper_texts(self.name, self.texts) if self.texts else NO_TEXTS

    def identity(self) -> Json:
        """Return the options, with digests of the data set and of the texts instead of their
        paths.
        """
        identity = super().identity()
        assert isinstance(identity, dict)
        return {**identity, "texts": digest_of_files(self._texts.files)}

    def read(self, files: Sequence[CorpusFile]) -> Iterator[Paper | Skipped]:
        for found in self.set_papers(files):
            if isinstance(found, Skipped):
                yield found
            elif self.items == "papers":
                yield self._paper(found)
            else:
                yield from self._reviews(found)

    def _paper(self, found: SetPaper) -> Paper | Skipped:
        draft = Draft(found.id, found.source, found.notes)
        text, title, lacks = self._text(found, draft)
        reviews, metas = _human_reviews(found.reviews)
        scores, form, with_scores = scored(reviews, found.venues, self.declared)
        decision = read_decision(found.decision, self.declared.decisions)
        labels = draft.labels(
            decision, scores, form, venue=" ".join(found.venues[:1]), extra=dict(found.extra)
        )
        paper = draft.skipped(lacks) if lacks else draft.paper(text, title, labels)
        return with_reviews(paper, with_scores, metas)

    def _text(self, found: SetPaper, draft: Draft) -> tuple[str, str, str]:
        """Return the text, the title, and the reason why there is no text."""
        title = draft.line(found.title, "title")
        if self.texts:
            for name in found.names:
                if name in self._texts.by_name:
                    try:
                        text, repairs = self._texts.read(name, self.max_bytes)
                    except Unreadable as error:
                        return "", title, str(error)
                    draft.note(*repairs)
                    return text, title, ""
            if not found.text and not found.abstract:
                return "", title, "no text in texts"
        if found.text:
            return draft.text(found.text), title, ""
        abstract = draft.text(found.abstract, "abstract").strip()
        if not abstract:
            return "", title, "the data set contains no text of papers: set texts"
        draft.note("abstract only")
        head = f"# {title}\n\n" if title else ""
        return f"{head}## Abstract\n\n{abstract}\n", title, ""

    def _reviews(self, found: SetPaper) -> Iterator[Paper | Skipped]:
        """Return each review as a text, together with the text of its paper if there is one."""
        draft = Draft(found.id, found.source, found.notes)
        source, title, lacks = self._text(found, draft)
        sources = () if lacks else (Material("source", source, title),)
        reviews, metas = _human_reviews(found.reviews)
        _, form, with_scores = scored(reviews, found.venues, self.declared)
        scores = iter(with_scores)
        others = iter(metas)
        for given in found.reviews:
            review = next(others if given.meta else scores)
            extra: dict[str, Json] = {
                "paper": found.id,
                "meta-review": given.meta,
                "rating": review.score,
                "form": "" if form.scale is None else form.scale.name,
                MEASURES: dict(given.measures),
            }
            id_ = f"{found.id}/{given.id}" if given.id else found.id
            text = _alone(review)
            if not text:
                yield Skipped(id_, "skipped: the review has no text", found.source)
                continue
            try:
                yield Paper(id_, text, "", Labels(extra=extra), draft.source, (), sources)
            except PaperError as error:
                yield Skipped(id_, f"no review: {error}", found.source)


def _alone(review: HumanReview) -> str:
    """Return the text of a review, without a heading if it has only one part."""
    parts = [text for name in TEXTS if (text := str(review.fields.get(name) or "").strip())]
    return parts[0] if len(parts) == 1 else review.text.strip()


def _human_reviews(
    reviews: Sequence[SetReview],
) -> tuple[list[HumanReview], list[HumanReview]]:
    """Return reviews and meta-reviews, numbered together from 1."""
    both: tuple[list[HumanReview], list[HumanReview]] = ([], [])
    for number, each in enumerate(reviews, start=1):
        fields = {**fields_of(each.fields), "rating": each.rating, "confidence": each.confidence}
        human = HumanReview(fields, each.rating, each.confidence, number=number)
        both[each.meta].append(human)
    return both
