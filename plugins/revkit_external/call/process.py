"""Run one process group with limits on time and output, and end it with its call."""

from __future__ import annotations

import contextlib
import os
import re
import selectors
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO

from revkit.cleanup import CLEANUP
from revkit.dataclass import dataclass

MARK = "REVKIT_CALL"
_ANSI = re.compile(
    r"\x1b\[[0-?]{0,64}[ -/]{0,8}[@-~]|\x1b\][^\x07\x1b]{0,2048}(?:\x07|\x1b\\)|\x1b[@-Z\\^_=>78]"
)
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_CHUNK = 65536
_TICK = 0.05
_TAIL = 65536
_SHORT_GRACE = 1.0


@dataclass(frozen=True)
class Limits:
    """Limits: seconds in total, seconds from SIGTERM to SIGKILL, bytes of stdout, bytes on disk."""

    seconds: float
    grace: float
    printed: int
    written: int


@dataclass
class Ended:
    """How a process ended, and its output.

    ``code`` is the exit code, negative for a signal. ``why`` is "" if it ended by itself, else
    "timeout", "printed" or "written": the limit that ended it. ``survivors`` counts processes of
    the call that were still running when the first one had ended.
    """

    code: int
    stdout: bytes
    stderr: bytes
    why: str = ""
    dropped: int = 0
    survivors: int = 0


def clean(data: bytes) -> tuple[str, int]:
    """Decode bytes as text without terminal codes, and count the characters that could not be
    decoded.
    """
    text = data.decode("utf-8", "replace").removeprefix("\ufeff")
    bad = text.count("\ufffd") - data.decode("utf-8", "ignore").count("\ufffd")
    text = _ANSI.sub("", text).replace("\r\n", "\n").replace("\r", "\n")
    return _CONTROLS.sub("", text), max(0, bad)


def run_process(
    argv: Sequence[str],
    *,
    folder: Path,
    environment: Mapping[str, str],
    stdin: bytes,
    limits: Limits,
    fatal_print: bool,
    watched: Path,
) -> Ended:
    """Run ``argv`` without a shell and wait for it; no process that it starts outlives the call.

    It leads its own process group, which is sent SIGTERM and then SIGKILL. Children that left
    the group are found by a mark in their environment, where /proc shows it: the path of
    ``watched``, the folders of this call. ``fatal_print`` ends
    it if it prints too much; otherwise output above the limit is counted and dropped. Raises
    `OSError` if it cannot be started.
    """
    token = str(watched)
    process: subprocess.Popen[bytes] | None = None

    def end() -> None:
        for _ in range(20):
            if process is not None:
                end_at_once(process, token)
                return
            time.sleep(_TICK)  # another thread may be starting it

    with CLEANUP.held(end):
        process = subprocess.Popen(
            list(argv),
            cwd=folder,
            env={**environment, MARK: token},
            stdin=subprocess.PIPE if stdin else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        pump = _Pump(process, stdin, limits.printed)
        survivors = -1
        try:
            why = _watch(process, pump, limits, fatal_print=fatal_print, watched=watched)
            if why:
                _signal(process.pid, signal.SIGTERM)
                _wait(process, pump, limits.grace)
            else:
                _drain(pump, limits.grace)
            survivors = end_group(process, token)
            _drain(pump, 1.0)
        finally:
            if survivors < 0:
                end_group(process, token)
            pump.close()
        return Ended(
            process.returncode, bytes(pump.stdout), bytes(pump.stderr), why, pump.dropped, survivors
        )


class _Pump:
    """Moves bytes between a process and memory without blocking."""

    def __init__(self, process: subprocess.Popen[bytes], stdin: bytes, most: int) -> None:
        self.stdout = bytearray()
        self.stderr = bytearray()
        self.dropped = 0
        self._most = most
        self._left = memoryview(stdin)
        self._selector = selectors.DefaultSelector()
        self._files: list[IO[bytes]] = []
        for file, name in ((process.stdout, "out"), (process.stderr, "err")):
            self._watch(file, selectors.EVENT_READ, name)
        if process.stdin is not None:
            self._watch(process.stdin, selectors.EVENT_WRITE, "in")

    def _watch(self, file: IO[bytes] | None, event: int, name: str) -> None:
        if file is not None:
            os.set_blocking(file.fileno(), False)
            self._files.append(file)
            self._selector.register(file, event, name)

    @property
    def closed(self) -> bool:
        """Return whether the process closed both outputs."""
        return not any(key.data != "in" for key in self._selector.get_map().values())

    def turn(self, seconds: float) -> None:
        """Wait up to ``seconds`` until bytes can be moved, and move them."""
        if not self._selector.get_map():
            time.sleep(seconds)
            return
        for key, _ in self._selector.select(seconds):
            file: IO[bytes] = key.fileobj  # type: ignore[assignment]
            try:
                ended = self._write(file) if key.data == "in" else self._read(file, key.data)
            except BlockingIOError:
                continue
            except OSError:
                ended = True
            if ended:
                self._selector.unregister(file)
                with contextlib.suppress(OSError):
                    file.close()

    def _write(self, file: IO[bytes]) -> bool:
        count = os.write(file.fileno(), self._left[:_CHUNK])
        self._left = self._left[count:]
        return not self._left

    def _read(self, file: IO[bytes], name: str) -> bool:
        data = os.read(file.fileno(), _CHUNK)
        if name == "out":
            kept = data[: max(0, self._most - len(self.stdout))]
            self.stdout += kept
            self.dropped += len(data) - len(kept)
        else:
            self.stderr += data
            if len(self.stderr) > 2 * _TAIL:
                del self.stderr[:-_TAIL]
        return not data

    def close(self) -> None:
        for file in self._files:
            with contextlib.suppress(OSError):
                file.close()
        self._selector.close()


def _watch(
    process: subprocess.Popen[bytes],
    pump: _Pump,
    limits: Limits,
    *,
    fatal_print: bool,
    watched: Path,
) -> str:
    """Wait until the process ends by itself (""), or return the limit that it exceeded."""
    deadline = time.monotonic() + limits.seconds
    look = time.monotonic() + 0.5
    while process.poll() is None:
        now = time.monotonic()
        if now >= deadline:
            return "timeout"
        if fatal_print and pump.dropped:
            return "printed"
        if now >= look:
            if size_of(watched) > limits.written:
                return "written"
            look = time.monotonic() + 0.5
        pump.turn(min(_TICK, deadline - now))
    if size_of(watched) > limits.written:
        return "written"
    _drain(pump, 0.0)
    return "printed" if fatal_print and pump.dropped else ""


def _drain(pump: _Pump, seconds: float) -> None:
    """Read the rest of the pipes until they close, at most for ``seconds`` and a short grace
    period.
    """
    now = time.monotonic()
    quiet, end = now + seconds, now + seconds + 2.0
    while not pump.closed and time.monotonic() < end:
        before = (len(pump.stdout), pump.dropped, len(pump.stderr))
        pump.turn(_TICK)
        moved = (len(pump.stdout), pump.dropped, len(pump.stderr)) != before
        if not moved and time.monotonic() >= quiet:
            return


def _wait(process: subprocess.Popen[bytes], pump: _Pump, seconds: float) -> None:
    deadline = time.monotonic() + seconds
    while process.poll() is None and time.monotonic() < deadline:
        pump.turn(_TICK)


def end_group(process: subprocess.Popen[bytes], token: str) -> int:
    """Kill the remaining processes of the call, and return their number."""
    if process.poll() is None:
        _signal(process.pid, signal.SIGKILL)
        process.wait()
    left = _left(process.pid, token)
    count = len(left)
    for _ in range(20):
        for pid in left:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        left = _left(process.pid, token)
        if not left:
            break
        time.sleep(0.01)
    return count


def end_at_once(process: subprocess.Popen[bytes], token: str) -> None:
    """End the processes of a call while another thread waits for it: SIGTERM, and SIGKILL soon."""
    _signal(process.pid, signal.SIGTERM)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(_SHORT_GRACE)
    _signal(process.pid, signal.SIGKILL)
    end_group(process, token)


def _signal(group: int, number: int) -> None:
    with contextlib.suppress(OSError):
        os.killpg(group, number)


def _left(group: int, token: str) -> list[int]:
    """Return the processes of the group, and processes with this call's marker in their
    environment.
    """
    wanted = os.fsencode(f"{MARK}={token}")
    found = []
    try:
        entries = [int(entry) for entry in os.listdir("/proc") if entry.isdigit()]
    except OSError:
        return []
    for pid in entries:
        try:
            with open(f"/proc/{pid}/environ", "rb") as file:
                marks = file.read().split(b"\0")
            # A zombie has no environment; nothing is left of it to end.
            if marks != [b""] and (wanted in marks or os.getpgid(pid) == group):
                found.append(pid)
        except OSError:
            continue
    return found


def size_of(folder: Path) -> int:
    """Return the number of bytes in all files below ``folder``; links are not followed."""
    total = 0
    for path, _, names in os.walk(folder):
        for name in names:
            with contextlib.suppress(OSError):
                total += os.lstat(os.path.join(path, name)).st_size
    return total
