"""A list of faults that is filled step by step."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from revkit.errors import describe_error

T = TypeVar("T")


class Problems:
    """Collects the faults of a component, so that all of them are reported at once."""

    def __init__(self) -> None:
        self.found: list[str] = []

    def add(self, text: str) -> None:
        """Record one fault, once."""
        if text not in self.found:
            self.found.append(text)

    def expect(self, holds: bool, text: str) -> None:
        """Record a fault unless ``holds``."""
        if not holds:
            self.add(text)

    def attempt(self, what: str, call: Callable[[], T]) -> T | None:
        """Return the result of ``call``; an exception is a fault and gives None."""
        try:
            return call()
        except Exception as error:
            self.add(f"{what} raised {describe_error(error)}")
            return None

    def raise_for(self, component: type) -> None:
        """Raise `AssertionError` with all faults, if there are any."""
        if self.found:
            lines = "\n".join(f"- {text}" for text in self.found)
            raise AssertionError(f"{component.__qualname__} breaks its contract:\n{lines}")
