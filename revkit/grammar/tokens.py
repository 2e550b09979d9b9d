"""Parsed sentences: tokens with place, lemma and tag, and the word on which each depends."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from revkit.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Token:
    """One token of a parsed text.

    ``start`` and ``end`` are offsets in the text of the parse. ``tag`` is a tag of the Penn
    Treebank ("VBZ"), ``pos`` one of Universal Dependencies ("VERB"), ``dep`` the label of the
    relation to the token with the index ``head`` ("nsubj"); a root is its own head.
    """

    index: int
    text: str
    start: int
    end: int
    lemma: str
    tag: str
    pos: str
    dep: str
    head: int

    @property
    def lower(self) -> str:
        """The token in lower case."""
        return self.text.lower()


@dataclass(frozen=True)
class Parse:
    """The dependency parse of one sentence. Tokens are in the order of the text."""

    text: str
    tokens: tuple[Token, ...]

    @cached_property
    def children(self) -> tuple[tuple[Token, ...], ...]:
        """Return, for each token, the tokens that depend on it directly, in the order of the
        text.
        """
        below: list[list[Token]] = [[] for _ in self.tokens]
        for token in self.tokens:
            if token.head != token.index:
                below[token.head].append(token)
        return tuple(tuple(tokens) for tokens in below)

    @cached_property
    def roots(self) -> tuple[Token, ...]:
        """Return the tokens that depend on no other token; exactly one if the parser finds one
        sentence.
        """
        return tuple(token for token in self.tokens if token.head == token.index)

    def child(self, token: Token, *deps: str) -> Token | None:
        """Return the first token below ``token`` with one of the relations ``deps``."""
        return next((below for below in self.children[token.index] if below.dep in deps), None)

    def having(self, token: Token, *deps: str) -> list[Token]:
        """Return all tokens directly below ``token`` with one of the relations ``deps``."""
        return [below for below in self.children[token.index] if below.dep in deps]

    def subtree(self, token: Token) -> list[Token]:
        """Return ``token`` and everything below it, in the order of the text."""
        return sorted(self._below(token), key=lambda below: below.index)

    def _below(self, token: Token) -> Iterator[Token]:
        waiting = [token]
        while waiting:
            current = waiting.pop()
            yield current
            waiting += self.children[current.index]

    def span(self, token: Token) -> tuple[int, int] | None:
        """Return the indices (first, after the last) of the subtree; None if it has a gap."""
        below = self.subtree(token)
        first, last = below[0].index, below[-1].index + 1
        return (first, last) if last - first == len(below) else None

    def words(self, first: int, last: int) -> str:
        """Return the text of the tokens from ``first`` to before ``last``, as written."""
        return self.text[self.tokens[first].start : self.tokens[last - 1].end]
