"""A list of faults in the making."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


class Problems:
    """Collects what is wrong with a component, so that all of it is reported at once."""

    def __init__(self) -> None:
        self.found: list[str] = []

    def add(self, text: str) -> None:
        """Note one fault, once."""
        if text not in self.found:
            self.found.append(text)

    def expect(self, holds: bool, text: str) -> None:
        """Note a fault unless ``holds``."""
        if not holds:
            self.add(text)

    def attempt(self, what: str, call: Callable[[], T]) -> T | None:
        """Return what ``call`` gives; an exception is a fault and gives None."""
        try:
            return call()
        except Exception as error:
            self.add(f"{what} raised {type(error).__name__}: {error}")
            return None

    def raise_for(self, component: type) -> None:
        """Raise `AssertionError` with all faults, if there are any."""
        if self.found:
            lines = "\n".join(f"- {text}" for text in self.found)
            raise AssertionError(f"{component.__qualname__} breaks its contract:\n{lines}")
