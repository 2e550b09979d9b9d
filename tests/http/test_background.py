"""Background: coroutines run for other threads."""

from __future__ import annotations

import asyncio
import gc
import threading
import weakref

import pytest

from revkit.http import Background


async def nothing() -> None:
    """There is nothing to close."""


def test_what_a_coroutine_raises_reaches_the_thread_that_waits() -> None:
    background = Background("test")

    async def failing() -> int:
        return 1 // 0

    try:
        with pytest.raises(ZeroDivisionError):
            background.run(failing())
        assert background.run(asyncio.sleep(0, "still there")) == "still there"
    finally:
        background.close(nothing)


def test_a_thread_that_cannot_start_fails_every_call_until_one_can(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    background = Background("test")

    def refuse(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", refuse)
        for _ in range(2):
            with pytest.raises(RuntimeError, match="can't start new thread"):
                background.submit(asyncio.sleep(0))
    try:
        assert background.submit(asyncio.sleep(0, "runs")).result(10) == "runs"
    finally:
        background.close(nothing)


def test_several_coroutines_run_at_once() -> None:
    background = Background("test")

    async def meet(mine: asyncio.Event, other: asyncio.Event) -> str:
        mine.set()
        await other.wait()
        return "met"

    async def events() -> tuple[asyncio.Event, asyncio.Event]:
        return asyncio.Event(), asyncio.Event()

    try:
        one, two = background.run(events())
        found = [background.submit(meet(one, two)), background.submit(meet(two, one))]
        assert [each.result(10) for each in found] == ["met", "met"]
    finally:
        background.close(nothing)


def test_a_coroutine_that_is_running_is_cancelled_when_the_loop_is_closed() -> None:
    background = Background("test")
    running = background.submit(asyncio.sleep(60))
    background.run(asyncio.sleep(0))
    background.close(nothing)
    with pytest.raises(RuntimeError, match="its run has ended"):
        running.result(10)


def test_a_call_that_has_ended_leaves_nothing_to_the_collector() -> None:
    """A prompt that only the collector frees waits for thousands of others."""

    class Prompt:
        pass

    async def call(prompt: Prompt) -> bool:
        return isinstance(prompt, Prompt)

    background = Background("test")
    gc.disable()
    try:
        prompt = Prompt()
        left = weakref.ref(prompt)
        assert background.run(call(prompt))
        del prompt
        background.run(asyncio.sleep(0))  # the loop has ended the call before
        background.run(asyncio.sleep(0))
        assert left() is None
    finally:
        gc.enable()
        background.close(nothing)
