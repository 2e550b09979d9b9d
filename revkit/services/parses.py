"""Parses as a service: each sentence of a run is parsed once, and its parse is stored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import accumulate
from sys import intern
from typing import Any

from revkit.cache import KeyBase, Store
from revkit.grammar import Parse, Token, parser_identity
from revkit.model.values import Json, digest_of, digest_of_text

_FORMAT = 1
_FIELDS = {"starts", "lengths", "lemmas", "tags", "pos", "deps", "heads"}


class StoredParses:
    """Keeps parses in ``store``, by the sentence and the identity of the parser.

    ``parsed`` counts the sentences that were parsed and not read.
    """

    def __init__(self, store: Store) -> None:
        self.parsed = 0
        self._store = store

    def known(self, texts: Sequence[str]) -> Mapping[str, Parse]:
        """Return the stored parses, by sentence."""
        found = {}
        for text in texts:
            if (body := self._store.get_json(self._key(text))) is not None:
                found[text] = parse_from_json(text, body)
        return found

    def keep(self, parses: Sequence[Parse]) -> None:
        """Store new parses."""
        for parse in parses:
            self._store.put_json(self._key(parse.text), parse_to_json(parse))
        self.parsed += len(parses)

    @cached_property
    def _base(self) -> KeyBase:
        # Only when asked for: the identity of the parser reads its files.
        return KeyBase(
            digest_of({"format": _FORMAT, "record": "parse", "parser": parser_identity()})
        )

    def _key(self, text: str) -> bytes:
        return self._base.item(digest_of_text(text))


def parse_to_json(parse: Parse) -> Json:
    """Return ``parse`` without its text: one list for each field of its tokens."""
    tokens = parse.tokens
    starts = [token.start for token in tokens]
    return {
        # differences, which are small numbers: they pack better
        "starts": [one - before for one, before in zip(starts, [0, *starts], strict=False)],
        "lengths": [token.end - token.start for token in tokens],
        "lemmas": [token.lemma for token in tokens],
        "tags": [token.tag for token in tokens],
        "pos": [token.pos for token in tokens],
        "deps": [token.dep for token in tokens],
        "heads": [token.head - token.index for token in tokens],
    }


def is_parse(body: Any) -> bool:
    """Whether a stored value is what `parse_to_json` makes of a parse."""
    return isinstance(body, dict) and body.keys() == _FIELDS


def parse_from_json(text: str, body: Any) -> Parse:
    """Return the parse of ``text`` from what `parse_to_json` made of it."""
    rows = zip(
        accumulate(body["starts"]),
        body["lengths"],
        body["lemmas"],
        map(intern, body["tags"]),
        map(intern, body["pos"]),
        map(intern, body["deps"]),
        body["heads"],
        strict=True,
    )
    return Parse(
        text,
        tuple(
            Token(
                index,
                text[start : start + length],
                start,
                start + length,
                lemma,
                tag,
                pos,
                dep,
                index + head,
            )
            for index, (start, length, lemma, tag, pos, dep, head) in enumerate(rows)
        ),
    )
