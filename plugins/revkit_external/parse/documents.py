"""A document: the text of an answer, parsed by its format."""

from __future__ import annotations

import json
import math
import re
from functools import cached_property
from typing import Any

from revkit.dataclass import dataclass
from revkit_external.parse.trouble import ReadingError, excerpt

_MARKER = re.compile(r"(?:[-*+]|\d{1,9}[.)])\s+")
FORMATS = ("json", "jsonl", "markdown", "text")


@dataclass(frozen=True)
class Document:
    """The text of an answer, and its value if the format is JSON."""

    text: str
    format: str
    data: Any = None

    @property
    def is_json(self) -> bool:
        """Whether the output is JSON or JSON Lines."""
        return self.format in ("json", "jsonl")

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        """Return the sections of Markdown text, in order."""
        return _sections(self.text)


@dataclass(frozen=True)
class Section:
    """A heading and the text below it, up to the next heading of the same or a higher level."""

    title: str
    level: int
    line: int
    text: str
    items: tuple[str, ...]


def parse(text: str, format: str) -> Document:
    """Parse ``text``. Raises `ReadingError` of kind "unparseable", which states the position of the
    fault.
    """
    if not text.strip():
        raise ReadingError("unparseable", "parse: the output is empty")
    if format == "json":
        return Document(text, format, _json(text, "parse: no JSON"))
    if format == "jsonl":
        lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
        rows = [_json(line, f"parse: no JSON in line {number}") for number, line in lines]
        return Document(text, format, rows)
    return Document(text, format)


def _json(text: str, what: str) -> Any:
    try:
        return json_of_tool(text)
    except ValueError as error:
        raise ReadingError(
            "unparseable", f"{what}: {error}; it begins {excerpt(text, 60)}{_remedy(text)}"
        ) from None


def _remedy(text: str) -> str:
    """What to set if the text holds JSON, but not alone or not once; "" if it holds none."""
    lines = [line for line in text.split("\n") if line.strip()]
    if len(lines) > 1 and all(_starts_json(line) == len(line.rstrip()) for line in lines):
        return "; each line is JSON: set output.format to jsonl"
    starts = [place for sign in "{[" if (place := text.find(sign)) >= 0]
    if any(_starts_json(text[place:]) for place in starts):
        return "; it holds JSON and other text: select the JSON by a pattern in output.cut"
    return ""


def _starts_json(text: str) -> int:
    """The length of the JSON object or list at the start of ``text``; 0 if there is none."""
    try:
        value, length = _DECODER.raw_decode(text)
    except (ValueError, RecursionError):
        return 0
    return length if isinstance(value, dict | list) else 0


def json_of_tool(text: str) -> Any:
    """Return the JSON value of ``text``.

    NaN, infinity and numbers beyond floats stay text, so that they are a fault only if a field
    reads them: tools write them for what they do not know. Raises ``ValueError`` for other faults,
    an object that names a key twice and too deep nesting among them.
    """
    try:
        return json.loads(
            text, parse_constant=str, parse_float=_number, object_pairs_hook=_distinct
        )
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _number(digits: str) -> float | str:
    number = float(digits)
    return number if math.isfinite(number) else digits


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        names = [name for name, _ in pairs]
        twice = sorted({name for name in names if names.count(name) > 1})
        raise ValueError(f"an object names {twice[0]!r} twice")
    return value


_DECODER = json.JSONDecoder(object_pairs_hook=_distinct)


def _sections(text: str) -> tuple[Section, ...]:
    from markdown_it import MarkdownIt

    tokens = MarkdownIt("commonmark").parse(text)
    lines = text.split("\n")
    heads = [
        (index, token)
        for index, token in enumerate(tokens)
        if token.type == "heading_open" and token.level == 0 and token.map
    ]
    found = []
    for number, (index, token) in enumerate(heads):
        level = int(token.tag[1])
        stop = next((i for i, t in heads[number + 1 :] if int(t.tag[1]) <= level), len(tokens))
        first = token.map[1] if token.map else 0
        ending = tokens[stop].map if stop < len(tokens) else None
        last = ending[0] if ending else len(lines)
        items = tuple(
            _text_of(lines, each.map)
            for each in tokens[index:stop]
            if each.type == "list_item_open" and each.level == 1
        )
        title = _plain(tokens[index + 1])
        body = "\n".join(lines[first:last]).strip()
        found.append(Section(title, level, (token.map or [0])[0] + 1, body, items))
    return tuple(found)


def _plain(token: Any) -> str:
    return "".join(
        child.content if child.type in ("text", "code_inline") else " "
        for child in token.children or ()
        if child.type in ("text", "code_inline", "softbreak")
    ).strip()


def _text_of(lines: list[str], span: list[int] | None) -> str:
    first, last = span or (0, 0)
    text = "\n".join(lines[first:last]).strip()
    return (text[found.end() :] if (found := _MARKER.match(text)) else text).strip()
