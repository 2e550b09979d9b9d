"""``revkit export pairs``: the pairs of a run, frozen so that others can report against them."""

from __future__ import annotations

from pathlib import Path

import click

PATH = click.Path(path_type=Path)


@click.command("pairs")
@click.option("--name", required=True, help="Name of the set, as in my-pairs.")
@click.option("--version", required=True, help="Version of the set, as in 1.0.")
@click.option("--licence", default="", help="A note on the licence of the texts.")
@click.argument("run_folder", type=PATH)
@click.argument("file", type=PATH)
def command(run_folder: Path, file: Path, name: str, version: str, licence: str) -> None:
    """Write the papers and variants of a finished run to one file with a name and a version.

    Others run their agents on exactly these pairs, and their reports state name, version and
    digest. FILE contains texts of papers and their labels, but no human reviews.
    """
    import json

    from revkit.pairsets import write_pair_set

    made = write_pair_set(run_folder, file, name=name, version=version, licence=licence)
    about, place = made.about, json.dumps(str(file), ensure_ascii=False)
    click.echo(
        f"{about.name} {about.version}: {about.papers:,} papers, {about.pairs:,} pairs. "
        f"Results: {file} (SHA-256 of the set {about.digest})\n"
        f"In a spec:\ncorpus: {{use: pairs, with: {{path: {place}}}}}\nperturbations:"
    )
    for family, variants in made.families:
        for index in range(variants):
            own = family if index == 0 else f"{family}-{index}"
            more = f", index: {index}" if index else ""
            click.echo(f"  {own}: {{use: frozen, with: {{path: {place}, family: {family}{more}}}}}")
