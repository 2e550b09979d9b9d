"""The roles that `llm` lists are those that ask, and read what they are said to."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from typing import Any

import pytest

from revkit.contracts import Context, Services
from revkit.model.exchange import ModelReply, ModelRequest
from revkit.model.paper import Paper
from revkit.model.review import Failure, Review
from revkit.planning.roles import roles_of
from revkit_llm.agent import Llm

TEXT = "# A Title\n\n## 1 Method\n\n" + "The gate keeps 3 words. " * 40 + "\n\n## 2 Results\n\n"
PAPER = Paper("p", TEXT + "It reached 93.1% on all of it. " * 40, "A Title")


class Model:
    """Marks what each role says, and has room for half of the paper."""

    def __init__(self) -> None:
        self.read: dict[str, set[str]] = defaultdict(set)
        self.calls: Counter[str] = Counter()

    def complete(self, request: ModelRequest) -> ModelReply | Failure:
        text = "\n".join(message.content for message in request.messages)
        if text.count("The gate keeps 3 words. ") and text.count("It reached 93.1%"):
            return Failure("context", "too long")
        self.calls[request.role] += 1
        self.read[request.role] |= {
            name for name in ("digest", "reviewer", "reflection") if f"XMARKX{name}" in text
        }
        mark = f"XMARKX{request.role}"
        data: Any = {"reasons": mark, "accept": True, "score": 7}
        if request.role == "digest":
            data = {"summary": mark, "claims": []}
        return ModelReply(json.dumps(data), data)


@pytest.mark.parametrize(
    ("options", "roles"),
    [
        ({"overflow": "map-reduce"}, {"digest": 2, "reviewer": 1}),
        (
            {"overflow": "map-reduce", "ensemble": 2, "reflections": 2},
            {"digest": 2, "reviewer": 2, "reflection": 4},
        ),
    ],
)
def test_roles_read_what_they_are_said_to(options: Any, roles: dict[str, int]) -> None:
    agent = Llm(model="m", form="accept-score", **options)
    model = Model()
    review = agent.review(PAPER, Context(1, Services(complete=model.complete)))
    assert isinstance(review, Review), review
    listed = {role.name: role for role in roles_of(agent)}
    assert model.calls == roles
    assert set(listed) == set(roles)
    for name, role in listed.items():
        assert model.read[name] - {name} == set(role.reads)
        assert role.calls in (None, roles[name])


def test_what_asks_for_one_thing_lists_no_roles() -> None:
    assert roles_of(Llm(model="m")) == ()
    assert roles_of(Llm(model="m", ensemble=3, overflow="truncate")) == ()
    (reviewer, reflection) = roles_of(Llm(model="m", reflections=2))
    assert (reviewer.reads, reflection.reads) == ((), ("reviewer",))
