"""Clauses with another form: conditions, existence, definitions, and what "we" do before."""

from __future__ import annotations

from collections.abc import Iterator

from revkit.english import capitalise
from revkit.grammar import Token
from revkit_robustrev.guards import words
from revkit_robustrev.restructuring.inflection import gerund, participle
from revkit_robustrev.restructuring.view import Restructuring, Swap, View

_FINITE = ("VBZ", "VBP", "VBD", "MD")


def clauses(view: View) -> Iterator[Restructuring]:
    """Every clause that has another form."""
    root, subject = view.root, view.subject
    if root is None or len(view.tokens) < 7:
        return
    yield from _exists(view, root)
    if subject is not None:
        yield from _we_first(view, root, subject)
        yield from _conditions(view, root)
        yield from _then(view, root)
    for token in view.tokens[1:-3]:
        yield from _definitions(view, token)
        yield from _states(view, token)


def _exists(view: View, root: Token) -> Iterator[Restructuring]:
    """ "There is a gap between A and B" becomes "A gap exists between A and B"."""
    thing = view.parse.child(root, "attr")
    if view.tokens[0].text != "There" or root.index != 1 or root.lower not in ("is", "are"):
        return
    if thing is None or thing.tag not in ("NN", "NNS") or thing.index > 8:
        return
    first, after = view.tokens[2], view.at(thing.index + 1)
    if view.first(thing) != 2 or not first.text.isalpha() or thing.lower in _VAGUE:
        return
    if first.lower in ("no", "little", "few", "not", "nothing", "only", "also", "still", "more"):
        return
    if after.lower not in ("between", "in", "to", "for", "among") or view.parse.child(root, "conj"):
        return
    if view.parse.child(thing, "conj", "relcl") or first.pos in ("PRON", "ADV"):
        return
    does = "exist" if root.lower == "are" else "exists"
    yield Restructuring(
        "existence: exists",
        (Swap(0, first.end, capitalise(first.text)), Swap(thing.end, thing.end, f" {does}")),
    )


_VAGUE = words("need lot doubt reason reasons chance way")
_NOT_WE = words("be have")


def _we_first(view: View, root: Token, subject: Token) -> Iterator[Restructuring]:
    """ "After training the model, we test it" becomes "Once we have trained the model, we"."""
    opening, doing = view.tokens[0], view.tokens[1]
    if subject.lower != "we" or doing.tag != "VBG" or doing.lemma in _NOT_WE:
        return
    if opening.text not in ("After", "Before", "When") or subject.index == 0:
        return
    comma = view.tokens[subject.index - 1]
    if comma.text != "," or view.parse.child(doing, "nsubj", "conj", "neg"):
        return
    if doing.dep not in ("pcomp", "advcl") or view.parse.child(doing, "dobj") is None:
        return
    if any(token.lower == "we" for token in view.tokens[1 : subject.index]):
        return
    done = participle(doing.lemma)
    past = root.tag == "VBD"
    if done is None:
        return
    if opening.text == "After":
        text = f"Once we {'had' if past else 'have'} {done}"
    elif past:
        return
    else:
        text = f"{opening.text} we {doing.lemma}"
    yield Restructuring(f"clause: {opening.lower} we do", (Swap(opening.start, doing.end, text),))


def _conditions(view: View, root: Token) -> Iterator[Restructuring]:
    """ "If the loss is large, A" becomes "In cases where the loss is large, A"."""
    mark = view.tokens[0]
    clause = view.tokens[mark.head]
    if mark.text not in ("If", "When") or clause.dep != "advcl" or clause.head != root.index:
        return
    own = view.parse.child(clause, "nsubj", "nsubjpass")
    span = view.parse.span(clause)
    if own is None or own.pos != "NOUN" or span is None or span[0] != 0:
        return
    if view.has_word(0, len(view.tokens), words("then only else otherwise not")):
        return
    if root.tag == "VBD" or view.parse.child(clause, "conj"):
        return
    present = clause.tag in ("VBZ", "VBP") or any(
        each.lower in ("is", "are") for each in view.parse.having(clause, "auxpass")
    )
    if present and view.at(span[1]).text == ",":
        yield Restructuring(
            f"condition: {mark.lower} to in cases where", (Swap(0, mark.end, "In cases where"),)
        )


def _then(view: View, root: Token) -> Iterator[Restructuring]:
    """ "If the loss is large, we stop" becomes "If the loss is large, then we stop"."""
    mark = view.tokens[0]
    clause = view.tokens[mark.head]
    span = view.parse.span(clause)
    if mark.text != "If" or clause.dep != "advcl" or clause.head != root.index or span is None:
        return
    comma, own = view.at(span[1]), view.parse.child(root, "nsubj", "nsubjpass", "expl")
    if comma.text != "," or own is None or view.first(own) != comma.index + 1:
        return
    if view.has_word(0, len(view.tokens), words("then else otherwise even whether")):
        return
    yield Restructuring("condition: then", (Swap(comma.end, comma.end, " then"),))


# Qualities that a case has; "when it is ready" is a time.
_STATE = words(
    "small large big high low long short sparse noisy scarce limited available unavailable unknown"
    " known complex simple deep shallow difficult hard easy expensive different similar identical"
    " sufficient insufficient imbalanced balanced ambiguous uncertain smooth linear nonlinear"
)


def _states(view: View, mark: Token) -> Iterator[Restructuring]:
    """ "A fails when the data are sparse" becomes "A fails in cases where the data are sparse"."""
    if mark.text not in ("when", "if") or mark.dep not in ("advmod", "mark"):
        return
    be = view.tokens[mark.head]
    quality, own = view.parse.child(be, "acomp"), view.parse.child(be, "nsubj")
    if be.lower not in ("is", "are") or be.dep != "advcl" or quality is None or own is None:
        return
    if own.pos != "NOUN" or view.first(own) != mark.index + 1 or quality.lower not in _STATE:
        return
    if view.parse.child(be, "conj", "neg") or view.tokens[mark.index - 1].lower in _NO_CASE:
        return
    if view.has_word(0, len(view.tokens), words("then only even except case cases otherwise not")):
        return
    yield Restructuring(
        f"condition: {mark.lower} in the middle", (Swap(mark.start, mark.end, "in cases where"),)
    )


_NO_CASE = words("as and or but than especially particularly")
_DEFINED = words("denote represent indicate")


def _definitions(view: View, where: Token) -> Iterator[Restructuring]:
    """ ", where x is the input" becomes ", with x being the input"."""
    if where.lower != "where" or view.tokens[where.index - 1].text != ",":
        return
    verb = next(
        (t for t in view.tokens[where.index + 2 : where.index + 4] if t.tag in _FINITE), None
    )
    if verb is None or view.stop == len(view.tokens):
        return
    rest = view.tokens[verb.index + 1 : view.stop]
    if any(token.tag in _FINITE or token.text in ("(", ";", ":") for token in rest):
        return
    after = view.at(verb.index + 1)
    if verb.tag not in ("VBZ", "VBP") or after.lower not in ("the", "a", "an", "our"):
        return
    if view.has_word(verb.index, len(view.tokens), words("and or that which respectively")):
        return
    if view.at(where.index + 1).lower in ("each", "there", "it", "we", "every", "this"):
        return
    if verb.lower in ("is", "are"):
        doing: str | None = "being"
    else:
        doing = gerund(verb.lemma) if verb.lemma in _DEFINED else None
    if doing is not None:
        yield Restructuring(
            f"definition: with {doing}",
            (Swap(where.start, where.end, "with"), Swap(verb.start, verb.end, doing)),
        )
