"""Structure: the parts of a paper's text, as offsets into it.

`revkit.model.Paper` holds them; the parser of `revkit.model.blocks` and its siblings makes them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from revkit.dataclass import dataclass

BlockKind = Literal[
    "heading",
    "paragraph",
    "list-item",
    "quote",
    "table",
    "code",
    "math",
    "figure",
    "html",
    "reference",
    "front-matter",
]
SectionRole = Literal[
    "front",
    "abstract",
    "introduction",
    "related-work",
    "method",
    "experiments",
    "results",
    "discussion",
    "limitations",
    "conclusion",
    "references",
    "acknowledgements",
    "appendix",
    "other",
]
Part = Literal["headings", "references", "citations"]
"""A part of a paper that a perturbation may have to leave alone. Citations are recognised if they
name entries of the reference list."""
CitationStyle = Literal["numeric", "author-year", "latex", "label", "none"]


@dataclass(frozen=True, slots=True)
class Span:
    """Characters ``start`` to ``end`` (exclusive) of a paper's text."""

    start: int
    end: int


def merged(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Return ``spans`` in order, with overlapping ones merged."""
    found: list[Span] = []
    for span in sorted(spans, key=lambda span: (span.start, span.end)):
        if found and span.start < found[-1].end:
            found[-1] = Span(found[-1].start, max(found[-1].end, span.end))
        else:
            found.append(span)
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Block:
    """One block of a paper: ``text[start:end]``, without surrounding blank lines or markers.

    A list item starts after its marker. ``section`` is the nearest heading's text as written
    ("" before the first) and ``role`` what that section is for. ``level`` counts from 1 and is 0
    for everything but headings.
    """

    kind: BlockKind
    start: int
    end: int
    section: str = ""
    role: SectionRole = "other"
    level: int = 0

    @property
    def is_prose(self) -> bool:
        """Whether the block contains running sentences of the paper's own argument."""
        return self.kind in ("paragraph", "list-item") and self.role not in (
            "front",
            "references",
            "acknowledgements",
        )


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of prose, without the blanks around it. ``block`` indexes `Paper.blocks`."""

    start: int
    end: int
    block: int


@dataclass(frozen=True, slots=True)
class Citation:
    """A citation marker in prose: ``[3, 7]``, ``(Lee et al., 2021)``, ``\\citep{x}``, ``Lee
    (2021)``, ``[Lee21; AB+20]``.

    The span covers the whole mark with its brackets; for the narrative form ``Lee et al. (2021)``
    it covers names and year. ``keys`` are the single works named, as written ("3", "Lee et al.,
    2021", "vaswani2017").
    """

    start: int
    end: int
    style: CitationStyle
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reference:
    """One entry of the reference list. ``label`` is its number or key as written ("3", "Lee21",
    "" for an unlabelled list); the span covers label and text."""

    start: int
    end: int
    label: str
    text: str
    year: int | None = None
