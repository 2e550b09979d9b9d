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
    """Print the run graph of an experiment, as text or Mermaid.

    For a sweep, the text has the graph of every point; equal graphs are printed once.
    """
    from revkit import api
    from revkit.spec import Sweep

    found = api.load(spec, **options)
    if isinstance(found, Sweep) and form == "text":
        click.echo(api.sweep_plan(found).graphs(), nl=False)
        return
    graph = api.graph(spec, **options)
    click.echo(graph.mermaid() if form == "mermaid" else graph.text(), nl=False)
