"""Executors: the same bytes, limits that are divided, and what is said when something is lost."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import pytest

import revkit
from revkit.cache import Attempts, Paid, Store
from revkit.cache.maintenance import copy_store
from revkit.contracts import Executor
from revkit.errors import Interrupted, RunError
from revkit.execution.provenance import package_versions
from revkit.execution.shards import elsewhere, task
from revkit.execution.shards.shard import Shard, share_of_limits
from revkit.execution.shards.shard_run import STORE_NAME
from revkit.identity import core_digest
from revkit.model_settings import Budget, Cost, LlmServices, ModelSettings
from revkit.registry import load_registry
from revkit.spec import load_experiment
from revkit.testing import toys
from tests.execution.test_shards import TOY, files

TOYS = Path(toys.__file__)


@dataclass(frozen=True)
class Inline(Executor):
    """Calls the work here, in reverse order; ``answer`` takes the place of what it returns."""

    name: ClassVar[str] = "inline"
    version: ClassVar[str] = "1"
    shards: int = 3
    at_once: int = 2
    answer: str = ""

    def run(
        self, work: Callable[[str], str], tasks: Sequence[str], stopped: Callable[[], bool]
    ) -> Iterator[str]:
        if self.answer == "crash":
            raise ValueError("no cluster")
        for text in reversed(tasks):
            if stopped():
                return
            yield self.answer or work(text)


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch, no_plugins: None) -> None:
    """Run the shards in this process instead of in child processes."""

    def run(given: dict[str, Any], text: str) -> dict[str, Any]:
        return task._run(json.loads(text), threading.Event())

    monkeypatch.setattr(task, "_in_child", run)


def run(folder: Path, name: str, **executor: Any) -> Any:
    spec = {**TOY, "executor": {"use": "inline", "with": executor}} if executor else TOY
    return revkit.run(
        spec, out=folder / name, store=folder / f"{name}.db", plugins=[TOYS, Inline]
    )  # fmt: skip


def test_the_run_folder_has_the_bytes_of_a_local_run(tmp_path: Path) -> None:
    whole = run(tmp_path, "whole")
    there = run(tmp_path, "there", shards=3)
    assert files(tmp_path / "there") == files(tmp_path / "whole")
    assert there.counts.computed == whole.counts.computed
    assert there.exit_code == whole.exit_code
    assert there.experiment.digest == whole.experiment.digest
    # Again with another number of shards: only failures are computed again.
    failed = sum(bool(each.failure) for each in whole.records.verdicts)
    again = run(tmp_path, "there", shards=2)
    assert 0 < again.counts.computed <= failed
    assert files(tmp_path / "there") == files(tmp_path / "whole")


@pytest.mark.parametrize("processes", [0, 1])
def test_where_all_answers_are_stored_no_shard_starts(tmp_path: Path, processes: int) -> None:
    spec = {**TOY, "agents": {"length": "toy-length"}, "processes": processes}
    options: dict[str, Any] = {"store": tmp_path / "store.db", "plugins": [TOYS, Inline]}
    whole = revkit.run(spec, out=tmp_path / "whole", **options)
    # An executor that would fail is not called; with more variants it is.
    there = {**spec, "executor": {"use": "inline", "with": {"answer": "crash"}}}
    again = revkit.run(there, out=tmp_path / "there", **options)
    asked = whole.counts.computed + whole.counts.stored
    assert (again.counts.computed, again.counts.stored) == (0, asked)
    assert files(tmp_path / "there") == files(tmp_path / "whole")
    assert not (tmp_path / "there.shards").exists()
    more = {**there, "perturbations": {"words": {"use": "toy-words", "variants": 3}}}
    with pytest.raises(RunError, match="no cluster"):
        revkit.run(more, out=tmp_path / "more", **options)
    assert not (tmp_path / "more").exists()


@pytest.mark.parametrize(
    ("answer", "kind", "message"),
    [
        ('{"error": "shard 3/3: no key"}', RunError, "shard 3/3: no key"),
        ('{"stopped": true}', Interrupted, "stopped after 0 of 3 shards"),
        ("crash", RunError, "executor 'inline' crashed: ValueError: no cluster"),
    ],
)
def test_what_went_wrong_is_said(
    answer: str, kind: type[Exception], message: str, tmp_path: Path
) -> None:
    with pytest.raises(kind, match=message):
        run(tmp_path, "run", answer=answer)
    assert not (tmp_path / "run").exists()


def test_more_at_once_than_shards_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="shards must be"):
        run(tmp_path, "run", **{"shards": 2, "at-once": 3})


def a_task(folder: Path, **changed: Any) -> str:
    folder.mkdir(exist_ok=True)
    (folder / task.CONTROL).write_text('{"token": "t", "stop": false}')
    experiment = load_experiment(TOY, load_registry([TOYS]))
    given = {
        "token": "t", "spec": experiment.to_json(), "experiment": experiment.digest,
        "core": core_digest(), "packages": package_versions(),
        "out": str(folder), "cwd": ".", "plugins": [str(TOYS)], "at_once": 1, "known": None,
        "overwrite": False, "shard": "1/4",
    }  # fmt: skip
    return json.dumps({**given, **changed})


def test_a_worker_that_differs_refuses_the_shard(tmp_path: Path) -> None:
    folder = tmp_path / "shards"
    done = json.loads(task.run_task(a_task(folder)))
    assert done["computed"] > 0
    packages = {**package_versions(), "numpy": "0.1"}
    for changed, message in (
        ({"packages": packages}, "has other packages than the command: numpy"),
        ({"core": "0"}, "the code of revkit"),
        ({"experiment": "0" * 64}, "another version of a component"),
        ({"out": str(tmp_path / "elsewhere")}, "does not see"),
    ):
        found = json.loads(task.run_task(a_task(folder, **changed)))
        assert message in found["error"]
        assert found["error"].startswith("shard 1/4: ")


def test_a_lost_process_is_started_again_and_a_folder_in_use_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = a_task(tmp_path / "shards")
    monkeypatch.setattr(task, "_PATIENCE", 0.0)
    for results, expected in (
        ([{"lost": -9}, {"busy": True}, {"papers": 1}], {"papers": 1}),
        ([{"lost": -9}] * 9, {"error": "shard 1/4: its process ended 4 times (exit code -9)"}),
    ):
        left = iter(results)
        monkeypatch.setattr(task, "_in_child", lambda *_, left=left: next(left))
        assert json.loads(task.run_task(text)) == {"shard": "1/4", **expected}
    (tmp_path / "shards" / task.CONTROL).write_text('{"token": "t", "stop": true}')
    monkeypatch.setattr(task, "_in_child", lambda *_: {"busy": True})
    assert json.loads(task.run_task(text)) == {"shard": "1/4", "stopped": True}


def test_rates_are_divided_by_the_shards_that_run_at_once() -> None:
    experiment = load_experiment(TOY, load_registry([TOYS]))
    llm = LlmServices({"m": ModelSettings(requests_per_minute=90, tokens_per_minute=900)})
    whole = replace(experiment, llm=llm, budget=Budget(calls=10))
    parts = [share_of_limits(whole, Shard(n, 5), share_budget=True, at_once=2) for n in range(1, 6)]
    assert {each.llm.of("m").requests_per_minute for each in parts} == {45}
    assert sum(each.budget.calls or 0 for each in parts) == 10


def test_the_rest_of_the_budget_is_divided(tmp_path: Path) -> None:
    """What other commands spent is subtracted; what a shard spent, it counts itself."""
    experiment = load_experiment(TOY, load_registry([TOYS]))
    experiment = replace(experiment, budget=Budget(usd=10.0, calls=9, tokens=100))
    shard = Shard(1, 1)

    def spend(store: Store, call: bytes, usd: float) -> None:
        attempts = Attempts(store, experiment.digest)
        number = attempts.sent("a", "m", call, Cost(1, 10, usd))
        attempts.ended(number, "answered", Cost(1, 10, usd), 1.0, Paid(5, 5, 0, usd))

    with Store(tmp_path / "main.db") as answers:
        spend(answers, b"1", 4.0)
        with Store(tmp_path / "shards" / shard.folder / STORE_NAME) as part:
            spend(part, b"2", 3.0)
        answers.merge(tmp_path / "shards" / shard.folder / STORE_NAME)
        rest = elsewhere._rest(experiment, (), [shard], tmp_path / "shards", answers)
    assert rest == Budget(usd=6.0, calls=8, tokens=90)


def test_a_known_store_is_read_and_never_written(tmp_path: Path) -> None:
    text = b"a reply of many words, " * 50
    with Store(tmp_path / "main.db") as main:
        main.put(b"base", text + b"base")
        main.put(b"like", text, like=b"base")
        copy_store(main, tmp_path / "known.db")
    before = (tmp_path / "known.db").read_bytes()
    with Store(tmp_path / "own.db", tmp_path / "known.db") as own:
        assert own.get(b"like") == text
        assert own.get(b"none") is None
        own.put(b"new", b"new")
    with Store(tmp_path / "own.db") as own:
        assert own.get(b"like") == text, "an answer that was used is in the own store too"
        assert own.get(b"base") is None
    assert (tmp_path / "known.db").read_bytes() == before
    assert sorted(path.name for path in tmp_path.glob("known*")) == ["known.db"]
