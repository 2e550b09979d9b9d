"""``revkit plan``."""

from __future__ import annotations

from typing import Any

import click

from revkit.cli.common import experiment_options


@click.command("plan")
@experiment_options
def command(spec: Any, **options: Any) -> None:
    """Show what a run would do: nodes, papers, variants, reviews. Nothing runs."""
    from revkit import api

    click.echo(api.plan(spec, **options).text(), nl=False)
