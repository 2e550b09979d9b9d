"""``revkit forget``."""

from __future__ import annotations

import json
from pathlib import Path

import click

from revkit.cli.common import plugin_option
from revkit.places import STORE


@click.command("forget")
@plugin_option
@click.argument("paper")
@click.option(
    "--runs",
    multiple=True,
    type=click.Path(path_type=Path),
    help="Folder below which runs and bundles are searched; may be given several times.  "
    "[default: runs]",
)
@click.option(
    "--store",
    "stores",
    multiple=True,
    type=click.Path(path_type=Path),
    help="A store of answers; may be given several times.  [default: .revkit/store.sqlite3]",
)
@click.option(
    "--text",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="File with the text of the paper, where no run holds it any more.",
)
@click.option("--yes", is_flag=True, help="Remove it. Without this nothing is changed.")
@click.option("--json", "as_json", is_flag=True, help="Print what was found as JSON.")
def command(
    paper: str,
    plugins: tuple[Path, ...],
    runs: tuple[Path, ...],
    stores: tuple[Path, ...],
    text: Path | None,
    yes: bool,
    as_json: bool,
) -> None:
    """Remove one paper's text and reviews from run folders and stores.

    Remove the text, the variants and the reviews of the paper with the id PAPER from run folders
    and stores.

    Without --yes it only prints what holds the paper. Ids, labels, scores and tables stay. Reports
    that quote the paper are deleted. Bundles are named, and stay as they are.
    """
    from revkit import api
    from revkit.files import read_text

    traces = api.forget(
        paper,
        runs=runs or ("runs",),
        stores=stores or (STORE,),
        text="" if text is None else read_text(text),
        yes=yes,
        plugins=plugins,
    )
    if as_json:
        click.echo(json.dumps({**traces.to_json(), "removed": yes}, indent=2))
        return
    verb = "removed" if yes else "would remove"
    for run in traces.runs:
        click.echo(f"{run.folder}: {verb} the texts of {run.rows} rows")
        for name in run.files:
            click.echo(f"{run.folder / name}: {verb} the file, which quotes the paper")
        if run.unknown:
            click.secho(
                f"{run.folder}: answers known by their text alone: {run.unknown}", fg="yellow"
            )
    for path, keys in traces.answers.items():
        click.echo(f"{path}: {verb} {len(keys)} answers")
    for path in traces.bundles:
        click.secho(f"{path}: a bundle that holds the paper; delete it yourself", fg="yellow")
    if not yes:
        click.echo("Nothing was changed; add --yes to remove it.")
