"""The gateway: the only place that calls a language model.

Any number of threads call `ModelGateway.complete` and wait, and coroutines that were passed to
`ModelGateway.begin` await `ModelGateway.answered`; one background event loop carries all their
requests. An answer is stored when it arrives and never asked for again; two that ask the same at
once share one call. A failure is never stored.
"""

from __future__ import annotations

import asyncio
import hashlib
import threading
from collections.abc import Callable, Coroutine, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar, cast

from revkit.cache import LOST_REPLY, Attempts, Batches, Store, spent_on
from revkit.files.closeable import Closeable
from revkit.http import Background, Secrets
from revkit.model.exchange import ModelReply, ModelRequest
from revkit.model.review import Failure
from revkit.model.values import Json, canonical_bytes, canonical_json, digest_of_text
from revkit.model_settings import (
    Budget,
    LlmServices,
    ModelSettings,
    endpoint_identity,
    transport_of,
)
from revkit.observing import Fact, Observer, Opened
from revkit.services.llm.batch_courier import BatchCourier
from revkit.services.llm.batching import BatchDesk, Deferred
from revkit.services.llm.budget import BudgetGuard
from revkit.services.llm.caching import marks_of
from revkit.services.llm.conversation import (
    correction,
    messages_of,
    parameters_of,
    worth_asking_again,
)
from revkit.services.llm.estimate import Estimator
from revkit.services.llm.ledger import Ledger
from revkit.services.llm.limits import Limits
from revkit.services.llm.prices import ModelFacts, asked_reply, facts_of, most_reply
from revkit.services.llm.reply import Reading, parsed, read_reply
from revkit.services.llm.sender import ModelChannel, Question, Sender, Sent
from revkit.services.llm.stored_replies import (
    reply_from_json,
    reply_of,
    reply_to_json,
    without_secrets,
)
from revkit.services.llm.transport import Transport
from revkit.services.llm.truncation import CountLog, EqualCounts, cut_reason, read_tokens

FORMAT = 1
Outcome = ModelReply | Failure
T = TypeVar("T")


class ModelGateway(Closeable):
    """Serves the models of ``settings`` to many threads through ``store``, within ``budget``.

    What the experiment with the digest ``experiment`` asks is written to the store. What it, and
    those ``sharing`` its budget, ask in other commands, before or meanwhile, counts against the
    budget. ``stop`` ends waiting for repetitions early. ``observer`` gets the events of
    calls. Close it, or use it as a context manager.
    """

    def __init__(
        self,
        settings: LlmServices,
        store: Store,
        budget: Budget | None = None,
        *,
        stop: threading.Event | None = None,
        experiment: str = "",
        sharing: Iterable[str] = (),
        observer: Observer | None = None,
    ) -> None:
        self.settings = settings
        self._observer = observer or Observer()
        self.ledger = Ledger()
        self._store = store
        self._budget = budget or Budget()
        self._attempts = Attempts(store, experiment, sharing)
        self._guard = BudgetGuard(self._budget, self._attempts.elsewhere)
        self._stop = stop
        self._secrets = Secrets()
        self._background = Background("revkit-llm")
        self._channels: dict[str, ModelChannel] = {}
        self._transports: dict[Json, Transport] = {}
        self._sender: Sender | None = None
        self._flying: dict[bytes, asyncio.Future[tuple[Outcome, bool]]] = {}
        self._counts: dict[str, CountLog] = {}
        self._counting = threading.Lock()
        self._from_batches: set[bytes] = set()
        self.desk: BatchDesk | None = None
        if settings.batches:
            paying = {experiment, *sharing} if experiment else set()
            courier = BatchCourier(
                Batches(store, experiment),
                self._background,
                self._secrets,
                self.ledger,
                self._prepared_channel,
                stop or threading.Event(),
            )
            spent = partial(spent_on, store, paying)
            self.desk = BatchDesk(store, self._budget, courier, self._secrets, spent)

    def asker(self, label: str) -> Callable[[ModelRequest], Outcome]:
        """Return `complete` for the component ``label``, under which the ledger counts."""
        return lambda request: self.complete(request, label)

    def key(self, request: ModelRequest) -> bytes:
        """Return the key of ``request``: the question, the model, and the endpoint. It contains no
        seed, no version of revkit and no secret, so that a paid answer stays valid.
        """
        settings = self.settings.of(request.model)
        value: Json = [
            "completion",
            FORMAT,
            endpoint_identity(settings),
            request.model,
            [[message.role, digest_of_text(message.content)] for message in request.messages],
            None if request.schema is None else dict(request.schema),
            parameters_of(request),
            request.replicate,
        ]
        return hashlib.sha256(canonical_json(value).encode("utf-8", "surrogatepass")).digest()

    def stored(self, request: ModelRequest) -> ModelReply | None:
        """Return the stored reply to ``request``, and send nothing; None if there is none."""
        return self._stored(self.key(request))

    def complete(self, request: ModelRequest, label: str = "") -> Outcome:
        """Return the answer to ``request``: the stored one, or a new one, or a `Failure`."""
        return self.answer(request, label)[0]

    def answer(self, request: ModelRequest, label: str = "") -> tuple[Outcome, bytes]:
        """Return the answer to ``request`` and the key under which a reply is stored."""
        key = self.key(request)
        found = self._stored(key)
        if found is None:
            return self._background.run(self._answer(request, key, label)), key
        self._note(key, label, request.model, found, "stored")
        return found, key

    async def answered(self, request: ModelRequest, label: str = "") -> tuple[Outcome, bytes]:
        """`answer` for coroutines in the event loop of the calls."""
        key = self.key(request)
        return await self._answer(request, key, label), key

    def begin(self, coroutine: Coroutine[Any, Any, T]) -> Future[T]:
        """Begin to run ``coroutine`` in the event loop of the calls, which it must not block."""
        return self._background.submit(coroutine)

    async def _answer(self, request: ModelRequest, key: bytes, label: str) -> Outcome:
        flying = self._flying.get(key)
        if flying is not None:
            # Who waits may be cancelled, the call that others wait for may not.
            outcome, stored = await asyncio.shield(flying)
            self._note(key, label, request.model, outcome, "stored" if stored else "joined")
            return outcome
        mine = self._flying[key] = asyncio.get_running_loop().create_future()
        try:
            outcome, known = await self._claimed(request, key, label)
            mine.set_result((outcome, known))
        except asyncio.CancelledError:
            mine.cancel()
            raise
        except BaseException as error:
            mine.set_exception(error)
            mine.exception()  # nobody has to wait for it
            raise
        finally:
            del self._flying[key]
        self._note(key, label, request.model, outcome, "stored" if known else "answered")
        return outcome

    async def _claimed(self, request: ModelRequest, key: bytes, label: str) -> tuple[Outcome, bool]:
        """Ask, or wait for another command on the store that is asking the same; return the answer,
        and whether it is the stored one of that command.
        """
        async with self._store.claims.awaited(key, self._stop) as claimed:
            found = self._stored(key)
            if found is not None:
                return found, True
            if claimed:
                return await self._asked(request, key, label), False
        detail = "stopped while waiting for another command on the store that asked the same"
        return Failure("provider", detail), False

    def _note(self, key: bytes, label: str, model: str, outcome: Outcome, how: str) -> None:
        if self.desk is not None:
            if how == "answered" and isinstance(outcome, ModelReply):
                self._from_batches.add(key)
            elif self.desk.collecting or key in self._from_batches:
                return  # a question of a round is counted where it is answered or given up
        if isinstance(outcome, Failure):
            how = outcome.kind
        reused = outcome.usage if how == "stored" and isinstance(outcome, ModelReply) else None
        self.ledger.ended(label, model, how, reused)

    def _stored(self, key: bytes) -> ModelReply | None:
        value = self._store.get_json(key)
        if value is None:
            self._store.name_damaged(key, LOST_REPLY)
        return None if value is None else reply_from_json(cast(Any, value))

    async def _asked(self, request: ModelRequest, key: bytes, label: str) -> Outcome:
        with self._observer.begin("call", model=request.model, agent=label) as call:
            try:
                outcome = await self._asked_twice(request, key, label, call)
            except Deferred:
                call.note(outcome="batched")
                raise
            call.note(**_observable(outcome, call))
        if self.desk is not None and self.settings.of(request.model).batch:
            if isinstance(outcome, Failure):
                self.desk.failed(key)
            else:
                self.desk.stored(key)
        return outcome

    async def _asked_twice(
        self, request: ModelRequest, key: bytes, label: str, call: Opened
    ) -> Outcome:
        """Ask, read the reply, ask once more if it could not be used, and store the result."""
        messages = messages_of(request.messages)
        parameters = parameters_of(request)
        marks = marks_of(request.model, request.messages)
        question = Question(
            messages, request.schema, parameters, label, key.hex(), marks=marks, call=call
        )
        first = await self._send(request.model, question, key, ())
        if isinstance(first, Failure):
            return first
        sent, outcome = first
        if not isinstance(outcome, Failure):
            return outcome
        if not worth_asking_again(outcome, sent):
            return self._masked(outcome)
        more = correction(sent.answer.text, outcome, request.schema)
        again = replace(question, messages=[*messages, *more], again=True)
        second = await self._send(request.model, again, key, (sent,))
        if isinstance(second, Failure):
            return second if second.kind == "budget" else self._masked(outcome)
        outcome = second[1]
        return self._masked(outcome) if isinstance(outcome, Failure) else outcome

    async def _send(
        self, model: str, question: Question, key: bytes, before: Sequence[Sent]
    ) -> tuple[Sent, Outcome] | Failure:
        channel = await self._opened(model)

        def take(sent: Sent) -> Outcome:
            reading = self._read(model, sent, question)
            if isinstance(reading, Failure):
                self._attempts.unusable(sent.attempt, reading.kind)
                return reading
            return self._put(key, reply_of(model, [*before, sent], reading))

        if self.desk is not None and channel.settings.batch:
            found = await self.desk.answered(channel, question, key, len(before))
            if isinstance(found, Failure):
                return found
            if found is not None:
                return found, take(found)
        assert self._sender is not None
        return await self._sender.send(channel, question, take)

    def _prepared_channel(self, model: str) -> ModelChannel:
        """Return the channel of ``model``, for any thread."""
        return self._channels.get(model) or self._background.run(self._opened(model))

    async def _opened(self, model: str) -> ModelChannel:
        """Return the channel of ``model``, after its transport was imported in another thread:
        importing litellm takes seconds, during which no other call could continue.
        """
        if model not in self._channels:
            await asyncio.to_thread(_import_transport, model, self.settings.of(model))
        return self._channel(model)

    def _put(self, key: bytes, reply: ModelReply) -> ModelReply:
        """Store ``reply`` without secrets and return the stored value."""
        reply = without_secrets(reply, self._secrets.storage_mask)
        body = canonical_bytes(reply_to_json(reply))
        stored = self._store.put(key, body)
        if stored == body:
            return reply
        return reply_from_json(cast(Any, parsed(stored.decode("utf-8"))))

    def _channel(self, model: str) -> ModelChannel:
        """Return the channel of ``model``; only called in the event loop."""
        if self._sender is None:
            self._sender = Sender(
                self._guard, self.ledger, self._attempts, self._secrets, self._stop
            )
        channel = self._channels.get(model)
        if channel is None:
            settings = self.settings.of(model)
            facts = facts_of(model, settings)
            transport = self._transport(model, settings)
            channel = ModelChannel(model, settings, facts, Limits(settings), transport)
            channel.marked = facts.knows_writing  # a price is known before it is paid, or not paid
            self._channels[model] = channel
        return channel

    def _transport(self, model: str, settings: ModelSettings) -> Transport:
        kind = transport_of(model, settings)
        shared: Json = [kind, settings.base_url, settings.api_key_env]
        name = canonical_json(shared)
        if name not in self._transports:
            self._transports[name] = _transport(kind, settings, self._secrets)
        return self._transports[name]

    def _read(self, model: str, sent: Sent, question: Question) -> Reading | Failure:
        answer, marked = sent.answer, sent.marked
        contents = [message["content"] for message in question.messages]
        self._count(model, read_tokens(answer, marked=marked), sum(map(len, contents)))
        reply = asked_reply(question.parameters) or 0
        reason = cut_reason(answer, contents, self._channels[model].facts, reply, marked=marked)
        if reason:
            return Failure("context", reason, answer.text)
        return read_reply(
            answer.text, answer.finish_reason, question.schema, refusal=answer.refusal
        )

    def _count(self, model: str, tokens: int | None, length: int) -> None:
        if tokens is not None:
            with self._counting:
                self._counts.setdefault(model, CountLog()).add(tokens, length)

    def equal_counts(self) -> list[EqualCounts]:
        """Return the models whose server returned equal token counts for prompts of clearly
        different lengths, as a server does that cuts prompts, among the calls of this command.
        """
        found = (log.equal_counts(model) for model, log in sorted(self._counts.items()))
        return [each for each in found if each is not None]

    def _masked(self, failure: Failure) -> Failure:
        mask = self._secrets.mask
        return Failure(failure.kind, mask(failure.detail), mask(failure.raw))

    def estimator(self) -> Estimator:
        """Return a simulation that counts the calls; see `Estimator`."""

        def facts(request: ModelRequest) -> tuple[ModelFacts, ModelFacts, int]:
            settings = self.settings.of(request.model)
            single = facts_of(request.model, settings)
            batched = single.in_batches(settings.batch_price)
            most = most_reply(parameters_of(request), single)
            return batched if settings.batch else single, batched, most

        return Estimator(self.stored, facts)

    @staticmethod
    def gather(calls: Sequence[Callable[[], Any]]) -> list[Any]:
        """Run ``calls`` in parallel, each in a thread; see `revkit.contracts.Context.gather`."""
        if len(calls) < 2:
            return [call() for call in calls]
        with ThreadPoolExecutor(len(calls), thread_name_prefix="revkit-gather") as pool:
            return list(pool.map(lambda call: call(), calls))

    def check(self, models: Iterable[str]) -> list[str]:
        """Check without cost what would prevent each of ``models`` from answering; return one line
        each.

        A missing or wrong key, an unknown model, a server that cannot be reached, a budget in
        dollars with a price that is not known. Empty: nothing was found.
        """
        problems = []
        for model in sorted(set(models)):
            problem = self._background.run(self._probed(model))
            if problem:
                problems.append(f"model {model!r}: {self._secrets.mask(problem)}")
        return problems

    async def _probed(self, model: str) -> str:
        channel = await self._opened(model)
        if self._budget.usd is not None and channel.facts.usd(1, 1) is None:
            return (
                "the budget is in US dollars, and the price of this model is unknown; set "
                "usd-per-million-input and usd-per-million-output below "
                f"services.llm.models.{model}, or a budget of calls or tokens"
            )
        return await channel.transport.probe(model)

    def close(self) -> None:
        """Cancel calls in flight and close all connections."""
        self._background.close(self._close_transports)

    async def _close_transports(self) -> None:
        if self.desk is not None:
            self.desk.close()
            await self.desk.courier.close()
        for transport in self._transports.values():
            await transport.close()
        self._transports.clear()
        self._channels.clear()


def _observable(outcome: Outcome, call: Opened) -> dict[str, Fact]:
    """The facts about the end of a call. An answer from a batch had no request that counted it."""
    if isinstance(outcome, Failure):
        return {"outcome": outcome.kind}
    if "requests" in call.facts:
        return {"outcome": "answered"}
    usage = outcome.usage
    return {
        "outcome": "answered",
        "prompt_tokens": usage.prompt_tokens,
        "completion_tokens": usage.completion_tokens,
        "usd": usage.usd,
    }


def _import_transport(model: str, settings: ModelSettings) -> None:
    """Import what the transport of ``model`` needs."""
    if transport_of(model, settings) == "litellm":
        from revkit.services.llm.litellm_transport import load

        load()
    else:
        import aiohttp  # noqa: F401


def _transport(kind: str, settings: ModelSettings, secrets: Secrets) -> Transport:
    if kind == "openai-compatible":
        from revkit.services.llm.openai_compatible import OpenAICompatible

        return OpenAICompatible(settings, secrets)
    from revkit.services.llm.litellm_transport import LiteLlm

    return LiteLlm(settings, secrets)
