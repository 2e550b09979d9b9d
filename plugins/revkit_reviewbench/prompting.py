"""Prompts: our templates in parts, and the schemas of the replies."""

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
    """The parts of the template ``prompts/NAME.md`` by their heads."""
    return split_parts((_FOLDER / f"{name}.md").read_text(encoding="utf-8"))


def digest_of_prompt(name: str, *schemas: str) -> str:
    """A digest of a template and the schemas used with it, for identities and marks."""
    return digest_of([dict(parts(name)), *(schema(each) for each in schemas)])


@functools.cache
def _schema(name: str) -> dict[str, Any]:
    return read_packaged_schema("revkit_reviewbench", name)


def schema(name: str) -> dict[str, Json]:
    """``schemas/NAME.schema.json`` as a model gets it: without what describes the file."""
    return {k: v for k, v in _schema(name).items() if k not in ("$schema", "title", "description")}
