"""Reviews as conversations: they need no thread, and have the bytes of reviews by threads."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import CancelledError
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import pytest

import revkit
from revkit.cache import Store
from revkit.contracts import Agent, Component, Context, Conversation, Services, conversing
from revkit.execution.conversations import Conversations
from revkit.model.exchange import Message, ModelReply, ModelRequest
from revkit.model.paper import Paper
from revkit.model.review import Failure, Outcome, Review, Scale
from revkit.model_settings import llm_from_options
from revkit.options import option
from revkit.prompting import answer_requests
from revkit.services.llm import ModelGateway
from revkit.testing import check_component
from tests.execution.sheets import Sheets, Stamp
from tests.llm_server.server import LlmServer

PAPERS = 6


@dataclass(frozen=True)
class TwoTurns(Agent):
    """Asks two questions, the second one in view of the first reply."""

    name: ClassVar[str] = "two-turns"
    version: ClassVar[str] = "1"
    uses = ("llm",)
    scale: ClassVar[Scale] = Scale("ten", 1, 10, accept_at=6)
    fault: str = option("", help="What goes wrong.")

    def models(self) -> tuple[str, ...]:
        """The model."""
        return ("openai/mock",)

    def review(self, paper: Paper, ctx: Context) -> Outcome:
        """Ask in the thread of the review."""
        return answer_requests(self.turns(paper, ctx), ctx.complete)

    def turns(self, paper: Paper, ctx: Context) -> Conversation:
        """Ask twice."""
        if self.fault == "blocks":
            ctx.complete(_question("in between"))
        if self.fault == "gathers":
            ctx.gather([partial(ctx.complete, _question(f"{each} in between")) for each in "ab"])
        notes = yield _question(f"Notes: {paper.text}")
        if self.fault == "crashes":
            raise SystemExit("no notes")
        if isinstance(notes, Failure):
            return notes
        found = yield _question(f"More than {notes.text}: {paper.text}")
        assert isinstance(found, ModelReply)
        score = 1 + len(found.text) % 10
        return Review(score >= 6, score, found.text)


@dataclass(frozen=True)
class Conversing(TwoTurns):
    """Asks two questions, the second one in view of the first reply."""

    @property
    def converses(self) -> bool:
        """It waits for nothing but its requests."""
        return True

    def conversation(self, paper: Paper, ctx: Context) -> Conversation:
        """Ask twice."""
        return self.turns(paper, ctx)


@dataclass(frozen=True)
class Overridden(Conversing):
    """Asks two questions, the second one in view of the first reply."""

    def review(self, paper: Paper, ctx: Context) -> Outcome:
        """Another review than that of the inherited conversation."""
        return Review(True, 10, "overridden")


@dataclass(frozen=True)
class OverriddenTwice(Overridden):
    """Asks two questions, the second one in view of the first reply."""

    def conversation(self, paper: Paper, ctx: Context) -> Conversation:
        """The same as a conversation."""
        yield _question(paper.text)
        return self.review(paper, ctx)


@dataclass(frozen=True)
class Differing(Conversing):
    """Says something else as a conversation."""

    def conversation(self, paper: Paper, ctx: Context) -> Conversation:
        """Add to what the review says."""
        outcome = yield from self.turns(paper, ctx)
        assert isinstance(outcome, Review)
        return Review(outcome.accept, outcome.score, outcome.text + "!")


def _question(text: str) -> ModelRequest:
    return ModelRequest("openai/mock", (Message("user", text),))


def _run(
    folder: Path, server: LlmServer, agent: type[Component], out: str, **options: Any
) -> revkit.Run:
    spec: dict[str, Any] = {
        "revkit": 1,
        "name": "conversations",
        "corpus": {"use": "sheets", "with": {"papers": PAPERS}},
        "perturbations": {"stamp": "stamp"},
        "agents": {"asker": {"use": "two-turns", "with": options}},
        "metrics": ["flip-rate", "outcomes"],
        "reports": ["markdown"],
        "services": {"llm": {"default": {"base-url": server.url, "max-connections": 3}}},
    }
    return revkit.run(
        spec, out=folder / out, store=folder / f"{out}.db", plugins=[Sheets, Stamp, agent]
    )


def _files(folder: Path) -> dict[str, bytes]:
    names = ("provenance.json", ".revkit-run")
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name not in names
    }


def test_a_conversation_has_the_bytes_of_a_review_by_a_thread(tmp_path: Path) -> None:
    with LlmServer(keep=0) as server:
        _run(tmp_path, server, TwoTurns, "threads")
        asked = server.requests
        run = _run(tmp_path, server, Conversing, "conversations")
        assert run.exit_code == 0
        assert server.requests == 2 * asked
        assert _files(tmp_path / "threads") == _files(tmp_path / "conversations")


def test_a_review_that_a_subclass_overrides_is_the_one_that_counts(tmp_path: Path) -> None:
    with LlmServer(keep=0) as server:
        run = _run(tmp_path, server, Overridden, "overridden")
        assert server.requests == 0
        assert {row["text"] for row in run.rows("outcomes")} == {"overridden"}
        _run(tmp_path, server, OverriddenTwice, "both")
        assert server.requests == 2 * PAPERS


def test_the_check_of_components_compares_conversation_and_review() -> None:
    class Reply:
        def complete(self, request: ModelRequest) -> ModelReply:
            """The length of the question."""
            return ModelReply(str(len(request.messages[0].content)))

    services = Services(complete=Reply().complete)
    check_component(Conversing(), services=services)
    check_component(Overridden(), services=services)
    with pytest.raises(AssertionError, match="has another outcome than its review"):
        check_component(Differing(), services=services)
    for fault, said in (("blocks", "complete"), ("gathers", "gather")):
        with pytest.raises(AssertionError, match=f"must not call Context.{said}"):
            check_component(Conversing(fault=fault), services=services)


def test_a_conversation_cannot_call_what_waits() -> None:
    def silent(*_: object) -> Any:
        return None

    services = Services(silent, silent, silent, silent, silent)
    ctx = conversing(Context(services=services))
    calls: dict[str, Callable[[], Any]] = {
        "complete": lambda: ctx.complete(_question("")),
        "gather": lambda: ctx.gather([]),
        "search": lambda: ctx.search("trees"),
        "embed": lambda: ctx.embed(["trees"]),
    }
    for name, call in calls.items():
        with pytest.raises(RuntimeError, match=f"must not call Context.{name}, "):
            call()
    ctx.peers()
    with pytest.raises(RuntimeError, match="no searcher"):
        conversing(Context()).search("trees")


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("crashes", "no notes"),
        ("blocks", "must not call Context.complete"),
        ("gathers", "must not call Context.gather"),
    ],
)
def test_an_error_in_a_conversation_is_a_failure(tmp_path: Path, fault: str, said: str) -> None:
    with LlmServer(keep=0) as server:
        run = _run(tmp_path, server, Conversing, "out", fault=fault)
    outcomes = list(run.rows("outcomes"))
    assert len(outcomes) == 2 * PAPERS
    assert {row["failure"] for row in outcomes} == {"crashed"}
    assert all(said in row["detail"] for row in outcomes)


class _Gate:
    """Coroutines that wait until they may end, and how many of them wait."""

    def __init__(self) -> None:
        self.open = threading.Event()
        self.waiting = self.most = 0

    async def pass_through(self) -> int:
        """Wait for the gate."""
        import asyncio

        self.waiting += 1
        self.most = max(self.most, self.waiting)
        while not self.open.is_set():
            await asyncio.sleep(0.005)
        self.waiting -= 1
        return 7


def test_no_more_than_the_most_run_at_once_and_a_stop_ends_those_that_wait() -> None:
    stop, gate = threading.Event(), _Gate()
    with Store(None) as store, ModelGateway(llm_from_options({}), store) as gateway:
        conversations = Conversations[int](gateway, 2, stop)
        futures = [conversations.submit(gate.pass_through) for _ in range(5)]
        while gate.waiting < 2:
            stop.wait(0.005)
        stop.set()
        gate.open.set()
        conversations.wait()
    assert gate.most == 2
    assert [each.result() for each in futures[:2]] == [7, 7]
    for each in futures[2:]:
        with pytest.raises(CancelledError):
            each.result()
