"""The store of answers: one SQLite file, addressed by content, safe to interrupt and to share.

Two tables hold answers: *asked* (key to digest) and *content* (digest to compressed bytes). A body
that repeats most of another, as a review does the reply it was read from, may be packed against it.
*damaged* holds answers that were set aside since they are not what was stored, *attempt* the
requests to language models (see `revkit.cache.attempts`), *batch* and *batched* those that were
sent as batches (see `revkit.cache.batches`). Each answer is committed at once; with
write-ahead logging that survives a killed process, readers and other runs on the same file go on
beside it, and a crash of the machine loses at most the last moments.
"""

from __future__ import annotations

import hashlib
import json
import math
import sqlite3
import threading
import time
import zlib
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from revkit.cache.claims import Claims
from revkit.errors import StoreError
from revkit.files.closeable import Closeable
from revkit.model.values import Json, canonical_bytes

_VERSION = 5
_TABLES = (
    "CREATE TABLE IF NOT EXISTS asked (key BLOB PRIMARY KEY, content BLOB NOT NULL) WITHOUT ROWID",
    # With row numbers new bodies fill page after page; in the order of their digests a third of
    # each page would stay empty.
    "CREATE TABLE IF NOT EXISTS content (digest BLOB PRIMARY KEY, body BLOB NOT NULL)",
    "CREATE TABLE IF NOT EXISTS damaged (key BLOB, digest BLOB, body BLOB)",
    "CREATE TABLE IF NOT EXISTS attempt (id INTEGER PRIMARY KEY, experiment TEXT NOT NULL,"
    " label TEXT, model TEXT, call BLOB, outcome TEXT, prompt INTEGER, completion INTEGER,"
    " cached INTEGER, usd REAL, tokens INTEGER, charged REAL, seconds REAL)",
    "CREATE INDEX IF NOT EXISTS attempts ON attempt (experiment)",
    # The identity of the store: with it, attempts that were merged from it are known as its own.
    "CREATE TABLE IF NOT EXISTS about (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    # Since format 5: batches of calls at a provider, and their calls (see revkit.cache.batches).
    "CREATE TABLE IF NOT EXISTS batch (id INTEGER PRIMARY KEY AUTOINCREMENT,"
    " experiment TEXT NOT NULL, model TEXT NOT NULL, digest TEXT NOT NULL,"
    " requests INTEGER NOT NULL, made REAL NOT NULL, remote TEXT,"
    " ended INTEGER NOT NULL DEFAULT 0)",
    "CREATE TABLE IF NOT EXISTS batched (call BLOB NOT NULL, turn INTEGER NOT NULL,"
    " batch INTEGER NOT NULL, attempt INTEGER NOT NULL, sent TEXT NOT NULL, outcome TEXT NOT NULL,"
    " body BLOB, PRIMARY KEY (call, turn, batch)) WITHOUT ROWID",
    "CREATE INDEX IF NOT EXISTS batches ON batched (batch)",
)
# Since format 4: which store sent a request that was merged, and the number that it has there.
_ORIGIN = (
    "ALTER TABLE attempt ADD COLUMN origin TEXT",
    "CREATE UNIQUE INDEX origins ON attempt (origin)",
)
# Marks a body that was packed with another as its dictionary: the other's digest, then the stream.
# A body without the mark is a plain zlib stream, as all were in format 1.
_ALIKE = b"\x01"
_RECENT = 64  # answers
_SHORT = 65536  # bytes
_DIGEST = 32
_MARGIN = 262  # bytes of a window that deflate does not reach back to
_BUSY_SECONDS = 60.0
# What SQLite raises for a damaged file; the second, if its own message holds bytes of the file.
_FAULTS = (sqlite3.Error, UnicodeDecodeError)
_LOCKED = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
# One statement for both tables: threads take turns before and after each, and waiting for the turn
# takes longer than the statement.
_ANSWER = (
    "PRAGMA temp_store=MEMORY",
    "CREATE TEMP VIEW answer AS"
    " SELECT key, digest, body FROM asked JOIN content ON digest = content",
    "CREATE TEMP TRIGGER answered INSTEAD OF INSERT ON answer BEGIN"
    " INSERT OR IGNORE INTO content VALUES (NEW.digest, NEW.body);"
    " INSERT OR IGNORE INTO asked VALUES (NEW.key, NEW.digest); END",
)
# An answer with the body that it is packed against, if any.
_FIND = (
    "SELECT digest, body, CASE WHEN substr(body, 1, 1) = x'01' THEN"
    " (SELECT body FROM content AS other WHERE other.digest = substr(content.body, 2, 32)) END"
    " FROM asked JOIN content ON digest = content WHERE key = ?"
)
_ATTEMPT = (
    "experiment, label, model, call, outcome, prompt, completion, cached, usd, tokens, charged,"
    " seconds"
)
_UPDATE = ", ".join(f"{name} = excluded.{name}" for name in _ATTEMPT.split(", "))
LOST_REPLY = "a reply of a language model"  # describes such an answer among damaged ones
_OPENING = "name a file in a folder in which you can write, with --store"
_REMEDY = "move the file to another place; its answers are then computed again"


class Store(Closeable):
    """A store of answers at ``path``, which is created if it does not exist; ``None`` keeps it in
    memory.

    Raises `StoreError` where the file cannot be opened, is not a store, or comes from a newer
    revkit.

    An answer that is not what was stored, as a damaged disk leaves it, is never returned: it is
    moved to the table *damaged*, and its key counts as unknown from then on. ``damaged`` holds
    what was set aside through this object, each key with a description. ``claims`` are the keys
    that this process is answering, which other commands on the file wait for. ``known`` is a store
    that nobody writes to: an answer that is only there is copied from it when it is asked for.
    """

    def __init__(self, path: Path | None, known: Path | None = None) -> None:
        self.path = path
        self.claims = Claims(path)
        self._known = None if known is None else _Frozen(known)
        self.damaged: dict[bytes, str] = {}
        self._lock = threading.Lock()
        # What was put last, whole: a review that is packed with its reply follows it soon.
        self._recent: OrderedDict[bytes, tuple[bytes, bytes]] = OrderedDict()
        try:
            self._connection = self._opened(path)
        except (OSError, *_FAULTS) as error:
            raise StoreError(f"the store {path} cannot be opened: {_reason(error)}") from error
        try:
            self._prepare()
        except BaseException as error:
            self._connection.close()
            if isinstance(error, _FAULTS):
                reason = _reason(error)
                raise StoreError(f"the store {path} cannot be opened: {reason}") from error
            raise

    def _opened(self, path: Path | None) -> sqlite3.Connection:
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
        return sqlite3.connect(
            path if path is not None else ":memory:",
            timeout=_BUSY_SECONDS,
            isolation_level=None,
            check_same_thread=False,
        )

    def _prepare(self) -> None:
        connection = self._connection
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if version > _VERSION:
            raise StoreError(
                f"the store {self.path} was written by a newer revkit (format {version}, this one "
                f"reads {_VERSION}); upgrade revkit or name another file with --store"
            )
        if version < _VERSION:
            tables = connection.execute("SELECT name FROM sqlite_master").fetchall()
            if version == 0 and {name for (name,) in tables} - {"asked", "content"}:
                raise StoreError(
                    f"{self.path} is a database of another program, not a revkit store"
                )
        self._log_ahead()
        connection.execute("PRAGMA synchronous=NORMAL")
        if version < _VERSION:
            import secrets  # a new store alone needs it

            connection.execute("BEGIN IMMEDIATE")
            for statement in _TABLES:
                connection.execute(statement)
            columns = connection.execute("SELECT name FROM pragma_table_info('attempt')")
            if ("origin",) not in columns.fetchall():
                for statement in _ORIGIN:
                    connection.execute(statement)
            values = ("identity", secrets.token_hex(16))
            connection.execute("INSERT OR IGNORE INTO about VALUES (?, ?)", values)
            connection.execute(f"PRAGMA user_version={_VERSION}")
            connection.execute("COMMIT")
        for statement in _ANSWER:
            connection.execute(statement)

    def _log_ahead(self) -> None:
        """Switch on write-ahead logging. If two processes open a new file at the same time, SQLite
        refuses one of them immediately instead of waiting.
        """
        end = time.monotonic() + _BUSY_SECONDS
        while True:
            try:
                self._connection.execute("PRAGMA journal_mode=WAL")
                return
            except sqlite3.OperationalError as error:
                if _code(error) not in _LOCKED or time.monotonic() > end:
                    raise
                time.sleep(0.01)

    def get(self, key: bytes) -> bytes | None:
        """Return the answer stored under ``key``, or None; a damaged answer is set aside."""
        try:
            with self._lock:
                row = self._connection.execute(_FIND, (key,)).fetchone()
            if row is None:
                return self._from_known(key)
            digest, body = row[0], self.intact(*row)
            if body is None:
                self._set_aside_content(digest, row[1])
        except _FAULTS as error:
            raise self._unreadable(error) from error
        return body

    def _from_known(self, key: bytes) -> bytes | None:
        body = None if self._known is None else self._known.get(key)
        return None if body is None else self.put(key, body)

    def _unreadable(self, error: Exception) -> StoreError:
        reason = _reason(error) if _REMEDY in _reason(error) else f"{_reason(error)}; {_REMEDY}"
        return StoreError(f"the store {self.path} cannot be read: {reason}")

    def intact(self, digest: object, packed: object, against: bytes | None = None) -> bytes | None:
        """Return the body of an answer; None if it differs from what was stored. ``against`` is the
        stored body that it is packed against, if it has been read.
        """
        if not isinstance(packed, bytes):
            return None
        try:
            body = self._unpacked(packed, against)
        except zlib.error:
            return None
        return body if hashlib.sha256(body).digest() == digest else None

    def _set_aside_content(self, digest: object, packed: object) -> None:
        """Move all answers with a damaged body to another table, unless another run has done so."""
        with self._lock, self._transaction():
            keys = self._connection.execute(
                "SELECT key FROM asked JOIN content ON digest = content"
                " WHERE digest = ? AND body = ?",
                (digest, packed),
            ).fetchall()
            self._connection.executemany(
                "INSERT INTO damaged VALUES (?, ?, ?)", ((key, digest, packed) for (key,) in keys)
            )
            self._connection.executemany("DELETE FROM asked WHERE key = ?", keys)
            self._connection.execute(
                "DELETE FROM content WHERE digest = ? AND body = ?", (digest, packed)
            )
            self._forget(key for (key,) in keys)

    def set_aside(self, key: bytes) -> None:
        """Set aside the answer under ``key``, because an answer on which it is based is lost."""
        try:
            with self._lock, self._transaction():
                self._connection.execute(
                    "INSERT INTO damaged SELECT key, digest, body FROM answer WHERE key = ?", (key,)
                )
                self._connection.execute("DELETE FROM asked WHERE key = ?", (key,))
                self._forget([key])
        except _FAULTS as error:
            raise self._unreadable(error) from error

    def keys(self) -> list[bytes]:
        """Return the keys of all answers, in their order."""
        # A damaged file may hold another value as a key; `check_store` counts it.
        rows = self.query("SELECT key FROM asked WHERE typeof(key) = 'blob' ORDER BY key", ())
        return [key for (key,) in rows]

    def forget(self, keys: Iterable[bytes]) -> int:
        """Delete the answers under ``keys`` for good, and return how many there were.

        What another key holds too stays under it. The file is packed afterwards, so that no page of
        it keeps what was deleted.
        """
        try:
            with self._lock:
                self._connection.execute("PRAGMA secure_delete=ON")
            before = len(self.keys())
            wanted = list(keys)
            digests = {digest for key in wanted for digest in self._release(key)}
            with self._lock, self._transaction():
                rows = [(key,) for key in wanted]
                self._connection.executemany("DELETE FROM asked WHERE key = ?", rows)
                self._connection.executemany("DELETE FROM damaged WHERE key = ?", rows)
                self._connection.executemany("DELETE FROM batched WHERE call = ?", rows)
                self._connection.executemany(
                    "DELETE FROM content"
                    " WHERE digest = ? AND digest NOT IN (SELECT content FROM asked)",
                    [(digest,) for digest in digests],
                )
                self._recent.clear()
            with self._lock:
                self._connection.execute("VACUUM")
                self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        except (*_FAULTS, zlib.error) as error:
            raise self._unwritable(error) from error
        return before - len(self.keys())

    def _release(self, key: bytes) -> list[bytes]:
        """Pack anew what is packed against the answer under ``key``, so that it can go; return the
        digest of that answer."""
        found = self.query("SELECT content FROM asked WHERE key = ?", (key,))
        for (digest,) in found:
            start = _ALIKE + bytes(digest)
            packed = self.query(
                "SELECT digest, body FROM content WHERE substr(body, 1, ?) = ?", (len(start), start)
            )
            for other, body in packed:
                whole = _deflated(self._unpacked(bytes(body)))
                self.insert("UPDATE content SET body = ? WHERE digest = ?", (whole, other))
        return [bytes(digest) for (digest,) in found]

    def _forget(self, keys: Iterable[bytes]) -> None:
        for key in keys:
            self._recent.pop(key, None)
            self.damaged.setdefault(key, "an answer")

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._connection.execute("ROLLBACK")
            raise
        self._connection.execute("COMMIT")

    def name_damaged(self, key: bytes, name: str) -> None:
        """Describe the answer under ``key`` if it was set aside."""
        if key in self.damaged:
            self.damaged[key] = name

    def query(self, statement: str, values: Sequence[object]) -> list[tuple[Any, ...]]:
        """Return the rows of a query on the tables other than the answers."""
        try:
            with self._lock:
                return self._connection.execute(statement, values).fetchall()
        except _FAULTS as error:
            raise self._unreadable(error) from error

    def write(self, statements: Iterable[tuple[str, Sequence[object]]]) -> None:
        """Run statements that change these tables, in one transaction."""
        try:
            with self._lock, self._transaction():
                for statement, values in statements:
                    self._connection.execute(statement, values)
        except _FAULTS as error:
            raise self._unwritable(error) from error

    def insert(self, statement: str, values: Sequence[object]) -> int:
        """Run and commit a statement that changes these tables; return the number of the new
        row.
        """
        try:
            with self._lock:
                return self._connection.execute(statement, values).lastrowid or 0
        except _FAULTS as error:
            raise self._unwritable(error) from error

    def _unwritable(self, error: Exception) -> StoreError:
        return StoreError(
            f"the store {self.path} cannot be written: {_reason(error)}; stored answers are kept, "
            "and the same command continues from there"
        )

    def _unpacked(self, packed: bytes, against: bytes | None = None) -> bytes:
        if not packed.startswith(_ALIKE):
            return zlib.decompress(packed)
        start = len(_ALIKE) + _DIGEST
        if against is None:
            with self._lock:
                other = self._connection.execute(
                    "SELECT body FROM content WHERE digest = ?", (packed[len(_ALIKE) : start],)
                ).fetchone()
            if other is None:
                raise zlib.error("a part of an answer is missing")
            against = other[0]
        stream = zlib.decompressobj(zdict=zlib.decompress(against))
        return stream.decompress(packed[start:]) + stream.flush()

    def _packed(self, body: bytes, like: bytes | None) -> bytes:
        other = None if like is None else self._complete_answer(like)
        if other is None:
            return _deflated(body)
        digest, known = other
        return _ALIKE + digest + _deflated(body, known)

    def _complete_answer(self, key: bytes) -> tuple[bytes, bytes] | None:
        """Return the digest and body stored under ``key``; None if the body itself is stored as a
        difference.
        """
        with self._lock:
            recent = self._recent.get(key)
            if recent is not None:
                return recent
            row = self._connection.execute(
                "SELECT digest, body FROM answer WHERE key = ?", (key,)
            ).fetchone()
        if row is None or bytes(row[1]).startswith(_ALIKE):
            return None
        body = self.intact(*row)
        return None if body is None else (bytes(row[0]), body)

    def put(self, key: bytes, body: bytes, like: bytes | None = None) -> bytes:
        """Store ``body`` under ``key``, commit, and return the body that the store now contains.

        What was first stored under a key stays: another run may have been quicker, and then its
        answer is the one that counts, for both. ``like`` is the key of an answer that says much the
        same; what both say is then kept once.
        """
        digest = hashlib.sha256(body).digest()
        try:
            packed = self._packed(body, like)
            with self._lock:
                before = self._connection.total_changes
                self._connection.execute(
                    "INSERT INTO answer VALUES (?, ?, ?)", (key, digest, packed)
                )
                both_new = self._connection.total_changes == before + 2
                if both_new and not packed.startswith(_ALIKE) and len(body) <= _SHORT:
                    self._recent[key] = (digest, body)
                    if len(self._recent) > _RECENT:
                        self._recent.popitem(last=False)
        except (*_FAULTS, zlib.error) as error:
            raise self._unwritable(error) from error
        return body if both_new else self.get(key) or body

    def put_all(self, bodies: Iterable[tuple[bytes, bytes]]) -> None:
        """Store bodies under their keys in one transaction: a portion of what was computed, which
        is much quicker than one by one. What was first stored under a key stays.
        """
        rows = [(key, hashlib.sha256(body).digest(), _deflated(body)) for key, body in bodies]
        try:
            with self._lock, self._transaction():
                self._connection.executemany("INSERT INTO answer VALUES (?, ?, ?)", rows)
        except _FAULTS as error:
            raise self._unwritable(error) from error

    def get_json(self, key: bytes) -> Json:
        """Return the JSON value stored under ``key``, or None. Raises `StoreError` for an answer
        that is not JSON.
        """
        body = self.get(key)
        if body is None:
            return None
        try:
            value: Json = _DECODER.decode(body.decode("utf-8", "surrogatepass"))
        except (ValueError, RecursionError):
            value = None
        if value is None:  # nobody stores a null
            raise StoreError(
                f"the store {self.path} contains an answer that is not JSON; {_REMEDY}"
            )
        return value

    def put_json(self, key: bytes, value: Json, like: bytes | None = None) -> Json:
        """Store a JSON value under ``key`` and return the value that the store now contains, as
        `put` does.
        """
        found: Json = json.loads(self.put(key, canonical_bytes(value), like))
        return found

    def merge(self, other: Path) -> int:
        """Add all answers and attempts of the store at ``other``, and return the number of answers
        that were new. Where both have an answer under a key, the one of this store stays.

        The same store can be merged again: what is known is not added twice. Raises `StoreError`
        if ``other`` is not a store.
        """
        if not other.is_file():
            raise StoreError(f"there is no store {other}")
        if self.path is not None and other.resolve() == self.path.resolve():
            return 0
        with Store(other) as source:
            repacked = list(source.repacked_for(self))
            there, here = source.identity, self.identity
        try:
            with self._lock:
                self._connection.execute("ATTACH ? AS other", (str(other),))
                try:
                    with self._transaction():
                        return self._merge_attached(there, here, repacked)
                finally:
                    self._connection.execute("DETACH other")
        except _FAULTS as error:
            raise self._unwritable(error) from error

    @property
    def identity(self) -> str:
        """The identity of the store: it stays the same when the file is moved or copied."""
        [(identity,)] = self.query("SELECT value FROM about WHERE name = 'identity'", ())
        return str(identity)

    def _merge_attached(self, there: str, here: str, repacked: list[tuple[bytes, bytes]]) -> int:
        run = self._connection.execute
        self._connection.executemany("INSERT OR IGNORE INTO content VALUES (?, ?)", repacked)
        run("INSERT OR IGNORE INTO content SELECT digest, body FROM other.content")
        added = run("INSERT OR IGNORE INTO asked SELECT key, content FROM other.asked").rowcount
        run(
            f"INSERT INTO attempt ({_ATTEMPT}, origin) SELECT {_ATTEMPT},"
            " coalesce(origin, ? || ':' || id) FROM other.attempt"
            " WHERE substr(coalesce(origin, ''), 1, 32) <> ?"
            f" ON CONFLICT (origin) DO UPDATE SET {_UPDATE}",
            (there, here),
        )
        return added

    def repacked_for(self, target: Store) -> Iterator[tuple[bytes, bytes]]:
        """Yield, by their digests, the bodies packed against another one that ``target`` has in a
        packed form: they are packed alone, since a dictionary must be whole.
        """
        rows = self.query(
            "SELECT digest, body, substr(body, 2, ?) FROM content WHERE substr(body, 1, 1) = ?",
            (_DIGEST, _ALIKE),
        )
        for digest, body, needed in rows:
            known = target.query(
                "SELECT substr(body, 1, 1) FROM content WHERE digest = ?", (needed,)
            )
            if known == [(_ALIKE,)]:
                with suppress(zlib.error):  # damaged: the reader of the answer sets it aside
                    yield digest, _deflated(self._unpacked(body))

    def close(self) -> None:
        """Close the file; a closed store cannot be used again."""
        if self._known is not None:
            self._known.close()
        self.claims.close()
        with self._lock:
            self._connection.close()


class _Frozen(Store):
    """A store that is only read, and that nobody writes to meanwhile: it needs no lock, so that
    several machines can read it on a network file system.
    """

    def _opened(self, path: Path | None) -> sqlite3.Connection:
        assert path is not None
        return sqlite3.connect(
            f"{path.resolve().as_uri()}?mode=ro&immutable=1",
            uri=True,
            isolation_level=None,
            check_same_thread=False,
        )

    def _prepare(self) -> None:
        for statement in _ANSWER:
            self._connection.execute(statement)

    def _set_aside_content(self, digest: object, packed: object) -> None:
        """Leave a damaged answer where it is: it counts as unknown."""


def _deflated(body: bytes, known: bytes = b"") -> bytes:
    """Return ``body`` as a zlib stream with the dictionary ``known``, if any.

    The window is as small as both allow: most answers are short, and zlib clears the memory of a
    whole window for each of them, which takes longer than packing.
    """
    bits = min(zlib.MAX_WBITS, (len(body) + len(known) + _MARGIN).bit_length())
    if known:
        stream = zlib.compressobj(1, zlib.DEFLATED, bits, zdict=known)
    else:
        stream = zlib.compressobj(1, zlib.DEFLATED, bits)
    return stream.compress(body) + stream.flush()


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError(f"{digits[:40]} is too large for a number")
    return number


# For each answer of a stored run: `strict_json` takes half as long again. A store that revkit wrote
# has no key twice, and the digest of each answer is compared.
_DECODER = json.JSONDecoder(parse_constant=_no_constant, parse_float=_finite)


def _reason(error: BaseException) -> str:
    if isinstance(error, UnicodeDecodeError):
        return f"its tables are damaged ({_REMEDY})"
    if isinstance(error, FileExistsError | NotADirectoryError):
        return f"a file has the name of a folder of its path ({_OPENING})"
    if isinstance(error, OSError):
        return f"{error.strerror or error} ({_OPENING})"
    text, code = str(error), _code(error)
    if code == sqlite3.SQLITE_FULL:
        return f"{text} (free some space first)"
    if code == sqlite3.SQLITE_IOERR:
        return f"{text} (the disk may be full or damaged, or a file at its largest allowed size)"
    if code in _LOCKED:
        return f"{text} (another run held it for over {_BUSY_SECONDS:.0f} s)"
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return f"{text} ({_REMEDY})"
    if code == sqlite3.SQLITE_CANTOPEN:
        return f"it is a folder, or cannot be created there ({_OPENING})"
    return text


def _code(error: BaseException) -> int:
    """Return the code of SQLite's error (its lowest byte; the rest gives details), or 0 for other
    errors.
    """
    return getattr(error, "sqlite_errorcode", 0) & 0xFF
