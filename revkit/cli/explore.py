"""``revkit explore``."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("explore")
@click.argument("runs", metavar="RUN...", nargs=-1, required=True)
@click.option(
    "--out",
    "-o",
    type=click.Path(path_type=Path),
    required=True,
    help="The SQLite file, or with --parquet the folder, to write; it must not exist.",
)
@click.option(
    "--parquet", is_flag=True, help="Write a folder with one Parquet file for each table."
)
def command(runs: tuple[str, ...], out: Path, parquet: bool) -> None:
    """Write runs to a SQLite file or Parquet files: papers, reviews, pairs, figures.

    The table documentation describes the tables. The files contain texts of papers and reviews.
    RUN as for `revkit show`.
    """
    from revkit import api
    from revkit.runs.database import write_database
    from revkit.runs.parquet import write_parquet

    opened = [api.open_run(api.find_run(run)) for run in runs]
    counts = (write_parquet if parquet else write_database)(opened, out)
    listed = ", ".join(f"{count:,} in {name}" for name, count in counts.items())
    click.echo(f"{out} written: {listed}")
