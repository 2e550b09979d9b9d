"""From a rubric in YAML to a `Criterion`, with the place and the remedy of every fault.

A rubric is one mapping of texts, so the YAML is read node by node: keys that stand twice, lists,
tags and anything else that a rubric cannot hold are told with their line, and nothing is built from
a tag.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from revkit.files import Unreadable, read_text
from revkit.model.criterion import Criterion
from revkit.options import unknown_name

if TYPE_CHECKING:
    import yaml

MOST_BYTES = 100_000
_MOST_LEVELS = 101
_KEYS = ("name", "family", "question", "levels", "instructions")
_REQUIRED = ("name", "question", "levels")
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_WHOLE = re.compile(r"[-+]?[0-9]{1,6}")

# What YAML makes of a plain scalar by itself; any other tag was written.
_PLAIN = {
    f"tag:yaml.org,2002:{kind}" for kind in ("str", "int", "float", "bool", "null", "timestamp")
}


class RubricProblem(ValueError):
    """A file is no rubric; the text says what is wrong, where, and what to do."""


def read_rubric(path: str) -> Criterion:
    """The criterion that the YAML file at ``path`` holds. Raises `RubricProblem`."""
    try:
        text = read_text(path, MOST_BYTES)
    except Unreadable as error:
        raise RubricProblem(str(error)) from None
    try:
        return parse_rubric(text)
    except RubricProblem as error:
        raise RubricProblem(f"{path}: {error}") from None


@functools.lru_cache(maxsize=64)
def parse_rubric(text: str) -> Criterion:
    """The criterion that ``text``, a rubric in YAML, stands for. Raises `RubricProblem`."""
    import yaml

    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        told = " ".join(str(error).split())[:200]
        raise RubricProblem(f"is no YAML: {told}") from None
    if root is None:
        raise RubricProblem("is empty; a rubric has the keys " + ", ".join(_KEYS))
    nodes = _mapping(root, "the rubric")
    for key, (at, _) in nodes.items():
        if key not in _KEYS:
            raise RubricProblem(f"{_line(at)}: {unknown_name('key', key, _KEYS)}")
    missing = [key for key in _REQUIRED if key not in nodes]
    if missing:
        raise RubricProblem(f"the key {missing[0]!r} is missing; a rubric needs {_listed()}")
    texts = {key: _text(nodes[key][1], key) for key in _KEYS if key in nodes and key != "levels"}
    if not _NAME.fullmatch(texts["name"]):
        place = _line(nodes["name"][1])
        raise RubricProblem(
            f"{place}: name: expected lower-case words joined by '-', not {texts['name']!r}"
        )
    return Criterion(levels=_levels(nodes["levels"][1]), **texts)


def _listed() -> str:
    return ", ".join(_REQUIRED)


def _line(node: yaml.Node) -> str:
    return f"line {node.start_mark.line + 1}"


def _mapping(node: yaml.Node, what: str) -> Mapping[str, tuple[yaml.Node, yaml.Node]]:
    """The nodes of a mapping's keys and values by the keys' text."""
    import yaml

    if not isinstance(node, yaml.MappingNode):
        raise RubricProblem(f"{_line(node)}: {what}: expected a mapping ('key: value')")
    found: dict[str, tuple[yaml.Node, yaml.Node]] = {}
    for key, value in node.value:
        if not isinstance(key, yaml.ScalarNode):
            raise RubricProblem(f"{_line(key)}: {what}: a key must be a word or a number")
        if key.value in found:
            raise RubricProblem(f"{_line(key)}: {what}: the key {key.value!r} stands twice")
        found[key.value] = key, value
    return found


def _text(node: yaml.Node, place: str) -> str:
    """The text of a scalar as it was written, so that `name: 5` or `yes` loses nothing."""
    import yaml

    null = "tag:yaml.org,2002:null"
    if isinstance(node, yaml.ScalarNode) and node.tag not in _PLAIN:
        raise RubricProblem(f"{_line(node)}: {place}: has the tag {node.tag[:60]!r}; leave it out")
    if not isinstance(node, yaml.ScalarNode):
        raise RubricProblem(
            f"{_line(node)}: {place}: expected text; put it in quotes, or below '{place}: |'"
        )
    if node.tag == null or not str(node.value).strip():
        raise RubricProblem(f"{_line(node)}: {place}: is empty; write its text")
    return str(node.value).strip()


def _levels(node: yaml.Node) -> tuple[tuple[int, str], ...]:
    found: list[tuple[int, str]] = []
    for key, (at, value) in _mapping(node, "levels").items():
        if not _WHOLE.fullmatch(key):
            raise RubricProblem(
                f"{_line(at)}: levels: expected whole numbers such as 1 to 5, not {key!r}"
            )
        found.append((int(key), _text(value, f"levels.{key}")))
    scores = [score for score, _ in found]
    if len(set(scores)) < len(scores):
        raise RubricProblem(f"{_line(node)}: levels: two keys are the same number")
    if not 2 <= len(found) <= _MOST_LEVELS:
        raise RubricProblem(
            f"{_line(node)}: levels: expected 2 to {_MOST_LEVELS} levels, not {len(found)}"
        )
    return tuple(sorted(found))
