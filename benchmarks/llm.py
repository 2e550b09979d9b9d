"""Language models: the calls phase against its ideal, processor time, memory and store."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.measure import ROOT, python, table

LATENCY = 0.2
# (name, papers, connections, asks again what is stored)
CASES = (
    ("1,000 at 50", 1000, 50),
    ("1,000 at 200", 1000, 200),
    ("5,000 at 50", 5000, 50),
)
_WORDS = ("the", "model", "learns", "a", "sparse", "gate", "that", "keeps", "long", "documents")
_ONE = "benchmarks.llm"


def main() -> None:
    """Measure and print."""
    rows = []
    for name, papers, connections in CASES:
        with _Server() as server, tempfile.TemporaryDirectory() as folder:
            store = str(Path(folder) / "store.sqlite3")
            first = _measured(server.port, papers, connections, store)
            told = server.told()
            again = _measured(server.port, papers, connections, store)
            size = Path(store).stat().st_size / 1e6
        ideal = papers * LATENCY / connections
        rows.append(
            (
                name,
                f"{ideal:.1f}",
                f"{told['seconds']:.2f} ({told['seconds'] / ideal:.2f}x)",
                f"{first['whole']:.2f}",
                told["peak"],
                f"{1000 * first['cpu'] / papers:.2f}",
                f"{first['peak']:.0f}",
                f"{size / papers * 1000:.2f}",
                f"{again['whole']:.2f}",
                again["requests"],
            )
        )
    table(
        (
            "papers at connections",
            "ideal s",
            "calls phase s",
            "whole process s",
            "peak in flight",
            "CPU ms a review",
            "peak MB",
            "store MB a 1,000",
            "again, stored: s",
            "requests then",
        ),
        rows,
    )


class _Server:
    """The fault server in a process of its own."""

    def __enter__(self) -> _Server:
        self._process = subprocess.Popen(
            [*python(str(ROOT / "tests" / "llm_server" / "server.py")), "--latency", str(LATENCY)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout is not None
        self.port = int(self._process.stdout.readline())
        return self

    def told(self) -> dict[str, float]:
        """The server's counters."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write("tell\n")
        self._process.stdin.flush()
        counters: dict[str, float] = json.loads(self._process.stdout.readline())
        return counters

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()


def _measured(port: int, papers: int, connections: int, store: str) -> dict[str, float]:
    started = time.perf_counter()
    done = subprocess.run(
        [*python("-m", _ONE), str(port), str(papers), str(connections), store],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    found: dict[str, float] = json.loads(done.stdout)
    found["whole"] = time.perf_counter() - started
    return found


def _one(port: int, papers: int, connections: int, store: str) -> None:
    """Review ``papers`` with the agent `llm` and print what it took, as JSON."""
    import resource
    from concurrent.futures import ThreadPoolExecutor

    from revkit.cache import Store
    from revkit.contracts import Context, Services
    from revkit.model.paper import Paper
    from revkit.model.review import Review
    from revkit.model_settings import llm_from_options
    from revkit.services.llm import ModelGateway
    from revkit_llm.agent import Llm

    url = f"http://127.0.0.1:{port}/v1"
    settings = llm_from_options({"default": {"base-url": url, "max-connections": connections}})
    agent = Llm(model="openai/mock", form="iclr")
    body = " ".join(_WORDS[(index * 7 + index // 13) % len(_WORDS)] for index in range(3100))
    with Store(Path(store)) as answers, ModelGateway(settings, answers) as gateway:
        services = Services(complete=gateway.asker("llm"))

        def review(number: int) -> bool:
            paper = Paper(f"p{number}", f"# Paper {number}\n\n{body}\n")
            return isinstance(agent.review(paper, Context(1, services, ("llm",))), Review)

        with ThreadPoolExecutor(connections) as pool:
            valid = sum(pool.map(review, range(papers), chunksize=1))
        account = gateway.ledger.account("llm", "openai/mock")
    assert valid == papers, f"{valid} of {papers} reviews"
    usage = resource.getrusage(resource.RUSAGE_SELF)
    print(
        json.dumps(
            {
                "cpu": usage.ru_utime + usage.ru_stime,
                "peak": usage.ru_maxrss / 1024,
                "requests": account.requests,
            }
        )
    )


if __name__ == "__main__":
    _one(int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4])
