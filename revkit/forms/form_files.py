"""Read a form in YAML as a `Form`, with the place of every fault."""

from __future__ import annotations

import functools
import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from revkit.dataclass import dataclass
from revkit.errors import PaperError, SpecError, unknown_name
from revkit.files import Unreadable, YamlValue, parse_source, read_text, scalar_of
from revkit.forms.form import KINDS, LONGEST_TEXT, MOST_ITEMS, NUMBERS, Field, Form
from revkit.model.review import Scale
from revkit.model.values import is_number

_FORM_KEYS = ("name", "title", "scale", "score", "decision", "confidence", "aspects", "fields")
_TEXT_KEYS = ("name", "title", "score", "decision", "confidence")
_FIELD_KEYS = ("type", "help", "minimum", "maximum", "step", "values", "max-length", "max-items")
_SCALE_KEYS = ("minimum", "maximum", "higher-is-better", "accept-at")
_DECISIONS = ["accept", "reject"]
_MOST_STEPS = 1000
_LARGEST_NUMBER = 1e15


class FormProblem(ValueError):
    """A file does not contain a form; the text states the fault and its place."""


@dataclass(frozen=True)
class FormFolder:
    """The forms of a plugin, one YAML file each, and the limits on their texts.

    ``longest_text`` is how many characters a text has at most where its field does not say.
    """

    folder: Path
    longest_text: int = LONGEST_TEXT

    @functools.cached_property
    def names(self) -> tuple[str, ...]:
        """Return their names, sorted."""
        return tuple(sorted(path.stem for path in self.folder.glob("*.yaml")))

    @functools.cached_property
    def _read(self) -> dict[str, Form]:
        """Return the forms read so far: they are part of the code, so files are not read again."""
        return {}

    def load(self, name: str) -> Form:
        """Return the form ``name``: one of these forms, or the file at that path. Raises
        `FormProblem`.
        """
        if name in self._read:
            return self._read[name]
        own = name in self.names
        if not own and not os.path.isfile(name):
            raise FormProblem(f"{unknown_name('form', name, self.names)} (and no such file)")
        try:
            text = read_text(self.folder / f"{name}.yaml" if own else name)
        except Unreadable as error:
            raise FormProblem(str(error)) from None
        form = parse_form(text, self.longest_text, name)
        if own:
            self._read[name] = form
        return form


@functools.lru_cache(maxsize=32)
def parse_form(text: str, longest_text: int = LONGEST_TEXT, name: str = "") -> Form:
    """Return the form that ``text``, in YAML, describes. Raises `FormProblem` with the place of
    every fault; ``name`` is the file name in it.
    """
    try:
        return _form(parse_source(text, name).root, longest_text)
    except SpecError as error:
        raise FormProblem(str(error)) from None


def _form(root: YamlValue, longest_text: int) -> Form:
    parts = root.mapping(_FORM_KEYS, ("name", "scale", "score", "fields"))
    fields = parts["fields"].mapping()
    if not fields:
        raise parts["fields"].error("expected a mapping of fields by name")
    texts = {key: parts[key].text() for key in _TEXT_KEYS if key in parts}
    aspects = [each.text() for each in parts["aspects"].items()] if "aspects" in parts else []
    form = Form(
        fields=tuple(_field(name, value, longest_text) for name, value in fields.items()),
        name=texts["name"],
        title=texts.get("title", texts["name"]),
        scale=Scale("", 0, 1),
        score=texts["score"],
        decision=texts.get("decision", ""),
        confidence=texts.get("confidence", ""),
        aspects=tuple(aspects),
        source=root.source.text,
    )
    _check_parts(form, root)
    return replace(form, scale=_scale(form, root))


def _is_number(value: Any) -> bool:
    return is_number(value) and -_LARGEST_NUMBER <= value <= _LARGEST_NUMBER


def _check_numbers(parts: Mapping[str, YamlValue], keys: Sequence[str]) -> None:
    for key in keys:
        if key in parts and not _is_number(parts[key].value):
            raise parts[key].error("expected a number")


def _field(name: str, entry: YamlValue, longest_text: int) -> Field:
    parts = entry.mapping(_FIELD_KEYS, ("type",))
    kind = parts["type"].value
    if kind not in list(KINDS):
        raise parts["type"].error(f"expected one of {', '.join(KINDS)}")
    _check_numbers(parts, ("minimum", "maximum", "step"))
    for key in ("max-length", "max-items"):
        if key in parts and (type(parts[key].value) is not int or parts[key].value < 1):
            raise parts[key].error("expected a whole number from 1")
    values, meanings = _values(entry, parts, kind)
    value = {key: part.value for key, part in parts.items()}
    return Field(
        name,
        kind,
        parts["help"].text() if "help" in parts else "",
        value.get("minimum"),
        value.get("maximum"),
        value.get("step"),
        values,
        meanings,
        value.get("max-length", longest_text),
        value.get("max-items", MOST_ITEMS),
    )


def _values(
    field: YamlValue, parts: Mapping[str, YamlValue], kind: str
) -> tuple[tuple[Any, ...], tuple[str, ...]]:
    """Return the values of a field and the meaning of each; both empty if the field lists none."""
    if "values" not in parts:
        if kind == "choice":
            raise field.error("expected values, the words to choose from")
        return (), ()
    part = parts["values"]
    if kind != "choice" and kind not in NUMBERS:
        raise part.error("only a number or a choice has values")
    meanings: tuple[str, ...] = ()
    if isinstance(part.value, list):
        choices = [each.value for each in part.items()]
    else:
        by_value = part.mapping()
        # Keys of a mapping are texts; those of a number are read as its values would be.
        choices = [key if kind == "choice" else scalar_of(key) for key in by_value]
        meanings = tuple(meaning.text() for meaning in by_value.values())
    fits = (isinstance(v, str) if kind == "choice" else _is_number(v) for v in choices)
    if not choices or not all(fits):
        wanted = "words" if kind == "choice" else "numbers"
        raise part.error(f"expected {wanted}, optionally with the meaning of each")
    if len(set(choices)) < len(choices):
        raise part.error("two of them are equal")
    return tuple(choices), meanings


def _check_parts(form: Form, root: YamlValue) -> None:
    fields = {field.name: field for field in form.fields}
    wanted: list[tuple[YamlValue, str, tuple[str, ...]]] = [
        (root.child("score"), form.score, NUMBERS)
    ]
    if form.decision:
        wanted.append((root.child("decision"), form.decision, ("boolean", "choice")))
    if form.confidence:
        wanted.append((root.child("confidence"), form.confidence, NUMBERS))
    if form.aspects:
        aspects = root.child("aspects")
        wanted.extend((aspects, name, NUMBERS) for name in form.aspects)
    for part, name, types in wanted:
        if name not in fields:
            raise part.error(unknown_name("field", name, fields))
        if fields[name].type not in types:
            raise part.error(f"the field {name!r} must be of type {' or '.join(types)}")
    decision = fields.get(form.decision)
    if decision and decision.type == "choice" and sorted(decision.values) != _DECISIONS:
        raise root.child("decision").error("its values must be accept and reject")


def _scale(form: Form, root: YamlValue) -> Scale:
    part = root.child("scale")
    parts = part.mapping(_SCALE_KEYS, ("minimum", "maximum", "higher-is-better"))
    _check_numbers(parts, ("minimum", "maximum", "accept-at"))
    if not isinstance(parts["higher-is-better"].value, bool):
        raise parts["higher-is-better"].error("expected true or false")
    low, high = parts["minimum"].value, parts["maximum"].value
    accept_at = parts["accept-at"].value if "accept-at" in parts else None
    if form.decision and accept_at is not None:
        raise parts["accept-at"].error("the verdict is already a field (decision)")
    field = next(each for each in form.fields if each.name == form.score)
    allowed = field.values
    if not allowed and field.type == "integer" and high - low < _MOST_STEPS:
        allowed = tuple(range(math.ceil(low), math.floor(high) + 1))
    try:
        scale = Scale(
            form.name,
            float(low),
            float(high),
            higher_is_better=parts["higher-is-better"].value,
            accept_at=None if accept_at is None else float(accept_at),
            values=tuple(sorted(map(float, allowed))),
        )
    except PaperError as error:
        raise part.error(str(error)) from None
    if not field.values and (field.minimum, field.maximum) != (low, high):
        place = root.child("fields").child(field.name)
        raise place.error("its minimum and maximum must equal those of the scale")
    return scale
