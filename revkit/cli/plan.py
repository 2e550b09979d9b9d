"""``revkit plan``."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from revkit.cli.common import experiment_options, json_option, print_json
from revkit.places import STORE

if TYPE_CHECKING:
    from revkit.spec import Experiment, Sweep


@click.command("plan")
@experiment_options
@click.option(
    "--store",
    type=click.Path(path_type=Path),
    help=f"The store; cached answers cost nothing. Default: {STORE}",
)
@click.option(
    "--latency",
    type=click.FloatRange(min=0, min_open=True),
    metavar="SECONDS",
    help="Mean time of a call. Default: that of calls in the store, or else 10 s.",
)
@click.option(
    "--papers",
    type=click.IntRange(1),
    metavar="N",
    help="Plan for N papers like the first ones of the corpus, as from a sample of submissions.",
)
@json_option
def command(
    spec: Any,
    store: Path | None,
    latency: float | None,
    papers: int | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Show what a run would do: nodes, papers, variants, reviews, cost. Runs nothing.

    If language models are used, calls, tokens and cost are estimated from the real prompts, also
    those of a second review of each text where it would measure the noise of an agent.
    """
    from revkit import api
    from revkit.spec import Sweep

    found = api.load(spec, **options)
    answers = store or STORE
    twice = None
    if as_json:
        print_json(_json(found, answers, latency, papers))
        return
    if isinstance(found, Sweep):
        if papers is not None:
            raise click.UsageError("--papers plans an experiment; name a point of the sweep")
        click.echo(api.sweep_plan(found).text(), nl=False)
        forecast = api.sweep_forecast(found, store=answers)
    else:
        planned = api.plan(found, papers=papers)
        click.echo(planned.text(), nl=False)
        forecast = api.forecast(found, store=answers, papers=papers)
        if forecast is not None and planned.noisy:
            twice = api.forecast(replace(found, repeats=2), store=answers, papers=papers)
        if forecast is None:
            from revkit.execution.outlook import left_out_of, time_unknown

            click.echo(time_unknown(left_out_of(found, planned)), nl=False)
    if forecast is not None:
        click.echo()
        click.echo(forecast.text(), nl=False)
        if not isinstance(found, Sweep):
            outlook = api.outlook(found, forecast, store=answers, latency=latency, papers=papers)
            if outlook is not None:
                click.echo()
                click.echo(outlook.text(), nl=False)
        if twice is not None:
            click.echo(f"with a second review of each text (repeats: 2): {twice.short()}")


def _json(
    found: Experiment | Sweep, store: Path, latency: float | None, papers: int | None
) -> dict[str, Any]:
    """The plan of an experiment, or of every point of a sweep by its label, and the forecast."""
    from dataclasses import asdict

    from revkit import api
    from revkit.spec import Sweep

    if isinstance(found, Sweep):
        forecast = api.sweep_forecast(found, store=store)
        points = {each.label: _counts(each.experiment) for each in found.points}
        plan: dict[str, Any] = {"points": points}
    else:
        forecast = api.forecast(found, store=store, papers=papers)
        plan = _counts(found, papers)
        if forecast is not None:
            outlook = api.outlook(found, forecast, store=store, latency=latency, papers=papers)
            plan["outlook"] = None if outlook is None else outlook.to_json()
    return {**plan, "forecast": None if forecast is None else asdict(forecast)}


def _counts(experiment: Experiment, papers: int | None = None) -> dict[str, Any]:
    from revkit import api

    plan = api.plan(experiment, papers=papers)
    names = ("papers", "variants", "reviews", "judgements", "anchors")
    counts = {name: getattr(plan, name) for name in names}
    return {"nodes": len(plan.graph.nodes), **counts, "noisy": list(plan.noisy)}
