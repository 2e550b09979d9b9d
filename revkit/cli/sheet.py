"""``revkit sheet``: draw samples of edits for a blind reader, and compute rates of the labels."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from revkit.cli import sheet_ratings

if TYPE_CHECKING:
    from revkit.sheets import LabelRate, SheetRates

PATH = click.Path(path_type=Path)


@click.group("sheet")
def command() -> None:
    """Draw samples of edits for a blind reader, and compute rates of the labels."""


@command.command("draw")
@click.option("--out", "-o", type=PATH, required=True, help="Folder to write the sheet to.")
@click.option(
    "--n",
    type=click.IntRange(1),
    default=50,
    show_default=True,
    help="Items of each kind of edit.",
)
@click.option(
    "--show",
    type=click.Choice(["pair", "passage", "paper"]),
    default="pair",
    show_default=True,
    help=(
        "What to show: the passage before and after an edit, only the passage after it, or whole "
        "papers."
    ),
)
@click.option(
    "--untouched", type=click.IntRange(0), help="Untouched passages or papers to mix in. Default: N"
)
@click.option("--rewrites", type=PATH, help="CSV file (before, after) of rewrites to mix in.")
@click.option(
    "--perturbation", "perturbations", multiple=True, help="Only this perturbation. Repeatable."
)
@click.option(
    "--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed of the draw."
)
@click.argument("runs", nargs=-1, required=True, type=PATH)
def draw(runs: tuple[Path, ...], out: Path, **options: Any) -> None:
    """Draw a sheet from the folders of finished RUNS.

    Writes sheet.csv, to be labelled with yes or no, and key.json, to be kept from the reader.
    """
    from revkit.sheets import draw_sheet

    sheet = draw_sheet(runs, out, **options)
    counts = ", ".join(f"{count} {group}" for group, count in sheet.counts.items())
    click.echo(f"{sheet.items} items ({counts}). Results: {out}")
    for line in _variants(sheet.outcomes):
        click.echo(line)


@command.command("read")
@click.option(
    "--labels",
    "files",
    multiple=True,
    type=PATH,
    help="A labelled copy of sheet.csv. Repeatable, one for each reader. Default: FOLDER/sheet.csv",
)
@click.option(
    "--reader",
    "readers",
    multiple=True,
    required=True,
    help='Who or what read, as "person: A" or "model: NAME", in the order of --labels.',
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.argument("folder", type=PATH)
def read(folder: Path, files: tuple[Path, ...], readers: tuple[str, ...], as_json: bool) -> None:
    """Compute rates with intervals from the labels of a sheet, and the agreement of readers."""
    from revkit.sheets import Reading, read_sheet

    files = files or (folder / "sheet.csv",)
    if len(files) != len(readers):
        raise click.UsageError(f"{len(files)} files of labels, but {len(readers)} readers")
    result = read_sheet(folder, [Reading(*each) for each in zip(files, readers, strict=True)])
    if as_json:
        click.echo(json.dumps(result.to_json(), indent=1))
        return
    for line in _lines(result):
        click.echo(line)


def _lines(result: SheetRates) -> list[str]:
    level = f"{100 * result.confidence:g}%"
    lines = [
        f"Share of the answer yes, with {level} intervals over papers (and over items, Wilson)"
    ]
    for reader in dict.fromkeys(rate.reader for rate in result.rates):
        lines += ["", f"Reader: {reader}"]
        lines += [_rate(rate) for rate in result.rates if rate.reader == reader and rate.n]
        left = sum(rate.unlabelled for rate in result.rates if rate.reader == reader)
        lines += [f"  {left} answers missing"] if left else []
    for each in result.agreements:
        kappa = (
            "not defined"
            if each.kappa is None
            else f"{each.kappa:.2f} {_span(each.low, each.high)}"
        )
        share = "-" if each.equal is None else f"{100 * each.equal:.0f}%"
        lines.append(
            f"{each.label}: {each.first} and {each.second} agree on {share} of {each.n} items; "
            f"kappa {kappa}"
        )
    return [*lines, "", *_variants(result.variants)]


def _rate(rate: LabelRate) -> str:
    assert rate.rate is not None
    over_papers = _span(rate.low, rate.high, 100)
    over_items = _span(rate.wilson_low, rate.wilson_high, 100)
    return (
        f"  {rate.group:<24} {rate.label:<13} {100 * rate.rate:5.1f}% {over_papers} "
        f"({over_items})  {rate.yes} of {rate.n} items of {rate.papers} papers"
    )


def _span(low: float | None, high: float | None, factor: float = 1) -> str:
    digits = 1 if factor == 100 else 2
    ends = ["-" if end is None else f"{factor * end:.{digits}f}" for end in (low, high)]
    return f"[{', '.join(ends)}]"


def _variants(outcomes: Any) -> list[str]:
    words = {"made": "made", "declined": "could not be generated", "gate": "failed a check"}
    return [
        f"{name}: "
        + ", ".join(f"{count} {words.get(outcome, outcome)}" for outcome, count in counts.items())
        for name, counts in outcomes.items()
    ]


command.add_command(sheet_ratings.rate)
command.add_command(sheet_ratings.ratings)
