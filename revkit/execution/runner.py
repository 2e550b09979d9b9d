"""Run an experiment from corpus to reports, and give back what came of it."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any, cast

from revkit.cache import KeyBase, Store
from revkit.contracts import Component, Context, Metric, RunView
from revkit.errors import Interrupted, RevkitError, RunError
from revkit.execution.folder import RunFolder
from revkit.execution.keys import key_base
from revkit.execution.loop import Counts, Loop
from revkit.execution.progress import progress_for
from revkit.execution.provenance import package_versions, provenance
from revkit.execution.record import Recorder, write_csv
from revkit.execution.recorded import Recorded
from revkit.execution.work import Desk
from revkit.model.paper import Paper, Skipped
from revkit.model.records import AgentRow, PerturbationRow, Records
from revkit.model.table import Table
from revkit.model.values import Json, canonical_json, digest_of
from revkit.planning import build_graph, build_plan
from revkit.spec import Experiment
from revkit.spec.source import to_yaml


@dataclass(frozen=True)
class Run:
    """A finished run: its folder, its records, its tables by name, and how it went.

    ``summary`` is the text for a terminal. ``computed`` and ``stored`` count items (variants and
    reviews) that were worked out now or were known; ``faults`` names metrics and reports that
    crashed.
    """

    folder: Path
    experiment: Experiment
    records: Records
    tables: Mapping[str, Table]
    summary: str = ""
    counts: Counts = field(default_factory=Counts)
    faults: tuple[str, ...] = ()

    def table(self, name: str) -> Table:
        """The table of one metric. Raises `RunError` naming the tables there are."""
        if name not in self.tables:
            raise RunError(f"this run has no table {name!r}; it has {', '.join(self.tables)}")
        return self.tables[name]

    @cached_property
    def exit_code(self) -> int:
        """0 all well, 1 items failed or a metric or report crashed, 4 no valid review at all."""
        if all(verdict.failure for verdict in self.records.verdicts):
            return 4
        failed = any(verdict.failure for verdict in self.records.verdicts)
        crashed = any(row.rejected.startswith("crashed:") for row in self.records.variants)
        return 1 if failed or crashed or self.faults else 0

    @property
    def closing(self) -> str:
        """One line: what was read, made and asked, what of it was lost, and where it all is."""
        records = self.records
        rejected = sum(bool(row.rejected) for row in records.variants)
        failed = sum(bool(verdict.failure) for verdict in records.verdicts)
        parts = (
            _counted(len(records.papers), "paper", sum(records.skipped.values()), "skipped"),
            _counted(len(records.variants) - rejected, "variant", rejected, "rejected"),
            _counted(len(records.verdicts) - failed, "review", failed, "failed"),
        )
        return (
            f"{', '.join(parts)}: {self.counts.computed:,} worked out now, "
            f"{self.counts.stored:,} found in the store. Everything is in {self.folder}"
        )

    def rows(self, name: str) -> Iterator[dict[str, Any]]:
        """The rows of one kind of record ("papers", "variants", "edits", "checks", "outcomes",
        "screens", "skipped"), read from the run folder one by one."""
        path = self.folder / "records" / f"{name}.jsonl"
        if not path.is_file():
            raise RunError(f"this run has no records {name!r}")
        with path.open(encoding="utf-8") as file:
            for line in file:
                yield json.loads(line)


def _counted(count: int, what: str, lost: int, how: str) -> str:
    plural = "" if count == 1 else "s"
    return f"{count:,} {what}{plural}" + (f" ({lost:,} {how})" if lost else "")


_END = object()


def run_experiment(
    experiment: Experiment,
    *,
    out: Path | None = None,
    store: Path | None = None,
    overwrite: bool = False,
    quiet: bool = True,
    stop: threading.Event | None = None,
) -> Run:
    """Run ``experiment`` and write its folder.

    ``out`` is the run folder (default ``runs/NAME-DIGEST``), ``store`` the file of answers (default
    ``.revkit/store.sqlite3`` in the working directory). Setting ``stop`` ends the run cleanly, with
    `Interrupted`; running the same again goes on from there.
    """
    out = out or Path("runs") / f"{experiment.name}-{experiment.digest[:8]}"
    store = store or Path(".revkit") / "store.sqlite3"
    with (
        RunFolder(out, experiment.digest, overwrite=overwrite) as folder,
        Store(store) as answers,
    ):
        stop = stop or threading.Event()
        with Desk(experiment, answers, stop) as desk:
            return _Runner(experiment, folder, answers, desk, stop, quiet).run()


def repeat_run(
    experiment: Experiment, recorded: Recorded, *, out: Path, store: Store, quiet: bool = True
) -> Run:
    """Go through a run that was recorded, and write its folder again from ``recorded`` and
    ``store`` alone. Nothing is computed: raises `RunError` for the first answer that is missing."""
    stop = threading.Event()
    with (
        RunFolder(out, experiment.digest) as folder,
        Desk(experiment, store, stop, serve=False) as desk,
    ):
        return _Runner(experiment, folder, store, desk, stop, quiet, recorded).run()


class _Runner:
    def __init__(
        self,
        experiment: Experiment,
        folder: RunFolder,
        store: Store,
        desk: Desk,
        stop: threading.Event,
        quiet: bool,
        recorded: Recorded | None = None,
    ) -> None:
        self.recorded = recorded
        self.experiment = experiment
        self.folder = folder
        self.store = store
        self.stop = stop
        self.quiet = quiet
        self.graph = build_graph(experiment)
        self.desk = desk
        self.faults: list[str] = []
        self.started = time.time()

    def run(self) -> Run:
        papers, items = self.expected()
        recorder = Recorder(self.folder, self.experiment)
        finished = False
        try:
            with progress_for(papers, items, quiet=self.quiet) as progress:
                loop = Loop(
                    self.experiment,
                    self.graph,
                    self.store,
                    self.desk,
                    progress,
                    self.stop,
                    self.recorded,
                )
                loop.run(self.papers(recorder), recorder.paper)
                self.check_stop(recorder)
                self.check_papers(recorder)
                counted = time.time()
                records = self.records(recorder)
                progress.stage("metrics")
                tables = self.measure(records, recorder)
                progress.stage("reports")
                summary = self.report(records, recorder, tables)
            finished = True
        finally:
            recorder.close(finish=finished)
            if not recorder.papers:
                self.folder.discard()
        self.finish(recorder, tables, loop.counts, counted)
        return Run(
            self.folder.path,
            self.experiment,
            records,
            {table.name: table for table in tables},
            summary,
            loop.counts,
            tuple(self.faults),
        )

    def expected(self) -> tuple[int | None, int | None]:
        """How many papers and items there will be at most, where that is known."""
        if self.recorded is not None:
            return None, None
        plan = build_plan(self.experiment)
        items = None if plan.reviews is None else plan.reviews + (plan.variants or 0)
        return plan.papers, items

    def source(self) -> Iterable[Paper | Skipped]:
        if self.recorded is not None:
            return self.recorded.papers
        corpus = self.experiment.corpus
        services = self.desk.services_of(corpus)
        return corpus.papers(Context(self.experiment.seed, services, corpus.uses))

    def papers(self, recorder: Recorder) -> Iterator[Paper]:
        """The papers of the corpus up to the limit; skipped and doubled records are recorded."""
        seen: set[str] = set()
        corpus = self.experiment.corpus
        limit = self.experiment.limit
        iterator: Iterator[Paper | Skipped] | None = None
        while limit is None or len(seen) < limit:
            try:
                iterator = iterator or iter(self.source())
                item = next(iterator, _END)
                _check_record(item)
            except RevkitError:
                raise
            except (Exception, SystemExit) as error:
                raise RunError(
                    f"corpus {corpus.name!r} crashed after {len(seen)} papers: "
                    f"{type(error).__name__}: {error}"
                ) from error
            if not isinstance(item, Paper | Skipped):
                return
            if isinstance(item, Skipped):
                recorder.skip(item)
            elif item.id in seen:
                recorder.skip(Skipped(item.id, "duplicate id", item.source))
            else:
                seen.add(item.id)
                yield item

    def check_stop(self, recorder: Recorder) -> None:
        """Raise `Interrupted` where the run was asked to stop."""
        if self.stop.is_set():
            raise Interrupted(
                f"stopped after {len(recorder.papers)} whole papers; all answers are "
                "stored, and the same command goes on from here"
            )

    def check_papers(self, recorder: Recorder) -> None:
        if recorder.papers:
            return
        reasons = "; ".join(f"{count} x {reason}" for reason, count in recorder.skipped.items())
        raise RunError(
            f"corpus {self.experiment.corpus.name!r} gave no paper"
            + (f" (skipped: {reasons})" if reasons else "")
        )

    def records(self, recorder: Recorder) -> Records:
        return Records(
            seed=self.experiment.seed,
            repeats=self.experiment.repeats,
            papers=tuple(recorder.papers),
            perturbations=[
                PerturbationRow(
                    name, step.component.name, step.component.expect, step.component.target
                )
                for name, step in self.experiment.perturbation_steps.items()
            ],
            agents=[
                AgentRow(
                    name,
                    step.component.name,
                    step.component.scale,
                    step.component.deterministic,
                    tuple(defense.name for defense in step.defenses),
                )
                for name, step in self.experiment.agent_steps.items()
            ],
            variants=tuple(recorder.variants),
            verdicts=tuple(recorder.verdicts),
            skipped=MappingProxyType(dict(recorder.skipped)),
        )

    def known(self, component: Component, node_id: str, digest: str) -> tuple[bytes, Json]:
        """The key of a whole-run answer, and the answer where the store has it.

        Raises `RunError` in a recorded run where it does not.
        """
        recorded = self.recorded
        if recorded is not None and recorded.keys:
            base = KeyBase(recorded.keys[node_id])
        else:
            base = key_base(self.experiment, self.graph.by_id[node_id])
        key = base.item(digest)
        found = self.store.get_json(key)
        if found is None and recorded is not None:
            raise recorded.missing(node_id)
        return key, found

    def crashed_before(self, kind: str, component: Component) -> bool:
        """Whether this metric or report crashed in the recorded run; then it is told again."""
        fault = self.recorded.fault(kind, component.name) if self.recorded else ""
        if fault:
            self.faults.append(fault)
        return bool(fault)

    def measure(self, records: Records, recorder: Recorder) -> list[Table]:
        """Compute each metric, or find it; a metric that crashes is a fault, not the end."""
        # What records say of agents and perturbations comes from the spec and from the classes of
        # the components, so both are in the key too.
        digest = digest_of([recorder.digest, self.experiment.deciding(), _rows(records)])
        tables: list[Table] = []
        for metric in self.experiment.metrics:
            self.check_stop(recorder)
            if self.crashed_before("metric", metric):
                continue
            key, found = self.known(metric, f"metric/{metric.name}", digest)
            try:
                table = (
                    Table.from_json(found)
                    if isinstance(found, Mapping)
                    else _measured(metric, records)
                )
                if table.name in [other.name for other in tables]:
                    raise ValueError(f"another metric gave a table {table.name!r} already")
            except (Exception, SystemExit) as error:
                self.faults.append(_fault("metric", metric, error))
                continue
            if found is None:
                table = Table.from_json(cast(Any, self.store.put_json(key, table.to_json())))
            tables.append(table)
        return tables

    def report(self, records: Records, recorder: Recorder, tables: list[Table]) -> str:
        """Render each report, or find it; return what is to be printed."""
        spec = self.experiment.deciding()
        versions = dict(self.recorded.versions) if self.recorded else package_versions()
        contents: list[Json] = [recorder.digest, spec, versions, _rows(records)]
        contents.extend(table.to_json() for table in tables)
        digest = digest_of(contents)
        view = RunView(
            name=self.experiment.name,
            spec=spec,
            records=records,
            tables=tables,
            versions=versions,
            digest=digest,
            text_of=recorder.text_of,
            edits_of=recorder.edits_of,
            title_of=lambda paper: recorder.titles.get(paper) or paper,
        )
        summaries = []
        written: set[str] = set()
        for reporter in self.experiment.reports:
            self.check_stop(recorder)
            if self.crashed_before("report", reporter):
                continue
            key, found = self.known(reporter, f"report/{reporter.name}", digest)
            try:
                files = _rendered(found if isinstance(found, Mapping) else reporter.render(view))
                for name in files:
                    self.folder.check_free(name, written)
                summary = str(reporter.summary(files))
            except (Exception, SystemExit) as error:
                self.faults.append(_fault("report", reporter, error))
                continue
            if found is None:
                files = _rendered(cast(Any, self.store.put_json(key, files)))
            for name, text in files.items():
                self.folder.write(name, text)
            written.update(files)
            summaries.append(summary)
        return "\n".join(summary for summary in summaries if summary)

    def finish(
        self, recorder: Recorder, tables: list[Table], counts: Counts, counted: float
    ) -> None:
        """Write tables, result, resolved spec and provenance."""
        experiment = self.experiment
        for table in tables:
            rows = "".join(canonical_json(row) + "\n" for row in table.records())
            self.folder.write(f"tables/{table.name}.jsonl", rows)
            path = self.folder.target(f"tables/{table.name}.jsonl")
            target = self.folder.target(f"tables/{table.name}.csv")
            write_csv(path, target, tuple(column.name for column in table.columns))
        result: dict[str, Json] = {
            "revkit": 1,
            "name": experiment.name,
            "experiment": experiment.digest,
            "records": recorder.digest,
            "papers": len(recorder.papers),
            "skipped": dict(sorted(recorder.skipped.items())),
            "variants": len(recorder.variants),
            "rejected": sum(bool(row.rejected) for row in recorder.variants),
            "outcomes": len(recorder.verdicts),
            "failures": sum(bool(verdict.failure) for verdict in recorder.verdicts),
            "faults": list(self.faults),
            "tables": [table.to_json() for table in tables],
        }
        self.folder.write(
            "result.json", json.dumps(result, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
        )
        self.folder.write("spec.yaml", to_yaml(experiment.to_json()))
        ended = time.time()
        timing: dict[str, Json] = {
            "started": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(self.started)),
            "seconds": round(ended - self.started, 3),
            "seconds_items": round(counted - self.started, 3),
            "seconds_tables_and_reports": round(ended - counted, 3),
            "items_computed": counts.computed,
            "items_stored": counts.stored,
            "texts_embedded": self.desk.embed.texts if self.desk.embed else 0,
            "seconds_embedding": round(self.desk.embed.seconds, 3) if self.desk.embed else 0.0,
        }
        if self.desk.gateway is not None:
            # Latency and retries differ from run to run, so the ledger stands beside the result.
            ledger = json.dumps(self.desk.gateway.ledger.to_json(), indent=1, ensure_ascii=False)
            self.folder.write("ledger.json", ledger + "\n")
        about = provenance(experiment.components(), experiment.seed, timing)
        self.folder.write("provenance.json", json.dumps(about, indent=1, ensure_ascii=False) + "\n")
        self.folder.finish()


def _rows(records: Records) -> list[Json]:
    return [repr(row) for row in (*records.agents, *records.perturbations)]


def _measured(metric: Metric, records: Records) -> Table:
    table = metric.measure(records)
    if not isinstance(table, Table):
        raise TypeError(f"expected a Table, not {type(table).__name__}")
    return table


def _rendered(files: Mapping[str, Any]) -> dict[str, str]:
    for name, text in files.items():
        if not isinstance(name, str) or not isinstance(text, str):
            raise TypeError(f"expected the text of a file, not {type(text).__name__} ({name!r})")
        text.encode()  # a lone surrogate is in no file
    return dict(files)


def _fault(kind: str, component: Component, error: BaseException) -> str:
    return f"{kind} {component.name}: {type(error).__name__}: {error}"


def _check_record(item: object) -> None:
    """Raise where a corpus gives something that no file of records can hold."""
    if isinstance(item, Paper):
        try:
            canonical_json([item.labels.to_json(), list(item.notes)])
        except (TypeError, ValueError) as error:
            raise ValueError(f"paper {item.id!r}: labels or notes are no JSON: {error}") from None
    elif item is not _END and not isinstance(item, Skipped):
        raise TypeError(f"expected a Paper or a Skipped, not {type(item).__name__}")
