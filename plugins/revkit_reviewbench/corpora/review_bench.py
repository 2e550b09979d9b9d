"""The corpus `review-bench`: ReviewBench, built from human reviews."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import ClassVar, Literal

from revkit.contracts import Context, Corpus, ServiceName
from revkit.dataclass import dataclass
from revkit.errors import OptionError, RunError
from revkit.files import (
    CorpusFile,
    digest_of_files,
    files_passed_over,
    find_files,
    root_of,
    skip_files,
    skip_links,
)
from revkit.model.paper import Labels, Material, Paper, Skipped
from revkit.model.values import Json
from revkit.options import Nested, option, options_of
from revkit.prompting import Sampling
from revkit.venues import PARSED, RECORD_FILES, Declared, Submission, read_text, submissions
from revkit_reviewbench.checklists import (
    ChecklistProblem,
    checklist_materials,
    checklists_from_json,
)
from revkit_reviewbench.corpora.bench_papers import (
    Normalised,
    extra_of,
    lacking,
    paper_of,
    plain,
)
from revkit_reviewbench.corpora.derivation import Case, Derived, Recipe, derive
from revkit_reviewbench.corpora.exclusion import INCOMPLETE, complete_reviews, drawn, excluded
from revkit_reviewbench.corpora.normalise import SCHEMA_RATING, Form, NormalReview, bench_scale
from revkit_reviewbench.corpora.venues import (
    Venue,
    VenueOptions,
    VenueProblem,
    read_venues,
    venue_of,
)
from revkit_reviewbench.prompt_parts import digest_of_prompt


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
    all human ratings on the scale of its form, whose mean is the ground truth, and the decision;
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
    version: ClassVar[str] = "2"
    data: ClassVar[tuple[str, ...]] = (
        "revkit_reviewbench:prompts/*.md",
        "revkit_reviewbench:schemas/*.json",
        "revkit.venues:forms.toml",
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
    rating_scale: tuple[float, float] | None = option(
        None,
        help=(
            "Lowest and highest rating of the form; other values are not ratings; null: from the "
            "form of each record. With venues: the scale to which their ratings are mapped, 1 to "
            "10 if null."
        ),
    )
    ratings: Mapping[str, float] | None = option(
        None, help='Meaning of the wordings of ratings: {"Weak accept": 5}.', later=True
    )
    decisions: Mapping[str, bool | None] | None = option(
        None,
        help='Meaning of decisions: {"Invite to Archive": false}; null: neither accept nor reject.',
        later=True,
    )
    venues: Nested[Mapping[str, VenueOptions] | None] = option(
        None,
        help="Venues by name, each with the scales of its form and what identifies its records; "
        "records of others are skipped.",
    )
    model: str = option(
        "", help="Model that writes the rubrics, by its name in litellm; empty: only normalise."
    )
    aggregator: str = option(
        "", help="Model that merges the human reviews; empty: the one that writes the rubrics."
    )
    reference: Literal["merged", "single"] = option(
        "merged", help="The basis of the rubrics: all reviews, or a single one that is drawn."
    )
    temperature: float = option(0.0, help="Sampling temperature.", minimum=0, maximum=5)
    max_tokens: int = option(8192, help="Maximum length of a reply in tokens.", minimum=1)
    most_points: int = option(
        6, help="Maximum number of key points of each dimension.", minimum=1, maximum=12
    )
    absences: bool = option(
        False,
        help="Key points may also state what a paper lacks, if a search finds nothing.",
        later=True,
    )
    ngram: int = option(
        5, help="Length in words of the runs by which copying is measured.", minimum=2
    )
    most_copied: float = option(
        0.2,
        help="Share of a key point's runs that may be in human reviews and not in the paper.",
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
        if self.rating_scale and self.rating_scale[0] >= self.rating_scale[1]:
            problems.append(("rating-scale", "the lowest rating must be below the highest"))
        if self.aggregator and not self.model:
            problems.append(
                (
                    "aggregator",
                    "merges reviews for the model that writes rubrics; set `model` too",
                )
            )
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
        onto = self.rating_scale or SCHEMA_RATING
        return read_venues(self.venues, self.form == "sections", onto)

    def identity(self) -> Json:
        """Return the options, with the content of files instead of their path, and the prompts."""
        options = {key: value for key, value in options_of(self).items() if key != "path"}
        options["content"] = digest_of_files(self._files())
        if self.model:
            names = ("reference", self._prompt)
            options["prompts"] = [digest_of_prompt(name, name) for name in names]
        return options

    def models(self) -> Sequence[str]:
        """The models that it calls; none if it only normalises."""
        if not self.model:
            return ()
        merging = [] if self.reference == "single" else [self.aggregator or self.model]
        return tuple(dict.fromkeys([*merging, self.model]))

    def papers(self, ctx: Context) -> Iterator[Paper | Skipped]:
        """Yield the papers of the benchmark, with a `Skipped` for each that is left out, and first
        of all for each file that is not read.

        Raises `RunError` where there is no record at all.
        """
        others = files_passed_over(root_of(self.name, self.path), self._files())
        yield from skip_files(self.name, others, RECORD_FILES)
        yield from skip_links(root_of(self.name, self.path))
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
            elif found.id in seen:
                yield Skipped(found.id, "duplicate id", found.source)
            else:
                made = self._entry(found, venues)
                if not isinstance(made, Skipped):
                    seen.add(found.id)
                yield made
        if empty:
            raise RunError(f"{self.path} contains no record; set path to a file of records")

    def _entry(
        self, found: Submission, venues: tuple[Venue, ...] | None
    ) -> Normalised | Paper | Skipped:
        if not found.id and isinstance(found.paper, Skipped):
            return found.paper
        venue = None if venues is None else venue_of(found, venues)
        if isinstance(venue, str):
            return Skipped(found.id, venue, found.source)
        if found.record.get("rubrics") is not None:
            return self._ready(found, venue)
        return self._one(found, venue)

    def judging_materials(self, labels: Labels) -> Sequence[Material]:
        """Return the checklists of a paper."""
        return checklist_materials(labels)

    def _records(self) -> Iterator[Submission | Skipped]:
        scale = bench_scale(self.rating_scale) if self.rating_scale else None
        declared = Declared(scale, self.ratings or {}, self.decisions or {})
        files = [file for file in self._files() if not file.name.casefold().endswith(PARSED)]
        for file in files:
            yield from submissions(file, self.max_bytes, declared, alone=len(files) == 1)

    def _files(self) -> list[CorpusFile]:
        return find_files(root_of(self.name, self.path), RECORD_FILES)

    def _form(self, found: Submission, venue: Venue | None) -> Form:
        if venue is not None:
            return replace(venue.form, words=self.ratings or {})
        sections = self.form == "sections"
        return Form(sections, found.labels.scale, words=self.ratings or {})

    def _labels(
        self, found: Submission, reviews: Sequence[NormalReview], venue: Venue | None
    ) -> Labels:
        """Return the labels of a record; for a declared venue, those of its normalised reviews."""
        labels = replace(found.labels, extra=extra_of(found, reviews, venue))
        if venue is None:
            return labels
        ratings = tuple(review.rating for review in reviews)
        return replace(
            labels,
            ratings=ratings,
            rating_scale="",
            scale=venue.form.scale if ratings else None,
            confidences=tuple(review.confidence for review in reviews),
            unmapped=tuple(each for each in labels.unmapped if each.kind == "decision"),
        )

    def _one(self, found: Submission, venue: Venue | None) -> Normalised | Skipped:
        """Apply the rules, the sampling and the normalisation to one submission."""
        reason = excluded(found, self.least_words)
        reviews, notes, rule = self._complete(found, venue)
        reason = reason or rule
        if not reason and not drawn(self.sample_seed, self.share, found.id):
            reason = f"not in the sample (share {self.share:g}, seed {self.sample_seed})"
        if reason:
            return Skipped(found.id, reason, found.source)
        labels = self._labels(found, reviews, venue)
        more = [*found.notes, *self._on_ratings(found, venue), *notes]
        more += ["" if found.decision.wording else "no decision"]
        case = Case(
            found.id,
            found.title,
            found.text.strip(),
            reviews,
            math.fsum(review.rating for review in reviews) / len(reviews),
            found.decision.wording,
        )
        return Normalised(case, labels, found.source, tuple(dict.fromkeys(filter(None, more))))

    def _complete(
        self, found: Submission, venue: Venue | None
    ) -> tuple[tuple[NormalReview, ...], tuple[str, ...], str]:
        """Return `complete_reviews`, with the field names that the venue declares."""
        reviews = [review.fields for review in found.reviews]
        if venue is not None:
            reviews = [venue.reading(fields) for fields in reviews]
        return complete_reviews(reviews, self._form(found, venue))

    @staticmethod
    def _on_ratings(found: Submission, venue: Venue | None) -> tuple[str, ...]:
        """Return the notes on ratings of the record's own form, which a declared venue replaces."""
        return () if venue is not None else found.rating_notes

    def _ready(self, found: Submission, venue: Venue | None) -> Paper | Skipped:
        """Return a record of a ready-made benchmark: its rubrics and reference as written."""
        if isinstance(found.paper, Skipped):
            return Skipped(found.id, INCOMPLETE, found.source)
        try:
            rubrics = checklists_from_json(found.record["rubrics"])
        except ChecklistProblem as error:
            return Skipped(found.id, f"rubrics cannot be read: {error}", found.source)
        reviews, notes, _ = self._complete(found, venue)
        labels = self._labels(found, reviews, venue)
        extra: dict[str, Json] = {
            **labels.extra,
            "reference": {
                "text": read_text(found.record.get("golden_review")),
                "from": "ready-made",
            },
            "rubrics": [checklist.to_json() for checklist in rubrics],
        }
        more = (
            *found.notes,
            *self._on_ratings(found, venue),
            *notes,
            lacking([c.dimension for c in rubrics]),
        )
        labels = replace(labels, extra=extra)
        text = found.text.strip()
        return paper_of(found.id, found.title, text, labels, found.source, more, reviews)

    def _derived(self, item: Normalised | Paper | Skipped, ctx: Context) -> Paper | Skipped:
        """Return the paper of one normalised record, with reference and rubrics if a model is
        configured.
        """
        if not isinstance(item, Normalised):
            return item
        case = item.case
        if not self.model:
            return paper_of(
                case.id, case.title, case.text, item.labels, item.source, item.notes, case.reviews
            )
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
        notes = (
            *item.notes,
            f"{dropped} key point{'s' * (dropped > 1)} dropped" if dropped else "",
            lacking([checklist.dimension for checklist in made.rubrics]),
        )
        labels = replace(item.labels, extra=extra)
        return paper_of(case.id, case.title, case.text, labels, item.source, notes, case.reviews)

    def _recipe(self) -> Recipe:
        return Recipe(
            Sampling(self.model, self.temperature, self.max_tokens),
            self.aggregator or self.model,
            self.reference == "single",
            self.ngram,
            self.most_copied,
            min(2, self.most_points),
            self.most_points,
            self._prompt,
        )

    @property
    def _prompt(self) -> str:
        return "rubrics-2" if self.absences else "rubrics"
