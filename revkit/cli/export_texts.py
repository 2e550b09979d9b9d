"""``revkit export texts``: the texts of a run, for a reviewer that runs elsewhere."""

from __future__ import annotations

from pathlib import Path

import click

PATH = click.Path(path_type=Path)


@click.command("texts")
@click.argument("run_folder", type=PATH)
@click.argument("file", type=PATH)
def command(run_folder: Path, file: Path) -> None:
    """Write every text that agents saw in a finished run to one JSON Lines file.

    Each line has a paper or a variant: digest, paper, perturbation, index, title and text. The
    agent "recorded" reads answers to these texts by their digest, or by paper with this file as
    its option "texts".
    """
    from revkit.runs import write_texts

    count = write_texts(run_folder, file)
    click.echo(f"{count:,} texts written to {file}")
