"""Calls in flight: never more than allowed, fewer after the server was overrun, all in the end."""

from __future__ import annotations

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from revkit.cache import Store
from revkit.model.exchange import Message, ModelReply, ModelRequest
from revkit.model_settings import ModelSettings, llm_from_options
from revkit.services.llm import ModelGateway
from revkit.services.llm.limits import Limits, Slots
from tests.llm_server.server import Faults, LlmServer


def test_first_come_first_served_and_never_more() -> None:
    async def play() -> tuple[list[int], int]:
        slots = Slots(3)
        order: list[int] = []
        flying = peak = 0

        async def call(number: int) -> None:
            nonlocal flying, peak
            await slots.take()
            order.append(number)
            flying += 1
            peak = max(peak, flying)
            await asyncio.sleep(0.001)
            flying -= 1
            slots.give()

        await asyncio.gather(*(call(number) for number in range(20)))
        return order, peak

    assert asyncio.run(play()) == (list(range(20)), 3)


def test_half_of_them_after_trouble_once_for_all_that_flew_together() -> None:
    slots = Slots(16)
    before = time.monotonic()
    slots.eased(before)
    slots.eased(before)  # sent before the first one was refused
    assert slots.allowed == 8
    slots.eased(time.monotonic() + 1)
    assert slots.allowed == 4
    for _ in range(10):
        slots.eased(time.monotonic() + 1)
    assert slots.allowed == 1


def test_sixteen_rounds_of_answers_give_half_of_them_back() -> None:
    """Each answer gives 16 / (2 x 16 x allowed): half a call more in a round of all in flight."""
    slots = Slots(16)
    slots.eased(time.monotonic())
    rounds = 0
    while slots.allowed < 16:
        for _ in range(slots.allowed):
            slots.answered()
        rounds += 1
    assert 15 <= rounds <= 18
    for _ in range(1000):
        slots.answered()
    assert slots.allowed == 16


def test_a_call_that_is_cancelled_while_it_waits_takes_no_slot() -> None:
    async def play() -> None:
        slots = Slots(1)
        await slots.take()
        waiting = [asyncio.create_task(slots.take()) for _ in range(3)]
        await asyncio.sleep(0)
        waiting[0].cancel()
        slots.give()  # the first that still waits gets it
        waiting[1].cancel()  # and is cancelled before it knows: the next one does
        await asyncio.wait_for(waiting[2], 1)
        slots.give()
        await asyncio.wait_for(slots.take(), 1)

    asyncio.run(play())


@pytest.mark.parametrize("transport", ["openai-compatible", "litellm"])
def test_a_server_that_is_overrun_is_asked_less_and_answers_all(transport: str) -> None:
    """It refuses what is beyond four calls at once; sixteen are sent at first."""
    with LlmServer(latency=0.05, reply=lambda body: "fine", tokens=False) as server:
        server.faults = Faults(
            choose=lambda body, attempt: "rate-short" if server.in_flight > 4 else ""
        )
        settings = {"base-url": server.url, "transport": transport, "backoff": 0.05, "retries": 30}
        with ModelGateway(llm_from_options({"default": settings}), Store(None)) as gateway:
            requests = [
                ModelRequest("openai/mock", (Message("user", f"question {number}"),))
                for number in range(60)
            ]
            with ThreadPoolExecutor(60) as pool:
                found = list(pool.map(gateway.complete, requests))
        refused = server.met["rate-short"]
    assert all(isinstance(reply, ModelReply) for reply in found), found
    # Asked with all connections all the time, about three of four requests would be refused.
    assert refused < 60


def test_as_many_as_one_review_of_many_roles_asks_at_once_by_default() -> None:
    """Ten debriefs and two audits: see the benchmark of ReviewGrounder."""
    assert ModelSettings().max_connections == 16


@pytest.mark.parametrize(
    ("files", "connections"), [(1024, 50), (64, 32), (40, 8), (32, 1), (8, 1), (-1, 50)]
)
def test_no_more_connections_than_files_that_may_be_open(
    files: int, connections: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    resource = pytest.importorskip("resource")
    monkeypatch.setattr(resource, "getrlimit", lambda which: (files, files))
    assert Limits(ModelSettings(max_connections=50)).slots.allowed == connections
