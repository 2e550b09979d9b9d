"""All searches of a run, side by side, each query through the store.

A search is a generator of requests (see `revkit.execution.attack.search`). The stage answers each
from the recorded run, from the store, or by a thread; an answer is stored as soon as it is there.
So a run that was killed goes through the same requests again, and finds what it had. Results are
recorded in the order of papers, agents and strategies.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any

from revkit.cache import KeyBase
from revkit.contracts import Perturbation
from revkit.errors import RunError, describe_error
from revkit.execution.answers import Answers
from revkit.execution.attack.search import (
    CleanRequest,
    GateRequest,
    PaperSearch,
    ProposalRequest,
    Request,
    ReviewRequest,
    Searched,
    Steps,
)
from revkit.execution.attack.units import AttackedPaper, EditUnit, units_of
from revkit.execution.keys import key_base, parts_of
from revkit.execution.loop import Counts
from revkit.execution.pool import Pool
from revkit.execution.record import Recorder
from revkit.execution.recorded_run import Recorded
from revkit.execution.section_rows import AttackRecord, TransferRecord
from revkit.execution.work import Answer, ItemWorker
from revkit.model.edits import Edit
from revkit.model.paper import Paper
from revkit.model.records import Verdict
from revkit.model.review import Failure, Review
from revkit.model.values import digest_of
from revkit.planning import Graph
from revkit.planning.attacks import attack_steps
from revkit.planning.graph import component_of
from revkit.spec import AgentStep, Attack, AttackStep, Experiment, attack_arms, attacked_agents

_PATIENCE = 1.0  # seconds after which items in flight are looked at
_WAITING = frozenset(("llm", "searcher"))


@dataclass
class _Task:
    """One search or transfer on its way, and the node under which its requests are recorded."""

    job: _Job
    node: str
    agent: str
    step: AttackStep | None
    steps: Steps
    number: int = -1
    result: Any = None
    crashed: str = ""


@dataclass
class _Job:
    """One paper on its way: its searches, then the transfers of what they found."""

    paper: AttackedPaper
    searches: list[_Task] = field(default_factory=list)
    transfers: list[_Task] = field(default_factory=list)
    waiting: int = 0


class AttackStage:
    """Run all searches of ``experiment`` over the papers that ``recorder`` holds."""

    def __init__(
        self,
        experiment: Experiment,
        graph: Graph,
        answers: Answers,
        worker: ItemWorker,
        recorder: Recorder,
        counts: Counts,
        stop: threading.Event,
        recorded: Recorded | None = None,
    ) -> None:
        assert experiment.attack is not None
        self._attack: Attack = experiment.attack
        self._experiment = experiment
        self._graph = graph
        self._answers = answers
        self._worker = worker
        self._recorder = recorder
        self._counts = counts
        self._stop = stop
        self._recorded = recorded
        self._bases: dict[str, KeyBase] = {}
        self._ready: set[str] = set()
        self._agents = attacked_agents(experiment)
        self._arms = attack_arms(experiment)
        self._clean: Mapping[tuple[str, str], Verdict] = {
            (verdict.agent, verdict.paper): verdict
            for verdict in recorder.verdicts
            if not verdict.perturbation and verdict.repeat == 0
        }
        made: dict[str, list[tuple[str, int]]] = {}
        for row in recorder.variants:
            if row.outcome == "made" and row.perturbation in self._arms:
                made.setdefault(row.paper, []).append((row.perturbation, row.index))
        self._made = made
        self._flying: dict[bytes, list[_Task]] = {}
        self._elsewhere: set[bytes] = set()  # what another command on the store has computed
        self._futures: dict[bytes, Future[Answer]] = {}
        self._done: SimpleQueue[tuple[bytes, Future[Answer]]] = SimpleQueue()

    def run(self) -> None:
        """Search every paper. Returns early where the run was asked to stop."""
        workers = self._experiment.workers
        if self._worker.asks:
            workers = max(workers, self._experiment.llm.most_connections)
        papers = iter([row.id for row in self._recorder.papers])
        jobs: deque[_Job] = deque()
        more = True
        with Pool[Answer](workers, self._experiment.deadline, self._stop) as pool:
            try:
                while not self._stop.is_set():
                    if more and len(self._flying) < workers and len(jobs) < workers + 8:
                        name = next(papers, None)
                        more = name is not None
                        if name is not None:
                            jobs.append(self._start(name, pool))
                    elif jobs and not jobs[0].waiting:
                        self._emit(jobs.popleft())
                    elif not jobs:
                        break
                    else:
                        self._settle_next(pool)
            except BaseException:
                self._stop.set()
                pool.cancel()
                raise
            if self._stop.is_set():
                pool.cancel()

    def _start(self, name: str, pool: Pool[Answer]) -> _Job:
        paper = self._recorder.paper_of(name)
        job = _Job(AttackedPaper(name, paper, self._units(name, paper)))
        for (agent, strategy), step in attack_steps(self._experiment).items():
            search = PaperSearch(
                agent,
                strategy,
                step,
                self._attack,
                job.paper,
                self._experiment.repeats,
                self._worker.context(step.strategy, paper.digest),
            )
            verdict = self._clean[agent, name]
            node = f"attack/{agent}/{strategy}"
            job.searches.append(_Task(job, node, agent, step, _failed_clean(search, verdict)))
        self._begin(job, job.searches, pool)
        return job

    def _variants(self, name: str) -> Iterator[tuple[str, int, Perturbation, Sequence[Edit]]]:
        steps = self._experiment.perturbation_steps
        for arm, index in self._made.get(name, ()):
            edits = self._recorder.edits_of(name, arm, index)
            yield arm, index, steps[arm].component, edits

    def _units(self, name: str, paper: Paper) -> tuple[EditUnit, ...]:
        try:
            return units_of(paper, list(self._variants(name)))
        except (Exception, SystemExit) as error:  # a plugin groups the edits
            text = describe_error(error)
            raise RunError(f"the edits of paper {name!r} cannot be offered: {text}") from error

    def _begin(self, job: _Job, tasks: Sequence[_Task], pool: Pool[Answer]) -> None:
        job.waiting += len(tasks)
        for task in tasks:
            self._advance(task, None, pool)

    def _emit(self, job: _Job) -> None:
        searched: list[Searched] = [task.result for task in job.searches]
        self._recorder.attacked(job.paper, searched, [task.result for task in job.transfers])

    def _advance(self, task: _Task, answer: Answer | None, pool: Pool[Answer]) -> None:
        """Go on with a task as far as answers are there."""
        while True:
            try:
                request = next(task.steps) if answer is None else task.steps.send(answer)
            except StopIteration as end:
                task.result = end.value
                self._complete(task, pool)
                return
            if not isinstance(request, CleanRequest):
                task.number += 1
            answer = self._answer(task, request, pool)
            if answer is None:
                return

    def _complete(self, task: _Task, pool: Pool[Answer]) -> None:
        job = task.job
        job.waiting -= 1
        if not job.waiting and not job.transfers and self._attack.transfer:
            job.transfers = list(self._transfers(job))
            self._begin(job, job.transfers, pool)

    def _answer(self, task: _Task, request: Request, pool: Pool[Answer]) -> Answer | None:
        """The answer of a request that is recorded or stored; None where it is being computed."""
        if self._recorded is not None and not isinstance(request, CleanRequest):
            place = (task.job.paper.id, task.node, task.number, 0)
            if (failed := self._recorded.answers.get(place)) is not None:
                self._counts.add_recorded(lasting=failed.lasting)
                return failed
        key, node = self._key(task, request)
        if key in self._flying:
            self._flying[key].append(task)
            return None
        where = f"{task.node}, request {task.number}, of paper {task.job.paper.id!r}"
        found = self._answers.stored(key, where)
        step = self._agents[task.agent]
        if found is not None:
            self._counts.stored += 1
            return self._answers.read(found, task.node, "review", step, task.job.paper.paper)
        if self._recorded is not None:
            raise self._recorded.missing(where)
        self._check_ready(node)
        self._flying[key] = [task]
        limited = not any(
            _WAITING.intersection(part.uses) for part in parts_of(self._graph.by_id[node])
        )
        deadline = self._experiment.deadline if limited else None
        work = partial(self._claimed, task, request, key, where, deadline)
        future = pool.submit(work, limited=limited)
        self._futures[key] = future
        future.add_done_callback(lambda done: self._done.put((key, done)))
        return None

    def _key(self, task: _Task, request: Request) -> tuple[bytes, str]:
        """The key of a request, and the node whose components answer it."""
        paper = task.job.paper.paper
        reviews = f"review/{task.agent}/unchanged"
        if isinstance(request, CleanRequest):
            return self._base(reviews).item(paper.digest, 0), reviews
        if isinstance(request, ReviewRequest):
            return self._base(reviews).item(request.text.digest, request.repeat), reviews
        base = self._base(task.node)
        if isinstance(request, GateRequest):
            digest = digest_of(["gate", paper.digest, request.text.digest])
            return base.item(digest, 0), task.node
        history = [tried.to_json() for tried in request.history]
        digest = digest_of(["proposal", paper.digest, request.space.to_json(), history])
        return base.item(digest, len(history)), task.node

    def _base(self, node: str) -> KeyBase:
        if node not in self._bases:
            known = self._recorded.keys if self._recorded else {}
            self._bases[node] = (
                KeyBase(known[node])
                if known
                else key_base(self._experiment, self._graph.by_id[node], self._peers)
            )
        return self._bases[node]

    def _peers(self) -> str:
        recorded = self._recorded
        return self._worker.peers.digest if recorded is None else recorded.peers

    def _check_ready(self, node: str) -> None:
        """Raise `RunError` before the first item of a node whose components lack something."""
        if node in self._ready:
            return
        self._ready.add(node)
        parts = parts_of(self._graph.by_id[node])
        troubles = [trouble for part in parts for trouble in self._worker.troubles(part)]
        if troubles:
            what = component_of(node)
            raise RunError(f"{what} cannot run: {'; '.join(dict.fromkeys(troubles))}")

    def _claimed(
        self, task: _Task, request: Request, key: bytes, where: str, deadline: float | None
    ) -> Answer:
        with self._answers.claimed(key, where, self._stop, deadline) as found:
            if found is None:
                return self._compute(task, request, key)
            self._elsewhere.add(key)
            step, paper = self._agents[task.agent], task.job.paper.paper
            return self._answers.read(found, task.node, "review", step, paper)

    def _compute(self, task: _Task, request: Request, key: bytes) -> Answer:
        paper = task.job.paper.paper
        if isinstance(request, CleanRequest):
            answer = self._worker.review(self._agents[task.agent], paper, 0)
        elif isinstance(request, ReviewRequest):
            step = self._agents[task.agent]
            answer = self._worker.review(step, request.text, request.repeat)
        elif isinstance(request, GateRequest):
            assert task.step is not None
            answer = self._worker.gate(task.step.keep_if, paper, request.edits)
        else:
            assert isinstance(request, ProposalRequest)
            assert task.step is not None
            answer = self._worker.proposal(
                task.step.strategy, request.space, request.history, paper.digest
            )
        return self._answers.keep(key, answer, "review")

    def _settle_next(self, pool: Pool[Answer]) -> None:
        try:
            key, future = self._done.get(timeout=_PATIENCE)
        except Empty:
            late = set(pool.overdue())
            for key in [key for key, future in self._futures.items() if future in late]:
                step = self._agents[self._flying[key][0].agent]
                self._settle(key, self._worker.not_in_time(step), pool)
            return
        if not future.cancelled():  # the run was stopped before the request began
            self._settle(key, future.result(), pool)

    def _settle(self, key: bytes, answer: Answer, pool: Pool[Answer]) -> None:
        tasks = self._flying.pop(key)
        del self._futures[key]
        self._counts.add(len(tasks), lasting=answer.lasting, elsewhere=key in self._elsewhere)
        self._elsewhere.discard(key)
        for task in tasks:
            self._advance(task, answer, pool)

    def _transfers(self, job: _Job) -> Iterator[_Task]:
        """What each agent says of the smallest set that was successful against each other one."""
        for target in self._agents:
            record = _smallest([task.result.record for task in job.searches], target)
            for agent, step in self._agents.items() if record is not None else ():
                if agent != target:
                    assert record is not None
                    steps = self._transfer(job, record, agent, step)
                    yield _Task(job, f"transfer/{target}/{agent}", agent, None, steps)

    def _transfer(self, job: _Job, record: AttackRecord, agent: str, step: AgentStep) -> Steps:
        units = record.smallest or record.found
        verdict = self._clean[agent, job.paper.id]
        goal, scale = self._attack.event, step.component.scale
        clean = Review(verdict.accept, verdict.score)
        answer: Answer = yield ReviewRequest(job.paper.text_of(units), 0)
        outcome = answer.value
        review = outcome if isinstance(outcome, Review) else Review()
        failed = outcome if isinstance(outcome, Failure) else None
        transfer = TransferRecord(
            target=record.agent,
            agent=agent,
            paper=job.paper.id,
            strategy=record.strategy,
            units=units,
            eligible=None if verdict.failure else goal.eligible(clean, scale),
            accept=review.accept,
            score=review.score,
            met=goal.met(review.accept, review.score, verdict.score, scale),
            failure="" if failed is None else failed.kind,
            detail=None if failed is None else failed.detail,
            raw=None if failed is None else failed.raw,
        )
        return transfer, answer


def _failed_clean(search: PaperSearch, verdict: Verdict) -> Steps:
    """The steps of ``search``; where the clean review failed, nothing is asked."""
    steps = search.run()
    if not verdict.failure:
        return (yield from steps)
    next(steps)
    try:
        steps.send(Answer(Failure(verdict.failure), lasting=False))  # type: ignore[arg-type]
    except StopIteration as end:
        return end.value
    raise AssertionError("a search goes on after a failed clean review")


def _smallest(records: Sequence[AttackRecord], target: str) -> AttackRecord | None:
    """The confirmed success against ``target`` of the fewest edits, then of the first strategy."""
    found = [each for each in records if each.agent == target and each.outcome == "success"]
    return min(found, key=lambda each: each.smallest_edits or each.edits or 0, default=None)
