"""Expressions: "after training" and "after the training of", "can" and "is able to"."""

from __future__ import annotations

from collections.abc import Iterator

from revkit.grammar import Token
from revkit_robustrev.guards import words
from revkit_robustrev.restructuring.inflection import gerund
from revkit_robustrev.restructuring.view import PRONOUNS, Restructuring, Swap, View

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
    "using": "use", "predicting": "prediction", "detecting": "detection",
    "classifying": "classification", "approximating": "approximation",
    "reconstructing": "reconstruction",
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
        yield from _named(view, token)


def _named(view: View, verb: Token) -> Iterator[Restructuring]:
    """ "We refer to this method as A" becomes "We call this method A", and back."""
    subject = view.parse.child(verb, "nsubj")
    if subject is None or subject.lower not in ("we", "i") or verb.index - subject.index > 2:
        return
    if view.parse.child(verb, "neg", "conj", "prt"):
        return
    thing = view.parse.child(view.at(verb.index + 1), "pobj")
    if verb.lemma == "refer" and view.at(verb.index + 1).lower == "to" and thing is not None:
        joint = next((t for t in view.tokens[thing.index + 1 : thing.index + 2]), verb)
        name = view.parse.child(joint, "pobj")
        if joint.lower != "as" or name is None or thing.lower in PRONOUNS - _POINTING:
            return
        call = {"VBP": "call", "VB": "call", "VBD": "called"}.get(verb.tag)
        if call is not None and view.first(thing) == verb.index + 2:
            yield Restructuring(
                "expression: refer to call",
                (
                    Swap(verb.start, view.tokens[verb.index + 1].end, call),
                    Swap(view.tokens[joint.index - 1].end, joint.end, ""),
                ),
            )
    elif verb.lemma == "call" and verb.tag in ("VBP", "VB"):
        thing = view.at(verb.index + 2)
        name = view.at(verb.index + 3)
        if view.at(verb.index + 1).lower not in ("this", "these", "the") or thing.pos != "NOUN":
            return
        if name.pos in ("PROPN", "DET") and name.text[:1] != "-":
            yield Restructuring(
                "expression: call to refer",
                (
                    Swap(verb.start, verb.end, "refer to"),
                    Swap(thing.end, thing.end, " as"),
                ),
            )


_POINTING = words("this these")


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
    before = view.tokens[quality.index - 1].lower, view.tokens[max(quality.index - 2, 0)].lower
    if before == ("be", "to"):
        return  # "in order to be capable of"
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
    if doing.lower != "using":
        return
    thing = view.parse.child(doing, "dobj")
    if thing is None or view.parse.child(doing, "conj", "xcomp", "advcl"):
        return
    if done.pos in ("SCONJ", "ADP", "CCONJ") or done.lower in ("while", "when"):
        return  # "while using A": a shortened clause
    if after.pos not in ("DET", "ADJ", "NOUN", "PRON"):
        return
    if done.tag in ("VBN", "VBD") and done.lemma in _COMPUTED:
        yield Restructuring(
            "means: using to by means of", (Swap(doing.start, doing.end, "by means of"),)
        )
    elif _is_adverbial(view, doing, thing):
        passive = view.parse.child(view.tokens[doing.head], "nsubjpass")
        new = "by means of" if passive else "with the help of"
        yield Restructuring(f"means: using to {new}", (Swap(doing.start, doing.end, new),))


def _is_adverbial(view: View, doing: Token, thing: Token) -> bool:
    """Whether "using A" says by what means an object is treated: "We reduce the noise using A"."""
    verb = view.tokens[doing.head]
    done = view.parse.child(verb, "dobj")
    done = done or view.parse.child(verb, "nsubjpass")
    if doing.dep != "advcl" or verb.lemma in _BEGUN or done is None:
        return False
    if not max(verb.index, done.index) < doing.index or thing.index - doing.index > 6:
        return False
    if view.tokens[doing.index - 1].text in (",", "(", ":") or view.parse.child(verb, "conj", "cc"):
        return False
    behind = view.tokens[doing.index : doing.index + 12]
    return thing.tag != "NNP" and not any(t.lower in ("as", "same", "only", "and") for t in behind)


_BEGUN = words(
    "begin start stop try avoid consider suggest recommend propose see find have be make"
)


_COMPUTED = words(
    "compute calculate estimate obtain generate construct implement measure approximate derive"
    " define update extract optimize solve determine reduce transform evaluate produce create"
    " select assess analyze identify detect represent parameterize normalize combine learn train"
    " evaluate test model solve find encode tune collect visualize predict achieve build study"
    " validate control infer discover improve address verify"
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
    if verb.lemma in ("become", "be", "get", "occur", "happen", "lead", "cause", "vary", "grow"):
        return  # a possibility, and no ability
    if doer.lower.endswith("s") and not view.plural(doer):
        return  # "the TT-Networks": the number is in doubt
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
    behind = view.tokens[doing.index + 1]
    plain = thing.tag == "NNS" and behind.pos in ("NOUN", "ADJ") and before.lower in ("for", "in")
    if behind.lower not in words("the our these this each") and not plain:
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
    if not {"between", "both", "respectively"}.isdisjoint(lowers):
        return
    near = lowers[max(joint.index - 8, 0) : joint.index] + lowers[joint.index + 1 : other.index + 8]
    if "and" in near or ("," in near and lowers.count("and") > 1):
        return  # the words may belong to a longer list
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
    if view.tokens[noun.head].lemma in _TOGETHER:
        return  # "combining learning as well as search"
    if any(len(each.lower) < 4 or not each.text[1:].islower() for each in (noun, other)):
        return
    if view.at(other.index + 1).tag in ("VBZ", "VBP", "VBD", "MD"):
        return  # "they assess the pattern and the metric is A": two clauses
    if "xxx" in noun.lower + other.lower:
        return  # a mask
    before = view.tokens[noun.index - 1]
    if before.dep in ("compound", "amod", "nmod") and other.index == joint.index + 1:
        return
    yield Restructuring("joint: as well as", (Swap(joint.start, joint.end, "as well as"),))


_TOGETHER = words("combine merge mix unify integrate compare link relate connect join match couple")
_CLOSE = words("than of between from among as")
_FIXED = words(
    "precision recall mean median deviation deviations input output inputs outputs train test"
    " encoder decoder error errors time space pros cons mind hand question answer answers"
)
