"""Worker processes: started when needed, reused if they loaded a model, ended if too slow."""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import selectors
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from revkit.cleanup import CLEANUP
from revkit_external.call.attempt import CallError
from revkit_external.call.call_mask import HOME_FOLDER
from revkit_external.call.process import MARK, end_at_once, end_group

_CHUNK = 65536
_SCRIPT = Path(__file__).parent.parent / "worker.py"


class Worker:
    """One process that answers one request after the other.

    It has its own folder for as long as it lives, from which ``environment`` makes what it
    sees: no variable may name the folder of one call, which is gone before the next.
    """

    def __init__(self, interpreter: str, environment: Callable[[str], Mapping[str, str]]) -> None:
        self._home = tempfile.TemporaryDirectory(prefix=HOME_FOLDER, ignore_cleanup_errors=True)
        home = self._token = self._home.name
        read, write = os.pipe()
        try:
            self._process = subprocess.Popen(
                [interpreter, str(_SCRIPT), str(write)],
                cwd=home,
                env={**environment(home), MARK: self._token},
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
                pass_fds=(write,),
            )
        except OSError as error:
            os.close(read)
            self._home.cleanup()
            message = error.strerror or str(error)
            raise CallError("crashed", f"cannot start {interpreter!r}: {message}") from None
        finally:
            os.close(write)
        self._answers = read
        os.set_blocking(read, False)
        self._held = CLEANUP.hold(self._end_at_once)

    def ask(self, request: Mapping[str, Any], seconds: float, most: int) -> dict[str, Any]:
        """Return the answer to ``request``. Raises `CallError` if the worker dies, is too slow, or
        prints too much.
        """
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            self._process.stdin.flush()
        except OSError:
            raise self._died() from None
        deadline = time.monotonic() + seconds
        data = bytearray()
        with selectors.DefaultSelector() as selector:
            selector.register(self._answers, selectors.EVENT_READ)
            while not data.endswith(b"\n"):
                left = deadline - time.monotonic()
                if left <= 0:
                    raise CallError("timeout", f"timeout: not done after {seconds:g} s")
                if selector.select(min(left, 0.5)):
                    part = os.read(self._answers, _CHUNK)
                    if not part:
                        raise self._died()
                    data += part
                    if len(data) > most:
                        raise CallError("truncated", f"output: a result of over {most} bytes")
                elif self._process.poll() is not None and not selector.select(0):
                    raise self._died()
        answer: dict[str, Any] = json.loads(data)
        return answer

    def _died(self) -> CallError:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(1.0)
        code = self._process.returncode
        if code is not None and code < 0:
            return CallError(
                "crashed", f"exit: killed by signal {-code}", reasons=(f"signal:{-code}",)
            )
        return CallError("crashed", f"exit: code {code}", reasons=(f"exit:{code}",))

    def _end_at_once(self) -> None:
        end_at_once(self._process, self._token)
        shutil.rmtree(self._token, ignore_errors=True)

    def close(self, grace: float = 0.0) -> None:
        """End the process and all processes that it started."""
        if self._process.stdin is not None:
            with contextlib.suppress(OSError):
                self._process.stdin.close()
        if grace and self._process.poll() is None:
            with contextlib.suppress(OSError):
                os.killpg(self._process.pid, signal.SIGTERM)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(grace)
        end_group(self._process, self._token)
        with contextlib.suppress(OSError):
            os.close(self._answers)
        self._home.cleanup()
        CLEANUP.release(self._held)


class Workers:
    """The idle workers of each agent, by the settings that decide their answers."""

    def __init__(self) -> None:
        self._idle: dict[str, list[Worker]] = {}
        self._lock = threading.Lock()
        self._hooked = False

    def take(self, key: str) -> Worker | None:
        """Return an idle worker, if there is one."""
        with self._lock:
            idle = self._idle.get(key)
            return idle.pop() if idle else None

    def give(self, key: str, worker: Worker) -> None:
        """Keep a worker for the next call."""
        with self._lock:
            if not self._hooked:
                atexit.register(self.close)
                self._hooked = True
            self._idle.setdefault(key, []).append(worker)

    def close(self, keys: Sequence[str] | None = None) -> None:
        """End the idle workers, either all or those of ``keys``."""
        with self._lock:
            chosen = list(self._idle) if keys is None else keys
            workers = [worker for key in chosen for worker in self._idle.pop(key, [])]
        for worker in workers:
            worker.close()


WORKERS = Workers()
