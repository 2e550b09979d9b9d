"""``revkit runs``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from revkit.cli.common import json_option, print_json

if TYPE_CHECKING:
    from revkit.runs import RunEntry


@click.command("runs")
@click.argument("folder", type=click.Path(path_type=Path), default=Path("runs"))
@click.option("--points", is_flag=True, help="List the points of sweeps too.")
@json_option
def command(folder: Path, points: bool, as_json: bool) -> None:
    """List the runs in FOLDER (default: runs), the latest first.

    Each has its name, state, papers, warnings, digest, cost in US dollars, date and first result.
    """
    from revkit import api

    found = api.list_runs(folder, points=points)
    if as_json:
        print_json([entry.to_json() for entry in found])
        return
    if not found:
        click.echo(f"no runs in {folder}")
    for entry in found:
        click.echo(_lines(entry))


def _lines(entry: RunEntry) -> str:
    from revkit.runs.table_text import visible
    from revkit.runs.words import dollars, first_sentence, short_date

    parts = [short_date(entry.started), entry.state]
    if entry.papers is not None:
        parts.append(f"n {entry.papers:,} paper{'' if entry.papers == 1 else 's'}")
    if entry.failures:
        parts.append(f"{entry.failures:,} failed")
    if entry.warnings:
        parts.append(f"{entry.warnings:,} warning{'' if entry.warnings == 1 else 's'}")
    if entry.papers is not None:
        parts.append(dollars(entry.usd))
    head = click.style(visible(str(entry.folder), 300), bold=True)
    lines = [f"{head}  {visible(entry.name, 80)}  {entry.digest[:8]}", f"  {', '.join(parts)}"]
    if entry.headline:
        lines.append(f"  {first_sentence(entry.headline)}")
    return "\n".join(lines)
