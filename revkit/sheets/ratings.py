"""Rating sheets: texts for people to rate by the criteria by which judges rated them."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from revkit.dataclass import dataclass
from revkit.errors import PaperError, RunError, reason_of
from revkit.execution.subjects import Subjects
from revkit.files import LineProblems, Unreadable, csv_cell, json_in_file
from revkit.files.csv_tables import CsvRow, CsvTable
from revkit.files.run_files import read_object
from revkit.model.criterion import Criterion
from revkit.model.paper import Paper
from revkit.model.values import digest_of_text
from revkit.sheets.items import MOST_BYTES, FinishedRun

RATINGS, FORM, KEY, MATERIALS = "ratings.csv", "form.md", "key.json", "materials"


@dataclass(frozen=True)
class RatingSheet:
    """A rating sheet: its folder, the number of texts, and the names of the criteria."""

    folder: Path
    texts: int
    criteria: tuple[str, ...]


@dataclass(frozen=True)
class Ratings:
    """The ratings of a sheet: how many were read and how many cells are empty."""

    ratings: int
    missing: int


def draw_ratings(run: str | Path, out: str | Path, *, n: int, seed: int = 0) -> RatingSheet:
    """Draw ``n`` judged texts from the folder of a finished run, and write a blinded rating sheet.

    The run has judges, such as the second run of ReviewBench, in which the texts are reviews. The
    folder ``out`` gets ``ratings.csv`` (a row for each text, an empty column for each criterion),
    ``form.md`` (questions, levels and instructions), ``materials`` (what the text is about), and
    ``key.json``, to be kept from the raters: it states who wrote each text. Only the seed and the
    id of a text decide whether it is drawn. Raises `RunError` for a run without judges, and where
    ``out`` exists.
    """
    folder, place = Path(run), Path(out)
    opened = FinishedRun.open(folder)
    criteria = _criteria(folder)
    papers = sorted(opened.papers().values(), key=lambda paper: _rank(paper.id, seed))[:n]
    if n < 1 or not papers:
        raise RunError("a rating sheet needs at least one text")
    try:
        (place / MATERIALS).mkdir(parents=True)
        (place / FORM).write_text(_form(criteria), encoding="utf-8")
        (place / RATINGS).write_text(_table(papers, criteria), encoding="utf-8", newline="")
        for number, paper in enumerate(papers, 1):
            text = "\n\n".join(f"{each.title}\n\n{each.text}" for each in paper.materials)
            (place / MATERIALS / f"{number:04}.txt").write_text(text, encoding="utf-8")
        key = {
            "run": opened.name,
            "seed": seed,
            "criteria": {each.name: [score for score, _ in each.levels] for each in criteria},
            "items": [_origin(paper) for paper in papers],
        }
        (place / KEY).write_text(json.dumps(key, indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise RunError(f"{place} cannot be written: {error.strerror or error}") from error
    return RatingSheet(place, len(papers), tuple(each.name for each in criteria))


def read_ratings(folder: str | Path, ratings: str | Path, out: str | Path) -> Ratings:
    """Join the ratings of a sheet with its key, and write the file that `evaluator-agreement`
    reads: the columns paper, agent, dimension and score.

    An empty cell is a missing rating and is counted. Raises `RunError` for other cells that are not
    one of the levels: all of them together, each with its line.
    """
    key = _read_key(Path(folder))
    rows: list[tuple[str, str, str, str]] = []
    missing = 0
    problems = LineProblems()
    for found in _rows(Path(ratings)):
        line, row = found.line, found.cells
        if found.problem:
            problems.add(line, found.problem)
            continue
        item = row["item"].strip()
        if not item.isascii() or not item.isdigit() or not 0 < int(item) <= len(key["items"]):
            problems.add(line, f"{item[:40]!r} is not an item of this sheet")
            continue
        origin = key["items"][int(item) - 1]
        for name, levels in key["criteria"].items():
            cell = row.get(name, "").strip()
            if not cell:
                missing += 1
            elif cell not in {f"{level:g}" for level in levels}:
                allowed = ", ".join(map(str, levels))
                problems.add(line, f"{name} is {cell[:40]!r}; write one of {allowed}, or nothing")
            else:
                rows.append((csv_cell(origin["paper"]), csv_cell(origin["agent"]), name, cell))
    if problems:
        raise RunError(f"{ratings}: {problems}")
    if len({row[:3] for row in rows}) < len(rows):
        raise RunError(f"{ratings}: an item occurs twice; write one file for each rater")
    text = _csv([("paper", "agent", "dimension", "score"), *rows])
    try:
        Path(out).write_text(text, encoding="utf-8", newline="")
    except OSError as error:
        raise RunError(f"{out} cannot be written: {error.strerror or error}") from error
    return Ratings(len(rows), missing)


def _criteria(folder: Path) -> tuple[Criterion, ...]:
    try:
        about = read_object(folder / "provenance.json")
        criteria = Subjects.from_json(about["subjects"]).rubrics
    except (OSError, ValueError, KeyError, TypeError, PaperError) as error:
        raise RunError(f"{folder}: its criteria cannot be read: {reason_of(error)}") from None
    if not criteria:
        raise RunError(f"{folder} has no judges, so it has no criteria for people to rate by")
    return criteria


def _rank(name: str, seed: int) -> str:
    return digest_of_text(f"ratings:{seed}:{name}")


def _origin(paper: Paper) -> dict[str, str]:
    """Return the reviewed paper and the author of a review; the text itself where it is none."""
    extra = paper.labels.extra
    return {
        "text": paper.id,
        "paper": str(extra.get("paper", paper.id)),
        "agent": str(extra.get("agent", "")),
    }


def _form(criteria: Sequence[Criterion]) -> str:
    parts = ["# Rating form\n\nRate each text of ratings.csv on its own, without the others."]
    for each in criteria:
        levels = "\n".join(f"- {score}: {meaning}" for score, meaning in each.levels)
        parts.append(f"## {each.name}\n\n{each.question}\n\n{each.instructions}\n\n{levels}")
    return "\n\n".join(parts) + "\n"


def _table(papers: Sequence[Paper], criteria: Sequence[Criterion]) -> str:
    names = [each.name for each in criteria]
    rows = [
        (str(number), f"{MATERIALS}/{number:04}.txt", csv_cell(paper.text), *("" for _ in names))
        for number, paper in enumerate(papers, 1)
    ]
    return _csv([("item", "about", "text", *names), *rows])


def _csv(rows: Sequence[Sequence[str]]) -> str:
    target = io.StringIO()
    writer = csv.writer(target, lineterminator="\n")
    writer.writerows(rows)
    return target.getvalue()


def _read_key(folder: Path) -> Any:
    try:
        key = json_in_file(folder / KEY)
        items, criteria = key["items"], key["criteria"]
        sound = all(isinstance(each["paper"], str) and isinstance(each["agent"], str)
                    for each in items) and all(map(len, criteria.values()))  # fmt: skip
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        sound = False
    if not sound:
        raise RunError(
            f"{folder} is not the folder of a sheet of `revkit sheet rate`: {KEY} is missing or "
            "damaged"
        )
    return key


def _rows(path: Path) -> Sequence[CsvRow]:
    try:
        table = CsvTable.read(path, MOST_BYTES, pad=True)
    except Unreadable as error:
        raise RunError(f"{path}: {error}") from None
    if "item" not in table.names:
        raise RunError(f"{path} has no column 'item'; return the file as it was written")
    return table.rows
