"""Checking nested options: every problem at once, each with its place and what was expected."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from revkit.options import unknown_name

_MISSING: Any = object()


class Place:
    """One place in an option, such as ``.score.scale``, and the list of problems of the whole."""

    def __init__(self, problems: list[tuple[str, str]], option: str, path: str = "") -> None:
        self._problems = problems
        self.option = option
        self.path = path

    def __truediv__(self, key: str | int) -> Place:
        step = f"[{key}]" if isinstance(key, int) else f".{key}"
        return Place(self._problems, self.option, self.path + step)

    def wrong(self, text: str) -> None:
        """Add one problem."""
        self._problems.append((self.option + self.path, text))

    def mapping(self, value: Any, known: Collection[str] = ()) -> Mapping[str, Any]:
        """Return ``value`` as a mapping with text keys, all ``known`` (if any are named)."""
        if not isinstance(value, Mapping):
            self.wrong(f"expected a mapping, not {value!r}")
            return {}
        kept: dict[str, Any] = {}
        for key, item in value.items():
            if not isinstance(key, str):
                self.wrong(f"the key {key!r} is not text; put it in quotes")
            elif known and key not in known:
                (self / key).wrong(unknown_name("key", key, known))
            else:
                kept[key] = item
        return kept

    def text(self, value: Any) -> str:
        """Return ``value``, which must be text that is not empty."""
        if not isinstance(value, str):
            hint = "; put it in quotes" if isinstance(value, bool | int | float) else ""
            self.wrong(f"expected text, not {value!r}{hint}")
            return ""
        if not value:
            self.wrong("expected text, not ''")
        return value

    def choice(self, value: Any, known: Collection[str]) -> str:
        """Return ``value``, which must be one of the ``known`` words."""
        if not isinstance(value, str):
            self.wrong(f"expected one of {', '.join(sorted(known))}, not {value!r}")
        elif value not in known:
            self.wrong(unknown_name("value", value, known))
        else:
            return value
        return ""

    def flag(self, value: Any) -> bool:
        """Return ``value``, which must be true or false."""
        if not isinstance(value, bool):
            self.wrong(f"expected true or false, not {value!r}")
            return False
        return value

    def number(self, value: Any, minimum: float = -math.inf) -> float:
        """Return ``value``, which must be a finite number from ``minimum`` on."""
        if isinstance(value, bool) or not isinstance(value, int | float):
            self.wrong(f"expected a number, not {value!r}")
        elif not math.isfinite(value):
            self.wrong(f"expected a finite number, not {value!r}")
        elif value < minimum:
            self.wrong(f"{value!r} is below the minimum of {minimum:g}")
        else:
            return float(value)
        return 0.0

    def whole(self, value: Any, minimum: int = 0) -> int:
        """Return ``value``, which must be a whole number from ``minimum`` on."""
        if isinstance(value, bool) or not isinstance(value, int):
            self.wrong(f"expected a whole number, not {value!r}")
        elif value < minimum:
            self.wrong(f"{value!r} is below the minimum of {minimum}")
        else:
            return value
        return minimum

    def pair(self, value: Any) -> tuple[float, float]:
        """Return ``value``, which must be two numbers, the lower one first."""
        if self.is_list(value) and len(value) == 2:
            low, high = self.number(value[0]), self.number(value[1])
            if low < high:
                return low, high
        self.wrong(f"expected two numbers, the lower one first, not {value!r}")
        return 0.0, 1.0

    def words(self, value: Any) -> tuple[str, ...]:
        """Return a list of texts; one text alone is a list of one."""
        if isinstance(value, str):
            return (self.text(value),)
        if not self.is_list(value):
            self.wrong(f"expected a list of texts, not {value!r}")
            return ()
        return tuple((self / index).text(item) for index, item in enumerate(value))

    def json(self, value: Any) -> None:
        """Check that ``value`` is JSON through and through."""
        if isinstance(value, Mapping):
            for key, item in self.mapping(value).items():
                (self / key).json(item)
        elif self.is_list(value):
            for index, item in enumerate(value):
                (self / index).json(item)
        elif isinstance(value, float) and not math.isfinite(value):
            self.wrong(f"expected a finite number, not {value!r}")
        elif value is not None and not isinstance(value, bool | int | float | str):
            self.wrong(f"{value!r} is no JSON; put it in quotes")

    @staticmethod
    def is_list(value: Any) -> bool:
        """Whether ``value`` is a list as YAML gives it."""
        return isinstance(value, Sequence) and not isinstance(value, str | bytes)
