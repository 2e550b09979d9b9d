"""Runs as a SQLite file or as Parquet files: what the tables hold, and that they are documented."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from revkit.errors import RunError
from revkit.runs import open_run
from revkit.runs.database import TABLES, write_database
from revkit.runs.parquet import write_parquet


def test_runs_as_one_database(
    run_toy: Callable[..., Any], toy_spec: dict[str, Any], tmp_path: Path
) -> None:
    run = run_toy({**toy_spec, "repeats": 2}, out="runs/a")
    run_toy({**toy_spec, "seed": 4}, out="runs/b")
    opened = [open_run(tmp_path / "runs" / name) for name in ("a", "b")]
    path = tmp_path / "out" / "runs.sqlite"
    counts = write_database(opened, path)
    with closing(sqlite3.connect(path)) as database:
        tables = {
            row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type='table'")
        }
        assert tables == set(TABLES)
        for name in TABLES:
            found = database.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0]
            assert found == counts[name]
            assert (found > 0) == (name != "call")  # the toys ask no language model
        reviews = database.execute("SELECT count(*) FROM review WHERE run = 'a'").fetchone()[0]
        assert reviews == len(run.records.verdicts)
        flips = database.execute(
            "SELECT sum(flip) FROM pair WHERE run = 'a' AND agent = 'coin'"
        ).fetchone()[0]
        assert flips == pytest.approx(sum(pair.flip or 0 for pair in opened[0].pairs("coin")))
        columns = {
            (name, row[1])
            for name in TABLES
            for row in database.execute(f'PRAGMA table_info("{name}")')
        }
        documented = set(database.execute("SELECT source, field FROM documentation"))
        assert columns <= documented
    with pytest.raises(RunError, match="exists; choose another file"):
        write_database(opened, path)
    with pytest.raises(RunError, match="named twice"):
        write_database([opened[0], opened[0]], tmp_path / "twice.sqlite")
    assert not (tmp_path / "twice.sqlite").exists()


def test_parquet_holds_the_rows_of_the_database(
    run_toy: Callable[..., Any], toy_spec: dict[str, Any], tmp_path: Path
) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    run_toy({**toy_spec, "repeats": 2}, out="runs/a")
    run_toy({**toy_spec, "seed": 4}, out="runs/b")
    opened = [open_run(tmp_path / "runs" / name) for name in ("a", "b")]
    counts = write_database(opened, tmp_path / "runs.sqlite")
    folder = tmp_path / "out" / "parquet"
    assert write_parquet(opened, folder) == counts
    assert sorted(path.stem for path in folder.iterdir()) == sorted(TABLES)
    with closing(sqlite3.connect(tmp_path / "runs.sqlite")) as database:
        for name, (text, columns) in TABLES.items():
            table = parquet.read_table(folder / f"{name}.parquet")
            assert table.schema.metadata[b"help"].decode() == text
            assert table.column_names == list(columns)
            stored = database.execute(f'SELECT * FROM "{name}"').fetchall()
            for read, row in zip(table.to_pylist(), stored, strict=True):
                for column, cell in zip(columns, row, strict=True):
                    expected = str(cell) if column == "value" and cell is not None else cell
                    assert read[column] == expected, (name, column)
    pairs = parquet.read_table(folder / "pair.parquet").to_pandas()
    assert pairs["flip"].dtype.kind == "f"
    with pytest.raises(RunError, match="exists; choose another folder"):
        write_parquet(opened, folder)
    with pytest.raises(RunError, match="named twice"):
        write_parquet([opened[0], opened[0]], tmp_path / "twice")
    assert sorted(path.name for path in tmp_path.glob("twice*")) == []


def test_the_command(
    run_toy: Callable[..., Any],
    toy_spec: dict[str, Any],
    revkit_command: Callable[..., Any],
    tmp_path: Path,
) -> None:
    run_toy(toy_spec, out="runs/a")
    done = revkit_command("explore", "last", "--out", "a.sqlite")
    assert done.returncode == 0, done.stderr
    assert "6 in paper" in done.stdout
    assert (tmp_path / "a.sqlite").is_file()
    done = revkit_command("explore", "last", "--out", "a", "--parquet")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "a" / "pair.parquet").is_file()
