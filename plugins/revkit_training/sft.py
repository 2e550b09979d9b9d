"""Exporting: a training set that shares no paper with a bench, with all that was left out of it.

Everything that is written follows from the content of corpus, bench, agent and seed: no clock, no
path, no order of records.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from revkit import __version__
from revkit.contracts import Agent, ExperimentView, Exported
from revkit.errors import Problem, RunError, SpecError
from revkit.model.paper import Skipped
from revkit.options import unknown_name
from revkit_training.bench import Bench, read_bench
from revkit_training.making import (
    Maker,
    PaperSource,
    digest_of_sources,
    ordered,
    validates,
    without_copies,
)
from revkit_training.outcome import FORMAT, ExportOutcome, rows_of
from revkit_training.settings import Settings
from revkit_training.spool import Spool, Written, write_conversations, write_lines
from revkit_training.summary import summary_of
from revkit_training.trainers import COMPLETION, MESSAGES, configurations

_MANIFEST = "manifest.json"
_FILES = (
    *(f"{form}/train.jsonl" for form in (MESSAGES, COMPLETION)),
    *(f"{form}/validation.jsonl" for form in (MESSAGES, COMPLETION)),
    "examples.jsonl", "excluded.jsonl", "skipped.jsonl", "trl.yaml", "swift.yaml",
    "accelerate-zero3.yaml", _MANIFEST,
)  # fmt: skip


@dataclass(frozen=True)
class TrainingSet(Settings):
    """Write a training set for the model of an agent, disjoint from a bench.

    Each human review of each paper in the corpus of SPEC (with aggregated reviews: the one that was
    made of them) becomes a conversation: what the agent asks its model, and the review as the
    reply. Papers that are in the bench, or nearly, are left out: those of the same identifier, text
    or title, and those of which a share of runs of five words is in a paper of the bench, or the
    other way round. manifest.json counts all that was left out, and why. Nobody is asked, and the
    same content gives the same bytes, in any order of records.
    """

    name: ClassVar[str] = "sft"
    version: ClassVar[str] = "1"
    folder: ClassVar[str] = "training"

    def export(self, experiment: ExperimentView, folder: Path) -> Exported:
        """Write the training set to ``folder``.

        Raises `RunError` where the agent trains nothing, a record of the bench cannot be compared,
        or nothing is left to train on.
        """
        agent = self._agent(experiment)
        _check_folder(folder)
        bench = read_bench([Path(each) for each in self.bench], experiment, self.threshold)
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".part-", dir=folder) as place:
            part = Path(place)
            with Spool(part / "spool") as spool:
                context = partial(experiment.context_of, self.agent)
                maker = Maker(agent, context, self.reviews, bench, spool)
                sources, skipped = _read(experiment, maker)
                manifest = self._write(part, experiment, bench, sources, skipped, spool)
            for name in _FILES:
                _move(part / name, folder / name)
        return Exported(summary_of(manifest), manifest)

    def _agent(self, experiment: ExperimentView) -> Agent:
        """The agent to train. Raises before anything is read where it cannot be."""
        if self.agent not in experiment.agents:
            raise SpecError([Problem(unknown_name("agent", self.agent, experiment.agents))])
        agent = experiment.agents[self.agent]
        if type(agent).training_example is Agent.training_example:
            raise RunError(f"agent {self.agent!r} ({agent.name}) has no model to train")
        if self.agent in experiment.screened:
            raise RunError(
                f"agent {self.agent!r} has defenses, which change the papers that it reads; name "
                "it without them in the spec of its training"
            )
        return agent

    def _write(
        self,
        folder: Path,
        experiment: ExperimentView,
        bench: Bench,
        sources: Sequence[PaperSource],
        skipped: Sequence[Skipped],
        spool: Spool,
    ) -> dict[str, Any]:
        allowed = [each for each in sources if each.compared.match is None]
        left, copies = without_copies(allowed)
        outcome = ExportOutcome(bench, sources, skipped, left, copies, self.reviews)
        seed, share = experiment.seed, self.validation
        splits: dict[str, list[PaperSource]] = {"train": [], "validation": []}
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
            model=self.model,
            devices=self.devices,
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
                "name": self.agent,
                "component": experiment.agents[self.agent].name,
                "fingerprint": experiment.fingerprint_of(self.agent),
            },
            "corpus": {"component": experiment.corpus, "digest": digest_of_sources(sources)},
            **outcome.manifest(self, examples),
            "files": {name: each.to_json() for name, each in sorted(files.items())},
        }
        text = json.dumps(manifest, indent=1, ensure_ascii=False) + "\n"
        (folder / _MANIFEST).write_text(text, encoding="utf-8", newline="\n")
        return manifest


def _check_folder(out: Path) -> None:
    """Raise where ``out`` holds what is not of an earlier export."""
    if not out.exists():
        return
    if not out.is_dir():
        raise RunError(f"{out} is not a folder; choose another with --out")
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


def _read(experiment: ExperimentView, maker: Maker) -> tuple[list[PaperSource], list[Skipped]]:
    """Go through the corpus once."""
    sources: list[PaperSource] = []
    skipped: list[Skipped] = []
    for item in experiment.papers():
        if isinstance(item, Skipped):
            skipped.append(item)
        else:
            sources.append(maker.of(item))
    if not sources:
        raise RunError(f"corpus {experiment.corpus!r} gave no paper")
    return sources, skipped
