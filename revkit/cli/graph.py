"""``revkit graph``."""

from __future__ import annotations

from typing import Any

import click

from revkit.cli.common import experiment_options


@click.command("graph")
@experiment_options
@click.option(
    "--format", "form", type=click.Choice(["text", "mermaid"]), default="text", show_default=True
)
def command(spec: Any, form: str, **options: Any) -> None:
    """Print the run graph of an experiment, as text or Mermaid."""
    from revkit import api

    graph = api.graph(spec, **options)
    click.echo(graph.mermaid() if form == "mermaid" else graph.text(), nl=False)
