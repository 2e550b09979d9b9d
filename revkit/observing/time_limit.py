"""A call of foreign code with a limit of time, after which the place where it hangs is stated."""

from __future__ import annotations

import contextvars
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Generic, TypeVar

from revkit.errors import NotReturned

T = TypeVar("T")


class _Call(Generic[T]):
    """A call in a thread, and what came of it."""

    def __init__(self, call: Callable[[], T]) -> None:
        self.results: list[T] = []
        self.error: BaseException | None = None
        self._call = call

    def run(self) -> None:
        try:
            self.results.append(self._call())
        except BaseException as error:  # it is raised again for who called
            self.error = error


def call_within(seconds: float, what: str, call: Callable[[], T]) -> T:
    """Return the result of ``call``, which runs in a thread with the context of this one; what it
    raises is raised here.

    Raises `NotReturned` about ``what`` after ``seconds``. Python cannot end the thread: it is left
    alone, and the process does not wait for it at its end.
    """
    made = _Call(call)
    run = contextvars.copy_context().run
    thread = threading.Thread(target=run, args=(made.run,), daemon=True, name="limited call")
    try:
        thread.start()
    except RuntimeError:  # the system has no memory for a thread: then without a limit
        return call()
    thread.join(seconds)
    if thread.is_alive():
        raise NotReturned(f"{what} has not returned after {seconds:g} s{_place_of(thread)}")
    if made.error is not None:
        raise made.error
    return made.results[0]


def _place_of(thread: threading.Thread) -> str:
    """Return where a thread is, in words; "" if that is not known."""
    frame = sys._current_frames().get(thread.ident or 0)
    if frame is None:
        return ""
    code = frame.f_code
    return f"; it is at {Path(code.co_filename).name}:{frame.f_lineno}, in {code.co_qualname}"
