"""The folders of one call, and the paper in them."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from revkit.contracts import Context
from revkit.model.paper import Paper
from revkit.model.values import Json
from revkit_external.calling.masking import CALL_FOLDER
from revkit_external.calling.placeholders import FORMATS
from revkit_external.rendering import render

_SEEDS = 2**31  # many tools keep a seed in 32 bits


@dataclass(frozen=True)
class Handed:
    """The folders of one call and the values of its placeholders.

    ``root`` holds four folders: the paper, what the tool writes, its HOME, and the one it works in.
    All are new, and gone after the call. ``renderers`` names what made each format of the paper.
    """

    root: Path
    values: Mapping[str, str]
    renderers: Mapping[str, Json]

    @property
    def work(self) -> Path:
        return self.root / "work"


@contextmanager
def handed(paper: Paper, ctx: Context, formats: Iterable[str]) -> Iterator[Handed]:
    """Make the folders, render the paper in ``formats``, and remove all of it at the end."""
    with tempfile.TemporaryDirectory(prefix=CALL_FOLDER, ignore_cleanup_errors=True) as name:
        root = Path(name)
        for part in ("in", "out", "home", "work"):
            (root / part).mkdir(mode=0o700)
        renderers = {
            format: render(paper, format, root / "in" / f"paper.{format}")
            for format in sorted(set(formats))
        }
        yield Handed(root, _values(paper, ctx, root), renderers)


def _values(paper: Paper, ctx: Context, root: Path) -> dict[str, str]:
    return {
        **{f"paper_{format}": str(root / "in" / f"paper.{format}") for format in FORMATS},
        "paper_text": paper.text.replace("\0", ""),
        "paper_id": paper.id,
        "title": re.sub(r"[\x00-\x1f\x7f]+", " ", paper.title),
        "in_dir": str(root / "in"),
        "out_dir": str(root / "out"),
        "work_dir": str(root / "work"),
        "start_dir": os.getcwd(),
        "seed": str(ctx.seed % _SEEDS),
    }
