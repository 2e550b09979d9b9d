"""``revkit validate``."""

from __future__ import annotations

from typing import Any

import click

from revkit.cli.common import experiment_options


@click.command("validate")
@experiment_options
def command(spec: Any, **options: Any) -> None:
    """Check an experiment and report every problem with its location."""
    from revkit import api
    from revkit.spec import Sweep

    found = api.load(spec, **options)
    experiment = found.points[0].experiment if isinstance(found, Sweep) else found
    counts = (
        f"{len(experiment.perturbations)} perturbations, {len(experiment.agents)} agents, "
        f"{len(experiment.metrics)} metrics, {len(experiment.reports)} reports"
    )
    if isinstance(found, Sweep):
        counts = f"{len(found.points)} points, of which the first has {counts}"
    click.echo(f"{spec}: ok ({found.name}: {experiment.corpus.name}, {counts})")
