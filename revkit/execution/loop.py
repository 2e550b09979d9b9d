"""The loop over papers: answers come out in the order of the corpus, in bounded memory.

A few papers are in flight at a time; more are held only while threads have nothing to do, as when
most answers are stored, and only so much text of them. Each item of each node is looked up in the
store first and computed only where the store has no answer, by a thread or, where it only waits for
models, in the event loop of their calls; an item that is being
computed already, here or by another command on the store, is waited for, not computed again. A
paper is handed on when all its items are there and every paper before it has been handed on.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import field
from functools import partial
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, cast

from revkit.cache import KeyBase, Store
from revkit.contracts import Agent, may_converse
from revkit.dataclass import dataclass
from revkit.errors import RunError, describe_error
from revkit.execution.answers import Answers
from revkit.execution.equal_failures import EqualFailures
from revkit.execution.keys import key_base, parts_of, record_of
from revkit.execution.paper_facts import BegunFacts, FactsOfPapers
from revkit.execution.pool import Pool
from revkit.execution.processes.children import Children, compute_item
from revkit.execution.progress import Progress
from revkit.execution.recorded_run import Recorded
from revkit.execution.work import Answer, ItemStep, ItemWorker
from revkit.figures.numbers import count_of
from revkit.model.judged_review import review_as_paper
from revkit.model.paper import Material, Paper
from revkit.model.review import Review
from revkit.model.values import Json, digest_of
from revkit.model.variant import Variant
from revkit.papers import PaperFacts
from revkit.planning import Graph, Node
from revkit.planning.graph import component_of
from revkit.spec import AgentStep, Experiment, JudgeStep, PerturbationStep

if TYPE_CHECKING:
    from revkit.execution.conversations import Conversations

ItemId = tuple[str, int, int]  # node, variant index, repeat
_MOST_HELD = 8_000_000  # characters of papers that wait to be handed on
_MOMENT = 0.004  # seconds in which an item comes while threads are busy
_FIRST_MOMENT = 0.05  # seconds in which threads prepare the first items, such as calls of models
_PATIENCE = 1.0  # seconds after which items in flight are looked at
# Services whose calls each have their own time limit.
_WAITING = frozenset(("llm", "searcher"))


@dataclass
class PaperJob:
    """One paper that is being processed through the graph. ``facts`` are those of the store, or
    those that a child process reads, where this is known before they are needed.
    """

    paper: Paper
    blind: Paper
    reviews_digest: str = ""
    facts: PaperFacts | BegunFacts | None = None
    answers: dict[ItemId, Answer] = field(default_factory=dict)
    waiting: int = 0


@dataclass(frozen=True)
class _Item:
    job: PaperJob
    node: Node
    subject: Paper
    index: int
    repeat: int
    unchanged: bool

    @property
    def reads_reviews(self) -> bool:
        """Whether the answer depends on human reviews: the agent requests them, and the text is the
        one that people read.
        """
        asks = isinstance(self.node.step, AgentStep) and "reviews" in self.node.component.uses
        return asks and self.unchanged


@dataclass
class Counts:
    """The numbers of computed and cached items, and of those without an answer (failed), which are
    never cached: they count as computed too, unless their failures were on record.
    """

    computed: int = 0
    stored: int = 0
    failed: int = 0

    @property
    def text(self) -> str:
        """The numbers in words; an item without an answer, as one that the budget refused, is not
        computed.
        """
        computed = count_of(max(0, self.computed - self.failed), "item")
        failed = f"{self.failed:,} failed, " if self.failed else ""
        return f"{computed} computed, {failed}{self.stored:,} cached"

    def add(self, items: int, *, lasting: bool, elsewhere: bool) -> None:
        """Count the answer that ``items`` waited for: one of them computed it, or another command
        on the store did. An answer that does not last is a failure of each of them.
        """
        if not lasting:
            self.computed += items
            self.failed += items
            return
        computed = 0 if elsewhere else 1
        self.computed += computed
        self.stored += items - computed

    def add_recorded(self, *, lasting: bool) -> None:
        """Count an item whose answer is on record."""
        self.stored += lasting
        self.failed += not lasting


class Loop:
    """Runs the nodes of ``graph`` that handle single papers, for every paper of an iterator.

    ``stop`` ends the run early: no new item starts, those in flight finish and are stored.
    ``recorded`` makes it go through a recorded run: an item that is not known is then an error.
    ``lost`` names calls whose replies the store lost: answers based on them are computed again.
    ``children`` compute the items that need a processor. ``facts`` begins to read what the record
    of a paper states about its text.
    """

    def __init__(
        self,
        experiment: Experiment,
        graph: Graph,
        store: Store,
        worker: ItemWorker,
        progress: Progress,
        stop: threading.Event,
        recorded: Recorded | None = None,
        lost: Collection[str] = (),
        children: Children | None = None,
        facts: FactsOfPapers | None = None,
    ) -> None:
        self.counts = Counts()
        self.failures = EqualFailures()
        self._experiment = experiment
        self._graph = graph
        self._answers = Answers(store, lost)
        self._worker = worker
        self._progress = progress
        self._stop = stop
        self._recorded = recorded
        self._children = children
        self._facts = facts
        self._reads_reviews = any(
            "reviews" in node.component.uses for node in graph.of_shape("each")
        )
        self._records = {node.id: record_of(node) for node in graph.of_shape("each")}
        given = recorded.keys if recorded else {}
        self._keys = {
            node.id: KeyBase(given[node.id]) if given else key_base(experiment, node, self._peers)
            for node in graph.of_shape("each")
        }
        self._ready: deque[_Item] = deque()
        self._checked: set[str] = set()
        self._flying: dict[bytes, list[_Item]] = {}
        self._futures: dict[bytes, Future[Answer]] = {}
        self._elsewhere: set[bytes] = set()  # what another command on the store has computed
        self._done: SimpleQueue[tuple[bytes, Future[Answer]]] = SimpleQueue()
        self._moment = _FIRST_MOMENT
        self._conversations: Conversations[Answer] | None = None
        self._most_conversations = 0

    def run(
        self, papers: Iterator[Paper], emit: Callable[[PaperJob], None], source: str = "papers"
    ) -> bool:
        """Process ``papers`` and ``emit`` each when complete; return False if the loop was stopped.

        ``source`` names the node of the graph that they come from.
        """
        workers = max(self._experiment.workers, self._experiment.processes)
        if self._worker.asks:
            # A thread that waits for a model costs next to nothing; a connection that waits for a
            # thread is lost.
            workers = max(workers, self._experiment.llm.most_connections)
        window = workers + 8
        jobs: deque[PaperJob] = deque()
        held = 0
        more = True
        with (
            Pool[Answer](workers, self._experiment.deadline, self._stop) as pool,
            self._conversing(workers),
        ):
            try:
                while True:
                    while not self._done.empty():
                        self._settle(*self._done.get())
                        self._advance(pool)
                    idle = len(self._flying) < workers and held < _MOST_HELD
                    if more and (idle or len(jobs) < window) and not self._stop.is_set():
                        paper = next(papers, None)
                        more = paper is not None
                        if paper is not None:
                            job = self._start(paper, source)
                            jobs.append(job)
                            held += len(paper.text)
                            self._advance(pool)
                            if job.waiting and self._facts is not None:
                                # A paper with stored answers has stored facts, and is written soon.
                                job.facts = self._facts.begin(job.blind)
                    elif self._stop.is_set() or not (jobs or more):
                        break
                    elif jobs and jobs[0].waiting == 0:
                        # Only when there is nothing else to do: threads wait for their turn.
                        ready = self._facts is None or self._facts.ready(jobs[0].facts)
                        if self._flying and (held < _MOST_HELD or not ready):
                            moment, self._moment = self._moment, _MOMENT
                            if self._settled_within(moment, pool) or not ready:
                                continue
                        job = jobs.popleft()
                        held -= len(job.paper.text)
                        emit(job)
                        if source == "papers":  # the total of the progress has no anchors
                            self._progress.paper()
                    elif not self._settled_within(_PATIENCE, pool):
                        self._give_up(pool)
            except BaseException:
                self._stop.set()
                self._cancel(pool)
                raise
            if self._stop.is_set():
                self._cancel(pool)
        return not self._stop.is_set()

    @contextmanager
    def _conversing(self, most: int) -> Iterator[None]:
        """Let up to ``most`` items converse at once within the body."""
        self._most_conversations = most
        try:
            yield
        finally:
            if self._conversations is not None:
                self._conversations.wait()
                self._conversations = None

    def _conversations_for(self, node: Node) -> Conversations[Answer] | None:
        """Return where the items of ``node`` converse; None where they are computed by threads:
        defenses may block, and calls that are collected for batches end their items.
        """
        step = node.step
        if not isinstance(step, AgentStep) or step.defenses or not may_converse(step.component):
            return None
        if "reviews" in step.component.uses or self._experiment.llm.batches:
            return None
        if self._conversations is None and self._worker.gateway is not None:
            from revkit.execution.conversations import Conversations  # few runs have some

            gateway = self._worker.gateway
            self._conversations = Conversations(gateway, self._most_conversations, self._stop)
        return self._conversations

    def _cancel(self, pool: Pool[Answer]) -> None:
        """Cancel the items that have not begun."""
        pool.cancel()
        if self._conversations is not None:
            self._conversations.cancel()

    def _settled_within(self, seconds: float, pool: Pool[Answer]) -> bool:
        """Wait for an item in flight, and return whether one finished."""
        if not self._flying:
            return False
        try:
            done = self._done.get(timeout=seconds)
        except Empty:
            return False
        self._settle(*done)
        self._advance(pool)
        return True

    def _give_up(self, pool: Pool[Answer]) -> None:
        """Record a failure for each item that passed the deadline."""
        late = set(pool.overdue())
        for key in [key for key, future in self._futures.items() if future in late]:
            step = cast(ItemStep, self._flying[key][0].node.step)
            self._answer(key, self._worker.not_in_time(step))
        self._advance(pool)

    def _peers(self) -> str:
        recorded = self._recorded
        return self._worker.peers.digest if recorded is None else recorded.peers

    def _start(self, paper: Paper, source: str) -> PaperJob:
        job = PaperJob(paper, paper.blind(), self._reviews_digest(paper))
        for node in self._graph.consumers[source]:
            subject = job.blind
            if not isinstance(node.step, PerturbationStep) and self._rewrites(node):
                subject = subject.laid_out("")
            self._schedule(job, node, subject, None)
        return job

    def _rewrites(self, node: Node) -> bool:
        """Return whether an agent gets a paper as our writers set it even if the paper has a file:
        both sides of a pair come from one writer, and a defense screens the text only.
        """
        step = node.step.agent if isinstance(node.step, JudgeStep) else cast(AgentStep, node.step)
        return self._experiment.makes_variants or bool(step.defenses)

    def _reviews_digest(self, paper: Paper) -> str:
        """Return the digest of the human reviews of ``paper``; "" if no agent reads them."""
        if self._recorded is not None:
            return self._recorded.reviews.get((paper.id, paper.digest), "")
        return paper.human_reviews.digest if self._reads_reviews else ""

    def _schedule(
        self, job: PaperJob, node: Node, subject: Paper, index: int | None, first: int = 0
    ) -> None:
        """Schedule all copies of ``node``: the variants of a paper, or the repeats of a review, the
        number of the first being ``first``.
        """
        if isinstance(node.step, JudgeStep) and self._leaves_out(
            job, node, node.step, subject, index
        ):
            return
        if not isinstance(node.step, PerturbationStep):
            reader = cast(Agent, parts_of(node)[0])
            shown = subject.for_reader(reader.formats)
            if index is not None and _has_layout(subject) and not _has_layout(shown):
                self._worker.note_unseen_layout(node.id.split("/")[1])
            subject = shown
        for copy in range(node.copies):
            variant, repeat = (
                (copy, 0)
                if index is None and node.id.startswith("perturb/")
                else (index or 0, first + copy)
            )
            self._ready.append(_Item(job, node, subject, variant, repeat, index is None))
            job.waiting += 1

    def _leaves_out(
        self, job: PaperJob, node: Node, step: JudgeStep, subject: Paper, index: int | None
    ) -> bool:
        """Return whether a judge cannot score ``subject`` and is therefore not called; the reasons
        are counted. A recorded run contains the answer if the judge was called.
        """
        criterion = step.rubric.criterion
        try:
            reason = str(step.agent.component.cannot_judge(subject, criterion))
        except Exception:
            return False  # the judgement itself then fails and is recorded
        place = (job.paper.id, node.id, index or 0, 0)
        if not reason or (self._recorded is not None and place in self._recorded.answers):
            return False
        judges = self._experiment.judges.items()
        name = next(name for name, agent in judges if agent is step.agent)
        self._left_out(name, criterion.name, reason)
        return True

    def _left_out(self, judge: str, rubric: str, reason: str) -> None:
        """Count a text that ``judge`` cannot score."""
        self._worker.leave_out(judge, rubric, reason)

    def _advance(self, pool: Pool[Answer]) -> None:
        while self._ready and not self._stop.is_set():
            item = self._ready.popleft()
            given = self._recorded_answer(item)
            if given is not None:
                self.counts.add_recorded(lasting=given.lasting)
                self._finish(item, given)
                continue
            key = self._key(item)
            if key in self._flying:
                self._flying[key].append(item)
                continue
            found = self._answers.stored(key, _place_of(item))
            if found is not None:
                self.counts.stored += 1
                self._finish(item, self._read(found, item))
                continue
            if self._recorded is not None:
                raise self._recorded.missing(_place_of(item))
            self._check_ready(item.node)
            self._flying[key] = [item]
            self._futures[key] = future = self._begun(item, key, pool)
            future.add_done_callback(partial(self._landed, key))

    def _begun(self, item: _Item, key: bytes, pool: Pool[Answer]) -> Future[Answer]:
        conversations = self._conversations_for(item.node)
        if conversations is not None:
            return conversations.submit(partial(self._conversed, item, key))
        # A child process has its own deadline.
        child = self._children is not None and self._children.take(item.node)
        limited = not child and not any(
            _WAITING.intersection(part.uses) for part in parts_of(item.node)
        )
        deadline = self._experiment.deadline if limited else None
        work = partial(self._compute, item, key, self._children if child else None, deadline)
        return pool.submit(work, limited=limited)

    def _recorded_answer(self, item: _Item) -> Answer | None:
        if self._recorded is None:
            return None
        place = (item.job.paper.id, item.node.id, item.index, item.repeat)
        return self._recorded.answers.get(place)

    def _key(self, item: _Item) -> bytes:
        # A review is known by its text, so two variants that came out the same share one.
        number = item.index if isinstance(item.node.step, PerturbationStep) else item.repeat
        digest = item.subject.seen_digest
        if item.reads_reviews and item.job.reviews_digest:
            digest = digest_of([digest, item.job.reviews_digest])
        return self._keys[item.node.id].item(digest, number)

    def _read(self, found: Json, item: _Item) -> Answer:
        node = item.node
        step = cast(ItemStep, node.step)
        return self._answers.read(found, node.id, self._records[node.id], step, item.subject)

    def _check_ready(self, node: Node) -> None:
        """Raise `RunError` before the first item of a node whose components lack a requirement."""
        if node.id in self._checked:
            return
        self._checked.add(node.id)
        troubles = [trouble for part in parts_of(node) for trouble in self._worker.troubles(part)]
        if troubles:
            what = component_of(node.id)
            raise RunError(f"{what} cannot run: {'; '.join(dict.fromkeys(troubles))}")

    def _landed(self, key: bytes, future: Future[Answer]) -> None:
        self._done.put((key, future))

    def _compute(
        self, item: _Item, key: bytes, children: Children | None, deadline: float | None
    ) -> Answer:
        written = item.job.paper.human_reviews if item.reads_reviews else None
        given = (item.node, item.subject, item.index, item.repeat, written)
        with self._answers.claimed(key, _place_of(item), self._stop, deadline) as found:
            if found is not None:
                self._elsewhere.add(key)
                return self._read(found, item)
            if children is not None:
                answer = children.compute(*given)
            else:
                answer = compute_item(self._worker, *given)
            return self._answers.keep(key, answer, self._records[item.node.id])

    async def _conversed(self, item: _Item, key: bytes) -> Answer:
        step = cast(AgentStep, item.node.step)
        async with self._answers.awaited(key, _place_of(item), self._stop) as found:
            if found is not None:
                self._elsewhere.add(key)
                return self._read(found, item)
            answer = await self._worker.conversed(step, item.subject, item.repeat)
            return self._answers.keep(key, answer, self._records[item.node.id])

    def _settle(self, key: bytes, future: Future[Answer]) -> None:
        if not future.cancelled():  # the run was stopped before the item began
            self._answer(key, future.result())

    def _answer(self, key: bytes, answer: Answer) -> None:
        items = self._flying.pop(key)
        del self._futures[key]
        self.counts.add(len(items), lasting=answer.lasting, elsewhere=key in self._elsewhere)
        self._elsewhere.discard(key)
        for item in items:  # those that waited for the same answer get it now
            self._finish(item, answer)

    def _finish(self, item: _Item, answer: Answer) -> None:
        job = item.job
        job.answers[item.node.id, item.index, item.repeat] = answer
        job.waiting -= 1
        self._progress.item()
        if not isinstance(item.node.step, PerturbationStep):
            warning = self.failures.count(component_of(item.node.id), answer.value)
            if warning:
                self._progress.warn(warning)
        if isinstance(answer.value, Variant) and answer.value.outcome == "made":
            subject = job.blind.edited(answer.value.edits).blind().laid_out(answer.value.layout)
            for node in self._graph.consumers[item.node.id]:
                self._schedule(job, node, subject, item.index)
        elif isinstance(answer.value, Review) and answer.value.text.strip():
            judges = self._graph.consumers[item.node.id]
            subject = self._review_of(job, answer.value) if judges else job.blind
            for node in judges:
                self._schedule(job, node, subject, item.index, item.repeat)

    def _review_of(self, job: PaperJob, review: Review) -> Paper:
        """Return a review as its judges see it."""
        corpus, paper = self._experiment.corpus, job.paper
        try:
            checklists = corpus.judging_materials(paper.labels)
        except Exception as error:  # a plugin may raise anything
            text = describe_error(error)
            raise RunError(
                f"corpus {corpus.name!r} has no checklists for paper {paper.id!r}: {text}"
            ) from error
        reviewed = Material("source", paper.text, paper.title)
        return review_as_paper("review", review.text, reviewed, checklists).blind()


def _has_layout(paper: Paper) -> bool:
    return bool(paper.layout) or paper.file is not None


def _place_of(item: _Item) -> str:
    return (
        f"{item.node.id}, variant {item.index}, repeat {item.repeat}, of paper "
        f"{item.job.paper.id!r}"
    )
