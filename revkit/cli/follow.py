"""``revkit follow``."""

from __future__ import annotations

import time

import click

from revkit.cli.common import run_argument


@click.command("follow")
@run_argument
@click.option(
    "--every",
    type=click.FloatRange(0.1, 3600),
    default=5.0,
    show_default=True,
    help="Seconds between two lines.",
)
@click.option("--once", is_flag=True, help="Print one line and return.")
def command(run: str, every: float, once: bool) -> None:
    """Print how far a running run is, until it has ended.

    Counts are of papers whose reviews are all written; answers of later papers are stored already.
    RUN as for `revkit show`.
    """
    from revkit import api
    from revkit.runs.progress import progress_of

    folder = api.find_run(run)
    last = ""
    while True:
        found = progress_of(folder)
        if (line := found.line) != last:
            click.echo(line)
            last = line
        if once or found.state != "running":
            return
        time.sleep(every)
