"""``revkit validate``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from revkit.cli.common import experiment_options, json_option, print_json

if TYPE_CHECKING:
    from revkit.errors import Problem


@click.command("validate")
@experiment_options
@click.option(
    "--ready",
    is_flag=True,
    help="Check paths, files, keys, models and services as well. Nothing is spent.",
)
@json_option
def command(spec: Any, ready: bool, as_json: bool, **options: Any) -> None:
    """Check an experiment and report every problem with its location."""
    from revkit import api
    from revkit.errors import SpecError
    from revkit.figures.numbers import count_of
    from revkit.spec import Sweep

    try:
        found = api.load(spec, **options)
        points = found.points if isinstance(found, Sweep) else ()
        experiment = points[0].experiment if points else found
        assert not isinstance(experiment, Sweep)
        if ready:
            chosen = {**options, "point": points[0].label} if points else options
            problems = api.check_ready(spec, **chosen)
            if problems:
                raise SpecError(problems)
    except SpecError as error:
        if not as_json:
            raise
        print_json({"ok": False, "problems": [_problem(each) for each in error.problems]})
        raise click.exceptions.Exit(2) from None
    counts = {
        "perturbations": len(experiment.perturbations),
        "agents": len(experiment.agents),
        "metrics": len(experiment.metrics),
        "reports": len(experiment.reports),
    }
    if as_json:
        print_json(
            {
                "ok": True,
                "name": found.name,
                "digest": found.digest,
                "corpus": experiment.corpus.name,
                "points": len(points),
                **counts,
            }
        )
        return
    text = ", ".join(count_of(count, name.removesuffix("s")) for name, count in counts.items())
    if points:
        text = f"{len(points)} points, of which the first has {text}"
    state = "ok, and ready to run" if ready else "ok"
    click.echo(f"{spec}: {state} ({found.name}: {experiment.corpus.name}, {text})")


def _problem(problem: Problem) -> dict[str, object]:
    return {
        "message": problem.message,
        "path": problem.path,
        "line": problem.line,
        "column": problem.column,
        "source": problem.source,
    }
