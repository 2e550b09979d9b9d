"""Parse the option ``map``: from YAML to checked fields.

A *source* states where a value is: ``path`` (JSONPath), ``column`` (of a recorded row),
``regex``, ``heading`` (of Markdown), or ``like`` (the value of another field). ``path``,
``column`` and ``heading`` may be combined with a ``regex`` that is applied to their values.
The rest of a field states how the values are used; see `Field`.
"""

from __future__ import annotations

from collections.abc import Mapping

from revkit.dataclass import dataclass
from revkit.options import as_written
from revkit_external.grammar import MapOptions, Place, SourceOptions, TextOptions, ValueOptions
from revkit_external.parse.label_sets import SCORE_SCALES, SETS, Meaning, label_key
from revkit_external.parse.paths import Steps, compile_path
from revkit_external.parse.patterns import compile_pattern

NUMBERS = ("score", "confidence", "severity")
TEXTS = ("text", "summary", "strengths", "weaknesses", "questions")
REDUCERS = ("mean", "median", "min", "max", "count", "majority")
LabelSets = Mapping[str, Mapping[str, Mapping[str, Meaning]]]


@dataclass(frozen=True)
class Source:
    """The place of a value. ``every`` selects all places, ``take`` the first or last one."""

    steps: Steps | None = None
    column: str = ""
    regex: str = ""
    heading: str = ""
    items: bool = False
    every: bool = False
    take: str = ""

    @property
    def panel(self) -> bool:
        """Whether the source reads the values of several members."""
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
    """One field of the review, and how its value is computed.

    In this order: each value found is looked up in ``labels`` or read as a whole number text;
    checked against ``scale`` (outside it is a failure, or with ``clamp`` the nearest end); the
    values become one by ``reduce``; ``to`` maps ``scale`` linearly onto another; ``rounding``
    makes it whole; ``at_least`` or ``at_most`` make it a verdict. A member of a panel without a
    value is a failure of kind "partial", unless ``skip`` allows it; the review's record then has a
    note. ``empty`` is the value of an existing list without members, ``empty_text`` that of a field
    of text.
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


def parse_source(
    given: SourceOptions, place: Place, format: str, *, every: bool = False, take: str = ""
) -> Source:
    """Compile a source; ``format`` decides which of its keys are allowed."""
    steps = None
    if given.path is not None:
        try:
            steps = compile_path(given.path)
        except ValueError as error:
            (place / "path").wrong(f"{given.path!r} {error}")
        if format not in ("json", "jsonl", "row"):
            (place / "path").wrong(f"a path needs output of format json or jsonl, not {format}")
    if given.column and format != "row":
        (place / "column").wrong("only recorded rows have columns; use path, regex or heading")
    if given.heading and format not in ("markdown", "text"):
        (place / "heading").wrong(f"a heading needs output of format markdown, not {format}")
    if given.regex:
        try:
            compile_pattern(given.regex)
        except ValueError as error:
            (place / "regex").wrong(f"{given.regex!r} {error}")
    _check_places(given, place)
    return Source(
        steps,
        given.column or "",
        given.regex or "",
        (given.heading or "").rstrip(":").strip(),
        given.items,
        given.items or every,
        take,
    )


def _check_places(given: SourceOptions, place: Place) -> None:
    places = [key for key in ("path", "column", "heading") if getattr(given, key) is not None]
    if len(places) > 1:
        place.wrong(f"{' and '.join(places)} are two places; name one")
    if not places and given.regex is None and getattr(given, "like", None) is None:
        place.wrong("names no place: give path, column, regex, heading or like")
    if given.items and not given.heading:
        (place / "items").wrong("the items of a list need a heading")


def parse_map(given: MapOptions, place: Place, format: str, labels: LabelSets) -> dict[str, Field]:
    """Read ``map``; ``labels`` are the label sets of the options in addition to the built-in
    sets.
    """
    fields: dict[str, Field] = {}
    for name in as_written(given):
        item = getattr(given, name)
        if isinstance(item, TextOptions):
            fields[name] = _text_field(name, item, place / name, format)
        elif isinstance(item, ValueOptions):
            fields[name] = _value_field(name, item, place / name, format, labels)
        elif item is not None:
            for part, inner in item.items():
                full = f"{name}.{part}"
                fields[full] = _value_field(full, inner, place / name / part, format, labels)
    if not fields:
        place.wrong("name at least one field, such as accept, score or summary")
    for name, field in fields.items():
        if field.like and (field.like not in fields or fields[field.like].like):
            (place / name / "like").wrong(
                f"{field.like!r} is not a field of map with its own place; add one, such as "
                f"{field.like}: {{path: $.{field.like}, ...}}"
            )
    return fields


def _text_field(name: str, given: TextOptions, place: Place, format: str) -> Field:
    source = parse_source(given, place, format, every=given.all_, take=given.take or "")
    return Field(name, source, empty_text=given.empty)


def _value_field(
    name: str, given: ValueOptions, place: Place, format: str, sets: LabelSets
) -> Field:
    every = given.all_ or given.reduce is not None
    labels, scale = _labels(name, given, place, sets)
    field = Field(
        name=name,
        source=parse_source(given, place, format, every=every, take=given.take or ""),
        like=given.like or "",
        labels=labels,
        reduce=given.reduce or "",
        scale=_ends(given.scale, place / "scale") or scale,
        to=_ends(given.to, place / "to"),
        clamp=given.clamp,
        rounding=given.round or "",
        at_least=given.at_least,
        at_most=given.at_most,
        skip=given.missing == "skip",
        empty=given.empty,
    )
    _check(field, place)
    if field.like and len(as_written(given)) > 2:
        (place / "like").wrong("takes at-least or at-most and nothing else")
    return field


def _ends(value: tuple[float, float] | None, place: Place) -> tuple[float, float] | None:
    if value is not None and value[0] >= value[1]:
        place.wrong(
            f"expected two numbers, the lower one first, not {list(value)!r}; if the lowest number "
            "is the best mark, let the command turn the scale, or read the mark as severity"
        )
    return value


def _labels(
    name: str, given: ValueOptions, place: Place, sets: LabelSets
) -> tuple[Mapping[str, Meaning] | None, tuple[float, float] | None]:
    """Return the label map of a field, and the scale of a named set."""
    if given.labels is not None and given.values is not None:
        place.wrong("labels and values are two names of the same option; keep only one")
    key = "labels" if given.labels is not None else "values"
    value = getattr(given, key)
    if value is None:
        return None, None
    if not isinstance(value, str):
        return parse_labels(value, place / key, verdict=name == "accept"), None
    known = {**SETS, **{f"@{name}": inner for name, inner in sets.items()}}
    (place / key).choice(value, known)
    meanings = known.get(value, {}).get(name)
    if value in known and meanings is None:
        (place / key).wrong(f"{value} has no meaning for {name}; it has {', '.join(known[value])}")
    return meanings or {}, SCORE_SCALES.get(value) if name == "score" else None


def parse_labels(
    given: Mapping[str, Meaning], place: Place, *, verdict: bool
) -> dict[str, Meaning]:
    """Read a map from labels to true and false (for a verdict) or to numbers."""
    labels: dict[str, Meaning] = {}
    for label, meaning in given.items():
        at, key = place / label, label_key(label)
        if key in labels:
            at.wrong(
                "occurs twice (labels are compared in lower case and without surrounding blanks)"
            )
        if verdict is not isinstance(meaning, bool):
            at.wrong(f"expected {'true or false' if verdict else 'a number'}, not {meaning!r}")
        labels[key] = meaning if verdict else float(meaning)
    return labels


def _check(field: Field, place: Place) -> None:
    """Check that a field has all keys that it needs for one unambiguous meaning."""
    verdict = field.name == "accept"
    threshold = field.at_least is not None or field.at_most is not None
    if threshold and not verdict:
        place.wrong("at-least and at-most make a verdict; they belong to accept")
    if field.at_least is not None and field.at_most is not None:
        place.wrong("at-least and at-most contradict each other; keep only one")
    if field.like and not threshold:
        (place / "like").wrong("set at-least or at-most to state which values mean accept")
    if threshold and field.labels is not None:
        place.wrong("labels already give a verdict; at-least and at-most need numbers")
    if verdict and not threshold and field.reduce not in ("", "majority"):
        (place / "reduce").wrong(
            "verdicts are combined only by majority; for other rules set at-least"
        )
    if field.source.every and not field.reduce and not field.source.take:
        place.wrong(f"'reduce' combines all values: {', '.join(REDUCERS)}")
    if field.source.take and (field.reduce or field.source.every):
        (place / "take").wrong(
            "selects one of several values, but 'all' and 'reduce' use all of them"
        )
    if field.to and not field.scale:
        (place / "to").wrong("needs 'scale', the range that is mapped onto it")
    if field.clamp and not field.scale:
        (place / "clamp").wrong("needs 'scale', to whose ends values are moved")
    if field.name == "score" and not field.scale:
        (place / "scale").wrong("is missing: the lowest and highest possible score")
    if field.labels and field.scale and field.reduce != "count":
        low, high = field.scale
        for label, meaning in field.labels.items():
            if not isinstance(meaning, bool) and not low <= meaning <= high:
                place.wrong(f"label {label!r} means {meaning:g}, outside of scale {low:g}-{high:g}")
