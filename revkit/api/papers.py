"""Show how revkit reads papers, before a run."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from revkit.api.specs import Plugin, Spec, validate
from revkit.model.paper import Paper, Skipped

if TYPE_CHECKING:
    from revkit.papers import Reading


def check_papers(
    path: Spec, *, limit: int | None = None, plugins: Iterable[Plugin] = ()
) -> tuple[list[Reading], list[Skipped]]:
    """Return what revkit reads in the papers at ``path``, and what was not loaded, with reasons.

    ``path`` is a Markdown, text, LaTeX, Word or PDF file, a folder of them, or an experiment (a
    file that ends in .yaml or .yml, or its content), whose corpus is read. Nothing is stored. At
    most ``limit`` papers are read.
    """
    from revkit.execution import corpus_items
    from revkit.papers import papers_in_files, read_paper

    items: Iterable[Paper | Skipped]
    if isinstance(path, str | Path) and not str(path).endswith((".yaml", ".yml")):
        items = papers_in_files(Path(path).expanduser())
    else:
        items = corpus_items(validate(path, plugins=plugins))
    readings: list[Reading] = []
    skipped: list[Skipped] = []
    for item in items:
        if isinstance(item, Skipped):
            skipped.append(item)
        else:
            readings.append(read_paper(item))
            if len(readings) == limit:
                break
    return readings, skipped
