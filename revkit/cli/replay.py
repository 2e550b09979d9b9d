"""``revkit replay``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from revkit.cli.common import plugin_option

_PROVES = (
    "maps, tables and reports were computed again from the records; a replay cannot prove that the "
    "agents gave these answers"
)


@click.command("replay")
@plugin_option
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="The folder to write. Default: replays/NAME-DIGEST",
)
@click.argument("bundle", type=click.Path(path_type=Path))
def command(bundle: Path, **options: Any) -> None:
    """Replay an exported run and compare it with the original.

    No key, model or network is needed: answers come from the bundle. Maps, tables and reports are
    computed again from them. Exits with 0 if every file equals the original byte
    for byte and every figure is confirmed by the records, else with 1.
    """
    from revkit import api

    replay = api.replay(bundle, **options)
    if replay.run.summary:
        click.echo(replay.run.summary)
    for difference in replay.differences:
        click.secho(f"error: {difference}", fg="red", err=True)
    for note in replay.notes:
        click.secho(f"note: {note}", err=True)
    if replay.identical:
        click.echo(_PROVES)
        click.echo(f"identical: all {replay.files} files. Results: {replay.run.folder}")
    else:
        click.secho(f"not identical. Results: {replay.run.folder}", fg="red", err=True)
    raise click.exceptions.Exit(0 if replay.identical else 1)
