"""Claims: a question is answered by one command at a time, whatever happens to that command."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from revkit.cache import Store
from revkit.cache.claims import Claims

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="locks are POSIX")

KEY, OTHER = b"k" * 32, b"o" * 32
HOLDER = """
import sys, time
from pathlib import Path
from revkit.cache.claims import Claims
with Claims(Path(sys.argv[1])).held(b"k" * 32):
    print("held", flush=True)
    time.sleep(60)
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "store.sqlite3"


@contextmanager
def holder(path: Path) -> Iterator[subprocess.Popen[str]]:
    """Start a process that holds the claim on KEY, and end it."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path)], stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "held\n"
            yield process
        finally:
            process.kill()


@pytest.fixture
def claims(path: Path) -> Iterator[Claims]:
    found = Claims(path)
    yield found
    found.close()


def test_a_claim_ends_with_its_process(path: Path, claims: Claims) -> None:
    with holder(path) as other:
        with claims.held(OTHER) as claimed:  # another key is free
            assert claimed
        began: list[float] = []

        def wait() -> None:
            with claims.held(KEY) as claimed:
                assert claimed
                began.append(time.monotonic())

        waiter = threading.Thread(target=wait)
        waiter.start()
        waiter.join(timeout=0.3)
        assert waiter.is_alive()
        assert not began
        killed = time.monotonic()
        other.kill()
        waiter.join(timeout=30)
        assert began
        assert began[0] > killed


def test_a_suspended_command_is_not_waited_for_without_end(path: Path, claims: Claims) -> None:
    with holder(path):
        with claims.held(KEY, longest=0.1) as claimed:
            assert claimed  # asked twice rather than never
        stop = threading.Event()
        stop.set()
        with claims.held(KEY, stop) as claimed:
            assert not claimed
        with claims.held(OTHER, stop) as claimed:
            assert claimed  # nobody has it


def test_threads_of_one_process_wait_for_each_other(path: Path) -> None:
    at_once, most = 0, 0
    lock = threading.Lock()

    def work() -> None:
        nonlocal at_once, most
        claims = Claims(path)
        with claims.held(KEY):
            with lock:
                at_once += 1
                most = max(most, at_once)
            time.sleep(0.02)
            with lock:
                at_once -= 1
        claims.close()

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == 1


def test_closing_one_store_leaves_the_claims_of_another(path: Path) -> None:
    with Store(path) as one:
        with Store(path) as two, two.claims.held(OTHER):
            pass
        with one.claims.held(KEY):
            with Store(path) as three, three.claims.held(OTHER):
                pass
            # The system would release all locks of the process with any handle of the file.
            other = subprocess.run(
                [sys.executable, "-c", LOOK, str(path)], capture_output=True, text=True, check=True
            )
            assert other.stdout == "waits\n"
    again = subprocess.run(
        [sys.executable, "-c", LOOK, str(path)], capture_output=True, text=True, check=True
    )
    assert again.stdout == "free\n"


LOOK = """
import sys, threading
from pathlib import Path
from revkit.cache.claims import Claims
stop = threading.Event()
stop.set()
with Claims(Path(sys.argv[1])).held(b"k" * 32, stop) as claimed:
    print("free" if claimed else "waits")
"""


def test_without_a_file_nothing_is_claimed(tmp_path: Path) -> None:
    for claims in (Claims(None), Claims(tmp_path / "none" / "store.sqlite3")):
        with claims.held(KEY) as one, claims.held(KEY) as two:
            assert one
            assert two
        claims.close()
