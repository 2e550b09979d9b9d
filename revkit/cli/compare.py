"""``revkit compare``."""

from __future__ import annotations

from pathlib import Path

import click

from revkit.cli.common import json_option, print_json, write_text


@click.command("compare")
@click.argument("runs", metavar="RUN RUN...", nargs=-1, required=True)
@click.option(
    "--agents",
    "agents",
    multiple=True,
    metavar="OLD=NEW",
    help="Compare an agent of the first run with one of another name. Repeatable.",
)
@click.option(
    "--figure",
    "figures",
    multiple=True,
    metavar="NAME",
    help="Compare this figure only, such as flip_rate or accuracy. Repeatable.",
)
@click.option(
    "--markdown", type=click.Path(path_type=Path), help="Write Markdown to this file as well."
)
@click.option("--html", type=click.Path(path_type=Path), help="Write a page to this file as well.")
@json_option
def command(
    runs: tuple[str, ...],
    agents: tuple[str, ...],
    figures: tuple[str, ...],
    markdown: Path | None,
    html: Path | None,
    as_json: bool,
) -> None:
    """Compare runs with the first of them, over the papers that both have.

    For each agent: flip rates, accuracy, acceptance, scores, failures, each with the difference,
    its interval over papers and a test over papers with Holm's correction. Then: what differs in
    spec, versions of components and packages. RUN as for `revkit show`.
    """
    from revkit import api
    from revkit.runs.page import comparison_markdown, comparison_page, comparison_text

    if len(runs) < 2:
        raise click.UsageError("name two runs or more")
    pairs = {}
    for text in agents:
        old, equals, new = text.partition("=")
        if not (old and equals and new):
            raise click.BadParameter(f"{text!r} is not OLD=NEW", param_hint="--agents")
        pairs[old] = new
    found = api.compare([api.find_run(run) for run in runs], agents=pairs, figures=figures)
    if markdown is not None:
        write_text(markdown, comparison_markdown(found))
    if html is not None:
        write_text(html, comparison_page(found))
    if as_json:
        print_json(found.to_json())
    else:
        click.echo(comparison_text(found), nl=False)
