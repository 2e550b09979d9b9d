"""The entry point of the command line. It imports only click, so that ``revkit --help`` starts
fast.
"""

from __future__ import annotations

import contextlib
import errno
import gc
import os
import sys
import warnings
from importlib import import_module
from typing import NoReturn, TextIO

import click

from revkit import __version__
from revkit.cli.common import end_now, on_end_signals

# Help lines are also here, because listing commands must not import them.
COMMANDS = {
    "run": "Run an experiment and write its folder of records, tables and reports.",
    "merge": "Merge the shards of an experiment into the run that they form.",
    "runs": "List the runs in FOLDER (default: runs), the latest first.",
    "show": "Show a finished run: its report for a terminal, warnings, versions and files.",
    "open": "Open the report page of a run in a browser.",
    "compare": "Compare runs with the first of them, over the papers that both have.",
    "view": "Serve runs on this machine: sort, filter and search, read both reviews of a pair.",
    "explore": "Write runs to a SQLite file or Parquet files: papers, reviews, pairs, figures.",
    "track": "Send the figures of a finished run to MLflow or Weights & Biases.",
    "check": "Check assertions about a finished run: those of its spec, or those given.",
    "follow": "Print how far a running run is, until it has ended.",
    "export": "Write a finished run to one file that others can replay.",
    "replay": "Replay an exported run and compare it with the original.",
    "validate": "Check an experiment and report every problem with its location.",
    "doctor": "Check the installation: versions, plugins, keys (names only), the store, the disk.",
    "plan": "Show what a run would do: nodes, papers, variants, reviews, cost. Runs nothing.",
    "selfcheck": (
        "Simulate the design of an experiment: coverage, type I error, power. Calls no agent."
    ),
    "graph": "Print the run graph of an experiment, as text or Mermaid.",
    "agent": "Try one agent of an experiment on one paper and show all details.",
    "papers": "Show how well papers are read: structure score, outline, what was not recognised.",
    "store": "Check, clean, copy, measure and merge stores of answers.",
    "samples": "List real papers with their licence and its evidence, or add your own.",
    "forget": "Remove one paper's text and reviews from run folders and stores.",
    "scan": "Find text in submissions that a program reads and a reader does not see.",
    "calibrate": "Fit, apply and check maps that bring agents' scores onto one scale.",
    "bank": "Plan, rotate, mark, probe and check the bank of anchors of an experiment.",
    "sheet": "Draw samples of edits for a blind reader, and compute rates of the labels.",
    "examples": "List the experiments that come with revkit, or write one to a file to change it.",
    "init": "Write a commented experiment for your papers and your reviewer: three questions.",
    "new": "Write a new plugin package with one component of a kind, and its test.",
    "schema": "Print the JSON Schema of experiments with all installed components.",
    "plugins": "List installed components, their plugins, and what failed to load.",
}

EXIT_CODES = """\b
Exit codes:
  0    success
  1    items failed, a run could not continue, or a replay differs
  2    the experiment or the command line is invalid
  3    a plugin is missing or broken
  4    no valid review was returned
  5    an assertion does not hold
  6    calls are at a provider, in batches; the same command fetches the results
  130  stopped with Ctrl-C; the same command resumes"""


class _Commands(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command = getattr(import_module(f"revkit.cli.{cmd_name}"), "command")  # noqa: B009
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0] if args else ""
        if name and name not in COMMANDS and not name.startswith("-"):
            from revkit.options import unknown_name

            ctx.fail(unknown_name("command", name, COMMANDS))
        return super().resolve_command(ctx, args)


@click.group(
    cls=_Commands,
    epilog=EXIT_CODES,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="revkit")
def cli() -> None:
    """Find out whether a reviewer of scientific papers can be trusted.

    Start with: revkit run robust
    """


def main() -> NoReturn:
    """Run the command line and exit with its code."""
    # Most objects that a command makes are in use until its end, so each search for garbage costs
    # time and finds little. The memory of runs over 1,500 papers is the same with 20,000.
    gc.set_threshold(100_000, 20, 50)
    warnings.showwarning = _show_warning
    on_end_signals(lambda number, _frame: end_now(number, "stopped"))
    try:
        code = cli.main(standalone_mode=False)
    except click.exceptions.Exit as stop:
        code = stop.exit_code
    except click.Abort:
        code = 130
    except click.ClickException as error:
        error.show()
        code = error.exit_code
    except OSError as error:
        if error.filename is None and error.errno == errno.ENOSPC:
            code = _report_full_output()
        else:
            code = _report(error)
    except Exception as error:
        code = _report(error)
    # Python searches for garbage once more before it ends; the system takes the memory anyway.
    gc.freeze()
    sys.exit(code if isinstance(code, int) else 0)


def _report_full_output() -> int:
    """Report that standard output has no space left, and drop the buffered output: Python would try
    to write it again at exit. A run writes its folder before it prints.
    """
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    click.echo("error: standard output cannot be written: no space left on device", err=True)
    return 1


_SHORTAGES = {
    errno.ENOSPC: "the device has no space left",
    errno.EDQUOT: "the quota of the disk is used up",
    errno.ENOMEM: "the system gives this process no more memory",
    errno.EMFILE: "this process may open no more files; see `ulimit -n`, or lower max-connections",
    errno.ENFILE: "the system may open no more files",
}
_AGAIN = "All stored answers are safe: raise the limit and run the same command again"


def _shortage_of(error: BaseException) -> str:
    """Return a message where the system refused memory, threads, files or space; else ""."""
    from revkit.errors import message_of

    seen: BaseException | None = error
    while seen is not None:
        text = message_of(seen)
        if isinstance(seen, OSError) and seen.errno in _SHORTAGES:
            where = f" ({seen.filename})" if seen.filename else ""
            return f"{_SHORTAGES[seen.errno]}{where}. {_AGAIN}"
        if isinstance(seen, MemoryError) or (
            isinstance(seen, ImportError) and "failed to map segment" in text
        ):
            return f"{_SHORTAGES[errno.ENOMEM]}. {_AGAIN}"
        if isinstance(seen, RuntimeError) and "can't start new thread" in text:
            return f"the system starts no more threads for this process. {_AGAIN}"
        seen = seen.__cause__ or seen.__context__
    return ""


def _show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """Print warnings of revkit as messages for users, others as Python does."""
    from revkit.errors import RenamedOption

    if issubclass(category, RenamedOption):
        click.echo(f"{click.style('warning:', fg='yellow', bold=True)} {message}", err=True)
    else:
        text = warnings.formatwarning(message, category, filename, lineno, line)
        print(text, end="", file=sys.stderr if file is None else file)


def _report(error: Exception) -> int:
    """Print an error that revkit raises for users and return its exit code; raise any other."""
    from revkit.errors import (
        BatchesPending,
        Interrupted,
        OptionError,
        PluginError,
        RevkitError,
        SpecError,
    )

    if not isinstance(error, RevkitError):
        if shortage := _shortage_of(error):
            click.echo(f"error: {shortage}", err=True)
            return 1
        raise error
    if isinstance(error, BatchesPending):
        click.echo(str(error), err=True)
        return 6
    click.echo(f"{click.style('error:', fg='red', bold=True)} {error}", err=True)
    if isinstance(error, SpecError):
        count = len(error.problems)
        click.echo(f"{count} problem{'s' if count > 1 else ''}", err=True)
    if isinstance(error, SpecError | OptionError):
        return 2
    if isinstance(error, PluginError):
        return 3
    return 130 if isinstance(error, Interrupted) else 1


if __name__ == "__main__":
    main()
