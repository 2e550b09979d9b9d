"""Compare what the negations of two parses deny."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from revkit.grammar import Parse, Token
from revkit.meaning.change import MeaningChange
from revkit.meaning.denials import denying_phrases, may_deny, necessity_reversed, negation_idles
from revkit.meaning.words import Words, family

_CONTENT = frozenset(("NOUN", "PROPN", "ADJ", "VERB"))
_NOT = frozenset(("not", "n't", "n’t", "never", "cannot"))
_COMPLEMENTS = ("acomp", "attr", "oprd")
_AFTER = 60  # characters after a phrase such as "instead of" that it can deny
_LIGHT = frozenset(("be", "have", "do", "need", "seem", "make", "give", "show", "use", "take"))


def scope_changes(old: Words, new: Words, parses: tuple[Parse, Parse]) -> list[MeaningChange]:
    """Return words that one sentence denies directly ("is not differentiable") and the other one
    states outside the scope of every word that may deny.

    Only words that occur once in both sentences are compared.
    """
    counts = [Counter(word.family for word in words.all) for words in (old, new)]
    found = []
    for this, that in ((0, 1), (1, 0)):
        text = parses[this].text
        if negation_idles(text) or necessity_reversed(text, parses[that].text):
            continue
        near = _open(parses[that])
        found += [
            MeaningChange("negation", f"{word} is denied in one sentence")
            for word in sorted(_denied(parses[this]))
            if counts[this][word] == counts[that][word] == 1 and word not in near
        ]
    return found


def _denied(parse: Parse) -> set[str]:
    """Return the words that "not" or "no" denies directly."""
    found = set()
    for token in parse.tokens:
        if token.lower in _NOT and token.dep == "neg":
            head = parse.tokens[token.head]
            found |= {head, *parse.having(head, *_COMPLEMENTS)}
        elif token.lower == "no" and token.dep == "det":
            found.add(parse.tokens[token.head])
    return {
        family(token.lower)
        for token in found
        if token.pos in _CONTENT and token.lemma not in _LIGHT
    }


def _open(parse: Parse) -> set[str]:
    """Return the words that any word which may deny can reach: its clause and all below it."""
    found = set()
    for token in parse.tokens:
        if may_deny(token.lower) or token.lower in _NOT:
            found |= {family(each.lower) for each in _reach(parse, token)}
    for _, end in denying_phrases(parse.text):
        found |= {family(each.lower) for each in parse.tokens if 0 <= each.start - end < _AFTER}
    return found


def _reach(parse: Parse, token: Token) -> Iterator[Token]:
    head = parse.tokens[token.head]
    for _ in range(2):
        if head.pos in ("VERB", "AUX") or head.head == head.index:
            break
        head = parse.tokens[head.head]
    yield from parse.subtree(head)
    yield head
