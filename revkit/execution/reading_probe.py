"""Measure how far each agent that calls a language model reads the longest paper of a run.

An agent that can be probed is asked once for three marker words. For any other, the tokens of its
prompts about the paper, where they are counted, bound what it can have read. All else is not known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, cast

from revkit.cache import KeyBase, Store
from revkit.errors import StoreError
from revkit.execution.keys import key_base
from revkit.execution.model_usage import used_by_call
from revkit.execution.record import Recorder
from revkit.execution.recorded_run import Recorded
from revkit.execution.work import Answer, ItemWorker, answer_from_json
from revkit.model.markers import PLACES, MarkedPaper
from revkit.model.paper import Paper
from revkit.model.records import PaperRow, ProbeRow
from revkit.model.review import Failure, Review
from revkit.model.values import Json
from revkit.planning import Graph
from revkit.planning.probes import ProbeStep, probe_steps, wants_probes
from revkit.spec import Experiment


def probe_agents(
    experiment: Experiment,
    graph: Graph,
    store: Store,
    worker: ItemWorker,
    recorder: Recorder,
    recorded: Recorded | None,
    check_stop: Callable[[], None],
) -> Iterator[tuple[ProbeRow, Failure | None]]:
    """Probe each agent that supports it once, and measure the others by their prompts.

    The paper is the longest in words (of several, the first by its digest), whatever the order of
    the corpus: whoever reads it whole reads all of them. An answer is stored like a review.
    """
    if not wants_probes(experiment):
        return
    row = min(recorder.papers, key=lambda row: (-row.words, row.digest))
    text = recorder.text_of(row.id)
    steps = probe_steps(experiment)
    for name, agent in experiment.agent_steps.items():
        if name in steps:
            check_stop()
            marked = MarkedPaper(Paper(row.id, text, recorder.titles[row.id]).blind())
            node = f"probe/{name}"
            known = recorded.keys if recorded else {}
            base = (
                KeyBase(known[node])
                if known
                else key_base(experiment, graph.by_id[node], _no_peers)
            )
            answer = _answer(steps[name], marked, base, store, worker, recorded, (row.id, node))
            recorder.note_probe(name, answer)
            yield _by_markers(name, row, marked, answer)
        elif "llm" in agent.component.uses:
            yield _by_tokens(name, row, text, recorder, store), None


def _no_peers() -> str:
    return ""


def _answer(
    step: ProbeStep,
    marked: MarkedPaper,
    base: KeyBase,
    store: Store,
    worker: ItemWorker,
    recorded: Recorded | None,
    place: tuple[str, str],
) -> Answer:
    paper, node = place
    if recorded is not None and (failed := recorded.answers.get((paper, node, 0, 0))):
        return failed
    key = base.item(marked.paper.digest, 0)
    stored = store.get_json(key)
    if stored is None:
        store.name_damaged(key, node)
        if recorded is not None:
            raise recorded.missing(node)
        answer = worker.probe(step.agent, marked.paper)
        if not answer.lasting:
            return answer
        stored = store.put_json(key, answer.to_json())
    return _read(stored, node, store)


def _read(stored: Json, node: str, store: Store) -> Answer:
    """Read a stored answer. Raises `StoreError` if a probe cannot have produced it."""
    try:
        answer = answer_from_json(cast(Any, stored), "review")
        outcome = answer.value
        if isinstance(outcome, Review) and isinstance(outcome.details["words"], list):
            return answer
    except (KeyError, TypeError, ValueError, AttributeError):
        pass
    raise StoreError(
        f"the store {store.path} contains an invalid answer of {node}; move the file to another "
        "place; its answers are then computed again"
    )


def _by_markers(
    agent: str, row: PaperRow, marked: MarkedPaper, answer: Answer
) -> tuple[ProbeRow, Failure | None]:
    size = len(marked.original.text)
    outcome = answer.value
    if isinstance(outcome, Failure):
        return ProbeRow(agent, row.id, "markers", size, failure=outcome.kind), outcome
    assert isinstance(outcome, Review)
    found = marked.places_of(map(str, cast(list[Json], outcome.details["words"])))
    ends = (0, marked.middle, size)
    unbroken = 0
    while unbroken < len(PLACES) and PLACES[unbroken] in found:
        unbroken += 1
    if not unbroken:  # no word of the start: it cannot be said from where on it reads
        return ProbeRow(agent, row.id, "markers", size, found), None
    least = ends[unbroken - 1]
    return ProbeRow(agent, row.id, "markers", size, found, least, ends[min(unbroken, 2)]), None


def _by_tokens(agent: str, row: PaperRow, text: str, recorder: Recorder, store: Store) -> ProbeRow:
    """Return an upper bound on the part of the paper in the longest prompt: a prompt has at least
    as many tokens as words.
    """
    from revkit.services.llm.truncation import fewest_tokens

    answers = recorder.answers.get((f"agents.{agent}", row.id), ())
    calls = {call for calls, _ in answers for call in calls}
    used = [used_by_call(store, call) for call in sorted(calls)]
    counts = [each.prompt_tokens for each in used if each and each.prompt_tokens is not None]
    fewest = fewest_tokens([text])
    most: int | None = None
    if counts and len(counts) == len(used) and max(counts) < fewest:
        most = len(text) * max(counts) // fewest
    return ProbeRow(agent, row.id, "tokens", len(text), most=most)
