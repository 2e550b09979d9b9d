"""``revkit merge``."""

from __future__ import annotations

import threading
from pathlib import Path

import click

from revkit.cli.common import (
    gate_options,
    out_option,
    overwrite_option,
    plugin_option,
    quiet_option,
    run_json_option,
)
from revkit.cli.run import report_run, stop_on_interrupt
from revkit.places import STORE


@click.command("merge")
@plugin_option
@click.argument("shards", nargs=-1, required=True, type=click.Path(path_type=Path))
@out_option
@click.option(
    "--store",
    type=click.Path(path_type=Path),
    help=f"The store to which the answers of the shards are added. Default: {STORE}",
)
@overwrite_option
@quiet_option
@gate_options
@run_json_option
def command(
    shards: tuple[Path, ...],
    out: Path | None,
    store: Path | None,
    plugins: tuple[Path, ...],
    overwrite: bool,
    quiet: bool,
    junit: Path | None,
    summary: Path | None,
    as_json: bool,
) -> None:
    """Merge the shards of an experiment into the run that they form.

    SHARDS are folders that `revkit run --shard` wrote, or folders that contain them. The run folder
    has the same bytes as that of a run in one piece, except provenance.json. No agent and no model
    is called. A shard that is missing, unfinished or of another experiment is named.
    """
    from revkit import api

    stop = threading.Event()
    stop_on_interrupt(stop)
    quiet = quiet or as_json
    run = api.merge(
        shards,
        out=out,
        store=store,
        overwrite=overwrite,
        quiet=quiet,
        stop=stop,
        plugins=plugins,
    )
    gate = {"junit": junit, "summary": summary}
    name, digest = run.experiment.name, run.experiment.digest
    report_run(run, name, digest, gate, quiet=quiet, as_json=as_json)
