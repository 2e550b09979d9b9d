"""Runs as one SQLite file with documented tables, for Datasette, DuckDB, pandas and the shell."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from revkit.errors import RunError
from revkit.runs.opened_run import OpenedRun

# Each table: what it holds, and its columns with their meaning. The column run names the run.
TABLES: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "run": (
        "One row for each run.",
        {
            "run": "Name of the run in this file.",
            "name": "Name of the experiment.",
            "folder": "Its folder when this file was written.",
            "experiment": "Digest of what decides its results.",
            "records": "Digest of its records.",
            "started": "When it began, in UTC.",
            "headline": "The first finding.",
            "usd": "Cost of the replies of language models; empty if a price is not known.",
        },
    ),
    "paper": (
        "One row for each paper.",
        {
            "run": "Name of the run.",
            "paper": "Id of the paper.",
            "title": "Its title.",
            "accept": "1 accepted by people, 0 rejected, empty if not known.",
            "decision": "Their decision in words.",
            "words": "Words of prose.",
            "digest": "SHA-256 of title and text.",
            "text": "The whole text.",
        },
    ),
    "variant": (
        "One row for each variant, made or not.",
        {
            "run": "Name of the run.",
            "paper": "Id of the paper.",
            "family": "Name of the perturbation.",
            "variant": "Number of the variant, from 0.",
            "outcome": "made, declined, gate or crashed.",
            "rejected": "Why there is no variant; empty if it was made.",
            "edits": "Number of its edits.",
        },
    ),
    "edit": (
        "One row for each edit of a variant.",
        {
            "run": "Name of the run.",
            "paper": "Id of the paper.",
            "family": "Name of the perturbation.",
            "variant": "Number of the variant.",
            "start": "First character of the text that it replaces.",
            "end": "First character after it.",
            "old": "Text before.",
            "new": "Text after.",
            "note": "Why it was made.",
        },
    ),
    "review": (
        "One row for each review or failure, of papers and variants.",
        {
            "run": "Name of the run.",
            "agent": "Name of the agent.",
            "paper": "Id of the paper.",
            "family": "Name of the perturbation; empty for the unchanged paper.",
            "variant": "Number of the variant.",
            "repeat": "Number of the review of one text.",
            "accept": "1 accept, 0 reject, empty without a verdict.",
            "score": "Score on the agent's scale.",
            "failure": "Kind of the failure; empty for a review.",
            "detail": "What went wrong.",
            "text": "Text of the review.",
            "confidence": "Confidence as the agent states it; empty if it states none.",
            "details": "What the agent adds to its review, as JSON.",
            "raw": "The unchanged reply, for a failure.",
        },
    ),
    "pair": (
        "One row for each paper and variant that one agent reviewed; repeats are one pair.",
        {
            "run": "Name of the run.",
            "agent": "Name of the agent.",
            "paper": "Id of the paper.",
            "family": "Name of the perturbation.",
            "variant": "Number of the variant.",
            "before": "Share of verdicts on the paper that accept.",
            "after": "The share for the variant.",
            "flip": "Chance that two reviews, one of each, disagree; empty if a side has none.",
            "shift": "Mean score of the variant minus that of the paper.",
        },
    ),
    "call": (
        "One row for each component and language model: the calls behind the answers.",
        {
            "run": "Name of the run.",
            "label": "Names of the components that made the calls.",
            "model": "The language model.",
            "replies": "Number of replies.",
            "requests": "Number of requests, repeated ones included.",
            "prompt_tokens": "Tokens of the prompts.",
            "completion_tokens": "Tokens of the replies.",
            "cached_tokens": "Tokens of the prompts that the provider had cached.",
            "uncounted": "Replies without a number of tokens.",
            "usd": "Cost in US dollars; empty if a price is not known.",
        },
    ),
    "figure": (
        "One row for each cell of the tables of metrics.",
        {
            "run": "Name of the run.",
            "source": "Name of the table.",
            "line": "Number of the row, from 0.",
            "field": "Name of the column.",
            "unit": "Unit of the column.",
            "value": "The cell: a number, text, or empty. Text in Parquet.",
            "number": "The cell if it is a number, else empty.",
        },
    ),
    "documentation": (
        "What every table and column holds.",
        {"source": "Name of the table.", "field": "Name of the column, or empty.", "help": "Text."},
    ),
}
WHOLE_NUMBERS = frozenset(
    {"words", "variant", "edits", "start", "end", "repeat", "line", "replies", "requests"}
    | {"prompt_tokens", "completion_tokens", "cached_tokens", "uncounted"}
)
NUMBERS = frozenset({"usd", "score", "confidence", "before", "after", "flip", "shift", "number"})
VERDICTS = frozenset({"accept"})  # 1, 0 or empty
_INDEXES = (
    ("review", ("run", "agent", "paper", "family")),
    ("pair", ("run", "agent", "family")),
    ("edit", ("run", "paper", "family")),
)


def write_database(runs: Sequence[OpenedRun], path: Path) -> dict[str, int]:
    """Write ``runs`` to the new SQLite file ``path``, and return the number of rows by table.

    `TABLES` documents the tables; the file holds the same in its table ``documentation``. Raises
    `RunError` where the file exists, or cannot be written.
    """
    if path.exists():
        raise RunError(f"{path} exists; choose another file")
    part = path.with_name(path.name + ".part")
    part.unlink(missing_ok=True)
    counts = dict.fromkeys(TABLES, 0)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        database = sqlite3.connect(part)
        try:
            with database:
                _create(database)
                for name, rows in tables_of(runs):
                    counts[name] += _insert(database, name, rows)
        finally:
            database.close()
        os.replace(part, path)
    except (OSError, sqlite3.Error) as error:
        part.unlink(missing_ok=True)
        raise RunError(f"{path} cannot be written: {error}") from error
    return counts


def _create(database: sqlite3.Connection) -> None:
    for name, (_, columns) in TABLES.items():
        listed = ", ".join(f'"{column}"' for column in columns)
        database.execute(f'CREATE TABLE "{name}" ({listed})')
    for name, indexed in _INDEXES:
        listed = ", ".join(f'"{column}"' for column in indexed)
        database.execute(f'CREATE INDEX "{name}_places" ON "{name}" ({listed})')


def tables_of(runs: Sequence[OpenedRun]) -> Iterator[tuple[str, Iterator[dict[str, Any]]]]:
    """The rows of every table of `TABLES`, one run after the other, the documentation last."""
    for label, run in zip(_labels(runs), runs, strict=True):
        yield from _rows_of(run, label).items()
    yield "documentation", _documentation()


def _labels(runs: Sequence[OpenedRun]) -> list[str]:
    """Distinct names: those of the folders where they differ, else their paths."""
    names = [run.folder.resolve().name for run in runs]
    if len(set(names)) < len(names):
        names = [str(run.folder.resolve()) for run in runs]
    if len(set(names)) < len(names):
        raise RunError("a run is named twice")
    return names


def _insert(database: sqlite3.Connection, name: str, rows: Iterable[Mapping[str, Any]]) -> int:
    columns = list(TABLES[name][1])
    marks = ", ".join("?" for _ in columns)
    before = database.total_changes
    database.executemany(
        f'INSERT INTO "{name}" VALUES ({marks})',
        ([cell_of(row.get(column)) for column in columns] for row in rows),
    )
    return database.total_changes - before


def cell_of(value: Any) -> Any:
    """A value of a record as a cell: a number, a text or None."""
    if isinstance(value, bool):
        return int(value)
    if value is None or isinstance(value, str | float):
        return value
    if isinstance(value, int):
        return value if -(2**63) <= value < 2**63 else str(value)
    return json.dumps(value, ensure_ascii=False)


def _rows_of(run: OpenedRun, label: str) -> dict[str, Iterator[dict[str, Any]]]:
    about = {
        **run.to_json(),
        "run": label,
        "folder": str(run.folder),
    }
    return {
        "run": iter([about]),
        "paper": ({**row, "run": label, "paper": row.get("id")} for row in run.rows("papers")),
        "variant": (
            {**_placed(row, label), "edits": len(row.get("edits", ()))}
            for row in run.rows("variants")
        ),
        "edit": (_placed(row, label) for row in run.rows("edits")),
        "review": (_placed(row, label) for row in run.rows("outcomes")),
        "pair": (
            {
                "run": label,
                "agent": each.agent,
                "paper": each.paper,
                "family": each.family,
                "variant": each.index,
                "before": each.before,
                "after": each.after,
                "flip": each.flip,
                "shift": each.shift,
            }
            for agent in run.records.agents
            for each in run.pairs(agent.name)
        ),
        "call": ({**row, "run": label} for row in run.ledger),
        "figure": (
            {
                "run": label,
                "source": table.name,
                "line": number,
                "field": column.name,
                "unit": column.unit,
                "value": cell,
                "number": None if isinstance(cell, bool | str) else cell,
            }
            for table in run.tables.values()
            for number, row in enumerate(table.rows)
            for column, cell in zip(table.columns, row, strict=True)
        ),
    }


def _placed(row: Mapping[str, Any], label: str) -> dict[str, Any]:
    """A row of records under the names of this file."""
    return {
        **row,
        "run": label,
        "family": row.get("perturbation"),
        "variant": row.get("index"),
    }


def _documentation() -> Iterator[dict[str, Any]]:
    for name, (text, columns) in TABLES.items():
        yield {"source": name, "field": "", "help": text}
        for column, meaning in columns.items():
            yield {"source": name, "field": column, "help": meaning}
