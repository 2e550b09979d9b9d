"""Venues: which records are whose, and on which scales a venue's form has its scores.

Papers of several venues (Li et al., section A.1) come with forms that differ. What a form asks for
and between which ends its scores lie is declared for each venue, never guessed from the scores; a
record of a venue that is not declared is left out, and counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from revkit.options import unknown_name
from revkit.venues import Submission, declared_scale, field_name, read_text
from revkit_reviewbench.corpora.normalise import CATEGORICAL, TEXTS, Ends, Form, bench_scale

_SCORES = ("rating", *CATEGORICAL)
_FIELDS = (*TEXTS, "review", *_SCORES)
_KEYS = ("names", "folders", "form", "fields", *_SCORES)
_FORMS = ("sections", "any-text")


class VenueProblem(ValueError):
    """A declaration of a venue is none; the text says why."""


@dataclass(frozen=True)
class Venue:
    """One declared venue. A record is its own by ``names``, the beginnings of what a record says of
    its venue, or by ``folders``, where its file lies below the corpus. ``fields`` tells how its
    form calls the fields of the schema, where that is not known."""

    name: str
    form: Form
    names: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    fields: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def scales(self) -> dict[str, list[float]]:
        """The ends of the scales on which its people gave their scores."""
        own = self.form.rating
        rating = [] if own is None else [own.minimum, own.maximum]
        return {"rating": rating, **{k: [*v] for k, v in self.form.scales.items()}}

    def reading(self, review: Mapping[str, Any]) -> Mapping[str, Any]:
        """A review with the fields that this venue's form calls otherwise."""
        form = review.get("form", {})
        found = dict(review)
        for name, others in self.fields.items():
            given = [form[other] for other in others if form.get(other) is not None]
            if name in _SCORES:
                found[name] = given[0] if given else None
            else:
                found[name] = "\n\n".join(text for each in given if (text := read_text(each)))
        return found


def read_venues(value: Mapping[str, Any], sections: bool, onto: Ends) -> tuple[Venue, ...]:
    """The venues that an option declares. Raises `VenueProblem` with the venue and the key."""
    venues = tuple(_venue(str(name), told, sections, onto) for name, told in value.items())
    owners: dict[tuple[str, str], str] = {}
    for venue in venues:
        for key in (*(("name", n.casefold()) for n in venue.names),
                    *(("folder", f) for f in venue.folders)):  # fmt: skip
            if key in owners:
                raise VenueProblem(f"{owners[key]} and {venue.name} both have the {' '.join(key)}")
            owners[key] = venue.name
    return venues


def _venue(name: str, told: Any, sections: bool, onto: Ends) -> Venue:
    if not name.strip() or not isinstance(told, Mapping):
        raise VenueProblem(f"{name or 'a venue'} needs a mapping of what its form asks for")
    for key in told:
        if key not in _KEYS:
            raise VenueProblem(f"{name}: {unknown_name('key', str(key), _KEYS)}")
    if told.get("rating") is None:
        raise VenueProblem(f"{name}: its rating has no scale; declare rating: [lowest, highest]")
    form = told.get("form", "sections" if sections else "any-text")
    if form not in _FORMS:
        raise VenueProblem(f"{name}: form is sections or any-text, not {form!r}")
    scales = {key: _ends(name, key, told[key]) for key in CATEGORICAL if told.get(key) is not None}
    rating = _ends(name, "rating", told["rating"])
    names, folders = (_texts(name, key, told.get(key, ())) for key in ("names", "folders"))
    if not names and not folders:
        raise VenueProblem(f"{name}: nothing tells its records; declare names or folders")
    fields = told.get("fields", {})
    if not isinstance(fields, Mapping):
        raise VenueProblem(f"{name}: fields maps fields of the schema to names in its form")
    for key in fields:
        if key not in _FIELDS:
            raise VenueProblem(f"{name}: {unknown_name('field', str(key), _FIELDS)}")
    return Venue(
        name,
        Form(form == "sections", declared_scale(*rating), scales, bench_scale(onto)),
        names,
        tuple(folder.strip("/") for folder in folders),
        {
            str(key): tuple(field_name(other) for other in _texts(name, str(key), others))
            for key, others in fields.items()
        },
    )


def _ends(venue: str, key: str, value: Any) -> Ends:
    good = (
        isinstance(value, list | tuple)
        and len(value) == 2
        and all(isinstance(end, int | float) and not isinstance(end, bool) for end in value)
        and all(-1000 <= end <= 1000 for end in value)
        and value[0] < value[1]
    )
    if not good:
        raise VenueProblem(f"{venue}: {key} is [lowest, highest], not {value!r}")
    return float(value[0]), float(value[1])


def _texts(venue: str, key: str, value: Any) -> tuple[str, ...]:
    given = [value] if isinstance(value, str) else value
    if not isinstance(given, list | tuple) or not all(
        isinstance(each, str) and each.strip() for each in given
    ):
        raise VenueProblem(f"{venue}: {key} is a list of texts, not {value!r}")
    return tuple(each.strip() for each in given)


def venue_of(found: Submission, venues: Iterable[Venue]) -> Venue | str:
    """The venue of a record, or why it has none; of several names the longest that fits counts."""
    fits = [(len(name), venue) for venue in venues for name in _fitting(found, venue)]
    if fits:
        return max(fits, key=lambda pair: pair[0])[1]
    if found.venues:
        return f"scale not known: no venue is declared for {found.venues[0][:80]!r}"
    return "scale not known: the record names no venue, and its folder is that of none"


def _fitting(found: Submission, venue: Venue) -> Iterator[str]:
    """The folders and names of a venue that fit a record; a folder with room before it, so that it
    counts for more than any name."""
    for folder in venue.folders:
        if found.source == folder or found.source.startswith(
            (f"{folder}/", f"{folder}:", f"{folder}[")
        ):
            yield f"{'/' * 1_000}{folder}"
    for name in venue.names:
        if any(_begins(told, name) for told in found.venues):
            yield name


def _begins(told: str, name: str) -> bool:
    """Whether ``told`` begins with the words of ``name``: "ICLR 2017" does not begin "ICLR 20"."""
    head, rest = told[: len(name)].casefold(), told[len(name) :]
    return head == name.casefold() and not (rest[:1].isalnum() and name[-1:].isalnum())
