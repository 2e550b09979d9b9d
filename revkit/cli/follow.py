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
    help="Seconds between two reports.",
)
@click.option("--once", is_flag=True, help="Report once and return.")
def command(run: str, every: float, once: bool) -> None:
    """Print how far a running run is, until it has ended.

    Counts are of papers whose reviews are all written; answers of later papers are stored already.
    Of each model: the requests in flight, those of the last half minute, and their median time; of
    a budget: what is left. A request that hangs, a model that answers more slowly than before or
    with failures, and a budget near its end are warnings. RUN as for `revkit show`.
    """
    from revkit import api
    from revkit.runs.progress import progress_of

    folder = api.find_run(run)
    last: list[str] = []
    while True:
        found = progress_of(folder)
        warnings = [f"warning: {text}" for text in found.warnings]
        lines = [found.line, *found.details, *warnings]
        if lines != last:
            click.echo(lines[0])
            for line in lines[1:]:
                click.secho(f"  {line}", fg="yellow" if line in warnings else None)
            last = lines
        if once or found.state != "running":
            return
        time.sleep(every)
