"""The sentences of a generated paper, read from ``sentences.txt``."""

from __future__ import annotations

from functools import cache
from pathlib import Path

ELABORATION = "elaboration "


@cache
def sentences() -> dict[str, tuple[str, ...]]:
    """Return the templates for each position of a paper.

    Positions that start with `ELABORATION` hold sentences that can be left out without loss: they
    illustrate, or repeat the text next to them.
    """
    found: dict[str, list[str]] = {}
    text = (Path(__file__).parent / "sentences.txt").read_text(encoding="utf-8")
    position = ""
    for line in text.splitlines():
        if line.startswith("["):
            position = line[1:-1]
            found[position] = []
        elif line and not line.startswith("//"):
            found[position].append(line)
    return {name: tuple(templates) for name, templates in found.items()}
