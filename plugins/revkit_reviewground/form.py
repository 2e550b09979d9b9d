"""Form: the fields that draft and final review fill in, their scales, and the `Review` they make.

A form is a YAML file: a scale, fields in order, which of them is the score, the confidence and the
decision. The built-in one lies in ``forms/``.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from revkit.errors import PaperError
from revkit.model.review import Scale
from revkit.model.values import Json
from revkit_reviewground.files import FileProblem, read_text

FieldType = Literal["text", "list", "integer", "number", "choice"]
_TYPES = ("text", "list", "integer", "number", "choice")
_NUMBERS = ("integer", "number")
_FORM_KEYS = ("name", "title", "scale", "score", "decision", "confidence", "aspects", "fields")
_FIELD_KEYS = ("type", "help", "minimum", "maximum", "step", "values", "max-length", "max-items")
_SCALE_KEYS = ("minimum", "maximum", "higher-is-better", "accept-at")
_DECISIONS = ["accept", "reject"]
_LONGEST_TEXT = 6000
_MOST_ITEMS = 12
_FOLDER = Path(__file__).parent / "forms"


class FormProblem(ValueError):
    """A file is no form; the text says what is wrong and where."""


@dataclass(frozen=True)
class Field:
    """One field. ``step`` is what a small change of a number is, ``values`` the words of a choice
    or the numbers allowed, none of them: all."""

    name: str
    type: FieldType
    help: str = ""
    minimum: float | None = None
    maximum: float | None = None
    step: float | None = None
    values: tuple[Any, ...] = ()
    max_length: int = _LONGEST_TEXT
    max_items: int = _MOST_ITEMS

    @property
    def judges(self) -> bool:
        """Whether it is a number or the decision, and no text."""
        return self.type in (*_NUMBERS, "choice")

    def schema(self) -> dict[str, Json]:
        """The JSON Schema of the field's value."""
        if self.type == "text":
            return {"type": "string", "maxLength": self.max_length}
        if self.type == "list":
            item: Json = {"type": "string", "maxLength": self.max_length}
            return {"type": "array", "items": item, "maxItems": self.max_items}
        if self.type == "choice":
            return {"type": "string", "enum": list(self.values)}
        if self.values:
            return {"type": self.type, "enum": list(self.values)}
        bounds = {"minimum": self.minimum, "maximum": self.maximum}
        return {"type": self.type, **{k: bound for k, bound in bounds.items() if bound is not None}}

    def told(self) -> str:
        """The field in a line for the reviewer."""
        kind = {
            "text": "text",
            "list": "a list of texts",
            "integer": "a whole number",
            "number": "a number",
            "choice": "",
        }[self.type]
        if self.values:
            kind = "one of " + ", ".join(
                f"{value:g}" if self.type in _NUMBERS else f'"{value}"' for value in self.values
            )
        elif self.minimum is not None and self.maximum is not None:
            kind += f" from {self.minimum:g} to {self.maximum:g}"
        return f"- {self.name} ({kind}): {self.help}".rstrip(": ")


@dataclass(frozen=True)
class Form:
    """See the module. ``source`` is the file's text, for the key of results."""

    name: str
    title: str
    scale: Scale
    score: str
    fields: tuple[Field, ...]
    decision: str = ""
    confidence: str = ""
    aspects: tuple[str, ...] = ()
    source: str = ""

    @functools.cached_property
    def schema(self) -> dict[str, Json]:
        """The JSON Schema that a filled-in form must meet: every field, and nothing else."""
        return {
            "type": "object",
            "properties": {field.name: field.schema() for field in self.fields},
            "required": [field.name for field in self.fields],
            "additionalProperties": False,
        }

    @functools.cached_property
    def told(self) -> str:
        """The form in words, one line a field."""
        return "\n".join(field.told() for field in self.fields)

    def ordered(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """``data`` with the fields in the order of the form."""
        return {field.name: data[field.name] for field in self.fields}

    def accepts(self, data: Mapping[str, Any]) -> bool | None:
        """The verdict: the decision where the form asks for one, else what the scale implies."""
        if self.decision:
            return bool(data[self.decision] == "accept")
        return self.scale.accepts(float(data[self.score]))


@functools.cache
def _built_in() -> Mapping[str, str]:
    return {path.stem: str(path) for path in sorted(_FOLDER.glob("*.yaml"))}


def built_in() -> tuple[str, ...]:
    """The names of the forms that come with this plugin."""
    return tuple(_built_in())


def load_form(name: str) -> Form:
    """The form ``name``: a built-in one, or the file at that path. Raises `FormProblem`."""
    path = _built_in().get(name, name)
    if path == name and not Path(path).is_file():
        raise FormProblem(f"no form {name!r}: no file, and none of {', '.join(built_in())}")
    try:
        return _parsed(read_text(path))
    except FileProblem as error:
        raise FormProblem(str(error)) from None


@functools.lru_cache(maxsize=32)
def _parsed(text: str) -> Form:
    import yaml

    try:
        value = yaml.safe_load(text)
    except (yaml.YAMLError, RecursionError) as error:
        raise FormProblem(f"is no YAML: {' '.join(str(error).split())[:200]}") from None
    value = _mapping(value, "the form", _FORM_KEYS, ("name", "scale", "score", "fields"))
    if not isinstance(value["fields"], Mapping) or not value["fields"]:
        raise FormProblem("fields: expected a mapping of fields by name")
    form = Form(
        name=str(value["name"]),
        title=str(value.get("title", value["name"])),
        scale=Scale(str(value["name"]), 0, 1),
        score=str(value["score"]),
        fields=tuple(_field(str(name), each) for name, each in value["fields"].items()),
        decision=str(value.get("decision", "")),
        confidence=str(value.get("confidence", "")),
        aspects=tuple(str(name) for name in value.get("aspects", ())),
        source=text,
    )
    _check_parts(form)
    return _with_scale(form, value["scale"])


def _mapping(
    value: Any, where: str, known: tuple[str, ...], required: tuple[str, ...]
) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise FormProblem(f"{where}: expected a mapping")
    unknown = [str(key) for key in value if key not in known]
    if unknown:
        raise FormProblem(f"{where}: unknown key {unknown[0]!r}; known: {', '.join(known)}")
    missing = [key for key in required if key not in value]
    if missing:
        raise FormProblem(f"{where}: the key {missing[0]!r} is missing")
    return value


def _field(name: str, value: Any) -> Field:
    where = f"fields.{name}"
    value = _mapping(value, where, _FIELD_KEYS, ("type",))
    if value["type"] not in _TYPES:
        raise FormProblem(f"{where}.type: expected one of {', '.join(_TYPES)}")
    values = value.get("values", ())
    wanted = (str,) if value["type"] == "choice" else (int, float)
    if not isinstance(values, list | tuple) or not all(
        isinstance(each, wanted) and not isinstance(each, bool) for each in values
    ):
        raise FormProblem(f"{where}.values: expected a list of words or of numbers")
    for key in ("minimum", "maximum", "step", "max-length", "max-items"):
        if key in value and (
            isinstance(value[key], bool) or not isinstance(value[key], int | float)
        ):
            raise FormProblem(f"{where}.{key}: expected a number")
    return Field(
        name,
        value["type"],
        str(value.get("help", "")),
        value.get("minimum"),
        value.get("maximum"),
        value.get("step"),
        tuple(values),
        int(value.get("max-length", _LONGEST_TEXT)),
        int(value.get("max-items", _MOST_ITEMS)),
    )


def _check_parts(form: Form) -> None:
    fields = {field.name: field for field in form.fields}
    wanted: list[tuple[str, str, tuple[str, ...]]] = [("score", form.score, _NUMBERS)]
    if form.decision:
        wanted.append(("decision", form.decision, ("choice",)))
    if form.confidence:
        wanted.append(("confidence", form.confidence, _NUMBERS))
    wanted.extend(("aspects", name, _NUMBERS) for name in form.aspects)
    for part, name, types in wanted:
        if name not in fields:
            raise FormProblem(f"{part}: there is no field {name!r}")
        if fields[name].type not in types:
            raise FormProblem(f"{part}: the field {name!r} must be of type {' or '.join(types)}")
    if form.decision and sorted(fields[form.decision].values) != _DECISIONS:
        raise FormProblem("decision: its values must be accept and reject")


def _with_scale(form: Form, value: Any) -> Form:
    value = _mapping(value, "scale", _SCALE_KEYS, ("minimum", "maximum", "higher-is-better"))
    field = next(each for each in form.fields if each.name == form.score)
    accept_at = value.get("accept-at")
    if form.decision and accept_at is not None:
        raise FormProblem("scale.accept-at: the verdict is a field already (decision)")
    try:
        allowed = tuple(sorted(float(each) for each in field.values))
        if not allowed and field.type == "integer":
            low, high = int(value["minimum"]), int(value["maximum"])
            allowed = tuple(float(each) for each in range(low, min(high, low + 999) + 1))
        scale = Scale(
            form.name,
            float(value["minimum"]),
            float(value["maximum"]),
            higher_is_better=value["higher-is-better"] is True,
            accept_at=None if accept_at is None else float(accept_at),
            values=allowed,
        )
    except (PaperError, TypeError, ValueError) as error:
        raise FormProblem(f"scale: {error}") from None
    ends = (value["minimum"], value["maximum"])
    if not field.values and (field.minimum, field.maximum) != ends:
        raise FormProblem(f"fields.{field.name}: its minimum and maximum must be the scale's")
    return replace(form, scale=scale)
