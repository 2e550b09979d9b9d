"""``revkit init``."""

from __future__ import annotations

from pathlib import Path

import click

REVIEWERS = {
    "command": "a program: a command line in which {paper_md} is the file of the paper",
    "http": "a service: its address, such as http://127.0.0.1:8000/review",
    "python": "a Python function: MODULE:FUNCTION, called with the text of the paper",
    "llm": "a language model: its name, such as openai/gpt-4.1",
    "example": "no reviewer yet: two simulated ones, so that everything runs at once",
}


@click.command("init")
@click.argument("out", type=click.Path(path_type=Path), default="experiment.yaml")
@click.option("--papers", help="Folder of papers (Markdown, PDF), or 'synthetic'.")
@click.option("--reviewer", type=click.Choice(list(REVIEWERS)), help="What your reviewer is.")
@click.option("--where", help="The command line, address, function or model of the reviewer.")
def command(out: Path, papers: str | None, reviewer: str | None, where: str | None) -> None:
    """Write a commented experiment for your papers and your reviewer: three questions.

    An option answers its question, so a script that gives all options is asked nothing. OUT is
    experiment.yaml by default; an existing file is not changed.
    """
    from revkit.runs.starter import starter_spec

    if papers is None:
        papers = click.prompt("1. Which papers? A folder, or 'synthetic'", default="synthetic")
    if reviewer is None:
        for name, words in REVIEWERS.items():
            click.echo(f"   {name:<8} {words}")
        kinds = click.Choice(list(REVIEWERS))
        reviewer = click.prompt("2. What is your reviewer?", type=kinds, default="example")
    assert papers is not None
    assert reviewer is not None
    if where is None and reviewer != "example":
        where = click.prompt(f"3. Give {REVIEWERS[reviewer].partition(': ')[2]}")
    text = starter_spec(papers, reviewer, where or "", out.stem)
    try:
        with out.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise click.UsageError(f"{out} exists; choose another file") from None
    click.echo(
        f"{out} written. Next:\n"
        f"  revkit validate {out} --ready   check papers, keys and files; spends nothing\n"
        f"  revkit plan {out}               what a run would do and cost\n"
        f"  revkit run {out}"
    )
