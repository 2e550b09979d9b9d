"""``revkit store``."""

from __future__ import annotations

from pathlib import Path

import click

from revkit.cli.common import json_option, print_json
from revkit.places import STORE

store_option = click.option(
    "--store",
    default=STORE,
    show_default=True,
    type=click.Path(path_type=Path),
    help="The store of answers.",
)


@click.group("store")
def command() -> None:
    """Check, clean, copy, measure and merge stores of answers."""


@command.command("check")
@store_option
@json_option
def check(store: Path, as_json: bool) -> None:
    """Compare every answer with its digest, and let SQLite check the file. Changes nothing.

    The exit code is 1 if something is damaged. A run computes damaged answers again.
    """
    from revkit import api

    found = api.check_store(store)
    if as_json:
        print_json(found.to_json())
    else:
        click.echo(
            f"{store}: {found.answers:,} answers, {found.damaged:,} damaged, "
            f"{found.missing:,} without content"
        )
        for line in found.file:
            click.secho(f"{store}: {line}", fg="red", err=True)
    raise click.exceptions.Exit(0 if found.sound else 1)


@command.command("gc")
@store_option
def gc(store: Path) -> None:
    """Remove damaged answers and content without an answer, and pack the file.

    Valid answers are never removed.
    """
    from revkit import api

    click.echo(f"{store}: {api.collect_garbage(store):,} bytes saved")


@command.command("export")
@click.argument("target", type=click.Path(path_type=Path))
@store_option
def export(target: Path, store: Path) -> None:
    """Write a packed copy of the store to the new file TARGET, while runs may use it."""
    from revkit import api

    click.echo(f"{target}: {api.copy_store(target, store):,} bytes")


@command.command("merge")
@click.argument("others", nargs=-1, required=True, type=click.Path(path_type=Path))
@store_option
def merge(others: tuple[Path, ...], store: Path) -> None:
    """Add the answers and requests of OTHERS to the store. Merging again adds nothing."""
    from revkit import api

    click.echo(f"{store}: {api.merge_stores(others, store):,} new answers")


@command.command("size")
@store_option
@json_option
def size(store: Path, as_json: bool) -> None:
    """Print the size of the store, its answers by sort, and the size of 1,000 reviews."""
    from revkit import api

    found = api.store_size(store)
    if as_json:
        print_json(found.to_json())
        return
    counts = ", ".join(f"{count:,} {name}" for name, count in found.answers.items())
    each = found.per_thousand_reviews
    click.echo(f"{store}: {found.bytes / 1e6:,.2f} MB: {counts}; {found.requests:,} requests")
    if each is not None:
        click.echo(f"{each:,.2f} MB for 1,000 reviews")


@command.command("batches")
@store_option
@click.option(
    "--give-up",
    metavar="NUMBER",
    help="Forget this batch, whose results cannot be fetched; its calls are sent again.",
)
def batches(store: Path, give_up: str | None) -> None:
    """List the batches of calls that are at a provider."""
    from revkit import api

    if give_up is not None:
        calls = api.give_up_batch(give_up, store)
        click.echo(f"{store}: gave up batch {give_up} with {calls:,} calls")
        return
    found = api.open_batches(store)
    for batch in found:
        number = batch.remote or "not confirmed by the provider"
        click.echo(f"{number}: {batch.requests:,} calls of {batch.model}")
    if not found:
        click.echo(f"{store}: no batch is waited for")
