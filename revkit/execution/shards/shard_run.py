"""Run one shard of an experiment: its items alone, without maps, tables and reports."""

from __future__ import annotations

import hashlib
import json
import os
import threading
from pathlib import Path

import revkit
from revkit.cache import Store
from revkit.dataclass import dataclass
from revkit.execution.folder import RunFolder
from revkit.execution.keys import key_base
from revkit.execution.loop import Counts
from revkit.execution.model_usage import LostCalls, used_by_calls
from revkit.execution.progress import progress_for
from revkit.execution.provenance import (
    component_contents,
    component_versions,
    package_versions,
)
from revkit.execution.record import Recorder
from revkit.execution.result import indented
from revkit.execution.runner import Runner, counted, limits_of, refuse_expired
from revkit.execution.shards.shard import Shard, share_of_limits
from revkit.execution.warning import RunWarning
from revkit.execution.work import ItemWorker
from revkit.figures.numbers import count_of
from revkit.files.yaml_source import to_yaml
from revkit.identity import core_digest
from revkit.model.paper import Paper, Skipped, Undrawn
from revkit.model.values import Json, canonical_bytes
from revkit.observing import followed
from revkit.planning import build_graph
from revkit.spec import Experiment
from revkit.spec.resolved_spec import without_machine

ABOUT = "shard.json"
STORE_NAME = "store.sqlite3"
FORMAT = 2


@dataclass(frozen=True)
class ShardRun:
    """One finished shard: its folder, the numbers of its papers and anchors, and its counts.

    ``failed`` counts the items without an answer: the same command asks for them again.
    """

    folder: Path
    shard: Shard
    papers: int
    anchors: int
    counts: Counts
    failed: int
    changed_files: tuple[str, ...] = ()
    warnings: tuple[RunWarning, ...] = ()
    out_of_budget: bool = False

    @property
    def exit_code(self) -> int:
        """The exit code: 0 success, 1 items failed."""
        return 1 if self.failed else 0

    @property
    def closing(self) -> str:
        """One line: the number of papers, what was computed, and the folder."""
        failed = f", {self.failed:,} failed" if self.failed else ""
        papers = self.papers + self.anchors
        return (
            f"shard {self.shard}: {count_of(papers, 'paper')}{failed}: {self.counts.text}. "
            f"Results: {self.folder}"
        )


def run_shard(
    experiment: Experiment,
    shard: Shard,
    *,
    out: Path | None = None,
    store: Path | None = None,
    overwrite: bool = False,
    quiet: bool = True,
    stop: threading.Event | None = None,
    at_once: int | None = None,
    known: Path | None = None,
) -> ShardRun:
    """Run the items of ``shard`` and write them to the folder ``OUT/NUMBER-of-COUNT``.

    ``out`` is the folder of all shards (default ``runs/NAME-DIGEST.shards``), ``store`` the file of
    answers (default ``store.sqlite3`` in the folder of the shard). Every shard reads the whole
    corpus, and handles the papers whose content falls to it. The same command continues a stopped
    shard, and computes nothing if it is complete. Limits of requests and tokens a minute are
    divided by the number of shards, and so is the budget, unless ``store`` names a common store.
    ``at_once`` is the number of shards that run at the same time, if it is known to be smaller;
    ``known`` is a store that nobody writes to, whose answers are used too.
    """
    refuse_expired(experiment)
    out = out or Path("runs") / f"{experiment.name}-{experiment.digest[:8]}.shards"
    place = out / shard.folder
    limited = share_of_limits(experiment, shard, share_budget=store is None, at_once=at_once)
    stop = stop or threading.Event()
    with RunFolder(place, shard.digest(experiment.digest), overwrite=overwrite) as folder:
        path = store or place / STORE_NAME
        with (
            Store(path, known) as answers,
            followed(folder.path, limits_of(limited)),
            ItemWorker(limited, answers, stop) as worker,
        ):
            lost: frozenset[str] = frozenset()
            while True:
                runner = _ShardRunner(limited, folder, answers, worker, stop, quiet, lost=lost)
                try:
                    with runner.observed(shard=str(shard)) as opened:
                        part = runner.run_part(experiment, shard, path)
                        opened.note(**counted(part.counts))
                    return part
                except LostCalls as error:
                    if error.calls <= lost:
                        raise
                    lost |= error.calls


class _ShardRunner(Runner):
    """A run over the papers of one shard."""

    def run_part(self, experiment: Experiment, shard: Shard, store: Path) -> ShardRun:
        self.shard = shard
        self.looks = False  # which papers are used is decided when all shards are merged
        self.seen = {"papers": 0, "anchors": 0}
        self.taken: dict[str, list[int]] = {"papers": [], "anchors": []}
        self.skips: list[int] = []
        self.corpus = hashlib.sha256()
        # Now, because a reviewer or a person may change a file while the shard works.
        self.contents = component_contents(self.experiment.components())
        recorder = Recorder(self.folder, self.experiment, self.facts)
        finished = False
        try:
            with progress_for(None, None, quiet=self.quiet) as progress:
                loop, _ = self.items(recorder, progress)
            used_by_calls(recorder, self.store)  # a lost reply is asked for by the shard
            finished = True
        finally:
            recorder.close(finish=finished)
        self.folder.write("spec.yaml", to_yaml(without_machine(experiment.to_json())))
        about = self.about(experiment, recorder, loop.counts, store)
        self.folder.write(ABOUT, indented(about))
        self.folder.finish()
        self.worker.recorded()
        return ShardRun(
            self.folder.path,
            shard,
            len(recorder.papers),
            len(recorder.anchors),
            loop.counts,
            _failed(recorder),
            self.worker.changed_files.names,
            self.worker.warnings(),
            any(verdict.failure == "budget" for verdict in recorder.verdicts),
        )

    def skip(self, recorder: Recorder, item: Skipped) -> None:
        """Record a skipped record, and how many papers came before it."""
        super().skip(recorder, item)
        if not isinstance(item, Undrawn):
            self.skips.append(self.seen["papers"])

    def takes(self, source: str, paper: Paper) -> bool:
        number = self.seen[source]
        self.seen[source] += 1
        self.corpus.update(canonical_bytes([source, paper.id, paper.digest]))
        if not self.holds(paper):
            return False
        self.taken[source].append(number)
        return True

    def holds(self, paper: Paper) -> bool:
        """Whether ``paper`` belongs to this shard."""
        return self.shard.holds(paper.digest)

    def check_papers(self, recorder: Recorder) -> None:
        """Raise `RunError` if the corpus has no paper at all; a shard may have none."""
        if not self.seen["papers"]:
            super().check_papers(recorder)

    def check_anchors(self, recorder: Recorder) -> None:
        """Raise `RunError` if there is no anchor at all; a shard may have none."""
        if not self.seen["anchors"]:
            super().check_anchors(recorder)

    def probe(self, recorder: Recorder) -> None:
        """Probe the agents with the longest paper of the shard; one of them is that of the run."""
        if recorder.papers:
            super().probe(recorder)

    def about(
        self, experiment: Experiment, recorder: Recorder, counts: Counts, store: Path
    ) -> dict[str, Json]:
        """Return what a merge has to know of this shard."""
        peers = self.worker.peers
        return {
            "format": FORMAT,
            "revkit": revkit.__version__,
            "core": core_digest(),
            "name": experiment.name,
            "experiment": experiment.digest,
            "number": self.shard.number,
            "count": self.shard.count,
            "keys": {
                node.id: key_base(self.experiment, node, lambda: peers.digest).digest
                for node in build_graph(self.experiment).nodes
                if node.shape != "source"
            },
            "components": component_versions(self.experiment.components()),
            "contents": dict(self.contents),
            "packages": dict(package_versions()),
            "records": recorder.digest,
            "corpus": self.corpus.hexdigest(),
            "papers_of_corpus": self.seen["papers"],
            "anchors_of_corpus": self.seen["anchors"],
            "papers": list(self.taken["papers"]),
            "anchors": list(self.taken["anchors"]),
            "skipped": list(self.skips),
            "computed": counts.computed,
            "stored": counts.stored,
            "store": Path(os.path.relpath(store, self.folder.path)).as_posix(),
            "spending": json.loads(json.dumps(self.worker.spending())),
            "changed_files": list(self.worker.changed_files.names),
            "warnings": [warning.to_json() for warning in self.worker.warnings()],
        }


def _failed(recorder: Recorder) -> int:
    crashed = sum(row.outcome == "crashed" for row in recorder.variants)
    reviews = sum(bool(row.failure) for row in (*recorder.verdicts, *recorder.scores))
    judgements = sum(bool(row.failure) for row in recorder.judgements)
    return crashed + reviews + judgements + recorder.failed_queries
