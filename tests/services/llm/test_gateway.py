"""The gateway: what is stored, joined, spent, waited for and told."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from revkit.cache import Store
from revkit.errors import StoreError
from revkit.model.exchange import Message, ModelReply, ModelRequest
from revkit.model.review import Failure
from revkit.model.values import Json
from revkit.model_settings import Budget, llm_from_options
from revkit.services.llm import ModelGateway
from tests.llm_server.server import Faults, LlmServer

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"score": {"type": "integer", "minimum": 1, "maximum": 10}},
    "required": ["score"],
    "additionalProperties": False,
}
Make = Callable[..., ModelGateway]


def request(text: str = "paper", **options: Any) -> ModelRequest:
    return ModelRequest("openai/mock", (Message("user", text),), SCHEMA, **options)


@pytest.fixture
def make() -> Iterator[Make]:
    """Make gateways to a server, all closed at the end."""
    made: list[ModelGateway] = []

    def gateway(
        server: LlmServer,
        store: Store | None = None,
        budget: Budget | None = None,
        stop: threading.Event | None = None,
        **options: Any,
    ) -> ModelGateway:
        options = {"base-url": server.url, "backoff": 0.01, **options}
        settings = llm_from_options({"default": options})
        made.append(ModelGateway(settings, store or Store(None), budget, stop=stop))
        return made[-1]

    yield gateway
    for each in made:
        each.close()


def test_an_answer_is_asked_for_once(make: Make, tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite3"
    with LlmServer() as server:
        with Store(path) as store:
            first = make(server, store).complete(request(), "a")
        with Store(path) as store:
            gateway = make(server, store)
            again = gateway.complete(request(), "a")
            account = gateway.ledger.usage_of("a", "openai/mock")
        assert first == again
        assert server.requests == 1
        assert (account.stored, account.requests, account.spent.prompt_tokens) == (1, 0, 0)
        assert account.reused.completion_tokens > 0


def test_repeats_are_calls_and_their_numbers_are_kept(make: Make) -> None:
    """inspect_ai 2580, promptfoo 360: five repeats are five calls, a sixth makes one more."""
    with LlmServer() as server:
        gateway = make(server)
        for count, requests in ((5, 5), (5, 5), (6, 6)):
            for number in range(count):
                gateway.complete(request(replicate=number, parameters={"temperature": 0.7}))
            assert server.requests == requests


@pytest.mark.parametrize(
    "other",
    [
        {"parameters": {"temperature": 1}},
        {"parameters": {"max_tokens": 5}},
        {"replicate": 1},
        {"schema": None},
        {"model": "openai/other"},
        {"messages": (Message("system", "paper"),)},
        {"messages": (Message("user", "paper "),)},
        {"messages": (Message("user", "paper"), Message("user", ""))},
    ],
)
def test_whatever_decides_the_answer_is_in_the_key(make: Make, other: dict[str, Any]) -> None:
    """openclaw/lobster PR 130: temperature, too."""
    with LlmServer() as server:
        gateway = make(server)
        assert gateway.key(request()) != gateway.key(replace(request(), **other))


def test_what_does_not_decide_it_is_not(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    with LlmServer() as server:
        plain = make(server)
        key = plain.key(request())
        assert plain.key(request(parameters={"temperature": 0.0})) == key
        a = request(parameters={"top_p": 1, "seed": 2})
        b = request(parameters={"seed": 2, "top_p": 1.0})
        assert plain.key(a) == plain.key(b)
        monkeypatch.setenv("A_KEY", "secret-value")
        other = make(
            server,
            **{"api-key-env": "A_KEY", "retries": 9, "timeout": 5, "transport": "litellm"},
        )
        assert other.key(request()) == key
        elsewhere = llm_from_options({"default": {"base-url": "http://elsewhere/v1"}})
        with Store(None) as kept, ModelGateway(elsewhere, kept) as gateway:
            assert gateway.key(request()) != key  # promptfoo 1492


def test_two_commands_on_one_store_pay_once(make: Make, tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite3"
    with LlmServer(latency=0.3) as server, Store(path) as one, Store(path) as two:
        gateways = [make(server, one), make(server, two)]
        with ThreadPoolExecutor(2) as threads:
            replies = list(threads.map(lambda each: each.complete(request(), "a"), gateways))
        assert replies[0] == replies[1]
        assert server.requests == 1
        usage = [each.ledger.usage_of("a", "openai/mock") for each in gateways]
        assert sorted(each.stored for each in usage) == [0, 1]


def test_a_failure_of_another_command_is_asked_again(make: Make, tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite3"
    faults = Faults(choose=lambda body, before: "" if before else "refusal")
    with LlmServer(latency=0.3, faults=faults) as server, Store(path) as one, Store(path) as two:
        gateways = [make(server, each, retries=0) for each in (one, two)]
        with ThreadPoolExecutor(2) as threads:
            replies = list(threads.map(lambda each: each.complete(request(), "a"), gateways))
        assert sorted(isinstance(each, Failure) for each in replies) == [False, True]


def test_a_stopped_command_does_not_wait_for_another(make: Make, tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite3"
    stop = threading.Event()
    with LlmServer() as server, Store(path) as one, Store(path) as two:
        gateway = make(server, two, stop=stop)
        with one.claims.held(gateway.key(request())):
            threading.Timer(0.2, stop.set).start()
            reply = gateway.complete(request(), "a")
        assert isinstance(reply, Failure)
        assert "another command" in reply.detail
        assert server.requests == 0


def test_the_same_question_at_once_is_one_call(make: Make) -> None:
    with LlmServer(latency=0.2) as server:
        gateway = make(server)
        with ThreadPoolExecutor(8) as pool:
            replies = list(pool.map(lambda _: gateway.complete(request(), "a"), range(8)))
        assert server.requests == 1
        assert all(reply == replies[0] for reply in replies)
        account = gateway.ledger.usage_of("a", "openai/mock")
        assert (account.asked, account.answered, account.joined + account.stored) == (8, 1, 7)


def test_a_failure_is_not_stored(make: Make) -> None:
    with LlmServer(faults=Faults(choose=lambda body, n: "refusal" if n == 0 else "")) as server:
        gateway = make(server)
        assert isinstance(gateway.complete(request()), Failure)
        assert isinstance(gateway.complete(request()), ModelReply)


def test_an_answer_is_stored_when_it_arrives(make: Make) -> None:
    """What was paid for is kept even where nobody waits for it any more."""
    with LlmServer(latency=0.2) as server:
        store = Store(None)
        gateway = make(server, store)
        threads = [
            threading.Thread(target=gateway.complete, args=(request(str(n)),)) for n in range(3)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert all(store.get(gateway.key(request(str(number)))) for number in range(3))


def test_a_store_that_fails_ends_the_run(make: Make) -> None:
    with LlmServer() as server:
        store = Store(None)
        gateway = make(server, store)
        gateway.complete(request())
        store.close()
        with pytest.raises(StoreError):
            gateway.complete(request("other"))


def test_calls_stop_before_the_budget_is_exceeded(make: Make) -> None:
    with LlmServer(latency=0.01) as server:
        store = Store(None)
        gateway = make(server, store, Budget(calls=5), **{"max-connections": 20})
        with ThreadPoolExecutor(20) as pool:
            found = list(pool.map(lambda n: gateway.complete(request(str(n))), range(20)))
        assert server.requests == 5
        refused = [each for each in found if isinstance(each, Failure)]
        assert {(each.kind, each.detail) for each in refused} == {
            ("budget", "the budget of 5 calls is spent")
        }
        assert len(refused) == 15
        # What is stored costs nothing, and a new budget goes on from there.
        more = make(server, store, Budget(calls=15))
        assert all(isinstance(more.complete(request(str(n))), ModelReply) for n in range(20))
        assert server.requests == 20


def test_repetitions_count_as_calls(make: Make) -> None:
    with LlmServer(faults=Faults(choose=lambda body, n: "error")) as server:
        failure = make(server, None, Budget(calls=2), retries=10).complete(request())
        assert isinstance(failure, Failure)
        assert (failure.kind, server.requests) == ("budget", 2)


def test_a_budget_in_dollars_is_never_exceeded(make: Make) -> None:
    """NeuriCo 47: a cap below the price of the run. Prompt 1 token and reply about 3, at a dollar
    a million each; reserved is the longest reply, spent is what was used."""
    prices = {"usd-per-million-input": 1, "usd-per-million-output": 1}
    with LlmServer() as server:
        gateway = make(server, None, Budget(usd=0.00012), **prices)
        parameters = {"max_tokens": 100}
        found = [
            gateway.complete(request(f"paper {n}", parameters=parameters), "a") for n in range(50)
        ]
        spent = gateway.ledger.usage_of("a", "openai/mock").spent
        assert 0 < spent.usd <= 0.00012
        assert spent.usd == pytest.approx((spent.prompt_tokens + spent.completion_tokens) / 1e6)
        refused = [each for each in found if isinstance(each, Failure)]
        assert refused
        assert "US dollars are spent" in refused[0].detail
    with LlmServer() as server:
        dear = make(server, None, Budget(usd=0.00001), **prices)
        assert isinstance(dear.complete(request(parameters=parameters)), Failure)
        assert server.requests == 0


def test_a_budget_in_dollars_needs_a_price(make: Make) -> None:
    with LlmServer() as server:
        failure = make(server, None, Budget(usd=5)).complete(request())
        assert isinstance(failure, Failure)
        assert (failure.kind, server.requests) == ("budget", 0)
        assert "price" in failure.detail


def test_a_budget_of_tokens(make: Make) -> None:
    with LlmServer() as server:
        gateway = make(server, None, Budget(tokens=150))
        parameters = {"max_tokens": 100}
        found = [gateway.complete(request(str(n), parameters=parameters)) for n in range(40)]
        spent = gateway.ledger.usage_of("", "openai/mock").spent
        assert spent.prompt_tokens + spent.completion_tokens <= 150
        assert isinstance(found[0], ModelReply)
        assert isinstance(found[-1], Failure)


def test_an_unknown_price_is_unknown(make: Make) -> None:
    with LlmServer() as server:
        gateway = make(server)
        reply = gateway.complete(request(), "a")
        assert isinstance(reply, ModelReply)
        assert reply.usage.usd is None
        (row,) = gateway.ledger.to_json()
        assert isinstance(row, dict)
        assert row["spent"]["usd"] is None
        assert row["spent"]["unpriced"] == 1


def test_an_answer_without_counts_is_counted_as_such(make: Make) -> None:
    with LlmServer(tokens=False) as server:
        prices = {"usd-per-million-input": 1, "usd-per-million-output": 1}
        gateway = make(server, **prices)
        reply = gateway.complete(request(), "a")
        assert isinstance(reply, ModelReply)
        assert (reply.usage.prompt_tokens, reply.usage.usd) == (None, None)
        assert gateway.ledger.usage_of("a", "openai/mock").spent.uncounted == 1


def test_requests_a_minute_are_kept(make: Make) -> None:
    """1,200 a minute are one each 50 ms; a second's worth may come early."""
    arrived: list[float] = []

    def choose(body: dict[str, Any], attempt: int) -> str:
        arrived.append(time.monotonic())
        return ""

    with LlmServer(faults=Faults(choose=choose)) as server:
        gateway = make(server, **{"requests-per-minute": 1200, "max-connections": 30})
        with ThreadPoolExecutor(30) as pool:
            list(pool.map(lambda n: gateway.complete(request(str(n))), range(30)))
    assert arrived[-1] - arrived[0] >= 29 * 0.05 - 1.0 - 0.1


def test_tokens_a_minute_are_kept(make: Make) -> None:
    with LlmServer() as server:
        # About 110 tokens a call at 600 a second: six calls more than the first second's worth.
        gateway = make(server, **{"tokens-per-minute": 36000, "max-connections": 30})
        started = time.monotonic()
        with ThreadPoolExecutor(12) as pool:
            calls = [request(str(n), parameters={"max_tokens": 100}) for n in range(12)]
            list(pool.map(gateway.complete, calls))
        assert time.monotonic() - started >= 0.7


def test_a_prompt_beyond_the_window_is_not_sent(make: Make) -> None:
    with LlmServer() as server:
        gateway = make(server, **{"context-window": 1000})
        failure = gateway.complete(request("word " * 1000))
        assert isinstance(failure, Failure)
        assert (failure.kind, server.requests) == ("context", 0)
        assert "window of 1000 tokens" in failure.detail
        # The reply must fit as well.
        failure = gateway.complete(request(parameters={"max_tokens": 999}))
        assert isinstance(failure, Failure)
        assert failure.kind == "context"


def test_stopping_ends_the_waiting(make: Make) -> None:
    stop = threading.Event()
    with LlmServer(faults=Faults(choose=lambda body, n: "error")) as server:
        gateway = make(server, None, None, stop, backoff=60, retries=5)
        threading.Timer(0.3, stop.set).start()
        started = time.monotonic()
        failure = gateway.complete(request())
        assert isinstance(failure, Failure)
        assert "stopped" in failure.detail
        assert time.monotonic() - started < 10


def test_closing_ends_calls_and_refuses_new_ones(make: Make) -> None:
    with LlmServer(latency=30) as server:
        gateway = make(server)
        raised: list[BaseException] = []

        def call() -> None:
            try:
                gateway.complete(request())
            except RuntimeError as error:
                raised.append(error)

        thread = threading.Thread(target=call)
        thread.start()
        while server.in_flight == 0:
            time.sleep(0.01)
        gateway.close()
        thread.join(10)
        assert not thread.is_alive()
        assert len(raised) == 1
        with pytest.raises(RuntimeError, match="closed"):
            gateway.complete(request("another"))


def test_a_lone_surrogate_in_a_prompt_is_replaced(make: Make) -> None:
    """pypdf 1872, llm 768: half of a mathematical letter in an abstract."""
    with LlmServer() as server:
        reply = make(server).complete(request("an abstract with \ud835 in it"))
        assert isinstance(reply, ModelReply)
        assert server.bodies[0]["messages"][0]["content"] == "an abstract with \ufffd in it"


def test_the_estimate_counts_calls_without_making_them(make: Make) -> None:
    prices = {"usd-per-million-input": 10, "usd-per-million-output": 100}
    with LlmServer() as server:
        gateway = make(server, **prices)
        gateway.complete(request("stored", parameters={"max_tokens": 10}))
        estimator = gateway.estimator()
        for text in ("stored", "new", "newer"):
            found = estimator.complete(request(text, parameters={"max_tokens": 10}))
            assert isinstance(found, ModelReply)
        estimate = estimator.estimate
        assert (estimate.calls, estimate.stored, estimate.most_reply_tokens) == (2, 1, 20)
        assert estimate.most_usd == pytest.approx(estimate.prompt_tokens * 1e-5 + 20 * 1e-4)
        assert server.requests == 1


def test_gather_runs_side_by_side_and_keeps_the_order() -> None:
    barrier = threading.Barrier(3, timeout=5)

    def call(number: int) -> Callable[[], int]:
        def run() -> int:
            barrier.wait()
            return number

        return run

    assert ModelGateway.gather([call(0), call(1), call(2)]) == [0, 1, 2]
    with pytest.raises(ZeroDivisionError):
        ModelGateway.gather([lambda: 1, lambda: 1 // 0])


_CLIENT = """
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from revkit.cache import Store
from revkit.model.exchange import Message, ModelRequest
from revkit.model_settings import llm_from_options
from revkit.services.llm import ModelGateway

settings = llm_from_options({"default": {"base-url": sys.argv[1], "max-connections": 5}})
with Store(Path(sys.argv[2])) as store, ModelGateway(settings, store) as gateway:
    def ask(number):
        return gateway.complete(ModelRequest("openai/m", (Message("user", str(number)),)))
    with ThreadPoolExecutor(5) as pool:
        list(pool.map(ask, range(60)))
print("done")
"""


@pytest.mark.chaos
def test_a_killed_run_repeats_only_what_was_in_flight(tmp_path: Path) -> None:
    with LlmServer(latency=0.05) as server:
        command = [sys.executable, "-c", _CLIENT, server.url, str(tmp_path / "store.sqlite3")]
        paths = os.pathsep.join(path for path in sys.path if path)
        options: Any = {"env": {**os.environ, "PYTHONPATH": paths}, "stdout": subprocess.PIPE}
        with subprocess.Popen(command, **options) as process:
            while server.answered < 30:
                time.sleep(0.01)
            process.kill()
        killed_at = server.requests
        assert killed_at < 60
        with subprocess.Popen(command, **options) as process:
            assert process.communicate(timeout=60)[0].strip() == b"done"
        assert 60 <= server.requests <= 60 + 5


def test_the_ledger_is_json_with_quantiles(make: Make) -> None:
    with LlmServer(latency=0.05) as server:
        gateway = make(server)
        for number in range(4):
            gateway.complete(request(str(number)), "agent")
        (row,) = gateway.ledger.to_json()
        json.dumps(row)
        assert isinstance(row, dict)
        assert row["label"] == "agent"
        assert row["seconds"]["p50"] >= 0.05


def test_two_commands_share_the_budget_of_their_experiment(tmp_path: Path) -> None:
    path = tmp_path / "store"
    with LlmServer() as server, Store(path) as first, Store(path) as second:
        settings = llm_from_options({"default": {"base-url": server.url}})
        gateways = [
            ModelGateway(settings, store, Budget(calls=5), experiment="e")
            for store in (first, second)
        ]
        try:
            answers = [gateways[number % 2].complete(request(f"p{number}")) for number in range(8)]
        finally:
            for gateway in gateways:
                gateway.close()
        assert server.requests == 5
    assert [isinstance(answer, ModelReply) for answer in answers] == [True] * 5 + [False] * 3
    assert all(isinstance(each, Failure) and each.kind == "budget" for each in answers[5:])


class SlowStore(Store):
    """A store that takes its time over the reply about one paper."""

    def __init__(self) -> None:
        super().__init__(None)
        self.order: list[str] = []

    def put(self, key: bytes, body: bytes, like: bytes | None = None) -> bytes:
        slow = b"slow" in body
        if slow:
            time.sleep(0.5)
        kept = super().put(key, body, like)
        self.order.append("slow" if slow else "quick")
        return kept


def test_a_reply_is_stored_before_its_connection_is_free() -> None:
    def reply(body: dict[str, Any]) -> str:
        slow = "slow" in str(body["messages"])
        return json.dumps({"score": 5, "why": "slow" if slow else "quick"})

    schema: dict[str, Json] = {"type": "object", "properties": {"score": {"type": "integer"}}}
    with LlmServer(reply=reply) as server, SlowStore() as store:
        options = {"base-url": server.url, "max-connections": 1}
        gateway = ModelGateway(llm_from_options({"default": options}), store)
        with gateway, ThreadPoolExecutor(2) as pool:
            slow = pool.submit(gateway.complete, replace(request("slow"), schema=schema))
            while not server.requests:
                time.sleep(0.005)
            time.sleep(0.1)  # the reply has come, and is being stored
            quick = pool.submit(gateway.complete, replace(request("quick"), schema=schema))
            assert isinstance(quick.result(timeout=10), ModelReply)
            assert isinstance(slow.result(timeout=10), ModelReply)
        assert store.order == ["slow", "quick"]
