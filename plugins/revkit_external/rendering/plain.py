"""Plain text: the words without Markdown syntax."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from revkit_external.rendering.elements import Element, plain


def to_text(parts: Sequence[Element]) -> str:
    """Return the blocks, separated by blank lines; the cells of a table are separated by '|'."""
    blocks = []
    for part in parts:
        if part.kind == "table":
            blocks.append("\n".join(" | ".join(plain(cell) for cell in row) for row in part.rows))
        elif part.kind == "item":
            marker = "-" if part.marker == "\u2022" else part.marker
            blocks.append("  " * (part.level - 1) + f"{marker or ' '} {part.text}")
        elif part.kind == "math":
            blocks.append(f"$${part.runs[0].text}$$")
        else:
            lines = [replace(run, text="\n") if run.style == "soft" else run for run in part.runs]
            blocks.append(plain(lines))
    text = []
    for index, (part, block) in enumerate(zip(parts, blocks, strict=True)):
        tight = index and part.kind == parts[index - 1].kind == "item"
        text.append(block if not index else ("\n" if tight else "\n\n") + block)
    return "".join(text) + "\n"
