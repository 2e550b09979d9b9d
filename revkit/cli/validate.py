"""``revkit validate``."""

from __future__ import annotations

from typing import Any

import click

from revkit.cli.common import experiment_options


@click.command("validate")
@experiment_options
def command(spec: Any, **options: Any) -> None:
    """Check an experiment and show every problem with its place."""
    from revkit import api

    experiment = api.validate(spec, **options)
    counts = (
        f"{len(experiment.perturbations)} perturbations, {len(experiment.agents)} agents, "
        f"{len(experiment.metrics)} metrics, {len(experiment.reports)} reports"
    )
    click.echo(f"{spec}: ok ({experiment.name}: {experiment.corpus.name}, {counts})")
