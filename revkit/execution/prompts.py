"""The prompts behind one review of a finished run, made again from its spec, records and store.

A run folder holds no prompts, and the store holds replies under the digest of what was asked. So
the agent reviews the text once more: each request is answered from the store, and none is sent. A
reply that is found proves the prompt, since its key is the SHA-256 of all that was asked.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from revkit.cache import Store
from revkit.contracts import Services
from revkit.dataclass import dataclass
from revkit.errors import PaperError, RunError, reason_of
from revkit.execution.bundle.export import check_code, experiment_of, read_json
from revkit.execution.bundle.rows import paper_of
from revkit.execution.work import ItemWorker
from revkit.execution.work.answer import Calls
from revkit.files.run_files import read_rows, records_folder
from revkit.model.edits import Edit
from revkit.model.exchange import ModelReply, ModelRequest
from revkit.model.paper import Paper
from revkit.model.review import Failure
from revkit.model.work import Work
from revkit.places import STORE
from revkit.registry import Registry
from revkit.spec import AgentStep, Experiment

_LOST = "the store has no reply to this prompt"


@dataclass(frozen=True)
class Prompt:
    """One request to a language model, and its stored reply.

    ``key`` is the SHA-256 of everything that decides the reply, in hexadecimal. ``reply`` is None
    if the store has no reply to exactly this request; then the prompt is not proved, and later
    prompts of the same review may be missing.
    """

    request: ModelRequest
    reply: ModelReply | None
    key: str


def prompts_of(
    run: Path,
    registry: Registry,
    agent: str,
    paper: str,
    family: str = "",
    variant: int = 0,
    repeat: int = 0,
    *,
    store: Path | None = None,
) -> list[Prompt]:
    """Return the prompts of one review of ``run``, in the order of asking.

    ``family`` is "" for the unchanged paper. Raises `RunError` for an agent that asks no language
    model, for a text that the run does not have, where the code or the store is not that of the
    run, and for variants and papers whose file the agent read.
    """
    store = store or STORE
    check_code(run, read_json(run, "provenance.json"), registry)
    experiment = experiment_of(run, registry)
    step = experiment.agent_steps.get(agent)
    if step is None:
        raise RunError(f"this run has no agent {agent!r}")
    if not any("llm" in part.uses for part in (step.component, *step.defenses)):
        raise RunError(
            f"agent {agent!r} asks no language model through revkit, so it has no prompt"
        )
    if "reviews" in step.component.uses:
        raise RunError(f"agent {agent!r} reads human reviews, which a run folder does not contain")
    if not store.is_file():
        raise RunError(f"there is no store {store}; name the store of the run with --store")
    seen = _seen(run, experiment, step, paper, family, variant)
    with Store(store) as answers, _Recalling(experiment, answers) as worker:
        worker.review(step, seen, repeat)
        return worker.prompts


class _Recalling(ItemWorker):
    """Answers each request from the store, and notes it."""

    def __init__(self, experiment: Experiment, store: Store) -> None:
        super().__init__(experiment, store)
        self.prompts: list[Prompt] = []
        self._noted = threading.Lock()

    def _complete(self, label: str, request: ModelRequest) -> ModelReply | Failure:
        assert self.gateway is not None
        key, reply = self.gateway.key(request), self.gateway.stored(request)
        with self._noted:
            self.prompts.append(Prompt(request, reply, key.hex()))
        return Failure("provider", _LOST) if reply is None else reply

    def _noting(self, services: Services, label: str, calls: Calls) -> Services:
        return replace(services, complete=lambda request: self._complete(label, request))

    def _gather(self, calls: Sequence[Any]) -> list[Any]:
        return [call() for call in calls]  # one after the other: prompts keep their order

    def _search(self, query: str, limit: int) -> Sequence[Work] | Failure:
        found = self.found_before(query, limit)
        return (
            Failure("provider", "the store has no result of this search")
            if found is None
            else found
        )


def _seen(
    run: Path, experiment: Experiment, step: AgentStep, name: str, family: str, variant: int
) -> Paper:
    """Return the text as the agent saw it, before its defenses."""
    records = records_folder(run)
    row = next((row for row in read_rows(records / "papers.jsonl") if row.get("id") == name), None)
    if row is None:
        raise RunError(f"this run has no paper {name!r}")
    seen = paper_of(row, row.get("text"), row.get("title")).blind()
    if family:
        seen = seen.edited(_edits(records, name, family, variant)).blind().laid_out("")
    elif experiment.makes_variants or step.defenses:
        seen = seen.laid_out("")
    return seen.for_reader(step.component.formats)


def _edits(records: Path, paper: str, family: str, variant: int) -> list[Edit]:
    wanted = (paper, family, variant)
    for row in read_rows(records / "variants.jsonl"):
        if (row.get("paper"), row.get("perturbation"), row.get("index")) == wanted:
            if row.get("layout"):
                raise RunError(
                    "this variant changes the layout of a file; its prompt cannot be shown"
                )
            try:
                return [Edit.from_json(edit) for edit in row["edits"]]
            except (KeyError, TypeError, ValueError, PaperError) as error:
                raise RunError(f"a variant has an unexpected form: {reason_of(error)}") from None
    raise RunError(f"this run has no variant {family!r} {variant} of paper {paper!r}")
