"""The grammar of ``map``: from YAML to checked fields.

A *source* says where a value stands: ``path`` (JSONPath), ``column`` (of a recorded row),
``regex``, ``heading`` (of Markdown), or ``like`` (the value of another field). ``path``,
``column`` and ``heading`` may be joined by a ``regex`` that is then applied to what they give.
The rest of a field says what is made of it; `Field` lists it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from revkit_external.grammar import Place
from revkit_external.reading.label_sets import SCORE_SCALES, SETS, Meaning, label_key
from revkit_external.reading.paths import Steps, compile_path
from revkit_external.reading.patterns import compile_pattern

NUMBERS = ("score", "confidence", "severity")
TEXTS = ("text", "summary", "strengths", "weaknesses", "questions")
REDUCERS = ("mean", "median", "min", "max", "count", "majority")
ROUNDINGS = ("half-up", "half-even", "down", "up")
_SOURCE_KEYS = ("path", "column", "regex", "heading", "items", "all", "take")
_VALUE_KEYS = (
    *_SOURCE_KEYS,
    "missing",
    "like",
    "labels",
    "values",
    "reduce",
    "scale",
    "to",
    "clamp",
    "round",
    "at-least",
    "at-most",
    "empty",
)


@dataclass(frozen=True)
class Source:
    """Where a value stands. ``every`` asks for all places, ``take`` for the first or last one."""

    steps: Steps | None = None
    column: str = ""
    regex: str = ""
    heading: str = ""
    items: bool = False
    every: bool = False
    take: str = ""

    @property
    def panel(self) -> bool:
        """Whether it asks several members of something for their values."""
        return self.every or (self.steps is not None and self.steps.many)

    def __str__(self) -> str:
        parts = [
            self.steps.text if self.steps else "",
            f"column {self.column!r}" if self.column else "",
            f"heading {self.heading!r}" if self.heading else "",
            f"pattern {self.regex!r}" if self.regex else "",
        ]
        return ", ".join(part for part in parts if part)


@dataclass(frozen=True)
class Field:
    """One field of the review, and how its value is made.

    In this order: each value found is looked up in ``labels`` or read as a whole number text;
    checked against ``scale`` (outside it is a failure, or with ``clamp`` the nearest end); the
    values become one by ``reduce``; ``to`` maps ``scale`` linearly onto another; ``rounding``
    makes it whole; ``at_least`` or ``at_most`` make it a verdict. A member of a panel without a
    value is a failure of kind "partial", unless ``skip`` allows it, and then the review's record
    says so; ``empty`` is the value of a list that is there and has no member, ``empty_text`` that
    of a field of text.
    """

    name: str
    source: Source = Source()
    like: str = ""
    labels: Mapping[str, Meaning] | None = None
    reduce: str = ""
    scale: tuple[float, float] | None = None
    to: tuple[float, float] | None = None
    clamp: bool = False
    rounding: str = ""
    at_least: float | None = None
    at_most: float | None = None
    skip: bool = False
    empty: float | None = None
    empty_text: str | tuple[str, ...] | None = None


def parse_source(value: Mapping[str, Any], place: Place, format: str) -> Source:
    """Read the keys of a source from ``value``; ``format`` decides which of them make sense."""
    steps = None
    if "path" in value:
        try:
            steps = compile_path((place / "path").text(value["path"]))
        except ValueError as error:
            (place / "path").wrong(f"{value['path']!r} {error}")
        if format not in ("json", "jsonl"):
            (place / "path").wrong(f"a path needs output of format json or jsonl, not {format}")
    column = (place / "column").text(value["column"]) if "column" in value else ""
    if column and format != "row":
        (place / "column").wrong("only recorded rows have columns; use path, regex or heading")
    heading = (place / "heading").text(value["heading"]) if "heading" in value else ""
    if heading and format not in ("markdown", "text"):
        (place / "heading").wrong(f"a heading needs output of format markdown, not {format}")
    regex = (place / "regex").text(value["regex"]) if "regex" in value else ""
    if regex:
        try:
            compile_pattern(regex)
        except ValueError as error:
            (place / "regex").wrong(f"{regex!r} {error}")
    given = [key for key in ("path", "column", "heading") if key in value]
    if len(given) > 1:
        place.wrong(f"{' and '.join(given)} are two places; name one")
    if not given and not regex and "like" not in value:
        place.wrong("says nowhere where it stands: name path, column, regex, heading or like")
    items = (place / "items").flag(value.get("items", False))
    if items and not heading:
        (place / "items").wrong("the items of a list need a heading")
    take = (place / "take").choice(value["take"], ("first", "last")) if "take" in value else ""
    every = value.get("all", False)
    return Source(
        steps,
        column,
        regex,
        heading.rstrip(":").strip(),
        items,
        items or (isinstance(every, bool) and every),
        take,
    )


def parse_map(value: Any, place: Place, format: str, labels: Mapping[str, Any]) -> dict[str, Field]:
    """Read ``map``; ``labels`` holds the label sets that the options name besides the built-in."""
    known = ("accept", *NUMBERS, *TEXTS, "aspects", "usage")
    fields: dict[str, Field] = {}
    given = place.mapping(value, known)
    for name, item in given.items():
        if name in ("aspects", "usage"):
            for part, inner in (place / name).mapping(item).items():
                full = f"{name}.{part}"
                fields[full] = _value_field(full, inner, place / name / part, format, labels)
        elif name in TEXTS:
            fields[name] = _text_field(name, item, place / name, format)
        else:
            fields[name] = _value_field(name, item, place / name, format, labels)
    if not fields and isinstance(value, Mapping):
        place.wrong("name at least one field, such as accept, score or summary")
    for name, field in fields.items():
        if field.like and (field.like not in fields or fields[field.like].like):
            (place / name / "like").wrong(f"{field.like!r} is no field with a source of its own")
    return fields


def _text_field(name: str, value: Any, place: Place, format: str) -> Field:
    keys = place.mapping(value, (*_SOURCE_KEYS, "empty"))
    if "all" in keys:
        (place / "all").flag(keys["all"])
    empty = _empty_text(keys["empty"], place / "empty") if "empty" in keys else None
    return Field(name, parse_source(keys, place, format), empty_text=empty)


def _empty_text(value: Any, place: Place) -> str | tuple[str, ...]:
    """A text or a list of texts, both of which may be empty."""
    if isinstance(value, str):
        return value
    if not place.is_list(value) or not all(isinstance(item, str) for item in value):
        place.wrong(f"expected text or a list of texts, not {value!r}")
        return ()
    return tuple(value)


def _value_field(
    name: str, value: Any, place: Place, format: str, sets: Mapping[str, Any]
) -> Field:
    keys = place.mapping(value, _VALUE_KEYS)
    source = parse_source(keys, place, format)
    if "all" in keys:
        (place / "all").flag(keys["all"])
    labels, scale = _labels(name, keys, place, sets)
    if "scale" in keys:
        scale = (place / "scale").pair(keys["scale"])
    reduce = (place / "reduce").choice(keys["reduce"], REDUCERS) if "reduce" in keys else ""
    missing = keys.get("missing", "fail")
    numbers = {
        key: (place / key).number(keys[key]) if key in keys else None
        for key in ("at-least", "at-most", "empty")
    }
    field = Field(
        name=name,
        source=Source(**{**vars(source), "every": source.every or bool(reduce)}),
        like=(place / "like").text(keys["like"]) if "like" in keys else "",
        labels=labels,
        reduce=reduce,
        scale=scale,
        to=(place / "to").pair(keys["to"]) if "to" in keys else None,
        clamp=(place / "clamp").flag(keys.get("clamp", False)),
        rounding=(place / "round").choice(keys["round"], ROUNDINGS) if "round" in keys else "",
        at_least=numbers["at-least"],
        at_most=numbers["at-most"],
        skip=(place / "missing").choice(missing, ("fail", "skip")) == "skip",
        empty=numbers["empty"],
    )
    _check(field, keys, place)
    return field


def _labels(
    name: str, keys: Mapping[str, Any], place: Place, sets: Mapping[str, Any]
) -> tuple[Mapping[str, Meaning] | None, tuple[float, float] | None]:
    """The label map of a field, and the scale that a named set brings."""
    given = [key for key in ("labels", "values") if key in keys]
    if not given:
        return None, None
    if len(given) == 2:
        place.wrong("labels and values are two names of one thing; give one")
    at, value = place / given[0], keys[given[0]]
    if isinstance(value, str):
        known = {**SETS, **{f"@{name}": inner for name, inner in sets.items()}}
        chosen = at.choice(value, known)
        found = known.get(chosen, {}).get(name)
        if chosen and found is None:
            has = ", ".join(known[chosen])
            at.wrong(f"{chosen} has no meaning for {name}; it has {has}")
        return found or {}, SCORE_SCALES.get(chosen) if name == "score" else None
    return parse_labels(value, at, verdict=name == "accept"), None


def parse_labels(value: Any, place: Place, *, verdict: bool) -> dict[str, Meaning]:
    """Read a map from labels to true and false (of a verdict) or to numbers."""
    found: dict[str, Meaning] = {}
    for label, meaning in place.mapping(value).items():
        at, key = place / label, label_key(label)
        if key in found:
            at.wrong("is there twice (labels are compared in one case, without blanks around them)")
        found[key] = at.flag(meaning) if verdict else at.number(meaning)
    return found


def _check(field: Field, keys: Mapping[str, Any], place: Place) -> None:
    """What a field needs so that its reading has one meaning."""
    verdict = field.name == "accept"
    threshold = field.at_least is not None or field.at_most is not None
    if threshold and not verdict:
        place.wrong("at-least and at-most make a verdict; they belong to accept")
    if field.at_least is not None and field.at_most is not None:
        place.wrong("at-least and at-most contradict each other; give one")
    if field.like and not threshold:
        (place / "like").wrong("say with at-least or at-most from where on that value is accept")
    if field.like and len(keys) > 2:
        (place / "like").wrong("takes at-least or at-most and nothing else")
    if threshold and field.labels is not None:
        place.wrong("labels give a verdict already; at-least and at-most need numbers")
    if verdict and not threshold and field.reduce not in ("", "majority"):
        (place / "reduce").wrong("verdicts reduce by majority only, or give at-least")
    if field.source.every and not field.reduce and not field.source.take:
        place.wrong(f"all values make one by 'reduce': {', '.join(REDUCERS)}")
    if field.source.take and (field.reduce or field.source.every):
        (place / "take").wrong("takes one of several; 'all' and 'reduce' use them all")
    if field.to and not field.scale:
        (place / "to").wrong("needs 'scale', the range that is mapped onto it")
    if field.clamp and not field.scale:
        (place / "clamp").wrong("needs 'scale', to whose ends values are moved")
    if field.name == "score" and not field.scale:
        place.wrong("needs 'scale', the lowest and highest score that can come")
    if field.labels and field.scale and field.reduce != "count":
        low, high = field.scale
        for label, meaning in field.labels.items():
            if not isinstance(meaning, bool) and not low <= meaning <= high:
                place.wrong(f"label {label!r} means {meaning:g}, outside of scale {low:g}-{high:g}")
