"""Runs of `revkit run` with a language model: server, papers, spec, and what a run took."""

from __future__ import annotations

import json
import os
import random
import shutil
import sqlite3
import subprocess
import time
from pathlib import Path
from types import TracebackType

from benchmarks.measure import ROOT, python, revkit

LATENCY = 0.2
_WORDS = [
    "the", "model", "learns", "a", "sparse", "gate", "that", "keeps", "long", "documents", "while",
    "noise", "of", "samples", "from", "each", "layer", "is", "drawn", "with", "care", "and",
]  # fmt: skip
_SECTIONS = (
    "Abstract",
    "1 Introduction",
    "2 Related Work",
    "3 Method",
    "4 Results",
    "5 Conclusion",
)
_SPEC = """
revkit: 1
name: bench
corpus: {corpus}
perturbations: {perturbations}
agents: {agents}
metrics: [outcomes]
reports: [terminal]
services: {{llm: {{default: {{base-url: "{url}", max-connections: {connections}}}}}}}
"""

_AGENT = (
    "llm-{number}: {{use: llm, with: {{model: openai/mock, form: iclr, max-tokens: 4{number:03}}}}}"
)


class Server:
    """The server in a separate process, which counts; ``text`` is the file it speaks from."""

    def __init__(self, text: Path | None = None) -> None:
        self._text = text

    def __enter__(self) -> Server:
        self._process = subprocess.Popen(
            python(
                "-m",
                "benchmarks.llm_server",
                str(LATENCY),
                *([str(self._text)] if self._text else []),
            ),
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout is not None
        self.url = f"http://127.0.0.1:{int(self._process.stdout.readline())}/v1"
        return self

    def counts(self) -> dict[str, float]:
        """What it counted since it was last asked."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write("tell\n")
        self._process.stdin.flush()
        counters: dict[str, float] = json.loads(self._process.stdout.readline())
        return counters

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.kill()
        self._process.wait()


def write_papers(folder: Path, count: int) -> Path:
    """A file of ``count`` papers of 3,100 words in six sections, no two of them alike."""
    path = folder / f"papers-{count}.jsonl"
    if path.exists():
        return path
    with path.open("w", encoding="utf-8") as file:
        for number in range(count):
            draw = random.Random(number)
            text = f"# Paper {number}\n\n"
            for name in _SECTIONS:
                text += f"## {name}\n\n" + "\n\n".join(_paragraph(draw) for _ in range(5)) + "\n\n"
            file.write(json.dumps({"id": f"p{number}", "text": text}) + "\n")
    return path


def _paragraph(draw: random.Random) -> str:
    sentences = (" ".join(draw.choices(_WORDS, k=15)).capitalize() + "." for _ in range(7))
    return " ".join(sentences)


class Place:
    """A new folder with a spec, in which the command runs again and again."""

    def __init__(
        self,
        folder: Path,
        url: str,
        corpus: str,
        connections: int,
        *,
        perturbations: str = "{}",
        agents: int = 1,
    ) -> None:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        self.folder = folder
        spec = _SPEC.format(
            url=url,
            corpus=corpus,
            connections=connections,
            perturbations=perturbations,
            agents="{" + ", ".join(_AGENT.format(number=n) for n in range(agents)) + "}",
        )
        (folder / "spec.yaml").write_text(spec, encoding="utf-8")

    def start(self) -> subprocess.Popen[bytes]:
        """Start the command."""
        command = revkit("run", "spec.yaml", "--out", "run", "--quiet")
        return subprocess.Popen(command, cwd=self.folder)

    def run(self) -> dict[str, float]:
        """Run it to its end: wall and CPU seconds, peak memory in MB."""
        started = time.perf_counter()
        with self.start() as process:
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        assert process.returncode == 0, process.returncode
        return {
            "wall": time.perf_counter() - started,
            "cpu": usage.ru_utime + usage.ru_stime,
            "memory": usage.ru_maxrss / 1024,
        }

    def stored_megabytes(self) -> float:
        """The size of the store, with its log."""
        return sum(path.stat().st_size for path in (self.folder / ".revkit").iterdir()) / 1e6

    def stored_replies(self) -> int:
        """How many replies of the model the store holds."""
        from revkit.cache import Store

        path = self.folder / ".revkit" / "store.sqlite3"
        with sqlite3.connect(path) as connection:
            keys = [key for (key,) in connection.execute("SELECT key FROM asked")]
        with Store(path) as store:
            return sum(b'"finish_reason"' in (store.get(key) or b"") for key in keys)
