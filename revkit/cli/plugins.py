"""``revkit plugins``."""

from __future__ import annotations

import shutil
from pathlib import Path
from textwrap import shorten

import click

from revkit.cli.common import plugin_option


@click.command("plugins")
@plugin_option
@click.option(
    "--traceback", is_flag=True, help="Show the traceback of each plugin that failed to load."
)
def command(plugins: tuple[Path, ...], traceback: bool) -> None:
    """List installed components, their plugins, and what failed to load."""
    from revkit import api
    from revkit.contracts import KINDS
    from revkit.errors import PluginError

    registry = api.plugins(plugins)
    failures: list[str] = []
    columns = shutil.get_terminal_size((100, 24)).columns
    for kind in KINDS.values():
        entries = registry.of_kind(kind.name)
        if not entries:
            continue
        click.echo(click.style(kind.plural, bold=True))
        width = max(len(entry.name) for entry in entries)
        for entry in entries:
            head = f"  {entry.name:<{width}}  [{entry.plugin}]".ljust(width + 18)
            try:
                summary = _short(entry.summary, columns - len(head) - 1)
            except PluginError as error:
                failures.append(str(error))
                summary = "failed to load"
            click.echo(f"{head} {summary}".rstrip())
    for group in registry.conflicts():
        ways = " or ".join(f"{entry.plugin}:{entry.name}" for entry in group)
        click.secho(f"clash: {group[0].kind} {group[0].name!r}: write {ways}", fg="yellow")
    for broken in registry.broken:
        click.secho(f"failed to load: {broken.plugin}: {broken.reason}", fg="red")
        if traceback:
            click.echo(broken.traceback)
    for reason in failures:
        click.secho(f"failed to load: {reason}", fg="red")
    if registry.broken or failures:
        raise SystemExit(3)


def _short(text: str, room: int) -> str:
    """Return one sentence without markup, cut at a word if it does not fit."""
    plain = text.replace("`", "").partition(". ")[0]
    return shorten(plain, max(room, 20), placeholder=" ...")
