"""``revkit selfcheck``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from revkit.cli.common import experiment_options

SHARE = click.FloatRange(0, 1)


@click.command("selfcheck")
@experiment_options
@click.option(
    "--run",
    type=click.Path(path_type=Path),
    help="Take flip rate, clustering, noise and share of accepts from this finished run.",
)
@click.option("--rate", type=SHARE, help="Flip rate of the agents. Default: 0.05")
@click.option(
    "--clustering",
    type=click.FloatRange(0, 1, max_open=True),
    help="Correlation of flips within a paper. Default: 0.3",
)
@click.option(
    "--agreement",
    type=SHARE,
    default=0.5,
    show_default=True,
    help=(
        "Probability that an agent has the same verdict and the same flip probability on a paper "
        "as the other agents."
    ),
)
@click.option(
    "--noise",
    type=click.FloatRange(0, 0.5),
    help="Probability that two reviews of one text disagree. Default: 0",
)
@click.option(
    "--papers", type=click.IntRange(1), help="Number of papers, if the corpus does not state it."
)
@click.option(
    "--runs",
    type=click.IntRange(100),
    default=1000,
    show_default=True,
    help="Simulated experiments; fewer for large designs.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(spec: Any, as_json: bool, **options: Any) -> None:
    """Simulate the design of an experiment: coverage, type I error, power. Calls no agent."""
    from revkit import api

    found = api.selfcheck(spec, **options)
    if as_json:
        click.echo(json.dumps(found.to_json(), indent=1))
    else:
        click.echo(found.text(), nl=False)
