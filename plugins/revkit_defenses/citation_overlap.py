"""The defense `citation-overlap`: words that a citing sentence shares with the cited abstract."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import ClassVar

from revkit.contracts import Context, Reviewing
from revkit.dataclass import dataclass
from revkit.errors import OptionError
from revkit.model.paper import Paper
from revkit.model.review import Failure, Outcome
from revkit.model.structure import Sentence
from revkit.model.values import Json
from revkit.options import option
from revkit.papers import CitedEntries
from revkit.works import Catalogue, content_words, title_words
from revkit_defenses.reference_index import IndexedDefense

_MOST_LISTED = 50


@dataclass(frozen=True)
class CitationOverlap(IndexedDefense):
    """Report how much of each citing sentence is in the title and abstract of the cited work.

    It is overlap of words, not support: a sentence that says the opposite of an abstract overlaps
    with it as well as one that repeats it, and a correct paraphrase may share no word. Sentences
    with a low overlap are the ones to read first. Only works of ``index`` that have an abstract are
    compared; all others are counted as not compared. Nothing is removed and no score is changed:
    the counts are in the details of the review. (People who cite err in about a quarter of
    quotations, so no threshold separates honest papers from others.)
    """

    name: ClassVar[str] = "citation-overlap"
    version: ClassVar[str] = "1"

    index: tuple[str, ...] = option(
        help="JSON Lines files of works with abstracts, as for citation-existence."
    )
    low: float = option(
        0.1,
        help="Share of a sentence's words below which the overlap is low.",
        minimum=0,
        maximum=1,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.index:
            raise OptionError(self.name, [("index", "name at least one file")])

    @cached_property
    def _catalogue(self) -> Catalogue:
        return self.works_index.catalogue(0.8, 2)

    def guard(self, paper: Paper, review: Reviewing, ctx: Context) -> Outcome:
        """Review once, and add the overlaps to the details of the review."""
        outcome = review(paper)
        if isinstance(outcome, Failure):
            return outcome
        found = list(self.overlaps(paper))
        compared = [(text, share) for text, share in found if share is not None]
        low = sorted((share, text) for text, share in compared if share < self.low)
        listed: list[Json] = [
            {"sentence": text[:300], "overlap": round(share, 3)} for share, text in low
        ]
        counts: dict[str, Json] = {
            "compared": len(compared),
            "not-compared": len(found) - len(compared),
            "low": len(low),
            "sentences": listed[:_MOST_LISTED],
        }
        return replace(outcome, details={**outcome.details, self.name: counts})

    def overlaps(self, paper: Paper) -> Iterator[tuple[str, float | None]]:
        """Each citing sentence, and the share of its words that a cited abstract has: the largest
        one of the works that it cites; None where none of them has an abstract."""
        entries, words = CitedEntries(paper), self._words(paper)
        for citation in paper.citations:
            sentence = _around(paper, citation.start)
            cited = [words[p] for places in entries.places(citation) for p in places if p in words]
            if sentence is None:
                continue
            text = paper.text[sentence.start : sentence.end]
            own = content_words(title_words(_without_marks(paper, sentence)))
            if not own or not cited:
                yield text, None
            else:
                yield text, max(len(own & each) / len(own) for each in cited)

    def _words(self, paper: Paper) -> Mapping[int, frozenset[str]]:
        """The words of title and abstract of each entry that the index knows with an abstract."""
        found = {}
        for place, entry in enumerate(paper.references):
            work = self._catalogue.find(entry.text, entry.year)
            if work is not None and work.abstract:
                found[place] = content_words(title_words(f"{work.title} {work.abstract}"))
        return found


def _around(paper: Paper, place: int) -> Sentence | None:
    return next((each for each in paper.sentences if each.start <= place < each.end), None)


def _without_marks(paper: Paper, sentence: Sentence) -> str:
    """The sentence without its citation marks, whose names do not count."""
    parts, last = [], sentence.start
    for citation in paper.citations:
        if sentence.start <= citation.start < sentence.end:
            parts.append(paper.text[last : citation.start])
            last = citation.end
    return " ".join([*parts, paper.text[last : sentence.end]])
