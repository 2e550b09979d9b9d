"""Links between clauses: "although" and "but", "leading to" and "which leads to"."""

from __future__ import annotations

from collections.abc import Iterator

from revkit.english import capitalise
from revkit.grammar import Token
from revkit_robustrev.guards import words
from revkit_robustrev.restructuring.inflection import finite_form, gerund
from revkit_robustrev.restructuring.view import PRONOUNS, Restructuring, Swap, View

_RESULTING = words(
    "lead result make allow enable suggest indicate demonstrate show highlight ensure cause reveal"
    " mean imply confirm yield provide facilitate require limit prevent permit"
)


def links(view: View) -> Iterator[Restructuring]:
    """Every link that can be expressed the other way without a doubt about its ends."""
    if view.root is None or view.subject is None:
        return
    yield from _but(view, view.root)
    yield from _however(view, view.root)
    yield from _although(view, view.root, view.subject)
    yield from _which(view, view.root)


def _but(view: View, root: Token) -> Iterator[Restructuring]:
    """ "A is B, but C is D" becomes "Although A is B, C is D"."""
    second = view.parse.child(root, "conj")
    if second is None or not view.opens_with_subject or view.parse.child(second, "conj"):
        return
    subject = view.parse.child(second, "nsubj", "nsubjpass")
    if subject is None:
        return
    start = view.first(subject)
    comma, joint = view.tokens[start - 2], view.tokens[start - 1]
    if start < 6 or comma.text != "," or joint.lower != "but" or joint.head != root.index:
        return
    if any(token.text in (":", ";", "—") for token in view.tokens) or start > 28:
        return
    if view.has_word(
        0, start - 2, words("not although though while if only but whether first where which")
    ):
        return
    yield Restructuring(
        "link: but to although",
        (
            Swap(0, view.tokens[0].end, f"Although {view.lowered(0, 1)}"),
            Swap(comma.end, joint.end, ""),
        ),
    )


_POINTING = PRONOUNS - words("this that these those each both other same so here")


def _however(view: View, root: Token) -> Iterator[Restructuring]:
    """ "A is B, but C is D" becomes "A is B; however, C is D"."""
    second = view.parse.child(root, "conj")
    if second is None or view.parse.child(second, "conj") or second.tag not in _FINITE:
        return
    subject = view.parse.child(second, "nsubj", "nsubjpass", "expl")
    if subject is None:
        return
    start = view.first(subject)
    comma, joint = view.tokens[start - 2], view.tokens[start - 1]
    if start < 6 or comma.text != "," or joint.lower != "but" or joint.head != root.index:
        return
    if any(token.text in (":", ";", "—", "–", "(") for token in view.tokens):
        return
    if view.has_word(
        0, len(view.tokens), words("not only although though while however whether where")
    ):
        return
    yield Restructuring("link: but to however", (Swap(comma.start, joint.end, "; however,"),))


_FINITE = ("VBZ", "VBP", "VBD", "MD")


def _although(view: View, root: Token, subject: Token) -> Iterator[Restructuring]:
    """ "Although A is B, C is D" becomes "A is B, but C is D"."""
    mark = view.tokens[0]
    if mark.text not in ("Although", "Though", "While"):
        return
    clause = view.parse.tokens[mark.head]
    span = view.parse.span(clause)
    own = view.parse.child(clause, "nsubj", "nsubjpass")
    if clause.dep != "advcl" or clause.head != root.index or span is None or own is None:
        return
    if span[0] != 0 or view.first(own) != 1 or view.tokens[span[1]].text != ",":
        return
    if view.first(subject) != span[1] + 1 or view.parse.child(clause, "conj"):
        return
    if view.has_word(1, span[1], _POINTING):
        return  # "While it is useful, the method": what "it" is comes after it
    comma, opening = view.tokens[span[1]], view.tokens[1]
    yield Restructuring(
        f"link: {mark.lower} to but",
        (
            Swap(0, opening.end, capitalise(view.written(1, 2))),
            Swap(comma.end, comma.end, " but"),
        ),
    )


def _which(view: View, root: Token) -> Iterator[Restructuring]:
    """ "A is B, leading to C" becomes "A is B, which leads to C", and back."""
    for token in view.tokens[6:]:
        before = view.tokens[token.index - 1]
        if token.lemma not in _RESULTING:
            continue
        if token.tag == "VBG" and before.text == "," and token.dep == "advcl":
            if token.head != root.index or view.parse.child(token, "nsubj", "conj", "mark"):
                continue
            if view.tokens[token.head].index > token.index or not view.opens_with_subject:
                continue
            if any(t.text == "," for t in view.tokens[: token.index - 1]):
                continue
            does = finite_form(token.lemma, False, root.tag == "VBD")
            if does is not None:
                yield Restructuring(
                    f"link: {token.lower} to which",
                    (Swap(token.start, token.end, f"which {does}"),),
                )
        elif token.tag == "VBZ" and before.lower == "which" and token.dep == "relcl":
            comma = view.tokens[token.index - 2]
            doing = gerund(token.lemma)
            if comma.text != "," or doing is None or view.parse.child(token, "conj", "neg"):
                continue
            span = view.parse.span(token)
            if span is None or span[1] != view.stop:
                continue
            if any(t.text == "," for t in view.tokens[: token.index - 2]):
                continue
            yield Restructuring(f"link: which to {doing}", (Swap(before.start, token.end, doing),))


def reasons(view: View) -> Iterator[Restructuring]:
    """ "Since A is B" becomes "Because A is B" where the tense shows that no time is meant."""
    for mark in view.tokens[:-4]:
        if mark.lower not in ("since", "because") or mark.dep != "mark":
            continue
        clause = view.tokens[mark.head]
        own = view.parse.child(clause, "nsubj", "nsubjpass", "expl")
        if clause.dep != "advcl" or own is None or clause.index < mark.index:
            continue
        helping = view.parse.having(clause, "aux", "auxpass")
        tags = {token.tag for token in (clause, *helping)}
        if not tags & {"VBZ", "VBP", "MD"} or "VBD" in tags:
            continue
        before = view.tokens[mark.index - 1] if mark.index else None
        if before is not None and before.text != ",":
            continue
        for word in ("because", "as"):
            if word != mark.lower and not (word == "as" and view.at(mark.index + 1).tag == "VBZ"):
                new = capitalise(word) if mark.index == 0 else word
                yield Restructuring(
                    f"reason: {mark.lower} to {word}", (Swap(mark.start, mark.end, new),)
                )
