"""``revkit agent check``."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

import click

from revkit.cli.common import experiment_options
from revkit.cli.completion import complete_agent

_LONGEST = 4000
_WIDEST = 70


@click.group("agent")
def command() -> None:
    """Try one agent of an experiment on one paper and show all details."""


@command.command("check")
@experiment_options
@click.argument("name", shell_complete=complete_agent)
@click.option(
    "--paper",
    type=click.Path(path_type=Path),
    help="A Markdown, text, LaTeX, Word or PDF file. Default: the first paper of the corpus.",
)
@click.option(
    "--recorded",
    type=click.Path(path_type=Path),
    help="A folder of recorded runs of the agent's tool, which are read instead of calling it.",
)
@click.option(
    "--json", "as_json", is_flag=True, help="Print everything as JSON, without cutting texts."
)
def check(
    spec: Any,
    name: str,
    paper: Path | None,
    recorded: Path | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Let the agent NAME of SPEC review one paper. Show its input, its output, how the output was
    read and could also be read, and the outcome.

    With --recorded no tool is started: each recorded run is read, and a table shows which rule
    caught which run, and which rules never held. Exits with 1 if a run whose folder begins with
    "ok", "fail" or "partial" comes out as something else.

    Nothing is stored. An agent that lacks something, such as a program or a key, is not called.
    Exits with 0 if there is a review, else with 1.
    """
    from revkit import api

    if recorded is not None:
        played = api.check_agent(spec, name, recorded=recorded, **options)
        _show_played(played, as_json)
    trial = api.check_agent(spec, name, paper=paper, **options)
    if as_json:
        click.echo(json.dumps(trial, indent=2, ensure_ascii=False))
    else:
        for key, value in trial.items():
            click.secho(key, bold=True)
            click.echo(_as_text(value))
    outcome = trial["outcome"]
    failed = isinstance(outcome, Mapping) and "kind" in outcome
    raise click.exceptions.Exit(1 if failed else 0)


def _show_played(played: Mapping[str, Any], as_json: bool) -> NoReturn:
    """Print the outcomes of recorded runs, and exit."""
    cases, rules = played["cases"], played["rules"]
    if as_json:
        click.echo(json.dumps(played, indent=2, ensure_ascii=False))
    else:
        shown = ("case", "exit", "outcome", "score", "accept", "caught by", "detail")
        click.echo(_columns(cases, shown))
        click.echo("\n" + _columns(rules, ("rule", "caught", "held", "text")))
        silent = [row["rule"] for row in rules if not row["held"]]
        if silent:
            click.echo(f"\nNo recorded run tries: {', '.join(silent)}.")
        for row in cases:
            if row["as expected"] is False:
                text = f"{row['case']}: expected {row['expected']}, got {row['outcome']}"
                click.secho(text, fg="red", err=True)
    wrong = any(row["as expected"] is False for row in cases)
    raise click.exceptions.Exit(1 if wrong else 0)


def _columns(rows: Sequence[Mapping[str, Any]], names: Sequence[str]) -> str:
    """Return rows as aligned text below the names of their columns; long cells are cut."""
    table = [list(names), *([_cell(row[name]) for name in names] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    lines = (
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        for line in table
    )
    return "\n".join(line.rstrip() for line in lines)


def _cell(value: Any) -> str:
    if value is None:
        return "-"
    text = json.dumps(value) if isinstance(value, bool | float) else " ".join(str(value).split())
    return text if len(text) <= _WIDEST else text[: _WIDEST - 3] + "..."


def _as_text(value: Any) -> str:
    """Return a value for a reader, indented: strings unchanged, other values as JSON, long ones
    cut.
    """
    if isinstance(value, Mapping):
        return "\n".join(_member(key, item) for key, item in value.items()) or "  -"
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    if len(text) > _LONGEST:
        text = f"{text[:_LONGEST]}\n[{len(text) - _LONGEST} characters more; see --json]"
    return "\n".join(f"  {line}" for line in text.splitlines()) or "  -"


def _member(key: str, value: Any) -> str:
    """Return one key with its value: on the same line, or below it with one more level of
    indentation.
    """
    text = _as_text(value)
    if "\n" not in text and not (isinstance(value, Mapping) and value):
        return f"  {key}: {text.strip()}"
    return "\n".join([f"  {key}:", *(f"  {line}" for line in text.split("\n"))])
