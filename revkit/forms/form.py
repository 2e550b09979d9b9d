"""Form: the fields that a reviewer fills in, as JSON Schema, description, text and a `Review`."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from typing import Any, Literal

from revkit.dataclass import dataclass
from revkit.model.review import Review, Scale
from revkit.model.values import Json

FieldType = Literal["text", "list", "integer", "number", "boolean", "choice"]
LONGEST_TEXT = 4000
MOST_ITEMS = 12
NUMBERS = ("integer", "number")
KINDS: Mapping[FieldType, str] = {
    "text": "text",
    "list": "a list of texts",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "choice": "a word",
}


@dataclass(frozen=True)
class Field:
    """One field. ``values`` are the allowed numbers (none: all) or the words of a choice,
    ``meanings`` the meaning of each; ``step`` is a small change of a number.
    """

    name: str
    type: FieldType
    help: str = ""
    minimum: float | None = None
    maximum: float | None = None
    step: float | None = None
    values: tuple[Any, ...] = ()
    meanings: tuple[str, ...] = ()
    max_length: int = LONGEST_TEXT
    max_items: int = MOST_ITEMS

    @property
    def judges(self) -> bool:
        """Whether the field is a number, a decision or a choice, and not a text."""
        return self.type not in ("text", "list")

    def schema(self) -> dict[str, Json]:
        """Return the JSON Schema of the field's value."""
        if self.values:
            kind = "string" if self.type == "choice" else self.type
            return {"type": kind, "enum": list(self.values)}
        if self.type in NUMBERS:
            bounds = {"minimum": self.minimum, "maximum": self.maximum}
            return {"type": self.type, **{k: b for k, b in bounds.items() if b is not None}}
        text: dict[str, Json] = {"type": "string", "maxLength": self.max_length}
        if self.type == "list":
            return {"type": "array", "items": text, "maxItems": self.max_items}
        return {"type": "boolean"} if self.type == "boolean" else text

    def describe(self) -> str:
        """Return a description of the field in one line for the reviewer."""
        kind = KINDS[self.type]
        if self.values:
            meanings = self.meanings or ("",) * len(self.values)
            kind = "one of " + ", ".join(
                f"{self.text_of(value)} ({meaning})" if meaning else self.text_of(value)
                for value, meaning in zip(self.values, meanings, strict=True)
            )
        elif self.minimum is not None and self.maximum is not None:
            kind += f" from {self.minimum:g} to {self.maximum:g}"
        return f"- {self.name} ({kind}): {self.help}".rstrip(": ")

    def text_of(self, value: Any) -> str:
        """Return one of the ``values`` in words."""
        return f"{value:g}" if self.type in NUMBERS else f'"{value}"'


@dataclass(frozen=True)
class Fields:
    """Fields in order, for a reviewer to fill in."""

    fields: tuple[Field, ...]

    @functools.cached_property
    def schema(self) -> dict[str, Json]:
        """Return the JSON Schema that a reply must match: every field, and nothing else."""
        return {
            "type": "object",
            "properties": {field.name: field.schema() for field in self.fields},
            "required": [field.name for field in self.fields],
            "additionalProperties": False,
        }

    @functools.cached_property
    def description(self) -> str:
        """Return the fields in words, one in each line."""
        return "\n".join(field.describe() for field in self.fields)

    def ordered(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """Return the values of the fields in ``data``, in the order of the fields."""
        return {field.name: data[field.name] for field in self.fields if field.name in data}

    def canonical(self, data: Mapping[str, Any]) -> str:
        """Return `ordered` as JSON."""
        return json.dumps(self.ordered(data), ensure_ascii=False)

    def text(self, data: Mapping[str, Any]) -> str:
        """Return the fields of ``data`` as text, each under its name; blank fields are left out."""
        parts = []
        for field in self.fields:
            value = data.get(field.name) or ""
            heading = field.name.replace("-", " ").capitalize() + ":"
            if field.type == "text" and value.strip():
                parts.append(f"{heading}\n{value.strip()}")
            elif field.type == "list" and (items := [i.strip() for i in value if i.strip()]):
                parts.append(heading + "".join(f"\n- {item}" for item in items))
        return "\n\n".join(parts)


@dataclass(frozen=True)
class Form(Fields):
    """A venue's form: fields, and the fields that determine the review's score and verdict.

    ``source`` is its text as written, for the key of results.
    """

    name: str
    title: str
    scale: Scale
    score: str
    decision: str = ""
    confidence: str = ""
    aspects: tuple[str, ...] = ()
    source: str = ""

    def accepts(self, data: Mapping[str, Any], scale: Scale | None = None) -> bool | None:
        """Return the verdict: the decision if the form has one, else the verdict that the scale
        implies.
        """
        if self.decision:
            return data[self.decision] in (True, "accept")
        return (scale or self.scale).accepts(float(data[self.score]))

    def review(self, data: Mapping[str, Any], scale: Scale | None = None) -> Review:
        """Return the review in ``data``; ``scale``, if given, replaces the scale of the form."""
        return Review(
            accept=self.accepts(data, scale),
            score=float(data[self.score]),
            text=self.text(data),
            confidence=float(data[self.confidence]) if self.confidence else None,
            aspects={name: float(data[name]) for name in self.aspects},
            details={"form": self.name},
        )
