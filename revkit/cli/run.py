"""``revkit run``."""

from __future__ import annotations

import signal
import sys
import threading
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any, NoReturn

import click

from revkit.cli.common import (
    end_now,
    experiment_options,
    gate_options,
    on_end_signals,
    out_option,
    overwrite_option,
    print_json,
    quiet_option,
    report_assertions,
    run_json_option,
)
from revkit.places import STORE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from revkit.execution import Run, SweepRun
    from revkit.execution.shards import ShardRun
    from revkit.execution.warning import RunWarning
    from revkit.runs.assertion_results import AssertionResult


@click.command("run")
@experiment_options
@out_option
@click.option(
    "--store",
    type=click.Path(path_type=Path),
    help=f"The store of answers, shared by runs. Default: {STORE}",
)
@overwrite_option
@click.option(
    "--shard",
    metavar="NUMBER/COUNT",
    help="Run one part of the items, as 3/16, into OUT/3-of-16; `revkit merge` joins the parts.",
)
@quiet_option
@click.option("--log", help="Append one JSON line per event to this file; - is standard error.")
@click.option(
    "--trace", is_flag=True, help="Send traces and metrics to OpenTelemetry (extra 'otel')."
)
@gate_options
@run_json_option
def command(
    spec: Any,
    out: Path | None,
    store: Path | None,
    overwrite: bool,
    shard: str | None,
    quiet: bool,
    log: str | None,
    trace: bool,
    junit: Path | None,
    summary: Path | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Run an experiment and write its folder of records, tables and reports.

    Answers are stored at once, so nothing is computed twice: after a stop, the same command
    resumes. With a sweep, every point runs into its own folder. If the spec has assertions and one
    does not hold, the exit code is 5.
    """
    quiet = quiet or as_json
    from revkit import api
    from revkit.observing import observed
    from revkit.spec import Sweep

    stop = threading.Event()
    stop_on_interrupt(stop)
    where: Any = {"out": out, "store": store, "overwrite": overwrite, "quiet": quiet, "stop": stop}
    if shard is not None:
        with observed(log, trace=trace):
            part = api.run_shard(spec, shard, **where, **options)
        _report_shard(part, quiet=quiet, as_json=as_json)
    found = api.load(spec, **options)
    run: Run | SweepRun
    with observed(log, trace=trace):
        if isinstance(found, Sweep):
            run = api.sweep(found, on_point=None if quiet else _print, **where)
        else:
            run = api.run(found, **where)
    gate = {"junit": junit, "summary": summary}
    report_run(run, found.name, found.digest, gate, quiet=quiet, as_json=as_json)


_AFTER_FAILURES = (
    "some items failed, for the reasons in the report. If most have the same reason, remove it "
    "first (`revkit agent check SPEC AGENT` shows one review in full). Then run the command again: "
    "it retries these items only"
)
_AFTER_FAULTS = (
    "correct what the errors above state, and run the command again (stored answers are used again)"
)


def report_run(
    run: Run | SweepRun,
    name: str,
    digest: str,
    gate: Mapping[str, Path | None],
    *,
    quiet: bool,
    as_json: bool,
) -> NoReturn:
    """Print what came of a run, check its assertions, and exit with its code."""
    from revkit import api
    from revkit.execution import SweepRun

    if not quiet:
        if run.summary:
            click.echo(run.summary)
        click.echo(run.closing)
    _warn(run.changed_files, run.warnings)
    for fault in run.faults:
        click.secho(f"error: {fault}", fg="red", err=True)
    if run.exit_code == 4:
        place = "the folder of each point" if isinstance(run, SweepRun) else "the run folder"
        click.secho(
            f"error: no valid review was returned; the report and records/outcomes.csv in {place} "
            "state the reasons, and `revkit agent check SPEC AGENT` shows one review in full",
            fg="red",
            err=True,
        )
    elif run.out_of_budget:
        text = (
            "the budget of the experiment is spent; all answers are stored. Raise it in the "
            "section budget, and run the command again"
        )
        click.secho(text, fg="red", err=True)
    elif run.exit_code == 1:
        click.secho(_AFTER_FAULTS if run.faults else _AFTER_FAILURES, fg="red", err=True)
    results = api.check_run(run)
    held = report_assertions(results, name, gate["junit"], gate["summary"], quiet=quiet)
    code = _exit_code(run, results, held)
    if as_json:
        print_json(
            {
                "name": name,
                "digest": digest,
                "folder": str(run.folder),
                "exit_code": code,
                "closing": run.closing,
                "tables": list(run.tables),
                "faults": [str(each) for each in run.faults],
                "warnings": [each.detail for each in run.warnings],
                "assertions": [each.to_json() for each in results],
            }
        )
    raise click.exceptions.Exit(code)


def _warn(changed_files: Sequence[str], warnings: Sequence[RunWarning]) -> None:
    for path in changed_files:
        text = (
            f"warning: {path} changed while a reviewer was working. If the reviewer writes this "
            "file, declare it under 'outputs'. If it was edited, some reviews of this run come "
            "from the old content and some from the new one: run the command again"
        )
        click.secho(text, fg="yellow", err=True)
    for warning in warnings:
        click.secho(f"warning: {warning.detail}", fg="yellow", err=True)


def _report_shard(part: ShardRun, *, quiet: bool, as_json: bool) -> NoReturn:
    """Print what came of a shard, and exit with its code."""
    if not quiet:
        click.echo(part.closing)
    _warn(part.changed_files, part.warnings)
    if part.out_of_budget:
        text = (
            "the part of the budget for this shard is spent; all answers are stored. Raise it in "
            "the section budget, and run the command again"
        )
        click.secho(text, fg="red", err=True)
    elif part.failed:
        click.secho(_AFTER_FAILURES, fg="red", err=True)
    if as_json:
        print_json(
            {
                "shard": str(part.shard),
                "folder": str(part.folder),
                "exit_code": part.exit_code,
                "closing": part.closing,
                "failed": part.failed,
                "warnings": [each.detail for each in part.warnings],
            }
        )
    raise click.exceptions.Exit(part.exit_code)


def _exit_code(run: Run | SweepRun, results: Sequence[AssertionResult], held: bool) -> int:
    """That of the run; 5 if an assertion does not hold. Failed items alone do not count where
    an assertion states how many may fail."""
    if run.exit_code == 4:
        return 4
    if not held:
        return 5
    stated = any(each.text.lstrip().startswith("failures") for each in results)
    only_failed = not run.faults and not run.out_of_budget and run.only_failed_items
    return 0 if run.exit_code == 1 and stated and only_failed else run.exit_code


def _print(text: str) -> None:
    click.echo(text, err=True)


def stop_on_interrupt(stop: threading.Event) -> None:
    """Stop the run cleanly on Ctrl-C, and at once on a second one, SIGTERM and SIGHUP."""

    def first(_number: int, _frame: FrameType | None) -> None:
        stop.set()
        signal.signal(signal.SIGINT, second)
        # Through sys.stderr: click writes past the progress bars, which overwrite the message.
        sys.stderr.write(
            "stopping after the items in progress ... (press Ctrl-C again to stop at once)\n"
        )

    def second(number: int, _frame: FrameType | None) -> None:
        # A thread that waits for a model cannot be stopped; stored answers are safe.
        end_now(number, "stopped; the same command resumes from the store")

    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, first)
        on_end_signals(second)
