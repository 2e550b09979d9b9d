"""The option ``parser`` of families and gates that work with or without the English parser."""

from __future__ import annotations

from typing import Literal

from revkit.grammar import REMEDY, parser_available, parser_identity

ParserUse = Literal["auto", "required", "never"]


def used_parser(use: ParserUse) -> str | None:
    """Return what decides the parses of a component with this option; None if it makes none."""
    return None if use == "never" else parser_identity()


def parser_problems(use: ParserUse) -> list[str]:
    """Return why a component with this option cannot run; an empty list if it can."""
    if use == "required" and not parser_available():
        return [f"the English parser is not installed; {REMEDY}"]
    return []
