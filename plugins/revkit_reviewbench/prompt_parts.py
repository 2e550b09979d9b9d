"""Prompts: templates in parts, and the schemas of the replies."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from revkit.model.values import Json, digest_of
from revkit.prompting import split_parts
from revkit.schemas import read_packaged_schema

_FOLDER = Path(__file__).parent / "prompts"


@functools.cache
def parts(name: str) -> Mapping[str, str]:
    """Return the parts of the template ``prompts/NAME.md`` by their headings."""
    return split_parts((_FOLDER / f"{name}.md").read_text(encoding="utf-8"))


def digest_of_prompt(name: str, *schemas: str) -> str:
    """Return a digest of a template and its schemas, for identities."""
    return digest_of([dict(parts(name)), *(schema(each) for each in schemas)])


@functools.cache
def _schema(name: str) -> dict[str, Any]:
    return read_packaged_schema("revkit_reviewbench", name)


def schema(name: str) -> dict[str, Json]:
    """Return ``schemas/NAME.schema.json`` in the form that a model receives: without the
    description of the file.
    """
    return {k: v for k, v in _schema(name).items() if k not in ("$schema", "title", "description")}
