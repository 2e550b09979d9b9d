"""Check key points that a model wrote: grounded, checkable, and in the model's own words.

ReviewBench asks for this in words (Li et al., section 3.2.2); here each condition is measured.

grounded
    The quotation has 3 to 40 words and is in the paper, and a numbered place (Section 3.2,
    Table 1) is one that the paper has, where the paper numbers such places at all. Key points of
    constructive tone are about a review's manner and need neither; the paper's own example of
    them (appendix D.2) names nothing of the paper either.
absent
    A key point about something that the paper lacks has no quotation. Instead it names the numbered
    place or the heading where the thing would be, and the words that were searched: two to eight
    phrases of at most five words, of which at least one shares a word with the statement, and none
    of which is in the paper in any form ("variance", "variances").
checkable
    One statement of 4 to 60 words, no question, that speaks of something in the paper and not of
    reviewers, reviews or a reference, which an evaluator does not see.
not copied
    At most ``limit`` of its word n-grams are in the reference or in a human review and not in
    the paper.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import field

from revkit.dataclass import dataclass
from revkit.meaning import family
from revkit_reviewbench.checklists import Point
from revkit_reviewbench.dimensions import TONE
from revkit_reviewbench.quotation import copied_share, copyable, fold, quoted_in, words

NGRAM = 5
LEAST_QUOTE, MOST_QUOTE = 3, 40
LEAST_WORDS, MOST_WORDS = 4, 60
LEAST_TERMS, MOST_TERMS, MOST_TERM_WORDS = 2, 8, 5
_CONTENT = 5  # letters: shorter words say little of whether a statement is about this paper
_ABOUT_REVIEWS = re.compile(
    r"\b(?:reviewers?|referees?|(?:reference|human|golden|other|these|those) reviews?"
    r"|area chairs?|meta-?reviews?)\b",
    re.IGNORECASE,
)
_KINDS = {
    "section": r"(?:sections?|sec\.|appendix)",
    "table": r"(?:tables?|tab\.)",
    "figure": r"(?:figures?|fig\.)",
    "equation": r"(?:equations?|eqs?\.|eqn\.)",
    "algorithm": r"(?:algorithms?|alg\.)",
}
_NUMBER = r"\s{0,2}\(?([0-9]{1,3}(?:\.[0-9]{1,3}){0,3}|[A-Z](?:\.[0-9]{1,3}){0,3})\b"
_PLACES = {kind: re.compile(rf"\b(?i:{names}){_NUMBER}") for kind, names in _KINDS.items()}
_HEADINGS = re.compile(r"^#{1,6}[ \t]{1,4}(\S[^\n]{0,200})$", re.M)
_NUMBERING = re.compile(r"\A(?:[0-9]{1,3}(?:\.[0-9]{1,3}){0,3}|[A-Z])\.?\s{1,4}")
_HEADING = re.compile(r"^#{1,6}\s{1,4}([0-9]{1,3}(?:\.[0-9]{1,3}){0,3}|[A-Z](?=[. ]))", re.M)


@dataclass(frozen=True)
class Ground:
    """The texts with which key points of one paper are compared: the paper, the reference, human
    reviews.
    """

    paper: str
    sources: tuple[str, ...]
    ngram: int = NGRAM
    limit: float = 0.2
    _folded: str = field(init=False, repr=False)
    _words: frozenset[str] = field(init=False, repr=False)
    _copyable: frozenset[tuple[str, ...]] = field(init=False, repr=False)
    _places: dict[str, frozenset[str]] = field(init=False, repr=False)
    _families: str = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_folded", fold(self.paper))
        object.__setattr__(self, "_words", frozenset(words(self.paper)))
        object.__setattr__(self, "_copyable", copyable(self.sources, self.paper, self.ngram))
        object.__setattr__(self, "_places", numbered_places(self.paper))
        object.__setattr__(self, "_families", _families(self.paper))

    def overlap(self, point: Point) -> float:
        """Return the share of the point's n-grams that were copied; see `copied_share`."""
        return copied_share(point.point, self._copyable, self.ngram)

    def faults(self, point: Point, dimension: str) -> tuple[str, ...]:
        """Return the faults of a key point; empty if it has none."""
        found = [*self._checkable(point, dimension)]
        if dimension != TONE:
            found += self._absent(point) if point.absent else self._grounded(point)
        share = self.overlap(point)
        if share > self.limit:
            found.append(
                f"copied: {share:.0%} of its {self.ngram}-word runs stand in the human reviews; "
                f"at most {self.limit:.0%} may"
            )
        return tuple(found)

    def _grounded(self, point: Point) -> Sequence[str]:
        found = []
        count = len(words(point.quote))
        if not LEAST_QUOTE <= count <= MOST_QUOTE:
            found.append(
                f"not grounded: its quotation has {count} words, not {LEAST_QUOTE} to {MOST_QUOTE}"
            )
        elif not quoted_in(point.quote, self._folded):
            found.append("not grounded: its quotation is not in the paper")
        return [*found, *self._unknown_places(point)]

    def _unknown_places(self, point: Point) -> list[str]:
        return [
            f"not grounded: the paper has no {kind} {number}"
            for kind, pattern in _PLACES.items()
            for number in pattern.findall(point.place)
            if (known := self._places[kind]) and number not in known
        ]

    def _absent(self, point: Point) -> Sequence[str]:
        """Return why a point about an absence is not shown: its place, or its search."""
        found = self._unknown_places(point)
        numbered = any(pattern.search(point.place) for pattern in _PLACES.values())
        if not numbered and not self._is_heading(point.place):
            found.append(
                "not grounded: its place is neither a numbered place nor a heading of the paper"
            )
        if point.quote:
            found.append("not grounded: what is absent cannot be quoted")
        if not LEAST_TERMS <= len(point.searched) <= MOST_TERMS:
            found.append(
                f"not grounded: it names {len(point.searched)} searched phrases, not "
                f"{LEAST_TERMS} to {MOST_TERMS}"
            )
        stated = set(_families(point.point).split())
        terms = [_families(term) for term in point.searched]
        if terms and not any(stated & set(term.split()) for term in terms):
            found.append("not grounded: no searched phrase shares a word with it")
        for term, written in zip(terms, point.searched, strict=True):
            if not 1 <= len(term.split()) <= MOST_TERM_WORDS:
                found.append(
                    f"not grounded: the searched phrase {written!r} does not have 1 to "
                    f"{MOST_TERM_WORDS} words"
                )
            elif term in self._families:
                found.append(f"not absent: the paper contains {written!r}")
        return found

    def _is_heading(self, place: str) -> bool:
        wanted = words(place)
        return bool(wanted) and any(
            wanted == words(_NUMBERING.sub("", line)) for line in _HEADINGS.findall(self.paper)
        )

    def _checkable(self, point: Point, dimension: str) -> Sequence[str]:
        found = []
        point_words = words(point.point)
        if not LEAST_WORDS <= len(point_words) <= MOST_WORDS:
            found.append(
                f"not checkable: it has {len(point_words)} words, not {LEAST_WORDS} to {MOST_WORDS}"
            )
        if point.point.rstrip().endswith("?"):
            found.append("not checkable: it is a question")
        match = _ABOUT_REVIEWS.search(point.point)
        # A paper on peer review speaks of reviewers itself.
        if match and not self._words.issuperset(words(match.group())):
            found.append(f"not checkable: it speaks of {match.group()!r}")
        if dimension != TONE and not any(
            len(word) >= _CONTENT and word in self._words for word in point_words
        ):
            found.append("not checkable: it speaks of nothing that is in the paper")
        return found


def _families(text: str) -> str:
    """Return the families of the words of ``text``, each between blanks."""
    return f" {' '.join(family(word) for word in words(text))} "


def numbered_places(paper: str) -> dict[str, frozenset[str]]:
    """Return the numbers of the sections, tables, figures and so on that a paper contains or
    mentions.
    """
    found = {kind: set(pattern.findall(paper)) for kind, pattern in _PLACES.items()}
    found["section"] |= set(_HEADING.findall(paper))
    return {kind: frozenset(numbers) for kind, numbers in found.items()}
