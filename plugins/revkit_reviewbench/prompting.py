"""Prompts: our templates in parts, filled in one pass so that no material is read as a template."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from revkit.contracts import Context
from revkit.model.exchange import Message, ModelReply, ModelRequest
from revkit.model.review import Failure
from revkit.model.values import Json, digest_of
from revkit.schemas import read_schema

_FOLDER = Path(__file__).parent / "prompts"
_HEAD = re.compile(r"^=== ([a-z]{1,20}) ===\n", re.MULTILINE)
_SLOT = re.compile(r"\{\{([a-z]{1,20})\}\}")


@functools.cache
def parts(name: str) -> Mapping[str, str]:
    """The parts of the template ``prompts/NAME.md`` by their heads."""
    pieces = _HEAD.split((_FOLDER / f"{name}.md").read_text(encoding="utf-8"))[1:]
    return {head: text.strip() for head, text in zip(pieces[::2], pieces[1::2], strict=True)}


def filled(template: str, values: Mapping[str, str]) -> str:
    """``template`` with its slots replaced; what is put in is not looked at again."""
    return _SLOT.sub(lambda match: values[match[1]], template)


def digest_of_prompt(name: str, *schemas: str) -> str:
    """A digest of a template and the schemas used with it, for identities and marks."""
    return digest_of([dict(parts(name)), *(schema(each) for each in schemas)])


@functools.cache
def _schema(name: str) -> dict[str, Any]:
    return read_schema(f"reviewbench-{name}")


def schema(name: str) -> dict[str, Json]:
    """The schema ``reviewbench-NAME`` as it is sent to a model: without what describes the file."""
    return {k: v for k, v in _schema(name).items() if k not in ("$schema", "title", "description")}


def ask(
    ctx: Context,
    model: str,
    turns: tuple[Message, ...],
    wanted: Mapping[str, Json],
    parameters: Mapping[str, Json],
) -> ModelReply | Failure:
    """Ask ``model`` once; repeats of an item are replicates of the same call."""
    return ctx.complete(ModelRequest(model, turns, wanted, parameters, ctx.repeat))
