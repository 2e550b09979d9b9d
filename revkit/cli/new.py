"""``revkit new``."""

from __future__ import annotations

from pathlib import Path

import click


@click.group("new")
def command() -> None:
    """Write a new plugin package with one component of a kind, and its test."""


@command.command("plugin")
@click.argument("name")
@click.option("--kind", required=True, help="What it adds: agent, perturbation, metric, ...")
@click.option(
    "--folder",
    type=click.Path(path_type=Path),
    default=Path(),
    help="Where to put the package. Default: here.",
)
def plugin(name: str, kind: str, folder: Path) -> None:
    """Write a plugin package revkit-NAME with one component of a kind, its test, and an
    experiment that uses it. The test passes at once."""
    from revkit import api
    from revkit.api.scaffold import try_command

    written = api.new_plugin(name, kind, folder)
    for path in written:
        click.echo(str(path))
    root = written[0].parent
    click.echo(f"next: cd {root} && pip install -e . pytest && pytest")
    click.echo(f"then: {try_command(name, kind)}")
