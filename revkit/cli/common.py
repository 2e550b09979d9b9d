"""Options that several commands share."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import click

from revkit.cli.completion import complete_set

if TYPE_CHECKING:
    from revkit.runs.assertion_results import AssertionResult

F = TypeVar("F", bound=Callable[..., Any])

plugin_option = click.option(
    "--plugin",
    "plugins",
    multiple=True,
    type=click.Path(path_type=Path),
    help="A Python file with components, loaded as a one-off plugin. Repeatable.",
)


def experiment_options(function: F) -> F:
    """Add the argument SPEC and the options that select an experiment."""
    for decorate in (
        plugin_option,
        click.option("--point", help="One point of a sweep, by its label."),
        click.option("--limit", type=click.IntRange(1), help="Use at most this many papers."),
        click.option("--seed", type=click.IntRange(0, 2**63 - 1), help="Seed of all random draws."),
        click.option(
            "--set",
            "overrides",
            multiple=True,
            metavar="PATH=VALUE",
            shell_complete=complete_set,
            help="Override one value of the spec, as in corpus.with.papers=10. Repeatable.",
        ),
        click.argument("spec", type=click.Path(path_type=Path)),
    ):
        function = decorate(function)
    return function


json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")

out_option = click.option(
    "--out", type=click.Path(path_type=Path), help="The run folder. Default: runs/NAME-DIGEST"
)
overwrite_option = click.option(
    "--overwrite", is_flag=True, help="Replace the run of another experiment in --out."
)
quiet_option = click.option("--quiet", is_flag=True, help="Print no progress and no summary.")
run_json_option = click.option(
    "--json", "as_json", is_flag=True, help="Print what came of the run as JSON."
)

run_argument = click.argument("run", metavar="RUN", default="last")


def print_json(value: object) -> None:
    """Print a value as JSON, keys in their order."""
    import json

    click.echo(json.dumps(value, indent=1, ensure_ascii=False, allow_nan=False))


def gate_options(function: F) -> F:
    """Add the options that write what came of the assertions."""
    for decorate in (
        click.option(
            "--summary",
            type=click.Path(path_type=Path),
            help="Append what came of the assertions to this file, as Markdown.",
        ),
        click.option(
            "--junit",
            type=click.Path(path_type=Path),
            help="Write what came of the assertions to this file, as JUnit XML.",
        ),
    ):
        function = decorate(function)
    return function


def write_text(path: Path, text: str, *, append: bool = False) -> None:
    """Write a file that the command line names, with its folder. Raises `RunError` where it cannot
    be written.
    """
    from revkit.errors import RunError

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a" if append else "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except OSError as error:
        raise RunError(f"{path} cannot be written: {error.strerror or error}") from error


def on_end_signals(handler: Callable[[int, FrameType | None], None]) -> None:
    """Handle SIGTERM and SIGHUP, where they are not ignored, as by ``nohup``."""
    if threading.current_thread() is not threading.main_thread():
        return
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)  # Windows has no SIGHUP
        if number is not None and signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, handler)


def end_now(number: int, text: str) -> NoReturn:
    """End the process at once because of a signal, with the programs that it started. The exit
    code is 130 for SIGINT; another signal ends the process as it does by default.
    """
    from revkit.cleanup import CLEANUP

    for each in {signal.SIGINT, signal.SIGTERM, number}:
        signal.signal(each, signal.SIG_IGN)
    with contextlib.suppress(OSError, RuntimeError):  # the terminal may be gone, or being written
        click.echo(text, err=True)
    CLEANUP.run()
    if number != signal.SIGINT:
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
    os._exit(130)


def report_assertions(
    results: Sequence[AssertionResult],
    name: str,
    junit: Path | None,
    summary: Path | None,
    *,
    quiet: bool = False,
) -> bool:
    """Print what came of assertions, write the files, and return whether all hold.

    All lines go to standard output. With ``quiet``, which leaves it to JSON, only those that do not
    hold are printed, to standard error.
    """
    from revkit.runs.assertion_results import junit_of, summary_table
    from revkit.runs.table_text import markdown_of

    if junit is not None:
        write_text(junit, junit_of(results, name))
    if summary is not None:
        write_text(summary, markdown_of(summary_table(results)), append=True)
    for each in results:
        if not (quiet and each.holds):
            click.secho(each.line, fg="green" if each.holds else "red", err=quiet)
    return all(each.holds for each in results)
