"""``revkit plan``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from revkit.cli.common import experiment_options


@click.command("plan")
@experiment_options
@click.option(
    "--store",
    type=click.Path(path_type=Path),
    help="The store; cached answers cost nothing. Default: .revkit/store.sqlite3",
)
def command(spec: Any, store: Path | None, **options: Any) -> None:
    """Show what a run would do: nodes, papers, variants, reviews, cost. Runs nothing.

    If language models are used, calls, tokens and cost are estimated from the real prompts.
    """
    from revkit import api
    from revkit.spec import Sweep

    found = api.load(spec, **options)
    answers = store or Path(".revkit") / "store.sqlite3"
    if isinstance(found, Sweep):
        click.echo(api.sweep_plan(found).text(), nl=False)
        forecast = api.sweep_forecast(found, store=answers)
    else:
        click.echo(api.plan(found).text(), nl=False)
        forecast = api.forecast(found, store=answers)
    if forecast is not None:
        click.echo()
        click.echo(forecast.text(), nl=False)
