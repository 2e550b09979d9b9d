"""``revkit scan``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from revkit.model.paper import Skipped
    from revkit.scan import ScanResult

_FEW = 20


@click.command("scan")
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON, uncut.")
@click.option(
    "--page",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write an HTML page: the drawn part of each page beside what a program reads there.",
)
@click.option(
    "--text",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    help="Write the text that a reader sees to this folder, a file for each file.",
)
@click.option(
    "--canaries",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Text file of phrases that a venue hides in its own files, one a line.",
)
def command(
    path: Path, as_json: bool, page: Path | None, folder: Path | None, canaries: Path | None
) -> None:
    """Find text in submissions that a program reads and a reader does not see.

    Find text in the files at PATH that a program reads and a reader does not see: a PDF, Word,
    Markdown, text or LaTeX file, or a folder of submissions. No agent is asked.

    A finding states what is hidden, where and how. It is not an accusation: venues, programs that
    convert files, and redactions leave hidden text too.

    \b
    Exit codes:
      0  every file was scanned as a whole, and nothing is hidden
      1  something is hidden, a file, a page or another part could not be scanned, or PATH has no
         file to scan
    """
    from revkit import api
    from revkit.scan import page_of_scans

    results, skipped = api.scan_papers(path, canaries=canaries, pictures=page is not None)
    if page is not None:
        _write(page, page_of_scans(results, skipped))
    if folder is not None:
        for each in results:
            _write(folder / f"{each.name}.txt", each.text)
    if as_json:
        left = [each.to_json() for each in skipped]
        whole = {"files": [each.to_json() for each in results], "skipped": left}
        click.echo(json.dumps(whole, indent=2, ensure_ascii=False))
    else:
        _show(results)
        _show_skipped(skipped)
        flagged = sum(bool(each.findings) for each in results)
        parts = sum(bool(each.gaps) for each in results)
        noted = sum(bool(each.notes) for each in results)
        click.echo(
            f"{_files(len(results))} scanned ({flagged} with hidden text, {parts} in part only, "
            f"{noted} with a note); {_files(len(skipped))} not scanned"
        )
    if not results and not skipped:
        click.echo(f"{path} contains no file that can be scanned; name another folder", err=True)
    failed = skipped or not results or not all(each.is_clean for each in results)
    raise click.exceptions.Exit(1 if failed else 0)


def _files(count: int) -> str:
    return f"{count:,} file{'' if count == 1 else 's'}"


def _show_skipped(skipped: list[Skipped]) -> None:
    from revkit.papers import spell_out

    for each in skipped[:_FEW]:
        click.echo(f"not scanned: {spell_out(each.id, 80)}: {spell_out(each.reason, 200)}")
    if len(skipped) > _FEW:
        click.echo(f"and {len(skipped) - _FEW} more not scanned; see --json")


def _write(path: Path, text: str) -> None:
    from revkit.errors import RunError

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise RunError(f"{path} cannot be written: {error.strerror or error}") from None


def _show(results: list[ScanResult]) -> None:
    from revkit.papers import WORDS, spell_out

    for result in results:
        if result.is_clean and not result.notes:
            continue
        click.secho(spell_out(result.name, 80), bold=True)
        for each in result.findings[:_FEW]:
            where = (
                f"line {each.line}" if each.line else f"page {each.page}" if each.page else "file"
            )
            says = f': "{spell_out(each.says, 80)}"' if each.says else ""
            known = " (known mark of a venue)" if each.canary else ""
            click.secho(f"  {where}: {WORDS[each.kind]}{known}{says}", fg="yellow")
        if len(result.findings) > _FEW:
            click.echo(f"  and {len(result.findings) - _FEW} more findings; see --json")
        for gap in result.gaps[:_FEW]:
            text = f"  not scanned: {gap.place}: {spell_out(gap.reason, 200)}"
            click.secho(text, fg="yellow")
        if len(result.gaps) > _FEW:
            click.echo(f"  and {len(result.gaps) - _FEW} more parts not scanned; see --json")
        for note in result.notes[:_FEW]:
            click.echo(f"  note: {spell_out(note, 200)}")
        if len(result.notes) > _FEW:
            click.echo(f"  and {len(result.notes) - _FEW} more notes; see --json")
