"""litellm: whichever provider redirects to another host, that host is never asked."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from revkit.cache import Store
from revkit.http import HttpError
from revkit.model.exchange import Message, ModelRequest
from revkit.model.review import Failure
from revkit.model_settings import llm_from_options
from revkit.services.llm import ModelGateway
from revkit.services.llm.litellm_transport import load
from revkit.services.llm.redirects import no_redirects
from tests.http.conftest import Server

# litellm meets warnings of pydantic, which are errors here.
pytestmark = pytest.mark.filterwarnings("ignore:.*ReadOnly:UserWarning")
KEY = "zq-SECRETkey9931-B"
MODELS = ("anthropic/claude-x", "azure/gpt-x", "mistral/m-x", "openai/gpt-x", "cohere/command-x",
          "cohere_chat/command-x", "groq/g-x", "deepseek/d-x", "openrouter/o/x", "xai/x",
          "together_ai/t-x", "gemini/gemini-x", "ollama/o-x", "ollama_chat/o-x",
          "huggingface/together/h/x", "hosted_vllm/v-x")  # fmt: skip
REVIEW = {
    "id": "1", "object": "chat.completion", "created": 1, "model": "x",
    "choices": [{"index": 0, "finish_reason": "stop",
                 "message": {"role": "assistant", "content": '{"score": 9}'}}],
    "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
}  # fmt: skip


@pytest.fixture
def servers() -> Iterator[tuple[Server, Server]]:
    """One that redirects to the other, which would answer with a review."""
    asked, other = Server("127.0.0.1"), Server("127.0.0.2")
    other.answer = lambda path: (
        200, {"Content-Type": "application/json"}, json.dumps(REVIEW).encode(),
    )  # fmt: skip
    asked.answer = lambda path: (307, {"Location": f"{other.url}/steal"}, b"")
    yield asked, other
    asked.close()
    other.close()


def ask(server: Server, model: str) -> Any:
    settings = {"base-url": server.url, "api-key-env": "A_KEY", "transport": "litellm",
                "retries": 0, "timeout": 20}  # fmt: skip
    with ModelGateway(llm_from_options({"default": settings}), Store(None)) as gateway:
        return gateway.complete(ModelRequest(model, (Message("user", "an unpublished paper"),)))


@pytest.mark.parametrize("status", [302, 307])
@pytest.mark.parametrize("model", MODELS)
def test_no_provider_follows_a_redirect_to_another_host(
    servers: tuple[Server, Server], monkeypatch: pytest.MonkeyPatch, model: str, status: int
) -> None:
    asked, other = servers
    asked.answer = lambda path: (status, {"Location": f"{other.url}/steal"}, b"")
    monkeypatch.setenv("A_KEY", KEY)
    detail = "redirect to another host (127.0.0.2) is not followed"
    assert ask(asked, model) == Failure("provider", detail)
    assert len(asked.seen) == 1
    assert other.seen == []


def test_a_provider_that_sends_through_aiohttp(
    servers: tuple[Server, Server], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, other = servers
    monkeypatch.setenv("A_KEY", KEY)
    outcome = ask(asked, "aiohttp_openai/a-x")
    assert isinstance(outcome, Failure)  # the reply that redirects is no completion
    assert outcome.kind == "provider"
    assert len(asked.seen) == 1
    assert other.seen == []


def _by_litellm(url: str) -> None:
    load()
    from litellm.llms.custom_httpx.http_handler import HTTPHandler

    HTTPHandler().post(url, headers={"x-api-key": KEY}, json={"paper": 1})


def _by_the_sdk(url: str) -> None:
    load()
    from openai import OpenAI

    with OpenAI(base_url=url, api_key=KEY, max_retries=0) as client:
        client.chat.completions.create(
            model="x", messages=[{"role": "user", "content": "an unpublished paper"}]
        )


@pytest.mark.parametrize("send", [_by_litellm, _by_the_sdk])
def test_the_clients_for_threads_follow_none_either(
    servers: tuple[Server, Server], send: Callable[[str], None]
) -> None:
    asked, other = servers
    with no_redirects() as refusals, pytest.raises(Exception, match=r"."):
        send(asked.url)
    assert refusals == ["redirect to another host (127.0.0.2) is not followed"]
    assert (len(asked.seen), other.seen) == (1, [])


def test_a_redirect_within_the_host_is_followed(servers: tuple[Server, Server]) -> None:
    asked, other = servers

    def answer(path: str) -> Any:
        if path == "/new":
            return other.answer(path)
        return 307, {"Location": "/new"}, b""

    asked.answer = answer
    settings = {"base-url": asked.url, "transport": "litellm", "retries": 0}
    with ModelGateway(llm_from_options({"default": settings}), Store(None)) as gateway:
        outcome = gateway.complete(ModelRequest("openai/gpt-x", (Message("user", "a paper"),)))
    assert not isinstance(outcome, Failure)
    assert outcome.text == '{"score": 9}'
    assert [path for _, path, _, _ in asked.seen] == ["/chat/completions", "/new"]


def test_redirects_within_the_host_come_to_an_end(servers: tuple[Server, Server]) -> None:
    load()
    asked, _ = servers
    asked.answer = lambda path: (307, {"Location": path + "x"}, b"")
    with (
        no_redirects() as refusals,
        httpx.Client(follow_redirects=True) as client,
        pytest.raises(HttpError),
    ):
        client.get(asked.url)
    assert (refusals, len(asked.seen)) == (["more than 5 redirects"], 6)


def test_a_client_that_follows_by_itself_is_refused_as_well(
    servers: tuple[Server, Server],
) -> None:
    load()
    asked, other = servers

    async def send() -> None:
        async with httpx.AsyncClient() as client:
            request = client.build_request("GET", asked.url)
            response = await client.send(request, follow_redirects=False)
            assert response.next_request is not None
            await client.send(response.next_request)

    with no_redirects(), pytest.raises(HttpError):
        asyncio.run(send())
    assert other.seen == []


def test_other_code_of_the_process_is_left_alone(servers: tuple[Server, Server]) -> None:
    load()
    asked, other = servers
    with httpx.Client(follow_redirects=True) as client:
        assert client.get(asked.url).status_code == 200
    assert len(other.seen) == 1
