"""A grounding role that fails in any way loses none of the others' work, at both transports."""

from __future__ import annotations

import gc
import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from revkit.cache import Store
from revkit.contracts import Context, Services
from revkit.model.paper import Paper
from revkit.model.review import Failure, Review
from revkit.model_settings import llm_from_options
from revkit.services.llm import ModelGateway
from revkit_reviewground.agent import ReviewGrounder
from tests.llm_server.first_call import load_litellm
from tests.llm_server.server import Faults, LlmServer
from tests.plugins.revkit_reviewground.scripted import (
    ANSWERS,
    EMPTY_INSIGHTS,
    PAPER,
    RESULTS,
    TEXT,
    WORKS,
    role_in,
)

# What litellm leaves open after a timeout is closed by the garbage collector, which reports it in
# whatever test it happens to run: here it is made to run, and not heard.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


@pytest.fixture(autouse=True, scope="module")
def _imported() -> None:
    load_litellm()


@pytest.fixture(autouse=True)
def _nothing_left_open() -> Iterator[None]:
    yield
    gc.collect()


TRANSPORTS = ("openai-compatible", "litellm")
GROUNDING = ("searcher", "summarizer", "miner", "analyzer")
EMPTY = {
    "searcher": {"keywords": ["  ", "--", "..", "??"]},
    "summarizer": dict.fromkeys(ANSWERS["summarizer"], ""),
    "miner": EMPTY_INSIGHTS,
    "analyzer": {
        "facts": {key: [] for key in RESULTS["facts"]},
        "review_issues": EMPTY_INSIGHTS["review_issues"],
        "rewrite_suggestions": [],
    },
}
AGENT = ReviewGrounder(model="openai/mock", partial="keep")


@contextmanager
def served(server: LlmServer, transport: str, store: Store, **more: Any) -> Iterator[Context]:
    settings = {
        "base-url": server.url,
        "transport": transport,
        "backoff": 0.01,
        "retries": 1,
        "timeout": 1.0,
        **more,
    }
    with ModelGateway(llm_from_options({"default": settings}), store) as gateway:
        services = Services(
            complete=gateway.asker("grounder"), gather=gateway.gather, search=lambda q, n: WORKS
        )
        yield Context(1, services, AGENT.uses)


def named(body: dict[str, Any]) -> str:
    """The role of a request; a second question of the gateway is of the role of the first."""
    return role_in({**body, "messages": body["messages"][:2]})


def others_stand(review: Any, role: str) -> dict[str, Any]:
    assert isinstance(review, Review), review
    evidence: Any = review.details["evidence"]
    place = "searcher" if role == "summarizer" else role
    states = {name: evidence["roles"][name]["status"] for name in ("searcher", "miner", "analyzer")}
    assert states.pop(place) in ("failed", "empty"), states
    assert set(states.values()) == {"done"}
    assert [line.split(" (")[0] for line in evidence["not-grounded-in"]] == [
        {
            "searcher": "related work",
            "miner": "contributions and method",
            "analyzer": "experiments and results",
        }[place]
    ]
    found: dict[str, Any] = evidence
    return found


@pytest.mark.parametrize("transport", TRANSPORTS)
@pytest.mark.parametrize("role", GROUNDING)
@pytest.mark.parametrize("fault", ["hang", "refusal", "refusal-text", "prose", "cut-reply", "rate"])
def test_one_role_that_fails(transport: str, role: str, fault: str) -> None:
    faults = Faults(choose=lambda body, attempt: fault if named(body) == role else "")
    reply = {name: json.dumps(answer) for name, answer in ANSWERS.items()}
    with (
        LlmServer(reply=lambda body: reply[named(body)], faults=faults) as server,
        Store(None) as store,
        served(server, transport, store, timeout=1.0) as ctx,
    ):
        evidence = others_stand(AGENT.review(PAPER, ctx), role)
    kinds = {
        "hang": "timeout",
        "refusal": "refusal",
        "refusal-text": "refusal",
        "prose": "unparseable",
        "cut-reply": "truncated",
        "rate": "provider",
    }
    place = "searcher" if role == "summarizer" else role
    assert evidence["roles"][place]["failure"]["kind"] == kinds[fault]


@pytest.mark.parametrize("transport", TRANSPORTS)
@pytest.mark.parametrize("role", GROUNDING)
def test_one_role_that_says_nothing(transport: str, role: str) -> None:
    reply = {**ANSWERS, role: EMPTY[role]}
    with (
        LlmServer(reply=lambda body: json.dumps(reply[role_in(body)])) as server,
        Store(None) as store,
        served(server, transport, store) as ctx,
    ):
        review = AGENT.review(PAPER, ctx)
    if role == "summarizer":  # the works count by their titles
        assert isinstance(review, Review)
        evidence: Any = review.details["evidence"]
        assert evidence["not-grounded-in"] == []
        return
    others_stand(review, role)


@pytest.mark.parametrize("transport", TRANSPORTS)
@pytest.mark.parametrize("role", GROUNDING)
def test_a_limit_with_a_time_to_wait_is_waited_for(transport: str, role: str) -> None:
    """429 with Retry-After: the role is asked again, and nothing is missing."""

    def choose(body: dict[str, Any], attempt: int) -> str:
        return "rate-short" if named(body) == role and attempt == 0 else ""

    with (
        LlmServer(
            reply=lambda body: json.dumps(ANSWERS[role_in(body)]), faults=Faults(choose=choose)
        ) as server,
        Store(None) as store,
        served(server, transport, store, retries=3) as ctx,
    ):
        review = AGENT.review(PAPER, ctx)
    assert server.met["rate-short"] >= 1
    assert isinstance(review, Review), review
    evidence: Any = review.details["evidence"]
    assert evidence["not-grounded-in"] == []


@pytest.mark.parametrize("transport", TRANSPORTS)
@pytest.mark.parametrize("role", GROUNDING)
def test_what_the_others_said_is_not_paid_for_again(transport: str, role: str) -> None:
    """A quota that is used up for a day fails the review; the next run asks what is missing."""
    agent = ReviewGrounder(model="openai/mock")
    faults = Faults(choose=lambda body, attempt: "rate-day" if named(body) == role else "")
    store = Store(None)
    with LlmServer(reply=lambda body: json.dumps(ANSWERS[role_in(body)])) as server:
        server.faults = faults
        with served(server, transport, store) as ctx:
            failed = agent.review(PAPER, ctx)
        assert isinstance(failed, Failure), failed
        assert failed.kind in ("partial", "provider")
        server.faults = Faults()
        kept = server.answered
        with served(server, transport, store) as ctx:
            review = agent.review(PAPER, ctx)
        assert isinstance(review, Review), review
        # drafter, searcher, two debriefs, miner, analyzer and aggregator, each answered once
        assert server.answered == 7
        assert kept >= 1


def test_all_roles_that_hold_the_paper_begin_alike() -> None:
    """Byte for byte, instructions and paper; and those that hold its head alone do, too."""
    wrong = {**ANSWERS["aggregator"], "weaknesses": ['It says "we never tested any of it at all".']}
    reply = {**ANSWERS, "aggregator": wrong}
    with (
        LlmServer(reply=lambda body: json.dumps(reply[role_in(body)])) as server,
        Store(None) as store,
        served(server, "openai-compatible", store) as ctx,
    ):
        AGENT.review(PAPER, ctx)
        sent = {role_in(body): body["messages"] for body in server.bodies}
    assert set(sent) == {*GROUNDING, "drafter", "aggregator", "correction"}
    beginnings = set()
    for role in ("drafter", "miner", "analyzer", "aggregator", "correction"):
        user = sent[role][1]["content"]
        end = user.index(TEXT) + len(TEXT)
        beginnings.add((sent[role][0]["content"], user[:end]))
    assert len(beginnings) == 1
    heads = {sent[role][1]["content"].split("## 2 Related Work")[0] for role in GROUNDING[:2]}
    assert len(heads) == 1
    assert "We study gates" in heads.pop()


def test_only_who_may_share_a_cache_is_marked() -> None:
    """Drafter, aggregator and correction have one schema; a mark that serves one call costs."""
    from tests.plugins.revkit_reviewground.test_grounder_roles import Marked

    def marks(agent: ReviewGrounder, paper: Paper = PAPER) -> dict[str, bool]:
        model = Marked(scores=False)
        agent.review(paper, model.context())
        return {
            request.role: any(message.stable for message in request.messages)
            for _, request in model.asked
        }

    marked_roles = marks(ReviewGrounder(model="m"))
    assert [role for role, marked in marked_roles.items() if marked] == [
        "drafter",
        "aggregator",
        "correction",
    ]
    other = ReviewGrounder(model="m", roles={"drafter": "other"})
    assert not any(marks(other).values())
    # A paper that is cut for one role is the beginning of no other prompt.
    long = Paper("p", TEXT + "\n\n## Appendix\n\n" + "More gates. " * 1000, PAPER.title)
    cut = ReviewGrounder(model="m", roles={"drafter": {"input-tokens": 2500}})
    assert not marks(cut, long)["drafter"]


def test_a_mark_stands_behind_the_paper() -> None:
    from tests.plugins.revkit_reviewground.scripted import Model

    model = Model()
    ReviewGrounder(model="m").review(PAPER, model.context())
    (user,) = [request.messages[1] for role, request in model.asked if role == "drafter"]
    beginning = user.content[: user.stable]
    assert beginning.rstrip().endswith("ends -----")
    assert TEXT in beginning
    assert user.content[user.stable :].startswith("Your part")
