"""Paper: a text with labels, and its structure, parsed on first use.

The parsers are loaded then, too: many commands parse no paper.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Mapping
from dataclasses import field, replace
from functools import cached_property
from itertools import takewhile
from typing import TYPE_CHECKING, Literal

from revkit.dataclass import dataclass
from revkit.errors import PaperError
from revkit.model.edits import Edit, apply_edits
from revkit.model.notebook import html_facts
from revkit.model.paper_file import LAID_OUT, ORIGINAL, PaperFile
from revkit.model.rating_scale import RatingScale
from revkit.model.structure import Block, Citation, CitationStyle, Reference, Sentence, Span, merged
from revkit.model.values import Json, digest_of
from revkit.model.words import count_words
from revkit.model.written_review import PaperReviews, WrittenReview

if TYPE_CHECKING:
    from revkit.model.citation_forms import CitationForms


@dataclass(frozen=True, slots=True)
class Material:
    """A text that belongs to a paper: the question that it answers, a source, the key points by
    which this text is to be judged (a "rubric"), or the statements that an attack "planted".

    Judges see it; no perturbation touches it.
    """

    role: Literal["question", "source", "rubric", "planted"]
    text: str
    title: str = ""

    def to_json(self) -> dict[str, Json]:
        return {"role": self.role, "text": self.text, "title": self.title}


@dataclass(frozen=True, slots=True)
class Unmapped:
    """A wording in the labels of a paper that has no known meaning, and so gives no value.

    ``kind`` says what it should have been: a rating, a decision, or the review form whose scale
    the ratings are on (then ``wording`` names the venue, or the forms between which it is open).
    """

    kind: Literal["rating", "decision", "form"]
    wording: str

    def to_json(self) -> dict[str, Json]:
        return {"kind": self.kind, "wording": self.wording}


@dataclass(frozen=True)
class Labels:
    """The human (or generated) ratings and decision of a paper. Agents never see them.

    ``accept`` is the decision as a yes or no, ``decision`` its wording at the source; ``ratings``
    are the human scores and ``confidences`` theirs, ``None`` where missing. ``scale`` is the scale
    of the ratings, None where its ends are not known; a higher rating is a better one.
    ``rating_scale`` is the scale's name, or that of the venue where the ends are not known:
    ratings under two names are never mixed. ``severity`` is on 0 (no flaw) to 100 (reject) and
    ``severity_se`` its standard error in the same points, where known; ``tier`` is one of none,
    minor, major, reject; ``topic`` a cluster name; ``quality`` a generator's latent value.
    ``unmapped`` lists the wordings that gave no value; reports count them.
    """

    accept: bool | None = None
    decision: str = ""
    ratings: tuple[float, ...] = ()
    rating_scale: str = ""
    confidences: tuple[float | None, ...] = ()
    severity: float | None = None
    tier: str = ""
    topic: str = ""
    quality: float | None = None
    extra: Mapping[str, Json] = field(default_factory=dict)
    scale: RatingScale | None = None
    severity_se: float | None = None
    unmapped: tuple[Unmapped, ...] = ()

    def __post_init__(self) -> None:
        if isinstance(self.scale, RatingScale) and not self.rating_scale:
            object.__setattr__(self, "rating_scale", self.scale.name)

    def to_json(self) -> dict[str, Json]:
        return {
            "accept": self.accept,
            "decision": self.decision,
            "ratings": list(self.ratings),
            "rating_scale": self.rating_scale,
            "confidences": list(self.confidences),
            "severity": self.severity,
            "tier": self.tier,
            "topic": self.topic,
            "quality": self.quality,
            "extra": dict(self.extra),
            "scale": None if self.scale is None else self.scale.to_json(),
            "severity_se": self.severity_se,
            "unmapped": [each.to_json() for each in self.unmapped],
        }


class LeftOut(str):
    """A loader's note on a part of the record that could not be used, so that labels are based on
    the rest; reports count papers with such notes.
    """

    __slots__ = ()


class HiddenNote(str):
    """A loader's note on text that a program reads in the source and a reader does not see;
    reports count papers with such notes.
    """

    __slots__ = ()


@dataclass(frozen=True)
class Paper:
    """One paper: ``text`` is Markdown (or plain text) and includes title and references.

    ``id`` is text, whatever it looks like ("2604.01960" is not a number). ``source`` says where the
    paper came from, ``notes`` what its loader had to repair; a note on what it could not use is a
    `LeftOut`, one on text that a reader does not see a `HiddenNote`. ``materials`` are what the
    text was written from, where it answers a question about sources. ``reviews`` are those that
    people wrote, and as hidden from components as the labels. Blocks, sentences, citations and
    references are parsed from ``text`` when first read and kept; comments of LaTeX source are in
    none of them.

    ``file`` is the file that the text was read from, where that file shows what the text does and
    may be handed to an agent unchanged. ``layout`` names the layout in which the text is written to
    a file for an agent; "" is the usual one. Neither is part of the text or of `digest`.

    Raises `PaperError` for an empty id, a text without a printable character, or a lone surrogate
    (which no file can hold): `revkit.model.intake.clean_text` repairs and counts those.
    """

    id: str
    text: str
    title: str = ""
    labels: Labels = Labels()
    source: str = ""
    notes: tuple[str, ...] = ()
    materials: tuple[Material, ...] = ()
    reviews: tuple[WrittenReview, ...] = ()
    file: PaperFile | None = None
    layout: str = ""

    def __post_init__(self) -> None:
        texts = {name: getattr(self, name) for name in ("id", "text", "title", "source")}
        for number, material in enumerate(self.materials, 1):
            texts[f"material {number}"] = material.text
            texts[f"title of material {number}"] = material.title
        for name, value in texts.items():
            if not isinstance(value, str):
                raise PaperError(f"paper {name} must be text, not {type(value).__name__}")
            try:
                value.encode("utf-8")
            except UnicodeEncodeError as error:
                raise PaperError(
                    f"paper {self.id!r}: {name} contains a lone surrogate at {error.start}"
                ) from None
        if not self.id:
            raise PaperError("a paper must have an id")
        if not self.text or self.text.isspace():
            raise PaperError(f"paper {self.id!r} has no text")

    def __repr__(self) -> str:
        return f"Paper({self.id!r:.80}, {self.title!r:.80}, {len(self.text):,} characters)"

    def _repr_html_(self) -> str:
        facts = {
            "id": self.id,
            "characters": f"{len(self.text):,}",
            "decision": self.labels.decision or self.labels.accept,
            "notes": "; ".join(self.notes) or "none",
        }
        return html_facts(self.title or self.id, facts, [self.text])

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of what a component can see: title, text, materials. The id is not part of
        it.
        """
        seen: dict[str, Json] = {"text": self.text, "title": self.title}
        if self.materials:
            seen["materials"] = [material.to_json() for material in self.materials]
        return digest_of(seen)

    @property
    def seen_digest(self) -> str:
        """The SHA-256 of what an agent can see: `digest`, together with the file or the layout if
        there is one.
        """
        if self.file is None and not self.layout:
            return self.digest
        file = None if self.file is None else self.file.to_json()
        return digest_of({"paper": self.digest, "file": file, "layout": self.layout})

    @property
    def human_reviews(self) -> PaperReviews:
        """The human reviews of the paper, for an agent that declares the service "reviews"."""
        return PaperReviews(self.reviews, self.labels.scale, self.labels.accept)

    def blind(self) -> Paper:
        """Return the paper as components see it: no labels, no reviews, and an id that reveals
        nothing."""
        blind = Paper(
            id=self.digest[:16],
            text=self.text,
            title=self.title,
            materials=self.materials,
            file=self.file,
            layout=self.layout,
        )
        if self == blind:
            return self
        _copy_parsed(self, blind)
        return blind

    def edited(self, edits: Iterable[Edit]) -> Paper:
        """Return the paper with ``edits`` applied to its text; everything else is unchanged."""
        text = apply_edits(self.text, edits)
        return replace(self, text=text, file=self.file if text == self.text else None)

    def laid_out(self, layout: str) -> Paper:
        """Return the paper in ``layout``: "" is the usual one of each writer, "original" the file
        that the paper was read from.

        Raises `PaperError` for "original" where there is no such file.
        """
        if layout != ORIGINAL:
            return self._changed(None, layout)
        if self.file is None:
            raise PaperError(f"paper {self.id!r} has no file")
        return self._changed(self.file, "")

    def for_reader(self, formats: Collection[str]) -> Paper:
        """Return the paper as a reader of files in ``formats`` sees it: without a file and a layout
        that none of these formats shows.
        """
        file = self.file if self.file is not None and self.file.format in formats else None
        return self._changed(file, self.layout if set(LAID_OUT) & set(formats) else "")

    def _changed(self, file: PaperFile | None, layout: str) -> Paper:
        if (self.file, self.layout) == (file, layout):
            return self
        changed = replace(self, file=file, layout=layout)
        _copy_parsed(self, changed)
        return changed

    @cached_property
    def _hidden(self) -> tuple[tuple[int, int], ...]:
        from revkit.model.latex_source import hidden_spans

        return hidden_spans(self.text)

    @cached_property
    def _visible(self) -> str:
        """The text with blanks instead of LaTeX that TeX does not read, at the same length."""
        from revkit.model.latex_source import visible_text

        return visible_text(self.text, self._hidden) if self._hidden else self.text

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """The blocks in order, without overlap; all text outside them is markup or blank."""
        from revkit.model.blocks import parse_blocks

        return parse_blocks(self._visible)

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        """The sentences of all prose blocks, in order."""
        from revkit.model.sentences import split_sentences

        return tuple(
            Sentence(span.start, span.end, index)
            for index, block in enumerate(self.blocks)
            if block.is_prose
            for span in split_sentences(self._visible, block.start, block.end)
        )

    @cached_property
    def citation_forms(self) -> CitationForms:
        """How the paper cites, decided from its reference list and its markers together."""
        from revkit.model.citation_forms import citation_forms

        return citation_forms(self._visible, self.blocks, self.references)

    @cached_property
    def citations(self) -> tuple[Citation, ...]:
        """The citation markers in prose blocks, in order."""
        return tuple(
            citation
            for block in self.blocks
            if block.is_prose
            for citation in self.citation_forms.find(self._visible, block.start, block.end)
        )

    @cached_property
    def references(self) -> tuple[Reference, ...]:
        """The entries of the reference list, in order; empty if there is none."""
        from revkit.model.citations import parse_references

        return parse_references(self._visible, self.blocks)

    @property
    def citation_style(self) -> CitationStyle:
        """The style of most citation markers; "none" without markers."""
        counts: dict[CitationStyle, int] = {}
        for citation in self.citations:
            counts[citation.style] = counts.get(citation.style, 0) + 1
        return max(counts, key=lambda style: counts[style]) if counts else "none"

    def protected(self, start: int, end: int) -> tuple[Span, ...]:
        """Return the spans within ``start:end`` that are not words of prose: mathematics, code,
        citation markers, links, addresses, tags, LaTeX comments. They are sorted and do not
        overlap.
        """
        from revkit.model.sentences import protected_spans

        spans = protected_spans(self._visible, start, end)
        more = [*self._hidden_within(start, end), *self._marks_within(start, end)]
        return merged([*spans, *more]) if more else spans

    def _hidden_within(self, start: int, end: int) -> list[Span]:
        place = bisect_left(self._hidden, (start, start))
        return [
            Span(first, min(last, end))
            for first, last in takewhile(lambda span: span[0] < end, self._hidden[place:])
        ]

    def _marks_within(self, start: int, end: int) -> list[Span]:
        """Return citation markers that can be recognised only from the whole paper."""
        forms = self.citation_forms
        if not forms.is_wide:
            return []
        place = bisect_left(self.citations, start, key=lambda mark: mark.start)
        marks = takewhile(lambda mark: mark.end <= end, self.citations[place:])
        return [Span(mark.start, mark.end) for mark in marks]

    @cached_property
    def words(self) -> int:
        """The number of words of prose: runs of non-blanks in prose blocks that contain a letter or
        a digit.
        """
        return sum(
            count_words(self._visible, block.start, block.end)
            for block in self.blocks
            if block.is_prose
        )


_PARSED = (
    "digest",
    "_hidden",
    "_visible",
    "blocks",
    "sentences",
    "citation_forms",
    "citations",
    "references",
)


def _copy_parsed(paper: Paper, copy: Paper) -> None:
    """Give ``copy``, which has the same text, what was parsed of ``paper``."""
    for name in _PARSED:
        if name in paper.__dict__:
            copy.__dict__[name] = paper.__dict__[name]


@dataclass(frozen=True, slots=True)
class Skipped:
    """One record of a corpus that did not become a paper, with the reason."""

    id: str
    reason: str
    source: str = ""

    def to_json(self) -> dict[str, Json]:
        return {"id": self.id, "reason": self.reason, "source": self.source}


@dataclass(frozen=True, slots=True)
class Undrawn(Skipped):
    """A paper of the corpus that a sample left out, with the stratum that it was drawn from."""

    stratum: str = ""

    @classmethod
    def of(cls, paper: Paper, stratum: str) -> Undrawn:
        """Return the record of ``paper`` of ``stratum``."""
        return cls(paper.id, "not in the sample", paper.source, stratum)
