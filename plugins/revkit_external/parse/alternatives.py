"""List other values in an answer that could be a verdict, for a person who writes a mapping."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

from revkit.model.values import Json
from revkit_external.parse.documents import Document
from revkit_external.parse.label_sets import SETS, label_key

_MOST = 40
_DEEPEST = 12
_NAME = re.compile(
    r"(?i)accept|recommend|decision|verdict|rating|score|overall|severity|confidence|soundness"
)
_LINE = re.compile(
    r"(?i)\b(?:accept|recommendation|decision|verdict|rating|score|overall|severity|confidence)"
    r"[\w /*_()-]{0,40}[:=]"
)
_LABELS = {label for found in SETS.values() for label in found["accept"]}


def alternatives(document: Document) -> list[Json]:
    """Return places that look like a verdict or a score, at most 40, each as ``{place, value}``."""
    found = _leaves(document.data, "$", 0) if document.is_json else _lines(document.text)
    return [{"place": place, "value": value} for place, value in islice(found, _MOST)]


def _leaves(node: Any, place: str, depth: int) -> Iterator[tuple[str, Json]]:
    if depth > _DEEPEST:
        return
    if isinstance(node, dict | list):
        pairs = node.items() if isinstance(node, dict) else enumerate(node)
        for key, child in pairs:
            yield from _leaves(child, f"{place}[{key!r}]", depth + 1)
    elif isinstance(node, str):
        named = _NAME.search(place.rsplit("[", 1)[-1]) and len(node) <= 60
        if named or label_key(node) in _LABELS:
            yield place, node
    elif isinstance(node, bool | int | float) and _NAME.search(place.rsplit("[", 1)[-1]):
        yield place, node


def _lines(text: str) -> Iterator[tuple[str, Json]]:
    for number, line in enumerate(text.split("\n"), 1):
        short = line.strip()[:160]
        if _LINE.search(short) or label_key(short.strip("*#_` .")) in _LABELS:
            yield f"line {number}", short
