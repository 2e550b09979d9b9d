"""Exporting: a training set that shares no paper with a bench, with all that was left out of it.

Everything that is written follows from the content of corpus, bench, agent and seed: no clock, no
path, no order of records.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from revkit import __version__
from revkit.cache import Store
from revkit.contracts import Agent
from revkit.errors import Problem, RunError, SpecError
from revkit.execution.sources import read_corpus
from revkit.execution.training.bench import Bench, read_bench
from revkit.execution.training.making import (
    Maker,
    Source,
    digest_of_sources,
    ordered,
    validates,
    without_copies,
)
from revkit.execution.training.outcome import FORMAT, Outcome, rows_of
from revkit.execution.training.settings import Settings
from revkit.execution.training.spool import Spool, Written, write_conversations, write_lines
from revkit.execution.training.trainers import COMPLETION, MESSAGES, configurations
from revkit.execution.work import Desk
from revkit.model.paper import Skipped
from revkit.options import unknown_name
from revkit.registry import Registry
from revkit.spec import Experiment
from revkit.spec.fingerprints import agent_fingerprint

_MANIFEST = "manifest.json"
_FILES = (
    *(f"{form}/train.jsonl" for form in (MESSAGES, COMPLETION)),
    *(f"{form}/validation.jsonl" for form in (MESSAGES, COMPLETION)),
    "examples.jsonl", "excluded.jsonl", "skipped.jsonl", "trl.yaml", "swift.yaml",
    "accelerate-zero3.yaml", _MANIFEST,
)  # fmt: skip


@dataclass(frozen=True)
class TrainingSet:
    """A training set that was written: its folder, its manifest, and the main counts."""

    folder: Path
    manifest: Mapping[str, Any]
    train: int
    validation: int
    excluded: int


def export_training_set(
    experiment: Experiment,
    bench: Sequence[Path],
    out: Path,
    settings: Settings,
    registry: Registry,
    *,
    store: Path | None = None,
) -> TrainingSet:
    """Write the training set of one agent of ``experiment`` to the folder ``out``."""
    agent = _agent(experiment, settings)
    _check_folder(out)
    known = read_bench(bench, registry, settings.threshold)
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".part-", dir=out) as place:
        folder = Path(place)
        with Spool(folder / "spool") as spool:
            maker = Maker(agent, experiment.seed, settings.reviews, known, spool)
            sources, skipped = _read(experiment, maker, store)
            manifest = _write(folder, experiment, settings, known, sources, skipped, spool)
        for name in _FILES:
            _move(folder / name, out / name)
    counts = manifest["examples"]
    return TrainingSet(
        out,
        manifest,
        counts["train"],
        counts["validation"],
        sum(manifest["papers"]["excluded"].values()),
    )


def _agent(experiment: Experiment, settings: Settings) -> Agent:
    """The agent to train. Raises before anything is read where it cannot be."""
    steps = experiment.agent_steps
    if settings.agent not in steps:
        raise SpecError([Problem(unknown_name("agent", settings.agent, steps))])
    step = steps[settings.agent]
    agent = step.component
    if type(agent).training_example is Agent.training_example:
        raise RunError(f"agent {settings.agent!r} ({agent.name}) has no model to train")
    if step.defenses:
        raise RunError(
            f"agent {settings.agent!r} has defenses, which change the papers that it reads; name "
            "it without them in the spec of its training"
        )
    return agent


def _check_folder(out: Path) -> None:
    """Raise where ``out`` holds what is not of an earlier export."""
    if not out.exists():
        return
    if not out.is_dir():
        raise RunError(f"{out} is no folder; choose another with --out")
    try:
        with (out / _MANIFEST).open(encoding="utf-8") as file:
            ours = json.load(file).get("format") == FORMAT
    except (OSError, ValueError, AttributeError):
        ours = False
    if not ours and any(out.iterdir()):
        raise RunError(f"{out} holds other files and no training set; choose another with --out")


def _move(new: Path, old: Path) -> None:
    if new.exists():
        old.parent.mkdir(parents=True, exist_ok=True)
        os.replace(new, old)
    else:
        old.unlink(missing_ok=True)


def _read(
    experiment: Experiment, maker: Maker, store: Path | None
) -> tuple[list[Source], list[Skipped]]:
    """Go through the corpus once. Only one that asks models (for aggregated reviews) is served."""
    corpus = experiment.corpus
    serve = bool(corpus.models())
    place = (store or Path(".revkit") / "store.sqlite3") if serve else None
    sources: list[Source] = []
    skipped: list[Skipped] = []
    with Store(place) as answers, Desk(experiment, answers, serve=serve) as desk:
        troubles = desk.troubles(corpus) if serve else list(corpus.ready())
        if troubles:
            raise RunError(f"corpus {corpus.name!r} cannot be read: {'; '.join(troubles)}")
        for item in read_corpus(corpus, lambda: desk.papers_of(corpus), experiment.limit):
            if isinstance(item, Skipped):
                skipped.append(item)
            else:
                sources.append(maker.of(item))
    if not sources:
        raise RunError(f"corpus {corpus.name!r} gave no paper")
    return sources, skipped


def _write(
    folder: Path,
    experiment: Experiment,
    settings: Settings,
    bench: Bench,
    sources: Sequence[Source],
    skipped: Sequence[Skipped],
    spool: Spool,
) -> dict[str, Any]:
    allowed = [each for each in sources if each.compared.match is None]
    left, copies = without_copies(allowed)
    outcome = Outcome(bench, sources, skipped, left, copies, settings.reviews)
    seed, share = experiment.seed, settings.validation
    splits: dict[str, list[Source]] = {"train": [], "validation": []}
    for source in left:
        splits["validation" if validates(source, seed, share) else "train"].append(source)
    examples = {name: list(ordered(part, seed)) for name, part in splits.items()}
    if not examples["train"]:
        raise RunError(f"there is nothing to train on: {outcome.told()}")
    files: dict[str, Written] = {}
    for name, part in examples.items():
        if part:
            kept = [each.kept for each in part]
            files.update(write_conversations(folder, name, kept, spool))
    rows = {
        "examples.jsonl": rows_of(examples),
        "excluded.jsonl": outcome.excluded_rows(),
        "skipped.jsonl": outcome.skipped_rows(),
    }
    texts = configurations(
        model=settings.model,
        devices=settings.devices,
        seed=seed,
        validation=bool(examples["validation"]),
    )
    lines = {name: text.encode().splitlines() for name, text in texts.items()}
    for name, each in {**rows, **lines}.items():
        files[name] = write_lines(folder / name, each)
    manifest: dict[str, Any] = {
        "format": FORMAT,
        "revkit": __version__,
        "seed": seed,
        "agent": {
            "name": settings.agent,
            "component": experiment.agent_steps[settings.agent].component.name,
            "fingerprint": agent_fingerprint(experiment, settings.agent),
        },
        "corpus": {"component": experiment.corpus.name, "digest": digest_of_sources(sources)},
        **outcome.manifest(settings, examples),
        "files": {name: each.to_json() for name, each in sorted(files.items())},
    }
    text = json.dumps(manifest, indent=1, ensure_ascii=False) + "\n"
    (folder / _MANIFEST).write_text(text, encoding="utf-8", newline="\n")
    return manifest
