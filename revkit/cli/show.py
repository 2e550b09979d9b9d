"""``revkit show``."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import click

from revkit.cli.common import json_option, print_json, run_argument

if TYPE_CHECKING:
    from revkit.runs import OpenedRun

_COLUMNS = 100  # of a report, where the output goes to no terminal


@click.command("show")
@run_argument
@click.option(
    "--table",
    "table",
    metavar="NAME",
    help="Print one table of the run instead, in parts if it is wider than the terminal.",
)
@json_option
def command(run: str, table: str | None, as_json: bool) -> None:
    """Show a finished run: its report for a terminal, warnings, versions and files.

    RUN is a run folder, the name of one in runs, the name of an experiment, the start of a digest,
    or "last". Neither the spec nor its plugins are needed.
    """
    from revkit import api

    found = api.open_run(api.find_run(run))
    if table is not None:
        chosen = found.table(table)
        if as_json:
            print_json(chosen.to_json())
        else:
            from revkit.runs.table_text import text_of

            room = shutil.get_terminal_size((_COLUMNS, 24)).columns
            click.echo(text_of(chosen, room), nl=False)
        return
    if as_json:
        print_json({**found.to_json(), "ledger": [dict(row) for row in found.ledger]})
        return
    report = found.folder / "report.txt"
    if report.is_file():
        from revkit.runs.words import readable

        click.echo(readable(report.read_text(encoding="utf-8", errors="replace")))
    click.echo(_about(found, warnings=not report.is_file()), nl=False)


def _about(run: OpenedRun, *, warnings: bool) -> str:
    from revkit.runs.table_text import visible
    from revkit.runs.words import dollars, short_date

    result = run.result
    lines = [
        f"Run:      {visible(run.name, 80)} in {run.folder}",
        f"Started:  {short_date(run.started)}",
        f"Papers:   {result.get('papers', 0):,}; reviews: {result.get('outcomes', 0):,}, "
        f"{result.get('failures', 0):,} failed",
        f"Cost:     {dollars(run.usd)}",
        f"Digest:   {run.digest} (experiment)",
        f"          {run.records_digest} (records)",
        f"revkit:   {visible(run.versions.get('revkit', 'not recorded'), 40)}",
        f"Tables:   {', '.join(run.tables)}",
    ]
    if warnings:  # which the report states already
        lines += [f"Warning:  {visible(text, 400)}" for text in run.warnings]
    lines += [f"Crashed:  {visible(str(fault), 400)}" for fault in run.faults]
    page = run.folder / "report.html"
    if page.is_file():
        lines.append(f"Page:     {page} (revkit open {run.folder})")
    return "\n".join(lines) + "\n"
