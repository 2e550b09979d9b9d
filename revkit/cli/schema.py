"""``revkit schema``."""

from __future__ import annotations

import json
from pathlib import Path

import click

from revkit.cli.common import plugin_option


@click.command("schema")
@plugin_option
def command(plugins: tuple[Path, ...]) -> None:
    """Print the JSON Schema of experiments with all installed components.

    Save it and name it in the first line of a spec, so that editors complete and check it:

    \b
    revkit schema > experiment.schema.json
    # yaml-language-server: $schema=experiment.schema.json
    """
    from revkit import api

    click.echo(json.dumps(api.schema(plugins), indent=2, ensure_ascii=False))
