"""Form: what a venue asks of its reviewers, and how a filled-in form becomes a `Review`.

A form is a YAML file: a scale, fields in order, which field is the score, and how the verdict
follows. Built-in ones lie in ``forms/``.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from revkit.errors import PaperError
from revkit.model.review import Review, Scale
from revkit.model.values import Json
from revkit_llm.files import FileProblem, read_text

FieldType = Literal["text", "list", "integer", "number", "boolean"]
_TYPES = ("text", "list", "integer", "number", "boolean")
_FORM_KEYS = ("name", "title", "scale", "score", "decision", "confidence", "aspects", "fields")
_FIELD_KEYS = ("type", "help", "minimum", "maximum", "values", "max-length", "max-items")
_SCALE_KEYS = ("minimum", "maximum", "higher-is-better", "accept-at")
_LONGEST_TEXT = 4000
_MOST_ITEMS = 12
_FOLDER = Path(__file__).parent / "forms"


class FormProblem(ValueError):
    """A file is no form; the text says what is wrong and where."""


@dataclass(frozen=True)
class Field:
    """One field of a form. ``values`` maps the allowed numbers to what they mean."""

    name: str
    type: FieldType
    help: str = ""
    minimum: float | None = None
    maximum: float | None = None
    values: Mapping[float, str] | None = None
    max_length: int = _LONGEST_TEXT
    max_items: int = _MOST_ITEMS

    def schema(self) -> dict[str, Json]:
        """The JSON Schema of the field's value."""
        if self.type == "boolean":
            return {"type": "boolean"}
        if self.type == "text":
            return {"type": "string", "maxLength": self.max_length}
        if self.type == "list":
            item: Json = {"type": "string", "maxLength": self.max_length}
            return {"type": "array", "items": item, "maxItems": self.max_items}
        if self.values is not None:
            return {"type": self.type, "enum": list(self.values)}
        bounds = {"minimum": self.minimum, "maximum": self.maximum}
        return {"type": self.type, **{k: bound for k, bound in bounds.items() if bound is not None}}

    def told(self) -> str:
        """The field in a line for the reviewer."""
        kind = {"text": "text", "list": "a list of texts", "boolean": "true or false"}.get(
            self.type, "a whole number" if self.type == "integer" else "a number"
        )
        if self.values is not None:
            meanings = [
                f"{value:g} ({meaning})" if meaning else f"{value:g}"
                for value, meaning in self.values.items()
            ]
            kind = "one of " + ", ".join(meanings)
        elif self.minimum is not None and self.maximum is not None:
            kind += f" from {self.minimum:g} to {self.maximum:g}"
        return f"- {self.name} ({kind}): {self.help}".rstrip(": ")


@dataclass(frozen=True)
class Form:
    """A venue's form: see the module. ``source`` is its text, for the key of results."""

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
        """The JSON Schema that a reply must meet: every field, and nothing else."""
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

    def review(self, data: Mapping[str, Any], scale: Scale) -> Review:
        """The review that a filled-in form stands for, with its verdict by ``scale``."""
        score = float(data[self.score])
        verdict = bool(data[self.decision]) if self.decision else scale.accepts(score)
        return Review(
            accept=verdict,
            score=score,
            text=self.text(data),
            confidence=float(data[self.confidence]) if self.confidence else None,
            aspects={name: float(data[name]) for name in self.aspects},
            details={"form": self.name},
        )

    def text(self, data: Mapping[str, Any]) -> str:
        """The words of a filled-in form, under the names of their fields."""
        parts = []
        for field in self.fields:
            value = data[field.name]
            if field.type == "text" and value.strip():
                parts.append(f"{_heading(field.name)}\n{value.strip()}")
            elif field.type == "list" and value:
                items = "\n".join(f"- {item.strip()}" for item in value)
                parts.append(f"{_heading(field.name)}\n{items}")
        return "\n\n".join(parts)


def _heading(name: str) -> str:
    return name.replace("-", " ").capitalize() + ":"


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
    fields = value["fields"]
    if not isinstance(fields, Mapping) or not fields:
        raise FormProblem("fields: expected a mapping of fields by name")
    form = Form(
        name=str(value["name"]),
        title=str(value.get("title", value["name"])),
        scale=Scale(str(value["name"]), 0, 1),
        score=str(value["score"]),
        fields=tuple(_field(str(name), each) for name, each in fields.items()),
        decision=str(value.get("decision", "")),
        confidence=str(value.get("confidence", "")),
        aspects=tuple(str(name) for name in value.get("aspects", ())),
        source=text,
    )
    _check_roles(form)
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
    values = value.get("values")
    if isinstance(values, list):
        values = dict.fromkeys(values, "")
    if values is not None:
        if not isinstance(values, Mapping) or not all(_is_number(each) for each in values):
            raise FormProblem(f"{where}.values: expected numbers, perhaps with what each means")
        values = {each: str(meaning) for each, meaning in values.items()}
    for key in ("minimum", "maximum", "max-length", "max-items"):
        if key in value and not _is_number(value[key]):
            raise FormProblem(f"{where}.{key}: expected a number")
    return Field(
        name,
        value["type"],
        str(value.get("help", "")),
        value.get("minimum"),
        value.get("maximum"),
        values,
        int(value.get("max-length", _LONGEST_TEXT)),
        int(value.get("max-items", _MOST_ITEMS)),
    )


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _check_roles(form: Form) -> None:
    fields = {field.name: field for field in form.fields}
    numbers = ("integer", "number")
    wanted: list[tuple[str, str, tuple[str, ...]]] = [("score", form.score, numbers)]
    if form.decision:
        wanted.append(("decision", form.decision, ("boolean",)))
    if form.confidence:
        wanted.append(("confidence", form.confidence, numbers))
    wanted.extend(("aspects", name, numbers) for name in form.aspects)
    for role, name, types in wanted:
        if name not in fields:
            raise FormProblem(f"{role}: there is no field {name!r}")
        if fields[name].type not in types:
            raise FormProblem(f"{role}: the field {name!r} must be of type {' or '.join(types)}")


def _with_scale(form: Form, value: Any) -> Form:
    from dataclasses import replace

    value = _mapping(value, "scale", _SCALE_KEYS, ("minimum", "maximum", "higher-is-better"))
    field = next(each for each in form.fields if each.name == form.score)
    allowed = tuple(sorted(float(each) for each in field.values)) if field.values else ()
    if not allowed and field.type == "integer":
        low, high = int(value["minimum"]), int(value["maximum"])
        allowed = tuple(float(each) for each in range(low, high + 1)) if high - low < 1000 else ()
    accept_at = value.get("accept-at")
    if form.decision and accept_at is not None:
        raise FormProblem("scale.accept-at: the verdict is a field already (decision)")
    try:
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
    bounded = field.values is not None or (field.minimum, field.maximum) == (
        value["minimum"],
        value["maximum"],
    )
    if not bounded:
        raise FormProblem(f"fields.{field.name}: its minimum and maximum must be the scale's")
    return replace(form, scale=scale)
