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
    """Try one agent of an experiment on one paper and show what happened."""


@command.command("check")
@experiment_options
@click.argument("name")
@click.option(
    "--paper",
    type=click.Path(path_type=Path),
    help="A Markdown or text file. Default: the first paper of the experiment's corpus.",
)
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON, whole.")
def check(spec: Any, name: str, paper: Path | None, as_json: bool, **options: Any) -> None:
    """Let the agent NAME of SPEC review one paper, and show what it was given, what it printed,
    what was read from that and what else could have been read, and how it ended.

    Nothing is stored. An agent that lacks something, such as a program or a key, is not called.
    Leaves with 0 where a review came out, with 1 where not.
    """
    from revkit import api

    told = api.check_agent(spec, name, paper=paper, **options)
    if as_json:
        click.echo(json.dumps(told, indent=2, ensure_ascii=False))
    else:
        for key, value in told.items():
            click.secho(key, bold=True)
            click.echo(_shown(value))
    outcome = told["outcome"]
    failed = isinstance(outcome, Mapping) and "kind" in outcome
    raise click.exceptions.Exit(1 if failed else 0)


def _shown(value: Any) -> str:
    """A value for a reader, indented: texts as they are, the rest as JSON, long ones cut."""
    if isinstance(value, Mapping):
        return "\n".join(_member(key, item) for key, item in value.items()) or "  -"
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    if len(text) > _LONGEST:
        text = f"{text[:_LONGEST]}\n[{len(text) - _LONGEST} characters more; see --json]"
    return "\n".join(f"  {line}" for line in text.splitlines()) or "  -"


def _member(key: str, value: Any) -> str:
    """One key with its value: in its line, or below it, one step further in."""
    shown = _shown(value)
    if "\n" not in shown and not (isinstance(value, Mapping) and value):
        return f"  {key}: {shown.strip()}"
    return "\n".join([f"  {key}:", *(f"  {line}" for line in shown.split("\n"))])
