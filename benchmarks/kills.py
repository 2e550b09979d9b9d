"""Kills: runs that SIGKILL ends at random moments, and that the same command continues.

``python -m benchmarks.kills [KILLS [SEED [KIND ...]]]`` makes KILLS kills (default 100) over six
kinds of runs: in one process, with child processes, as shards on an executor, as shards on a Dask
cluster, a sweep, and the judging of a benchmark. In each trial the command or one of its child
processes is killed, once or twice; half of the kills of a kind with child processes hit one of
these: a child process of a component, the process of a shard, or a Dask worker. Then the command
continues to its end. The folder is compared file by file with that of an undisturbed run, and the
calls are counted at the server and in the stores.
"""

from __future__ import annotations

import importlib.util
import os
import random
import signal
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

import revkit as sdk
from benchmarks.measure import ROOT, machine, revkit, table
from tests.execution.dask_processes import Cluster
from tests.llm_server.server import LlmServer, object_for
from tests.plugins.revkit_reviewbench.test_bench_in_runs import evaluated

CONNECTIONS = 8
LATENCY = 0.05
SHARDS, AT_ONCE = 3, 2
# Of a run and of this machine; docs/faults.md names them.
DIFFERENT = ("provenance.json", ".revkit-run")
_PATIENCE = 300.0
_TRIES = 6


def spec_of(kind: str, url: str, build: Path, papers: int, address: str = "") -> dict[str, Any]:
    """The experiment of one kind. ``build`` is the run whose reviews are judged; ``address`` is
    where a Dask scheduler is.
    """
    services = {"llm": {"default": {"base-url": url, "max-connections": CONNECTIONS}}}
    if kind == "bench":
        bench = yaml.safe_load((ROOT / "experiments" / "reviewbench.yaml").read_text("utf-8"))
        return {
            **bench,
            "corpus": {"use": "reviews-of-run", "with": {"run": str(build)}},
            "judges": {"llm": {"use": "bench-evaluator", "with": {"model": "openai/mock"}}},
            # The scripted evaluator fails on tone, which every continued run would ask for again.
            "rubrics": [name for name in bench["rubrics"] if name != "constructive-tone"],
            "reports": ["terminal", "markdown"],
            "services": services,
        }
    spec: dict[str, Any] = {
        "revkit": 1,
        "name": f"kills-{kind}",
        "corpus": {"use": "synthetic", "with": {"papers": papers}},
        "perturbations": {"hedging": "hedging"},
        "agents": {
            "model": {"use": "llm", "with": {"model": "openai/mock", "form": "iclr"}},
            "counter": "citation-counter",
        },
        "metrics": ["flip-rate", "outcomes"],
        "reports": ["terminal", "markdown"],
        "services": services,
    }
    if kind == "processes":
        spec["processes"] = 2
    elif kind == "distributed":
        spec["executor"] = {"use": "local", "with": {"shards": SHARDS, "at-once": AT_ONCE}}
    elif kind == "dask":
        options = {"shards": SHARDS, "at-once": AT_ONCE, "address": address}
        spec["executor"] = {"use": "dask", "with": options}
    elif kind == "sweep":
        spec["corpus"]["with"]["papers"] = max(1, papers // 3)
        spec["sweep"] = {"agents.model.with.max-tokens": [400, 500, 600]}
    return spec


KINDS = ("local", "processes", "distributed", "dask", "sweep", "bench")
SHARDED = ("distributed", "dask")
# Half of the kills of these kinds hit a child process.
WITH_CHILDREN = ("processes", *SHARDED)


def has_dask() -> bool:
    """Whether dask.distributed is installed."""
    return importlib.util.find_spec("distributed") is not None


@dataclass
class Count:
    """What came of the kills of one kind."""

    kind: str
    calls: int  # of an undisturbed run
    seconds: float  # of an undisturbed run
    trials: int = 0
    kills: int = 0
    victims: Counter[str] = field(default_factory=Counter)  # kills of each sort of process
    alone: int = 0  # kills of a child after which the same command ended with exit code 0
    different: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    repeated: int = 0
    over: list[str] = field(default_factory=list)  # more repeated calls than were in flight
    stored: int = 0  # replies that were stored at a kill
    twice: int = 0  # stored replies that were asked for again
    first: list[float] = field(default_factory=list)
    ends: list[float] = field(default_factory=list)
    after: list[float] = field(default_factory=list)  # from the kill of a child to the end

    @property
    def lost(self) -> list[str]:
        """All that may not be."""
        found = [*self.different, *self.failed, *self.over]
        return [*found, f"{self.twice} stored replies asked for again"] if self.twice else found


class Place:
    """A folder with the spec of one kind, in which its command runs."""

    def __init__(self, folder: Path, kind: str, server: LlmServer, build: Path, papers: int):
        self.folder = folder
        self.kind = kind
        self.server = server
        self.environment = {
            **{name: value for name, value in os.environ.items() if name != "REVKIT_PLUGINS"},
            "PYTHONPATH": os.pathsep.join((str(ROOT), str(ROOT / "plugins"))),
        }
        self.cluster = Cluster(folder, self.environment, AT_ONCE) if kind == "dask" else None
        address = str(self.cluster.file) if self.cluster else ""
        spec = spec_of(kind, server.url, build, papers, address)
        (folder / "spec.yaml").write_text(yaml.safe_dump(spec), encoding="utf-8")

    def close(self) -> None:
        """End the cluster, if there is one."""
        if self.cluster:
            self.cluster.close()

    def start(self, name: str) -> subprocess.Popen[str]:
        """Start the command with the run folder and the store ``name``; a cluster gets back the
        workers that it lost.
        """
        if self.cluster:
            self.cluster.mend()
        return subprocess.Popen(
            revkit("run", "spec.yaml", "--out", name, "--store", f"{name}.db", "--quiet"),
            cwd=self.folder,
            env=self.environment,
            text=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )

    def tree(self, name: str) -> dict[str, bytes]:
        """The files of a run folder that have the same bytes in every run."""
        root = self.folder / name
        return {
            path.relative_to(root).as_posix(): path.read_bytes()
            for path in root.rglob("*")
            if path.is_file() and path.name not in DIFFERENT
        }

    def stored(self, name: str) -> tuple[set[bytes], Counter[bytes]]:
        """The calls whose replies are stored, and how often each call was sent."""
        parts = sorted((self.folder / f"{name}.shards").glob("*-of-*/store.sqlite3"))
        keys: set[bytes] = set()
        sent: Counter[bytes] = Counter()
        # A merge copies what the shards sent to the store of the command.
        for path in parts or [self.folder / f"{name}.db"]:
            keys |= {key for (key,) in rows(path, "SELECT key FROM asked")}
            sent.update(call for (call,) in rows(path, "SELECT call FROM attempt"))
        return keys & set(sent), sent

    def children(self, process: subprocess.Popen[str]) -> dict[str, list[int]]:
        """The processes that work for the command, by sort: "worker", "shard", "child"."""
        if self.cluster:
            below = {each.pid: descendants(each.pid) for each in self.cluster.workers}
            # Workers without a shard do nothing that a kill could disturb.
            workers = [worker for worker, shards in below.items() if shards]
            found = {
                "worker": workers,
                "shard": [pid for worker in workers for pid in below[worker]],
            }
        else:
            sort = "shard" if self.kind in SHARDED else "child"
            found = {sort: descendants(process.pid)}
        return {sort: pids for sort, pids in found.items() if pids}


def descendants(process: int) -> list[int]:
    """The children of a process, theirs too (Linux)."""
    parents: dict[int, list[int]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if fields[0] != "Z":
            parents.setdefault(int(fields[1]), []).append(int(path.parent.name))
    found: list[int] = []
    waiting = [process]
    while waiting:
        waiting += (below := parents.get(waiting.pop(), []))
        found += below
    return sorted(found)


def rows(path: Path, query: str) -> list[tuple[Any, ...]]:
    """What a store holds; nothing where it has no tables yet."""
    if not path.is_file():
        return []
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
            return connection.execute(query).fetchall()
    except sqlite3.OperationalError:
        return []


def whole(place: Place) -> tuple[Count, dict[str, bytes]]:
    """Run without a kill."""
    before, started = place.server.requests, time.monotonic()
    process = place.start("whole")
    _, said = process.communicate(timeout=_PATIENCE)
    assert process.returncode == 0, said
    seconds = time.monotonic() - started
    return Count(place.kind, place.server.requests - before, seconds), place.tree("whole")


def trial(place: Place, count: Count, expected: Mapping[str, bytes], draw: random.Random) -> int:
    """Kill and continue once; return the number of kills."""
    name = f"trial-{count.trials}"
    count.trials += 1
    before = place.server.requests
    kept: list[tuple[set[bytes], Counter[bytes]]] = []
    kills, allowed, code, said = 0, 0, None, ""
    planned = draw.choice((1, 2))
    for number in range(_TRIES):
        started, asked = time.monotonic(), place.server.requests
        process = place.start(name)
        first: float | None = None
        end = started + draw.random() * count.seconds if number < planned else None
        of_child = place.kind in WITH_CHILDREN and draw.random() < 0.5
        children: dict[str, list[int]] = {}
        while process.poll() is None:
            now = time.monotonic()
            if end is not None and now >= end:
                children = place.children(process) if of_child else {}
                if children or not of_child:
                    break
            if number and first is None and place.server.requests > asked:
                first = now - started
            if now > started + _PATIENCE:
                raise AssertionError(f"{place.kind}: {name} does not end")
            time.sleep(0.002)
        ended = process.poll() is not None
        at = time.monotonic()
        if not ended:
            kills += 1
            sort = draw.choice(sorted(children)) if children else "command"
            count.victims[sort] += 1
            if children:
                _kill(draw.choice(children[sort]))
            else:
                process.kill()
                process.wait()
            allowed += CONNECTIONS * (AT_ONCE if place.kind in SHARDED else 1)
            kept.append(place.stored(name))
            count.stored += len(kept[-1][0])
        _, said = process.communicate(timeout=_PATIENCE)
        code = process.returncode
        if children:
            count.after.append(time.monotonic() - at)
            count.alone += code == 0
        elif number and ended:
            count.ends.append(time.monotonic() - started)
        if number and first is not None:
            count.first.append(first)
        if code == 0:
            break
    count.kills += kills
    if code != 0:
        count.failed.append(f"{name}: exit code {code}: {said[-300:]}")
    tree = place.tree(name)
    count.different += [
        f"{name}: {path}"
        for path in sorted({*tree, *expected})
        if tree.get(path) != expected.get(path)
    ]
    repeated = place.server.requests - before - count.calls
    count.repeated += repeated
    if not 0 <= repeated <= allowed:
        count.over.append(f"{name}: {repeated} calls repeated, {allowed} were in flight at most")
    _, sent = place.stored(name)
    for keys, then in kept:
        count.twice += sum(sent[key] - then[key] for key in keys)
    return kills


def _kill(process: int) -> None:
    try:
        os.kill(process, signal.SIGKILL)
    except ProcessLookupError:
        return


def killed(
    folder: Path, kills: int, seed: int, kinds: Sequence[str] = KINDS, papers: int = 60
) -> Iterator[Count]:
    """Make ``kills`` kills, divided over ``kinds``; yield what came of each kind."""
    build = folder / "build"
    sdk.run(
        ROOT / "experiments" / "reviewbench-build.yaml",
        out=build,
        store=folder / "build.db",
        overrides=["reports=[]"],
        limit=max(1, papers // 20),
    )
    with LlmServer(latency=LATENCY, reply=_reply, keep=0) as server:
        for number, kind in enumerate(kinds):
            share = kills // len(kinds) + (number < kills % len(kinds))
            inside = folder / kind
            inside.mkdir()
            place = Place(inside, kind, server, build, papers)
            with closing(place):
                count, expected = whole(place)
                draw = random.Random(f"{seed}/{kind}")
                while share > 0:
                    share -= trial(place, count, expected, draw)
            yield count


def _reply(body: Mapping[str, Any]) -> str:
    judged = "Its key points:" in body["messages"][-1]["content"]
    return evaluated(body) if judged else object_for(dict(body))


def show(found: Sequence[Count]) -> None:
    """Print one row for each kind."""
    header = (
        "kind", "kills of the command", "of children", "of these: ended without a restart",
        "trials", "files that differ", "exit codes other than 0",
        "calls undisturbed", "calls repeated", "replies stored at a kill", "of them asked again",
        "first call after, s: median, most", "to the end, s: median, most",
        "from the kill of a child to the end, s: median, most", "undisturbed, s",
    )  # fmt: skip

    def spread(values: Sequence[float]) -> str:
        return f"{statistics.median(values):.2f}, {max(values):.2f}" if values else "-"

    table(
        header,
        [
            (
                each.kind,
                each.victims["command"],
                ", ".join(
                    f"{number} {sort}"
                    for sort, number in sorted(each.victims.items())
                    if sort != "command"
                )
                or "-",
                each.alone if each.after else "-",
                each.trials,
                len(each.different),
                len(each.failed),
                each.calls,
                each.repeated,
                each.stored,
                each.twice,
                spread(each.first),
                spread(each.ends),
                spread(each.after),
                f"{each.seconds:.1f}",
            )
            for each in found
        ],
    )


def main(arguments: Sequence[str]) -> int:
    """Make the kills and print what was lost."""
    kills = int(arguments[0]) if arguments else 100
    seed = int(arguments[1]) if len(arguments) > 1 else 1
    print(machine(), f"; seed {seed}", flush=True)
    kinds = arguments[2:] or KINDS
    if "dask" in kinds and not has_dask():
        print("without the kind dask: the extra 'dask' is not installed", flush=True)
        kinds = [kind for kind in kinds if kind != "dask"]
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for count in killed(Path(folder), kills, seed, kinds):
            found.append(count)
            print(f"{count.kind}: {count.kills} kills, {count.lost or 'nothing lost'}", flush=True)
    print()
    show(found)
    return 1 if any(each.lost for each in found) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
