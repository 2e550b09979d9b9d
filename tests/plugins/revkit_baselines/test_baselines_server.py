"""The baselines through the real gateway: every role well and failing, and whole runs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import revkit
import revkit_baselines
from revkit.cache import Store
from revkit.contracts import Agent, Context, Services
from revkit.model.review import Failure, Review, checked
from revkit.model_settings import llm_from_options
from revkit.services.llm import ModelGateway
from revkit.testing import check_component, tiny_papers
from revkit_baselines.agent_review import AgentReview
from revkit_baselines.ai_scientist import AiScientist
from revkit_baselines.cycle_reviewer import CycleReviewer
from revkit_baselines.deep_reviewer import DeepReviewer, DeepReviewerSearch
from tests.llm_server.server import Faults, LlmServer, object_for
from tests.plugins.revkit_baselines import samples
from tests.plugins.revkit_baselines.baselines_model import paper

ROOT = Path(__file__).resolve().parents[3]
QUESTIONS = "\\boxed_questions{\n1. What is counting?\n}"
# A phrase of the built-in instructions, or of the last turn, by role.
ROLES = {
    "member": "who reviews a paper that was submitted",
    "ai-chair": "Make one review of theirs",
    "reflection": "Round 1 of 1",
    "reviewer": "without knowing the others",
    "author": "You are the author",
    "discussion": "opened the discussion",
    "chair": "Write the meta-review",
    "decision": "decide whether it is accepted",
    "cycle": "independent reviews",
    "fast": "Fast Mode",
    "standard": "Standard Mode",
    "questions": "Best Mode",
    "answers": "Now simulate 4",
}


def reply(body: dict[str, Any]) -> str:
    """A reply in the layout that is asked for; forms are filled in from the prompt alone."""
    system = body["messages"][0]["content"]
    if ROLES["cycle"] in system:
        return samples.cycle()
    if ROLES["fast"] in system:
        return samples.final()
    if ROLES["standard"] in system:
        return samples.standard()
    if ROLES["questions"] in system:
        return QUESTIONS if len(body["messages"]) == 2 else samples.standard()
    return object_for(body)


def asks(body: dict[str, Any], role: str) -> bool:
    """Whether ``role`` asks this, for the first time or again."""
    turns = [m["content"] for m in body["messages"] if m["role"] != "assistant"]
    if role == "questions":
        return ROLES[role] in turns[0] and not any(ROLES["answers"] in turn for turn in turns)
    if role in ("reflection", "answers"):
        return any(ROLES[role] in turn for turn in turns)
    if role == "member" and any(ROLES["reflection"] in turn for turn in turns):
        return False
    return ROLES[role] in turns[0]


def always(role: str, kind: str) -> Faults:
    return Faults(choose=lambda body, attempt: kind if asks(body, role) else "")


@contextmanager
def asking(server: LlmServer, **options: Any) -> Iterator[Context]:
    settings = llm_from_options({"default": {"base-url": server.url, "backoff": 0.01, **options}})
    with Store(None) as kept, ModelGateway(settings, kept) as gateway:
        services = Services(complete=gateway.asker("x"), gather=gateway.gather)
        yield Context(1, services, ("llm",))


MODEL = "openai/mock"
SCIENTIST = AiScientist(model=MODEL, ensemble=2, reflections=1)
VENUE = AgentReview(model=MODEL, reviewers=("neutral", "benign"))
CYCLE = CycleReviewer(model=MODEL)
AGENTS: list[Agent] = [
    SCIENTIST,
    AiScientist(model=MODEL, ensemble=2, reflections=1, reflect_on="members"),
    VENUE,
    CYCLE,
    DeepReviewer(model=MODEL, mode="fast"),
    DeepReviewer(model=MODEL),
    DeepReviewer(model=MODEL, mode="best"),
    DeepReviewer(model=MODEL, score="reviewers"),
]


def test_all_go_through_a_server() -> None:
    with LlmServer(reply=reply) as server, asking(server) as ctx:
        for agent in AGENTS:
            for each in tiny_papers():
                review = agent.review(each, ctx)
                assert isinstance(review, Review), review
                assert review.score is not None
                assert review.accept is not None
                assert review.text
                assert checked(review, agent.scale) is review


ASKED_BY: list[tuple[Agent, str, str]] = [
    (SCIENTIST, "member", ""),
    (SCIENTIST, "ai-chair", "area chair"),
    (SCIENTIST, "reflection", "reflection 1"),
    (VENUE, "reviewer", "phase I "),
    (VENUE, "author", "phase II "),
    (VENUE, "discussion", "phase III "),
    (VENUE, "chair", "phase IV "),
    (VENUE, "decision", "phase V "),
]
TEXTS: list[tuple[Agent, str]] = [
    (CYCLE, "cycle"),
    (DeepReviewer(model=MODEL, mode="fast"), "fast"),
    (DeepReviewer(model=MODEL), "standard"),
    (DeepReviewer(model=MODEL, mode="best"), "answers"),
]
SERVED = {
    "cut-reply": "truncated",
    "refusal": "refusal",
    "filtered": "refusal",
    "context": "context",
    "refusal-text": "refusal",
    "prose": "unparseable",
    "empty": "unparseable",
}
FORMS = {
    **SERVED,
    "open-object": "truncated",
    "schema-ignored": "schema",
    "two-objects": "unparseable",
}


@pytest.mark.parametrize(("fault", "kind"), FORMS.items())
@pytest.mark.parametrize(("agent", "role", "told"), ASKED_BY, ids=[each[1] for each in ASKED_BY])
def test_a_role_that_fails_gives_a_failure_of_its_kind(
    agent: Agent, role: str, told: str, fault: str, kind: str
) -> None:
    with LlmServer(reply=reply, faults=always(role, fault)) as server, asking(server) as ctx:
        outcome = agent.review(paper(), ctx)
    assert isinstance(outcome, Failure), outcome
    assert (outcome.kind, told in outcome.detail) == (kind, True), outcome.detail


@pytest.mark.parametrize(("fault", "kind"), SERVED.items())
@pytest.mark.parametrize(("agent", "role"), TEXTS, ids=[each[1] for each in TEXTS])
def test_a_text_that_fails_gives_a_failure_of_its_kind(
    agent: Agent, role: str, fault: str, kind: str
) -> None:
    with LlmServer(reply=reply, faults=always(role, fault)) as server, asking(server) as ctx:
        outcome = agent.review(paper(), ctx)
    assert isinstance(outcome, Failure), outcome
    assert outcome.kind == kind, outcome.detail


def test_questions_that_fail_end_best_mode() -> None:
    agent = DeepReviewer(model=MODEL, mode="best")
    faults = always("questions", "cut-reply")
    with LlmServer(reply=reply, faults=faults) as server, asking(server) as ctx:
        outcome = agent.review(paper(), ctx)
    assert isinstance(outcome, Failure)
    assert outcome.kind == "truncated"


def test_faults_that_pass_change_nothing() -> None:
    def choose(body: dict[str, Any], attempt: int) -> str:
        return ("error", "rate-short")[len(json.dumps(body)) % 2] if attempt == 0 else ""

    for agent in (SCIENTIST, VENUE, CYCLE):
        with LlmServer(reply=reply) as server, asking(server) as ctx:
            plain = agent.review(paper(), ctx)
        with LlmServer(reply=reply, faults=Faults(choose=choose)) as server, asking(server) as ctx:
            shaken = agent.review(paper(), ctx)
        assert isinstance(plain, Review)
        assert plain == shaken


def test_members_are_asked_side_by_side() -> None:
    agent = AgentReview(model=MODEL, reviewers=("neutral",) * 5)
    with LlmServer(reply=reply, latency=0.05) as server, asking(server) as ctx:
        assert isinstance(agent.review(paper(), ctx), Review)
        assert server.peak == 5
        assert server.requests == 17


def test_they_keep_the_contract_of_agents() -> None:
    with LlmServer(reply=reply) as server:
        settings = llm_from_options({"default": {"base-url": server.url}})
        with Store(None) as kept, ModelGateway(settings, kept) as gateway:
            services = Services(
                complete=gateway.asker("x"), gather=gateway.gather, search=lambda query, limit: ()
            )
            for agent in (*AGENTS, DeepReviewerSearch(model=MODEL)):
                check_component(agent, papers=tiny_papers()[:2], services=services)


def test_they_are_registered() -> None:
    found: list[str] = []
    revkit_baselines.register_agents(lambda place: found.append(str(place).partition(" ")[0]))
    names = ["ai-scientist", "agent-review", "cycle-reviewer", "deep-reviewer"]
    assert found == [*names, "deep-reviewer-search"]


SPEC = ROOT / "experiments" / "baselines.yaml"


def test_the_experiment_holds_all_baselines_and_one_model() -> None:
    experiment = revkit.validate(SPEC)
    agents = [step.component for step in experiment.agents.values()]
    assert len({model for agent in agents for model in agent.models()}) == 1
    assert {agent.name for agent in agents} == {
        "llm", "ai-scientist", "agent-review", "cycle-reviewer", "deep-reviewer",
    }  # fmt: skip
    assert SPEC.read_text(encoding="utf-8").count("&model openai/gpt-4.1") == 1


def test_the_experiment_runs_small_and_goes_on_from_its_store(tmp_path: Path) -> None:
    spec = SPEC.read_text(encoding="utf-8").replace("&model openai/gpt-4.1", "&model openai/mock")
    path = tmp_path / "spec.yaml"
    with LlmServer(reply=reply) as server:
        services = {"llm": {"models": {"openai/mock": {"base-url": server.url}}}}
        path.write_text(f"{spec}\nservices: {json.dumps(services)}\n", encoding="utf-8")
        folders = []
        for name in ("a", "b"):
            run = revkit.run(path, out=tmp_path / name, store=tmp_path / "store", limit=2)
            folders.append(run.folder)
            if name == "a":
                asked = server.requests
        assert server.requests == asked
    # Per paper 1, 11, 11, 1, 1, 1 and 2 calls, fewer where the model ends its reflection early.
    assert 2 * 24 <= asked <= 2 * 28
    lines = (folders[0] / "tables" / "outcomes.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    assert {row["agent"]: row["failed"] for row in rows} == dict.fromkeys(
        (
            "plain", "ai-scientist", "agent-review", "cycle-reviewer", "deep-reviewer-fast",
            "deep-reviewer-standard", "deep-reviewer-best",
        ), 0,
    )  # fmt: skip
    first, second = ((each / "report.txt").read_text(encoding="utf-8") for each in folders)
    assert first == second


def test_a_bundle_carries_the_users_templates(tmp_path: Path) -> None:
    template = tmp_path / "mine.md"
    template.write_text(f"=== system ===\n{ROLES['cycle']} please\n=== user ===\n{{{{paper}}}}\n")
    with LlmServer(reply=reply) as server:
        spec = {
            "revkit": 1,
            "corpus": {"use": "synthetic", "with": {"papers": 2}},
            "agents": {
                "cycle": {
                    "use": "cycle-reviewer",
                    "with": {"model": MODEL, "prompts": {"reviewer": str(template)}},
                }
            },
            "metrics": ["outcomes"],
            "services": {"llm": {"models": {MODEL: {"base-url": server.url}}}},
        }
        run = revkit.run(spec, out=tmp_path / "run", store=tmp_path / "store")
    revkit.export(run.folder, tmp_path / "run.revkit", store=tmp_path / "store")
    template.unlink()
    replay = revkit.replay(tmp_path / "run.revkit", out=tmp_path / "again")
    assert not replay.differences
