"""Run a sweep: its points one after another, from one store, and what they say side by side."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from pathlib import Path

from revkit.contracts import SweepView
from revkit.errors import Interrupted, RunError
from revkit.execution.folder import RunFolder, digest_of_run, remove_run
from revkit.execution.joined import Labels, cells_of, joined, lead_columns
from revkit.execution.loop import Counts
from revkit.execution.provenance import package_versions, provenance
from revkit.execution.result import indented, write_tables
from revkit.execution.run import Run
from revkit.execution.runner import run_experiment
from revkit.execution.whole import rendered
from revkit.execution.work import Account
from revkit.model.table import Cell, Column, Table
from revkit.model.values import Json, digest_of
from revkit.spec import Point, Sweep
from revkit.spec.source import to_yaml

_COUNTS = (
    ("papers", "Papers", "Papers that were loaded."),
    ("skipped", "Skipped", "Records of the corpus that were not loaded."),
    ("variants", "Variants", "Variants that were made."),
    ("rejected", "Rejected", "Variants that were not made or did not pass a gate."),
    ("reviews", "Reviews", "Reviews that came out."),
    ("failed_reviews", "Failed reviews", "Reviews that failed."),
    ("judgements", "Judgements", "Judgements that came out."),
    ("failed_judgements", "Failed judgements", "Judgements that failed."),
)


@dataclass(frozen=True)
class PointRun:
    """What came of one point: its tables by name, how many items were worked out and found, what
    crashed, and its exit code. ``items`` counts what it holds. ``error`` says why a point has no
    result; then its code is 1."""

    label: str
    folder: Path
    exit_code: int
    tables: Mapping[str, Table]
    counts: Counts
    faults: tuple[str, ...] = ()
    error: str = ""
    out_of_budget: bool = False
    items: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class SweepRun:
    """A finished sweep: its folder, its points, and their tables joined by name.

    Each point has a run folder of its own below ``folder``. ``summary`` is the text for a terminal,
    ``faults`` tells what crashed, and which points have no result.
    """

    folder: Path
    sweep: Sweep
    points: tuple[PointRun, ...]
    tables: Mapping[str, Table]
    summary: str = ""
    faults: tuple[str, ...] = ()

    def table(self, name: str) -> Table:
        """The joined table of one metric. Raises `RunError` naming the tables there are."""
        if name not in self.tables:
            raise RunError(f"this sweep has no table {name!r}; it has {', '.join(self.tables)}")
        return self.tables[name]

    @property
    def exit_code(self) -> int:
        """0 all well, 1 something failed at a point, 4 no valid outcome at any."""
        codes = {point.exit_code for point in self.points}
        return codes.pop() if len(codes) == 1 and not self.faults else 1

    @property
    def out_of_budget(self) -> bool:
        """Whether a review of some point was not asked for since the budget was spent."""
        return any(point.out_of_budget for point in self.points)

    @property
    def closing(self) -> str:
        """One line: how many points there were, what was worked out, and where it all is."""
        lost = sum(bool(point.error) for point in self.points)
        failed = f" ({lost:,} without a result)" if lost else ""
        computed = sum(point.counts.computed for point in self.points)
        stored = sum(point.counts.stored for point in self.points)
        return (
            f"{len(self.points):,} points{failed}: {computed:,} worked out now, {stored:,} found "
            f"in the store. Everything is in {self.folder}"
        )


def run_sweep(
    sweep: Sweep,
    *,
    out: Path | None = None,
    store: Path | None = None,
    overwrite: bool = False,
    quiet: bool = True,
    stop: threading.Event | None = None,
    tell: Callable[[str], None] | None = None,
) -> SweepRun:
    """Run every point of ``sweep`` and write its folder; arguments as for `run_experiment`.

    Points share the store, so what several of them have in common is worked out once, and they
    share the budget. A point that cannot be run is told, and the others are. ``tell`` hears of each
    point before it starts.
    """
    out = out or Path("runs") / f"{sweep.name}-{sweep.digest[:8]}"
    stop = stop or threading.Event()
    started = time.time()
    before = digest_of_run(out)
    account = Account()
    results: list[PointRun] = []
    with RunFolder(out, sweep.digest, overwrite=overwrite) as folder:
        if before not in ("", sweep.digest):
            for old in sorted((out / "points").glob("*")):
                remove_run(old)
        for number, point in enumerate(sweep.points, 1):
            if tell is not None:
                tell(f"point {number} of {len(sweep.points)}: {point.label}")
            place = out / "points" / point.label
            try:
                run = run_experiment(
                    point.experiment,
                    out=place,
                    store=store,
                    overwrite=overwrite,
                    quiet=quiet,
                    stop=stop,
                    account=account,
                )
            except Interrupted:
                raise
            except RunError as error:
                results.append(PointRun(point.label, place, 1, {}, Counts(), error=str(error)))
            else:
                results.append(_finished(point, run))
        if all(result.error for result in results):
            raise RunError(f"no point could be run; the first: {results[0].error}")
        return _concluded(sweep, folder, results, started)


def _finished(point: Point, run: Run) -> PointRun:
    records = run.records
    rejected = sum(bool(row.rejected) for row in records.variants)
    failed = sum(bool(row.failure) for row in records.verdicts)
    unjudged = sum(bool(row.failure) for row in records.judgements)
    return PointRun(
        point.label,
        run.folder,
        run.exit_code,
        run.tables,
        run.counts,
        run.faults,
        out_of_budget=run.out_of_budget,
        items={
            "papers": len(records.papers),
            "skipped": sum(records.skipped.values()),
            "variants": len(records.variants) - rejected,
            "rejected": rejected,
            "reviews": len(records.verdicts) - failed,
            "failed_reviews": failed,
            "judgements": len(records.judgements) - unjudged,
            "failed_judgements": unjudged,
        },
    )


def _concluded(
    sweep: Sweep, folder: RunFolder, results: Sequence[PointRun], started: float
) -> SweepRun:
    """Join the tables, render the overviews, and write the files of the sweep as a whole."""
    labels = {point.label: point.labels for point in sweep.points}
    names = dict.fromkeys(name for result in results for name in result.tables)
    tables = [
        joined(
            sweep.axes,
            {labels[each.label]: each.tables[name] for each in results if name in each.tables},
        )
        for name in names
    ]
    points = _points(sweep, results, labels)
    versions = package_versions()
    contents: list[Json] = [sweep.digest, versions, points.to_json()]
    contents.extend(table.to_json() for table in tables)
    view = SweepView(
        name=sweep.name,
        axes=[(axis.path, axis.name) for axis in sweep.axes],
        points=points,
        tables=tables,
        spec=sweep.spec,
        versions=versions,
        digest=digest_of(contents),
    )
    summary, faults = _overviews(sweep, view, folder)
    for each in results:
        faults += [f"{each.label}: {told}" for told in (each.error, *each.faults) if told]
    write_tables(folder, [points, *tables])
    _write(sweep, folder, results, [points, *tables], faults)
    timing: dict[str, Json] = {
        "started": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(started)),
        "seconds": round(time.time() - started, 3),
        "items_computed": sum(result.counts.computed for result in results),
        "items_stored": sum(result.counts.stored for result in results),
    }
    about = provenance((), sweep.points[0].experiment.seed, timing)
    folder.write("provenance.json", indented(about))
    folder.finish()
    return SweepRun(
        folder.path,
        sweep,
        tuple(results),
        {table.name: table for table in (points, *tables)},
        summary,
        tuple(faults),
    )


def _points(sweep: Sweep, results: Sequence[PointRun], labels: Mapping[str, Labels]) -> Table:
    lead = lead_columns(sweep.axes, [name for name, _, _ in _COUNTS])[: len(sweep.axes)]
    counts = [Column(name, title, "count", told) for name, title, told in _COUNTS]
    rows: list[dict[str, Cell]] = []
    for result in results:
        cells = cells_of(sweep.axes, labels[result.label])
        row: dict[str, Cell] = {c.name: cell for c, cell in zip(lead, cells, strict=True)}
        rows.append({**row, **result.items, "error": result.error or None})
    return Table.of(
        "points",
        "The points of the sweep",
        (*lead, *counts, Column("error", "Error", "", "Why a point has no result.")),
        rows,
        ["Whole counts, which carry no interval."],
        headline=True,
        fine=[name for name, _, _ in _COUNTS if not any(r.items.get(name) for r in results)],
    )


def _overviews(sweep: Sweep, view: SweepView, folder: RunFolder) -> tuple[str, list[str]]:
    """Write what the reporters say of the whole; return what is to be printed, and what crashed.

    All points have the reporters of the first, unless the sweep goes over them.
    """
    summaries: list[str] = []
    faults: list[str] = []
    written: set[str] = set()
    for reporter in sweep.points[0].experiment.reports:
        try:
            apart = replace(view, spec=deepcopy(dict(view.spec)), versions=dict(view.versions))
            files = rendered(reporter.overview(apart))
            for name in files:
                folder.check_free(name, written)
            summary = str(reporter.summary(dict(files))) if files else ""
        except (Exception, SystemExit) as error:
            faults.append(f"report {reporter.name}: {type(error).__name__}: {error}")
            continue
        for name, text in files.items():
            folder.write(name, text)
        written.update(files)
        summaries.append(summary)
    return "\n".join(summary for summary in summaries if summary), faults


def _write(
    sweep: Sweep,
    folder: RunFolder,
    results: Sequence[PointRun],
    tables: Sequence[Table],
    faults: Sequence[str],
) -> None:
    points: list[Json] = [
        {
            "label": point.label,
            "folder": f"points/{point.label}",
            "values": {
                axis.path: label for axis, label in zip(sweep.axes, point.labels, strict=True)
            },
            "experiment": point.experiment.digest,
            "exit_code": result.exit_code,
            "error": result.error,
        }
        for point, result in zip(sweep.points, results, strict=True)
    ]
    about: dict[str, Json] = {
        "revkit": 1,
        "name": sweep.name,
        "sweep": sweep.digest,
        "axes": [axis.path for axis in sweep.axes],
        "points": points,
    }
    folder.write("sweep.json", indented(about))
    told: dict[str, Json] = {
        **about,
        "faults": list(faults),
        "tables": [table.to_json() for table in tables],
    }
    folder.write("result.json", indented(told))
    folder.write("spec.yaml", to_yaml(dict(sweep.spec)))
