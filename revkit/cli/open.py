"""``revkit open``."""

from __future__ import annotations

import click

from revkit.cli.common import run_argument


@click.command("open")
@run_argument
@click.option("--path", "only_path", is_flag=True, help="Print the path of the page; open nothing.")
def command(run: str, only_path: bool) -> None:
    """Open the report page of a run in a browser.

    RUN as for `revkit show`; the folder of a sweep has a page too.
    """
    from revkit import api
    from revkit.errors import RunError

    page = api.find_run(run) / "report.html"
    if not page.is_file():
        raise RunError(f"{page.parent} has no report.html; add the reporter html to its spec")
    if only_path:
        click.echo(str(page))
        return
    import webbrowser

    if not webbrowser.open(page.resolve().as_uri()):
        raise RunError(f"no browser was found; the page is {page}")
    click.echo(f"opened {page}")
