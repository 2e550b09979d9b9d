"""Forms: the scales on which the reviewers of a venue rate papers.

The forms are data (``forms.toml``), each with the source of its ends; without one it is assumed,
and tables say so. `form_of` finds the form of a record, from the surest evidence to the weakest:

1. the venue and year that the record names;
2. the labels beside its ratings ("8: Accept" and "6: Weak Accept" are of ICLR 2020);
3. the fields of its reviews together with the values of its ratings.

Where the forms that fit have different ends the scale is not known, and nothing is assumed.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib import resources
from typing import Any

from revkit.dataclass import dataclass
from revkit.model.paper import Unmapped
from revkit.model.rating_scale import RatingScale
from revkit.venues.ratings import Rating

_CONFERENCE = re.compile(
    r"(?:^|[^a-z])(iclr|neurips|nips|acl|conll|coling|f1000)(?:\.cc)?[/_ -]"
    r"((?:19|20)[0-9]{2})(?![0-9])",
    re.IGNORECASE,
)
_ROLLING = re.compile(r"(?:^|[^a-z])arr(?:[/_ -]|$)", re.IGNORECASE)
_ENDS = re.compile(r"(?:^|-)([0-9]{1,4}(?:\.[0-9]{1,4})?)-([0-9]{1,4}(?:\.[0-9]{1,4})?)\Z")


@dataclass(frozen=True)
class VenueForm:
    """One row of ``forms.toml``; ``words`` are the labels of numbers, normalised."""

    name: str
    venue: str
    years: tuple[int, ...]
    scale: RatingScale
    words: Mapping[float, str]
    fields: frozenset[str]
    without: frozenset[str]

    def fits_labels(self, ratings: Sequence[Rating]) -> bool:
        """Return whether each labelled rating has a wording of this form, and at least one is
        labelled.
        """
        labelled = [each for each in ratings if each.label]
        return bool(labelled) and all(
            self.words.get(each.value or 0.0) == level(each.label) for each in labelled
        )

    def fits_values(self, ratings: Sequence[Rating]) -> bool:
        """Return whether the form allows all these ratings, and has the stated ends."""
        return all(
            each.value is not None
            and self.scale.allows(each.value)
            and each.most in (None, self.scale.maximum)
            for each in ratings
        )

    def fits_fields(self, fields: Collection[str]) -> bool:
        return bool(self.fields) and self.fields <= set(fields) and not self.without & set(fields)


@dataclass(frozen=True, slots=True)
class FoundForm:
    """The scale of a record, or None; in this case ``candidates`` name the venue or the forms that
    fit.
    """

    scale: RatingScale | None = None
    candidates: tuple[str, ...] = ()

    @property
    def note(self) -> str:
        """Return why the scale is unknown, and the remedy."""
        why = " or ".join(self.candidates) or "the record names no venue"
        return (
            f"the form of the ratings is unknown ({why[:120]}), so there is no consensus; declare "
            "`scale`"
        )

    @property
    def gap(self) -> tuple[Unmapped, ...]:
        """Return the form in the form of labels, if it is unknown."""
        return (Unmapped("form", " or ".join(self.candidates)[:120] or "no venue is named"),)


def level(wording: str) -> str:
    """Return a label for comparison: lower case, without punctuation."""
    return " ".join(re.sub(r"[^\w%]+", " ", wording.casefold()).split())


@cache
def venue_forms() -> tuple[VenueForm, ...]:
    """Return all forms of ``forms.toml``, in order."""
    import tomllib

    text = resources.files("revkit.venues").joinpath("forms.toml").read_text(encoding="utf-8")
    return tuple(_form(row) for row in tomllib.loads(text)["form"])


def _form(row: Mapping[str, Any]) -> VenueForm:
    scale = RatingScale(
        row["name"],
        float(row["minimum"]),
        float(row["maximum"]),
        values=tuple(float(value) for value in row.get("values", ())),
        source=row.get("source", ""),
    )
    return VenueForm(
        row["name"],
        row["venue"],
        tuple(row.get("years", ())),
        scale,
        {float(number): level(words) for number, words in row.get("words", {}).items()},
        frozenset(row.get("fields", ())),
        frozenset(row.get("without", ())),
    )


def form_named(name: str) -> RatingScale | None:
    """The scale of the form called ``name``; a year of several ("iclr-2024") counts as a name."""
    for form in venue_forms():
        if name == form.name:
            return form.scale
    venue, _, year = name.rpartition("-")
    return _of_venue(venue, int(year)) if year.isdecimal() and year.isascii() else None


def form_names() -> tuple[str, ...]:
    """Return the names that `form_named` knows."""
    names: list[str] = []
    for form in venue_forms():
        names += [f"{form.venue}-{year}" for year in form.years] or [form.name]
    return tuple(names)


def _of_venue(venue: str, year: int) -> RatingScale | None:
    for form in venue_forms():
        if form.venue == venue and (year in form.years or (not form.years and venue)):
            return replace(form.scale, name=f"{venue}-{year}") if form.years else form.scale
    return None


def declared_scale(minimum: float, maximum: float, name: str = "") -> RatingScale:
    """Return the scale that a user declares. Raises `PaperError` for invalid ends."""
    shown = name or f"{minimum:g}-{maximum:g}"
    return RatingScale(shown, float(minimum), float(maximum), source="declared by the user")


def scale_from_text(text: str) -> RatingScale | None:
    """Return the scale that a label file names: a form of `form_named`, or any name with two ends
    after it ("our-form-1-10", "1-10"), which is how files of revkit declare them; else None.
    """
    return form_named(text) or ends_in_name(text)


def ends_in_name(text: str) -> RatingScale | None:
    """Return the scale whose ends are at the end of a name ("our-form-1-10"); None if there are
    none.
    """
    found = _ENDS.search(text)
    if found is None:
        return None
    low, high = float(found[1]), float(found[2])
    return declared_scale(low, high, text) if low < high else None


def venue_key(name: str) -> tuple[str, int] | None:
    """Return venue and year in ``name`` ("ICLR.cc/2020/Conference", "iclr_2017"); None for a
    workshop and for an unknown conference.
    """
    if "workshop" in name.casefold():
        return None
    if _ROLLING.search(name):
        return "arr", 0
    match = _CONFERENCE.search(name)
    if match is None:
        return None
    venue = match[1].casefold()
    return ("neurips" if venue == "nips" else venue), int(match[2])


def form_of(
    venues: Iterable[str], ratings: Sequence[Rating], fields: Collection[str] = ()
) -> FoundForm:
    """Return the form of a record, by the ``venues`` that it names, its readable ``ratings`` and
    the names of ``fields`` that all its reviews have.
    """
    named = [name for name in venues if name]
    for name in named:
        key = venue_key(name)
        scale = _of_venue(*key) if key else None
        if scale is not None:
            return FoundForm(scale)
    ratings = [each for each in ratings if each.value is not None]
    fitting = [form for form in venue_forms() if form.fits_values(ratings)]
    labelled = [form for form in fitting if form.fits_labels(ratings)]
    if not labelled and not named and not any(each.label for each in ratings) and ratings:
        labelled = [form for form in fitting if form.fits_fields(fields)]
    if not labelled:
        return FoundForm(None, tuple(named[:1]))
    ends = {(form.scale.minimum, form.scale.maximum) for form in labelled}
    names = tuple(form.name for form in labelled)
    return FoundForm(_join_scales(labelled) if len(ends) == 1 else None, names)


def _join_scales(forms: Sequence[VenueForm]) -> RatingScale:
    """Return the scale that all of ``forms`` have; it is assumed if one of them is."""
    if len(forms) == 1:
        return forms[0].scale
    first = forms[0].scale
    sources = [form.scale.source for form in forms]
    return RatingScale(
        " or ".join(form.name for form in forms),
        first.minimum,
        first.maximum,
        source="; ".join(sources) if all(sources) else "",
    )
