"""``revkit calibrate``: fit, apply, check and list maps onto the common severity scale."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Any

import click

from revkit.cli.common import plugin_option

FORMATS = click.Choice(["auto", "csv", "tsv", "jsonl"])
MAP = click.Path(path_type=Path)


@click.group("calibrate")
def command() -> None:
    """Bring the scores of reviewer agents onto one scale, and know when that no longer holds."""


@command.command("fit")
@plugin_option
@click.option("--run", type=click.Path(path_type=Path), help="Folder of a run with a calibration.")
@click.option("--map", "name", help="With --run: which of its ways of fitting.")
@click.option("--agent", required=True, help="Name of the agent.")
@click.option(
    "--scores", type=click.Path(path_type=Path), help="File of the agent's scores of anchors."
)
@click.option("--anchors", type=click.Path(path_type=Path), help="File of the anchors' consensus.")
@click.option("--scale", help="With --scores: lowest and highest score, as 1:10.")
@click.option(
    "--lower-is-better", is_flag=True, help="With --scores: the scale is one of severity."
)
@click.option("--calibrator", default="monotone-spline", show_default=True, help="With --scores.")
@click.option("--fingerprint", default="", help="With --scores: the agent's, to tell it later.")
@click.option(
    "--days",
    type=click.IntRange(0),
    default=30,
    show_default=True,
    help="How long it holds; 0: for ever.",
)
@click.option("--out", "-o", type=MAP, required=True, help="The map's file.")
def fit(out: Path, run: Path | None, days: int, **options: Any) -> None:
    """Write the map of one agent, from a run (--run, --map) or from two files of scores.

    \b
    scores    columns id, score (several rows of one id are repeats)
    anchors   columns id, consensus (0 no flaw, 100 reject), and se where known
    """
    from revkit import api

    limit = days or None
    if run is not None:
        if not options["name"]:
            raise click.UsageError("--run needs --map, the name of a way of fitting in its spec")
        found = api.map_of_run(
            run, options["agent"], options["name"], days=limit, plugins=options["plugins"]
        )
    else:
        for needed in ("scores", "anchors", "scale"):
            if not options[needed]:
                raise click.UsageError(
                    f"name --run, or --scores, --anchors and --scale ({needed} is missing)"
                )
        found = api.fit_map(
            options["agent"],
            options["scores"],
            options["anchors"],
            scale=_scale(options["scale"]),
            lower_is_better=options["lower_is_better"],
            calibrator=options["calibrator"],
            fingerprint=options["fingerprint"],
            days=limit,
            plugins=options["plugins"],
        )
    from revkit.calibration import save_map

    save_map(found, out)
    flags = ", ".join(found.curve.flags)
    until = f"until {found.expires}" if found.expires else "for ever"
    click.echo(
        f"{found.agent}: {found.calibrator} on {found.anchors} anchors"
        f"{f' (flags: {flags})' if flags else ''}, to be used {until}. Written to {out}"
    )


def _scale(text: str) -> tuple[float, float]:
    from revkit.calibration import number_in

    low, mark, high = text.partition(":")
    if not mark:
        raise click.UsageError(f"--scale {text}: write it as LOWEST:HIGHEST")
    return number_in(low), number_in(high)


@command.command("apply")
@plugin_option
@click.argument("map", type=MAP)
@click.argument("scores", default="-")
@click.option("--column", default="score", show_default=True, help="Column of the raw score.")
@click.option("--out", "-o", default="-", help="File to write. Default: standard output.")
@click.option(
    "--format",
    "kind",
    type=FORMATS,
    default="auto",
    help="Default: by the file's ending; csv for standard input.",
)
@click.option(
    "--spec",
    type=click.Path(path_type=Path),
    help="Experiment that holds the agent: a map of another one is refused.",
)
@click.option("--fingerprint", help="The agent's fingerprint, in the place of --spec.")
@click.option(
    "--allow",
    multiple=True,
    type=click.Choice(["expired", "foreign"]),
    help="Use a map although it is past its end or another agent's.",
)
def apply(
    map: Path, scores: str, column: str, out: str, kind: str, allow: Sequence[str], **options: Any
) -> None:
    """Put the score on the common scale beside each row of SCORES (a file, or - for stdin).

    Adds the columns common, extrapolated and calibration_problem. Leaves with 1 where a row has no
    score on the common scale, and refuses a map that is expired or another agent's.
    """
    from revkit import api
    from revkit.calibration import apply_to_stream, format_of

    found = api.load_map(map, plugins=options["plugins"])
    api.check_use(
        found,
        fingerprint=_fingerprint(found.agent, **options),
        allow=allow,
    )
    form = ("csv" if scores == "-" else format_of(scores)) if kind == "auto" else kind
    with ExitStack() as stack:
        source = stack.enter_context(_opened(scores, "r"))
        target = stack.enter_context(_opened(out, "w"))
        done = apply_to_stream(found, source, target, form, column)  # type: ignore[arg-type]
    click.echo(
        f"{done.rows:,} rows: {done.mapped:,} mapped, {done.extrapolated:,} of them outside the "
        f"anchors' range, {done.failed:,} without a score on the common scale",
        err=True,
    )
    raise click.exceptions.Exit(1 if done.failed else 0)


def _fingerprint(
    agent: str, *, spec: Path | None, fingerprint: str | None, plugins: Any, **_: Any
) -> str | None:
    if spec is None:
        return fingerprint
    from revkit import api

    return api.fingerprint(spec, agent, plugins=plugins)


@contextmanager
def _opened(name: str, mode: str) -> Iterator[IO[str]]:
    if name == "-":
        yield sys.stdin if mode == "r" else sys.stdout
        return
    try:
        with Path(name).open(mode, encoding="utf-8", newline="") as file:
            yield file
    except OSError as error:
        from revkit.errors import RunError

        raise RunError(f"{name} cannot be used: {error.strerror}") from None
    except UnicodeDecodeError as error:
        from revkit.errors import RunError

        raise RunError(f"{name} is not UTF-8: byte {error.start}") from None


@command.command("check")
@plugin_option
@click.argument("map", type=MAP)
@click.argument("scores", type=click.Path(path_type=Path))
@click.option(
    "--level",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.01,
    show_default=True,
    help="Chance of a false alarm.",
)
def check(map: Path, scores: Path, level: float, plugins: Any) -> None:
    """Tell from new SCORES of its anchors (columns id, score) whether MAP still holds.

    A few anchors will do: each is paired with its own score at the fit. Leaves with 1 where the map
    no longer holds.
    """
    from revkit import api

    told = api.check_map(map, scores, level=level, plugins=plugins)
    click.echo(told.text(), nl=False)
    raise click.exceptions.Exit(0 if told.holds else 1)


@command.command("status")
@plugin_option
@click.argument("maps", type=MAP, nargs=-1, required=True)
@click.option(
    "--spec",
    type=click.Path(path_type=Path),
    help="Experiment that holds the agents: tells which maps are of other ones.",
)
def status(maps: Sequence[Path], spec: Path | None, plugins: Any) -> None:
    """List MAPS: agent, calibrator, anchors, dates, flags, and whether each may be used today."""
    from revkit import api

    rows = [api.map_status(path, spec=spec, plugins=plugins) for path in maps]
    for row in rows:
        click.echo(f"{row['file']}: {row['told']}")
    raise click.exceptions.Exit(0 if all(row["usable"] for row in rows) else 1)
