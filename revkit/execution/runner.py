"""Run an experiment from corpus to reports, and return its results."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from revkit.cache import Store
from revkit.contracts import RunView, guards_of
from revkit.errors import Interrupted, RunError
from revkit.execution.all_nodes import AllNodes, digest_of_rows
from revkit.execution.answers import Answers
from revkit.execution.folder import RunFolder
from revkit.execution.loop import Counts, Loop
from revkit.execution.metric_records import agent_rows, controls_of, descriptions_of, records_of
from revkit.execution.model_usage import LostCalls, Used, used_by_calls
from revkit.execution.paper_facts import FactsOfPapers
from revkit.execution.processes import Children, FactReaders
from revkit.execution.progress import Progress, progress_for
from revkit.execution.prose import HasProse, ProseOfPapers
from revkit.execution.provenance import component_contents, package_versions
from revkit.execution.reading_probe import probe_agents
from revkit.execution.record import Recorder
from revkit.execution.recorded_run import Recorded
from revkit.execution.result import (
    write_cards,
    write_ledger,
    write_provenance,
    write_result,
    write_tables,
)
from revkit.execution.run import Run
from revkit.execution.sources import read_corpus, set_aside
from revkit.execution.warning import (
    RunWarning,
    against_scale_warnings,
    contradiction_warning,
    synthetic_anchors_warning,
)
from revkit.execution.work import ItemWorker
from revkit.figures.numbers import count_of
from revkit.model.paper import Paper, Skipped
from revkit.model.records import Records
from revkit.model.repeats import find_contradictions
from revkit.model.table import Table
from revkit.model.values import Json, digest_of
from revkit.observing import Fact, Opened, current, followed
from revkit.places import STORE
from revkit.planning import build_graph, build_plan
from revkit.processors import processor_count
from revkit.spec import Experiment

if TYPE_CHECKING:
    from revkit.execution.early_stop import Stopping

# From so many connections on, the interpreter lock of one process limits the calls.
_MANY_CONNECTIONS = 100
# For fewer new papers, starting a process takes longer than it saves.
_FEWEST_READ = 128


def run_experiment(
    experiment: Experiment,
    *,
    out: Path | None = None,
    store: Path | None = None,
    overwrite: bool = False,
    quiet: bool = True,
    stop: threading.Event | None = None,
    sharing: Collection[str] = (),
) -> Run:
    """Run ``experiment`` and write its folder.

    ``out`` is the run folder (default ``runs/NAME-DIGEST``), ``store`` the file of answers (default
    ``.revkit/store.sqlite3`` in the working directory). Setting ``stop`` ends the run cleanly, with
    `Interrupted`; the same command continues from there. ``sharing`` are the digests of the
    experiments that share the budget, where it is not this one's alone. Raises `RunError` before
    anything is spent where the map of an agent's scores has expired.
    """
    refuse_expired(experiment)
    out = out or Path("runs") / f"{experiment.name}-{experiment.digest[:8]}"
    if experiment.executor is not None:
        from revkit.execution.shards.elsewhere import run_elsewhere

        return run_elsewhere(
            experiment,
            experiment.executor,
            out=out,
            store=store,
            overwrite=overwrite,
            quiet=quiet,
            stop=stop,
            sharing=tuple(sharing),
        )
    store = store or STORE
    with (
        RunFolder(out, experiment.digest, overwrite=overwrite) as folder,
        Store(store) as answers,
        followed(folder.path, limits_of(experiment)),
    ):
        stop = stop or threading.Event()
        with ItemWorker(experiment, answers, stop, sharing=sharing) as worker:
            lost: frozenset[str] = frozenset()
            while True:
                try:
                    return Runner(experiment, folder, answers, worker, stop, quiet, lost=lost).run()
                except LostCalls as error:
                    if error.calls <= lost:
                        raise
                    lost |= error.calls


def limits_of(experiment: Experiment) -> dict[str, float]:
    """Return the limits of the budget by unit."""
    budget = experiment.budget
    limits = {"usd": budget.usd, "calls": budget.calls, "tokens": budget.tokens}
    return {unit: limit for unit, limit in limits.items() if limit is not None}


def refuse_expired(experiment: Experiment) -> None:
    """Raise `RunError` where the map of an agent's scores has expired."""
    for name, step in experiment.agent_steps.items():
        common = step.calibration
        if common is None or "expired" in common.allow:
            continue
        from revkit.calibration import utc_today

        for refusal in common.map.refusals(today=utc_today()):
            raise RunError(
                f"agents.{name}.calibration: {refusal}; {refusal.remedy}, or set "
                f"allow: [{refusal.kind}]"
            )


def repeat_run(
    experiment: Experiment,
    recorded: Recorded,
    *,
    out: Path,
    store: Store,
    quiet: bool = True,
    overwrite: bool = False,
    stop: threading.Event | None = None,
    warnings: Iterable[RunWarning] = (),
) -> Run:
    """Repeat a recorded run, and write its folder again only from ``recorded`` and ``store``.
    No item is computed: raises `RunError` for the first missing answer. ``warnings`` are those
    about what was recorded.
    """
    stop = stop or threading.Event()
    with (
        RunFolder(out, experiment.digest, overwrite=overwrite) as folder,
        ItemWorker(experiment, store, stop, serve=False) as worker,
    ):
        worker.noted += warnings
        return Runner(experiment, folder, store, worker, stop, quiet, recorded).run()


class Runner:
    """One run of an experiment into its folder; a shard runs only the items of its papers."""

    def __init__(
        self,
        experiment: Experiment,
        folder: RunFolder,
        store: Store,
        worker: ItemWorker,
        stop: threading.Event,
        quiet: bool,
        recorded: Recorded | None = None,
        lost: frozenset[str] = frozenset(),
    ) -> None:
        self.recorded = recorded
        self.lost = lost
        self.experiment = experiment
        self.folder = folder
        self.store = store
        self.stop = stop
        self.quiet = quiet
        self.graph = build_graph(experiment)
        self.worker = worker
        self.started = time.time()
        self.used: dict[str, Used] = {}
        self.looks = True  # whether the run may stop early
        self.stopping: Stopping | None = None
        self.children: Children | None = None
        # The stores of shards are as good as their answers; a replay reads the texts again.
        own = recorded is None or recorded.concludes
        self.facts = FactsOfPapers(store if own else None)
        self.observer = current()

    def run(self) -> Run:
        """Run all stages within one event, and return the run."""
        with self.observed() as opened:
            run = self.run_stages()
            opened.note(**counted(run.counts))
        return run

    def observed(self, shard: str | None = None) -> Opened:
        """Begin the run for those who observe it."""
        return self.observer.begin("run", digest=self.experiment.digest, shard=shard)

    def run_stages(self) -> Run:
        """Run the stages in their order, and return the run."""
        papers, items = self.expected()
        # Now, because a reviewer or a person may change a file while the run works. A repeated run
        # has no such files.
        contents = (
            component_contents(self.experiment.components())
            if self.recorded is None
            else self.recorded.contents
        )
        recorder = Recorder(self.folder, self.experiment, self.facts)
        whole = AllNodes(
            self.experiment,
            self.graph,
            self.store,
            self.recorded,
            lambda: self.check_stop(recorder),
        )
        finished = False
        try:
            with progress_for(papers, items, quiet=self.quiet) as progress:
                loop, before = self.items(recorder, progress)
                computed = time.time()
                progress.stage("maps, tables, reports")
                with self.observer.begin("stage", stage="maps, tables, reports"):
                    records, tables, summary = self.conclude(recorder, whole)
            finished = True
        finally:
            recorder.close(finish=finished)
            if not recorder.papers:
                self.folder.discard()
        write_tables(self.folder, tables)
        write_result(self.folder, self.experiment, recorder, tables, whole.faults, self.stopping)
        write_ledger(self.folder, self.experiment, recorder, self.used)
        write_provenance(
            self.folder,
            self.experiment,
            self.worker,
            loop.counts,
            loop.counts.stored - before,
            self.started,
            computed,
            contents,
        )
        self.folder.finish()
        self.worker.recorded()
        return Run(
            self.folder.path,
            self.experiment,
            records,
            {table.name: table for table in tables},
            summary,
            loop.counts,
            tuple(whole.faults),
            self.worker.changed_files.names,
            self.worker.warnings(),
            self.stopping.figures if self.stopping and self.stopping.stopped else (),
        )

    def items(self, recorder: Recorder, progress: Progress) -> tuple[Loop, int]:
        """Compute and record the items of all papers; return the loop, and how many of its cached
        items are not scores of anchors.
        """
        children = None
        with contextlib.ExitStack() as stack:
            if self.recorded is None and self.experiment.processes:
                children = stack.enter_context(Children(self.experiment, self.worker))
                self.facts.children = children
            elif self.recorded is None and self.has_many_connections:
                readers = FactReaders(1, self.experiment.deadline, _FEWEST_READ)
                self.facts.children = stack.enter_context(readers)
            self.children = children
            loop = self.loop(progress, children)
            return self.loop_over(loop, recorder, progress)

    @property
    def has_many_connections(self) -> bool:
        """Whether there are so many connections to models that the process that makes the calls
        limits the run, and another processor that can do a part of its work.
        """
        many = self.worker.asks and self.experiment.llm.most_connections >= _MANY_CONNECTIONS
        return many and processor_count() > 1

    def loop(self, progress: Progress, children: Children | None) -> Loop:
        """Return the loop over papers; ``children`` compute for it where the experiment has
        processes.
        """
        return Loop(
            self.experiment,
            self.graph,
            self.store,
            self.worker,
            progress,
            self.stop,
            self.recorded,
            self.lost,
            children,
            self.facts,
        )

    def loop_over(self, loop: Loop, recorder: Recorder, progress: Progress) -> tuple[Loop, int]:
        """Let ``loop`` go through papers and anchors, then search and probe."""
        with self.observer.begin("stage", stage="papers") as stage:
            self.over_papers(loop, recorder, progress)
            stage.note(papers=len(recorder.papers), **counted(loop.counts))
        self.check_stop(recorder)
        self.check_papers(recorder)
        before = loop.counts.stored
        if self.experiment.calibration is not None:
            with self.observer.begin("stage", stage="anchors") as stage:
                loop.run(self.anchors(recorder), recorder.anchor, "anchors")
                stage.note(anchors=len(recorder.anchors))
            self.check_stop(recorder)
            self.check_anchors(recorder)
        self.worker.noted += loop.failures.warnings()
        self.attack(recorder, loop.counts, progress)
        self.probe(recorder)
        return loop, before

    def over_papers(self, loop: Loop, recorder: Recorder, progress: Progress) -> None:
        """Process the papers: all of them, or one look after the other until the run may stop."""
        papers = self.papers(recorder)
        stop = self.experiment.stop_when
        if stop is None or not self.looks:
            self.in_batches(loop, progress)
            loop.run(papers, recorder.paper)
            return
        from revkit.execution.early_stop import Stopping

        self.stopping = Stopping(self.experiment, stop)
        for portion in stop.portions():
            before = len(recorder.papers)
            self.in_batches(loop, progress, before, portion)
            # No paper beyond the look begins, so none is paid for.
            going = loop.run(islice(papers, portion), recorder.paper)
            settled = going and self.stopping.settle(recorder)
            if not going or len(recorder.papers) - before < portion:
                self.stopping.stopped = False  # the corpus has ended
                break
            if settled:
                break
        self.worker.early[:] = self.stopping.warnings()

    def in_batches(
        self, loop: Loop, progress: Progress, first: int = 0, portion: int | None = None
    ) -> None:
        """Answer the calls of the items in batches, where models are set to it; of ``portion``
        papers from number ``first`` on (from 0), if given.
        """
        if self.recorded is not None or not (self.worker.asks and self.experiment.llm.batches):
            return
        from revkit.execution.rounds import Sources, answer_in_batches, papers_of

        listed = partial(papers_of, self.experiment, self.worker, holds=self.holds)
        last = None if portion is None else first + portion
        sources: Sources = {"papers": lambda: islice(listed("papers"), first, last)}
        if self.experiment.calibration is not None and first == 0:
            sources = {**sources, "anchors": lambda: listed("anchors")}
        made = answer_in_batches(
            self.experiment,
            self.graph,
            self.store,
            self.worker,
            self.stop,
            self.lost,
            self.children,
            sources,
            progress.note,
        )
        # The run finds these answers in the store, but it was this command that computed them.
        loop.counts.computed += made
        loop.counts.stored -= made

    def holds(self, paper: Paper) -> bool:
        """Whether ``paper`` belongs to this run."""
        return True

    def attack(self, recorder: Recorder, counts: Counts, progress: Progress) -> None:
        """Search for edits that move the agents, where the experiment has an attacker."""
        if self.experiment.attack is None:
            return
        from revkit.execution.attack import AttackStage

        progress.stage("attacks")
        answers = Answers(self.store, self.lost)
        stage = AttackStage(
            self.experiment,
            self.graph,
            answers,
            self.worker,
            recorder,
            counts,
            self.stop,
            self.recorded,
        )
        with self.observer.begin("stage", stage="attacks"):
            stage.run()
        self.check_stop(recorder)

    def probe(self, recorder: Recorder) -> None:
        """Measure how far agents read, if a metric requires it."""
        for row, failure in probe_agents(
            self.experiment,
            self.graph,
            self.store,
            self.worker,
            recorder,
            self.recorded,
            lambda: self.check_stop(recorder),
        ):
            recorder.probe(row, failure)

    def conclude(self, recorder: Recorder, whole: AllNodes) -> tuple[Records, list[Table], str]:
        """Fit the maps, compute the tables, write the reports; return the records, the tables and
        the text to print.
        """
        experiment = self.experiment
        agents = agent_rows(experiment.agent_steps.items())
        judges = agent_rows(experiment.judge_steps.items())
        self.worker.noted += map(
            contradiction_warning,
            (
                *find_contradictions(agents, recorder.verdicts, recorder.scores),
                *find_contradictions(judges, recorder.judgements),
            ),
        )
        guarded = {
            name for name, step in experiment.agent_steps.items() if guards_of(step.defenses)
        }
        self.worker.noted += against_scale_warnings(agents, recorder.verdicts, guarded)
        if experiment.calibration is not None and experiment.has_synthetic_anchors:
            corpus = experiment.calibration.anchors or experiment.corpus
            self.worker.noted.append(synthetic_anchors_warning(corpus.name))
        labels = {row.id: row.labels for row in recorder.anchors}
        maps = whole.fit(agents, labels, recorder.scores)
        recorder.maps(maps)
        self.used = used_by_calls(recorder, self.store)
        records = records_of(experiment, recorder, maps, self.used)
        spec, rows = experiment.deciding(), digest_of_rows(records)
        tables = whole.measure(records, digest_of([recorder.digest, spec, rows]))
        versions = package_versions()
        if self.recorded is not None and not self.recorded.concludes:
            versions = dict(self.recorded.versions)
        contents: list[Json] = [recorder.digest, spec, versions, rows]
        contents.extend(table.to_json() for table in tables)
        contents += [card.to_json() for card in whole.cards]
        descriptions, controls = descriptions_of(experiment), controls_of(experiment)
        contents += [dict(descriptions), sorted(controls)]
        view = RunView(
            name=experiment.name,
            spec=spec,
            records=records,
            tables=tuple(tables),
            versions=versions,
            digest=digest_of(contents),
            text_of=recorder.text_of,
            edits_of=recorder.edits_of,
            title_of=lambda paper: recorder.titles.get(paper) or paper,
            outcomes_of=recorder.outcomes_of,
            cards=whole.cards,
            descriptions=descriptions,
            controls=controls,
        )
        if experiment.cards:
            write_cards(self.folder, whole.cards)
        return records, tables, whole.report(view, self.folder)

    def expected(self) -> tuple[int | None, int | None]:
        """Return the maximum number of papers and items, if known."""
        if self.recorded is not None:
            return None, None
        plan = build_plan(self.experiment)
        counts = (plan.variants, plan.reviews, plan.judgements, plan.anchors)
        return plan.papers, None if None in counts else sum(count or 0 for count in counts)

    def source(self) -> Iterable[Paper | Skipped]:
        """Return the papers of the corpus, or those that a stored run recorded."""
        if self.recorded is not None:
            return self.recorded.papers
        return self.worker.papers_of(self.experiment.corpus)

    def papers(self, recorder: Recorder) -> Iterator[Paper]:
        """Yield the papers of the corpus up to the limit; skipped and duplicate records are
        recorded.
        """
        experiment = self.experiment
        # The papers of a recorded run are the sample.
        sample = None if self.recorded is not None else experiment.sample
        corpus, limit = experiment.corpus, experiment.limit
        for item in read_corpus(corpus, self.source, limit, sample, self.has_prose):
            if isinstance(item, Skipped):
                self.skip(recorder, item)
            elif self.is_paper(item) and self.takes("papers", item):
                yield item

    @property
    def has_prose(self) -> HasProse | None:
        """Whether a paper has prose; None for a replay, whose run decided that."""
        return ProseOfPapers(self.store) if self.recorded is None else None

    def skip(self, recorder: Recorder, item: Skipped) -> None:
        """Record a record of the corpus that was skipped."""
        recorder.skip(item)

    def is_paper(self, item: Paper) -> bool:
        """Whether an item of the corpus is a paper of the experiment, not an anchor."""
        return self.recorded is not None or not set_aside(self.experiment, item)

    def anchors(self, recorder: Recorder) -> Iterator[Paper]:
        """Yield the anchors: those of their own corpus, or those drawn from the experiment's
        corpus.
        """
        calibration = self.experiment.calibration
        assert calibration is not None
        corpus = calibration.anchors or self.experiment.corpus
        limit, sample = None, None
        if self.recorded is not None:
            source = self.recorded.anchors
        else:
            source = self.worker.papers_of(corpus)
            if calibration.anchors is None:
                limit, sample = self.experiment.limit, self.experiment.sample
        for item in read_corpus(corpus, lambda: source, limit, sample, self.has_prose):
            if isinstance(item, Skipped):
                # Of the experiment's own corpus they are recorded with its papers.
                if calibration.anchors is not None or self.recorded is not None:
                    recorder.skip_anchor(item)
            elif (
                calibration.share is None or self.recorded or set_aside(self.experiment, item)
            ) and self.takes("anchors", item):
                yield item

    def takes(self, source: str, paper: Paper) -> bool:
        """Whether this run handles ``paper``, which comes from the node ``source``."""
        return True

    def check_stop(self, recorder: Recorder) -> None:
        """Raise `Interrupted` if the run was asked to stop."""
        if self.stop.is_set():
            raise Interrupted(
                f"stopped after {count_of(len(recorder.papers), 'complete paper')}; all answers "
                "are stored, and the same command continues from here"
            )

    def check_papers(self, recorder: Recorder) -> None:
        """Raise `RunError` if the corpus gave no paper."""
        if recorder.papers:
            return
        skipped = _skipped(recorder.skipped, recorder.first_skipped)
        calibration = self.experiment.calibration
        if calibration is not None and calibration.share is not None:
            raise RunError(
                f"corpus {self.experiment.corpus.name!r} has no papers besides the anchors; set a "
                f"smaller calibration.share, or take more papers{skipped}"
            )
        remedy = (
            "correct the skipped records, or the options of the corpus"
            if skipped
            else "check its options"
        )
        raise RunError(
            f"corpus {self.experiment.corpus.name!r} returned no paper; {remedy}{skipped}"
        )

    def check_anchors(self, recorder: Recorder) -> None:
        """Raise `RunError` if the run has no anchor."""
        if recorder.anchors:
            return
        calibration = self.experiment.calibration
        assert calibration is not None
        if calibration.anchors is None:
            raise RunError(
                f"no paper of corpus {self.experiment.corpus.name!r} was drawn as an anchor; "
                "set a larger calibration.share, or take more papers"
            )
        raise RunError(
            f"corpus {calibration.anchors.name!r} returned no anchor; check its options (the "
            "agents' answers about the papers are stored)"
            + _skipped(recorder.anchors_skipped, recorder.first_anchors_skipped)
        )


def counted(counts: Counts) -> dict[str, Fact]:
    """The numbers of items, for those who observe a run."""
    return {"computed": counts.computed, "stored": counts.stored, "failed": counts.failed}


def _skipped(counts: Mapping[str, int], first: Mapping[str, str]) -> str:
    """Return why records were skipped, with how many and the first of each; "" if none was."""
    lines = [
        f"\n  skipped: {first[reason]}{f' and {count - 1:,} more' if count > 1 else ''}: {reason}"
        for reason, count in counts.items()
    ]
    return "".join(lines)
