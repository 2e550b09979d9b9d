"""Run a sweep: its points one after another with one store, and join their results."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from pathlib import Path

from revkit.contracts import Reporter, SweepView
from revkit.errors import BatchesPending, Interrupted, RevkitError, RunError, StoreError
from revkit.execution.all_nodes import rendered
from revkit.execution.fault import Fault
from revkit.execution.folder import RunFolder
from revkit.execution.loop import Counts
from revkit.execution.provenance import package_versions, provenance
from revkit.execution.result import indented, write_tables
from revkit.execution.run import Run
from revkit.execution.runner import run_experiment
from revkit.execution.seed_summary import summarise_seeds
from revkit.execution.sweep_run import PointRun, SweepRun
from revkit.execution.sweep_tables import Labels, cells_of, join_tables, lead_columns
from revkit.files.yaml_source import to_yaml
from revkit.model.table import Cell, Column, Table
from revkit.model.values import Json, digest_of
from revkit.spec import Point, Sweep
from revkit.spec.resolved_spec import UNDECIDING, without_machine

_COUNTS = (
    ("papers", "Papers", "Loaded papers."),
    ("skipped", "Skipped", "Records of the corpus that were skipped."),
    ("variants", "Variants", "Variants made."),
    ("rejected", "Rejected", "Variants that were not made or did not pass a gate."),
    ("crashed", "Crashed", "Variants whose perturbation or gate raised an error."),
    ("reviews", "Reviews", "Valid reviews."),
    ("failed_reviews", "Failed reviews", "Failed reviews."),
    ("judgements", "Judgements", "Valid judgements."),
    ("failed_judgements", "Failed judgements", "Failed judgements."),
)


class _StopOfPoint(threading.Event):
    """The stop signal of one point: set if the whole sweep must stop, or if the point itself failed
    and stops its threads. It can be queried, but not waited for.
    """

    def __init__(self, whole: threading.Event) -> None:
        super().__init__()
        self._whole = whole

    def is_set(self) -> bool:
        return super().is_set() or self._whole.is_set()


def run_sweep(
    sweep: Sweep,
    *,
    out: Path | None = None,
    store: Path | None = None,
    overwrite: bool = False,
    quiet: bool = True,
    stop: threading.Event | None = None,
    on_point: Callable[[str], None] | None = None,
) -> SweepRun:
    """Run every point of ``sweep`` and write its folder; arguments as for `run_experiment`.

    Points share the store, so what several of them have in common is computed once, and they share
    the budget. A point that cannot be run is reported, and the others are run. ``on_point`` is
    called with a line of text before each point starts.
    """
    out = out or Path("runs") / f"{sweep.name}-{sweep.digest[:8]}"
    stop = stop or threading.Event()
    started = time.time()
    sharing = [point.experiment.digest for point in sweep.points]
    results: list[PointRun] = []
    pending: list[str] = []
    with RunFolder(out, sweep.digest, overwrite=overwrite) as folder:
        for number, point in enumerate(sweep.points, 1):
            if on_point is not None:
                on_point(f"point {number} of {len(sweep.points)}: {point.label}")
            place = out / "points" / point.label
            try:
                run = run_experiment(
                    point.experiment,
                    out=place,
                    store=store,
                    overwrite=overwrite,
                    quiet=quiet,
                    stop=_StopOfPoint(stop),
                    sharing=sharing,
                )
            except (Interrupted, StoreError):
                raise
            except BatchesPending as error:  # the other points send theirs meanwhile
                pending.append(f"{point.label}: {error}")
            except RevkitError as error:
                results.append(PointRun(point.label, place, 1, {}, Counts(), error=str(error)))
            else:
                results.append(_finished(point, run))
        if pending:
            folder.discard()
            raise BatchesPending("\n".join(pending))
        if all(result.error for result in results):
            folder.discard()
            raise RunError(f"no point could be run; the first: {results[0].error}")
        return _concluded(sweep, folder, results, started)


def _finished(point: Point, run: Run) -> PointRun:
    records = run.records
    variants = records.variant_counts
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
        changed_files=run.changed_files,
        warnings=run.warnings,
        items={
            "papers": len(records.papers),
            "skipped": sum(records.skipped.values()),
            "variants": variants.made,
            "rejected": variants.rejected,
            "crashed": variants.crashed,
            "reviews": len(records.verdicts) - failed,
            "failed_reviews": failed,
            "judgements": len(records.judgements) - unjudged,
            "failed_judgements": unjudged,
        },
    )


def _concluded(
    sweep: Sweep, folder: RunFolder, results: Sequence[PointRun], started: float
) -> SweepRun:
    """Join the tables, render the overviews, and write the files of the whole sweep."""
    labels = {point.label: point.labels for point in sweep.points}
    names = dict.fromkeys(name for result in results for name in result.tables)
    tables = [
        join_tables(
            sweep.axes,
            {labels[each.label]: each.tables[name] for each in results if name in each.tables},
        )
        for name in names
    ]
    tables = [*summarise_seeds(sweep.axes, tables, set(names)), *tables]
    name = "points"
    while name in names:  # a metric may call its table so
        name = f"sweep-{name}"
    points = replace(_points(sweep, results, labels), name=name)
    versions = package_versions()
    contents: list[Json] = [sweep.digest, versions, points.to_json()]
    contents.extend(table.to_json() for table in tables)
    view = SweepView(
        name=sweep.name,
        axes=[(axis.path, axis.name) for axis in sweep.axes],
        points=points,
        tables=tables,
        spec=_deciding(sweep),
        versions=versions,
        digest=digest_of(contents),
    )
    summary, faults = _overviews(sweep, view, folder)
    for each in results:
        if each.error:
            faults.append(Fault("point", each.label, "", each.error))
        faults += [fault.at(each.label) for fault in each.faults]
    write_tables(folder, [points, *tables])
    _write(sweep, folder, results, [points, *tables], faults)
    timing: dict[str, Json] = {
        "started": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(started)),
        "seconds": round(time.time() - started, 3),
        "items_computed": sum(result.counts.computed for result in results),
        "items_stored": sum(result.counts.stored for result in results),
    }
    seeds = {point.experiment.seed for point in sweep.points}
    about = provenance((), min(seeds), timing)
    if len(seeds) > 1:
        about["seed"] = None
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


def _deciding(sweep: Sweep) -> dict[str, Json]:
    """Return the spec without settings that do not change results: threads, budget, limits of
    models.
    """
    spec = {name: value for name, value in sweep.spec.items() if name not in UNDECIDING}
    services = spec.get("services")
    if isinstance(services, dict) and "llm" in services:
        spec["services"] = {**services, "llm": sweep.points[0].experiment.llm.identity()}
    return spec


def _points(sweep: Sweep, results: Sequence[PointRun], labels: Mapping[str, Labels]) -> Table:
    lead = lead_columns(sweep.axes, [*(name for name, _, _ in _COUNTS), "error"])
    lead = lead[: len(sweep.axes)]
    counts = [Column(name, title, "count", text) for name, title, text in _COUNTS]
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
        ["Counts, which have no interval."],
        headline=True,
        fine=[name for name, _, _ in _COUNTS if not any(r.items.get(name) for r in results)],
    )


def _overviews(sweep: Sweep, view: SweepView, folder: RunFolder) -> tuple[str, list[Fault]]:
    """Write the overviews of the reporters; return the text to print, and the crashes.

    Where the sweep goes over them, each reporter of any point speaks once, as the first has it.
    """
    summaries: list[str] = []
    faults: list[Fault] = []
    written: set[str] = set()
    reporters: dict[str, Reporter] = {}
    for reporter in (each for point in sweep.points for each in point.experiment.reports):
        reporters.setdefault(reporter.name, reporter)
    for reporter in reporters.values():
        try:
            apart = replace(view, spec=deepcopy(dict(view.spec)), versions=dict(view.versions))
            files = rendered(reporter.overview(apart))
            for name in files:
                folder.check_free(name, written)
            summary = str(reporter.summary(dict(files))) if files else ""
        except (Exception, SystemExit) as error:
            faults.append(Fault.of("report", reporter.name, error))
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
    faults: Sequence[Fault],
) -> None:
    points: list[Json] = [
        {
            "label": point.label,
            "folder": f"points/{point.label}",
            "labels": {
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
    summary: dict[str, Json] = {
        **about,
        "faults": [fault.to_json() for fault in faults],
        "tables": [table.to_json() for table in tables],
    }
    folder.write("result.json", indented(summary))
    folder.write("spec.yaml", to_yaml(without_machine(sweep.spec)))
