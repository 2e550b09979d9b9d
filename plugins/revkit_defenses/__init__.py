"""Screens between a paper and a reviewer."""

from __future__ import annotations

from revkit import Register, hookimpl


@hookimpl
def register_defenses(register: Register) -> None:
    """Register the defenses by their places, each imported when it is used."""
    register("citation-existence = revkit_defenses.citation_existence:CitationExistence")
