"""The exporter `sft`: a training set that shares no paper with a benchmark, and a list of
omissions.

All files depend only on the content of corpus, bench, agent and seed, not on the time, on paths or
on the order of records.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from revkit import __version__
from revkit.contracts import Agent, ExperimentView, Exported
from revkit.dataclass import dataclass
from revkit.errors import Problem, RunError, SpecError
from revkit.files import json_in_file
from revkit.model.paper import Skipped
from revkit.options import unknown_name
from revkit_training.bench import Bench, read_bench
from revkit_training.conversations import (
    ConversationFile,
    WrittenFile,
    write_conversations,
    write_lines,
)
from revkit_training.example_maker import (
    Maker,
    PaperSource,
    digest_of_sources,
    is_for_validation,
    shuffle,
    without_copies,
)
from revkit_training.outcome import FORMAT, ExportOutcome, rows_of
from revkit_training.settings import Settings
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
    """Write a training set for the model of an agent, disjoint from a benchmark.

    Each human review of each paper in the corpus of SPEC (or the aggregated review of a paper)
    becomes a conversation: the prompt of the agent, and the review as the reply. Papers of the
    bench and near duplicates are left out: those with the same identifier, text or title, and
    those that share too many runs of five words with a paper of the bench. manifest.json counts
    everything that was left out, with reasons. No model is called, and the same content gives the
    same bytes, in any order of records.
    """

    name: ClassVar[str] = "sft"
    version: ClassVar[str] = "1"
    folder: ClassVar[str] = "training"

    def export(self, experiment: ExperimentView, folder: Path) -> Exported:
        """Write the training set to ``folder``.

        Raises `RunError` if the agent has no model to train, a record of the bench cannot be
        compared, or nothing is left to train on.
        """
        agent = self._agent(experiment)
        _check_folder(folder)
        bench = read_bench([Path(each) for each in self.bench], experiment, self.threshold)
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".part-", dir=folder) as place:
            part = Path(place)
            with ConversationFile(part / "spool") as stored:
                context = partial(experiment.context_of, self.agent)
                maker = Maker(agent, context, self.reviews, bench, stored)
                sources, skipped = _read(experiment, maker)
                manifest = self._write(part, experiment, bench, sources, skipped, stored)
            for name in _FILES:
                _move(part / name, folder / name)
        return Exported(summary_of(manifest), manifest)

    def _agent(self, experiment: ExperimentView) -> Agent:
        """Return the agent to train. Raises before anything is read if it cannot be trained."""
        if self.agent not in experiment.agents:
            raise SpecError([Problem(unknown_name("agent", self.agent, experiment.agents))])
        agent = experiment.agents[self.agent]
        if type(agent).training_example is Agent.training_example:
            raise RunError(f"agent {self.agent!r} ({agent.name}) has no model to train")
        if self.agent in experiment.screened:
            raise RunError(
                f"agent {self.agent!r} has defenses, which change the papers that it reads; use "
                "a spec with this agent without defenses"
            )
        return agent

    def _write(
        self,
        folder: Path,
        experiment: ExperimentView,
        bench: Bench,
        sources: Sequence[PaperSource],
        skipped: Sequence[Skipped],
        stored: ConversationFile,
    ) -> dict[str, Any]:
        allowed = [each for each in sources if each.compared.match is None]
        left, copies = without_copies(allowed)
        outcome = ExportOutcome(bench, sources, skipped, left, copies, self.reviews)
        seed, share = experiment.seed, self.validation
        splits: dict[str, list[PaperSource]] = {"train": [], "validation": []}
        for source in left:
            splits["validation" if is_for_validation(source, seed, share) else "train"].append(
                source
            )
        examples = {name: list(shuffle(part, seed)) for name, part in splits.items()}
        if not examples["train"]:
            raise RunError(f"nothing to train on: {outcome.explain()}")
        files: dict[str, WrittenFile] = {}
        for name, part in examples.items():
            if part:
                kept = [each.stored for each in part]
                files.update(write_conversations(folder, name, kept, stored))
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
    """Raise if ``out`` contains files that are not from an earlier export."""
    if not out.exists():
        return
    if not out.is_dir():
        raise RunError(f"{out} is not a folder; choose another with --out")
    try:
        ours = json_in_file(out / _MANIFEST).get("format") == FORMAT
    except (OSError, ValueError, AttributeError):
        ours = False
    if not ours and any(out.iterdir()):
        raise RunError(
            f"{out} contains files other than a training set; choose another folder with --out"
        )


def _move(new: Path, old: Path) -> None:
    if new.exists():
        old.parent.mkdir(parents=True, exist_ok=True)
        os.replace(new, old)
    else:
        old.unlink(missing_ok=True)


def _read(experiment: ExperimentView, maker: Maker) -> tuple[list[PaperSource], list[Skipped]]:
    """Read the corpus once."""
    sources: list[PaperSource] = []
    skipped: list[Skipped] = []
    for item in experiment.papers():
        if isinstance(item, Skipped):
            skipped.append(item)
        else:
            sources.append(maker.of(item))
    if not sources:
        raise RunError(f"corpus {experiment.corpus!r} returned no paper")
    return sources, skipped
