"""Read finished runs: one run folder, or a sweep with one run for each point."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from revkit.dataclass import dataclass
from revkit.errors import PaperError, RunError
from revkit.files import digest_of_file, json_in_file
from revkit.files.run_files import records_file
from revkit.model.edits import Edit
from revkit.model.intake import clean_text
from revkit.model.planted_statements import Planted, planted_in, planted_to_text
from revkit.model.strict_json import strict_json
from revkit_reviewbench.checklists import Checklist, ChecklistProblem, checklists_from_json

RECORDS = ("papers", "outcomes")
_VARIANTS = "variants"
Planting = tuple[str, str, int]
"""A paper, a perturbation ("" for the unchanged paper), and the number of the variant."""
_SWEEP = "sweep.json"


@dataclass(frozen=True)
class FinishedRun:
    """One run folder. ``label`` is the label of its point in a sweep, or ""; ``error`` states why
    the point has no result.
    """

    folder: Path
    label: str = ""
    error: str = ""

    def agent(self, name: str) -> str:
        """Return the name of one of its agents, unique in the whole sweep."""
        return f"{self.label}/{name}" if self.label else name

    def path(self, name: str) -> Path:
        """Return the file of its records called ``name``."""
        return records_file(self.folder, name)

    def digests(self) -> dict[str, str]:
        """Return the digest of each record file that is read."""
        return {name: digest_of_file(self.path(name)) for name in RECORDS}

    def rows(self, name: str) -> Iterator[dict[str, Any]]:
        """Return its records called ``name``. Raises `RunError` with the number of an invalid
        line.
        """
        path = self.path(name)
        key = "id" if name == "papers" else "paper"
        with path.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                try:
                    row = strict_json(line)
                    if not isinstance(row, dict) or key not in row:
                        raise ValueError("no record of a run")
                except ValueError as error:
                    raise RunError(f"{path}:{number}: {error}; run it again") from None
                yield row

    def planted(self) -> dict[Planting, str]:
        """Return the statements that perturbations planted, as texts for a `Material`, by variant;
        for an unchanged paper those of all its variants. Empty without records of variants.
        """
        if not self.path(_VARIANTS).is_file():
            return {}
        found: dict[Planting, dict[Planted, None]] = {}
        for row in self.rows(_VARIANTS):
            statements = () if row.get("rejected") else _statements(row.get("edits"))
            paper, index = str(row["paper"]), int(row.get("index") or 0)
            keys = ((paper, str(row.get("perturbation") or ""), index), (paper, "", 0))
            for key in keys if statements else ():
                found.setdefault(key, {}).update(dict.fromkeys(statements))
        return {key: planted_to_text(statements) for key, statements in found.items()}


def _statements(edits: object) -> tuple[Planted, ...]:
    """Return the statements that the recorded ``edits`` of a variant plant."""
    if not isinstance(edits, list):
        return ()
    try:
        return planted_in(Edit.from_json(edit) for edit in edits)
    except (PaperError, TypeError, ValueError, KeyError, AttributeError):
        return ()


def finished_runs(corpus: str, given: str) -> tuple[FinishedRun, ...]:
    """Return the run in the folder ``given``, or the runs of the points of a sweep, in order.

    Raises `RunError` where one of them is not a finished run.
    """
    folder = Path(given).expanduser()
    sweep = folder / _SWEEP
    runs = (FinishedRun(folder),) if not given or not sweep.is_file() else _points(folder, sweep)
    for run in runs:
        if run.error:
            raise RunError(f"{corpus}: point {run.label} of {given} has no result: {run.error}")
        for name in RECORDS:
            if not given or not run.path(name).is_file():
                raise RunError(
                    f"{corpus}: {run.folder if given else 'an empty path'} is not a folder of a "
                    f"finished run (it has no records/{name}.jsonl); first run the experiment that "
                    f"makes the reviews, with --out {given or 'FOLDER'}"
                )
    return runs


def _points(folder: Path, sweep: Path) -> tuple[FinishedRun, ...]:
    try:
        points = json_in_file(sweep)["points"]
        runs = [
            FinishedRun(
                folder / str(point["folder"]),
                clean_text(str(point["label"]))[0].strip(),
                str(point.get("error") or ""),
            )
            for point in points
        ]
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise RunError(
            f"{sweep} does not list the points of a sweep; run the sweep again"
        ) from None
    root = folder.resolve()
    if any(not run.folder.resolve().is_relative_to(root) for run in runs):
        raise RunError(f"{sweep} names a folder outside of {folder}")
    labels = {run.label for run in runs}
    if not runs or len(labels) < len(runs) or "" in labels:
        raise RunError(f"{sweep} must name points, each with its own label")
    return tuple(runs)


@dataclass(frozen=True)
class Reviewed:
    """A paper of the first run, from its record. ``lack`` states why it has no checklists."""

    id: str
    title: str
    text: str
    rating: float | None
    scale: str
    accept: bool | None
    venue: str
    checklists: tuple[Checklist, ...]
    lack: str

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> Reviewed:
        """Read a row of ``papers``; the rating is the mean of the ratings."""
        given = row.get("extra")
        extra: Mapping[str, Any] = given if isinstance(given, Mapping) else {}
        checklists: tuple[Checklist, ...] = ()
        lack = ""
        if rubrics := extra.get("rubrics"):
            try:
                checklists = checklists_from_json(rubrics)
            except ChecklistProblem as error:
                lack = f"the rubrics of its paper cannot be read: {error}"
        ratings = [float(rating) for rating in row.get("ratings") or ()]
        accept, venue = row.get("accept"), extra.get("venue")
        return cls(
            str(row["id"]),
            str(row.get("title") or ""),
            str(row.get("text") or ""),
            math.fsum(ratings) / len(ratings) if ratings else None,
            str(row.get("rating_scale") or ""),
            accept if isinstance(accept, bool) else None,
            venue if isinstance(venue, str) else "",
            checklists,
            lack,
        )
