"""``revkit export``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from revkit.cli.common import plugin_option


class _Export(click.Command):
    """``revkit export RUN_FOLDER BUNDLE``, and beside it ``revkit export sft``: a run folder of
    that name is ``./sft``."""

    @property
    def commands(self) -> dict[str, click.Command]:
        """What stands beside it, by its first word."""
        from revkit.cli.export_sft import command as sft

        return {"sft": sft}

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,
    ) -> click.Context:
        if args[:1] == ["sft"]:
            inner = self.commands["sft"]
            return inner.make_context(f"{info_name} sft", args[1:], parent, **extra)
        return super().make_context(info_name, args, parent, **extra)


@click.command(
    "export",
    cls=_Export,
    epilog="To write a training set instead: revkit export sft --help",
)
@plugin_option
@click.option(
    "--store",
    type=click.Path(path_type=Path),
    help="The file of answers that the run used. Default: .revkit/store.sqlite3",
)
@click.option(
    "--no-texts",
    is_flag=True,
    help="Leave titles and texts of papers out; reviews and reports may still quote them.",
)
@click.argument("run_folder", type=click.Path(path_type=Path))
@click.argument("bundle", type=click.Path(path_type=Path))
def command(run_folder: Path, bundle: Path, no_texts: bool, **options: Any) -> None:
    """Write a finished run to one file that others can replay.

    BUNDLE gets the spec, the papers, every answer and every reply of a language model behind it.
    The same run gives the same bytes. The value of a secret is never exported.
    """
    from revkit import api

    made = api.export(run_folder, bundle, texts=not no_texts, **options)
    click.echo(
        f"{made.papers:,} papers{' (no texts)' if no_texts else ''}, {made.answers:,} answers, "
        f"{made.calls:,} model calls. Everything is in {made.path} (SHA-256 {made.digest})"
    )
