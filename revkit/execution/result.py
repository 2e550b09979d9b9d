"""Write the files of a finished run other than its records and reports."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from revkit.execution.fault import Fault
from revkit.execution.folder import RunFolder
from revkit.execution.loop import Counts
from revkit.execution.metric_records import pair_sets_of, subjects_of
from revkit.execution.model_usage import Used, ledger_rows
from revkit.execution.provenance import provenance
from revkit.execution.record import Recorder
from revkit.execution.work import ItemWorker
from revkit.files import write_csv
from revkit.files.yaml_source import to_yaml
from revkit.model.card import AgentCard
from revkit.model.records import count_variants
from revkit.model.table import Table
from revkit.model.values import Json, canonical_json
from revkit.spec import Experiment
from revkit.spec.resolved_spec import without_machine

if TYPE_CHECKING:
    from revkit.execution.early_stop import Stopping


def write_tables(folder: RunFolder, tables: Sequence[Table]) -> None:
    """Write each table as JSON Lines and CSV."""
    for table in tables:
        rows = "".join(canonical_json(row) + "\n" for row in table.records())
        folder.write(f"tables/{table.name}.jsonl", rows)
        path = folder.target(f"tables/{table.name}.jsonl")
        target = folder.target(f"tables/{table.name}.csv")
        write_csv(path, target, tuple(column.name for column in table.columns))


def write_result(
    folder: RunFolder,
    experiment: Experiment,
    recorder: Recorder,
    tables: Sequence[Table],
    faults: Sequence[Fault],
    stopping: Stopping | None = None,
) -> None:
    """Write ``result.json`` and the resolved spec."""
    variants = count_variants(recorder.variants)
    result: dict[str, Json] = {
        "revkit": 1,
        "name": experiment.name,
        "experiment": experiment.digest,
        "records": recorder.digest,
        "papers": len(recorder.papers),
        "skipped": dict(sorted(recorder.skipped.items())),
        "variants": variants.attempted,
        "rejected": variants.attempted - variants.made,
        "outcomes": len(recorder.verdicts),
        "failures": sum(bool(verdict.failure) for verdict in recorder.verdicts),
    }
    if recorder.sampled is not None:
        result["sample"] = recorder.sampled.to_json()
    pair_sets = pair_sets_of(experiment)
    if pair_sets:
        result["pair_sets"] = [each.to_json() for each in pair_sets]
    if experiment.judges:
        result["judgements"] = len(recorder.judgements)
        result["failed_judgements"] = sum(bool(row.failure) for row in recorder.judgements)
    if experiment.attack is not None:
        result["attacks"] = len(recorder.attacks)
        result["attack_queries"] = recorder.queries
        result["failed_attack_queries"] = recorder.failed_queries
    if experiment.calibration is not None:
        result["anchors"] = len(recorder.anchors)
        result["anchors_skipped"] = dict(sorted(recorder.anchors_skipped.items()))
        result["anchor_scores"] = len(recorder.scores)
        result["failed_anchor_scores"] = sum(bool(row.failure) for row in recorder.scores)
    if stopping is not None:
        result["stop_when"] = stopping.to_json()
    result["faults"] = [fault.to_json() for fault in faults]
    result["tables"] = [table.to_json() for table in tables]
    folder.write("result.json", indented(result))
    folder.write("spec.yaml", to_yaml(without_machine(experiment.to_json())))


def write_cards(folder: RunFolder, cards: Sequence[AgentCard]) -> None:
    """Write ``cards.json``: the card of each agent."""
    folder.write("cards.json", indented({"cards": [card.to_json() for card in cards]}))


def write_ledger(
    folder: RunFolder, experiment: Experiment, recorder: Recorder, used: Mapping[str, Used]
) -> None:
    """Write ``ledger.json``, the usage of the replies behind the answers, if the run may call
    models.
    """
    if any("llm" in component.uses for _, component in experiment.components()):
        folder.write("ledger.json", indented(ledger_rows(recorder, used)))


def utc_text(moment: float) -> str:
    """Return a time with microseconds, because runs with cached answers may start within one
    second.
    """
    return datetime.fromtimestamp(moment, UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def write_provenance(
    folder: RunFolder,
    experiment: Experiment,
    worker: ItemWorker,
    counts: Counts,
    anchors_stored: int,
    started: float,
    counted: float,
    contents: Mapping[str, Json] | None,
) -> None:
    """Write the facts of the execution: clock, machine, versions, and spending on language models.

    ``started`` and ``counted`` are the times at which items began and ended; ``anchors_stored``
    counts the scores of anchors that were cached, and may be older than the run. ``contents`` are
    those of `component_contents`, None if the components were not used.
    """
    ended = time.time()
    timing: dict[str, Json] = {
        "workers": experiment.workers,
        "processes": experiment.processes,
        "started": utc_text(started),
        "seconds": round(ended - started, 3),
        "seconds_items": round(counted - started, 3),
        "seconds_tables_and_reports": round(ended - counted, 3),
        "items_computed": counts.computed,
        "items_stored": counts.stored,
        "anchor_scores_stored": anchors_stored,
        "texts_embedded": worker.embed.texts if worker.embed else 0,
        "seconds_embedding": round(worker.embed.seconds, 3) if worker.embed else 0.0,
        "agents": worker.clock.to_json(experiment.agent_steps),
    }
    about = provenance(experiment.components(), experiment.seed, timing)
    if contents is not None:
        about["contents"] = dict(contents)
    # What a finished run needs to be opened without its spec and plugins.
    about["subjects"] = subjects_of(experiment).to_json()
    # A run that found all answers in the store made no call to be warned of.
    spending = worker.spending()
    if spending is not None:
        # Latency, retries and failures differ from run to run.
        about["spending"] = spending
    about["warnings"] = [warning.to_json() for warning in worker.warnings()]
    folder.write("provenance.json", json.dumps(about, indent=1, ensure_ascii=False) + "\n")


def indented(value: Json) -> str:
    """Return a value as the text of a JSON file."""
    return json.dumps(value, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
