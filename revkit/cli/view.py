"""``revkit view``."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click

from revkit.cli.common import plugin_option
from revkit.places import STORE


@click.command("view")
@click.argument("runs", metavar="[RUN]...", nargs=-1)
@click.option("--port", type=click.IntRange(0, 65_535), default=0, help="Port; 0: any free one.")
@click.option(
    "--marks",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The SQLite file of marks and comments; it is created if it does not exist.",
)
@click.option("--reader", default="", help="Your name: marks can then be written to --marks.")
@click.option(
    "--export", type=click.Path(path_type=Path), help="Write the marks as CSV, and serve nothing."
)
@click.option(
    "--prompts", is_flag=True, help="Show the prompts of reviews by language models, from --store."
)
@click.option(
    "--store",
    type=click.Path(path_type=Path),
    help=f"With --prompts: the store that the runs used. Default: {STORE}",
)
@plugin_option
@click.option("--no-open", is_flag=True, help="Print the address, and open no browser.")
def command(
    runs: tuple[str, ...],
    port: int,
    marks: Path | None,
    reader: str,
    export: Path | None,
    prompts: bool,
    store: Path | None,
    plugins: tuple[Path, ...],
    no_open: bool,
) -> None:
    """Serve runs on this machine: sort, filter and search, read both reviews of a pair.

    RUN as for `revkit show` (default: last). Only this machine is served, and only with the token
    in the printed address. Nothing is written, unless --marks and --reader are given. Ctrl-C stops.

    With --prompts each review has a page with the prompts of its language models. This needs the
    plugins of the spec and the store of the run, and asks no model.
    """
    from revkit import api
    from revkit.cli.common import write_text
    from revkit.errors import RunError
    from revkit.runs.marks import Marks, agreement_of, marks_as_csv
    from revkit.runs.viewer import serve

    if marks is None and (reader or export):
        raise click.UsageError("--reader and --export need --marks FILE")
    if not prompts and (store or plugins):
        raise click.UsageError("--store and --plugin need --prompts")
    if export is not None and marks is not None:
        if not marks.is_file():
            raise RunError(f"{marks} does not exist")
        found = Marks(marks).read()
        write_text(export, marks_as_csv(found))
        click.echo(f"{export} written: {len(found):,} marks")
        for each in agreement_of(found):
            kappa = "not defined" if each.kappa is None else f"{each.kappa:.2f}"
            click.echo(
                f"{each.question}: {each.first}, {each.second}: {each.n} pairs, kappa {kappa}"
            )
        return

    def ready(address: str) -> None:
        click.echo(f"{address}\nCtrl-C stops.")
        if not no_open:
            import webbrowser

            webbrowser.open(address)

    serve(
        [api.open_run(api.find_run(run)) for run in runs or ("last",)],
        port,
        marks,
        reader,
        ready,
        partial(api.prompts, store=store, plugins=plugins) if prompts else None,
    )
