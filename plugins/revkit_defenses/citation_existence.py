"""The defense `citation-existence`: removes references to unknown works before the review."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from revkit.contracts import Context, Defense
from revkit.errors import OptionError
from revkit.model import Edit, Failure, Paper, Reference
from revkit.model.values import Json
from revkit.options import option, options_of
from revkit.papers import CitedEntries
from revkit.works import Catalogue
from revkit_defenses.marks import cut
from revkit_defenses.reference_index import Index, read_index

_NOTE = "not in the index: "
_LONGEST_NOTE = 160


@dataclass(frozen=True)
class CitationExistence(Defense):
    """Looks up each reference in a local index and removes unknown works from the paper.

    After *ROBUST-REV*, section 7, which closes "most of this gap" with "a citation-existence
    filter". It asks whether a cited work exists, not whether it supports the sentence: a citation
    of a real work that has nothing to do with the paper passes, if the index knows the work. And it
    can only be as good as the index: a real work that the index lacks is taken out too. Which of
    both is at work in a result is stated in the notes of the edits ("not in the index: ...") and by
    running it with and without the works in question.

    When an entry names a work is decided by `revkit.works.Catalogue`: by an identifier, or by
    title, authors and year, where a short title needs its words side by side.

    There is no index to start with, as no small one could know the literature; ``index`` names one
    or more JSON Lines files. A line is a work (``title``, ``authors`` as a list of "Given Family",
    ``year``, ``identifier``; the format of the pool of citation injection), or a whole venue
    (``venue`` without a title): every entry that names the venue then counts as known. The papers
    of the corpus `synthetic` cite invented works of the "Synthetic Workshop" alone, so one such
    line makes their own references known and nothing else.

    What is taken out: the entry with the line break after it, and its marks in the prose. A group
    loses only the works that are missing; an emptied mark goes with the blank before it. The names
    of the narrative form stay, as the sentence needs them ("Lee et al. (2021) show" becomes "Lee et
    al. show"), and a mark that is a part of speech ("as in [7]") becomes "[?]". The numbers of the
    other entries stay. A mark stays if one of the entries that it can mean is known, or if it means
    none of the list. Without a reference list nothing is done. It never refuses a paper.

    Raises `revkit.errors.RunError` where a file of the index cannot be read.
    """

    name: ClassVar[str] = "citation-existence"
    version: ClassVar[str] = "1"

    index: tuple[str, ...] = option(
        help="JSON Lines files that hold the works known to exist: paths, or "
        "package:NAME/FILE for a file that an installed package brings along"
    )
    title_overlap: float = option(
        0.8,
        help="least share of a title's words that an entry must hold; a short title must be whole",
        minimum=0,
        maximum=1,
    )
    years_apart: int = option(
        2,
        help="greatest difference between the years of entry and work; at most 1 for a short title",
        minimum=0,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.index:
            raise OptionError(self.name, [("index", "name at least one file")])

    def identity(self) -> Json:
        """Return the options, with the SHA-256 of each index file instead of its path."""
        return {**options_of(self), "index": list(self._index.digests)}

    def files_needed(self) -> Sequence[str]:
        """Return the files of the index."""
        return self.index

    @cached_property
    def _index(self) -> Index:
        return read_index(self.index)

    @cached_property
    def _catalogue(self) -> Catalogue:
        return self._index.catalogue(self.title_overlap, self.years_apart)

    def _knows(self, entry: Reference) -> bool:
        known = self._catalogue.find(entry.text, entry.year)
        return known is not None or self._index.names_venue(entry.text)

    def screen(self, paper: Paper, ctx: Context) -> Sequence[Edit] | Failure:
        """Return the edits that remove unknown works from ``paper``; none if all are known."""
        unknown = {place for place, entry in enumerate(paper.references) if not self._knows(entry)}
        if not unknown:
            return ()
        return [*_mark_edits(paper, unknown), *_entry_edits(paper, sorted(unknown))]


def _note(paper: Paper, places: Sequence[int]) -> str:
    titles = "; ".join(paper.references[place].text for place in places)
    if len(titles) > _LONGEST_NOTE:
        titles = titles[: _LONGEST_NOTE - 1] + "…"
    return _NOTE + titles


def _mark_edits(paper: Paper, unknown: set[int]) -> list[Edit]:
    edits: list[Edit] = []
    entries = CitedEntries(paper)
    for citation in paper.citations:
        meant = entries.places(citation)
        gone = {key for key, places in enumerate(meant) if places and unknown.issuperset(places)}
        if gone:
            note = _note(paper, sorted({place for key in gone for place in meant[key]}))
            edit = cut(paper, citation, gone, note)
            if edit is not None:
                edits.append(edit)
    return edits


def _entry_edits(paper: Paper, unknown: Sequence[int]) -> list[Edit]:
    """Return one edit for each entry: it includes the blank before the entry, or after it for the
    first entry of the list.

    So the gaps between the entries that stay are those that they had, and the list ends as before.
    """
    text, references = paper.text, paper.references
    edits: list[Edit] = []
    leading = True
    for place in unknown:
        start, end = references[place].start, references[place].end
        leading = leading and place == len(edits)
        if leading and place + 1 < len(references):
            after = references[place + 1].start
            end = after if not text[end:after].strip() else end
        elif place and not leading:
            before = references[place - 1].end
            start = before if not text[before:start].strip() else start
        edits.append(Edit(start, end, "", _note(paper, [place])))
    return edits
