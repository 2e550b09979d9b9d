"""Runs on a real cluster of processes, whose workers and scheduler are killed: the same bytes as a
local run, and nothing that was stored is computed again.
"""

from __future__ import annotations

import importlib.util
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.execution.dask_processes import Cluster
from tests.execution.test_chaos import SPEC, WORKERS, wait_for
from tests.execution.test_shards import files
from tests.execution.test_shards_chaos import Place, repeated

pytestmark = [
    pytest.mark.chaos,
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX"),
]
needs_dask = pytest.mark.skipif(
    importlib.util.find_spec("distributed") is None,
    reason="the extra 'dask' is not installed (make test-dask)",
)
SHARDS, AT_ONCE = 4, 2


def cluster_of(place: Place) -> Cluster:
    """Start a cluster whose shards write their calls to the log ``cluster.log``."""
    environment = {**place.environment, "LOG": str(place.folder / "cluster.log")}
    return Cluster(place.folder, environment, AT_ONCE)


@pytest.fixture
def place(tmp_path: Path, environment: dict[str, str]) -> Place:
    environment = {**environment, "REVKIT_PLUGINS": "executors"}
    return Place(tmp_path, environment)


@pytest.fixture
def cluster(place: Place) -> Iterator[Cluster]:
    found = cluster_of(place)
    yield found
    found.close()


def write_specs(place: Place, **executors: Any) -> None:
    """Write a spec of 30 papers for each executor."""
    text = SPEC.replace("papers: 60", "papers: 30")
    (place.folder / "spec.yaml").write_text(text)
    for name, options in executors.items():
        options = {"shards": SHARDS, "at-once": AT_ONCE, **options}
        executor = {"executor": {"use": name, "with": options}}
        (place.folder / f"{name}.yaml").write_text(f"{text}\n{json.dumps(executor)[1:-1]}\n")


def run(place: Place, spec: str, out: str) -> tuple[str, ...]:
    return ("run", spec, "--out", out, "--store", f"{out}.db")


def finished(process: Any) -> int:
    return int(process.wait(timeout=180))


@needs_dask
def test_every_way_to_run_one_spec_gives_the_same_bytes(place: Place, cluster: Cluster) -> None:
    write_specs(place, dask={"address": str(cluster.file)}, local={})
    place.finish("whole.log", *run(place, "spec.yaml", "whole"))
    place.finish("p.log", *run(place, "spec.yaml", "processes"), "--set", "processes=2")
    place.finish("local.log", *run(place, "local.yaml", "local"))
    place.finish("dask.log", *run(place, "dask.yaml", "dask"))
    for number in (1, 2, 3):
        place.finish("s.log", "run", "spec.yaml", "--shard", f"{number}/3", "--out", "parts")
    place.finish("s.log", "merge", "parts", "--out", "merged", "--store", "merged.db")
    # Interrupted in one process, continued on the cluster, and then again in one process.
    process = place.start("half.log", *run(place, "spec.yaml", "half"))
    assert wait_for(lambda: len(place.calls("half.log")) >= 40, process)
    process.send_signal(signal.SIGINT)
    finished(process)
    before = len([each for each in place.calls("half.log") if each.startswith("edit")])
    assert 0 < before < 30
    (place.folder / "cluster.log").unlink()
    place.finish("half.log", *run(place, "dask.yaml", "half"))
    edits = [each for each in place.calls("cluster.log") if each.startswith("edit")]
    assert len(edits) == 30 - before, "what the local run stored is not computed again"
    place.finish("half.log", *run(place, "spec.yaml", "half"))
    expected = files(place.folder / "whole")
    assert len(expected) > 10
    for other in ("local", "dask", "merged", "half"):
        assert files(place.folder / other) == expected, other
    assert files(place.folder / "processes") == expected


@needs_dask
def test_a_killed_worker_loses_nothing(place: Place, cluster: Cluster) -> None:
    write_specs(place, dask={"address": str(cluster.file)})
    place.finish("whole.log", *run(place, "spec.yaml", "whole"))
    process = place.start("run.log", *run(place, "dask.yaml", "run"), "--log", "events.jsonl")
    assert wait_for(lambda: len(place.calls("cluster.log")) >= 20, process)
    cluster.workers[0].kill()
    assert finished(process) in (0, 1)
    assert files(place.folder / "run") == files(place.folder / "whole")
    # The log has the shards of all workers, and each part that begins ends, or is lost.
    events = list(map(json.loads, (place.folder / "events.jsonl").read_text().splitlines()))
    begun = {each["number"] for each in events if each["phase"] == "begin"}
    assert begun == {each["number"] for each in events if each["phase"] == "end"}
    runs = {each["shard"] for each in events if each["event"] == "run"}
    assert runs == {None, *(f"{number}/{SHARDS}" for number in range(1, SHARDS + 1))}
    # The shard's process stores what it had begun, so not even that is computed again.
    assert repeated(place, "cluster.log") == 0


@needs_dask
def test_a_killed_process_of_a_shard_is_started_again(place: Place, cluster: Cluster) -> None:
    write_specs(place, dask={"address": str(cluster.file)})
    place.finish("whole.log", *run(place, "spec.yaml", "whole"))
    process = place.start("run.log", *run(place, "dask.yaml", "run"))
    assert wait_for(lambda: len(place.calls("cluster.log")) >= 20, process)
    children = _children(cluster.workers[0].pid)
    assert children
    for child in children:
        os.kill(child, signal.SIGKILL)
    assert finished(process) in (0, 1)
    assert files(place.folder / "run") == files(place.folder / "whole")
    assert repeated(place, "cluster.log") <= WORKERS * len(children)


@needs_dask
def test_a_killed_scheduler_is_named_and_the_same_command_continues(
    place: Place, cluster: Cluster
) -> None:
    write_specs(place, dask={"address": str(cluster.file), "timeout": 5})
    place.finish("whole.log", *run(place, "spec.yaml", "whole"))
    command = run(place, "dask.yaml", "run")
    with (place.folder / "stderr").open("wb") as stderr:
        process = subprocess.Popen(
            [sys.executable, "-m", "revkit", *command, "--plugin", "slow.py"],
            cwd=place.folder, env=place.environment, stdout=subprocess.DEVNULL, stderr=stderr,
        )  # fmt: skip
        assert wait_for(lambda: len(place.calls("cluster.log")) >= 20, process)
        cluster.scheduler.kill()
        assert finished(process) == 1
    text = (place.folder / "stderr").read_text()
    assert "scheduler" in text
    assert "the same command continues" in text
    assert "Traceback" not in text.partition("error: ")[2]
    cluster.close()
    other = cluster_of(place)
    try:
        place.finish("run.log", *run(place, "dask.yaml", "run"))
    finally:
        other.close()
    assert files(place.folder / "run") == files(place.folder / "whole")
    assert repeated(place, "cluster.log") == 0


def test_an_interrupted_run_on_local_processes_continues(place: Place) -> None:
    write_specs(place, local={})
    place.finish("whole.log", *run(place, "spec.yaml", "whole"))
    process = place.start("run.log", *run(place, "local.yaml", "run"))
    assert wait_for(lambda: len(place.calls("run.log")) >= 20, process)
    process.send_signal(signal.SIGINT)
    assert finished(process) not in (0, 1)
    process = place.start("run.log", *run(place, "local.yaml", "run"))
    before = len(place.calls("run.log"))
    assert wait_for(lambda: len(place.calls("run.log")) >= before + 10, process)
    process.kill()  # its shards end cleanly without it
    process.wait()
    place.finish("run.log", *run(place, "local.yaml", "run"))
    assert files(place.folder / "run") == files(place.folder / "whole")
    assert repeated(place, "run.log") == 0


def test_another_number_of_shards_uses_what_the_first_stored(place: Place) -> None:
    write_specs(place, local={})
    process = place.start("run.log", *run(place, "local.yaml", "run"))
    assert wait_for(lambda: len(place.calls("run.log")) >= 40, process)
    process.send_signal(signal.SIGINT)
    finished(process)
    write_specs(place, local={"shards": 3})
    place.finish("run.log", *run(place, "local.yaml", "run"))
    assert repeated(place, "run.log") == 0


def _children(parent: int) -> list[int]:
    listed = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(parent)], capture_output=True, text=True, check=False
    )
    return [int(line) for line in listed.stdout.split()]
