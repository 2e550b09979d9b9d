"""revkit beside two other evaluation tools, in turn, on the same server and the same papers.

    python -m benchmarks.peers FOLDER [ROUNDS]

FOLDER is a virtual environment of the reader's own that has inspect-ai and lm-eval (with its extra
``api``). Each tool sends each of 1,000 papers of 3,100 words once to a server that answers after
200 ms, and keeps the replies; then the same command runs again. The tools take turns, so that a
machine whose speed drifts slows all of them alike. The figures are medians of ROUNDS (default 3).
Each tool has its own defaults otherwise: inspect-ai writes its log, lm-eval logs its samples, and
revkit writes records, tables and a report.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import statistics
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

from benchmarks.llm_runs import LATENCY, Place, Server, write_papers
from benchmarks.measure import process, table

PAPERS = 1000
CONNECTIONS = (50, 200)

_INSPECT_TASK = """
import json
from inspect_ai import Task, task
from inspect_ai.dataset import Sample
from inspect_ai.solver import generate

@task
def bench(path):
    with open(path, encoding="utf-8") as file:
        papers = [json.loads(line) for line in file]
    samples = [Sample(id=paper["id"], input=paper["text"]) for paper in papers]
    return Task(dataset=samples, solver=generate(cache=True))
"""
_LM_EVAL_TASK = """
task: bench
dataset_path: json
dataset_kwargs: {{data_files: {{test: {path}}}}}
test_split: test
output_type: generate_until
doc_to_text: "{{{{text}}}}"
doc_to_target: ""
generation_kwargs: {{until: ["<end>"], max_gen_toks: 400}}
metric_list: [{{metric: bypass, aggregation: bypass, higher_is_better: true}}]
"""

Step = Callable[[], dict[str, float]]


def _measured(command: list[str], folder: Path, extra: Mapping[str, str]) -> dict[str, float]:
    """Wall and CPU seconds and peak memory in MB of a command that has to end well."""
    cost = process(command, folder, os.environ | extra)
    if cost.code != 0:
        raise RuntimeError(f"exit code {cost.code}: {shlex.join(command)}")
    return {"wall": cost.wall, "cpu": cost.cpu, "memory": cost.peak}


def _inspect(binary: Path, folder: Path, papers: Path, url: str, connections: int) -> Step:
    (folder / "bench.py").write_text(_INSPECT_TASK)
    limit = str(connections)
    command = [
        *(str(binary / "inspect"), "eval", "bench.py", "--model", "openai/mock"),
        *("--model-base-url", url, "-T", f"path={papers}", "--display", "none"),
        # The server speaks chat completions alone.
        *("-M", "responses_api=false"),
        *("--max-connections", limit, "--max-samples", limit, "--log-dir", "logs"),
    ]
    extra = {"OPENAI_API_KEY": "none", "XDG_CACHE_HOME": str(folder / "cache")}
    return lambda: _measured(command, folder, extra)


def _lm_eval(binary: Path, folder: Path, papers: Path, url: str, connections: int) -> Step:
    (folder / "bench.yaml").write_text(_LM_EVAL_TASK.format(path=papers))
    settings = f"model=mock,base_url={url}/chat/completions,num_concurrent={connections}"
    command = [
        *(str(binary / "lm_eval"), "run", "--model", "local-chat-completions"),
        *("--model_args", f"{settings},tokenized_requests=False,max_retries=1"),
        *("--tasks", "bench", "--include_path", str(folder), "--apply_chat_template"),
        *("--use_cache", str(folder / "cache"), "--output_path", "out", "--log_samples"),
    ]
    extra = {"OPENAI_API_KEY": "none", "HF_HOME": str(folder / "hub"), "HF_HUB_OFFLINE": "1"}
    return lambda: _measured(command, folder, extra)


def _revkit(binary: Path, folder: Path, papers: Path, url: str, connections: int) -> Step:
    del binary
    corpus = f"{{use: jsonl, with: {{path: {papers}}}}}"
    return Place(folder, url, corpus, connections).run


TOOLS = {"revkit": _revkit, "inspect-ai": _inspect, "lm-eval": _lm_eval}


def _once(name: str, place: Path, binary: Path, papers: Path, connections: int) -> dict[str, float]:
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    with Server() as server:
        run = TOOLS[name](binary, place, papers, server.url, connections)
        first = run()
        counted = server.counts()
        if counted["requests"] != PAPERS:
            raise RuntimeError(f"{name} sent {counted['requests']} requests for {PAPERS} papers")
        again = run()
        return {
            **first,
            "calls": counted["last"] - counted["first"],
            "peak": counted["peak"],
            "again": again["wall"],
            "again cpu": again["cpu"],
            "requests": server.counts()["requests"],
        }


def main(folder: Path, rounds: int = 3) -> None:
    """Measure and print."""
    rows = []
    with tempfile.TemporaryDirectory() as name:
        papers = write_papers(Path(name), PAPERS)
        for connections in CONNECTIONS:
            found: dict[str, list[dict[str, float]]] = {tool: [] for tool in TOOLS}
            for _ in range(rounds):
                for tool, runs in found.items():
                    place = Path(name) / "place"
                    runs.append(_once(tool, place, folder / "bin", papers, connections))
                    print(tool, json.dumps(runs[-1]), file=sys.stderr)
            ideal = PAPERS * LATENCY / connections
            for tool, runs in found.items():
                middle = {key: statistics.median(run[key] for run in runs) for key in runs[0]}
                rows.append(
                    (
                        f"{tool}, {connections} connections",
                        f"{middle['wall']:.1f}",
                        f"{middle['calls']:.2f} ({middle['calls'] / ideal:.2f}x)",
                        f"{middle['peak']:.0f}",
                        f"{1000 * middle['cpu'] / PAPERS:.1f}",
                        f"{middle['memory']:.0f}",
                        f"{middle['again']:.1f} ({middle['again cpu']:.1f})",
                        f"{middle['requests']:.0f}",
                    )
                )
    table(
        (
            "tool",
            "whole s",
            "calls phase s",
            "peak in flight",
            "CPU ms a paper",
            "peak MB",
            "again, stored: s (CPU)",
            "requests then",
        ),
        rows,
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]).absolute(), int(sys.argv[2]) if len(sys.argv) > 2 else 3)
