"""Send one question to one model until it is answered, refused or abandoned.

Everything here runs in the gateway's event loop, so nothing needs a lock.
"""

from __future__ import annotations

import asyncio
import random
import re
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import TypeVar

from revkit.cache import Attempts, Paid
from revkit.dataclass import dataclass
from revkit.http import Backoff, Secrets
from revkit.model.review import Failure, FailureKind
from revkit.model.values import Json
from revkit.model_settings import Cost, ModelSettings
from revkit.observing import NOTHING, Opened
from revkit.services.llm.budget import BudgetGuard
from revkit.services.llm.caching import Marks
from revkit.services.llm.ledger import Ledger
from revkit.services.llm.limits import Limits
from revkit.services.llm.prices import ModelFacts, asked_reply, estimate_tokens, most_reply
from revkit.services.llm.transport import (
    REPEATABLE,
    Answer,
    Call,
    Structure,
    Transport,
    TransportError,
    Trouble,
)

_WEAKER: Mapping[Structure, Structure] = {"strict": "schema", "schema": "object", "object": "none"}
KINDS: Mapping[Trouble, FailureKind] = {
    "timeout": "timeout",
    "context": "context",
    "refusal": "refusal",
}
_MARK = re.compile(r"cache_control|\bcontent\b", re.IGNORECASE)
_OVERRUN = (429, 503, 529)  # a server that has too much to do
_MAY_BE_PAID = ("timeout", "connection", "size")
_NO_CREDIT = (
    "the account has no credit or is closed, so no more requests are sent to {}; add credit, or "
    "use the key of another account, and run the same command again"
)
T = TypeVar("T")
_GLANCE = 0.25  # seconds between looks at the stop signal while waiting


@dataclass
class ModelChannel:
    """The state of one model: settings, limits, transport, and facts learnt from its replies.

    ``structure`` and ``dropped`` remember what the provider turned out not to take, so that it is
    tried once and not with every call, and ``marked`` whether marks for its cache are.
    ``blocked`` is the failure that every call would meet.
    """

    model: str
    settings: ModelSettings
    facts: ModelFacts
    limits: Limits
    transport: Transport
    structure: Structure = "strict"
    dropped: set[str] = field(default_factory=set)
    renamed: dict[str, str] = field(default_factory=dict)
    answered: bool = False
    marked: bool = True
    blocked: Failure | None = None
    blocked_until: float = float("inf")

    def block(self, failure: Failure, seconds: float = float("inf")) -> None:
        """Fail every call from now on, for ``seconds``."""
        self.blocked = failure
        self.blocked_until = time.monotonic() + seconds

    def blocking(self) -> Failure | None:
        """Return the failure of a call that is currently blocked, if any."""
        if self.blocked is not None and time.monotonic() >= self.blocked_until:
            self.blocked = None
        return self.blocked


@dataclass(frozen=True)
class Question:
    """A question to send: messages, schema, parameters; the asking component; the seed of the
    jitter; where to mark the messages for a cache; and the call that is observed.
    """

    messages: Sequence[Mapping[str, str]]
    schema: Mapping[str, Json] | None
    parameters: Mapping[str, Json]
    label: str
    seed: str
    again: bool = False
    marks: Marks = ()
    call: Opened = field(default=NOTHING, compare=False, repr=False)

    def tokens(self) -> int:
        """Estimated tokens of the prompt."""
        return estimate_tokens(message["content"] for message in self.messages)


@dataclass(frozen=True, slots=True)
class Sent:
    """An answer, the requests made for it, its price, the changes needed to get it, whether its
    prompt was marked for a cache, and the number of the last attempt.
    """

    answer: Answer
    requests: int
    usd: float | None
    seconds: float
    notes: tuple[str, ...]
    marked: bool = False
    attempt: int = 0


class Sender:
    """Sends questions within budget and limits, and retries after temporary failures."""

    def __init__(
        self,
        guard: BudgetGuard,
        ledger: Ledger,
        attempts: Attempts,
        secrets: Secrets,
        stop: threading.Event | None,
    ) -> None:
        self._guard = guard
        self._ledger = ledger
        self._attempts = attempts
        self._secrets = secrets
        self._stop = stop

    async def send(
        self, channel: ModelChannel, question: Question, take: Callable[[Sent], T]
    ) -> tuple[Sent, T] | Failure:
        """Return the answer converted by ``take``, or the final `Failure`.

        ``take`` reads and stores the answer before its connection serves another call, so that a
        run that is killed has no more paid answers to ask for again than it has connections.
        """
        prompt = question.tokens()
        overflow = channel.facts.overflow(prompt, asked_reply(question.parameters) or 0)
        if overflow:
            return Failure("context", overflow)
        reply = most_reply(question.parameters, channel.facts)
        marked = bool(question.marks) and channel.marked
        written = prompt if marked else 0  # at most: what is marked may be put in a cache
        estimate = Cost(1, prompt + reply, channel.facts.usd(prompt, reply, 0, written))
        requests = 0
        repeats = 0
        while True:
            blocked = channel.blocking()
            if blocked is not None:
                return blocked
            call = call_of(channel, question)
            async with channel.limits:
                sent = await self._once(channel, question, call, estimate, repeats > 0)
                if isinstance(sent, Failure):
                    return sent
                requests += 1
                if not isinstance(sent, TransportError):
                    answer, usd, seconds, attempt = sent
                    channel.answered = True
                    notes = notes_of(call, channel, question, answer.dropped)
                    whole = Sent(answer, requests, usd, seconds, notes, bool(call.marks), attempt)
                    return whole, take(whole)
            if adapt(channel, call, sent):
                continue
            failure = self._given_up(channel, sent, requests, repeats)
            if failure is not None:
                return failure
            wait = self._wait(channel, question, sent, repeats)
            repeats += 1
            if await self._stopped_within(wait):
                return Failure("provider", f"stopped while waiting to repeat: {sent.message}")

    async def _once(
        self, channel: ModelChannel, question: Question, call: Call, estimate: Cost, repeated: bool
    ) -> tuple[Answer, float | None, float, int] | TransportError | Failure:
        await channel.limits.admit(estimate.tokens)
        blocked = channel.blocking()
        if blocked is not None:
            return blocked
        refusal = await self._guard.hold(estimate)
        if refusal:
            return Failure("budget", refusal)
        self._ledger.sent(question.label, channel.model, repeated=repeated, reasked=question.again)
        observed = question.call.begin(
            "request",
            model=channel.model,
            agent=question.label,
            repeated=repeated,
            reasked=question.again,
        )
        question.call.add(requests=1, retries=int(repeated))
        with observed:
            return await self._exchanged(channel, question, call, estimate, observed)

    async def _exchanged(
        self,
        channel: ModelChannel,
        question: Question,
        call: Call,
        estimate: Cost,
        observed: Opened,
    ) -> tuple[Answer, float | None, float, int] | TransportError:
        """Send ``call``, for which ``estimate`` is reserved, and account for what it used."""
        started = time.monotonic()
        spent = estimate
        attempt = 0
        try:
            key = bytes.fromhex(question.seed)
            attempt = self._attempts.sent(question.label, channel.model, key, estimate)
            answer = await channel.transport.send(call)
            seconds = time.monotonic() - started
            channel.limits.slots.answered()
            spent, usd = _spent(channel.facts, answer, estimate)
            self._ledger.received(
                question.label,
                channel.model,
                answer.prompt_tokens,
                answer.completion_tokens,
                usd,
                seconds,
            )
            paid = Paid(answer.prompt_tokens, answer.completion_tokens, answer.cached_tokens, usd)
            self._attempts.ended(attempt, "answered", spent, seconds, paid)
            used = {
                "prompt_tokens": answer.prompt_tokens,
                "completion_tokens": answer.completion_tokens,
                "usd": usd,
            }
            observed.note(outcome="answered", **used)
            question.call.add(**used)
            return answer, usd, seconds, attempt
        except TransportError as error:
            # After a timeout, a broken connection or an answer that is too large, the provider may
            # have charged for an answer.
            overrun = error.status in _OVERRUN and error.trouble != "account"
            if overrun or error.trouble == "timeout":
                channel.limits.slots.eased(started)
            charged = error.trouble in _MAY_BE_PAID and not error.unreachable
            spent = estimate if charged else Cost(1, 0, 0.0)
            paid = Paid() if charged else Paid(0, 0, 0, 0.0)
            seconds = time.monotonic() - started
            self._attempts.ended(attempt, error.trouble, spent, seconds, paid)
            observed.note(outcome=error.trouble)
            return error
        finally:
            await self._guard.settle(estimate, spent)
            observed.note(**self._guard.left())

    def _given_up(
        self, channel: ModelChannel, error: TransportError, requests: int, repeats: int
    ) -> Failure | None:
        settings = channel.settings
        count = f" ({requests} requests)" if requests > 1 else ""
        failure = Failure(
            KINDS.get(error.trouble, "provider"),
            self._secrets.mask(error.message + count),
            self._secrets.mask(error.raw),
        )
        if error.trouble == "account":
            failure = Failure(
                failure.kind, f"{failure.detail}; {_NO_CREDIT.format(channel.model)}", failure.raw
            )
            channel.block(failure)
            return failure
        if error.trouble not in REPEATABLE:
            if error.trouble in ("key", "missing") and not channel.answered:
                channel.block(failure)
            return failure
        if error.retry_after is not None and error.retry_after > settings.longest_wait:
            moment = time.strftime(
                "%Y-%m-%d %H:%M:%S UTC", time.gmtime(time.time() + error.retry_after)
            )
            detail = (
                f"{failure.detail}: the server asks to wait until {moment} "
                f"({error.retry_after:.0f} s), more than longest-wait allows "
                f"({settings.longest_wait:g} s); run the same command again then"
            )
            failure = Failure("provider", detail, failure.raw)
            channel.block(failure, error.retry_after)
            return failure
        if repeats >= settings.retries:
            if error.unreachable and not channel.answered:
                channel.block(failure)
            return failure
        return None

    def _wait(
        self, channel: ModelChannel, question: Question, error: TransportError, repeats: int
    ) -> float:
        """Return the seconds before the next attempt: exponential with jitter, never less than the
        server requested.
        """
        settings = channel.settings
        jitter = random.Random(f"{question.seed}/{question.again}/{repeats}").random()
        if error.retry_after is not None:
            channel.limits.pause(error.retry_after)
        pause = Backoff(settings.backoff, settings.longest_wait).pause(
            repeats + 1, error.retry_after, jitter
        )
        assert pause is not None  # a longer one than allowed was given up
        return pause

    async def _stopped_within(self, seconds: float) -> bool:
        """Wait, and return whether the run was stopped meanwhile."""
        if self._stop is None:
            await asyncio.sleep(seconds)
            return False
        end = time.monotonic() + seconds
        while not self._stop.is_set() and (left := end - time.monotonic()) > 0:
            await asyncio.sleep(min(left, _GLANCE))
        return self._stop.is_set()


def call_of(channel: ModelChannel, question: Question) -> Call:
    """Return ``question`` in the form that the provider takes, as far as known."""
    parameters = {
        channel.renamed.get(name, name): value
        for name, value in question.parameters.items()
        if name not in channel.dropped
    }
    return Call(
        channel.model,
        question.messages,
        parameters,
        question.schema,
        channel.structure,
        channel.settings.timeout,
        question.marks if channel.marked else (),
    )


def adapt(channel: ModelChannel, call: Call, error: TransportError) -> bool:
    """Remove what the provider does not support; return whether the call may now be repeated."""
    name = error.unsupported
    if call.marks and error.trouble == "request" and _MARK.search(error.message):
        channel.marked = False
        return True
    if name == "response_format" and call.structure != "none":
        if channel.structure == call.structure:  # else another call has found out already
            channel.structure = _WEAKER[call.structure]
        return True
    if name not in call.parameters:
        return False
    if name == "max_tokens" and "max_completion_tokens" in error.message:
        channel.renamed[name] = "max_completion_tokens"
    else:
        original = {new: old for old, new in channel.renamed.items()}.get(name, name)
        channel.dropped.add(original)
    return True


def notes_of(
    call: Call, channel: ModelChannel, question: Question, dropped: Sequence[str]
) -> tuple[str, ...]:
    """Return the wanted features that the provider was not asked for."""
    names = sorted((channel.dropped & set(question.parameters)) | set(dropped))
    notes = [f"parameter dropped: {name}" for name in names]
    if call.schema is not None and call.structure in ("object", "none"):
        notes.append("schema not sent to the provider")
    return tuple(notes)


def _spent(facts: ModelFacts, answer: Answer, estimate: Cost) -> tuple[Cost, float | None]:
    """Return the part of the budget that an answer used, and its price (None: unknown)."""
    usd = facts.usd(
        answer.prompt_tokens,
        answer.completion_tokens,
        answer.cached_tokens or 0,
        answer.written_tokens,
    )
    counted = answer.prompt_tokens is not None and answer.completion_tokens is not None
    tokens = (
        (answer.prompt_tokens or 0) + (answer.completion_tokens or 0)
        if counted
        else estimate.tokens
    )
    return Cost(1, tokens, estimate.usd if usd is None else usd), usd
