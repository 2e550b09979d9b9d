"""Additions: "also" and "in addition", "both A and B" and "A as well as B"."""

from __future__ import annotations

from collections.abc import Iterator

from revkit.grammar import Token
from revkit_robustrev.guards import words
from revkit_robustrev.restructuring.view import Restructuring, Swap, View

_NO_ADDITION = words("only not but if when while although though whereas because since than both")
_FINITE = ("VBZ", "VBP", "VBD", "MD")
_NO_PAIR = words("between of")  # "the difference between both A and B", "both of"


def additions(view: View) -> Iterator[Restructuring]:
    """Every addition that can be expressed the other way."""
    yield from _also(view)
    yield from _both(view)


def _also(view: View) -> Iterator[Restructuring]:
    """ "The model is also fast" becomes "In addition, the model is fast"."""
    root, subject = view.root, view.subject
    if root is None or subject is None or not view.opens_with_subject:
        return
    also = next((t for t in view.parse.having(root, "advmod") if t.lower == "also"), None)
    span = view.parse.span(subject)
    if also is None or span is None or subject.index > 8 or also.index < span[1]:
        return
    if not root.index - 3 <= also.index <= root.index + 1:
        return
    first = view.tokens[0]
    if view.has_word(0, len(view.tokens), _NO_ADDITION) or view.parse.child(root, "neg"):
        return
    if view.parse.child(subject, "relcl", "conj", "acl") or first.pos == "VERB":
        return
    if any(token.text in (":", "(", "—") for token in view.tokens[: also.index]):
        return
    if root.tag not in _FINITE and not any(
        token.tag in _FINITE for token in view.parse.having(root, "aux", "auxpass")
    ):
        return
    if view.tokens[also.index + 1].pos not in ("VERB", "AUX", "DET", "ADJ", "ADP"):
        return
    yield Restructuring(
        "addition: also",
        (
            Swap(0, first.end, f"In addition, {view.lowered(0, 1)}"),
            Swap(view.tokens[also.index - 1].end, also.end, ""),
        ),
    )


def _both(view: View) -> Iterator[Restructuring]:
    """ "Uses both A and B" becomes "uses A as well as B"; not in a subject, whose number it could
    change, nor where a list is longer."""
    if view.has_word(0, len(view.tokens), words("respectively")):
        return
    for both in view.tokens[2 : view.stop]:
        if both.lower != "both" or both.dep not in ("preconj", "cc:preconj", "det", "cc"):
            continue
        one = view.tokens[both.head]
        other, joint = view.parse.child(one, "conj"), view.parse.child(one, "cc")
        if other is None or joint is None or joint.lower != "and" or joint.index < both.index:
            continue
        if one.dep in ("nsubj", "nsubjpass", "ROOT", "appos") or one.pos != other.pos:
            continue
        span = view.parse.span(other)
        if span is None or span[0] != joint.index + 1 or view.parse.child(other, "conj", "cc"):
            continue
        if not _simple(view, both, one, joint, other) or view.at(span[1]).tag in _FINITE:
            continue
        after = view.tokens[both.index + 1]
        yield Restructuring(
            "addition: both",
            (Swap(both.start, after.start, ""), Swap(joint.start, joint.end, "as well as")),
        )


def _simple(view: View, both: Token, one: Token, joint: Token, other: Token) -> bool:
    """Whether the first part is what lies between "both" and "and", without a pause."""
    inner = view.tokens[both.index + 1 : joint.index]
    if not inner or joint.index - both.index > 9 or one.pos not in ("NOUN", "PROPN", "ADJ", "ADP"):
        return False
    if any(token.text in ",;:()—" or token.lower in ("and", "or", "of") for token in inner):
        return False
    before = view.tokens[both.index - 1]
    if before.lower in _NO_PAIR or view.parse.child(one, "prep") not in (None, *inner):
        return False
    own = [each for each in view.parse.having(one, "det") if each.index != both.index]
    return bool(own) == bool(view.parse.having(other, "det")) or one.pos != "NOUN"
