"""``revkit calibrate``: fit, apply, check and list maps to the common severity scale."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click

from revkit.cli.common import json_option, plugin_option, print_json

if TYPE_CHECKING:
    from revkit.calibration import Applied, CalibrationMap

FORMATS = click.Choice(["auto", "csv", "tsv", "jsonl"])
PATH = click.Path(path_type=Path)
_LEAST_REACH = 10.0  # points of severity between the anchors, as for the flag "flat" of the spline


@click.group("calibrate")
def command() -> None:
    """Fit, apply and check maps that bring agents' scores onto one scale."""


@command.command("fit")
@plugin_option
@click.option("--run", type=PATH, help="Folder of a run with a calibration.")
@click.option("--map", "name", help="With --run: the name of the map.")
@click.option("--agent", required=True, help="Name of the agent.")
@click.option("--scores", type=PATH, help="File of the agent's scores of anchors.")
@click.option("--anchors", type=PATH, help="File of the anchors' consensus.")
@click.option(
    "--spec", type=PATH, help="With --scores: experiment with the agent, for scale and fingerprint."
)
@click.option("--scale", help="With --scores, without --spec: lowest and highest score, as 1:10.")
@click.option("--lower-is-better", is_flag=True, help="With --scale: low scores are good.")
@click.option("--calibrator", default="monotone-spline", show_default=True, help="With --scores.")
@click.option(
    "--fingerprint", default="", help="With --scale: the agent's fingerprint, to identify it later."
)
@click.option(
    "--days",
    type=click.IntRange(0, 36_500),
    default=7,
    show_default=True,
    help="Days until the map expires, from the day of the scores; 0: never.",
)
@click.option("--out", "-o", type=PATH, required=True, help="File to write the map to.")
def fit(out: Path, run: Path | None, days: int, **options: Any) -> None:
    """Write the map of one agent, from a run (--run, --map) or from two files of scores.

    \b
    scores    columns id, score (of several rows with one id, one is drawn by the id)
    anchors   columns id, consensus (0 no flaw, 100 reject) and, if known, se
    """
    from revkit import api
    from revkit.calibration import save_map

    limit = days or None
    if run is not None:
        found = api.map_of_run(
            run,
            options["agent"],
            _require(options, "name", "--run needs --map, the name of one of the maps in its spec"),
            days=limit,
            plugins=options["plugins"],
        )
    else:
        for option in ("scores", "anchors"):
            _require(
                options, option, f"give --run, or --scores and --anchors ({option} is missing)"
            )
        if (options["spec"] is None) == (options["scale"] is None):
            raise click.UsageError("--scores needs either --spec or --scale")
        found = _from_files(limit, **options)
    save_map(found, out)
    click.echo(_summary(found, out))


def _from_files(days: int | None, scale: str | None, **options: Any) -> CalibrationMap:
    from revkit import api
    from revkit.errors import AntiCorrelated

    names = ("lower_is_better", "spec", "calibrator", "fingerprint", "plugins")
    try:
        return api.fit_map(
            options["agent"],
            options["scores"],
            options["anchors"],
            scale=None if scale is None else _scale(scale),
            days=days,
            **{name: options[name] for name in names},
        )
    except AntiCorrelated as error:
        if options["spec"] is not None:
            remedy = "Check that the experiment states the right direction of the agent's scale"
        elif options["lower_is_better"]:
            remedy = "If high scores are good, leave out --lower-is-better"
        else:
            remedy = "If low scores are good, add --lower-is-better"
        raise AntiCorrelated(f"{error}. {remedy}") from None


def _require(options: dict[str, Any], name: str, message: str) -> Any:
    if options[name] in (None, ""):
        raise click.UsageError(message)
    return options[name]


def _summary(found: CalibrationMap, out: Path) -> str:
    """Return what was fitted and on which data, what was left out, and the flags of the map."""
    from revkit.calibration import printable

    lines = [
        f"{printable(found.agent)}: {found.calibrator} on {found.anchors} anchors, weights "
        f"{found.about['weights']}"
    ]
    counts = {
        "anchors_without_score": "anchors without a score",
        "scores_without_consensus": "scores of papers that are not anchors",
        "failed_calls": "failed calls",
        "scores_from_store": "scores were cached by the run, perhaps on another day",
    }
    lines += [f"  {found.about[name]} {label}" for name, label in counts.items()
              if found.about.get(name)]  # fmt: skip
    if found.curve.flags:
        lines.append(f"  flags: {printable(', '.join(found.curve.flags))}")
    lines += _reach(found)
    if found.about.get("synthetic_anchors"):
        lines.append(
            "  warning: a program made the anchors and their severities, so the map says nothing "
            "about people's scores; use anchors that people scored (anchor-bank with a path)"
        )
    until = f"expires {found.expires}" if found.expires else "does not expire"
    return "\n".join([*lines, f"fitted {found.fitted}, {until}: {out}"])


def _reach(found: CalibrationMap) -> list[str]:
    """The severities that the scores of the anchors become, and whether they are all alike."""
    raw = sorted(severity for severity, _ in found.scored.values())
    if not raw:
        return []
    mapped = [float(value) for value in found.curve(raw)]
    low, high = min(mapped), max(mapped)
    line = (
        f"  severities of the anchors: {raw[0]:.1f} to {raw[-1]:.1f} by the agent, {low:.1f} to "
        f"{high:.1f} by the map"
    )
    if high - low >= _LEAST_REACH:
        return [line]
    return [
        line,
        f"  warning: the map gives all scores nearly one severity (less than {_LEAST_REACH:g} "
        "points apart), so it does not distinguish papers; do not use it",
    ]


def _scale(text: str) -> tuple[float, float]:
    from revkit.calibration import number_in
    from revkit.errors import BadScores

    low, _, high = text.partition(":")
    try:
        ends = number_in(low), number_in(high)
    except BadScores:
        raise click.UsageError(f"--scale {text}: write it as LOWEST:HIGHEST") from None
    if ends[0] >= ends[1]:
        raise click.UsageError(f"--scale {text}: the lowest score must come first")
    return ends


@command.command("apply")
@plugin_option
@click.argument("map", type=PATH)
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
    "--spec", type=PATH, help="Experiment with the agent; a map of another agent is refused."
)
@click.option(
    "--agent", help="The agent in --spec that gave the scores. Default: the agent of the map."
)
@click.option("--fingerprint", help="The agent's fingerprint, instead of --spec.")
@click.option(
    "--allow",
    multiple=True,
    type=click.Choice(["expired", "foreign", "other-code"]),
    help="Use a map that has expired, or that belongs to another agent or other code. Repeatable.",
)
def apply(
    map: Path, scores: str, column: str, out: str, kind: str, allow: Sequence[str], **options: Any
) -> None:
    """Add the score on the common scale to each row of SCORES (a file, or - for stdin).

    Adds the columns common, extrapolated and calibration_problem. Exits with 1 if a row has no
    score on the common scale. Refuses a map that expired or belongs to another agent.
    """
    from revkit import api
    from revkit.calibration import apply_to_stream, format_of, printable

    found = api.load_map(map, plugins=options["plugins"])
    known, agent = options["fingerprint"], options["agent"]
    if agent and options["spec"] is None:
        raise click.UsageError("--agent needs --spec")
    if options["spec"] is not None:
        known = api.fingerprint(options["spec"], agent or found.agent, plugins=options["plugins"])
    api.check_use(found, fingerprint=known, allow=allow)
    form = ("csv" if scores == "-" else format_of(scores)) if kind == "auto" else kind
    with _source(scores) as source, _target(out) as target:
        done = apply_to_stream(found, source, target, form, column)  # type: ignore[arg-type]
    click.echo(_counts(done, found), err=True)
    if known is None:
        click.echo(
            f"identity not checked: nothing shows that {printable(found.agent)!r} gave these "
            "scores; name its experiment with --spec",
            err=True,
        )
    raise click.exceptions.Exit(1 if done.failed else 0)


def _counts(done: Applied, found: CalibrationMap) -> str:
    from revkit.calibration import printable

    # Perhaps somebody else fitted the map, and a flat one gives all papers one score.
    flags = found.curve.flags
    note = f"; flags of the map: {printable(', '.join(flags))}" if flags else ""
    return (
        f"{done.rows:,} rows: {done.mapped:,} mapped, {done.extrapolated:,} of them outside the "
        f"anchors' range, {done.failed:,} without a score on the common scale{note}"
    )


@contextmanager
def _source(name: str) -> Iterator[IO[bytes] | IO[str]]:
    if name == "-":
        yield getattr(sys.stdin, "buffer", sys.stdin)
        return
    with ExitStack() as stack:
        try:
            file = stack.enter_context(Path(name).open("rb"))
        except OSError as error:
            raise _unusable(name, error) from None
        yield file


@contextmanager
def _target(name: str) -> Iterator[Any]:
    """Return the target of the rows. A file gets its name only when complete, so it may be the file
    SCORES.
    """
    if name == "-":
        buffer = getattr(sys.stdout, "buffer", None)
        yield sys.stdout if buffer is None else _Utf8(buffer)
        return
    from revkit.calibration.map_files import whole_file

    try:
        with whole_file(Path(name)) as file:
            yield file
    except BrokenPipeError:
        raise
    except OSError as error:
        raise _unusable(name, error) from None


class _Utf8:
    """Standard output as UTF-8, regardless of the encoding of the terminal."""

    def __init__(self, buffer: Any) -> None:
        self._buffer = buffer

    def write(self, text: str) -> None:
        self._buffer.write(text.encode("utf-8", "backslashreplace"))

    def flush(self) -> None:
        self._buffer.flush()


def _unusable(name: str, error: OSError) -> Exception:
    from revkit.calibration import printable
    from revkit.errors import RunError

    return RunError(f"{printable(name)} cannot be used: {error.strerror}")


@command.command("check")
@plugin_option
@click.argument("map", type=PATH)
@click.argument("scores", type=PATH)
@click.option(
    "--level",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.01,
    show_default=True,
    help="Probability of a false alarm in each of the two tests (drift, error).",
)
@click.option(
    "--spec", type=PATH, help="If SCORES is a file: experiment with the agent that gave them."
)
@json_option
def check(
    map: Path, scores: Path, level: float, spec: Path | None, plugins: Any, as_json: bool
) -> None:
    """Check with new SCORES of its anchors whether MAP is still valid.

    SCORES is a file with the columns id and score, or the folder of a run. A few anchors suffice,
    since each is compared with its own score at the fit. The check finds scores that moved, and
    errors that became larger. A map that passes gets a record of the check, and is accepted again
    if the agent has the same settings but other code: its file is updated. Exits with 1 if the map
    is no longer valid, has expired, or was fitted on these same scores.
    """
    from revkit import api

    result = api.check_map(map, scores, level=level, spec=spec, plugins=plugins)
    if as_json:
        print_json({**asdict(result), "holds": result.holds})
    else:
        click.echo(result.text(), nl=False)
    raise click.exceptions.Exit(0 if result.holds else 1)


@command.command("status")
@plugin_option
@click.argument("maps", type=PATH, nargs=-1, required=True)
@click.option(
    "--spec", type=PATH, help="Experiment with the agents; maps of other agents are marked."
)
@json_option
def status(maps: Sequence[Path], spec: Path | None, plugins: Any, as_json: bool) -> None:
    """List MAPS: agent, calibrator, anchors, dates, flags, and whether each may be used today.

    Exits with 1 if one may not.
    """
    from revkit import api

    rows = [api.map_status(path, spec=spec, plugins=plugins) for path in maps]
    if as_json:
        print_json(rows)
    else:
        for row in rows:
            click.echo(f"{row['file']}: {row['description']}")
    raise click.exceptions.Exit(0 if all(row["usable"] for row in rows) else 1)
