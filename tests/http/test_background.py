"""Background: the thread that waits for a coroutine can finish it."""

from __future__ import annotations

import asyncio
import gc
import threading
import weakref

import pytest

from revkit.http import Background, finish_in_caller


async def nothing() -> None:
    """There is nothing to close."""


def test_the_waiting_thread_does_the_work_before_the_clean_up() -> None:
    background, order = Background("test"), list[str]()

    async def asked() -> int:
        try:
            return await finish_in_caller(done)
        finally:
            order.append("cleaned up")
            ended.set()

    def done() -> int:
        order.append(threading.current_thread().name)
        return 7

    ended = threading.Event()
    try:
        assert background.run(asked()) == 7
        assert ended.wait(10)
        assert order == [threading.current_thread().name, "cleaned up"]
    finally:
        background.close(nothing)


def test_what_the_work_raises_reaches_both() -> None:
    background, seen = Background("test"), list[str]()

    async def asked() -> int:
        try:
            return await finish_in_caller(lambda: 1 // 0)
        except ZeroDivisionError:
            seen.append("in the coroutine")
            ended.set()
            raise

    ended = threading.Event()
    try:
        with pytest.raises(ZeroDivisionError):
            background.run(asked())
        assert ended.wait(10)
        assert seen == ["in the coroutine"]
        assert background.run(asyncio.sleep(0, "still there")) == "still there"
    finally:
        background.close(nothing)


def test_a_thread_at_work_keeps_its_result_when_the_loop_is_closed() -> None:
    background, found = Background("test"), list[int]()
    began, go_on = threading.Event(), threading.Event()

    def work() -> int:
        began.set()
        assert go_on.wait(10)
        return 7

    async def asked() -> int:
        return await finish_in_caller(work)

    thread = threading.Thread(target=lambda: found.append(background.run(asked())))
    thread.start()
    assert began.wait(10)
    background.close(nothing)
    go_on.set()
    thread.join(10)
    assert found == [7]


def test_a_call_that_has_ended_leaves_nothing_to_the_collector() -> None:
    """A prompt that only the collector frees waits for thousands of others."""

    class Prompt:
        pass

    async def call(prompt: Prompt) -> bool:
        return await finish_in_caller(lambda: isinstance(prompt, Prompt))

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
