"""Expressions: "after training" and "after the training of", "can" and "is able to"."""

from __future__ import annotations

from collections.abc import Iterator

from revkit.grammar import Token
from revkit_robustrev.guards import words
from revkit_robustrev.restructuring.inflection import gerund
from revkit_robustrev.restructuring.view import Restructuring, Swap, View

_ABLE = words(
    "model models network networks method methods approach approaches algorithm algorithms agent"
    " agents system systems classifier framework encoder decoder generator discriminator policy"
    " learner robot humans researchers users architecture architectures controller we lstm rnn cnn"
)
_NO_ABILITY = words("let be see have observe note attempt try consider conclude say expect assume")
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
        yield from _capable(view, token)
        yield from _every(view, token)
        yield from _means(view, token)


def _every(view: View, all_: Token) -> Iterator[Restructuring]:
    """ "for all tasks" becomes "for every task"."""
    before, noun, after = (view.tokens[all_.index + step] for step in (-1, 1, 2))
    if all_.lower != "all" or before.lower not in _WHEREVER or noun.tag != "NNS":
        return
    if noun.dep != "pobj" or noun.head != before.index or view.parse.child(noun, "conj", "relcl"):
        return
    if after.text not in (".", ",", ";") and after.lower not in ("in", "with", "for", "is", "are"):
        return
    if not noun.lower.endswith("s") or noun.lemma + "s" != noun.lower or noun.lower in _IN_SUM:
        return
    yield Restructuring("quantity: every", (Swap(all_.start, noun.end, f"every {noun.lemma}"),))


_WHEREVER = words("for in on at under")
_IN_SUM = words("members means others classes samples cases times respects directions")


def _capable(view: View, quality: Token) -> Iterator[Restructuring]:
    """ "The model is able to learn A" becomes "The model is capable of learning A", and back."""
    link, verb = view.tokens[quality.index + 1], view.at(quality.index + 2)
    if view.parse.child(verb, "conj", "neg", "preconj") or view.parse.child(quality, "conj"):
        return
    if quality.lower == "able" and link.lower == "to" and verb.tag == "VB":
        doing = gerund(verb.lemma)
        near = view.has_word(max(quality.index - 4, 0), quality.index, words("we i may might"))
        if doing is not None and verb.lemma not in ("be", "have", "show", "say") and not near:
            yield Restructuring(
                "ability: able to capable", (Swap(quality.start, verb.end, f"capable of {doing}"),)
            )
    elif quality.lower == "capable" and link.lower == "of" and verb.tag == "VBG":
        yield Restructuring(
            "ability: capable to able", (Swap(quality.start, verb.end, f"able to {verb.lemma}"),)
        )


def _means(view: View, doing: Token) -> Iterator[Restructuring]:
    """ "is computed using A" becomes "is computed by means of A"."""
    done, after = view.tokens[doing.index - 1], view.at(doing.index + 1)
    if doing.lower != "using" or done.tag not in ("VBN", "VBD") or done.lemma not in _COMPUTED:
        return
    thing = view.parse.child(doing, "dobj")
    if thing is None or view.parse.child(doing, "conj", "xcomp", "advcl"):
        return
    if after.pos in ("DET", "ADJ", "NOUN", "PRON"):
        yield Restructuring(
            "means: using to by means of", (Swap(doing.start, doing.end, "by means of"),)
        )


_COMPUTED = words(
    "compute calculate estimate obtain generate construct implement measure approximate derive"
    " define update extract optimize solve determine reduce transform evaluate produce create"
    " select assess analyze identify detect represent parameterize normalize combine"
)


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
    if subject is None or subject.index + 1 != modal.index:
        return
    doer = subject
    if subject.lower in ("that", "which") and verb.dep == "relcl":
        doer = view.tokens[verb.head]
    elif subject.lower in ("it", "they") and verb.lemma not in _ACHIEVED:
        return
    if doer.lower not in _ABLE and doer.lower not in ("it", "they"):
        return
    if view.at(modal.index + 1).index != verb.index or verb.lemma in _NO_ABILITY:
        return
    if view.parse.child(verb, "conj", "neg"):
        return
    be = "are" if view.plural(doer) or doer.lower in ("we", "they") else "is"
    yield Restructuring("ability: able to", (Swap(modal.start, modal.end, f"{be} able to"),))


# What a thing achieves by its own working: "it can contain zeros" is not an ability.
_ACHIEVED = words(
    "learn capture model represent generate predict achieve reduce improve handle solve produce"
    " find perform adapt generalize recover exploit outperform detect identify classify recognize"
    " approximate extract estimate reach scale cope discover distinguish infer encode"
)


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
