"""Runs as Parquet files with documented tables, for DuckDB, pandas, Polars and Spark."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import Any

from revkit.errors import RunError
from revkit.model.frames import load_package
from revkit.runs.database import NUMBERS, TABLES, VERDICTS, WHOLE_NUMBERS, cell_of, tables_of
from revkit.runs.opened_run import OpenedRun

_BATCH = 2_000  # rows that are in memory at once


def write_parquet(runs: Sequence[OpenedRun], folder: Path) -> dict[str, int]:
    """Write ``runs`` to the new ``folder``, one file TABLE.parquet for each table of `TABLES`, and
    return the number of rows by table.

    The descriptions of a table and its columns are metadata of its file (key ``help``), and rows
    of ``documentation.parquet``. Raises `RunError` where the folder exists or cannot be written,
    and `MissingPackage` without the package pyarrow.
    """
    arrow = load_package("pyarrow", "'revkit[parquet]'")
    parquet = load_package("pyarrow.parquet", "'revkit[parquet]'")
    if folder.exists():
        raise RunError(f"{folder} exists; choose another folder")
    part = folder.with_name(folder.name + ".part")
    counts = dict.fromkeys(TABLES, 0)
    try:
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir(parents=True)
        schemas = {name: _schema(arrow, name) for name in TABLES}
        with ExitStack() as stack:
            writers = {
                name: stack.enter_context(
                    parquet.ParquetWriter(part / f"{name}.parquet", schema, compression="zstd")
                )
                for name, schema in schemas.items()
            }
            for name, rows in tables_of(runs):
                for batch in _batches(rows):
                    cells = [_cells(name, row) for row in batch]
                    writers[name].write_table(
                        arrow.Table.from_pylist(cells, schema=schemas[name])
                    )  # fmt: skip
                    counts[name] += len(batch)
        part.replace(folder)
    except (OSError, arrow.ArrowException) as error:
        raise RunError(f"{folder} cannot be written: {error}") from error
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return counts


def _schema(arrow: Any, name: str) -> Any:
    text, columns = TABLES[name]
    fields = [
        arrow.field(column, _type(arrow, column), metadata={"help": meaning})
        for column, meaning in columns.items()
    ]
    return arrow.schema(fields, metadata={"help": text})


def _type(arrow: Any, column: str) -> Any:
    if column in WHOLE_NUMBERS:
        return arrow.int64()
    if column in NUMBERS:
        return arrow.float64()
    return arrow.bool_() if column in VERDICTS else arrow.string()


def _cells(name: str, row: Mapping[str, Any]) -> dict[str, Any]:
    return {column: _value(column, row.get(column)) for column in TABLES[name][1]}


def _value(column: str, value: Any) -> Any:
    if value is None:
        return None
    if column in VERDICTS:
        return bool(value)
    if column in NUMBERS:
        return float(value)
    return value if column in WHOLE_NUMBERS else str(cell_of(value))


def _batches(rows: Iterable[Mapping[str, Any]]) -> Iterator[list[Mapping[str, Any]]]:
    iterator = iter(rows)
    while batch := list(islice(iterator, _BATCH)):
        yield batch
