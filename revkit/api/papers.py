"""Show how revkit reads papers and what they hide, before a run."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from revkit.api.specs import Plugin, Spec, validate
from revkit.model.paper import Paper, Skipped

if TYPE_CHECKING:
    from revkit.papers import Reading
    from revkit.scan import ScanResult


def check_papers(
    path: Spec, *, limit: int | None = None, plugins: Iterable[Plugin] = ()
) -> tuple[list[Reading], list[Skipped]]:
    """Return what revkit reads in the papers at ``path``, and what was not loaded, with reasons.

    ``path`` is a Markdown, text, LaTeX, Word or PDF file, a folder of them, or an experiment (a
    file that ends in .yaml or .yml, or its content), whose corpus is read. What is not loaded is
    what a run skips. Nothing is stored. At most ``limit`` papers are read.
    """
    from revkit.execution import corpus_items, skip_without_prose
    from revkit.papers import papers_in_files, read_paper

    items: Iterable[Paper | Skipped]
    if isinstance(path, str | Path) and not str(path).endswith((".yaml", ".yml")):
        items = skip_without_prose(papers_in_files(Path(path).expanduser()))
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


def scan_papers(
    path: str | Path, *, canaries: str | Path | None = None, pictures: bool = False
) -> tuple[list[ScanResult], list[Skipped]]:
    """Return what the files at ``path`` hide, and which could not be scanned and why.

    ``path`` is a file or a folder of submissions. ``canaries`` names a text file of phrases that a
    venue hides in its own files, one a line. With ``pictures`` each finding on a page has its
    drawn part. Raises `RunError` where a file or folder does not exist.
    """
    from revkit.errors import RunError
    from revkit.files import Unreadable, read_text
    from revkit.scan import Scanner, scan_files

    phrases: list[str] = []
    if canaries is not None:
        try:
            phrases = [line.strip() for line in read_text(str(canaries)).splitlines()]
        except Unreadable as error:
            raise RunError(str(error)) from None
    results: list[ScanResult] = []
    skipped: list[Skipped] = []
    with Scanner(canaries=phrases, pictures=pictures) as scanner:
        for each in scan_files(Path(path).expanduser(), scanner):
            if isinstance(each, Skipped):
                skipped.append(each)
            else:
                results.append(each)
    return results, skipped
