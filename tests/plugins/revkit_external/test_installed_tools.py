"""The ready YAML drives the installed tools, against a stand-in for the model on loopback.

Tools are looked for on the PATH and in the folders of ``REVKIT_TOOLS`` (as PATH is written):
``python -m venv x; x/bin/pip install "refereed[anthropic]"; REVKIT_TOOLS=x/bin pytest -m slow``.
"""

from __future__ import annotations

import dataclasses
import json
import os
import shutil
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from revkit.contracts import Context
from revkit.model.paper import Paper
from revkit.model.review import Failure, Review
from revkit_external.command import Command

EXAMPLES = Path(__file__).parents[3] / "experiments" / "agents"
FOLDERS = os.environ.get("REVKIT_TOOLS", "")
PATH = os.pathsep.join(part for part in (FOLDERS, os.environ.get("PATH", "")) if part)
MEMBER = {
    "summary": "A summary.",
    "strengths": ["One."],
    "concerns": [{"severity": "minor", "issue": "An issue.", "location": "1", "suggestion": "S."}],
    "score": 6,
    "recommendation": "major_revisions",
}
WHOLE = {"summary": "All in all.", "overall_recommendation": "major_revisions", "weighted_score": 9}
SECTIONS = (
    "## Summary\n\nText.\n\n## Strengths\n\nText.\n\n"
    "## Weaknesses / Areas for Improvement\n\nText.\n\n## Recommendation\n\nMinor Revision\n"
)


class Model(BaseHTTPRequestHandler):
    """Answers as the Anthropic Messages API and as Ollama do, by the words of the prompt."""

    calls = 0
    refuse = False

    def do_POST(self) -> None:
        type(self).calls += 1
        prompt = self.rfile.read(int(self.headers["content-length"])).decode()
        if self.refuse:
            self.send_error(400)
            return
        if self.path.endswith("/v1/messages"):
            text = json.dumps(WHOLE if "meta-reviewer" in prompt else MEMBER)
            value: dict[str, Any] = {
                "id": "m",
                "type": "message",
                "role": "assistant",
                "model": "stand-in",
                "content": [{"type": "text", "text": text}],
                "stop_reason": "end_turn",
                "stop_sequence": None,
                "usage": {"input_tokens": 1, "output_tokens": 1},
            }
        else:
            value = {"response": SECTIONS if "## Recommendation" in prompt else "Biology"}
            if "Recommendation" in prompt:
                value["response"] = SECTIONS
        body = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments: Any) -> None:
        pass


@pytest.fixture
def model() -> Iterator[str]:
    """The address of the stand-in."""
    Model.calls, Model.refuse = 0, False
    server = ThreadingHTTPServer(("127.0.0.1", 0), Model)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()
    thread.join()


def agent_for(tool: str, monkeypatch: pytest.MonkeyPatch, **env: str) -> Command:
    """The agent of the tool's ready YAML, or skip where the tool is not installed."""
    import revkit
    import revkit_external

    if shutil.which(tool, path=PATH) is None:
        pytest.skip(f"{tool} is not installed: put its folder into REVKIT_TOOLS")
    monkeypatch.setenv("PATH", PATH)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "key-for-tests")
    experiment = revkit.validate(EXAMPLES / f"{tool}.yaml", plugins=[revkit_external])
    agent = experiment.agent_steps[tool].component
    assert isinstance(agent, Command)
    return dataclasses.replace(agent, env={**(agent.env or {}), **env}, timeout=120.0)


@pytest.mark.slow
def test_refereed(model: str, paper: Paper, ctx: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    agent = agent_for("refereed", monkeypatch, ANTHROPIC_BASE_URL=model)
    assert agent.ready() == []
    review = agent.review(paper, ctx)
    assert isinstance(review, Review), review
    # Three members give 6; the tool's own mean is read, and not the 9 that the model says.
    assert (review.accept, review.score) == (False, 6.0)
    assert Model.calls == 4
    assert "key-for-tests" not in json.dumps(review.to_json())
    package = agent.reviewer_identity()["package"]  # type: ignore[index,call-overload]
    assert package[0] == "refereed"  # type: ignore[index]
    assert package[1]  # type: ignore[index]
    Model.refuse = True
    failure = agent.review(paper, ctx)
    assert isinstance(failure, Failure)
    assert (failure.kind, failure.detail) == ("provider", "fail-if: every reviewer failed")


@pytest.mark.slow
def test_peersight(model: str, paper: Paper, ctx: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    agent = agent_for("peersight", monkeypatch, OLLAMA_API_URL=f"{model}/api/generate")
    review = agent.review(paper, ctx)
    assert isinstance(review, Review), review
    assert (review.accept, review.score) == (True, 7.0)
    assert Model.calls == 2
    Model.refuse = True
    assert isinstance(agent.review(paper, ctx), Failure)


@pytest.mark.slow
def test_peer_review_agent(ctx: Context, paper: Paper, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("docx")
    agent = agent_for("peer-review-agent", monkeypatch)
    first, second = agent.review(paper, ctx), agent.review(paper, ctx)
    assert isinstance(first, Review), first
    assert first == second
    assert first.score is not None
    assert first.details["output"].count("\n") > 20  # type: ignore[union-attr]
