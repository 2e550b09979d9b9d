"""An item that passes its deadline is a recorded failure, and the run ends without it."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import pytest

import revkit
from revkit.contracts import Agent, Context, Perturbation
from revkit.errors import RunError
from revkit.execution.pool import Pool
from revkit.model import Edit, Paper, Rejection, Review
from tests.execution.numbered_papers import TEN, NumberedPapers

RELEASE = threading.Event()


@dataclass(frozen=True)
class Stuck(Agent):
    """Does not come back from the second paper."""

    name: ClassVar[str] = "stuck"
    scale = TEN

    def review(self, paper: Paper, ctx: Context) -> Review:
        while "Text 1" in paper.text and not RELEASE.is_set():
            time.sleep(0.01)
        return Review(True, 7)


@dataclass(frozen=True)
class StuckEdits(Perturbation):
    """Does not come back from the second paper."""

    name: ClassVar[str] = "stuck-edits"

    def perturb(self, paper: Paper, ctx: Context) -> Sequence[Edit] | Rejection:
        while "Text 1" in paper.text and not RELEASE.is_set():
            time.sleep(0.01)
        return [Edit(len(paper.text), len(paper.text), "More.\n")]


@pytest.fixture
def spec() -> Iterator[dict[str, Any]]:
    RELEASE.clear()
    yield {
        "revkit": 1,
        "corpus": "numbered-papers",
        "perturbations": {"edits": "stuck-edits"},
        "agents": {"stuck": "stuck"},
        "workers": 1,
        "deadline": 1,
    }
    RELEASE.set()


def test_items_past_the_deadline_are_failures(
    run_toy: Callable[..., revkit.Run], spec: dict[str, Any]
) -> None:
    begun = time.monotonic()
    done = run_toy(spec, plugins=[NumberedPapers, Stuck, StuckEdits])
    assert time.monotonic() - begun < 20
    rows = {(row.paper, row.perturbation): row for row in done.records.verdicts}
    assert (rows["p1", ""].failure, rows["p1", ""].score) == ("timeout", None)
    assert [row.score for key, row in rows.items() if key[0] != "p1"] == [7, 7, 7, 7]
    variants = {row.paper: row for row in done.records.variants}
    assert variants["p1"].outcome == "crashed"
    assert variants["p1"].rejected == "not done in 1 s, and given up (deadline)"
    assert {variants["p0"].outcome, variants["p2"].outcome} == {"made"}
    assert (done.exit_code, done.counts.failed) == (1, 2)


def test_an_item_past_the_deadline_is_tried_again(
    run_toy: Callable[..., revkit.Run], spec: dict[str, Any]
) -> None:
    run_toy(spec, plugins=[NumberedPapers, Stuck, StuckEdits])
    RELEASE.set()
    again = run_toy(spec, plugins=[NumberedPapers, Stuck, StuckEdits])
    assert {row.outcome for row in again.records.variants} == {"made"}
    assert {row.score for row in again.records.verdicts} == {7}


def test_the_deadline_changes_no_digest() -> None:
    assert revkit.Experiment(NumberedPapers(), {"a": Stuck()}, deadline=5).digest == (
        revkit.Experiment(NumberedPapers(), {"a": Stuck()}).digest
    )


def test_a_pool_goes_on_in_another_thread() -> None:
    hang = threading.Event()
    with Pool[int](1, 0.2) as pool:
        stuck = pool.submit(lambda: int(hang.wait()))
        free = pool.submit(lambda: int(hang.wait(1.0)) + 2, limited=False)
        time.sleep(0.3)
        assert pool.overdue() == [stuck]
        assert pool.submit(lambda: 3).result(5) == 3
        assert free.result() == 2
    assert not stuck.done()
    hang.set()


def test_a_pool_hands_errors_on_and_cancels_what_waits() -> None:
    hang = threading.Event()
    with Pool[float](1, 60.0) as pool:
        failed = pool.submit(lambda: 1 / 0)
        assert isinstance(failed.exception(5), ZeroDivisionError)
        running = pool.submit(lambda: float(hang.wait(5)))
        time.sleep(0.05)
        waiting = pool.submit(lambda: 2.0)
        pool.cancel()
        assert waiting.cancelled()
        hang.set()
    assert running.result() == 1.0


@pytest.mark.parametrize("error", [RuntimeError("can't start new thread"), MemoryError()])
def test_a_pool_works_with_the_threads_that_the_system_starts(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[threading.Thread] = []
    start = threading.Thread.start

    def scarce(thread: threading.Thread) -> None:
        if len(started) == most:
            raise error
        started.append(thread)
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", scarce)
    most = 2
    with Pool[int](8, 60.0) as pool:
        results = [pool.submit(partial(int, str(number))) for number in range(20)]
    assert [each.result(1) for each in results] == list(range(20))
    assert len(started) == 2
    with pytest.raises(RunError, match="the system starts no thread"), Pool[int](8, 60.0) as pool:
        pool.submit(int)


def test_a_process_ends_while_a_thread_hangs(tmp_path: Path) -> None:
    script = tmp_path / "hang.py"
    script.write_text(
        "import threading, time\n"
        "from revkit.execution.pool import Pool\n"
        "with Pool(1, 0.1) as pool:\n"
        "    pool.submit(threading.Event().wait)\n"
    )
    begun = time.monotonic()
    subprocess.run([sys.executable, str(script)], check=True, timeout=30)
    assert time.monotonic() - begun < 20
