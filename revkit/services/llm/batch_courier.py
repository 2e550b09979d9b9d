"""The courier: carries batches of calls to providers, looks after them, and fetches the results."""

from __future__ import annotations

import hashlib
import random
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from revkit.cache import Batch, BatchCall, Batches
from revkit.errors import BatchesPending, RunError
from revkit.http import Background, Backoff, Secrets
from revkit.services.llm.batch_api import ENDED, BatchApi, RemoteBatch, batch_api
from revkit.services.llm.batch_results import read_results
from revkit.services.llm.ledger import Ledger
from revkit.services.llm.sender import ModelChannel
from revkit.services.llm.transport import REPEATABLE, TransportError

_LOOKS, _YOUNG = 3, 600.0  # seconds; a new batch may be listed late
_QUEUE_FULL = "token_limit_exceeded"
_MOST_FAILED_LOOKS = 30  # one after the other; with the longest pauses about an hour
_LONGEST_PAUSE = 3600.0  # seconds that a server may ask to wait before the command ends


@dataclass
class _Attempt:
    """Whether a batch may have been started although no answer arrived."""

    unsure: bool = False


class BatchCourier:
    """The batches of one run. ``awaited`` are those that the current round needs, ``warnings``
    counts result lines that were not used, by their sort.

    ``channel`` returns the channel of a model. Setting ``stop`` ends waiting.
    """

    def __init__(
        self,
        batches: Batches,
        background: Background,
        secrets: Secrets,
        ledger: Ledger,
        channel: Callable[[str], ModelChannel],
        stop: threading.Event,
    ) -> None:
        self.batches = batches
        self.awaited: set[int] = set()
        self.warnings: dict[str, int] = {}
        self._background = background
        self._secrets = secrets
        self._ledger = ledger
        self._channel = channel
        self._stop = stop
        self._apis: dict[str, BatchApi] = {}
        self._lock = threading.Lock()
        self._began = time.monotonic()

    def send(self, channel: ModelChannel, calls: Sequence[BatchCall], data: bytes) -> None:
        """Send ``calls``, whose file is ``data``, as a batch.

        Raises `RunError` if the provider does not accept it.
        """
        model, api = channel.model, self.api(channel)
        with self.batches.turn():
            self._adopt(channel)
            batch = self.batches.write(model, hashlib.sha256(data).hexdigest(), calls)
            attempt = _Attempt()
            try:
                remote = self._created(channel, api, batch, data, attempt)
            except TransportError as error:
                if not attempt.unsure:
                    self.batches.never_sent(batch)
                raise RunError(
                    f"the batch of {len(calls):,} calls of model {model!r} could not be sent: "
                    f"{self._secrets.mask(error.message)}; no answer is lost, and the same command "
                    "continues from here"
                ) from None
            self.batches.sent(batch, remote)
        self.awaited.add(batch.id)
        for each in calls:
            self._ledger.sent(each.label, model, repeated=False, reasked=each.turn > 0)

    def _created(
        self,
        channel: ModelChannel,
        api: BatchApi,
        batch: Batch,
        data: bytes,
        attempt: _Attempt,
    ) -> str:
        """Send a file and start its batch, once: after an error that leaves open whether it was
        started, which ``attempt`` notes, the provider is asked first.
        """
        file = ""
        for tries in range(channel.settings.retries + 1):
            starting = False
            try:
                file = file or self._run(api.upload(data))
                found: str = self._run(api.find(batch.marker)) if attempt.unsure else ""
                if not found:
                    starting = True
                    found = self._run(api.create(file, batch.marker))
                return found
            except TransportError as error:
                repeatable = error.trouble in REPEATABLE
                if starting and repeatable and not error.unreachable:
                    attempt.unsure = True
                if not repeatable or tries == channel.settings.retries:
                    raise
                self._rest(channel, batch, tries + 1, error.retry_after, error)
        raise AssertionError

    def adopt(self) -> None:
        """Find out about batches whose command ended before the provider's answer was written down:
        those that the provider has are this run's, and the others were never sent.
        """
        with self.batches.turn():
            for model in {batch.model for batch in self.batches.unsent()}:
                self._adopt(self._channel(model))

    def _adopt(self, channel: ModelChannel) -> None:
        for batch in self.batches.unsent():
            if batch.model != channel.model:
                continue
            looks = _LOOKS if time.time() - batch.made < _YOUNG else 1
            remote = ""
            try:
                for look in range(looks):
                    remote = remote or self._run(self.api(channel).find(batch.marker))
                    if not remote and look + 1 < looks:
                        self._rest(channel, batch, look + 1, None, None)
            except TransportError as error:
                raise RunError(
                    f"it is not known whether a batch of {batch.requests:,} calls of model "
                    f"{batch.model!r} was sent, because the provider's list cannot be read: "
                    f"{self._secrets.mask(error.message)}; run the same command again"
                ) from None
            if remote:
                self.batches.sent(batch, remote)
            else:
                self.batches.never_sent(batch)

    def fetch(self) -> None:
        """Look at all batches of the experiment once, and fetch the results of those that ended."""
        for batch in self.batches.waiting():
            if batch.experiment == self.batches.experiment:
                self._look(batch)

    def wait(self, report: Callable[[str], None]) -> None:
        """Wait until the batches for which the round waits have ended, and fetch their results.

        Raises `BatchesPending` if the settings limit the time to wait, or if the provider does not
        answer. Returns early if the run is stopped.
        """
        tries = failures = 0
        while pending := self.pending():
            news, asked, error = False, None, None
            done = total = 0
            for batch in pending:
                remote, trouble = self._look(batch)
                if trouble is not None:
                    error, asked = trouble, max(asked or 0.0, trouble.retry_after or 0.0) or None
                elif remote is not None:
                    done, total = done + remote.done, total + (remote.total or batch.requests)
                news = news or batch not in self.pending()
                if self._stop.is_set():
                    return
            pending = self.pending()
            if not pending:
                return
            failures = 0 if error is None else failures + 1
            tries = 1 if news else tries + 1
            settings = self._channel(pending[0].model).settings
            if failures > _MOST_FAILED_LOOKS or (asked or 0.0) > _LONGEST_PAUSE:
                raise self._still(f"The provider does not answer: {error and error.message}. ")
            limits = [self._channel(each.model).settings.batch_wait for each in pending]
            waited = (time.monotonic() - self._began) / 3600
            if any(limit is not None and waited >= limit for limit in limits):
                raise self._still("")
            report(f"batches: {done:,} of {total:,} calls done")
            jitter = random.Random(f"{pending[0].marker}/{tries}").random()
            pause = Backoff(settings.backoff, settings.longest_wait).pause(tries, None, jitter)
            if self._stop.wait(max(pause or 0.0, asked or 0.0)):
                return

    def _still(self, reason: str) -> BatchesPending:
        pending = self.pending()
        names = ", ".join(batch.remote for batch in pending[:5])
        more = f" and {len(pending) - 5} more" if len(pending) > 5 else ""
        calls = sum(batch.requests for batch in pending)
        plural = "es" if len(pending) > 1 else ""
        return BatchesPending(
            f"{self._secrets.mask(reason)}{len(pending):,} batch{plural} with {calls:,} calls: "
            f"{names}{more}. Run the same command again to fetch the results."
        )

    def pending(self) -> list[Batch]:
        """Return the batches for which the round waits."""
        return [batch for batch in self.batches.waiting() if batch.id in self.awaited]

    def _look(self, batch: Batch) -> tuple[RemoteBatch | None, TransportError | None]:
        """Look at ``batch`` and fetch its results if it ended; return what the provider reports, or
        a temporary error.
        """
        channel = self._channel(batch.model)
        api = self.api(channel)
        try:
            remote = self._run(api.look(batch.remote))
            if remote.status in ENDED:
                files = [name for name in (remote.output, remote.errors) if name]
                contents = [self._run(api.content(name)) for name in files]
                self._read(channel, batch, remote, contents)
            return remote, None
        except TransportError as error:
            if error.trouble in REPEATABLE:
                return None, error
            raise RunError(
                f"batch {batch.remote} of model {batch.model!r} cannot be read: "
                f"{self._secrets.mask(error.message)}; use the key of the account that sent it, "
                f"or give it up with `revkit store batches --give-up {batch.remote}`"
            ) from None

    def _read(
        self,
        channel: ModelChannel,
        batch: Batch,
        remote: RemoteBatch,
        contents: Sequence[bytes],
    ) -> None:
        others = [each for each in self.batches.waiting() if each.id != batch.id]
        if remote.code == _QUEUE_FULL and any(each.model == batch.model for each in others):
            # Too much waits already, so it was not accepted: it is sent again after the others.
            self.batches.never_sent(batch)
            return
        facts = channel.facts.in_batches(channel.settings.batch_price)
        calls = self.batches.calls_of(batch)
        found = read_results(calls, remote, contents, facts, self._secrets.storage_mask)
        self.batches.end(batch, found.arrived)
        for name, count in found.odd.items():
            self.warnings[name] = self.warnings.get(name, 0) + count
        for each in found.arrived:
            if each.outcome == "answered":
                paid, label = each.paid, calls[each.key][0]
                self._ledger.received(
                    label, batch.model, paid.prompt_tokens, paid.completion_tokens, paid.usd, None
                )

    def _rest(
        self,
        channel: ModelChannel,
        batch: Batch,
        tries: int,
        asked: float | None,
        error: TransportError | None,
    ) -> None:
        settings = channel.settings
        jitter = random.Random(f"{batch.marker}/{tries}").random()
        pause = Backoff(settings.backoff, settings.longest_wait).pause(tries, asked, jitter)
        if error is not None and (pause is None or self._stop.wait(pause)):
            raise error
        if error is None:
            self._stop.wait(pause or 0.0)

    def _run(self, coroutine: Any) -> Any:
        return self._background.run(coroutine)

    def api(self, channel: ModelChannel) -> BatchApi:
        """Return the batch functions for a channel. Raises `RunError` if the provider has none."""
        with self._lock:
            api = self._apis.get(channel.model)
            if api is None:
                api = batch_api(channel.model, channel.settings, self._secrets)
                problem = api.problem()
                if problem:
                    raise RunError(problem)
                self._apis[channel.model] = api
            return api

    async def close(self) -> None:
        """Close all connections; in the event loop."""
        for api in self._apis.values():
            await api.close()
