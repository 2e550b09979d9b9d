"""``revkit track``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from revkit.cli.common import run_argument

if TYPE_CHECKING:
    from revkit.runs.tracking import Tracker


@click.command("track")
@run_argument
@click.option("--to", type=click.Choice(["mlflow", "wandb"]), required=True, help="The tracker.")
@click.option("--project", default="revkit", help="Experiment (MLflow) or project (wandb).")
@click.option(
    "--texts", is_flag=True, help="Send the reports too: they contain texts of papers and reviews."
)
def command(run: str, to: Tracker, project: str, texts: bool) -> None:
    """Send the figures of a finished run to MLflow or Weights & Biases.

    RUN as for `revkit show`. Address, key and offline mode are those of the client
    (MLFLOW_TRACKING_URI, WANDB_MODE=offline).
    """
    from revkit import api
    from revkit.runs.tracking import figures_of
    from revkit.runs.tracking import track as send

    opened = api.open_run(api.find_run(run))
    name = send(opened, to, project=project, texts=texts)
    click.echo(f"{len(figures_of(opened)):,} figures of {opened.name} sent to {to}: {name}")
