"""The dose of each family: how much its edits change, over papers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from revkit.model.records import Records, VariantRow
from revkit.model.table import Cell, Column

LOWER_BOUND = (
    "The edits are fixed in advance, and an attacker who chooses the edits may cause more flips, "
    "so a low flip rate does not show that an agent is safe."
)
_FIGURES = (
    (
        "dose",
        "Dose",
        "share",
        "share of the words of prose that the edits insert, delete or replace, over papers with a "
        "variant",
    ),
    (
        "words_moved",
        "Words moved",
        "count",
        "words that only move within their sentence, over papers with a variant",
    ),
    (
        "sentences",
        "Sentences changed",
        "share",
        "sentences changed, removed or inserted over those of the paper, over papers with a "
        "variant",
    ),
    ("edits", "Edits", "count", "edits of a variant, over papers with a variant"),
    (
        "distance",
        "Distance",
        "cosine distance",
        "mean embedding distance over the sentences of a paper, over papers where it was measured",
    ),
)
_LOW = 10


def _columns() -> Iterable[Column]:
    for name, title, unit, what in _FIGURES:
        prefix = name if name in ("dose", "distance") else f"dose_{name}"
        yield Column(f"{prefix}_median", f"{title}, median", unit, f"Median of the {what}.")
        yield Column(f"{prefix}_p10", f"{title}, p10", unit, f"10th percentile of the {what}.")


COLUMNS = (
    *_columns(),
    Column("dose_papers", "Papers with dose", "count", "Papers with a variant of known dose."),
)


def dose_cells(variants: Iterable[VariantRow]) -> dict[str, Cell]:
    """Return the median and the 10th percentile of the dose over papers.

    Only variants that were made count. A paper with several variants counts with their mean.
    """
    made = [row for row in variants if row.outcome == "made"]
    cells: list[Cell] = []
    for name, *_ in _FIGURES:
        cells += _over_papers([(row.paper, _value(row, name)) for row in made])
    papers = len({row.paper for row in made if row.dose is not None})
    return dict(zip((column.name for column in COLUMNS), [*cells, papers], strict=True))


def _value(row: VariantRow, name: str) -> float | None:
    """A figure of a variant; its edits count where the dose is known."""
    if name == "edits":
        return None if row.words_changed is None else float(row.edits)
    value: float | None = getattr(row, name)
    return value


def _over_papers(values: Sequence[tuple[str, float | None]]) -> tuple[Cell, Cell]:
    import numpy as np

    by_paper: dict[str, list[float]] = {}
    for paper, value in values:
        if value is not None:
            by_paper.setdefault(paper, []).append(value)
    if not by_paper:
        return None, None
    means = sorted(sum(sorted(found)) / len(found) for found in by_paper.values())
    return float(np.median(means)), float(np.percentile(means, _LOW))


def variants_of(records: Records, family: str, direction: str = "") -> list[VariantRow]:
    """The variants of a family, or those of them that go one way."""
    return [
        row
        for row in records.variants
        if row.perturbation == family and direction in ("", row.direction)
    ]
