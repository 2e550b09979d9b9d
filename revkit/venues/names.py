"""Names: find the venue that a record names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from revkit.venues.fields import bare, read_text


def venue_names(*values: Mapping[str, Any]) -> tuple[str, ...]:
    """Return all names of a venue in a record and in the enclosing objects, most exact first."""
    return tuple(dict.fromkeys(name for value in values for name in _names(value) if name))


def _names(value: Mapping[str, Any]) -> Iterator[str]:
    content = value.get("content")
    inner = content if isinstance(content, Mapping) else {}
    yield from (_line(bare(inner.get(key))) for key in ("venueid", "venue"))
    many = value.get("invitations")
    yield from (_line(name) for name in (many if isinstance(many, list) else ()))
    yield from (_line(bare(value.get(key))) for key in ("invitation", "venue", "conference"))


def _line(value: object) -> str:
    return " ".join(read_text(value).split())
