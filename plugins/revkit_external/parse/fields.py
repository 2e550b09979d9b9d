"""Convert the values of a document to the fields of a review."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from revkit.model.review import Review
from revkit.model.values import Json
from revkit_external.parse.documents import Document
from revkit_external.parse.label_sets import Meaning, label_key
from revkit_external.parse.mapping import TEXTS, Field
from revkit_external.parse.numbers import majority, number_of, reduced, rounded
from revkit_external.parse.select import Candidate, Selection, select
from revkit_external.parse.trouble import ReadingError, excerpt

_MOST_NATIVE = 50


@dataclass
class Reading:
    """The values that were read, by field, with the native values, their places, and the
    conversions.

    ``troubles`` holds the fields that could not be read, ``partial`` what is missing of panels,
    ``panels`` how many members each had and which of them gave no value.
    """

    values: dict[str, Any] = field(default_factory=dict)
    native: dict[str, Json] = field(default_factory=dict)
    places: dict[str, list[str]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    troubles: dict[str, ReadingError] = field(default_factory=dict)
    partial: list[str] = field(default_factory=list)
    panels: dict[str, Json] = field(default_factory=dict)

    def to_json(self) -> dict[str, Json]:
        """Return all fields as JSON, for the record of a failure."""
        parts: dict[str, Json] = {
            "values": self.values,
            "native": self.native,
            "places": {name: list(places) for name, places in self.places.items()},
            "panels": self.panels,
            "partial": list(self.partial),
            "notes": list(self.notes),
            "troubles": {name: trouble.detail for name, trouble in self.troubles.items()},
        }
        return {name: part for name, part in parts.items() if part}

    def review(self) -> Review:
        """Return the review with these values."""
        values = self.values
        texts = {name: values[name] for name in TEXTS if values.get(name)}
        aspects = {n[8:]: v for n, v in values.items() if n.startswith("aspects.")}
        if "severity" in values:
            aspects["severity"] = values["severity"]
        details: dict[str, Json] = {"native": self.native}
        usage = {n[6:]: v for n, v in values.items() if n.startswith("usage.")}
        more: dict[str, Json] = {
            "usage": usage,
            "notes": self.notes,
            "partial": self.partial,
            "panels": self.panels,
            "texts": {name: text for name, text in texts.items() if name != "text"},
        }
        details |= {name: value for name, value in more.items() if value}
        return Review(
            accept=values.get("accept"),
            score=values.get("score"),
            text=_join_texts(texts),
            confidence=values.get("confidence"),
            aspects=aspects,
            details=details,
        )


def _join_texts(texts: Mapping[str, Any]) -> str:
    if "text" in texts:
        return _as_text(texts["text"])
    return "\n\n".join(f"{name.capitalize()}\n\n{_as_text(text)}" for name, text in texts.items())


def _as_text(value: Any) -> str:
    return "\n".join(f"- {item}" for item in value) if isinstance(value, list) else str(value)


def read_fields(document: Document, fields: Mapping[str, Field], *, allow_partial: bool) -> Reading:
    """Read every field. A fault in one field does not stop the others and is added to
    `Reading.troubles`.
    """
    reading = Reading()
    for name, spec in fields.items():
        try:
            if name in TEXTS:
                _read_text(document, spec, reading)
            elif not spec.like:
                _read_value(document, spec, reading, allow_partial)
        except ReadingError as error:
            reading.troubles[name] = ReadingError(error.kind, f"{name}: {error.detail}")
    for name, spec in fields.items():
        if spec.like in reading.values:
            reading.values[name] = _verdict(reading.values[spec.like], spec)
        elif spec.like in reading.troubles:
            reading.troubles[name] = reading.troubles[spec.like]
    return reading


def _read_text(document: Document, spec: Field, reading: Reading) -> None:
    found = select(document, spec.source)
    if found.missing:
        _count_members(spec, found, reading)
    if not found.candidates:
        if spec.empty_text is not None and found.there and not found.missing:
            empty = spec.empty_text
            reading.values[spec.name] = empty if isinstance(empty, str) else list(empty)
        return
    texts = [_one_text(candidate) for candidate in found.candidates]
    reading.places[spec.name] = [candidate.place for candidate in found.candidates]
    if spec.source.every:
        reading.values[spec.name] = texts
    elif spec.source.take:
        reading.values[spec.name] = texts[0 if spec.source.take == "first" else -1]
    elif len(set(map(str, texts))) > 1:
        places = ", ".join(candidate.place for candidate in found.candidates[:5])
        raise ReadingError(
            "unparseable", f"{len(texts)} different texts ({places}); set 'all: true' or 'take'"
        )
    else:
        reading.values[spec.name] = texts[0]


def _one_text(candidate: Candidate) -> Any:
    value = candidate.value
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, Sequence) and all(isinstance(item, str) for item in value):
        return [str(item) for item in value]
    raise ReadingError("schema", f"expected text at {candidate.place}, not {excerpt(value)}")


def _read_value(document: Document, spec: Field, reading: Reading, allow_partial: bool) -> None:
    found = select(document, spec.source)
    candidates = found.candidates
    reading.places[spec.name] = [each.place for each in candidates[:_MOST_NATIVE]]
    reading.native[spec.name] = _native(spec, candidates)
    if spec.source.panel:
        _check_members(spec, found, reading, allow_partial)
    if not candidates:
        number = _of_empty(spec, found)
        if number is None:
            return
    elif spec.reduce == "count":
        number = _to_scale(spec, float(len(candidates)), "the count", reading)
    else:
        number = _value_of(spec, candidates, reading)
    if not isinstance(number, bool):
        number = _to_range(spec, number, reading)
    if spec.name == "accept":
        reading.values["accept"] = _verdict(number, spec)
    else:
        reading.values[spec.name] = number


def _native(spec: Field, candidates: Sequence[Candidate]) -> Json:
    if spec.reduce == "count":
        return len(candidates)
    values = [candidate.value for candidate in candidates[:_MOST_NATIVE]]
    return values if spec.source.every or len(values) > 1 else (values[0] if values else None)


def _check_members(spec: Field, found: Selection, reading: Reading, allow_partial: bool) -> None:
    """Count the members that were asked and those with a value; refuse if the missing ones could
    change the result.

    Of one that is taken from several ("first", "last") that is a member at its end of the list.
    """
    message = _count_members(spec, found, reading)
    if not message:
        return
    if spec.source.take:
        end = found.order[0 if spec.source.take == "first" else -1] if found.order else ""
        if end not in found.missing:
            return
    if not spec.skip and not (allow_partial and found.candidates):
        raise ReadingError("partial" if found.candidates else "schema", message)
    reading.partial.append(f"{spec.name}: {message}")


def _count_members(spec: Field, found: Selection, reading: Reading) -> str:
    """Record the numbers of a panel, and state which members are missing ("" if none is)."""
    gave, missing = len(found.candidates), len(found.missing)
    counts: dict[str, Json] = {"asked": gave + missing, "gave": gave}
    if missing:
        counts["missing"] = list(found.missing[:_MOST_NATIVE])
    if missing or (spec.source.steps is not None and spec.source.steps.many):
        reading.panels[spec.name] = counts
    if not missing:
        return ""
    names = f"{', '.join(found.missing[:3])}{', ...' if missing > 3 else ''}"
    return f"{missing} of {gave + missing} members have no value ({names})"


def _of_empty(spec: Field, found: Selection) -> float | None:
    """Return the value of a list without members: ``empty``, or 0 for a count."""
    if found.missing:
        return None
    if spec.empty is not None and found.there:
        return spec.empty
    return 0.0 if spec.reduce == "count" and found.reached else None


def _value_of(spec: Field, candidates: Sequence[Candidate], reading: Reading) -> Meaning:
    values = [_meaning(spec, candidate, reading) for candidate in candidates]
    if spec.reduce:
        if spec.reduce == "majority":
            return majority(values)
        return reduced([float(value) for value in values], spec.reduce)
    if spec.source.take:
        return values[0 if spec.source.take == "first" else -1]
    if len(set(values)) > 1:
        named = ", ".join(f"{excerpt(each.value, 40)} at {each.place}" for each in candidates[:4])
        raise ReadingError(
            "unparseable",
            f"{len(candidates)} different values could be meant: {named}; name one, or set 'take' "
            "or 'reduce'",
        )
    return values[0]


def _meaning(spec: Field, candidate: Candidate, reading: Reading) -> Meaning:
    """Return the meaning of one value: its label's meaning, a verdict, or a number on the scale."""
    value, place = candidate.value, candidate.place
    if spec.labels is not None:
        label = _label(value, place)
        if label not in spec.labels:
            known = ", ".join(list(spec.labels)[:12])
            raise ReadingError(
                "schema", f"unmapped label {excerpt(value)} at {place}; known: {known}"
            )
        if candidate.negation:
            words = f"{candidate.negation} {value}"
            raise ReadingError("unparseable", f"{excerpt(words)} at {place} negates the label")
        return spec.labels[label]
    if spec.name == "accept" and spec.at_least is None and spec.at_most is None:
        if isinstance(value, bool):
            return value
        raise ReadingError(
            "schema", f"unmapped label {excerpt(value)} at {place}; set its meaning with 'labels'"
        )
    high = spec.scale[1] if spec.scale else None
    trouble = candidate.number_trouble(high) if candidate.before or candidate.after else ""
    if trouble:
        raise ReadingError("unparseable", f"{trouble} ({place})")
    return _to_scale(spec, number_of(value, place), place, reading)


def _label(value: Json, place: str) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return f"{value:g}"
    if isinstance(value, str):
        return label_key(value)
    raise ReadingError("schema", f"expected a label at {place}, not {excerpt(value)}")


def _to_scale(spec: Field, number: float, place: str, reading: Reading) -> float:
    if spec.scale is None or spec.scale[0] <= number <= spec.scale[1]:
        return number
    low, high = spec.scale
    if not spec.clamp:
        raise ReadingError(
            "schema", f"out of scale: {number:g} at {place} is not from {low:g} to {high:g}"
        )
    nearest = min(max(number, low), high)
    reading.notes.append(f"{spec.name}: {number:g} at {place} moved to {nearest:g}")
    return nearest


def _to_range(spec: Field, number: float, reading: Reading) -> float:
    """Map onto ``to`` and round."""
    value = float(number)
    if spec.to is not None and spec.scale is not None:
        (low, high), (first, last) = spec.scale, spec.to
        value = first + (value - low) / (high - low) * (last - first)
    if spec.rounding:
        whole = rounded(value, spec.rounding)
        if whole != value:
            reading.notes.append(f"{spec.name}: {value:g} rounded {spec.rounding} to {whole:g}")
        value = whole
    return value


def _verdict(value: Meaning, spec: Field) -> bool:
    if spec.at_least is not None:
        return float(value) >= spec.at_least
    if spec.at_most is not None:
        return float(value) <= spec.at_most
    return bool(value)
