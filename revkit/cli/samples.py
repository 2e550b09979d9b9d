"""``revkit samples``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Sequence

PATH = click.Path(path_type=Path, file_okay=False)
INDEX = "samples.jsonl"
_FIELDS = ("id", "file", "title", "authors", "licence", "source", "evidence", "changes")


@click.group("samples", invoke_without_command=True)
@click.option("--path", type=PATH, help="A folder with samples.jsonl. Default: the included one.")
@click.option("--json", "as_json", is_flag=True, help="Print the list as JSON.")
@click.pass_context
def command(ctx: click.Context, path: Path | None, as_json: bool) -> None:
    """List real papers with their licence and its evidence, or add your own."""
    if ctx.invoked_subcommand is not None:
        return
    lines = _lines(path)
    if as_json:
        click.echo(json.dumps(lines, indent=1, ensure_ascii=False))
        return
    for line in lines:
        authors = line.get("authors")
        names = ", ".join(map(str, authors)) if isinstance(authors, list) else ""
        click.echo(f"{line.get('id')}  {line.get('title')}")
        click.echo(f"    {names}")
        click.echo(f"    {line.get('licence')}. {line.get('evidence')}")
        click.echo(f"    source: {line.get('source')}")


@command.command("add")
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--to", "folder", type=PATH, required=True, help="Folder of your papers.")
@click.option("--title", required=True, help="Title of the paper.")
@click.option("--author", "authors", multiple=True, required=True, help="An author. Repeatable.")
@click.option("--licence", required=True, help="The licence of the paper, for example CC BY 4.0.")
@click.option("--source", required=True, help="Where the paper was published.")
@click.option("--evidence", required=True, help="What proves the licence.")
@click.option("--changes", default="none", show_default=True, help="What was changed in the text.")
@click.option("--id", "name", help="Id of the paper. Default: the name of the file.")
def add(file: Path, folder: Path, name: str | None, **fields: Any) -> None:
    """Copy FILE (Markdown or text) to a folder of papers, with a line about its licence."""
    paper = name or file.stem
    _add(file, folder, paper, {key: _plain(key, value) for key, value in fields.items()})
    click.echo(
        f"{paper} added to {folder}. "
        f"Use it with: --set corpus.use=samples --set corpus.with.path={folder}"
    )


def _plain(key: str, value: Any) -> Any:
    """A field without control characters. Raises `click.UsageError` for an empty one."""
    if isinstance(value, tuple):
        return [_plain(key, each) for each in value]
    text = " ".join(str(value).split())
    if not text or not text.isprintable():
        raise click.UsageError(f"--{key}: give a text without control characters")
    return text


def _add(file: Path, folder: Path, paper: str, fields: dict[str, Any]) -> None:
    if not paper.replace("-", "").replace("_", "").replace(".", "").isalnum() or len(paper) > 80:
        raise click.UsageError(
            f"the id {paper!r} is not valid: use up to 80 letters, digits, '-', '_' and '.', "
            "with --id"
        )
    if file.suffix not in (".md", ".txt"):
        raise click.UsageError(f"{file} is not a Markdown or text file (.md, .txt)")
    try:
        text = file.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise click.UsageError(f"{file} is not UTF-8; convert it first") from None
    index = folder / INDEX
    known = _lines(folder) if index.exists() else []
    target = folder / "papers" / f"{paper}{file.suffix}"
    if any(line.get("id") == paper for line in known) or target.exists():
        raise click.UsageError(f"{folder} already has a paper {paper}; choose another --id")
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text, encoding="utf-8")
    line = {"id": paper, "file": f"papers/{target.name}", **fields}
    old = index.read_text(encoding="utf-8") if index.exists() else ""
    new = json.dumps({field: line[field] for field in _FIELDS}, ensure_ascii=False)
    index.write_text(f"{old.rstrip()}\n{new}\n".lstrip(), encoding="utf-8")


def _lines(path: Path | None) -> Sequence[dict[str, Any]]:
    """The lines of the index of a folder. Raises `click.UsageError` where it cannot be read."""
    index = (_included() if path is None else path) / INDEX
    if not index.is_file():
        raise click.UsageError(f"{index.parent} contains no file {INDEX}; correct --path")
    from revkit.files import objects_in_lines

    found, problems = objects_in_lines(index.read_text(encoding="utf-8"))
    if problems:
        raise click.UsageError(f"{index}, {problems}")
    return found


def _included() -> Path:
    """The folder of the papers that are included, as the corpus ``samples`` names it."""
    from revkit.registry import load_registry

    corpus = load_registry().get("corpus", "samples").component()
    root = getattr(corpus, "root", None)
    if not isinstance(root, Path):
        raise click.UsageError("the corpus samples is not installed; use --path")
    return root
