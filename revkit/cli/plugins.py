"""``revkit plugins``."""

from __future__ import annotations

from pathlib import Path

import click

from revkit.cli.common import plugin_option


@click.command("plugins")
@plugin_option
@click.option("--traceback", is_flag=True, help="Show the whole traceback of what did not load.")
def command(plugins: tuple[Path, ...], traceback: bool) -> None:
    """List installed components, who brought them, and what did not load."""
    from revkit import api
    from revkit.contracts import KINDS

    registry = api.plugins(plugins)
    for kind in KINDS.values():
        entries = registry.of_kind(kind.name)
        if not entries:
            continue
        click.echo(click.style(kind.plural, bold=True))
        width = max(len(entry.name) for entry in entries)
        for entry in entries:
            brought = f"[{entry.plugin}]"
            click.echo(f"  {entry.name:<{width}}  {brought:<13} {_short(entry.summary)}")
    for group in registry.conflicts():
        ways = " or ".join(f"{entry.plugin}:{entry.name}" for entry in group)
        click.secho(f"clash: {group[0].kind} {group[0].name!r}: write {ways}", fg="yellow")
    for broken in registry.broken:
        click.secho(f"did not load: {broken.plugin}: {broken.reason}", fg="red")
        if traceback:
            click.echo(broken.traceback)
    if registry.broken:
        raise SystemExit(3)


def _short(text: str) -> str:
    return text if len(text) <= 90 else text[:87].rstrip() + "..."
