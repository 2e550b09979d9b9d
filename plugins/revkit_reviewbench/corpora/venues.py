"""Venues: the records of each venue, and the scales of its form.

Papers of several venues (Li et al., section A.1) come with forms that differ. What a form asks for
and between which ends its scores lie is declared for each venue, never guessed from the scores; a
record of a venue that is not declared is left out, and counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, fields
from typing import Any, Literal

from revkit.dataclass import dataclass
from revkit.errors import OptionError
from revkit.options import Nested, as_written, option
from revkit.venues import Submission, declared_scale, field_name, read_text
from revkit_reviewbench.corpora.normalise import CATEGORICAL, Ends, Form, bench_scale

_SCORES = ("rating", *CATEGORICAL)
_Names = str | tuple[str, ...] | None


@dataclass(frozen=True)
class FieldNames:
    """The names of the schema's fields in a venue's form."""

    summary: _Names = option(None, help="Names of the summary.")
    strengths: _Names = option(None, help="Names of the strengths.")
    weaknesses: _Names = option(None, help="Names of the weaknesses.")
    questions: _Names = option(None, help="Names of the questions.")
    review: _Names = option(None, help="Names of the text of a form without these parts.")
    rating: _Names = option(None, help="Names of the rating.")
    soundness: _Names = option(None, help="Names of the score of soundness.")
    presentation: _Names = option(None, help="Names of the score of presentation.")
    contribution: _Names = option(None, help="Names of the score of contribution.")
    confidence: _Names = option(None, help="Names of the confidence.")

    def __post_init__(self) -> None:
        _refuse_blank(self, *(field.name for field in fields(self)))


@dataclass(frozen=True)
class VenueOptions:
    """One venue: the scales of its form, and the criteria that identify its records."""

    rating: tuple[float, float] = option(
        help="Lowest and highest rating.", minimum=-1000, maximum=1000
    )
    soundness: tuple[float, float] | None = option(
        None, help="Lowest and highest score of soundness.", minimum=-1000, maximum=1000
    )
    presentation: tuple[float, float] | None = option(
        None, help="Lowest and highest score of presentation.", minimum=-1000, maximum=1000
    )
    contribution: tuple[float, float] | None = option(
        None, help="Lowest and highest score of contribution.", minimum=-1000, maximum=1000
    )
    confidence: tuple[float, float] | None = option(
        None, help="Lowest and highest confidence.", minimum=-1000, maximum=1000
    )
    names: _Names = option(None, help="Prefixes of the venue in its records.")
    folders: _Names = option(None, help="Folders of its records, relative to the corpus.")
    form: Literal["sections", "any-text"] | None = option(
        None, help="When a review is complete; by default as for the corpus."
    )
    fields: Nested[FieldNames | None] = option(
        None, help="Names of the fields in its form, if they are not known names."
    )

    def __post_init__(self) -> None:
        for key in _SCORES:
            ends = getattr(self, key)
            if ends is not None and ends[0] >= ends[1]:
                raise OptionError("", [(key, f"is [lowest, highest], not {list(ends)!r}")])
        _refuse_blank(self, "names", "folders")
        if not _texts(self.names) and not _texts(self.folders):
            raise OptionError(
                "", [("", "nothing identifies its records; declare names or folders")]
            )


def _refuse_blank(given: object, *keys: str) -> None:
    blank = [key for key in keys if not all(_texts(getattr(given, key)))]
    if blank:
        raise OptionError("", [(key, "is a list of strings, none of them empty") for key in blank])


class VenueProblem(ValueError):
    """Two declarations of venues contradict each other; the text states the contradiction."""


@dataclass(frozen=True)
class Venue:
    """One declared venue. A record belongs to it by ``names``, the beginning of the record's venue,
    or by ``folders``, the location of its file below the corpus. ``fields`` maps the field names of
    its form to the schema, if they differ from known names.
    """

    name: str
    form: Form
    names: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    fields: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def scales(self) -> dict[str, list[float]]:
        """Return the ends of the scales that its reviewers used."""
        own = self.form.rating
        rating = [] if own is None else [own.minimum, own.maximum]
        return {"rating": rating, **{k: [*v] for k, v in self.form.scales.items()}}

    def reading(self, review: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return a review with the field names of this venue's form translated to the schema."""
        form = review.get("form", {})
        found = dict(review)
        for name, others in self.fields.items():
            given = [form[other] for other in others if form.get(other) is not None]
            if name in _SCORES:
                found[name] = given[0] if given else None
            else:
                found[name] = "\n\n".join(text for each in given if (text := read_text(each)))
        return found


def read_venues(given: Mapping[str, VenueOptions], sections: bool, onto: Ends) -> tuple[Venue, ...]:
    """Return the venues that an option declares. Raises `VenueProblem` if two claim the same
    records.
    """
    venues = tuple(_venue(name, each, sections, onto) for name, each in given.items())
    owners: dict[tuple[str, str], str] = {}
    for venue in venues:
        for key in (*(("name", n.casefold()) for n in venue.names),
                    *(("folder", f) for f in venue.folders)):  # fmt: skip
            if key in owners:
                raise VenueProblem(f"{owners[key]} and {venue.name} both have the {' '.join(key)}")
            owners[key] = venue.name
    return venues


def _venue(name: str, given: VenueOptions, sections: bool, onto: Ends) -> Venue:
    form = given.form or ("sections" if sections else "any-text")
    scales = {key: ends for key in CATEGORICAL if (ends := getattr(given, key)) is not None}
    return Venue(
        name,
        Form(form == "sections", declared_scale(*given.rating), scales, bench_scale(onto)),
        _texts(given.names),
        tuple(folder.strip("/") for folder in _texts(given.folders)),
        {
            key: tuple(field_name(other) for other in _texts(getattr(given.fields, key)))
            for key in (as_written(given.fields) if given.fields else ())
        },
    )


def _texts(value: str | Sequence[str] | None) -> tuple[str, ...]:
    return tuple(each.strip() for each in ([value] if isinstance(value, str) else value or ()))


def venue_of(found: Submission, venues: Iterable[Venue]) -> Venue | str:
    """Return the venue of a record, or why it has none; of several matching names the longest one
    counts.
    """
    fits = [(len(name), venue) for venue in venues for name in _fitting(found, venue)]
    if fits:
        return max(fits, key=lambda pair: pair[0])[1]
    if found.venues:
        return f"scale unknown: no venue is declared for {found.venues[0][:80]!r}"
    return "scale unknown: the record names no venue, and its folder belongs to none"


def _fitting(found: Submission, venue: Venue) -> Iterator[str]:
    """Return the folders and names of a venue that match a record; a matching folder has priority
    over any name.
    """
    for folder in venue.folders:
        if found.source == folder or found.source.startswith(
            (f"{folder}/", f"{folder}:", f"{folder}[")
        ):
            yield f"{'/' * 1_000}{folder}"
    for name in venue.names:
        if any(_begins(text, name) for text in found.venues):
            yield name


def _begins(text: str, name: str) -> bool:
    """Return whether ``text`` begins with the words of ``name``: "ICLR 2017" does not begin with
    "ICLR 20".
    """
    head, rest = text[: len(name)].casefold(), text[len(name) :]
    return head == name.casefold() and not (rest[:1].isalnum() and name[-1:].isalnum())
