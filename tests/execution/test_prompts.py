"""The prompts of a review, made again from a finished run: what the server got, byte for byte."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import revkit
from revkit.errors import RunError
from tests.llm_server.server import LlmServer

MODEL = "openai/mock"


def reply(body: dict[str, Any]) -> str:
    """A form that is filled in, of a length that depends on the prompt."""
    text = body["messages"][-1]["content"]
    return json.dumps({"reasons": f"{len(text)} characters", "accept": False, "score": 4})


def finished(server: LlmServer, folder: Path) -> Path:
    run = revkit.run(
        {
            "revkit": 1,
            "name": "asked",
            "corpus": {"use": "synthetic", "with": {"papers": 2}},
            "perturbations": {"hedging": "hedging"},
            "agents": {
                "reader": {
                    "use": "llm",
                    "with": {"model": MODEL, "form": "accept-score", "max-tokens": 100},
                },
                "counter": "citation-counter",
            },
            "services": {"llm": {"default": {"base-url": server.url}}},
            "metrics": ["outcomes"],
            "reports": [],
        },
        out=folder / "run",
        store=folder / "store.db",
    )
    return run.folder


def test_prompts_are_those_that_were_sent(tmp_path: Path) -> None:
    with LlmServer(reply=reply) as server:
        folder = finished(server, tmp_path)
        texts = [body["messages"] for body in server.bodies]
        sent = [[(m["role"], m["content"]) for m in text] for text in texts]
        before = server.requests
        papers = revkit.open_run(folder).records.papers
        made = [v for v in revkit.open_run(folder).records.variants if not v.rejected]
        found = []
        for paper, family in [(p.id, "") for p in papers] + [(v.paper, "hedging") for v in made]:
            (prompt,) = revkit.prompts(folder, "reader", paper, family, store=tmp_path / "store.db")
            assert prompt.reply is not None
            assert "characters" in prompt.reply.text
            found.append([(each.role, each.content) for each in prompt.request.messages])
        assert server.requests == before  # nothing is asked
    assert sorted(found) == sorted(sent)
    assert made


def test_a_prompt_without_a_reply_is_not_proved(tmp_path: Path) -> None:
    with LlmServer(reply=reply) as server:
        folder = finished(server, tmp_path)
    from revkit.cache import Store

    with Store(tmp_path / "empty.db"):
        pass
    paper = revkit.open_run(folder).records.papers[0].id
    (prompt,) = revkit.prompts(folder, "reader", paper, store=tmp_path / "empty.db")
    assert prompt.reply is None
    assert prompt.request.messages


def test_what_has_no_prompts_is_refused(tmp_path: Path) -> None:
    with LlmServer(reply=reply) as server:
        folder = finished(server, tmp_path)
    store = tmp_path / "store.db"
    paper = revkit.open_run(folder).records.papers[0].id
    for agent, name, family, why in (
        ("counter", paper, "", "asks no language model"),
        ("nobody", paper, "", "no agent"),
        ("reader", "none", "", "no paper"),
        ("reader", paper, "none", "no variant"),
    ):
        with pytest.raises(RunError, match=why):
            revkit.prompts(folder, agent, name, family, store=store)
    with pytest.raises(RunError, match="no store"):
        revkit.prompts(folder, "reader", paper, store=tmp_path / "other.db")
    about = json.loads((folder / "provenance.json").read_text(encoding="utf-8"))
    about["core"] = "0" * 64
    (folder / "provenance.json").write_text(json.dumps(about), encoding="utf-8")
    with pytest.raises(RunError, match="other code"):
        revkit.prompts(folder, "reader", paper, store=store)
