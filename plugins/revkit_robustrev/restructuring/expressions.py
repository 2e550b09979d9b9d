"""Expressions: "after training" and "after the training of", "can" and "is able to"."""

from __future__ import annotations

from collections.abc import Iterator

from revkit.grammar import Token
from revkit_robustrev.guards import words
from revkit_robustrev.restructuring.view import Restructuring, Swap, View

_ABLE = words(
    "model models network networks method methods approach approaches algorithm algorithms agent"
    " agents system systems classifier framework encoder decoder generator discriminator policy"
    " learner robot humans researchers users architecture architectures controller we lstm rnn cnn"
)
_NO_ABILITY = words("be see have observe note attempt try consider conclude say expect assume")
VERBAL_NOUNS = {
    "evaluating": "evaluation", "estimating": "estimation", "generating": "generation",
    "optimizing": "optimization", "selecting": "selection", "constructing": "construction",
    "computing": "computation", "integrating": "integration", "extracting": "extraction",
    "identifying": "identification", "analyzing": "analysis", "minimizing": "minimization",
    "maximizing": "maximization", "removing": "removal", "adding": "addition",
    "applying": "application", "training": "training", "introducing": "introduction",
    "updating": "updating", "calculating": "calculation", "initializing": "initialization",
    "using": "use",
}  # fmt: skip


def expressions(view: View) -> Iterator[Restructuring]:
    """Every expression that has a verbal and a nominal form, or an ability in two forms."""
    if view.root is None:
        return
    for token in view.tokens[1:-2]:
        yield from _able(view, token)
        yield from _possible_for(view, token)
        yield from _gerund(view, token)
        yield from _goal(view, token)
        yield from _as_well(view, token)


def _object(view: View, verb: Token) -> Token | None:
    """The object right behind a verb, where it is a noun phrase with a determiner or a plural."""
    thing = view.parse.child(verb, "dobj")
    if thing is None or thing.pos not in ("NOUN", "PROPN"):
        return None
    span = view.parse.span(thing)
    return thing if span is not None and span[0] == verb.index + 1 else None


def _able(view: View, modal: Token) -> Iterator[Restructuring]:
    """ "The model can learn A" becomes "The model is able to learn A"."""
    if modal.lower != "can" or modal.tag != "MD":
        return
    verb = view.tokens[modal.head]
    subject = view.parse.child(verb, "nsubj")
    if subject is None or subject.lower not in _ABLE or subject.index + 1 != modal.index:
        return
    following = view.tokens[modal.index + 1]
    if following.index != verb.index or verb.lemma in _NO_ABILITY:
        return
    if view.parse.child(verb, "conj", "neg"):
        return
    be = "are" if view.plural(subject) or subject.lower == "we" else "is"
    yield Restructuring("ability: able to", (Swap(modal.start, modal.end, f"{be} able to"),))


def _possible_for(view: View, verb: Token) -> Iterator[Restructuring]:
    """ "A allows the model to learn B" becomes "A makes it possible for the model to learn B"."""
    if verb.lemma not in ("allow", "enable") or verb.tag not in ("VBZ", "VBP", "VB"):
        return
    below = view.parse.child(verb, "ccomp", "xcomp")
    if below is None or below.tag != "VB" or view.parse.child(verb, "neg", "conj"):
        return
    to = view.tokens[below.index - 1]
    doer = view.parse.child(below, "nsubj") or view.parse.child(verb, "dobj")
    if to.lower != "to" or doer is None or not verb.index < doer.index < to.index:
        return
    make = "makes" if verb.tag == "VBZ" else "make"
    yield Restructuring(
        "expression: make it possible", (Swap(verb.start, verb.end, f"{make} it possible for"),)
    )


_BEFORE = words("after before for by of in without")


def _gerund(view: View, doing: Token) -> Iterator[Restructuring]:
    """ "after training the model" becomes "after the training of the model"."""
    noun = VERBAL_NOUNS.get(doing.lower)
    before = view.tokens[doing.index - 1]
    if noun is None or doing.dep != "pcomp" or before.lower not in _BEFORE:
        return
    thing = _object(view, doing)
    if thing is None or view.parse.child(doing, "conj", "advcl", "prep", "advmod", "xcomp"):
        return
    if view.tokens[doing.index + 1].lower not in words("the our these this each"):
        return
    yield Restructuring(
        f"verbal to nominal: {doing.lower}",
        (Swap(doing.start, doing.end, f"the {noun} of"),),
    )


def _goal(view: View, preposition: Token) -> Iterator[Restructuring]:
    """ "We use A for training B" becomes "We use A to train B"."""
    doing = view.tokens[preposition.index + 1]
    head = view.tokens[preposition.head]
    if preposition.lower != "for" or doing.tag != "VBG" or doing.dep != "pcomp":
        return
    if head.lemma not in ("use", "employ", "apply", "utilize", "need", "require"):
        return
    if _object(view, doing) is None or view.parse.child(doing, "conj"):
        return
    yield Restructuring(
        "verbal form: used to", (Swap(preposition.start, doing.end, f"to {doing.lemma}"),)
    )


def _as_well(view: View, joint: Token) -> Iterator[Restructuring]:
    """ "A and B" becomes "A as well as B", behind a verb or a preposition."""
    noun = view.tokens[joint.head]
    other = view.parse.child(noun, "conj")
    if joint.lower != "and" or joint.dep != "cc" or other is None or noun.pos != other.pos:
        return
    if noun.pos not in ("NOUN", "PROPN") or noun.dep not in ("dobj", "pobj"):
        return
    if view.tokens[joint.index - 1].index != noun.index or view.parse.child(noun, "preconj"):
        return
    if view.parse.child(other, "conj", "cc") or noun.tag != other.tag:
        return
    lowers = [token.lower for token in view.tokens]
    if lowers.count("and") > 1 or not {"between", "both", "respectively"}.isdisjoint(lowers):
        return
    if view.tokens[joint.index + 1].text == "," or joint.index + 1 > other.index:
        return
    first = view.tokens[joint.index + 1]
    if first.pos not in ("DET", "ADJ", "NOUN", "PROPN") or noun.index - 1 == 0:
        return
    determined = [view.parse.child(each, "det", "poss") is not None for each in (noun, other)]
    if determined[0] != determined[1] or view.parse.child(other, "relcl", "acl", "prep"):
        return
    if {noun.lower, other.lower} & _FIXED or view.tokens[noun.head].lower in _CLOSE:
        return
    if any(len(each.lower) < 4 or not each.text[1:].islower() for each in (noun, other)):
        return
    if "xxx" in noun.lower + other.lower:
        return  # a mask
    before = view.tokens[noun.index - 1]
    if before.dep in ("compound", "amod", "nmod") and other.index == joint.index + 1:
        return
    yield Restructuring("joint: as well as", (Swap(joint.start, joint.end, "as well as"),))


_CLOSE = words("than of between from among as")
_FIXED = words(
    "precision recall mean median deviation deviations input output inputs outputs train test"
    " encoder decoder error errors time space pros cons mind hand question answer answers"
)
