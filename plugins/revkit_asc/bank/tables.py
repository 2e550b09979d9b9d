"""Read banks from CSV tables."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from revkit.calibration.scores import number_in
from revkit.errors import BadScores, RunError
from revkit.files import LineProblems, Unreadable
from revkit.files.csv_tables import CsvRow, CsvTable
from revkit_asc.bank.anchor import GAP, TIERS, Anchor, Bank, consensus_of_scores, standard_errors
from revkit_asc.bank.lines import QUARTER, ReadBank, Seen, disagreement

_COLUMNS = ("id", "title", "text", "tier", "cluster", "adjudicated", "introduced", "watermark")


def read_table(text: str, path: Path) -> ReadBank:
    """Read a table with the columns id, text, and one or more columns whose names start with
    "score".

    Optional columns are title, tier (else the quarter of the consensus), cluster, adjudicated,
    introduced and watermark. Raises `RunError` for a missing, unknown or repeated column and for a
    malformed line.
    """
    try:
        table = CsvTable(text)
    except Unreadable as error:
        raise RunError(f"{path}: {error}; correct the file") from None
    wanted = [name for name in table.names if name.startswith("score")]
    problems = LineProblems()
    for name in table.missing(("id", "text")):
        problems.add(1, f"no column {name}")
    if not wanted:
        problems.add(1, "no column score...")
    for name in dict.fromkeys(table.names):
        if name not in (*_COLUMNS, *wanted):
            problems.add(1, f"column {name[:40]!r} is not known")
    if problems:
        raise RunError(f"{path}: {problems}")
    seen = Seen(path.name)
    for row in table.rows:
        _csv_row(row, wanted, seen)
    errors = standard_errors([anchor.scores for anchor in seen.anchors])
    anchors = [replace(a, error=e) for a, e in zip(seen.anchors, errors, strict=True)]
    clusters = sorted({anchor.cluster for anchor in anchors if anchor.cluster})
    bank = Bank(path.stem, "", "", tuple(clusters), tuple(anchors))
    return ReadBank(bank, tuple(seen.skipped), seen.notes)


def _csv_row(found: CsvRow, wanted: Sequence[str], seen: Seen) -> None:
    line = found.line
    if found.problem:
        seen.skip(line, "", found.problem)
        return
    row = dict.fromkeys(_COLUMNS, "") | {n: cell.strip() for n, cell in found.cells.items()}
    scores: list[float] = []
    adjudicated: float | None = None
    faults: list[str] = []
    for name in (*wanted, "adjudicated"):
        if not row[name]:
            continue
        try:
            value = number_in(row[name])
        except BadScores:
            value = math.nan
        if not 0 <= value <= 100:
            hint = " (write a decimal point)" if "," in row[name] else ""
            faults.append(f"{name}: {row[name][:20]!r} is not a severity from 0 to 100{hint}")
        elif name == "adjudicated":
            adjudicated = value
        else:
            scores.append(value)
    faults += _csv_faults(row)
    if not faults:
        fault = disagreement(scores, adjudicated, GAP) if scores else "no score"
        faults += [fault] if fault else []
    if faults:
        seen.skip(line, row["id"], "; ".join(faults))
        return
    consensus = consensus_of_scores(scores, adjudicated)
    anchor = Anchor(
        id=row["id"],
        tier=row["tier"] or quarter_of(consensus),
        cluster=row["cluster"],
        title=row["title"],
        text=row["text"],
        scores=tuple(scores),
        consensus=consensus,
        adjudicated=adjudicated,
        introduced=row["introduced"],
        watermark=row["watermark"],
    )
    seen.add(line, anchor)


def _csv_faults(row: Mapping[str, str]) -> Iterator[str]:
    for name in ("id", "text"):
        if not row[name]:
            yield f"no {name}"
    if row["tier"] and row["tier"] not in TIERS:
        yield f"tier: expected one of {', '.join(TIERS)}, not {row['tier'][:20]!r}"
    if row["introduced"] and not QUARTER.fullmatch(row["introduced"]):
        yield f"introduced: expected a quarter such as 2026-Q1, not {row['introduced'][:20]!r}"


def quarter_of(consensus: float) -> str:
    """Return the tier: the quarter of the severity axis; an upper bound belongs to the lower
    tier.
    """
    return TIERS[sum(consensus > bound for bound in (25.0, 50.0, 75.0))]
