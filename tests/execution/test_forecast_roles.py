"""What reviewers in roles would ask at most: by hand, and against what a real run asked."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pytest

import revkit
from revkit import AgentRole
from revkit.execution.bounds import Share, shares_of
from revkit.services.llm.estimate import Asked, Estimator, longest_reply
from revkit.services.llm.prices import ModelFacts, estimate_tokens
from revkit.testing import toys
from tests.execution.test_role_usage import PLUGINS, Shelf, Two, spec
from tests.llm_server.server import LlmServer
from tests.plugins.revkit_reviewground.scripted import ANSWERS, role_in

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"text": {"type": "string", "maxLength": 700}},
    "required": ["text"],
    "additionalProperties": False,
}


@dataclass(frozen=True)
class Staged(revkit.Agent):
    """A writer asks once; two readers of that at most, where it says something; then a closer."""

    name: ClassVar[str] = "staged"
    uses: ClassVar[tuple[Any, ...]] = ("llm",)
    scale = revkit.Scale("1-10", 1, 10)

    def models(self) -> tuple[str, ...]:
        return ("openai/none",)

    def review_roles(self) -> Sequence[AgentRole]:
        model = "openai/none"
        return (
            AgentRole("closer", model, (), ("writer", "reader"), input_tokens=500),
            AgentRole("writer", model),
            AgentRole("reader", model, (), ("writer",), 2),
        )

    def review(self, paper: revkit.Paper, ctx: revkit.Context) -> revkit.Outcome:
        def ask(role: str, size: int) -> Any:
            turns = (revkit.Message("user", "x" * size),)
            parameters: Any = {"max_tokens": 1000}
            return ctx.complete(
                revkit.ModelRequest("openai/none", turns, SCHEMA, parameters, 0, role)
            )

        said = ask("writer", 350)
        if said.data["text"]:
            ask("reader", 350)
        ask("closer", 700)
        return revkit.Review(score=5)


def test_by_hand(no_plugins: None) -> None:
    """Estimated tokens: 3.5 characters each, 8 a message, rounded up. Prompts of 350 and 700
    characters are 109 and 209. A reply that meets the schema has at most 4 + (4 + 24 + 702)
    characters: 218 tokens."""
    prices = {"usd-per-million-input": 1.0, "usd-per-million-output": 1.0}
    model = {"base-url": "http://127.0.0.1:9/v1", "context-window": 8000, **prices}
    given: dict[str, Any] = {
        "revkit": 1,
        "corpus": {"use": "toy-papers", "with": {"papers": 30}},
        "agents": {"a": "staged"},
        "services": {"llm": {"models": {"openai/none": model}}},
    }
    told = revkit.forecast(given, plugins=[toys, Staged])
    assert told is not None
    assert longest_reply(SCHEMA, 1000) == 218
    rows = {row.role: (row.calls, row.prompt_tokens, row.most_reply_tokens) for row in told.roles}
    assert rows == {
        # As it is asked, and the longest replies of the writer and of both readers, up to its
        # longest prompt: 209 + 3 x 218 is more than 500.
        "closer": (30, 30 * 500, 30_000),
        "writer": (30, 30 * 109, 30_000),
        # Never asked by an empty form: twice, each as the writer and with its reply.
        "reader": (60, 60 * (109 + 218), 60_000),
    }
    assert (told.calls, told.prompt_tokens) == (120, 30 * (500 + 109 + 2 * 327))
    assert told.most_usd == pytest.approx((30 * (500 + 109 + 654) + 120_000) / 1e6)
    text = told.text()
    assert "model calls   at most 120\nprompt tokens at most 37,890\n" in text
    assert "by role, at most  model        calls  prompt tokens  reply tokens   USD\n" in text
    assert "a: reader         openai/none     60         19,620        60,000  0.08\n" in text


def asked(prompt: int, read: int = 10) -> Asked:
    single, half = (ModelFacts(input_price=price, output_price=0.0) for price in (1.0, 0.5))
    return Asked(prompt, 100, read, single, in_batches=half)


def seen(stored: dict[str, int], **calls: list[Asked]) -> Estimator:
    estimator = Estimator(lambda request: None, lambda request: (ModelFacts(), ModelFacts(), 0))
    estimator.asked, estimator.stored = calls, Counter(stored)
    return estimator


ROLES = (AgentRole("one", calls=2), AgentRole("two", reads=("one",)))


def test_a_review_that_the_store_answers_asks_nothing() -> None:
    assert shares_of(seen({"one": 1, "two": 1}), ROLES) == {}


def test_what_is_stored_of_a_review_is_taken_off_what_it_may_ask() -> None:
    found = shares_of(seen({"one": 1}, two=[asked(50)]), ROLES)
    # One more of the first role may come; nothing of it was asked, so nothing tells how long it is
    # but what the store answered, which is in the prompts already.
    assert found == {"two": Share(1, 50, 100, 50.0, 25.0)}
    more = shares_of(seen({"one": 1}, one=[asked(20)], two=[asked(50)]), ROLES)
    assert more["one"] == Share(1, 20, 100, 20.0, 10.0)
    assert more["two"] == Share(1, 50 + 2 * 10, 100, 70.0, 35.0)


def test_roles_that_depend_on_the_paper_are_counted_as_asked() -> None:
    roles = (AgentRole("part", calls=None), AgentRole("whole", reads=("part",)))
    found = shares_of(seen({}, part=[asked(5), asked(6)], whole=[asked(7)]), roles)
    assert found == {"part": Share(2, 11, 200, 11.0, 5.5), "whole": Share(1, 27, 100, 27.0, 13.5)}
    assert shares_of(seen({}, whole=[asked(7)]), roles) == {"whole": Share(1, 7, 100, 7.0, 3.5)}


def test_calls_of_no_role_are_counted_too() -> None:
    found = shares_of(seen({}, one=[asked(5)], other=[asked(3)]), ROLES)
    assert found["other"] == Share(1, 3, 100, 3.0, 1.5)
    assert found["one"].calls == 2
    # The second was not asked at all, and is taken to be as long as what it reads.
    assert found["two"] == Share(1, 5 + 2 * 10, 100, 25.0, 12.5)


@pytest.mark.parametrize(
    ("schema", "tokens"),
    [
        (None, 1000),
        ({"type": "string"}, 1000),
        ({"type": "object", "properties": {}}, 1000),
        ({"type": "array", "items": {"type": "integer"}}, 1000),
        ({"enum": ["a", "abc"]}, estimate_tokens(["x" * 5])),
        ({"type": "array", "maxItems": 2, "items": {"type": "boolean"}}, 37),  # 100 characters
    ],
)
def test_the_longest_reply_of_a_schema(schema: Any, tokens: int) -> None:
    assert longest_reply(schema, 1000) == tokens


@pytest.mark.parametrize("works", [1, 2, 10])
def test_review_grounder_asks_no_more_than_foretold(
    works: int, tmp_path: Path, no_plugins: None
) -> None:
    """With as many works as there may be and a correction it asks exactly that."""

    @dataclass(frozen=True)
    class Full(Shelf):
        """Finds as many works as may be."""

        name: ClassVar[str] = "full"

        def search(self, query: str, limit: int, ctx: Any) -> Any:
            names = (f"Gate {number}" for number in range(limit))
            return [revkit.Work(n, year=2024, abstract=f"Of {n}.", score=1.0) for n in names]

    wrong = {**ANSWERS["aggregator"], "weaknesses": ['It says "we never tested any of it at all".']}
    reply: Callable[[Any], str] = lambda body: json.dumps(  # noqa: E731
        wrong if role_in(body) == "aggregator" else ANSWERS[role_in(body)]
    )
    import revkit_reviewground.agent

    plugins = [*PLUGINS, Full, revkit_reviewground.agent.ReviewGrounder]
    with LlmServer(reply=reply) as server:
        given = spec(server, perturbations={}, metrics=[], reports=[])
        given["services"]["searcher"] = "full"
        given["agents"]["grounder"]["with"]["works"] = works
        told = revkit.forecast(given, plugins=plugins)
        assert told is not None
        assert server.requests == 0
        revkit.run(given, out=tmp_path / "run", store=tmp_path / "store", plugins=plugins)
        counted = Counter(role_in(body) for body in server.bodies)
        longest: dict[str, int] = {}
        for body in server.bodies:
            size = estimate_tokens(each["content"] for each in body["messages"])
            longest[role_in(body)] = longest.get(role_in(body), 0) + size
        again = revkit.forecast(given, store=tmp_path / "store", plugins=plugins)
    assert {row.role: row.calls for row in told.roles} == counted
    assert told.calls == server.requests == 2 * (6 + works)
    for row in told.roles:
        assert longest[row.role] <= row.prompt_tokens, row
        if not row.role.startswith(("aggregator", "correction")):
            assert row.prompt_tokens < 30 * longest[row.role], row
    assert again is not None
    assert (again.calls, again.roles) == (0, ())


def test_a_run_that_finds_little_and_errs_not_asks_less(tmp_path: Path, no_plugins: None) -> None:
    import revkit_reviewground.agent

    plugins = [Two, Shelf, revkit_reviewground.agent.ReviewGrounder]
    with LlmServer(reply=lambda body: json.dumps(ANSWERS[role_in(body)])) as server:
        given = spec(server, perturbations={}, metrics=[], reports=[])
        told = revkit.forecast(given, plugins=plugins)
        revkit.run(given, out=tmp_path / "run", store=tmp_path / "store", plugins=plugins)
    assert told is not None
    # Two works of ten, and no correction: 7 calls a review of 16.
    assert (server.requests, told.calls) == (14, 32)
