"""``revkit agent check``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from revkit.cli.common import experiment_options

_LONGEST = 4000


@click.group("agent")
def command() -> None:
    """Try one agent of an experiment on one paper and show all details."""


@command.command("check")
@experiment_options
@click.argument("name")
@click.option(
    "--paper",
    type=click.Path(path_type=Path),
    help="A Markdown or text file. Default: the first paper of the experiment's corpus.",
)
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON, uncut.")
def check(spec: Any, name: str, paper: Path | None, as_json: bool, **options: Any) -> None:
    """Let the agent NAME of SPEC review one paper. Show its input, its output, how the output was
    read and could also be read, and the outcome.

    Nothing is stored. An agent that lacks something, such as a program or a key, is not called.
    Exits with 0 if there is a review, else with 1.
    """
    from revkit import api

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


def _as_text(value: Any) -> str:
    """A value for a reader, indented: texts as they are, the rest as JSON, long ones cut."""
    if isinstance(value, Mapping):
        return "\n".join(_member(key, item) for key, item in value.items()) or "  -"
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    if len(text) > _LONGEST:
        text = f"{text[:_LONGEST]}\n[{len(text) - _LONGEST} characters more; see --json]"
    return "\n".join(f"  {line}" for line in text.splitlines()) or "  -"


def _member(key: str, value: Any) -> str:
    """One key with its value: in its line, or below it, one step further in."""
    text = _as_text(value)
    if "\n" not in text and not (isinstance(value, Mapping) and value):
        return f"  {key}: {text.strip()}"
    return "\n".join([f"  {key}:", *(f"  {line}" for line in text.split("\n"))])
