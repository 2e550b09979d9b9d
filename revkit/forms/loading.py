"""Loading: from a form in YAML to a `Form`, with the place of what is wrong."""

from __future__ import annotations

import functools
import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from revkit.errors import PaperError
from revkit.files import Unreadable, read_text
from revkit.forms.form import KINDS, LONGEST_TEXT, MOST_ITEMS, NUMBERS, Field, Form
from revkit.model.review import Scale

_FORM_KEYS = ("name", "title", "scale", "score", "decision", "confidence", "aspects", "fields")
_FIELD_KEYS = ("type", "help", "minimum", "maximum", "step", "values", "max-length", "max-items")
_SCALE_KEYS = ("minimum", "maximum", "higher-is-better", "accept-at")
_DECISIONS = ["accept", "reject"]
_MOST_STEPS = 1000
_LARGEST_NUMBER = 1e15


class FormProblem(ValueError):
    """A file is no form; the text says what is wrong and where."""


@dataclass(frozen=True)
class FormFolder:
    """The forms that come with a plugin, one YAML file each, and what bounds their texts.

    ``longest_text`` is how many characters a text has at most where its field does not say.
    """

    folder: Path
    longest_text: int = LONGEST_TEXT

    @functools.cached_property
    def names(self) -> tuple[str, ...]:
        """Their names, sorted."""
        return tuple(sorted(path.stem for path in self.folder.glob("*.yaml")))

    @functools.cached_property
    def _read(self) -> dict[str, Form]:
        """Those that were read: they come with the code, so no file is looked at again."""
        return {}

    def load(self, name: str) -> Form:
        """The form ``name``: one of these, or the file at that path. Raises `FormProblem`."""
        if name in self._read:
            return self._read[name]
        own = name in self.names
        if not own and not os.path.isfile(name):
            raise FormProblem(f"no form {name!r}: no file, and none of {', '.join(self.names)}")
        try:
            text = read_text(self.folder / f"{name}.yaml" if own else name)
        except Unreadable as error:
            raise FormProblem(str(error)) from None
        form = parse_form(text, self.longest_text)
        if own:
            self._read[name] = form
        return form


@functools.lru_cache(maxsize=32)
def parse_form(text: str, longest_text: int = LONGEST_TEXT) -> Form:
    """The form that ``text``, in YAML, describes. Raises `FormProblem`."""
    import yaml

    try:
        value = yaml.safe_load(text)
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise FormProblem(f"is no YAML: {' '.join(str(error).split())[:200]}") from None
    value = _mapping(value, "the form", _FORM_KEYS, ("name", "scale", "score", "fields"))
    fields = value["fields"]
    if not isinstance(fields, Mapping) or not fields:
        raise FormProblem("fields: expected a mapping of fields by name")
    aspects = value.get("aspects", ())
    if not isinstance(aspects, list | tuple):
        raise FormProblem("aspects: expected a list of fields")
    form = Form(
        fields=tuple(_field(_text(n, "fields"), v, longest_text) for n, v in fields.items()),
        name=_text(value["name"], "name"),
        title=_text(value.get("title", value["name"]), "title"),
        scale=Scale("", 0, 1),
        score=_text(value["score"], "score"),
        decision=_text(value.get("decision", ""), "decision"),
        confidence=_text(value.get("confidence", ""), "confidence"),
        aspects=tuple(_text(name, "aspects") for name in aspects),
        source=text,
    )
    _check_parts(form)
    return replace(form, scale=_scale(form, value["scale"]))


def _text(value: Any, where: str) -> str:
    # Only what is one word or number: `str` would write out all that aliases make of a list.
    if not isinstance(value, str | int | float):
        raise FormProblem(f"{where}: expected text")
    return str(value)


def _mapping(
    value: Any, where: str, known: tuple[str, ...], required: tuple[str, ...]
) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise FormProblem(f"{where}: expected a mapping")
    unknown = [key for key in value if key not in known]
    if unknown:
        told = _text(unknown[0], where)
        raise FormProblem(f"{where}: unknown key {told!r}; known: {', '.join(known)}")
    missing = [key for key in required if key not in value]
    if missing:
        raise FormProblem(f"{where}: the key {missing[0]!r} is missing")
    return value


def _is_number(value: Any) -> bool:
    plain = isinstance(value, int | float) and not isinstance(value, bool)
    return plain and -_LARGEST_NUMBER <= value <= _LARGEST_NUMBER


def _field(name: str, value: Any, longest_text: int) -> Field:
    where = f"fields.{name}"
    value = _mapping(value, where, _FIELD_KEYS, ("type",))
    kind = value["type"]
    if kind not in list(KINDS):
        raise FormProblem(f"{where}.type: expected one of {', '.join(KINDS)}")
    for key in ("minimum", "maximum", "step"):
        if key in value and not _is_number(value[key]):
            raise FormProblem(f"{where}.{key}: expected a number")
    for key in ("max-length", "max-items"):
        if key in value and (type(value[key]) is not int or value[key] < 1):
            raise FormProblem(f"{where}.{key}: expected a whole number from 1")
    values, meanings = _values(value, kind, f"{where}.values")
    return Field(
        name,
        kind,
        _text(value.get("help", ""), f"{where}.help"),
        value.get("minimum"),
        value.get("maximum"),
        value.get("step"),
        values,
        meanings,
        value.get("max-length", longest_text),
        value.get("max-items", MOST_ITEMS),
    )


def _values(
    field: Mapping[str, Any], kind: str, where: str
) -> tuple[tuple[Any, ...], tuple[str, ...]]:
    """The values of a field and what each means; both empty where it names none."""
    if "values" not in field and kind != "choice":
        return (), ()
    given = field.get("values")
    if kind == "choice":
        wanted = "words"
    elif kind in NUMBERS:
        wanted = "numbers"
    else:
        raise FormProblem(f"{where}: only a number or a choice has values")
    if not isinstance(given, Mapping | list) or not given:
        raise FormProblem(f"{where}: expected {wanted}, perhaps with what each means")
    values = tuple(given)
    if not all(isinstance(v, str) if kind == "choice" else _is_number(v) for v in values):
        raise FormProblem(f"{where}: expected {wanted}, perhaps with what each means")
    if len(set(values)) < len(values):
        raise FormProblem(f"{where}: one of them stands twice")
    if isinstance(given, list):
        return values, ()
    return values, tuple(_text(meaning, where) for meaning in given.values())


def _check_parts(form: Form) -> None:
    fields = {field.name: field for field in form.fields}
    wanted: list[tuple[str, str, tuple[str, ...]]] = [("score", form.score, NUMBERS)]
    if form.decision:
        wanted.append(("decision", form.decision, ("boolean", "choice")))
    if form.confidence:
        wanted.append(("confidence", form.confidence, NUMBERS))
    wanted.extend(("aspects", name, NUMBERS) for name in form.aspects)
    for part, name, types in wanted:
        if name not in fields:
            raise FormProblem(f"{part}: there is no field {name!r}")
        if fields[name].type not in types:
            raise FormProblem(f"{part}: the field {name!r} must be of type {' or '.join(types)}")
    decision = fields.get(form.decision)
    if decision and decision.type == "choice" and sorted(decision.values) != _DECISIONS:
        raise FormProblem("decision: its values must be accept and reject")


def _scale(form: Form, value: Any) -> Scale:
    value = _mapping(value, "scale", _SCALE_KEYS, ("minimum", "maximum", "higher-is-better"))
    for key in ("minimum", "maximum", "accept-at"):
        if key in value and not _is_number(value[key]):
            raise FormProblem(f"scale.{key}: expected a number")
    if not isinstance(value["higher-is-better"], bool):
        raise FormProblem("scale.higher-is-better: expected true or false")
    low, high, accept_at = value["minimum"], value["maximum"], value.get("accept-at")
    if form.decision and accept_at is not None:
        raise FormProblem("scale.accept-at: the verdict is a field already (decision)")
    field = next(each for each in form.fields if each.name == form.score)
    allowed = field.values
    if not allowed and field.type == "integer" and high - low < _MOST_STEPS:
        allowed = tuple(range(math.ceil(low), math.floor(high) + 1))
    try:
        scale = Scale(
            form.name,
            float(low),
            float(high),
            higher_is_better=value["higher-is-better"],
            accept_at=None if accept_at is None else float(accept_at),
            values=tuple(sorted(map(float, allowed))),
        )
    except PaperError as error:
        raise FormProblem(f"scale: {error}") from None
    if not field.values and (field.minimum, field.maximum) != (low, high):
        raise FormProblem(f"fields.{field.name}: its minimum and maximum must be the scale's")
    return scale
