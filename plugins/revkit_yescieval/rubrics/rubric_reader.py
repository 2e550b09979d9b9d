"""Read a rubric in YAML as a `Criterion`, with the place and the remedy of every fault."""

from __future__ import annotations

import functools
import re

from revkit.errors import SpecError
from revkit.files import Unreadable, YamlValue, parse_source, read_text
from revkit.model.criterion import Criterion

MOST_BYTES = 100_000
_MOST_LEVELS = 101
_KEYS = ("name", "family", "question", "levels", "instructions")
_REQUIRED = ("name", "question", "levels")
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_WHOLE = re.compile(r"[-+]?[0-9]{1,6}")


class RubricProblem(ValueError):
    """A file does not contain a rubric; the text states the fault, its place and the remedy."""


def read_rubric(path: str) -> Criterion:
    """Return the criterion in the YAML file at ``path``. Raises `RubricProblem`."""
    try:
        text = read_text(path, MOST_BYTES)
    except Unreadable as error:
        raise RubricProblem(str(error)) from None
    return parse_rubric(text, path)


@functools.lru_cache(maxsize=64)
def parse_rubric(text: str, name: str = "") -> Criterion:
    """Return the criterion that ``text``, a rubric in YAML, describes. Raises `RubricProblem` with
    the place of the fault; ``name`` is the name of the file in it.
    """
    try:
        parts = parse_source(text, name).root.mapping(_KEYS, _REQUIRED)
        texts = {key: _text(part) for key, part in parts.items() if key != "levels"}
        if not _NAME.fullmatch(texts["name"]):
            raise parts["name"].error(
                f"expected lower-case words joined by '-', not {texts['name']!r}"
            )
        return Criterion(levels=_levels(parts["levels"]), **texts)
    except SpecError as error:
        raise RubricProblem(str(error)) from None


def _text(part: YamlValue) -> str:
    """Return the text of a scalar as written, so that `name: 5` or `yes` stays unchanged."""
    text = "" if part.value is None else part.text().strip()
    if not text:
        raise part.error("is empty; write its text")
    return text


def _levels(part: YamlValue) -> tuple[tuple[int, str], ...]:
    levels: list[tuple[int, str]] = []
    for key, value in part.mapping().items():
        if not _WHOLE.fullmatch(key):
            text = f"expected whole numbers such as 1 to 5, not {key!r}"
            raise value.error(text, at_key=True)
        levels.append((int(key), _text(value)))
    if len({score for score, _ in levels}) < len(levels):
        raise part.error("two keys are the same number")
    if not 2 <= len(levels) <= _MOST_LEVELS:
        raise part.error(f"expected 2 to {_MOST_LEVELS} levels, not {len(levels)}")
    return tuple(sorted(levels))
