"""Batching: collect the calls of a run, send them as batches, and answer from the results.

In a round, every call that has no result is written to a file instead of being made, and `Deferred`
ends its item. The files are sent, the results are fetched, and the next round runs the same items
again: a call whose result is there continues as if the model had answered it at once, so replies
are read, corrected and stored by the same code, under the same keys.
"""

from __future__ import annotations

import asyncio
import tempfile
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import IO, Any

from revkit.cache import BatchCall, Batched, Store
from revkit.cache.attempts import IN_FLIGHT
from revkit.errors import RunError
from revkit.http import Secrets
from revkit.model.review import Failure
from revkit.model_settings import Budget, Cost
from revkit.services.llm.batch_courier import BatchCourier
from revkit.services.llm.batch_results import answer_in, trouble_in
from revkit.services.llm.prices import asked_reply, most_reply
from revkit.services.llm.sender import (
    KINDS,
    ModelChannel,
    Question,
    Sent,
    adapt,
    call_of,
    notes_of,
)
from revkit.services.llm.transport import REPEATABLE

# Bytes. OpenAI takes twice that, and a file is in memory when it is sent.
LARGEST_FILE = 100_000_000
_MOST_ADAPTIONS = 8  # of one call to what its provider takes


class Deferred(BaseException):
    """A call waits for a batch, and its item cannot continue in this round."""


@dataclass
class _Queue:
    """The calls of one model that were collected since its last batch was sent."""

    channel: ModelChannel
    file: IO[bytes]
    calls: list[BatchCall] = field(default_factory=list)
    size: int = 0


class BatchDesk:
    """Answers questions from batches; the event loop asks `answered`, the runner does the rest.

    ``spent`` returns what counts against ``budget`` now, over all commands.
    """

    def __init__(
        self,
        store: Store,
        budget: Budget,
        courier: BatchCourier,
        secrets: Secrets,
        spent: Callable[[], Cost],
    ) -> None:
        self.courier = courier
        self.collecting = False
        self._store = store
        self._batches = courier.batches
        self._budget = budget
        self._secrets = secrets
        self._spent = spent
        self._lock = threading.RLock()
        self._queues: dict[str, _Queue] = {}
        self._seen: set[tuple[bytes, int]] = set()
        self._failed: set[bytes] = set()
        self._broken: RunError | None = None
        # Sending a batch needs the loop's own executor, where a host name is looked up.
        self._threads = ThreadPoolExecutor(thread_name_prefix="revkit-batches")

    # What the event loop and its threads ask.

    async def answered(
        self, channel: ModelChannel, question: Question, key: bytes, turn: int
    ) -> Sent | Failure | None:
        """`answer` for a coroutine: in a thread, because it waits for the event loop where it sends
        a batch.
        """
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, self.answer, channel, question, key, turn)

    def close(self) -> None:
        """End the threads as soon as they have no question."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    def answer(
        self, channel: ModelChannel, question: Question, key: bytes, turn: int
    ) -> Sent | Failure | None:
        """Return the result for a question, or its failure; None if it has none and is to be asked
        on its own. Raises `Deferred` in a round.
        """
        rows = self._batches.of(key, turn)
        if rows and rows[-1].outcome == "answered":
            return self._sent(channel, rows)
        if rows and rows[-1].outcome == IN_FLIGHT:
            if not self.collecting:
                return None
            with self._lock:
                self.courier.awaited.add(rows[-1].batch)
            raise Deferred
        if rows:
            failure = self._failure(channel, question, rows)
            if failure is not None:
                return failure
        overflow = channel.facts.overflow(question.tokens(), asked_reply(question.parameters) or 0)
        if overflow:
            return Failure("context", overflow)
        if not self.collecting:
            return None
        if self._broken is None:
            try:
                self._collect(channel, question, key, turn)
            except RunError as error:  # for the runner: components' errors end one item only
                self._broken = error
        raise Deferred

    def failed(self, key: bytes) -> None:
        """Note that the question ``key`` ended as a failure, which the run will record.

        It takes no lock, because the event loop calls it and a batch may be on its way.
        """
        self._failed.add(key)

    def stored(self, key: bytes) -> None:
        """Delete the results for the question ``key``, whose reply is stored now."""
        self._batches.forget([key])

    def recorded(self) -> None:
        """Delete the results that ended as failures, once they are recorded: the next command asks
        again.
        """
        self._batches.forget(sorted(self._failed))
        self._failed.clear()

    def _sent(self, channel: ModelChannel, rows: Sequence[Batched]) -> Sent:
        last = rows[-1]
        about: Any = last.sent
        answer = answer_in(last.body)
        facts = channel.facts.in_batches(channel.settings.batch_price)
        usd = facts.usd(answer.prompt_tokens, answer.completion_tokens, answer.cached_tokens or 0)
        return Sent(answer, len(rows), usd, 0.0, tuple(about["notes"]), attempt=last.attempt)

    def _failure(
        self, channel: ModelChannel, question: Question, rows: Sequence[Batched]
    ) -> Failure | None:
        """Return why a call has no result for good; None if it is to be sent again."""
        error = trouble_in(rows[-1])
        about: Any = rows[-1].sent
        sent = replace(
            call_of(channel, question),
            structure=about["structure"],
            parameters=dict.fromkeys(about["parameters"]),
            marks=(),
        )
        with self._lock:
            adapted = len(rows) <= _MOST_ADAPTIONS and adapt(channel, sent, error)
        if adapted:
            return None
        repeats = sum(trouble_in(row).trouble in REPEATABLE for row in rows)
        if error.trouble in REPEATABLE and repeats <= channel.settings.retries:
            return None
        count = f" ({len(rows)} requests)" if len(rows) > 1 else ""
        mask = self._secrets.mask
        detail = mask(error.message + count)
        return Failure(KINDS.get(error.trouble, "provider"), detail, mask(error.raw))

    def _collect(self, channel: ModelChannel, question: Question, key: bytes, turn: int) -> None:
        call = replace(call_of(channel, question), marks=())
        line, dropped = self.courier.api(channel).line(key.hex(), call)
        sent = {
            "structure": call.structure,
            "parameters": sorted({*call.parameters, "response_format"}),
            "notes": list(notes_of(call, channel, question, dropped)),
        }
        most = self._most(channel, question)
        with self._lock:
            if (key, turn) in self._seen:
                return
            self._seen.add((key, turn))
            queue = self._queues.get(channel.model)
            if queue is None:
                path = self._store.path
                folder = None if path is None else path.parent
                file = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115 - closed with the round
                queue = self._queues[channel.model] = _Queue(channel, file)
            full = len(queue.calls) >= channel.settings.batch_most
            if queue.calls and (full or queue.size + len(line) > LARGEST_FILE):
                self._send(queue)
            queue.file.write(line)
            queue.size += len(line)
            queue.calls.append(BatchCall(key, turn, question.label, most, sent))

    @staticmethod
    def _most(channel: ModelChannel, question: Question) -> Cost:
        prompt, reply = question.tokens(), most_reply(question.parameters, channel.facts)
        facts = channel.facts.in_batches(channel.settings.batch_price)
        return Cost(1, prompt + reply, facts.usd(prompt, reply))

    # What the runner asks.

    def begin(self) -> None:
        """Begin a round."""
        self._seen.clear()
        self.courier.awaited.clear()
        self.collecting = True

    def close_round(self) -> bool:
        """End the round: send what was collected. Return whether it waits for a batch.

        Raises `RunError` if a batch could not be sent.
        """
        self.collecting = False
        try:
            if self._broken is not None:
                raise self._broken
            for queue in self._queues.values():
                if len(queue.calls) >= queue.channel.settings.batch_least:
                    self._send(queue)
        finally:
            self.abandon_round()
        return bool(self.courier.pending())

    def abandon_round(self) -> None:
        """End the round without sending."""
        self.collecting = False
        for queue in self._queues.values():
            queue.file.close()
        self._queues.clear()

    def _send(self, queue: _Queue) -> None:
        """Send the collected calls, as far as the budget allows, and empty the queue."""
        queue.file.seek(0)
        lines = queue.file.read().splitlines(keepends=True)
        calls = queue.calls
        queue.calls, queue.size = [], 0
        queue.file.seek(0)
        queue.file.truncate()
        most = self._within_budget(calls)
        if most:
            self.courier.send(queue.channel, calls[:most], b"".join(lines[:most]))

    def _within_budget(self, calls: Sequence[BatchCall]) -> int:
        """Return how many of ``calls``, from the first one on, fit within the budget."""
        budget, spent = self._budget, self._spent()
        tokens, usd = spent.tokens, spent.usd or 0.0
        for count, each in enumerate(calls):
            tokens += each.most.tokens
            usd += each.most.usd or 0.0
            if (
                (budget.calls is not None and spent.calls + count + 1 > budget.calls)
                or (budget.tokens is not None and tokens > budget.tokens)
                or (budget.usd is not None and (each.most.usd is None or usd > budget.usd))
            ):
                return count
        return len(calls)
