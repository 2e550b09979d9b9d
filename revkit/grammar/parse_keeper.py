"""Parses that are kept for longer than this process, for example in the store of a run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol

from revkit.grammar.tokens import Parse


class ParseKeeper(Protocol):
    """Returns the parses of sentences that it has, and keeps new ones."""

    def known(self, texts: Sequence[str]) -> Mapping[str, Parse]:
        """Return the parses that are kept, by sentence; sentences without one are left out."""
        ...

    def keep(self, parses: Sequence[Parse]) -> None:
        """Keep new parses."""
        ...


_KEEPER: ContextVar[ParseKeeper | None] = ContextVar("keeper", default=None)


@contextmanager
def parses_kept_by(keeper: ParseKeeper | None) -> Iterator[None]:
    """Let `parsed` ask ``keeper`` before it parses, in this thread; None changes nothing."""
    if keeper is None:
        yield
        return
    token = _KEEPER.set(keeper)
    try:
        yield
    finally:
        _KEEPER.reset(token)


def current_keeper() -> ParseKeeper | None:
    """Return the keeper of this thread."""
    return _KEEPER.get()
