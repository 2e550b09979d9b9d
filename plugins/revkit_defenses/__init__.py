"""Screens between a paper and a reviewer."""

from __future__ import annotations

from revkit import Register, hookimpl
from revkit_defenses.citation_existence import CitationExistence

__all__ = [
    "CitationExistence",
]


@hookimpl
def register_defenses(register: Register) -> None:
    """Register the citation-existence screen."""
    for component in (CitationExistence,):
        register(component)
