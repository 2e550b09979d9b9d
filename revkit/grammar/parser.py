"""The parser, which is loaded on first use and parses each sentence once."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from functools import cache
from typing import Protocol

from revkit.errors import RunError
from revkit.grammar.attribute_rules import index_rules
from revkit.grammar.files import REMEDY, checked_pipeline, find_pipeline
from revkit.grammar.parse_keeper import current_keeper
from revkit.grammar.tokens import Parse, Token

# Parses that are remembered: about forty papers. A parse of a sentence takes about 10 kB.
_REMEMBERED = 10_000
_LOCK = threading.Lock()
_PARSES: OrderedDict[str, Parse] = OrderedDict()


def parser_available() -> bool:
    """Return whether the optional parser is installed, without loading it."""
    return find_pipeline() is not None


def parsed(texts: Sequence[str]) -> list[Parse]:
    """Return the parse of each of ``texts``, one sentence each, in order.

    A sentence is parsed by itself, so its parse does not depend on its neighbours, and only once
    as long as it is remembered. A run also keeps parses in its store. Raises `RunError`, with the
    remedy, where the parser is not installed or its files are not the reviewed ones.
    """
    with _LOCK:
        missing = [text for text in dict.fromkeys(texts) if text not in _PARSES]
        for parse in _parses(missing):
            _PARSES[parse.text] = parse
        found = [_PARSES[text] for text in texts]
        for text in texts:
            _PARSES.move_to_end(text)
        while len(_PARSES) > _REMEMBERED:
            _PARSES.popitem(last=False)
    return found


def forget_parses() -> None:
    """Clear the cached parses, so that the next ones are computed: for measurements."""
    with _LOCK:
        _PARSES.clear()


class _SpacyToken(Protocol):
    i: int
    idx: int
    text: str
    lemma_: str
    tag_: str
    pos_: str
    dep_: str
    is_space: bool
    head: _SpacyToken

    def __len__(self) -> int: ...


def _parses(texts: Sequence[str]) -> list[Parse]:
    """Return the parses of ``texts`` in any order: those that are kept, and new ones."""
    keeper = current_keeper()
    if keeper is None or not texts:
        return _parse(texts)
    known = keeper.known(texts)
    new = _parse([text for text in texts if text not in known])
    if new:
        keeper.keep(new)
    return [*known.values(), *new]


def _parse(texts: Sequence[str]) -> list[Parse]:
    if not texts:
        return []
    return [
        _converted(text, list(document)) for text, document in zip(texts, _pipe(texts), strict=True)
    ]


def _pipe(texts: Sequence[str]) -> Sequence[Sequence[_SpacyToken]]:
    pipeline = _pipeline()
    return list(pipeline.pipe(texts, batch_size=64))  # type: ignore[attr-defined]


@cache
def _pipeline() -> object:
    folder = find_pipeline()
    if folder is None:
        raise RunError(f"the English parser is not installed; {REMEDY}")
    checked_pipeline(folder)
    import spacy

    pipeline = spacy.load(folder, exclude=["ner", "senter"])
    index_rules(pipeline.get_pipe("attribute_ruler"))
    return pipeline


def _converted(text: str, tokens: Sequence[_SpacyToken]) -> Parse:
    """Return a parse without white-space tokens: a token that depends on one is attached to its
    head.
    """
    places: dict[int, int] = {}
    for token in tokens:
        if not token.is_space:
            places[token.i] = len(places)
    kept = []
    for token in tokens:
        if token.is_space:
            continue
        head = token.head
        while head.is_space and head.head.i != head.i:
            head = head.head
        kept.append(
            Token(
                places[token.i],
                token.text,
                token.idx,
                token.idx + len(token),
                token.lemma_.lower(),
                token.tag_,
                token.pos_,
                token.dep_,
                places.get(head.i, places[token.i]),
            )
        )
    return Parse(text, tuple(kept))
