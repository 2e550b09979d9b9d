"""A small grammar for sentences: a template with slots and choices, a voice, and a random
generator.

A template is text with these marks::

    {task}                a word of the paper by name, or one of several
    <a|b|c>               one of them, each as likely
    <may help~helps>      the hedged wording left, the plain one right
    <utilize^use>         the academic wording left, the plain one right
    @a {part}             "a" or "an", as the next word sounds

Choices nest, ``|`` binds closer than the other two, and $formulas$ are left alone. How often the
left side wins is the paper's `Voice`.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TypeAlias

from revkit.dataclass import dataclass
from revkit.english import capitalise

Words: TypeAlias = Mapping[str, str | Sequence[str]]
Draw: TypeAlias = Callable[[], float]
Node: TypeAlias = "str | Slot | Choice"

_TOKEN = re.compile(r"\$[^$]+\$|[<>|~^]|\{[A-Za-z0-9_]+\}|[^<>|~^{}$]+")
_ARTICLE = re.compile(r"@a (?=(\W*)(\w))")
_MARKS = "|~^"


@dataclass(frozen=True, slots=True)
class Slot:
    """A slot that is filled with a word of the paper."""

    name: str


@dataclass(frozen=True, slots=True)
class Choice:
    """Alternatives; ``kind`` is the character between them."""

    kind: str
    options: tuple[tuple[Node, ...], ...]


@dataclass(frozen=True, slots=True)
class Voice:
    """The style of one author: the share of hedged and of academic wordings, each in [0, 1]."""

    hedging: float
    vocabulary: float


@cache
def compiled(template: str) -> tuple[Node, ...]:
    """Return the parse of ``template``. Raises `ValueError` if its brackets do not match."""
    nodes, rest = _sequence(_TOKEN.findall(template), 0)
    if rest != len(_TOKEN.findall(template)):
        raise ValueError(f"unbalanced template: {template!r}")
    return nodes


def _sequence(tokens: Sequence[str], at: int) -> tuple[tuple[Node, ...], int]:
    nodes: list[Node] = []
    while at < len(tokens) and tokens[at] not in _MARKS and tokens[at] != ">":
        token = tokens[at]
        if token == "<":
            choice, at = _choice(tokens, at + 1)
            nodes.append(choice)
            continue
        nodes.append(Slot(token[1:-1]) if token[0] == "{" else token)
        at += 1
    return tuple(nodes), at


def _choice(tokens: Sequence[str], at: int) -> tuple[Choice, int]:
    sides: list[list[tuple[Node, ...]]] = [[]]
    voice = ""
    while True:
        option, at = _sequence(tokens, at)
        sides[-1].append(option)
        if at == len(tokens):
            raise ValueError(f"a choice is not closed: {''.join(tokens)!r}")
        if tokens[at] == ">":
            break
        if tokens[at] != "|":
            voice += tokens[at]
            sides.append([])
        at += 1
    if len(voice) > 1:
        raise ValueError(f"a choice has two voice marks: {''.join(tokens)!r}")
    if not voice:
        return Choice("|", tuple(sides[0])), at + 1
    either = (side[0] if len(side) == 1 else (Choice("|", tuple(side)),) for side in sides)
    return Choice(voice, tuple(either)), at + 1


def write(template: str, words: Words, voice: Voice, rng: random.Random) -> str:
    """Return one sentence from ``template``, with a capital letter at its start."""
    parts: list[str] = []
    _expand(compiled(template), words, voice, rng.random, parts)
    text = "".join(parts)
    if "@a" in text:
        text = _ARTICLE.sub(lambda m: "an " if m[2] in "aeiouAEIO" else "a ", text)
    return capitalise(text)


def _expand(
    nodes: tuple[Node, ...],
    words: Words,
    voice: Voice,
    draw: Draw,
    parts: list[str],
) -> None:
    for node in nodes:
        if isinstance(node, str):
            parts.append(node)
        elif isinstance(node, Slot):
            word = words[node.name]
            parts.append(word if isinstance(word, str) else word[int(draw() * len(word))])
        else:
            if node.kind == "|":
                index = int(draw() * len(node.options))
            else:
                share = voice.hedging if node.kind == "~" else voice.vocabulary
                index = 0 if draw() < share else 1
            _expand(node.options[index], words, voice, draw, parts)
