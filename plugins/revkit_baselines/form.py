"""Forms: the fields that a reviewer fills in, as JSON Schema, as words, and as text."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from revkit.model.values import Json

_LONGEST_TEXT = 4000
_MOST_ITEMS = 12


@dataclass(frozen=True)
class Field:
    """One field. ``values`` are the allowed words or numbers, ``low`` and ``high`` a range."""

    name: str
    type: Literal["text", "list", "integer", "boolean", "word"]
    help: str
    low: int | None = None
    high: int | None = None
    values: tuple[str | int, ...] = ()

    def schema(self) -> dict[str, Json]:
        """The JSON Schema of the value."""
        if self.values:
            return {"type": "string" if self.type == "word" else self.type, "enum": [*self.values]}
        if self.type == "boolean":
            return {"type": "boolean"}
        if self.type == "text":
            return {"type": "string", "maxLength": _LONGEST_TEXT}
        if self.type == "list":
            item: Json = {"type": "string", "maxLength": _LONGEST_TEXT}
            return {"type": "array", "items": item, "maxItems": _MOST_ITEMS}
        return {"type": "integer", "minimum": self.low, "maximum": self.high}

    def told(self) -> str:
        """The field in a line for the reviewer."""
        kind = {"text": "text", "list": "a list of texts", "boolean": "true or false"}.get(
            self.type, f"a whole number from {self.low} to {self.high}"
        )
        if self.values:
            kind = "one of " + ", ".join(map(str, self.values))
        return f"- {self.name} ({kind}): {self.help}"


@dataclass(frozen=True)
class Form:
    """Fields in order. ``hidden`` are asked for and not part of the review's text."""

    fields: tuple[Field, ...]
    hidden: tuple[str, ...] = ()

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

    def text(self, data: Mapping[str, Any]) -> str:
        """The words of a filled-in form, under the names of their fields."""
        parts = []
        for field in self.fields:
            value = data.get(field.name)
            heading = field.name.replace("-", " ").capitalize() + ":"
            if field.name in self.hidden or not value:
                continue
            if field.type == "text" and value.strip():
                parts.append(f"{heading}\n{value.strip()}")
            elif field.type == "list":
                parts.append(heading + "".join(f"\n- {item.strip()}" for item in value))
        return "\n\n".join(parts)

    def canonical(self, data: Mapping[str, Any]) -> str:
        """A filled-in form as JSON in the order of the fields, without the hidden ones."""
        names = [field.name for field in self.fields if field.name not in self.hidden]
        shown = {name: data[name] for name in names if name in data}
        return json.dumps(shown, ensure_ascii=False)
