"""What became of an entry of a reference list: five outcomes, none of which accuses anybody."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Literal, TypeAlias, get_args

from revkit.dataclass import dataclass
from revkit.model.review import Failure
from revkit.model.structure import Reference
from revkit.model.values import Json
from revkit.model.work import Work
from revkit.works import Catalogue, content_words, contradict, find_identifiers, fold_words
from revkit.works import identifiers_of as identifiers_of_work
from revkit_defenses.reference_index import Index, with_main_titles

CitationOutcome: TypeAlias = Literal[
    "found", "found-other-fields", "identifier-elsewhere", "not-found", "not-checked"
]
"""``found``: a source has the work. ``found-other-fields``: a source has a work of this title with
other authors, another year or another identifier. ``identifier-elsewhere``: the identifier of the
entry belongs to a work with another title. ``not-found``: every source that was to be asked
answered, and none has it. ``not-checked``: a source did not answer, or the entry is of a sort that
indexes do not cover."""
OUTCOMES: tuple[CitationOutcome, ...] = get_args(CitationOutcome)

Search: TypeAlias = Callable[[str, int], Sequence[Work] | Failure]

_HITS = 5
_TITLE_WORDS = 3
_PEOPLE = re.compile(r"\b[A-Z]\.|\bet al\b|\((?:19|20)\d\d\)|^[^a-z]{0,3}[A-Z]\w+,? and [A-Z]\w+$")
_PRINTED = ("In ", "Proc", "Journal", "arXiv", "CoRR")
_YEARS_APART = 2
_QUOTED = re.compile('["“”„]([^"“”„]{12,300})["“”]')
_SEGMENT = re.compile(r"(?<=[a-z)0-9?!\"”])[.?!][\"”]?\s+")
_ADDRESS = re.compile(r"https?://|\bwww\.[a-z0-9-]+\.|\burl\b:?")
_SORTS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (sort, re.compile(pattern, re.IGNORECASE))
    for sort, pattern in (
        ("a thesis", r"\b(?:thesis|theses|dissertation|habilitation)\b"),
        ("a report", r"\b(?:technical|tech\.?|white|working) (?:report|rep\.?|paper)\b"),
        (
            "software",
            r"\[(?:computer )?software\]|\bgit(?:hub|lab)(?:\.com| repository)"
            r"|\b(?:R|python|software) package\b",
        ),
        ("a book", r"\bISBN\b|\b(?:university|MIT|cambridge|oxford) press\b"),
        ("a patent", r"\b(?:US|U\.S\.|EP|WO) ?patent\b|\bpatent (?:no|application)\b"),
        ("a personal message", r"\b(?:personal communication|in preparation|unpublished)\b"),
    )
)
_VENUE = re.compile(
    r"\b(?:proceedings|proc\.|conference|journal|transactions|workshop|arxiv|doi)\b", re.I
)
# Sorts that a proceedings paper may seem to be by its publisher or its title.
_PUBLISHED = ("a book", "software", "a patent")
_LATIN = re.compile("[A-Za-z\u00c0-\u024f]")


@dataclass(frozen=True)
class CheckedEntry:
    """One entry of a reference list, its outcome, and why, in words for a person."""

    place: int
    outcome: CitationOutcome
    why: str = ""

    def to_json(self, text: str) -> dict[str, Json]:
        return {"entry": text[:300], "outcome": self.outcome, "why": self.why}


def check_entry(
    place: int, entry: Reference, index: Index, catalogue: Catalogue, search: Search | None
) -> CheckedEntry:
    """Look up one entry in the index, and where that has nothing, by ``search``.

    A work that any source has counts. Only if all sources answered and none has it, the entry is
    "not-found"; a search that fails leaves it "not-checked".
    """
    if index.names_venue(entry.text):
        return CheckedEntry(place, "found")
    best = _in_catalogue(place, entry, catalogue)
    if best.outcome in ("found", "found-other-fields"):
        return best
    if search is not None:
        hits = search(title_guess(entry.text), _HITS)
        if isinstance(hits, Failure):
            return CheckedEntry(place, "not-checked", f"a source did not answer: {hits.kind}")
        found = Catalogue(with_main_titles(hits), catalogue.overlap, catalogue.years_apart)
        best = _better(best, _in_catalogue(place, entry, found))
    if best.outcome == "not-found":
        sort = uncheckable(entry, index.date)
        if sort:
            return CheckedEntry(place, "not-checked", sort)
    return best


def _better(one: CheckedEntry, other: CheckedEntry) -> CheckedEntry:
    return min(one, other, key=lambda each: OUTCOMES.index(each.outcome))


def _in_catalogue(place: int, entry: Reference, catalogue: Catalogue) -> CheckedEntry:
    if catalogue.find(entry.text, entry.year) is not None:
        return CheckedEntry(place, "found")
    pointed = catalogue.find_identifier(entry.text)
    titled = catalogue.find_title(entry.text)
    if titled is not None:
        differing = _differing(entry, titled)
        return CheckedEntry(place, "found-other-fields", f"another {' and '.join(differing)}")
    if pointed is not None:
        why = f"the identifier belongs to {pointed.title[:120]!r}"
        return CheckedEntry(place, "identifier-elsewhere", why)
    return CheckedEntry(place, "not-found", "no source has it")


def _differing(entry: Reference, work: Work) -> list[str]:
    """Which fields of ``work`` differ from those of an entry with its title."""
    found = []
    if contradict(find_identifiers(entry.text), identifiers_of_work(work)):
        found.append("identifier")
    if (
        None not in (entry.year, work.year)
        and abs((entry.year or 0) - (work.year or 0)) > _YEARS_APART
    ):
        found.append("year")
    return found or ["list of authors"]


def title_guess(entry: str) -> str:
    """The part of an entry that is most likely its title: what is quoted, or the sentence with most
    words that carry meaning. At most 300 characters."""
    quoted = _QUOTED.search(entry)
    if quoted is not None:
        return quoted[1][:300]
    segments = [part for part in _SEGMENT.split(entry) if not part.startswith(_PRINTED)]
    titles = [part for part in segments if not _PEOPLE.search(part)] or segments or [entry]
    return max(titles, key=lambda part: len(content_words(tuple(fold_words(part)))))[:300]


def uncheckable(entry: Reference, date: str) -> str:
    """Why no index can be expected to have an entry: its sort, its language, or its year; "" if one
    can. ``date`` is that of the index, "" if not known.

    Such entries are not checked, and count neither for nor against a paper.
    """
    text = entry.text
    for sort, pattern in _SORTS:
        if pattern.search(text) and not (sort in _PUBLISHED and _VENUE.search(text)):
            return sort
    if _ADDRESS.search(text) and not _VENUE.search(text) and not find_identifiers(text):
        return "a web page"
    letters = [sign for sign in text if sign.isalpha()]
    if 2 * sum(1 for sign in letters if _LATIN.match(sign)) < len(letters):
        return "in another script"
    if len(fold_words(text)) < _TITLE_WORDS:
        return "too short to look up"
    if date[:4].isdigit() and entry.year is not None and entry.year >= int(date[:4]):
        return f"of {entry.year}, and the index is of {date}"
    return ""
