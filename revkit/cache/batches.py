"""Batches: the stored record of calls that were sent to a provider as batches.

A batch is written down with all of its calls before it is sent, and its number at the provider as
soon as that is known. So a command that is killed in between finds out at its next start whether
the provider has the batch. Results are kept until the reply to a call is stored or the run has
recorded its failure.
"""

from __future__ import annotations

import contextlib
import json
import time
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field

from revkit.cache.attempts import IN_FLIGHT, Paid
from revkit.cache.store import Store
from revkit.dataclass import dataclass
from revkit.errors import StoreError
from revkit.model.values import Json, canonical_json
from revkit.model_settings import Cost


@dataclass(frozen=True, slots=True)
class BatchCall:
    """One call of a batch: its key, its turn (0, or 1 for a second question), the component that
    asks, the most that it may cost, and what its sender wants to know about it later.
    """

    key: bytes
    turn: int
    label: str
    most: Cost
    sent: Json


@dataclass(frozen=True, slots=True)
class Batch:
    """One batch: its number here and at the provider ("" as long as unknown), and its marker there.

    ``experiment`` is the digest of the experiment that sent it.
    ``made`` is the time at which it was written down, in seconds since 1970.
    """

    id: int
    experiment: str
    model: str
    marker: str
    requests: int
    made: float
    remote: str


@dataclass(frozen=True, slots=True)
class Batched:
    """One call in one batch: "in flight", "answered" or a kind of trouble, and what came for it."""

    batch: int
    attempt: int
    sent: Json
    outcome: str
    body: str


@dataclass(frozen=True, slots=True)
class Arrived:
    """What came for one call of a batch; ``charged`` counts against the budget."""

    key: bytes
    outcome: str
    body: str
    charged: Cost
    paid: Paid = field(default_factory=Paid)


class Batches:
    """The batches of ``store``; those that are sent belong to the experiment with the digest
    ``experiment``.
    """

    def __init__(self, store: Store, experiment: str) -> None:
        self._store = store
        self.experiment = experiment

    @contextlib.contextmanager
    def turn(self) -> Iterator[None]:
        """Hold the right to send batches of this store: one command at a time has it, so a batch
        without a number at the provider is one whose command ended.
        """
        path = self._store.path
        if path is None:
            yield
            return
        with path.with_name(path.name + ".batches").open("ab") as file:
            with contextlib.suppress(ImportError):  # not on Windows
                import fcntl

                fcntl.flock(file, fcntl.LOCK_EX)
            yield

    def write(self, model: str, digest: str, calls: Sequence[BatchCall]) -> Batch:
        """Write down a batch that is about to be sent; ``digest`` is the SHA-256 of its file. Call
        it within `turn`.
        """
        made = time.time()

        def statements() -> Iterator[tuple[str, Sequence[object]]]:
            yield (
                "INSERT INTO batch (experiment, model, digest, requests, made)"
                " VALUES (?, ?, ?, ?, ?)",
                (self.experiment, model, digest, len(calls), made),
            )
            for each in calls:
                yield (
                    "INSERT INTO attempt (experiment, label, model, call, outcome, tokens, charged)"
                    " VALUES (?, ?, ?, ?, ?, ?, ?)",
                    (
                        self.experiment,
                        each.label,
                        model,
                        each.key,
                        IN_FLIGHT,
                        each.most.tokens,
                        each.most.usd,
                    ),
                )
                yield (
                    "INSERT INTO batched SELECT ?, ?, seq, last_insert_rowid(), ?, ?, NULL"
                    " FROM sqlite_sequence WHERE name = 'batch'",
                    (each.key, each.turn, canonical_json(each.sent), IN_FLIGHT),
                )

        self._store.write(statements())
        [(number,)] = self._store.query("SELECT max(id) FROM batch", ())
        return Batch(
            number, self.experiment, model, self._marker(number, digest), len(calls), made, ""
        )

    def _marker(self, number: int, digest: str) -> str:
        return f"{self._store.identity}:{number}:{digest}"

    def sent(self, batch: Batch, remote: str) -> None:
        """Write down the number of a batch at the provider."""
        self._store.insert("UPDATE batch SET remote = ? WHERE id = ?", (remote, batch.id))

    def never_sent(self, batch: Batch) -> None:
        """Forget a batch that the provider does not have, and the requests in it."""
        which = (batch.id,)
        self._store.write(
            [
                (
                    "DELETE FROM attempt WHERE id IN (SELECT attempt FROM batched WHERE batch = ?)",
                    which,
                ),
                ("DELETE FROM batched WHERE batch = ?", which),
                ("DELETE FROM batch WHERE id = ?", which),
            ]
        )

    def unsent(self) -> list[Batch]:
        """Return the experiment's batches without a number at the provider; ask within `turn`."""
        found = self._where("remote IS NULL AND NOT ended")
        return [batch for batch in found if batch.experiment == self.experiment]

    def waiting(self) -> list[Batch]:
        """Return the batches at the provider whose results were not fetched."""
        return self._where("remote IS NOT NULL AND NOT ended")

    def _where(self, condition: str) -> list[Batch]:
        rows = self._store.query(
            "SELECT id, experiment, model, digest, requests, made, remote FROM batch"
            f" WHERE {condition} ORDER BY id",
            (),
        )
        return [
            Batch(number, owner, model, self._marker(number, digest), requests, made, remote or "")
            for number, owner, model, digest, requests, made, remote in rows
        ]

    def open(self) -> list[Batch]:
        """Return all batches whose results were not fetched, sent or not."""
        return self._where("NOT ended")

    def give_up(self, remote: str) -> int:
        """Forget the batch with the number ``remote`` at the provider, whose results will not be
        fetched; return how many calls were without one. What they may have cost stays counted.

        Raises `StoreError` if no batch that is waited for has this number.
        """
        found = [batch for batch in self.waiting() if batch.remote == remote]
        if not found:
            raise StoreError(f"the store waits for no batch {remote!r}")
        [batch] = found
        calls = len(self.calls_of(batch))
        which = (batch.id, IN_FLIGHT)
        self._store.write(
            [
                (
                    "UPDATE attempt SET outcome = 'given up' WHERE id IN"
                    " (SELECT attempt FROM batched WHERE batch = ? AND outcome = ?)",
                    which,
                ),
                ("DELETE FROM batched WHERE batch = ? AND outcome = ?", which),
                ("UPDATE batch SET ended = 1 WHERE id = ?", (batch.id,)),
            ]
        )
        return calls

    def calls_of(self, batch: Batch) -> dict[bytes, tuple[str, Cost]]:
        """Return the calls of ``batch`` without a result: their labels, and the most that they may
        cost.
        """
        rows = self._store.query(
            "SELECT batched.call, label, tokens, charged FROM batched JOIN attempt ON id = attempt"
            " WHERE batch = ? AND batched.outcome = ?",
            (batch.id, IN_FLIGHT),
        )
        return {
            bytes(key): (label or "", Cost(1, tokens or 0, charged))
            for key, label, tokens, charged in rows
        }

    def end(self, batch: Batch, arrived: Iterable[Arrived]) -> None:
        """Write down what came for the calls of ``batch``, in one transaction."""

        def statements() -> Iterator[tuple[str, Sequence[object]]]:
            for each in arrived:
                where = (each.key, batch.id, IN_FLIGHT)
                paid = each.paid
                yield (
                    "UPDATE attempt SET outcome = ?, tokens = ?, charged = ?, prompt = ?,"
                    " completion = ?, cached = ?, usd = ? WHERE id IN (SELECT attempt FROM batched"
                    " WHERE call = ? AND batch = ? AND outcome = ?)",
                    (
                        each.outcome,
                        each.charged.tokens,
                        each.charged.usd,
                        paid.prompt_tokens,
                        paid.completion_tokens,
                        paid.cached_tokens,
                        paid.usd,
                        *where,
                    ),
                )
                yield (
                    "UPDATE batched SET outcome = ?, body = ? WHERE call = ? AND batch = ?"
                    " AND outcome = ?",
                    (each.outcome, zlib.compress(each.body.encode("utf-8", "replace")), *where),
                )
            yield "UPDATE batch SET ended = 1 WHERE id = ?", (batch.id,)

        self._store.write(statements())

    def of(self, key: bytes, turn: int) -> list[Batched]:
        """Return what is known of a call, from its first batch to its last."""
        rows = self._store.query(
            "SELECT batch, attempt, sent, outcome, body FROM batched WHERE call = ? AND turn = ?"
            " ORDER BY batch",
            (key, turn),
        )
        return [
            Batched(batch, attempt, json.loads(sent), outcome, _unpacked(body))
            for batch, attempt, sent, outcome, body in rows
        ]

    def forget(self, keys: Iterable[bytes]) -> None:
        """Delete the results for calls whose replies are stored or whose failures are recorded."""
        self._store.write([("DELETE FROM batched WHERE call = ?", (key,)) for key in keys])


def _unpacked(body: bytes | None) -> str:
    return "" if body is None else zlib.decompress(body).decode("utf-8")
