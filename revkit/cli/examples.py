"""``revkit examples``."""

from __future__ import annotations

import json
from pathlib import Path

import click


@click.command("examples")
@click.option("--json", "as_json", is_flag=True, help="Print the list as JSON.")
@click.option(
    "--out", "-o", type=click.Path(path_type=Path), help="File to write. Default: NAME.yaml"
)
@click.argument("name", required=False)
def command(name: str | None, out: Path | None, as_json: bool) -> None:
    """List the experiments that come with revkit, or write one to a file to change it.

    Each runs by its name in any folder: revkit run robust. A file of the same name comes first.
    """
    from revkit.options import unknown_name
    from revkit.spec.spec_catalogue import shipped_specs

    specs = shipped_specs()
    if name is None:
        if out is not None:
            raise click.UsageError("--out needs the name of an experiment")
        _list({each.name: each.question for each in specs.values()}, as_json)
        return
    if name not in specs:
        raise click.UsageError(unknown_name("experiment", name, specs))
    target = out or Path(f"{name}.yaml")
    try:
        with target.open("x", encoding="utf-8") as file:
            file.write(specs[name].path.read_text(encoding="utf-8"))
    except FileExistsError:
        raise click.UsageError(f"{target} exists; choose another file with --out") from None
    click.echo(f"{target} written. Run it with: revkit run {target}")


def _list(questions: dict[str, str], as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps(questions, indent=1, ensure_ascii=False))
        return
    width = max(map(len, questions), default=0)
    for name, question in questions.items():
        click.echo(f"{name:<{width}}  {question}")
