"""``revkit check``."""

from __future__ import annotations

from pathlib import Path

import click

from revkit.cli.common import (
    gate_options,
    json_option,
    print_json,
    report_assertions,
    run_argument,
)


@click.command("check")
@run_argument
@click.option(
    "--assert",
    "assertions",
    multiple=True,
    metavar="TEXT",
    help="Check this instead of the assertions of the spec. Repeatable.",
)
@gate_options
@json_option
def command(
    run: str,
    assertions: tuple[str, ...],
    junit: Path | None,
    summary: Path | None,
    as_json: bool,
) -> None:
    """Check assertions about a finished run: those of its spec, or those given.

    The exit code is 5 if one does not hold, also where a value is missing. RUN as for `revkit
    show`.
    """
    from revkit import api

    opened = api.open_run(api.find_run(run))
    results = api.check_run(opened, assertions or None)
    if not results:
        raise click.UsageError("the spec of this run has no assertions; give one with --assert")
    held = report_assertions(results, opened.name, junit, summary, quiet=as_json)
    if as_json:
        print_json([each.to_json() for each in results])
    raise click.exceptions.Exit(0 if held else 5)
