"""Integration: connectors and attributions to sources are removed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import ClassVar

from revkit.contracts import Context
from revkit.dataclass import dataclass
from revkit.model import Edit, Paper, Rejection
from revkit.options import option
from revkit_yescieval.perturbations.connectors import Site, sites
from revkit_yescieval.perturbations.heuristic import Heuristic
from revkit_yescieval.perturbations.language import is_english_sentence
from revkit_yescieval.perturbations.passage import Passage, Piece

_QUOTED = re.compile(r"“[^”]{1,600}”|\"[^\"]{1,600}\"|«[^»]{1,600}»")
_MARK = re.compile(
    r"\s?(?:\((?:[Pp]apers? ?)?\d{1,3}(?:(?:[,;–-]| and|,)\s?(?:[Pp]aper )?\d{1,3})*\)"
    r"|\[\d{1,3}(?:[,;–-]\s?\d{1,3})*\]"
    # Atomic, since "," and " " before a year may also end the names.
    r"|\((?>[A-ZÀ-Þ][^()\d]{1,60},? \d{4}[a-z]?)"
    r"(?>; ?[A-ZÀ-Þ][^()\d]{1,60},? \d{4}[a-z]?)*+\))"
    r"(?=[\s.,;:)])"
)


@dataclass(frozen=True)
class Integration(Heuristic):
    """Remove logical connectors and the words that attribute claims to their sources.

    YESciEval, rubric 5: "Drop valid in-sentence connectors like logical conjunctions and provenance
    markers". Subtle: "Remove the first logical connector (e.g., 'however', 'therefore')". Extreme:
    "Remove all logical connectors". The lexicon, with the positions of each connector, is
    ``connectors.tsv``; markers of provenance are phrases such as "According to ...,", "as reported
    by ..." and "Studies have shown that". Case and commas are repaired, so the rest of each
    sentence is grammatical.

    This differs from the seed in one way: its own corpus also drops "and", "or", "for" and "while",
    which leaves broken sentences and so tests grammar rather than integration. Here the lexicon
    holds only words whose removal leaves a sentence. Bracketed citation markers stay, as in the
    seed, unless ``citations`` is set. Text without a connector, and text that is not English, is
    rejected.
    """

    name: ClassVar[str] = "integration"
    version: ClassVar[str] = "2"
    data: ClassVar[tuple[str, ...]] = ("connectors.tsv",)
    target: ClassVar[str] = "integration"

    citations: bool = option(False, help="also remove bracketed citation markers")

    def perturb(self, paper: Paper, ctx: Context) -> Sequence[Edit] | Rejection:
        """Return the removal of the first marker, or of all."""
        passage = Passage.of(paper, self.section)
        if isinstance(passage, Rejection):
            return passage
        if not passage.english:
            return Rejection("not English, but the lexicon of connectors is English")
        edits: list[Edit] = []
        for piece in passage.sentences:
            for site in self._sites(passage, piece):
                edits.append(Edit(site.start, site.end, site.new, f"removed: {site.form}"))
                if self.level == "subtle":
                    return edits
        return edits or Rejection("no connector or marker of provenance that can be removed")

    def _sites(self, passage: Passage, piece: Piece) -> Iterator[Site]:
        text = passage.paper.text
        if not is_english_sentence(passage.text(piece)):
            return
        blocked = _blocked(passage.paper, piece)
        one = self.level == "subtle"
        markers = list(sites(text, piece.start, piece.end, blocked, one=one))
        if self.citations:
            for mark in _MARK.finditer(text, piece.start, piece.end):
                if all(mark.end() <= site.start or mark.start() >= site.end for site in markers):
                    markers.append(Site(mark.start(), mark.end(), "", mark[0].strip()))
        yield from sorted(markers, key=lambda site: site.start)


def _blocked(paper: Paper, piece: Piece) -> Callable[[int, int], bool]:
    """Return a test whether a span touches a quotation, or protected text other than a citation."""
    spans: list[tuple[int, int]] | None = None

    def blocked(start: int, end: int) -> bool:
        nonlocal spans
        if spans is None:
            spans = _blocked_spans(paper, piece)
        return any(a < end and start < b for a, b in spans)

    return blocked


def _blocked_spans(paper: Paper, piece: Piece) -> list[tuple[int, int]]:
    quoted = [
        (piece.start + match.start(), piece.start + match.end())
        for match in _QUOTED.finditer(paper.text[piece.start : piece.end])
    ]
    cited = {(citation.start, citation.end) for citation in paper.citations}
    spans = ((span.start, span.end) for span in paper.protected(piece.start, piece.end))
    return quoted + [span for span in spans if span not in cited]
