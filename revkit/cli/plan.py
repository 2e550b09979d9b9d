"""``revkit plan``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from revkit.cli.common import experiment_options
from revkit.places import STORE


@click.command("plan")
@experiment_options
@click.option(
    "--store",
    type=click.Path(path_type=Path),
    help=f"The store; cached answers cost nothing. Default: {STORE}",
)
def command(spec: Any, store: Path | None, **options: Any) -> None:
    """Show what a run would do: nodes, papers, variants, reviews, cost. Runs nothing.

    If language models are used, calls, tokens and cost are estimated from the real prompts.
    """
    from revkit import api
    from revkit.spec import Sweep

    found = api.load(spec, **options)
    answers = store or STORE
    if isinstance(found, Sweep):
        click.echo(api.sweep_plan(found).text(), nl=False)
        forecast = api.sweep_forecast(found, store=answers)
    else:
        click.echo(api.plan(found).text(), nl=False)
        forecast = api.forecast(found, store=answers)
    if forecast is not None:
        click.echo()
        click.echo(forecast.text(), nl=False)
