"""Read one work from one record: of a JSON Lines dump, a CSV row, or a service's reply.

The shapes of Semantic Scholar, OpenAlex and Crossref are understood, and plain ones. What a record
does not give stays "" or None; what it gives in an unreadable form is reported, not guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from revkit.dataclass import dataclass
from revkit.model.work import Work
from revkit.works.identifiers import PREFERENCE, any_identifier, identifier
from revkit.works.names import names_of, split_names
from revkit.works.plain_text import (
    MOST_ABSTRACT,
    MOST_AUTHORS,
    MOST_KEYWORDS,
    MOST_TITLE,
    MOST_VENUE,
    plain,
    plain_url,
)
from revkit.works.title_keys import fold_words

_YEAR = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d|2100)(?!\d)")
_TITLE = ("title", "display_name", "paper_title", "papertitle")
_AUTHORS = ("authors", "authorships", "author", "creators")
_YEARS = (
    "year",
    "publication_year",
    "publicationyear",
    "pub_year",
    "publicationdate",
    "publication_date",
    "published",
    "issued",
    "date",
)
_VENUE = (
    "venue",
    "booktitle",
    "journal",
    "container-title",
    "publicationvenue",
    "primary_location",
    "host_venue",
    "conference",
)
_ABSTRACT = ("abstract", "abstract_inverted_index", "abstracttext", "summary")
_IDENTIFIERS = ("identifier", "paperid", "paper_id", "id")
_URL = ("url", "link", "landing_page_url", "openaccesspdf", "primary_location")
_KEYWORDS = ("keywords", "keyword", "tags", "fieldsofstudy", "concepts")
_LONGEST_INDEX = 4_000


class IrregularEntry(ValueError):
    """Raised for a record that is not a work; the message states the reason."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A work; additional words for searching; whether it has a year that cannot be read."""

    work: Work
    keywords: str = ""
    unclear_year: bool = False


def entry_of(record: Mapping[str, object]) -> Entry:
    """Return the work that ``record`` describes. Raises `IrregularEntry` if it has no title."""
    lower = {str(key).strip().lower().replace(" ", "_"): value for key, value in record.items()}
    title = plain(_text(_first(lower, _TITLE)), MOST_TITLE)
    if not fold_words(title):
        raise IrregularEntry("it has no title")
    given_year = _first(lower, _YEARS)
    year = _year(given_year)
    work = Work(
        title=title,
        authors=_authors(_first(lower, _AUTHORS)),
        year=year,
        venue=plain(_venue(lower), MOST_VENUE),
        identifier=_identifier(lower),
        abstract=plain(_abstract(lower), MOST_ABSTRACT),
        url=_url(lower),
    )
    words = plain(" ".join(_names(_first(lower, _KEYWORDS))), MOST_KEYWORDS)
    return Entry(work, words, year is None and _has_value(given_year))


def _has_value(value: object) -> bool:
    return value is not None and value not in ("", [], {})


def _first(record: Mapping[str, object], keys: Iterable[str]) -> object:
    """Return the first value that is present and not empty."""
    return next((record[key] for key in keys if _has_value(record.get(key))), None)


def _text(value: object) -> str:
    """Return ``value`` as text: a text, the first of a list, the name in a mapping."""
    if isinstance(value, str):
        return value
    if isinstance(value, list) and value:
        return _text(value[0])
    if isinstance(value, Mapping):
        keys = ("name", "display_name", "displayname", "title", "value")
        return next((v for key in keys if isinstance(v := value.get(key), str)), "")
    return ""


def _year(value: object) -> int | None:
    """Return a year from 1500 to 2100: a number, or the only year in a text such as a date."""
    if isinstance(value, Mapping):  # Crossref: {"date-parts": [[2023, 5]]}
        value = value.get("date-parts")
    while isinstance(value, list) and value:
        value = value[0]
    if isinstance(value, float) and value.is_integer():  # as tables write whole numbers
        value = int(value)
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value if 1500 <= value <= 2100 else None
    if not isinstance(value, str):
        return None
    found = set(_YEAR.findall(value[:100]))
    return int(found.pop()) if len(found) == 1 else None


def _venue(record: Mapping[str, object]) -> str:
    for key in _VENUE:
        value = record.get(key)
        if isinstance(value, Mapping) and isinstance(value.get("source"), Mapping):
            value = value["source"]
        text = _text(value)
        if text.strip():
            return text
    return ""


def _abstract(record: Mapping[str, object]) -> str:
    for key in _ABSTRACT:
        value = record.get(key)
        if isinstance(value, Mapping):
            text = from_inverted(value)
        else:
            text = value if isinstance(value, str) else ""
        if text.strip():
            return text
    return ""


def from_inverted(index: Mapping[str, object]) -> str:
    """Return the abstract from OpenAlex's inverted index: each word with its positions."""
    places: dict[int, str] = {}
    for word, positions in index.items():
        for place in positions if isinstance(positions, list) else ():
            if isinstance(place, int) and not isinstance(place, bool) and place >= 0:
                places.setdefault(place, str(word))
    return " ".join(places[place] for place in sorted(places)[:_LONGEST_INDEX])


def _identifier(record: Mapping[str, object]) -> str:
    found: dict[str, str] = {}
    for key in ("externalids", "ids"):
        entry = record.get(key)
        for kind, value in entry.items() if isinstance(entry, Mapping) else ():
            if isinstance(value, str | int):
                found.setdefault(str(kind).lower(), str(value))
    for key in ("doi", "arxiv", "arxiv_id", "arxivid"):
        if isinstance(value := record.get(key), str):
            found.setdefault(key.removesuffix("id").removesuffix("_"), value)
    if isinstance(value := record.get("paperid"), str):
        found.setdefault("s2", value)
    for kind in PREFERENCE:
        text = identifier(kind, found[kind]) if kind in found else ""
        if text:
            return text
    entry = _first(record, _IDENTIFIERS)
    return any_identifier(str(entry)) if isinstance(entry, str | int) else ""


def _url(record: Mapping[str, object]) -> str:
    for key in _URL:
        value = record.get(key)
        if isinstance(value, Mapping):
            value = value.get("url") or value.get("landing_page_url")
        url = plain_url(value) if isinstance(value, str) else ""
        if url:
            return url
    value = record.get("id")  # OpenAlex's own identifiers are addresses
    return plain_url(value) if isinstance(value, str) else ""


def _names(value: object) -> list[str]:
    """Return the names in a list of texts or mappings, or in one text."""
    if isinstance(value, str):
        return [value]
    return [_text(item) for item in value] if isinstance(value, list) else []


def _authors(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        return names_of(split_names(value))
    found = []
    for item in value if isinstance(value, list) else ():
        part = item.get("author", item) if isinstance(item, Mapping) else item
        if isinstance(part, Mapping) and not _text(part):
            forename, family = (
                _text(part.get(a) or part.get(b))
                for a, b in (("given", "first"), ("family", "last"))
            )
            part = f"{forename} {family}"
        found.append(_text(part))
        if len(found) > MOST_AUTHORS:
            break
    return names_of(found)
