"""The texts of a run, one in each line, for reviewers that run elsewhere.

Each line has a paper, or a variant with another text: ``digest``, ``paper``, ``perturbation`` (""
for the unchanged paper), ``index``, ``title`` and ``text``, and ``materials`` (the question and the
sources) if the text has any.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from revkit.errors import RunError
from revkit.files.run_files import read_rows, records_file
from revkit.model.edits import Edit
from revkit.model.paper import Material, Paper


def texts_of(run: Path) -> Iterator[dict[str, Any]]:
    """Return the texts of the run in folder ``run``: papers first, then variants.

    Each is checked against the digest that the run recorded. Raises `RunError` if the folder
    does not contain a finished run.
    """
    papers: dict[str, Paper] = {}
    for row in read_rows(records_file(run, "papers")):
        materials = tuple(Material(**each) for each in row.get("materials", ()))
        paper = Paper(row["id"], row["text"], row["title"], materials=materials)
        papers[paper.id] = paper
        yield _line(paper, row["digest"], "", 0)
    for row in read_rows(records_file(run, "variants")):
        if row["rejected"] or row.get("layout"):  # a layout has the text of its paper
            continue
        edits = tuple(Edit.from_json(edit) for edit in row["edits"])
        paper = papers[row["paper"]].edited(edits)
        yield _line(paper, row["digest"], row["perturbation"], row["index"])


def _line(paper: Paper, digest: str, perturbation: str, index: int) -> dict[str, Any]:
    if paper.digest != digest:
        raise RunError(
            f"the records of paper {paper.id!r} are inconsistent; run the experiment again"
        )
    line = {
        "digest": digest,
        "paper": paper.id,
        "perturbation": perturbation,
        "index": index,
        "title": paper.title,
        "text": paper.text,
    }
    if paper.materials:
        line["materials"] = [each.to_json() for each in paper.materials]
    return line


def write_texts(run: Path, out: Path) -> int:
    """Write the texts of ``run`` to ``out`` completely or not at all; return their number."""
    part = out.with_name(out.name + ".part")
    count = 0
    with part.open("w", encoding="utf-8", newline="\n") as file:
        for line in texts_of(run):
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
            count += 1
    os.replace(part, out)
    return count
