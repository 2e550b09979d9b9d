"""Adverbs and phrases of manner: "efficiently" and "in an efficient manner"."""

from __future__ import annotations

from collections.abc import Iterator

from revkit.grammar import Token
from revkit_robustrev.restructuring.view import Restructuring, Swap, View

_MANNERS = {
    "efficiently": "in an efficient manner", "automatically": "in an automatic manner",
    "iteratively": "in an iterative manner",
    "sequentially": "in a sequential manner", "recursively": "in a recursive manner",
    "adaptively": "in an adaptive manner", "dynamically": "in a dynamic manner",
    "hierarchically": "in a hierarchical manner", "incrementally": "in an incremental manner",
    "accurately": "with high accuracy", "gradually": "step by step",
    "randomly": "at random", "manually": "by hand", "carefully": "with care",
    "simultaneously": "at the same time", "greedily": "in a greedy manner",
}  # fmt: skip
_EXTENTS = {
    "heavily": "to a great extent",
}  # fmt: skip
PHRASES = {**_MANNERS, **_EXTENTS}
_CLOSING = (".", ",", ";")
_STRONG = ("rely", "depend", "influence", "affect", "vary", "differ", "overlap", "correlate")


def manners(view: View) -> Iterator[Restructuring]:
    """Every adverb of manner or degree that can be a phrase behind its verb."""
    if view.root is None:
        return
    for token in view.tokens[1 : view.stop]:
        phrase = PHRASES.get(token.lower)
        if phrase is None or token.dep != "advmod" or view.tokens[token.head].pos != "VERB":
            continue
        if view.parse.children[token.index] or token.text[0].isupper():
            continue
        yield from _placed(view, token, phrase)


def _placed(view: View, adverb: Token, phrase: str) -> Iterator[Restructuring]:
    verb = view.tokens[adverb.head]
    if view.parse.child(verb, "neg", "xcomp", "ccomp", "dative", "prt", "oprd", "agent"):
        return
    if len(view.parse.having(verb, "advmod")) > 1 or view.parse.child(verb, "conj"):
        return
    if adverb.lower in ("strongly", "heavily") and verb.lemma not in _STRONG:
        return
    name = f"manner: {adverb.lower}"
    after = view.at(adverb.index + 1)
    if adverb.index == verb.index + 1 or (
        adverb.index > verb.index and view.tokens[adverb.index - 1].pos in ("NOUN", "PROPN")
    ):
        if after.text in _CLOSING:
            yield Restructuring(name, (Swap(adverb.start, adverb.end, phrase),))
        return
    if adverb.index != verb.index - 1:
        return
    end = _end(view, verb)
    if end is not None:
        yield Restructuring(
            name,
            (
                Swap(adverb.start, verb.start, ""),
                Swap(view.tokens[end - 1].end, view.tokens[end - 1].end, f" {phrase}"),
            ),
        )


def _end(view: View, verb: Token) -> int | None:
    """Where a phrase can be put behind a verb and its object; None where it could be taken for a
    part of something else."""
    thing = view.parse.child(verb, "dobj")
    end = verb.index + 1
    if thing is not None:
        span = view.parse.span(thing)
        if span is None or span[0] != end or span[1] - span[0] > 7:
            return None
        if view.below(thing, ("relcl", "acl", "conj", "appos", "prep"), span[1]):
            return None
        end = span[1]
    elif verb.tag != "VBN" or verb.dep in ("acl", "amod"):
        return None
    if end >= len(view.tokens) or view.at(end).text not in _CLOSING:
        return None  # "models structure in an effective way in images"
    return end
