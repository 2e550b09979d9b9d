"""Marks for a provider's cache: where they stand, how they are sent, what they cost."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from aiohttp import web

from revkit.cache import Store
from revkit.model.exchange import Message, ModelReply, ModelRequest
from revkit.model_settings import ModelSettings, llm_from_options
from revkit.services.llm import ModelGateway
from revkit.services.llm.caching import LEAST_TOKENS, marks_of, with_marks
from revkit.services.llm.prices import ModelFacts, facts_of
from revkit.services.llm.transport import answer_of
from tests.llm_server.first_call import load_litellm
from tests.llm_server.server import LlmServer

CLAUDE = "anthropic/claude-sonnet-4-5"
PAPER = "All of the paper. " * 300  # 5,400 characters, about 1,500 tokens
PART = "Your part: judge it."


def turns(paper: str = PAPER, system: str = "You review.") -> tuple[Message, ...]:
    return (Message("system", system), Message("user", paper + PART, stable=len(paper)))


def test_the_mark_stands_behind_the_stable_beginning() -> None:
    assert marks_of(CLAUDE, turns()) == ((1, len(PAPER)),)
    sent = with_marks(
        [{"role": each.role, "content": each.content} for each in turns()], ((1, len(PAPER)),)
    )
    mark = {"type": "ephemeral"}
    assert sent[0] == {"role": "system", "content": "You review."}
    assert sent[1]["content"] == [
        {"type": "text", "text": PAPER, "cache_control": mark},
        {"type": "text", "text": PART},
    ]


def test_a_turn_that_is_stable_to_its_end_is_one_block() -> None:
    (found,) = with_marks([{"role": "user", "content": PAPER + " \n"}], ((0, len(PAPER)),))
    assert [block["text"] for block in found["content"]] == [PAPER + " \n"]


@pytest.mark.parametrize(
    "model", ["openai/gpt-4.1", "gemini/gemini-2.5-pro", "vertex_ai/gemini-2.5-pro", "groq/claude"]
)
def test_models_whose_providers_want_no_marks_get_none(model: str) -> None:
    assert marks_of(model, turns()) == ()


@pytest.mark.parametrize(
    "model",
    [
        "anthropic/claude-opus-4-5",
        "bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0",
        "vertex_ai/claude-sonnet-4@20250514",
        "openrouter/anthropic/claude-sonnet-4",
        "openai/claude-behind-a-proxy",
    ],
)
def test_claude_is_marked_wherever_it_is_served(model: str) -> None:
    assert len(marks_of(model, turns())) == 1


def test_below_the_least_length_nothing_is_marked() -> None:
    """1024 tokens by the gateway's estimate: 3.5 bytes each, and 8 for each message."""
    assert LEAST_TOKENS == 1024
    short = "x" * 3400  # 971 tokens, and 24 with both messages
    assert marks_of(CLAUDE, turns(short, "s")) == ()
    assert marks_of(CLAUDE, turns("x" * 3600, "s")) == ((1, 3600),)
    # What stands before counts: all of it is kept together.
    assert marks_of(CLAUDE, turns(short, "s" * 300)) == ((1, 3400),)


def test_long_instructions_are_marked_as_they_ever_were() -> None:
    messages = (Message("system", PAPER), Message("user", "a question"))
    assert marks_of(CLAUDE, messages) == ((0, len(PAPER)),)
    assert marks_of(CLAUDE, (Message("user", PAPER), Message("system", PAPER))) == ()


def test_marks_change_no_key() -> None:
    plain = tuple(Message(each.role, each.content) for each in turns())
    with ModelGateway(llm_from_options({}), Store(None)) as gateway:
        first = gateway.key(ModelRequest(CLAUDE, turns(), None, role="drafter"))
        assert gateway.key(ModelRequest(CLAUDE, plain, None)) == first
        assert gateway.key(ModelRequest(CLAUDE, plain[::-1], None)) != first
    request = ModelRequest(CLAUDE, turns(), None)
    assert request.to_json() == ModelRequest(CLAUDE, plain, None).to_json()


@pytest.fixture(autouse=True, scope="module")
def _imported() -> None:
    load_litellm()


def transformed(adapter: str, model: str) -> Any:
    """What litellm's adapter makes of a marked conversation, without sending it."""
    from revkit.services.llm.litellm_transport import load

    plain = [{"role": each.role, "content": each.content} for each in turns()]
    return getattr(load(), adapter)().transform_request(
        model=model,
        messages=with_marks(plain, ((1, len(PAPER)),)),
        optional_params={"max_tokens": 10},
        litellm_params={},
        headers={},
    )


@pytest.mark.parametrize(
    ("adapter", "model"),
    [
        ("AnthropicConfig", "claude-sonnet-4-5"),
        ("VertexAIAnthropicConfig", "claude-sonnet-4@20250514"),
        ("OpenrouterConfig", "anthropic/claude-sonnet-4"),
    ],
)
def test_litellm_hands_the_mark_on(adapter: str, model: str) -> None:
    (turn,) = [each for each in transformed(adapter, model)["messages"] if each["role"] == "user"]
    assert turn["content"][0]["cache_control"] == {"type": "ephemeral"}
    # Some adapters take off blanks at the end of a block.
    assert [block["text"].strip() for block in turn["content"]] == [PAPER.strip(), PART]


def test_litellm_writes_a_cache_point_for_bedrock_where_the_model_has_one() -> None:
    body = transformed("AmazonConverseConfig", "us.anthropic.claude-sonnet-4-5-20250929-v1:0")
    assert body["messages"][0]["content"][1] == {"cachePoint": {"type": "default"}}
    older = transformed("AmazonConverseConfig", "anthropic.claude-3-5-sonnet-20240620-v1:0")
    assert "cachePoint" not in json.dumps(older)
    assert [block["text"].strip() for block in older["messages"][0]["content"]] == [
        PAPER.strip(),
        PART,
    ]


def test_litellm_takes_marks_out_of_what_goes_to_openai() -> None:
    assert "cache_control" not in json.dumps(transformed("OpenAIGPTConfig", "gpt-4.1"))


@pytest.fixture
def gateway() -> Iterator[Any]:
    made: list[ModelGateway] = []

    def make(url: str, **options: Any) -> ModelGateway:
        settings = llm_from_options({"default": {"base-url": url, "backoff": 0.01, **options}})
        made.append(ModelGateway(settings, Store(None)))
        return made[-1]

    yield make
    for each in made:
        each.close()


@pytest.mark.parametrize("transport", ["openai-compatible", "litellm"])
def test_marks_go_over_the_wire_at_both_transports(gateway: Any, transport: str) -> None:
    with LlmServer(reply=lambda body: "fine", tokens=False) as server:
        model = "openai/claude-sonnet-4-5"
        reply = gateway(server.url, transport=transport).complete(ModelRequest(model, turns()))
        assert isinstance(reply, ModelReply), reply
        (body,) = server.bodies
        assert body["messages"][1]["content"][0]["cache_control"] == {"type": "ephemeral"}
        assert "".join(block["text"] for block in body["messages"][1]["content"]) == PAPER + PART
        other = gateway(server.url, transport=transport)
        other.complete(ModelRequest("openai/mock", turns()))
        assert server.bodies[-1]["messages"][1]["content"] == PAPER + PART


class Strict(LlmServer):
    """A server that takes text alone as content."""

    async def _answer(self, request: web.Request, body: dict[str, Any], fault: str) -> Any:
        if any(not isinstance(each["content"], str) for each in body["messages"]):
            told = {"error": {"message": "messages.1.content: Input should be a valid string"}}
            return web.json_response(told, status=422)
        return await super()._answer(request, body, fault)


def test_a_server_that_takes_no_marks_is_asked_without_them_from_then_on(gateway: Any) -> None:
    with Strict(reply=lambda body: "fine", tokens=False) as server:
        asked = gateway(server.url)
        for number in range(3):
            request = ModelRequest("openai/claude-x", turns(), replicate=number)
            reply = asked.complete(request)
            assert isinstance(reply, ModelReply), reply
        assert server.requests == 4  # once with marks, and never again


ANTHROPIC = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "model": "claude-sonnet-4-5",
    "content": [{"type": "text", "text": "fine"}],
    "stop_reason": "end_turn",
    "usage": {
        "input_tokens": 10,
        "cache_creation_input_tokens": 1000,
        "cache_read_input_tokens": 200,
        "output_tokens": 4,
    },
}


class Messages(LlmServer):
    """Speaks Anthropic's protocol."""

    async def _start(self) -> None:
        app = web.Application(client_max_size=64 * 1024 * 1024)
        app.router.add_post("/v1/messages", self._completions)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        self.port = site._server.sockets[0].getsockname()[1]  # type: ignore[union-attr]

    async def _answer(self, request: web.Request, body: dict[str, Any], fault: str) -> Any:
        return web.json_response(ANTHROPIC)


def test_anthropic_is_sent_the_mark_and_its_counts_are_read(gateway: Any) -> None:
    with Messages() as server:
        asked = gateway(f"http://127.0.0.1:{server.port}")
        reply = asked.complete(ModelRequest(CLAUDE, turns(), parameters={"max_tokens": 50}))
        assert isinstance(reply, ModelReply), reply
        (body,) = server.bodies
    assert body["messages"][0]["content"][0]["cache_control"] == {"type": "ephemeral"}
    assert body["messages"][0]["content"][0]["text"].strip() == PAPER.strip()
    assert (reply.usage.prompt_tokens, reply.usage.cached_tokens) == (1210, 200)


def test_what_is_put_in_a_cache_has_its_price() -> None:
    """Sonnet 4.5 as listed: 3 dollars a million in, 3.75 to write, 0.3 to read, 15 out."""
    facts = facts_of(CLAUDE, ModelSettings())
    assert facts.usd(1210, 4, 200, 1000) == pytest.approx(
        (10 * 3 + 200 * 0.3 + 1000 * 3.75 + 4 * 15) / 1e6
    )
    assert facts.usd(1000, 0) == pytest.approx(0.003)
    # Without a listed price to write, the price of the call is not known; prices of the user's own
    # are for all tokens.
    assert ModelFacts(input_price=1.0, output_price=1.0).usd(10, 1, 0, 5) is None
    assert ModelFacts(input_price=1.0, output_price=1.0).usd(10, 1, 5) == 11
    own = ModelSettings(usd_per_million_input=1.0, usd_per_million_output=2.0)
    assert facts_of(CLAUDE, own).usd(10, 0, 0, 5) == pytest.approx(1e-5)
    # Beyond a size that is dearer, writing is dearer by as much.
    dear = ModelFacts(
        input_price=1.0, output_price=1.0, written_price=1.25, levels=((100, 2.0, 3.0),)
    )
    assert dear.usd(200, 0, 0, 200) == pytest.approx(200 * 2.5)


def test_where_writing_has_no_known_price_nothing_is_marked(
    gateway: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    facts = ModelFacts(input_price=1e-6, output_price=1e-6)
    assert not facts.knows_writing
    assert ModelFacts().knows_writing
    monkeypatch.setattr("revkit.services.llm.gateway.facts_of", lambda model, settings: facts)
    with LlmServer(reply=lambda body: "fine", tokens=False) as server:
        gateway(server.url).complete(ModelRequest("openai/claude-x", turns()))
        assert server.bodies[0]["messages"][1]["content"] == PAPER + PART


@pytest.mark.parametrize(
    ("usage", "cached", "written"),
    [
        ({}, None, 0),
        ({"prompt_tokens_details": None}, None, 0),
        ({"prompt_tokens_details": {"cached_tokens": 0}}, 0, 0),
        ({"prompt_tokens_details": {"cached_tokens": 7, "cache_write_tokens": 3}}, 7, 3),
        ({"prompt_tokens_details": {"cached_tokens": "7"}}, None, 0),
        ({"cache_creation_input_tokens": 5}, None, 5),
    ],
)
def test_only_what_a_provider_tells_of_its_cache_is_known(
    usage: Any, cached: int | None, written: int
) -> None:
    choices = [{"message": {"content": "x"}, "finish_reason": "stop"}]
    found = answer_of({"choices": choices, "usage": {"prompt_tokens": 10, **usage}})
    assert (found.cached_tokens, found.written_tokens) == (cached, written)
