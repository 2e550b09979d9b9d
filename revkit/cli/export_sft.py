"""``revkit export sft``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from revkit.cli.common import experiment_options


@click.command("sft")
@experiment_options
@click.option("--agent", required=True, help="The agent of SPEC whose model is to be trained.")
@click.option(
    "--bench",
    multiple=True,
    required=True,
    type=click.Path(path_type=Path),
    help="What must not be trained on: a spec (its corpus), the folder of a run, or records in "
    "JSON or JSON Lines. Repeatable.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("training"),
    show_default=True,
    help="The folder to write.",
)
@click.option(
    "--reviews",
    type=click.Choice(["each", "aggregated"]),
    default="each",
    show_default=True,
    help="Teach each human review of a paper, or the one that was made of them.",
)
@click.option(
    "--validation",
    type=click.FloatRange(0, 1, max_open=True),
    default=0.0,
    show_default=True,
    help="Share of the papers that is kept for validation.",
)
@click.option(
    "--threshold",
    type=click.FloatRange(0, 1, min_open=True),
    default=0.2,
    show_default=True,
    help="Share of runs of five words from which a paper counts as one of the bench.",
)
@click.option(
    "--model",
    default="microsoft/phi-4",
    show_default=True,
    help="The model to train, as the configurations of the trainers name it.",
)
@click.option(
    "--devices",
    type=click.Choice(["1", "2", "4", "8", "16"]),
    default="8",
    show_default=True,
    help="Accelerators of the machine that trains.",
)
@click.option(
    "--store",
    type=click.Path(path_type=Path),
    help="The file of answers, where the corpus asks models. Default: .revkit/store.sqlite3",
)
def command(spec: Path, bench: tuple[Path, ...], devices: str, **options: Any) -> None:
    """Write a training set for the model of an agent, disjoint from a bench.

    Each human review of each paper in the corpus of SPEC becomes a conversation: what the agent
    asks its model, and the review as the reply. Papers that are in the bench, or nearly, are left
    out; manifest.json tells how many of everything, and why. Nobody is asked.
    """
    from revkit import api

    made = api.export_sft(spec, bench=bench, devices=int(devices), **options)
    manifest = made.manifest
    papers, check = manifest["papers"], manifest["check"]
    click.echo(
        f"{made.train:,} conversation{'s' * (made.train != 1)} to train on, {made.validation:,} to "
        f"validate, of {papers['used']:,} paper{'s' * (papers['used'] != 1)}."
    )
    _tell("in the bench", papers["excluded"])
    _tell("papers", {name: papers[name] for name in _PAPERS if papers[name]})
    _tell("reviews", manifest["reviews"]["skipped"])
    _tell("records", papers["skipped"])
    click.echo(
        f"Most alike that stayed: {check['most-alike-left-in']['similarity']:.3f}; "
        f"from {check['threshold']:g} on papers are left out"
    )
    click.echo(f"Everything is in {made.folder}")


_PAPERS = ("copies", "without-reviews", "without-usable-reviews")


def _tell(what: str, counts: Mapping[str, int]) -> None:
    if counts:
        told = "; ".join(
            f"{reason.replace('-', ' ')} ({count:,})" for reason, count in counts.items()
        )
        click.echo(f"Left out, {what}: {told}")
