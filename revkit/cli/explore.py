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
    help="The SQLite file to write; it must not exist.",
)
def command(runs: tuple[str, ...], out: Path) -> None:
    """Write runs to one SQLite file: papers, edits, reviews, pairs and figures.

    Its tables are documented in the file (table documentation). It contains texts of papers and
    reviews. RUN as for `revkit show`.
    """
    from revkit import api
    from revkit.runs.database import write_database

    opened = [api.open_run(api.find_run(run)) for run in runs]
    counts = write_database(opened, out)
    listed = ", ".join(f"{count:,} in {name}" for name, count in counts.items())
    click.echo(f"{out} written: {listed}")
