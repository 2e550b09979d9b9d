"""The folders of one call, and the paper in them."""

from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from revkit.cleanup import CLEANUP
from revkit.contracts import Context
from revkit.dataclass import dataclass
from revkit.model.criterion import Criterion
from revkit.model.paper import Paper
from revkit.model.values import Json
from revkit_external.call.call_mask import CALL_FOLDER
from revkit_external.call.placeholders import FORMATS
from revkit_external.rendering import render

_SEEDS = 2**31  # many tools keep a seed in 32 bits


@dataclass(frozen=True)
class Handed:
    """The folders of one call and the values of its placeholders.

    ``root`` contains four folders: the paper, the tool's output, its HOME, and its working folder.
    All are new and deleted after the call. ``renderers`` names the renderer of each format.
    """

    root: Path
    values: Mapping[str, str]
    renderers: Mapping[str, Json]

    @property
    def work(self) -> Path:
        """The folder in which the tool runs."""
        return self.root / "work"


@contextmanager
def hand_over(
    paper: Paper, ctx: Context, formats: Iterable[str], criterion: Criterion | None = None
) -> Iterator[Handed]:
    """Create the folders, render the paper in ``formats``, and remove everything at the end.

    Next to the paper are ``materials.json`` if it has a question and sources, and
    ``criterion.json`` if it is judged by a criterion.
    """
    with tempfile.TemporaryDirectory(prefix=CALL_FOLDER, ignore_cleanup_errors=True) as name:
        remove = partial(shutil.rmtree, name, ignore_errors=True)
        with CLEANUP.held(remove, last=True):
            yield _filled(Path(name), paper, ctx, formats, criterion)


def _filled(
    root: Path, paper: Paper, ctx: Context, formats: Iterable[str], criterion: Criterion | None
) -> Handed:
    """Create the folders of a call, and render the paper in them."""
    for part in ("in", "out", "home", "work"):
        (root / part).mkdir(mode=0o700)
    renderers = {
        format: render(paper, format, root / "in" / f"paper.{format}")
        for format in sorted(set(formats))
    }
    if paper.materials:
        _lay(root / "in" / "materials.json", [each.to_json() for each in paper.materials])
    if criterion is not None:
        _lay(root / "in" / "criterion.json", criterion.to_json())
    values = {**_values(paper, ctx, root), **_judging(paper, criterion, root)}
    return Handed(root, values, renderers)


def _lay(path: Path, value: Json) -> None:
    path.write_text(json.dumps(value, ensure_ascii=False, indent=1), encoding="utf-8")


def _judging(paper: Paper, criterion: Criterion | None, root: Path) -> dict[str, str]:
    """Return the placeholders for a judge; they are empty if the paper is reviewed and not
    judged.
    """
    questions = [each.text for each in paper.materials if each.role == "question"]
    values = {
        "question": "\n\n".join(questions).replace("\0", ""),
        "materials_file": str(root / "in" / "materials.json"),
    }
    if criterion is None:
        return {**values, "criterion": "", "criterion_question": "", "criterion_file": ""}
    return {
        **values,
        "criterion": criterion.name,
        "criterion_question": criterion.question,
        "criterion_file": str(root / "in" / "criterion.json"),
    }


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
