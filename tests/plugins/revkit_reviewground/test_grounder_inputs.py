"""Papers of every kind go through `review-grounder`, and a run of it is exported and replayed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import revkit
from revkit.model.paper import Paper
from revkit.model.review import Review, checked
from revkit.model.values import canonical_json
from revkit.model.work import Work
from revkit_reviewground.agent import ReviewGrounder
from tests.llm_server.server import LlmServer
from tests.plugins.revkit_reviewground.scripted import DRAFT, PAPER, TEXT, Model, reply_to

AGENT = ReviewGrounder(model="m")
SHARED = Path(__file__).parents[4] / "shared" / "data"
REAL = sorted((SHARED / "iclr2022_aiscientist" / "iclr_parsed").glob("*.txt"))[::12]
KINDS = {
    "no sections": "We count words. " * 300,
    "abstract only": "# T\n\n## Abstract\n\nWe study gates.\n",
    "one word": "Gates",
    "headings alone": "# A\n\n## B\n\n### C\n",
    "tables as images": TEXT.split("| Model")[0] + "![](t.png)\n\nTable 1: Results.\n",
    "LaTeX": "\\documentclass{article}\n\\section{Method}\n$x$\n\\section{Results}\n1\n",
    "blanks": "\u00a0x\u2028\u2029\n\n\n\n",
    "deep lists": "\n".join("  " * depth + "- item" for depth in range(60)),
    "one long line": "word " * 40_000,
    "100K tokens": TEXT + "\n## Appendix\n\n" + "A long appendix. " * 24_000,
}


@pytest.mark.parametrize("kind", sorted(KINDS))
@pytest.mark.parametrize("reading", ["whole", "sections"])
def test_a_paper_of_any_kind_is_reviewed(kind: str, reading: Any) -> None:
    agent = ReviewGrounder(model="m", reading=reading)
    model = Model()
    review = agent.review(Paper("p", KINDS[kind]), model.context())
    assert isinstance(review, Review), review
    assert checked(review, agent.scale) == review
    assert len(model.asked) >= 7
    for _, request in model.asked:
        size = sum(len(each.content.encode()) for each in request.messages) / 3.5
        assert size <= agent.input_tokens


@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(st.text(st.characters(codec="utf-8"), min_size=1, max_size=600))
def test_no_text_breaks_it(text: str) -> None:
    if text.isspace():
        return
    review = AGENT.review(Paper("p", text, text[:40]), Model().context())
    assert isinstance(review, Review)
    canonical_json(review.to_json())


TEXTS = st.text(st.characters(codec="utf-8"), max_size=120)


@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(TEXTS, max_size=4), st.lists(TEXTS, max_size=4), TEXTS)
def test_no_reply_breaks_it(strengths: list[str], weaknesses: list[str], summary: str) -> None:
    fields = {**DRAFT, "summary": summary, "strengths": strengths, "weaknesses": weaknesses}
    review = AGENT.review(
        PAPER, Model(drafter=fields, aggregator=fields, correction=fields).context()
    )
    assert isinstance(review, Review)
    assert review.details["review"] == fields
    canonical_json(review.to_json())


@pytest.mark.skipif(not REAL, reason="needs the real papers in ../shared/data")
def test_real_papers_are_reviewed() -> None:
    for path in REAL:
        text = "".join(
            c for c in path.read_text(encoding="utf-8") if c.isprintable() or c in "\n\t"
        )
        model = Model()
        review = AGENT.review(Paper("p", text), model.context())
        assert isinstance(review, Review)
        (head,) = model.prompts("searcher")
        assert len(head) < len(text)


def test_an_exported_run_brings_its_prompts_and_drafts(tmp_path: Path) -> None:
    prompt, drafts = tmp_path / "miner.md", tmp_path / "drafts.jsonl"
    prompt.write_text("My own words.\n\n{{draft}}\n")
    papers = tmp_path / "papers.jsonl"
    papers.write_text(json.dumps({"id": "a", "title": PAPER.title, "text": TEXT}) + "\n")
    drafts.write_text(json.dumps({"title": PAPER.title, "review": DRAFT}) + "\n")
    options = {
        "model": "openai/mock",
        "without": ["searcher"],
        "roles": {"miner": {"prompt": str(prompt)}},
        "draft-from": str(drafts),
    }
    with LlmServer(reply=reply_to) as server:
        spec = {
            "revkit": 1,
            "name": "export",
            "corpus": {"use": "jsonl", "with": {"path": str(papers)}},
            "agents": {"grounder": {"use": "review-grounder", "with": options}},
            "metrics": ["outcomes"],
            "reports": ["terminal"],
            "services": {"llm": {"default": {"base-url": server.url}}},
        }
        revkit.run(spec, out=tmp_path / "run", store=tmp_path / "store.db")
        asked = [body["messages"][1]["content"] for body in server.bodies]
    assert sum("My own words." in each for each in asked) == 1
    assert len(asked) == 3  # miner, analyzer, aggregator
    revkit.export(tmp_path / "run", tmp_path / "run.zip", store=tmp_path / "store.db")
    for path in (prompt, drafts, papers):
        path.unlink()
    found = revkit.replay(tmp_path / "run.zip", out=tmp_path / "again")
    assert found.differences == ()


def test_debriefs_give_way_to_the_paper() -> None:
    def long(request: Any) -> Any:
        return dict.fromkeys(("summary", "main_methods", "key_findings", "relation"), "x " * 500)

    works = [Work(f"Work {name}", year=2024, abstract="x", score=1.0) for name in "abcdef"]
    model = Model(summarizer=long)
    agent = ReviewGrounder(model="m", input_tokens=5000)
    review = agent.review(PAPER, model.context(lambda query, limit: works))
    assert isinstance(review, Review), review
    evidence: Any = review.details["evidence"]
    assert len(evidence["literature"]["works"]) == 6
    (prompt,) = model.prompts("aggregator")
    assert "Let g be the gate" in prompt
    present = [f"Work {name}" in prompt for name in "abcdef"]
    assert present == sorted(present, reverse=True)
    note = f"debriefs left out to fit: {present.count(False)}"
    assert evidence["reading"]["aggregator"]["notes"] == [note]
