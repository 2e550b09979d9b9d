"""JSONPath, the part of RFC 9535 that names places: without filters and ``..``; nothing is
evaluated.

``$`` is the root; ``.name`` or ``['any name']`` a member; ``[0]`` and ``[-1]`` an element; ``.*``
or ``[*]`` every member or element. A filter would leave out members silently, and ``..`` would
find the same name in places with other meanings, so neither is supported.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import field
from typing import Any, Final

from revkit.dataclass import dataclass

_EVERY: Final = object()
_STEP = re.compile(
    r"\.(?P<name>[^\W\d][\w-]*)|(?P<every>\.\*|\[\*\])|\[(?P<index>-?\d{1,9})\]"
    r"|\['(?P<single>(?:[^'\\]|\\.)*)'\]|\[\"(?P<double>(?:[^\"\\]|\\.)*)\"\]"
)


@dataclass(frozen=True)
class Steps:
    """A compiled path. ``many`` states whether it can lead to more than one place."""

    text: str
    steps: tuple[Any, ...]

    @property
    def many(self) -> bool:
        """Whether the path may lead to several values."""
        return _EVERY in self.steps

    def walk(self, root: Any) -> Walk:
        """Follow the path from ``root``."""
        walk = Walk()
        _follow(root, self.steps, "$", walk, inside=False)
        return walk


@dataclass
class Walk:
    """The result of a path: places with values, members without a value, all of these places in
    order, and whether the path exists up to the last ``*`` (so that an empty result means that
    there are no members).
    """

    found: list[tuple[str, Any]] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    order: list[str] = field(default_factory=list)
    reached: bool = False


class JsonText(str):
    """A text that holds JSON, such as a cell of a table: a path goes on into its ``value``."""

    __slots__ = ("value",)
    value: Any


def open_texts(value: Any, parse: Callable[[str], Any]) -> Any:
    """Return ``value`` with a `JsonText` for each of its texts that is an object or a list by
    ``parse``, which raises ``ValueError`` for others."""
    if isinstance(value, dict):
        return {key: open_texts(each, parse) for key, each in value.items()}
    if isinstance(value, list):
        return [open_texts(each, parse) for each in value]
    if not isinstance(value, str) or not value.strip().startswith(("{", "[")):
        return value
    text = JsonText(value)
    try:
        text.value = open_texts(parse(value), parse)
    except ValueError:
        return value
    return text


def compile_path(text: str) -> Steps:
    """Compile ``text``. Raises `ValueError` with the fault and its position."""
    if not text.startswith("$"):
        raise ValueError(f"a path begins with '$'; did you mean '$.{text}'?")
    steps: list[Any] = []
    place = 1
    while place < len(text):
        found = _STEP.match(text, place)
        if found is None:
            raise ValueError(_explain_syntax(text, place))
        place = found.end()
        if found["every"]:
            steps.append(_EVERY)
        elif found["index"]:
            steps.append(int(found["index"]))
        else:
            name = next(
                n for n in (found["name"], found["single"], found["double"]) if n is not None
            )
            steps.append(name if found["name"] else re.sub(r"\\(.)", r"\1", name))
    return Steps(text, tuple(steps))


def _explain_syntax(text: str, place: int) -> str:
    rest = text[place:]
    if rest.startswith(".."):
        return "'..' could find the same name elsewhere; write the complete path"
    if rest.startswith("[?"):
        return "a filter would leave members out; use [*] with 'fail-if' or 'missing'"
    return f"cannot be read from {rest!r} on; write .name, ['any name'], [0], .* or [*]"


def _follow(node: Any, steps: Sequence[Any], place: str, walk: Walk, *, inside: bool) -> None:
    if not steps:
        walk.reached = True
        walk.found.append((place, node))
        walk.order.append(place)
        return
    step, rest = steps[0], steps[1:]
    if isinstance(node, JsonText):
        node = node.value
    if step is _EVERY:
        if not isinstance(node, dict | list):
            _note(walk, place, inside)
            return
        walk.reached = walk.reached or _EVERY not in rest
        pairs = node.items() if isinstance(node, dict) else enumerate(node)
        for key, child in pairs:
            _follow(child, rest, f"{place}[{key!r}]", walk, inside=True)
    elif isinstance(step, int):
        if isinstance(node, list) and -len(node) <= step < len(node):
            _follow(node[step], rest, f"{place}[{step}]", walk, inside=inside)
        else:
            _note(walk, place, inside)
    elif isinstance(node, dict) and step in node:
        _follow(node[step], rest, f"{place}[{step!r}]", walk, inside=inside)
    else:
        _note(walk, place, inside)


def _note(walk: Walk, place: str, inside: bool) -> None:
    if inside:
        walk.missing.append(place)
        walk.order.append(place)
