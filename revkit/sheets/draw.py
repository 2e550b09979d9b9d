"""Draw a sheet: a random sample in random order, with its key in a separate file."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Literal, TypeAlias

from revkit.dataclass import dataclass
from revkit.errors import RunError
from revkit.files import csv_cell, json_in_file
from revkit.model.values import digest_of, digest_of_text
from revkit.sheets.items import (
    FinishedRun,
    Item,
    edits_of,
    rewrites_in,
    untouched_of,
    whole_papers_of,
)

Show: TypeAlias = Literal["pair", "passage", "paper"]
LABELS: dict[Show, tuple[str, ...]] = {
    "pair": ("fluent", "meaning_kept", "fits", "noticed"),
    "passage": ("fluent", "noticed"),
    "paper": ("noticed",),
}
"""The questions that each kind of sheet asks, each answered with yes or no."""
SHEET, KEY, TEXTS = "sheet.csv", "key.json", "texts"


@dataclass(frozen=True)
class Sheet:
    """A drawn sheet: its folder, and the number of items in each group."""

    folder: Path
    show: Show
    counts: dict[str, int]
    outcomes: dict[str, dict[str, int]]

    @property
    def items(self) -> int:
        """The number of items to label."""
        return sum(self.counts.values())


def draw_sheet(
    runs: Sequence[str | Path],
    out: str | Path,
    *,
    n: int = 50,
    untouched: int | None = None,
    rewrites: str | Path | None = None,
    show: Show = "pair",
    perturbations: Sequence[str] = (),
    seed: int = 0,
) -> Sheet:
    """Draw ``n`` items of each kind of edit from the folders of finished runs, and write a sheet.

    ``show`` is what a reader sees. "pair": the passage before and after the edit, to judge whether
    it is fluent, keeps the meaning and fits. "passage": the passage after it alone, mixed with
    ``untouched`` passages (default: ``n``), to judge whether it is fluent and whether anything is
    noticed. "paper": whole variants mixed with whole original papers. ``rewrites`` is a CSV file
    with the columns ``before`` and ``after``, mixed in as further items.

    Every item has the same chance within its group, over all papers of which a variant was made.
    The same ``seed`` and runs give the same sheet. The folder ``out`` gets ``sheet.csv``, to be
    labelled, and ``key.json``, to be kept from the reader. Raises `RunError` where a folder is not
    a finished run, ``out`` exists, or nothing can be drawn.
    """
    opened = [FinishedRun.open(Path(run)) for run in runs]
    _check(n, untouched, show)
    groups: dict[str, list[Item]] = {}
    for run in opened:
        source = whole_papers_of if show == "paper" else edits_of
        _group(groups, source(run, perturbations))
    others = n if untouched is None else untouched
    if show == "passage" and others:
        for run in opened:
            _group(groups, untouched_of(run, perturbations))
    if rewrites is not None:
        _group(groups, rewrites_in(Path(rewrites)))
    sizes = {"untouched": others, "original": others}
    drawn = [
        item
        for name, items in sorted(groups.items())
        for item in _smallest(items, sizes.get(name, n), seed)
    ]
    if not drawn:
        raise RunError("nothing to draw: no variant was made in these runs")
    drawn.sort(key=lambda item: _rank(item, seed, "order"))
    outcomes = _outcomes(opened, perturbations)
    _write(Path(out), drawn, show, seed, outcomes)
    return Sheet(Path(out), show, dict(Counter(item.group for item in drawn)), outcomes)


def _check(n: int, untouched: int | None, show: str) -> None:
    if show not in LABELS:
        raise RunError(f"show must be one of {', '.join(LABELS)}, not {show!r}")
    if n < 1 or (untouched is not None and untouched < 0):
        raise RunError("a sheet needs at least one item of each perturbation")


def _group(groups: dict[str, list[Item]], items: Iterable[Item]) -> None:
    for item in items:
        groups.setdefault(item.group, []).append(item)


def _smallest(items: Iterable[Item], n: int, seed: int) -> list[Item]:
    """Return ``n`` items drawn without replacement; the draw depends neither on order nor on other
    items.
    """
    return sorted(items, key=lambda item: _rank(item, seed, "draw"))[:n]


def _rank(item: Item, seed: int, purpose: str) -> str:
    return digest_of_text(f"{purpose}:{seed}:{item.identity}")


def _outcomes(
    runs: Sequence[FinishedRun], perturbations: Sequence[str]
) -> dict[str, dict[str, int]]:
    """Return, for each perturbation, how many variants were made, declined, rejected or crashed."""
    counts: dict[str, Counter[str]] = {}
    for run in runs:
        for _, perturbation, _, outcome, _ in run.variants():
            if not perturbations or perturbation in perturbations:
                counts.setdefault(perturbation, Counter())[outcome] += 1
    return {name: dict(sorted(each.items())) for name, each in sorted(counts.items())}


def _write(
    out: Path, items: Sequence[Item], show: Show, seed: int, outcomes: dict[str, dict[str, int]]
) -> None:
    try:
        out.mkdir(parents=True)
    except FileExistsError:
        raise RunError(f"{out} exists; choose another folder for the sheet") from None
    names = {f"{number:03d}": item for number, item in enumerate(items, start=1)}
    columns = ("item", *_columns(show), *LABELS[show], "comment")
    lines = [_line(columns)]
    for name, item in names.items():
        if show == "paper":
            (out / TEXTS).mkdir(exist_ok=True)
            (out / TEXTS / f"{name}.txt").write_text(item.passage().plain_after, encoding="utf-8")
        lines.append(_line([name, *_cells(item, name, show), *[""] * (len(LABELS[show]) + 1)]))
    (out / SHEET).write_text("".join(lines), encoding="utf-8", newline="")
    key: dict[str, Any] = {
        "sheet": 1,
        "show": show,
        "seed": seed,
        "variants": outcomes,
        "items": {name: _entry(item) for name, item in names.items()},
    }
    (out / KEY).write_text(json.dumps(key, indent=1) + "\n", encoding="utf-8")


def _columns(show: Show) -> tuple[str, ...]:
    return {"pair": ("before", "after"), "passage": ("passage",), "paper": ("file",)}[show]


def _cells(item: Item, name: str, show: Show) -> list[str]:
    if show == "paper":
        return [f"{TEXTS}/{name}.txt"]
    passage = item.passage()
    return [passage.before, passage.after] if show == "pair" else [passage.plain_after]


def _entry(item: Item) -> dict[str, str]:
    return {
        "kind": item.kind,
        "group": item.group,
        "source": item.source,
        "paper": item.paper,
        "place": item.place,
        "identity": item.identity,
    }


def _line(cells: Sequence[str]) -> str:
    return ",".join('"' + csv_cell(cell).replace('"', '""') + '"' for cell in cells) + "\n"


def digest_of_key(path: Path) -> str:
    """Return the SHA-256 of the key's content, by which a reading names its sheet."""
    return digest_of(json_in_file(path))
