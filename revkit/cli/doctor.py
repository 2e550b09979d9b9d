"""``revkit doctor``."""

from __future__ import annotations

from pathlib import Path

import click

from revkit.cli.common import json_option, plugin_option, print_json
from revkit.places import STORE


@click.command("doctor")
@click.argument("spec", required=False)
@plugin_option
@click.option("--store", type=click.Path(path_type=Path), help=f"The store. Default: {STORE}")
@json_option
def command(spec: str | None, plugins: tuple[Path, ...], store: Path | None, as_json: bool) -> None:
    """Check the installation: versions, plugins, keys (names only), the store, the disk.

    With SPEC, also whether it could run now: paths, files, models and services, without a paid
    call. Exits with 1 if there is a problem.
    """
    from revkit import api

    found = api.doctor(spec, store=store, plugins=plugins)
    if as_json:
        print_json([each.to_json() for each in found])
    else:
        colours = {"ok": "green", "note": "yellow", "problem": "red"}
        width = max(len(each.subject) for each in found)
        for each in found:
            state = click.style(f"{each.state:<8}", fg=colours[each.state])
            click.echo(f"{state} {each.subject:<{width}}  {each.detail}")
    raise click.exceptions.Exit(any(each.state == "problem" for each in found))
