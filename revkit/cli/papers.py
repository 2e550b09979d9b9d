"""``revkit papers check``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from revkit.cli.common import plugin_option

if TYPE_CHECKING:
    from revkit.papers import Reading

_FEW = 20


@click.group("papers")
def command() -> None:
    """Show how well papers are read: structure score, outline, what was not recognised."""


@command.command("check")
@plugin_option
@click.argument("path", type=click.Path(path_type=Path))
@click.option(
    "--json", "as_json", is_flag=True, help="Print everything as JSON, without cutting texts."
)
@click.option(
    "--page",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write an HTML page with the outline and the entries of every paper.",
)
@click.option("--limit", type=click.IntRange(1), help="Read at most this many papers.")
def check(
    path: Path, plugins: tuple[Path, ...], as_json: bool, page: Path | None, limit: int | None
) -> None:
    """Show what is understood of the papers at PATH: a Markdown, text, LaTeX, Word or PDF file, a
    folder of them, or an experiment, whose corpus is read.

    Each paper gets a structure score from 0 to 1, its outline, and the parts that were not
    recognised. A paper that holds its own reviews or decision is named. Exits with 0 if there is
    a paper, every paper was read and none is named, else with 1.
    """
    from revkit import api
    from revkit.errors import RunError
    from revkit.papers import page_of, spell_out

    readings, skipped = api.check_papers(path, limit=limit, plugins=plugins)
    if page is not None:
        try:
            page.write_text(page_of(readings, skipped), encoding="utf-8")
        except OSError as error:
            raise RunError(f"{page} cannot be written: {error.strerror or error}") from None
    if as_json:
        left = [each.to_json() for each in skipped]
        whole = {"papers": [each.to_json() for each in readings], "skipped": left}
        click.echo(json.dumps(whole, indent=2, ensure_ascii=False))
    else:
        for reading in readings:
            _show(reading, outline=len(readings) == 1)
        for each in skipped[:_FEW]:
            click.echo(f"not loaded: {spell_out(each.id, 80)}: {spell_out(each.reason, 200)}")
        if len(skipped) > _FEW:
            click.echo(f"and {len(skipped) - _FEW} more not loaded; see --json")
        unread = sum(bool(reading.unread) for reading in readings)
        click.echo(
            f"papers: {len(readings) - unread:,} read in full, {unread:,} read in part, "
            f"{len(skipped):,} not loaded"
        )
        if not readings and not skipped:
            click.echo(f"{path} contains no file that could be a paper; name another folder")
    failed = skipped or not readings or any(reading.unread or reading.leaks for reading in readings)
    raise click.exceptions.Exit(1 if failed else 0)


def _show(reading: Reading, *, outline: bool) -> None:
    from revkit.papers import spell_out

    read = reading.structure
    matched = (
        ""
        if read.match is None
        else f"; citations that match an entry: {read.matched} of {read.citations}"
    )
    name = spell_out(reading.id, 80)
    click.secho(f"{name}  structure score {reading.score:.2f} of 1", bold=True)
    click.echo(f"  title: {spell_out(reading.title, 120) or 'none found'}")
    click.echo(
        f"  abstract: {'yes' if read.abstract else 'none found'}; headings: {read.headings}; "
        f"entries in the reference list: {read.references}{matched}"
    )
    parts = [part for part in reading.unread if part != "citations"]
    if parts:
        click.secho(f"  not recognised: {', '.join(parts)}", fg="yellow")
    if "citations" in reading.unread:
        click.secho(
            f"  citations not linked: {read.unlinked}",
            fg="yellow",
        )
    if reading.leaks:
        click.secho(f"  holds its own reviews: {', '.join(reading.leaks)}", fg="yellow")
    for each in reading.hidden[:_FEW]:
        says = f": {spell_out(each.says, 80)}" if each.says else ""
        click.secho(f"  hidden text in line {each.line} ({each.kind}){says}", fg="yellow")
    for note in reading.notes[:_FEW]:
        click.echo(f"  note: {spell_out(note, 200)}")
    for section in reading.outline if outline else ():
        indent = "  " * max(1, section.level)
        title = spell_out(section.title, 100) or "(no heading)"
        click.echo(f"  {section.line:>6}{indent}{title}  [{section.role}, {section.words} words]")
