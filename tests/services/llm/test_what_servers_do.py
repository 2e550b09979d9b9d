"""Absurd numbers, quoted keys, marks before JSON and many objects: a paid reply is kept whole."""

from __future__ import annotations

import base64
import json
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from revkit.cache import Store
from revkit.model.exchange import Message, ModelReply, ModelRequest
from revkit.model.review import Failure
from revkit.model_settings import Budget, LlmServices, ModelSettings, llm_from_options
from revkit.services.llm import ModelGateway
from revkit.services.llm.prices import ModelFacts
from revkit.services.llm.reply import Reading, read_reply
from revkit.services.llm.scan import without_thinking
from revkit.services.llm.transport import Answer
from tests.cpu_time import cpu_seconds
from tests.http.conftest import Server
from tests.llm_server.server import LlmServer

KEY = "zq-SECRETkey9931-B"
PRICES: dict[str, Any] = {"usd-per-million-input": 1, "usd-per-million-output": 1}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"score": {"type": "integer"}, "text": {"type": "string"}},
    "required": ["score", "text"],
    "additionalProperties": False,
}


def completion(content: str, usage: str, before: str = "") -> bytes:
    """A chat completion with ``usage`` as it is written."""
    body = {
        "id": "1", "object": "chat.completion", "created": 1, "model": "x",
        "choices": [{"index": 0, "finish_reason": "stop",
                     "message": {"role": "assistant", "content": content}}],
        "usage": "USAGE",
    }  # fmt: skip
    return (before + json.dumps(body).replace('"USAGE"', usage)).encode()


def settings(url: str, **options: Any) -> LlmServices:
    return llm_from_options({"default": {"base-url": url, "retries": 0, **options}})


def asked(server: Server, store: Store | None = None, **options: Any) -> Any:
    with ModelGateway(settings(server.url, **options), store or Store(None)) as gateway:
        turns = (Message("user", "a paper"),)
        return gateway.complete(ModelRequest("openai/x", turns, SCHEMA))


def says(server: Server, body: bytes) -> None:
    server.answer = lambda path: (200, {"Content-Type": "application/json"}, body)


WHOLE = ("1" + "0" * 400, "1" + "0" * 4200, "-5", "true", "null")
OTHER = ("1" + "0" * 5200, "NaN", "Infinity", "1e999", "1.5", "[]", '"7"')


def with_prompt_tokens(count: str) -> bytes:
    usage = f'{{"prompt_tokens": {count}, "completion_tokens": 3, "total_tokens": 3}}'
    return completion('{"score": 7, "text": "good"}', usage)


@pytest.mark.parametrize("count", [*WHOLE, *OTHER])
def test_an_absurd_count_costs_no_reply(server: Server, count: str) -> None:
    """A count of 10^400 with prices raised OverflowError, and a paid reply was lost (finding 6)."""
    says(server, with_prompt_tokens(count))
    reply = asked(server, None, **PRICES)
    assert isinstance(reply, ModelReply), reply
    assert reply.data == {"score": 7, "text": "good"}
    assert (reply.usage.prompt_tokens, reply.usage.completion_tokens) == (None, 3)
    assert reply.usage.usd is None


@pytest.mark.filterwarnings("ignore:Pydantic serializer:UserWarning")
@pytest.mark.parametrize("count", WHOLE)
def test_nor_does_it_through_litellm(server: Server, count: str) -> None:
    """litellm makes 0 of null and 1 of true. What is no whole number, or has over 4,300 digits, it
    refuses itself: such a reply is a failure of kind provider."""
    says(server, with_prompt_tokens(count))
    reply = asked(server, transport="litellm", **PRICES)
    assert isinstance(reply, ModelReply), reply
    assert reply.data == {"score": 7, "text": "good"}
    assert reply.usage.prompt_tokens in (None, 0, 1)


@pytest.mark.parametrize("transport", ["openai-compatible", "litellm"])
def test_a_count_of_no_tokens_is_no_count(server: Server, transport: str) -> None:
    """Servers that count nothing return 0: each call cost nothing, and no budget was ever spent."""
    usage = '{"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}'
    says(server, completion('{"score": 7, "text": "good"}', usage))
    chosen = settings(server.url, transport=transport, **PRICES)
    with ModelGateway(chosen, Store(None), Budget(usd=0.02)) as gateway:
        replies = [
            gateway.complete(
                ModelRequest("openai/x", (Message("user", f"{n}"),), SCHEMA, {"max_tokens": 4000})
            )
            for n in range(20)
        ]
        spent = gateway.ledger.usage_of("", "openai/x").spent
    assert isinstance(replies[0], ModelReply)
    assert (replies[0].usage.prompt_tokens, replies[0].usage.completion_tokens) == (None, None)
    assert replies[0].usage.usd is None
    assert spent.uncounted == len(server.seen)
    assert 0 < len(server.seen) < 20
    assert isinstance(replies[-1], Failure)
    assert replies[-1].kind == "budget"


def test_a_prompt_that_is_all_in_the_cache_is_counted() -> None:
    assert Answer("{}", prompt_tokens=0, completion_tokens=0).completion_tokens is None
    assert Answer("", prompt_tokens=9, completion_tokens=0).completion_tokens == 0
    assert Answer("{}", prompt_tokens=0, cached_tokens=900).prompt_tokens == 0
    assert Answer("{}", prompt_tokens=0, written_tokens=900).prompt_tokens == 0


def error(status: int, message: str, **others: Any) -> tuple[int, dict[str, str], bytes]:
    body = json.dumps({"error": {"message": message, **others}}).encode()
    return status, {"Content-Type": "application/json"}, body


_QUOTA = "You exceeded your current quota, please check your plan and billing details."
NO_CREDIT = (
    error(429, _QUOTA, type="insufficient_quota", code="insufficient_quota"),
    error(429, "Please check your plan.", code="insufficient_quota"),
    error(402, "Insufficient Balance", type="unknown_error"),
    error(402, "This request requires more credits, or fewer max_tokens."),
    error(400, "Your credit balance is too low to access the Anthropic API."),
    error(429, "Your account is not active, please check your billing details."),
    error(403, "Your account has been suspended."),
    error(400, "Billing hard limit has been reached", code="billing_hard_limit_reached"),
)


@pytest.mark.parametrize("answer", NO_CREDIT)
def test_no_request_follows_one_that_the_account_cannot_pay(
    server: Server, answer: tuple[int, dict[str, str], bytes]
) -> None:
    """An account without credit was asked five times for each item, until the corpus ended."""
    server.answer = lambda path: answer
    with ModelGateway(settings(server.url, retries=4), Store(None)) as gateway:
        turns = [(Message("user", f"paper {n}"),) for n in range(5)]
        replies = [gateway.complete(ModelRequest("openai/x", turn, SCHEMA)) for turn in turns]
    assert len(server.seen) == 1
    for reply in replies:
        assert isinstance(reply, Failure)
        assert reply.kind == "provider"
        assert "the account has no credit or is closed" in reply.detail


def test_credit_that_ends_during_a_run_ends_the_requests(server: Server) -> None:
    good = completion('{"score": 7, "text": "good"}', "{}")
    answers = iter([(200, {"Content-Type": "application/json"}, good), NO_CREDIT[0]])
    server.answer = lambda path: next(answers)
    with ModelGateway(settings(server.url, retries=4), Store(None)) as gateway:
        turns = [(Message("user", f"paper {n}"),) for n in range(4)]
        replies = [gateway.complete(ModelRequest("openai/x", turn, SCHEMA)) for turn in turns]
    assert [isinstance(reply, ModelReply) for reply in replies] == [True, False, False, False]
    assert len(server.seen) == 2


@pytest.mark.parametrize(
    "message",
    [
        "Rate limit reached for gpt-4o in organization org-1 on tokens per min (TPM): Limit 30000.",
        f"{_QUOTA} * Quota exceeded for metric: generate_requests. Please retry in 34.07s.",
    ],
)
def test_a_limit_of_requests_a_minute_is_waited_for(server: Server, message: str) -> None:
    good = completion('{"score": 7, "text": "good"}', "{}")
    answers = iter([error(429, message), (200, {"Content-Type": "application/json"}, good)])
    server.answer = lambda path: next(answers)
    reply = asked(server, retries=1, backoff=0.01)
    assert isinstance(reply, ModelReply), reply


def test_an_answer_that_is_too_large_is_requested_once(server: Server) -> None:
    """It was made, so it may be paid, and the next one will be as large."""
    text = json.dumps({"score": 7, "text": "a" * 34_000_000})
    says(server, completion(text, '{"prompt_tokens": 5, "completion_tokens": 5000}'))
    most = {"max_tokens": 4000}
    with ModelGateway(settings(server.url, retries=4), Store(None), Budget(tokens=6000)) as gateway:
        replies = [
            gateway.complete(ModelRequest("openai/x", (Message("user", f"{n}"),), SCHEMA, most))
            for n in range(2)
        ]
    assert len(server.seen) == 1
    assert isinstance(replies[0], Failure)
    assert replies[0].detail == "the answer is larger than 33554432 bytes"
    assert isinstance(replies[1], Failure)
    assert replies[1].kind == "budget"


def test_a_count_that_is_right_is_kept(server: Server) -> None:
    usage = '{"prompt_tokens": 1000000, "completion_tokens": 3}'
    says(server, completion('{"score": 7, "text": "good"}', usage))
    reply = asked(server, None, **PRICES)
    assert (reply.usage.prompt_tokens, reply.usage.completion_tokens) == (1_000_000, 3)
    assert reply.usage.usd == pytest.approx(1.000003)


def test_absurd_prices_are_refused_or_unknown() -> None:
    for price in (10**400, float("inf"), float("nan"), -1, 1e300):
        with pytest.raises(Exception, match="usd-per-million-input"):
            ModelSettings(usd_per_million_input=price, usd_per_million_output=1.0)
    assert ModelFacts(input_price=1e300, output_price=1e300).usd(10**12, 10**12) is None


def test_a_byte_order_mark_is_skipped(server: Server) -> None:
    says(server, completion('{"score": 7, "text": "good"}', "{}", before="\ufeff"))
    assert asked(server).data == {"score": 7, "text": "good"}


@pytest.mark.parametrize("transport", ["openai-compatible", "litellm"])
@pytest.mark.parametrize(
    "quoted",
    [KEY, base64.b64encode(KEY.encode()).decode(), KEY.encode().hex(), KEY[:16]],
)
def test_a_key_that_a_reply_quotes_is_not_stored(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, transport: str, quoted: str
) -> None:
    """It was found in the store and in the run folder (finding 5)."""
    monkeypatch.setenv("A_KEY", KEY)
    says(server, completion(f'{{"score": 7, "text": "you sent {quoted}!"}}', "{}"))
    options = {"transport": transport, "api-key-env": "A_KEY"}
    with Store(tmp_path / "store.sqlite3") as store:
        reply = asked(server, store, **options)
        again = asked(server, store, **options)
    assert reply == again
    assert len(server.seen) == 1
    assert reply.text == '{"score": 7, "text": "you sent ***!"}'
    assert reply.data == {"score": 7, "text": "you sent ***!"}
    assert reply.steps == ("secret masked",)


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ('{"score": 7, "text": "\\u007aq-SECRETkey9931-B"}', '{"score":7,"text":"***"}'),
        (f"Here: {{'score': 7, 'text': '{KEY}'}}", None),
    ],
)
def test_a_key_in_any_notation_is_not_stored(
    server: Server, monkeypatch: pytest.MonkeyPatch, content: str, text: str | None
) -> None:
    monkeypatch.setenv("A_KEY", KEY)
    says(server, completion(content, "{}"))
    store = Store(None)
    reply = asked(server, store, **{"api-key-env": "A_KEY"})
    assert reply.data == {"score": 7, "text": "***"}
    assert KEY not in reply.text
    assert "\\u007a" not in reply.text
    assert text is None or reply.text == text
    assert asked(server, store, **{"api-key-env": "A_KEY"}) == reply


def test_a_reply_without_a_key_is_stored_as_it_is(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("A_KEY", KEY)
    text = '{"score": 7, "text": "Bearer authentication, sk-0123456789abcdef, zq-SECRET"}'
    says(server, completion(text, "{}"))
    reply = asked(server, None, **{"api-key-env": "A_KEY"})
    assert (reply.text, reply.steps) == (text, ())


@pytest.mark.parametrize(
    "code", [lambda key: base64.b64encode(key.encode()).decode(), lambda key: key.encode().hex()]
)
def test_an_error_that_quotes_a_key_is_masked(
    server: Server, monkeypatch: pytest.MonkeyPatch, code: Any
) -> None:
    monkeypatch.setenv("A_KEY", KEY)
    server.answer = lambda path: (400, {}, f"bad key {code(KEY)} or {KEY[:16]}...".encode())
    failure = asked(server, None, **{"api-key-env": "A_KEY"})
    assert isinstance(failure, Failure)
    assert failure.detail == "HTTP 400: bad key *** or ***..."
    assert "bad key *** or ***..." in failure.raw


def test_a_reply_is_stored_before_its_connection_serves_another_call() -> None:
    """Six replies beyond the eight connections were asked for again after a kill (finding 7)."""
    events: list[str] = []
    lock = threading.Lock()

    class Slow(Store):
        def put(self, key: bytes, body: bytes, like: bytes | None = None) -> bytes:
            time.sleep(0.02)
            stored = super().put(key, body, like)
            with lock:
                events.append("stored")
            return stored

    def reply(body: dict[str, Any]) -> str:
        with lock:
            events.append("asked")
        return "a review"

    with LlmServer(reply=reply) as server:
        options = settings(server.url, **{"max-connections": 2})
        with ModelGateway(options, Slow(None)) as gateway, ThreadPoolExecutor(12) as pool:
            turns = [(Message("user", f"paper {number}"),) for number in range(24)]
            list(pool.map(lambda each: gateway.complete(ModelRequest("openai/m", each)), turns))
    open_calls = 0
    for event in events:
        open_calls += 1 if event == "asked" else -1
        assert open_calls <= 2
    assert open_calls == 0


def test_the_key_comes_with_the_reply(server: Server) -> None:
    says(server, completion('{"score": 7, "text": "good"}', "{}"))
    store = Store(None)
    with ModelGateway(settings(server.url), store) as gateway:
        request = ModelRequest("openai/x", (Message("user", "a paper"),), SCHEMA)
        reply, key = gateway.answer(request)
        assert isinstance(reply, ModelReply)
        assert key == gateway.key(request)
        assert store.get_json(key)


@pytest.fixture
def server() -> Iterator[Server]:
    running = Server("127.0.0.1")
    yield running
    running.close()


MANY = {
    "equal objects": '{"a": 1} ',
    "objects in lines": '{"a": 1}\n',
    "single quotes": "{'a': 1,} ",
    "comments": "{'a': 1} # {\n",
    "no objects": "{a} ",
    "ends of thinking": '{"a": "</think>"} ',
    "fences": '```\n{"a": 1}\n```\n',
    "open": "{ ",
}


def _seconds(text: str, limit: float = 0.0) -> float:
    return cpu_seconds(lambda: read_reply(text, "stop", SCHEMA), limit)


@pytest.mark.parametrize("name", MANY)
def test_reading_many_small_objects_takes_linear_time(name: str) -> None:
    """0.27 MB took 0.52 s and 0.56 MB 1.91 s (finding 10). Four times the text may take eight times
    as long, where quadratic reading takes sixteen."""
    unit = MANY[name]
    small = _seconds(unit * (60_000 // len(unit)))
    most = 8 * small + 0.02
    assert _seconds(unit * (240_000 // len(unit)), most) <= most


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ('{"score": 1, "text": "a"}', ()),
        ('\n {"score": 1, "text": "a"} \n', ()),
        ('```json\n{"score": 1, "text": "a"}\n```', ("fence removed",)),
        ('\n```json \n\n {"score": 1, "text": "a"} \n ``` \n', ("fence removed",)),
        ('``` {"score": 1, "text": "a"} ```', ("fence removed",)),
        ('```\nHere:\n{"score": 1, "text": "a"}\n```', ("prose removed",)),
        ('```\n{"score": 1, "text": "a"}', ("prose removed",)),
        ('```\n{"score": 1, "text": "a"}\n```\nDone.', ("prose removed",)),
        ('{"score": 1, "text": "a"}\n```', ("prose removed",)),
        ('Here: {"score": 1, "text": "a"}', ("prose removed",)),
        ('{"score": 1, "text": "a"} {"score": 1, "text": "a"}', ("prose removed",)),
    ],
)
def test_what_is_around_an_object(text: str, steps: tuple[str, ...]) -> None:
    reading = read_reply(text, "stop", SCHEMA)
    assert isinstance(reading, Reading), reading
    assert reading.steps == steps


def test_an_end_of_thinking_within_an_object_is_part_of_it() -> None:
    text = '{"a": "</think>"} {"b": "</think>"}'
    assert without_thinking(text) == (text, False, False)
    assert without_thinking(f'{{"a": "</think>"}} so </think>{text}') == (text, True, False)
