"""The corpus `review-bench`: ReviewBench, constructed from human reviews."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import Any, ClassVar, Literal

from revkit.contracts import Context, Corpus, ServiceName
from revkit.errors import OptionError, RunError
from revkit.files import Found, Unreadable, digest_of_files, find_files, root_of
from revkit.model.paper import Labels, Paper, Skipped
from revkit.model.values import Json
from revkit.options import option, options_of
from revkit.prompting import Sampling
from revkit_reviewbench.checklists import ChecklistProblem, checklists_from_json
from revkit_reviewbench.corpora.bench_papers import (
    Normalised,
    extra_of,
    lacking,
    paper_of,
    plain,
)
from revkit_reviewbench.corpora.building import Case, Derived, Recipe, derive
from revkit_reviewbench.corpora.exclusion import complete_reviews, drawn, excluded
from revkit_reviewbench.corpora.layouts import Submission, submissions
from revkit_reviewbench.corpora.normalise import Form, NormalReview, read_text
from revkit_reviewbench.corpora.venues import Venue, VenueProblem, read_venues, venue_of
from revkit_reviewbench.prompting import digest_of_prompt

_SUFFIXES = (".json", ".jsonl", ".ndjson")
_BESIDE = ".pdf.json"  # PeerRead's parsed papers, read with the reviews that they belong to


@dataclass(frozen=True)
class ReviewBench(Corpus):
    """ReviewBench (Li et al., section 3): papers with human reviews, a reference and rubrics.

    ``path`` is a file or folder of records: DeepReview-13K (``paper_context``, ``review``),
    OpenReview (API 1 and 2, as far as they carry a text), PeerRead (``reviews/`` beside
    ``parsed_pdfs/``), or a bench that is ready-made (``eval_rubrics.json``: ``golden_review``,
    ``rubrics``), whose records need no reviews and are not sampled.

    What happens, in this order: the four exclusion rules, each a reason that is counted
    (`revkit_reviewbench.corpora.exclusion`); the sample; normalisation of the human reviews to one
    schema; and, with a ``model``, the reference review and the rubrics. Each paper's labels hold
    the human ratings on the declared scale, whose mean is the ground truth, and the decision;
    ``labels.extra`` holds ``reviews``, ``reference``, ``rubrics`` and what was ``dropped`` of
    these. Reviewers see papers without labels, so nothing of it reaches them.

    With ``venues``, records of several venues are brought to the one schema: scores linearly from
    the declared scales of each venue's form onto the schema's, fields under the names that it
    declares. ``labels.extra`` then holds ``venue`` and ``venue-scales``. A score that a venue does
    not declare is not on its form; a record of no declared venue is skipped, since its scales are
    not known.

    The answers of models are stored: a second run, also one that was stopped, pays for none of
    them again. A paper whose calls fail is skipped with the reason, and tried again next time.
    """

    name: ClassVar[str] = "review-bench"
    version: ClassVar[str] = "1"
    data: ClassVar[tuple[str, ...]] = (
        "revkit_reviewbench:prompts/*.md",
        "revkit_reviewbench:schemas/*.json",
    )
    uses: ClassVar[tuple[ServiceName, ...]] = ("llm",)

    path: str = option(help="File or folder of records.")
    share: float = option(
        0.1, help="Share of the papers to sample, after the rules.", minimum=0, maximum=1
    )
    sample_seed: int = option(42, help="Seed of the sample.", minimum=0)
    least_words: int = option(
        500, help="Rule 1: a text of fewer words is an incomplete submission.", minimum=1
    )
    form: Literal["sections", "any-text"] = option(
        "sections",
        help="When a review is complete: with all four texts and five scores, as in the paper, or "
        "with any text and a rating, for forms of older years.",
    )
    rating_scale: tuple[float, float] = option(
        (1.0, 10.0),
        help="Lowest and highest rating of the form, others are no ratings; with venues: the scale "
        "that their ratings are brought onto.",
    )
    venues: Mapping[str, Any] | None = option(
        None,
        help="Venues by name, each with the scales of its form (rating, soundness, presentation, "
        "contribution, confidence), what tells its records (names, folders), and perhaps form and "
        "fields; records of others are skipped.",
    )
    model: str = option(
        "", help="Model that writes the rubrics, by its name in litellm; empty: only normalise."
    )
    aggregator: str = option(
        "", help="Model that merges the human reviews; empty: the one that writes the rubrics."
    )
    reference: Literal["merged", "single"] = option(
        "merged", help="What rubrics start from: all reviews, or a single one that is drawn."
    )
    temperature: float = option(0.0, help="Sampling temperature.", minimum=0, maximum=5)
    max_tokens: int = option(8192, help="Longest reply in tokens.", minimum=1)
    most_points: int = option(
        6, help="Key points of each dimension at most.", minimum=1, maximum=12
    )
    ngram: int = option(5, help="Words in the runs by which copying is measured.", minimum=2)
    most_copied: float = option(
        0.2,
        help="Share of a key point's runs that may stand in human reviews and not in the paper.",
        minimum=0,
        maximum=1,
    )
    at_once: int = option(
        4, help="Papers whose rubrics are made at the same time.", minimum=1, maximum=64
    )
    max_bytes: int = option(
        1_000_000_000, help="A file or line of more bytes than this is skipped.", minimum=1
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        problems = []
        if self.rating_scale[0] >= self.rating_scale[1]:
            problems.append(("rating-scale", "the lowest rating must be below the highest"))
        if self.aggregator and not self.model:
            problems.append(("aggregator", "merges reviews for a model that writes rubrics"))
        try:
            if not problems:
                self._venues()
        except VenueProblem as error:
            problems.append(("venues", str(error)))
        if problems:
            raise OptionError(self.name, problems)

    def _venues(self) -> tuple[Venue, ...] | None:
        if self.venues is None:
            return None
        return read_venues(self.venues, self.form == "sections", self.rating_scale)

    def identity(self) -> Json:
        """The options, with the files' content in the place of their path, and the prompts."""
        options = {key: value for key, value in options_of(self).items() if key != "path"}
        options["content"] = digest_of_files(self._files())
        if self.model:
            options["prompts"] = [digest_of_prompt(name, name) for name in ("reference", "rubrics")]
        return options

    def models(self) -> Sequence[str]:
        """The models that it asks; none where it only normalises."""
        if not self.model:
            return ()
        merging = [] if self.reference == "single" else [self.aggregator or self.model]
        return tuple(dict.fromkeys([*merging, self.model]))

    def papers(self, ctx: Context) -> Iterator[Paper | Skipped]:
        """Yield the papers of the bench, with a `Skipped` for each that is left out.

        Raises `RunError` where there is no record at all.
        """
        items = self._normalised()
        while batch := list(islice(items, self.at_once if self.model else 1)):
            yield from ctx.gather([partial(self._derived, item, ctx) for item in batch])

    def _normalised(self) -> Iterator[Normalised | Paper | Skipped]:
        seen: set[str] = set()
        empty = True
        venues = self._venues()
        for found in self._records():
            empty = False
            if isinstance(found, Skipped):
                yield found
                continue
            if found.id in seen:
                yield Skipped(found.id, "duplicate id", found.source)
                continue
            seen.add(found.id)
            venue = None if venues is None else venue_of(found, venues)
            if isinstance(venue, str):
                yield Skipped(found.id, venue, found.source)
                continue
            yield (
                self._ready(found, venue) if found.rubrics is not None else self._one(found, venue)
            )
        if empty:
            raise RunError(f"{self.path} holds no record; point path at a file of them")

    def _records(self) -> Iterator[Submission | Skipped]:
        files = self._files()
        for file in files:
            if file.name.casefold().endswith(_BESIDE):
                continue
            try:
                for item in submissions(file, self.max_bytes):
                    yield Skipped(item[0], item[1], item[0]) if isinstance(item, tuple) else item
            except Unreadable as error:
                if len(files) == 1:
                    raise RunError(f"{file.path}: {error}; correct the file or the path") from None
                yield Skipped(file.name, str(error), file.name)

    def _files(self) -> list[Found]:
        return find_files(root_of(self.name, self.path), _SUFFIXES)

    def _form(self, venue: Venue | None) -> Form:
        return venue.form if venue else Form(self.form == "sections", self.rating_scale)

    def _one(self, found: Submission, venue: Venue | None) -> Normalised | Skipped:
        """Rules, sample and normalisation of one submission."""
        reason = excluded(found, self.least_words)
        reviews, notes, rule = self._complete(found, venue)
        reason = reason or rule
        if not reason and not drawn(self.sample_seed, self.share, found.id):
            reason = f"not in the sample (share {self.share:g}, seed {self.sample_seed})"
        if reason:
            return Skipped(found.id, reason, found.source)
        ratings = tuple(review.rating for review in reviews)
        labels = Labels(
            accept=found.decision.accept,
            decision=found.decision.wording,
            ratings=ratings,
            rating_scale=self._form(venue).scale,
            confidences=tuple(review.confidence for review in reviews),
            extra=extra_of(found, reviews, venue),
        )
        more = [found.decision.note, "" if found.decision.wording else "no decision"]
        told = tuple(note for note in (*found.notes, *notes, *more) if note)
        case = Case(
            found.id,
            found.title,
            found.text,
            reviews,
            math.fsum(ratings) / len(ratings),
            found.decision.wording,
        )
        return Normalised(case, labels, found.source, told)

    def _complete(
        self, found: Submission, venue: Venue | None
    ) -> tuple[tuple[NormalReview, ...], tuple[str, ...], str]:
        """`complete_reviews`, with the fields called as the venue declares."""
        if venue is not None:
            found = replace(found, reviews=tuple(venue.reading(each) for each in found.reviews))
        return complete_reviews(found, self._form(venue))

    def _ready(self, found: Submission, venue: Venue | None) -> Paper | Skipped:
        """A record of a bench that is ready-made: its rubrics and reference as they stand."""
        if not found.text:
            return Skipped(found.id, "rule 1: empty or incomplete submission", found.source)
        try:
            rubrics = checklists_from_json(found.rubrics)
        except ChecklistProblem as error:
            return Skipped(found.id, f"rubrics cannot be read: {error}", found.source)
        reviews, notes, _ = self._complete(found, venue)
        ratings = tuple(review.rating for review in reviews)
        extra: dict[str, Json] = {
            **extra_of(found, reviews, venue),
            "reference": {"text": read_text(found.reference), "from": "ready-made"},
            "rubrics": [checklist.to_json() for checklist in rubrics],
        }
        labels = Labels(
            accept=found.decision.accept,
            decision=found.decision.wording,
            ratings=ratings,
            rating_scale=self._form(venue).scale if ratings else "",
            confidences=tuple(review.confidence for review in reviews),
            extra=extra,
        )
        told = (*notes, found.decision.note, lacking([c.dimension for c in rubrics]))
        return paper_of(found.id, found.title, found.text, labels, found.source, told)

    def _derived(self, item: Normalised | Paper | Skipped, ctx: Context) -> Paper | Skipped:
        """The paper of one normalised record, with reference and rubrics where a model is named."""
        if not isinstance(item, Normalised):
            return item
        case = item.case
        if not self.model:
            return paper_of(case.id, case.title, case.text, item.labels, item.source, item.notes)
        made = derive(case, self._recipe(), self.sample_seed, ctx)
        if not isinstance(made, Derived):
            step, failure = made
            return Skipped(case.id, f"no {step}: {plain(failure)}", item.source)
        extra: dict[str, Json] = {
            **item.labels.extra,
            "reference": dict(made.reference),
            "rubrics": [checklist.to_json() for checklist in made.rubrics],
            "dropped": [dict(each) for each in made.dropped],
            "asked-again": made.asked_again,
        }
        dropped = len(made.dropped)
        told = (
            *item.notes,
            f"{dropped} key point{'s' * (dropped > 1)} dropped" if dropped else "",
            lacking([checklist.dimension for checklist in made.rubrics]),
        )
        labels = replace(item.labels, extra=extra)
        return paper_of(case.id, case.title, case.text, labels, item.source, told)

    def _recipe(self) -> Recipe:
        return Recipe(
            Sampling(self.model, self.temperature, self.max_tokens),
            self.aggregator or self.model,
            self.reference == "single",
            self.ngram,
            self.most_copied,
            min(2, self.most_points),
            self.most_points,
        )
