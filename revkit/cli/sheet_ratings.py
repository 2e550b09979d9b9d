"""``revkit sheet rate`` and ``revkit sheet ratings``: texts that people rate."""

from __future__ import annotations

from pathlib import Path

import click

PATH = click.Path(path_type=Path)


@click.command("rate")
@click.option("--out", "-o", type=PATH, required=True, help="Folder to write the sheet to.")
@click.option("--n", type=click.IntRange(1), default=120, show_default=True, help="Texts to draw.")
@click.option(
    "--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed of the draw."
)
@click.argument("run", type=PATH)
def rate(run: Path, out: Path, n: int, seed: int) -> None:
    """Draw judged texts of a finished RUN for people to rate by the same criteria.

    Writes ratings.csv to be filled in, form.md with the criteria, and key.json, to be kept from
    the raters.
    """
    from revkit.sheets import draw_ratings

    sheet = draw_ratings(run, out, n=n, seed=seed)
    click.echo(f"{sheet.texts} texts, {len(sheet.criteria)} criteria. Results: {out}")


@click.command("ratings")
@click.option("--ratings", type=PATH, help="The completed copy. Default: FOLDER/ratings.csv")
@click.option("--out", "-o", type=PATH, required=True, help="CSV file for evaluator-agreement.")
@click.argument("folder", type=PATH)
def ratings(folder: Path, ratings: Path | None, out: Path) -> None:
    """Join the ratings of a sheet in FOLDER with its key."""
    from revkit.sheets import read_ratings

    found = read_ratings(folder, ratings or folder / "ratings.csv", out)
    click.echo(f"{found.ratings} ratings, {found.missing} missing. Results: {out}")
