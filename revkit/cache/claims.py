"""Claims: what a command on a store is answering, so that another one waits and does not ask again.

A claim is a lock of the operating system on one byte of a file beside the store. It writes nothing,
and it ends with its process, however that ends: there is no clock, no heartbeat and nothing to
clean up. The answers and their promises do not depend on it. Where there are no such locks
(Windows, or no free file), nothing is claimed, and two commands may ask the same at the same time.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import ClassVar

LONGEST_WAIT = 600.0
"""Seconds after which a command no longer waits for another one, which may have been suspended."""
_FIRST_LOOK, _LAST_LOOK = 0.01, 0.5  # seconds between looks at a claim, at first and in the end


class Claims:
    """The claims of this process on the keys of the store at ``path``; ``None`` claims nothing."""

    def __init__(self, path: Path | None) -> None:
        self._path = None if path is None else path.parent / f"{path.name}.claims"
        self._file: _File | None = None
        self._lock = threading.Lock()

    @contextlib.contextmanager
    def held(
        self, key: bytes, stop: threading.Event | None = None, longest: float = LONGEST_WAIT
    ) -> Iterator[bool]:
        """Claim ``key``, after waiting at most ``longest`` seconds while another command has it.

        Look the answer up again within the claim: the other command has stored it, or failed.
        Yields False where ``stop`` was set during the wait; then nothing may be asked.
        """
        claim = self._claim(key)
        try:
            for wait in _waits(claim, longest):
                if stop is None:
                    time.sleep(wait)
                elif stop.wait(wait):
                    break
            yield claim.taken or stop is None or not stop.is_set()
        finally:
            claim.release()

    @contextlib.asynccontextmanager
    async def awaited(
        self, key: bytes, stop: threading.Event | None = None, longest: float = LONGEST_WAIT
    ) -> AsyncIterator[bool]:
        """`held` for coroutines: their event loop goes on during the wait."""
        import asyncio  # a replay, which waits for nobody, does not need it

        claim = self._claim(key)
        try:
            for wait in _waits(claim, longest):
                if stop is not None and stop.is_set():
                    break
                await asyncio.sleep(wait)
            yield claim.taken or stop is None or not stop.is_set()
        finally:
            claim.release()

    def _claim(self, key: bytes) -> _Claim:
        # The place is within what a file can have as a place.
        return _Claim(self._opened(), int.from_bytes(key[:8], "big") >> 2)

    def _opened(self) -> _File | None:
        with self._lock:
            if self._file is None and self._path is not None:
                self._file = _File.of(self._path)
                self._path = None  # a file that cannot be opened is not tried again
            return self._file

    def close(self) -> None:
        """Release what is left."""
        with self._lock:
            self._path = None
            if self._file is not None:
                self._file.leave()
                self._file = None


class _Claim:
    """The claim on one byte of ``file``; without a file there is nothing to wait for."""

    __slots__ = ("_file", "_place", "taken")

    def __init__(self, file: _File | None, place: int) -> None:
        self._file = file
        self._place = place
        self.taken = False
        self.take()

    def take(self) -> bool:
        """Claim the byte; return False if somebody else has it."""
        self.taken = self._file is None or self._file.take(self._place)
        return self.taken

    def release(self) -> None:
        """End the claim."""
        if self.taken and self._file is not None:
            self._file.release(self._place)


def _waits(claim: _Claim, longest: float) -> Iterator[float]:
    """Yield the seconds to wait before each further try, until ``claim`` is taken or ``longest``
    seconds have passed.
    """
    end, wait = time.monotonic() + longest, _FIRST_LOOK
    while not claim.taken and time.monotonic() < end:
        yield wait
        wait = min(2 * wait, _LAST_LOOK)
        claim.take()


class _File:
    """The file of claims of one store, which all claims of this process share.

    Closing any handle of a file releases all locks that the process has on it, so there is one
    handle. The system does not tell the threads of a process apart, so ``_taken`` does.
    """

    _files: ClassVar[dict[Path, _File]] = {}
    _opening: ClassVar = threading.Lock()

    def __init__(self, path: Path, handle: int) -> None:
        self._path = path
        self._handle = handle
        self._users = 0
        self._taken: set[int] = set()
        self._lock = threading.Lock()

    @classmethod
    def of(cls, path: Path) -> _File | None:
        """Return the file at ``path`` with one more user; None where it cannot be used."""
        try:
            import fcntl  # noqa: F401
        except ImportError:
            return None
        with cls._opening:
            try:
                path = path.resolve()
                found = cls._files.get(path)
                if found is None:
                    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
                    found = cls._files[path] = cls(path, handle)
            except OSError:
                return None
            found._users += 1
            return found

    def leave(self) -> None:
        """Close the file after its last user."""
        with self._opening:
            self._users -= 1
            if not self._users:
                del self._files[self._path]
                os.close(self._handle)

    def take(self, place: int) -> bool:
        """Lock the byte at ``place``; return False if somebody else has it."""
        import fcntl

        with self._lock:
            if place in self._taken:
                return False
            try:
                fcntl.lockf(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, place)
            except (BlockingIOError, PermissionError):
                return False
            except OSError:
                pass  # a file system without locks: only the threads of this process are kept apart
            self._taken.add(place)
            return True

    def release(self, place: int) -> None:
        """Unlock the byte at ``place``."""
        import fcntl

        with self._lock:
            self._taken.discard(place)
            with contextlib.suppress(OSError):
                fcntl.lockf(self._handle, fcntl.LOCK_UN, 1, place)
