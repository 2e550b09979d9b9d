"""``revkit export``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import click

from revkit.cli.common import plugin_option
from revkit.places import STORE

_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


class _Export(click.Command):
    """``revkit export RUN_FOLDER BUNDLE``, and ``revkit export NAME SPEC`` for each exporter: write
    ``./NAME`` for a run folder that has the name of an exporter."""

    @property
    def commands(self) -> dict[str, click.Command]:
        """Return a command for each installed exporter, by its name."""
        return _commands(())

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,
    ) -> click.Context:
        if args and args[0] in ("pairs", "texts"):
            from revkit.cli.export_pairs import command as pairs
            from revkit.cli.export_texts import command as texts

            chosen = pairs if args[0] == "pairs" else texts
            return chosen.make_context(f"{info_name} {args[0]}", args[1:], parent, **extra)
        if args and _NAME.fullmatch(args[0]):
            inner = _commands(_plugins(args)).get(args[0])
            if inner is not None:
                return inner.make_context(f"{info_name} {args[0]}", args[1:], parent, **extra)
        return super().make_context(info_name, args, parent, **extra)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        rows = [
            (f"revkit export {name} --help", each.get_short_help_str(100))
            for name, each in self.commands.items()
        ]
        with formatter.section("To export the pairs or the texts of a run instead"):
            formatter.write_dl(
                [
                    ("revkit export pairs --help", "Write the pairs of a run to one file."),
                    ("revkit export texts --help", "Write its texts, for a reviewer elsewhere."),
                ]
            )
        if rows:
            with formatter.section("To export an experiment instead"):
                formatter.write_dl(rows)


def _commands(plugins: Sequence[str]) -> dict[str, click.Command]:
    from revkit.cli.export_with import commands_of

    return commands_of("export", plugins)


def _plugins(args: Sequence[str]) -> list[str]:
    """Return the values of ``--plugin``; one of them may contain the named exporter."""
    values = [value for option, value in pairwise(args) if option == "--plugin"]
    return values + [arg.partition("=")[2] for arg in args if arg.startswith("--plugin=")]


@click.command("export", cls=_Export)
@plugin_option
@click.option(
    "--store",
    type=click.Path(path_type=Path),
    help=f"The store that the run used. Default: {STORE}",
)
@click.option(
    "--no-texts",
    is_flag=True,
    help="Leave out titles and texts of papers; reviews and reports may still quote them.",
)
@click.argument("run_folder", type=click.Path(path_type=Path))
@click.argument("bundle", type=click.Path(path_type=Path))
def command(run_folder: Path, bundle: Path, no_texts: bool, **options: Any) -> None:
    """Write a finished run to one file that others can replay.

    BUNDLE holds the spec, the papers, every answer, and the replies of language models behind it.
    The same run gives the same bytes. Values of secrets are never exported.
    """
    from revkit import api

    result = api.export(run_folder, bundle, texts=not no_texts, **options)
    click.echo(
        f"{result.papers:,} papers{' (no texts)' if no_texts else ''}, {result.answers:,} answers, "
        f"{result.calls:,} model calls. Results: {result.path} (SHA-256 {result.digest})"
    )
