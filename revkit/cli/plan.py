"""``revkit plan``."""

from __future__ import annotations

from dataclasses import replace
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

    If language models are used, calls, tokens and cost are estimated from the real prompts, also
    those of a second review of each text where it would measure the noise of an agent.
    """
    from revkit import api
    from revkit.spec import Sweep

    found = api.load(spec, **options)
    answers = store or STORE
    twice = None
    if isinstance(found, Sweep):
        click.echo(api.sweep_plan(found).text(), nl=False)
        forecast = api.sweep_forecast(found, store=answers)
    else:
        planned = api.plan(found)
        click.echo(planned.text(), nl=False)
        forecast = api.forecast(found, store=answers)
        if forecast is not None and planned.noisy:
            twice = api.forecast(replace(found, repeats=2), store=answers)
    if forecast is not None:
        click.echo()
        click.echo(forecast.text(), nl=False)
        if twice is not None:
            click.echo(f"with repeats: 2, which measures noise: {twice.short()}")
