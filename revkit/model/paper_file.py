"""The file that a paper was read from, and the layouts in which a paper is written to a file."""

from __future__ import annotations

import hashlib
from dataclasses import field
from pathlib import Path
from typing import Self

from revkit.dataclass import dataclass
from revkit.model.values import Json

LAID_OUT = ("docx", "pdf", "tex")
"""The formats of a file that have a layout; Markdown and plain text have none."""

ORIGINAL = "original"
"""The layout of the file that the paper was read from, unchanged."""


@dataclass(frozen=True, slots=True)
class PaperFile:
    """The file of a paper as its publisher or author made it.

    ``format`` is one of `LAID_OUT`, ``digest`` the SHA-256 of its bytes. ``path`` is its place on
    this machine, and "" where only the records of a run are known; it is part of no comparison.
    """

    format: str
    digest: str
    path: str = field(default="", compare=False)

    @classmethod
    def at(cls, path: Path, format: str) -> Self:
        """The file at ``path``. Raises `OSError` where it cannot be read."""
        return cls(format, hashlib.sha256(path.read_bytes()).hexdigest(), str(path.absolute()))

    def content(self) -> bytes:
        """Return its bytes. Raises `OSError` where they cannot be read, `ValueError` where they are
        not those that were read before.
        """
        content = Path(self.path).read_bytes()
        if hashlib.sha256(content).hexdigest() != self.digest:
            raise ValueError(f"{self.path} changed after it was read")
        return content

    def to_json(self) -> dict[str, Json]:
        return {"format": self.format, "digest": self.digest}
