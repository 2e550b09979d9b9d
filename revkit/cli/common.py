"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])

plugin_option = click.option(
    "--plugin",
    "plugins",
    multiple=True,
    type=click.Path(path_type=Path),
    help="A Python file with components, loaded as a one-off plugin. Repeatable.",
)


def experiment_options(function: F) -> F:
    """Add the argument SPEC and the options that select an experiment."""
    for decorate in (
        plugin_option,
        click.option("--point", help="One point of a sweep, by its label."),
        click.option("--limit", type=click.IntRange(1), help="Use at most this many papers."),
        click.option("--seed", type=click.IntRange(0, 2**63 - 1), help="Seed of all random draws."),
        click.option(
            "--set",
            "overrides",
            multiple=True,
            metavar="PATH=VALUE",
            help="Override one value of the spec, as in corpus.with.papers=10. Repeatable.",
        ),
        click.argument("spec", type=click.Path(path_type=Path)),
    ):
        function = decorate(function)
    return function


json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")

run_argument = click.argument("run", metavar="RUN", default="last")


def print_json(value: object) -> None:
    """Print a value as JSON, keys in their order."""
    import json

    click.echo(json.dumps(value, indent=1, ensure_ascii=False, allow_nan=False))
