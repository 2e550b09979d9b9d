"""Rounds: answer the calls of a run in batches before the run itself.

A round goes through papers and anchors like the run, records nothing, and sends every open call in
a batch. What becomes known is stored, so the next round gets further, until no call is open that a
batch can answer. Only nodes that ask a model, and those that lead to one, take part.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping

from revkit.cache import Store
from revkit.errors import Interrupted
from revkit.execution.keys import parts_of, services_behind
from revkit.execution.loop import Loop, PaperJob
from revkit.execution.processes import Children
from revkit.execution.progress import Progress
from revkit.execution.sources import read_corpus, set_aside
from revkit.execution.work import ItemWorker
from revkit.model.paper import Paper
from revkit.planning import Graph, Node
from revkit.spec import Experiment

Sources = Mapping[str, Callable[[], Iterator[Paper]]]


class RoundLoop(Loop):
    """A loop that computes only what asks a language model, or leads to a question."""

    def __init__(self, *given: object, asking: frozenset[str]) -> None:
        super().__init__(*given)  # type: ignore[arg-type]
        self._asking = asking

    def _schedule(
        self, job: PaperJob, node: Node, subject: Paper, index: int | None, first: int = 0
    ) -> None:
        if node.id in self._asking:
            super()._schedule(job, node, subject, index, first)

    def _left_out(self, judge: str, rubric: str, reason: str) -> None:
        """Count nothing: the run itself does."""


def asking_nodes(experiment: Experiment, graph: Graph) -> frozenset[str]:
    """Return the nodes for single papers that ask a model, and those on which such a node
    depends.
    """

    def asks(node: Node) -> bool:
        parts = parts_of(node)
        return any("llm" in each.uses for each in (*parts, *services_behind(experiment, parts)))

    found: dict[str, bool] = {}

    def leads(node: Node) -> bool:
        if node.id not in found:
            found[node.id] = asks(node) or any(leads(each) for each in graph.consumers[node.id])
        return found[node.id]

    return frozenset(node.id for node in graph.of_shape("each") if leads(node))


def answer_in_batches(
    experiment: Experiment,
    graph: Graph,
    store: Store,
    worker: ItemWorker,
    stop: threading.Event,
    lost: frozenset[str],
    children: Children | None,
    sources: Sources,
    report: Callable[[str], None],
) -> int:
    """Answer the calls about the papers of ``sources`` in batches, and return the number of items
    that were computed and stored meanwhile.

    Raises `BatchesPending` where the settings say not to wait any longer, and `Interrupted` if the
    run is stopped.
    """
    gateway = worker.gateway
    desk = None if gateway is None else gateway.desk
    asking = asking_nodes(experiment, graph)
    if desk is None or not asking:
        return 0
    stored = 0
    courier = desk.courier
    courier.adopt()
    courier.fetch()
    while True:
        loop = RoundLoop(
            experiment, graph, store, worker, Progress(), stop, None, lost, children, asking=asking
        )
        desk.begin()
        try:
            for source, papers in sources.items():
                loop.run(papers(), _forget, source)
        except BaseException:
            desk.abandon_round()
            raise
        stored += loop.counts.computed - loop.counts.failed
        if stop.is_set():
            desk.abandon_round()
            raise _stopped()
        if not desk.close_round():
            return stored
        courier.wait(report)
        if stop.is_set():
            raise _stopped()


def papers_of(
    experiment: Experiment, worker: ItemWorker, source: str, holds: Callable[[Paper], bool]
) -> Iterator[Paper]:
    """Yield the papers ("papers") or the anchors ("anchors") that a run handles: those that it
    ``holds``. Nothing is recorded.
    """
    calibration = experiment.calibration
    corpus, limit, sample = experiment.corpus, experiment.limit, experiment.sample
    drawn: bool | None = source == "anchors"
    if source == "anchors" and calibration is not None:
        limit, sample = None, None
        if calibration.anchors is not None:
            corpus, drawn = calibration.anchors, None
    for item in read_corpus(corpus, lambda: worker.papers_of(corpus), limit, sample):
        if not isinstance(item, Paper) or not holds(item):
            continue
        if drawn is None or set_aside(experiment, item) == drawn:
            yield item


def _stopped() -> Interrupted:
    return Interrupted(
        "stopped while calls are answered in batches; what was sent is recorded, and the same "
        "command continues from here"
    )


def _forget(job: PaperJob) -> None:
    """Drop a paper of a round."""
