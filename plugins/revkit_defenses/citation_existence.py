"""The defense `citation-existence`: which cited works exist, and what becomes of the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import ClassVar, Literal

from revkit.contracts import Context, Reviewing
from revkit.dataclass import dataclass
from revkit.errors import OptionError
from revkit.model import Edit, Failure, Paper
from revkit.model.review import Outcome
from revkit.model.values import Json
from revkit.options import option
from revkit.works import Catalogue
from revkit_defenses.citation_outcomes import (
    OUTCOMES,
    CheckedEntry,
    CitationOutcome,
    check_entry,
)
from revkit_defenses.reference_index import IndexedDefense
from revkit_defenses.removal import edits_without

_MOST_LISTED = 50


@dataclass(frozen=True)
class CitationExistence(IndexedDefense):
    """Look up each reference, and take those out of the paper that nobody knows.

    After *ROBUST-REV*, section 7, which closes "most of this gap" with "a citation-existence
    filter". It asks whether a cited work exists, not whether it supports the sentence. **References
    that an attacker injects are real and on topic, so existence cannot stop them**: any complete
    index knows them. It stops invented ones. `citation-probe` measures whether a score rests on
    citations at all.

    Each entry has one of five outcomes (`revkit_defenses.citation_outcomes.CitationOutcome`):
    found; found with other fields; its identifier belongs to another work; not found by any source;
    not checked, where a source did not answer or indexes do not cover the entry (theses, reports,
    software, books, web pages, other scripts, works newer than the index). "Not found" means that,
    and not that a reference is invented.

    Sources are the files of ``index``, and with ``search`` the searcher of the run, which is asked
    for what the index lacks and whose answers are stored. When an entry names a work is decided by
    `revkit.works.Catalogue`. A line of an index is a work (``title``, ``authors`` as a list of
    "Given Family", ``year``, ``identifier``, ``abstract``), a whole venue (``venue`` without a
    title: every entry that names it counts as found), or the date of the index (``index-date``).
    The papers of the corpus `synthetic` cite invented works of the "Synthetic Workshop" alone, so
    one such line makes their own references known and nothing else.

    ``then: strip`` takes the entries with an outcome in ``remove`` out of the paper: the entry with
    the line break after it, and its marks in the prose. A group loses only the works that are
    missing; an emptied mark goes with the blank before it. The names of the narrative form stay
    ("Lee et al. (2021) show" becomes "Lee et al. show"), and a mark that is read aloud ("as in
    [7]") becomes "[?]". The numbers of the other entries stay. A mark stays if one of the entries
    that it can mean stays, or if it means none of the list. ``report`` changes nothing and adds the
    outcomes to the review, ``refuse`` returns a Failure for a person to decide. Without a reference
    list nothing is done.

    Raises `revkit.errors.RunError` where a file of the index cannot be read.
    """

    name: ClassVar[str] = "citation-existence"
    version: ClassVar[str] = "2"

    index: tuple[str, ...] = option(
        (),
        help="JSON Lines files that hold the works known to exist: paths, or "
        "package:NAME/FILE for a file that an installed package brings along.",
    )
    search: bool = option(
        False, help="Whether to ask the searcher of the run for what the index lacks."
    )
    then: Literal["strip", "report", "refuse"] = option(
        "strip", help="What becomes of a paper with entries whose outcome is in remove."
    )
    remove: tuple[CitationOutcome, ...] = option(
        ("not-found", "identifier-elsewhere"), help="The outcomes that count against an entry."
    )
    title_overlap: float = option(
        0.8,
        help=(
            "minimum share of a title's words that an entry must contain; a short title must be "
            "complete"
        ),
        minimum=0,
        maximum=1,
    )
    years_apart: int = option(
        2,
        help="maximum difference between the years of entry and work; at most 1 for a short title",
        minimum=0,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.index and not self.search:
            raise OptionError(self.name, [("index", "name at least one file, or set search")])
        # A run without a searcher must not be refused where none is asked.
        object.__setattr__(self, "uses", ("searcher",) if self.search else ())

    @property
    def guards(self) -> bool:
        """Whether it wraps the review: to report alone."""
        return self.then == "report"

    @cached_property
    def _catalogue(self) -> Catalogue:
        return self.works_index.catalogue(self.title_overlap, self.years_apart)

    def check(self, paper: Paper, ctx: Context) -> Sequence[CheckedEntry]:
        """The outcome of each entry of the paper's reference list, in order."""
        search = ctx.search if self.search else None
        return [
            check_entry(place, entry, self.works_index, self._catalogue, search)
            for place, entry in enumerate(paper.references)
        ]

    def screen(self, paper: Paper, ctx: Context) -> Sequence[Edit] | Failure:
        """Return the edits that take entries out of ``paper``; none where all may stay."""
        if self.then == "report":
            return ()
        counted = {e.place: e for e in self.check(paper, ctx) if e.outcome in self.remove}
        if not counted:
            return ()
        if self.then == "refuse":
            first = next(iter(counted.values()))
            many = f"{len(counted)} of {len(paper.references)} references"
            detail = f"{self.name}: {many} are for a person to look at; the first: {first.why}"
            return Failure("rejected", detail)
        return edits_without(paper, {place: _why(each) for place, each in counted.items()})

    def guard(self, paper: Paper, review: Reviewing, ctx: Context) -> Outcome:
        """Review once, and add the outcomes to the details of the review."""
        outcome = review(paper)
        if self.then != "report" or isinstance(outcome, Failure):
            return outcome
        checked = self.check(paper, ctx)
        counts: dict[str, Json] = {
            name: sum(entry.outcome == name for entry in checked) for name in OUTCOMES
        }
        listed = [each for each in checked if each.outcome != "found"][:_MOST_LISTED]
        entries: list[Json] = [each.to_json(paper.references[each.place].text) for each in listed]
        found: dict[str, Json] = {**counts, "index-date": self.works_index.date, "entries": entries}
        return replace(outcome, details={**outcome.details, self.name: found})


def _why(entry: CheckedEntry) -> str:
    return entry.outcome.replace("-", " ")
