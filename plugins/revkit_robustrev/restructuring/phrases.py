"""Within a sentence: relative clause and participle, nominal and verbal, "of" and possessive."""

from __future__ import annotations

from collections.abc import Iterator

from revkit.english import capitalise_as
from revkit.grammar import Token
from revkit_robustrev.guards import looks_plural, words
from revkit_robustrev.restructuring.inflection import finite_form, gerund
from revkit_robustrev.restructuring.view import Restructuring, Swap, View

_STATES = words(
    "use employ contain require combine involve represent describe capture exploit leverage allow"
    " enable incorporate produce generate provide consist comprise include integrate utilize"
    " operate rely belong focus aim maximize minimize satisfy encode share connect"
    " link specify indicate measure model cover support predict map take learn"
)
_MEANS = words(
    "method methods approach approaches algorithm algorithms framework technique techniques"
    " strategy strategies procedure mechanism tool tools model models architecture pipeline system"
    " protocol scheme heuristic heuristics"
)
_NOUNS_TOO = words("learning training testing sampling processing modeling scheduling reasoning")
NOMINAL = {
    "evaluation": "evaluating", "estimation": "estimating", "prediction": "predicting",
    "generation": "generating", "optimization": "optimizing", "selection": "selecting",
    "computation": "computing", "construction": "constructing", "detection": "detecting",
    "integration": "integrating", "extraction": "extracting", "identification": "identifying",
    "classification": "classifying", "analysis": "analyzing", "assessment": "assessing",
    "minimization": "minimizing", "maximization": "maximizing", "removal": "removing",
    "creation": "creating", "exploration": "exploring", "approximation": "approximating",
    "reconstruction": "reconstructing", "calculation": "calculating", "measurement": "measuring",
    "introduction": "introducing", "inclusion": "including", "addition": "adding",
    "use": "using", "development": "developing", "design": "designing", "training": "training",
    "modeling": "modeling", "learning": "learning",
}  # fmt: skip
_VERBAL = {
    verb: noun
    for noun, verb in NOMINAL.items()
    if verb != noun and noun not in ("use", "addition", "design", "inclusion", "introduction")
}
# Participles that often belong to the verb of the sentence, not to the noun before them.
_OF_THE_VERB = words(
    "allow enable use employ utilize exploit leverage integrate combine take learn"
)
# Participles that name, compare or calculate, or that are read as nouns by mistake.
_NO_CLAUSE = words(
    "base give follow compare relate associate see call denote name leverage divide multiply weight"
    " set put cut read split cast fit bind bound know suit condition combine"
    " arise occur"
)
_MADE = words("propose introduce develop present describe suggest")
_AFTER = words("by on in from with for to as at using via through during over under")
_OWNERS = words(
    "model models network networks method methods algorithm algorithms agent agents system systems"
    " classifier approach framework encoder decoder generator discriminator policy teacher student"
    " user users learner robot author authors paper participants dataset task environment critic"
    " actor adversary attacker defender player opponent optimizer controller module human speaker"
    " estimator layer layers image images graph graphs sequence sentence problem game matrix tree"
    " document backbone ensemble predictor transformer trajectory"
)
_OWNED = words(
    "performance accuracy ability capability capacity output outputs predictions prediction"
    " behavior behaviour size weights parameters robustness complexity effectiveness efficiency"
    " structure architecture quality limitations limitation decision decisions"
    " confidence difficulty sensitivity"
    " generalization strengths weaknesses flexibility expressiveness convergence loss objective"
    " goal goals belief beliefs action actions choice choices response responses"
    " strategy reward position score scores error errors success failure failures design dynamics"
    " preferences expressivity parameter gradient gradients state states length content difficulty"
    " dimension dimensionality rank density topology diversity inputs input architectures horizon"
)


# "In most cases providing A": the participle is of the sentence.
_OF_ADVERBS = words(
    "case cases way ways time times practice general particular turn part instances"
)
_NOUNS_IN_ED = words("testbed bed embed seed feed speed need breed shed hundred hundreds")


def participles(view: View) -> Iterator[Restructuring]:
    """ "methods that use attention" and "methods using attention"; "that are trained" likewise."""
    for token in view.tokens:
        if token.dep == "relcl":
            yield from _shortened(view, token)
            yield from _apposed(view, token)
        elif token.dep == "acl":
            yield from _lengthened(view, token)


def _shortened(view: View, verb: Token) -> Iterator[Restructuring]:
    first = view.first(verb)
    noun = view.tokens[verb.head]
    if view.tokens[first].lower != "that" or first != noun.index + 1:
        return
    if verb.index == first + 1 and verb.tag in ("VBZ", "VBP") and verb.lemma in _STATES:
        doing = gerund(verb.lemma)
        joined = view.parse.child(verb, "conj", "neg") or _goes_on(view, verb.index)
        if doing is not None and not joined:
            yield _replaced(
                view, first, verb.index + 1, doing, f"relative clause to participle: {verb.lemma}"
            )
    elif verb.tag == "VBN" and verb.index == first + 2 and not view.parse.child(verb, "conj"):
        after = view.tokens[verb.index + 1] if verb.index + 1 < len(view.tokens) else None
        follows = after is not None and after.lower in (
            "by",
            "on",
            "in",
            "from",
            "with",
            "for",
            "using",
        )
        if view.tokens[first + 1].lower in ("is", "are", "was", "were") and follows:
            yield _replaced(
                view, first, first + 2, "", f"relative clause to participle: {verb.lemma}"
            )


def _apposed(view: View, verb: Token) -> Iterator[Restructuring]:
    """ "the encoder, which is trained on A," becomes "the encoder, trained on A,"."""
    which, be = view.tokens[verb.index - 2], view.tokens[verb.index - 1]
    if verb.tag != "VBN" or which.lower != "which" or be.lower not in ("is", "are"):
        return
    noun, comma, after = view.tokens[verb.head], view.tokens[which.index - 1], verb.index + 1
    if comma.text != "," or noun.index != comma.index - 1 or noun.pos not in ("NOUN", "PROPN"):
        return
    if view.at(after).lower not in _AFTER or view.parse.child(verb, "conj", "neg", "xcomp"):
        return
    if view.plural(noun) != (be.lower == "are") or _goes_on(view, verb.index):
        return
    yield _replaced(view, which.index, verb.index, "", f"relative clause to apposition: {be.lower}")


def _goes_on(view: View, at: int) -> bool:
    """Whether a second finite verb is joined after a verb: "that allows X and has Y"."""
    return any(
        token.lower in ("and", "or", "but") and following.tag in ("VBZ", "VBP", "VBD", "MD")
        for token, following in zip(view.tokens[at:], view.tokens[at + 1 :], strict=False)
    )


def _lengthened(view: View, verb: Token) -> Iterator[Restructuring]:
    noun = view.tokens[verb.head]
    if noun.pos != "NOUN" or verb.index != noun.index + 1 or view.parse.child(verb, "conj"):
        return
    if view.parse.child(noun, "conj", "cc") or noun.lower in ("that", "those", "one", "ones"):
        return
    if noun.lower in _OF_ADVERBS or (verb.tag == "VBN" and verb.lower in _NOUNS_IN_ED):
        return
    above = view.tokens[view.tokens[noun.head].head] if noun.dep == "pobj" else noun
    of = view.tokens[noun.head].lower == "of"
    if above.pos == "NOUN" and above.index != noun.index and (above.tag != noun.tag or not of):
        return  # the participle may belong to either, and the verb agrees with one
    if noun.dep == "pobj" and above.pos == "NOUN" and verb.lemma in _MADE:
        return  # "a model for curves that are proposed by A"
    plural = noun.tag == "NNS"
    if verb.tag == "VBG" and (view.root is None):
        return  # "a model necessitates measuring A": the parse finds no verb before it
    if verb.tag == "VBG" and view.at(verb.index + 1).tag in ("NN", "NNS"):
        return  # "protein encoding genes"
    if not plural and looks_plural(noun.lower):
        return  # the tag is in doubt
    after = view.tokens[verb.index + 1] if verb.index + 1 < len(view.tokens) else None
    if (
        verb.tag == "VBG"
        and verb.lemma in _STATES - _OF_THE_VERB
        and view.parse.child(verb, "dobj", "prep")
    ):
        does = finite_form(verb.lemma, plural, False)
        if does is not None and view.parse.child(noun, "det", "amod", "compound"):
            yield _replaced(
                view,
                verb.index,
                verb.index + 1,
                f"that {does}",
                f"participle to relative clause: {verb.lemma}",
            )
    elif verb.tag == "VBN" and after is not None and after.lower in _AFTER:
        if _past(view):
            return  # "it was tested on samples that are taken": either tense can be wrong
        be = "are" if plural else "is"
        if after.lower == "as" and view.at(after.index + 1).lower == "in":
            return  # "the rule used as in A"
        if verb.lemma not in _NO_CLAUSE and noun.text.isalpha():
            yield _replaced(
                view,
                verb.index,
                verb.index + 1,
                f"that {be} {verb.text}",
                f"participle to relative clause: {verb.lemma}",
            )


def _past(view: View) -> bool:
    """Whether a verb of the sentence has a past tense, or no main verb is found."""
    return view.root is None or any(token.tag == "VBD" for token in view.tokens)


def _replaced(view: View, first: int, last: int, new: str, name: str) -> Restructuring:
    """Replace the words by ``new``, with the blank after them if ``new`` is empty."""
    end = view.tokens[last - 1].end if new else view.tokens[last].start
    return Restructuring(name, (Swap(view.tokens[first].start, end, new),))


def nominals(view: View) -> Iterator[Restructuring]:
    """ "for the estimation of X" and "for estimating X"; "a method for estimating" and "to
    estimate"."""
    for token in view.tokens[:-3]:
        at = token.index
        following = [view.tokens[at + step].lower for step in (1, 2, 3)]
        if token.lower in ("for", "through", "by", "in"):
            doing = NOMINAL.get(following[1], "")
            if following[0] == "the" and following[2] == "of" and doing and _means(view, at):
                by = "by" if token.lower == "through" else token.lower
                yield _replaced(view, at, at + 4, f"{by} {doing}", f"nominal to verbal: {doing}")
        if token.lower == "for" and token.dep == "prep":
            yield from _verbal(view, token)
        if token.lower == "to" and view.tokens[at + 1].tag == "VB":
            yield from _purpose(view, token, view.tokens[at + 1])


def _means(view: View, at: int) -> bool:
    end = view.tokens[at + 4] if at + 4 < len(view.tokens) else None
    return (
        end is not None
        and end.tag not in ("VBG", "CD")
        and end.pos in ("DET", "NOUN", "ADJ", "PRON", "PROPN")
    )


def _verbal(view: View, preposition: Token) -> Iterator[Restructuring]:
    at = preposition.index
    doing, noun = view.tokens[at + 1], view.tokens[at - 1] if at else None
    if doing.tag != "VBG" or doing.dep != "pcomp" or not view.parse.child(doing, "dobj"):
        return
    if view.parse.child(doing, "conj"):
        return
    if doing.lower in _NOUNS_TOO and view.tokens[at + 2].pos not in ("DET", "ADJ", "PRON"):
        return
    if noun is not None and noun.lower in _MEANS and not _another(view, preposition):
        yield _replaced(view, at, at + 2, f"to {doing.lemma}", f"verbal form: {noun.lower}")
    after = view.tokens[at + 2]
    if doing.lower in _VERBAL and after.lower in ("the", "our", "a", "an", "these", "this"):
        text = f"{preposition.text} the {_VERBAL[doing.lower]} of"
        yield _replaced(view, at, at + 2, text, f"verbal to nominal: {doing.lower}")


def _another(view: View, here: Token) -> bool:
    """Whether an infinitive or a gerund behind "for" is near: "to revise the loss to adjust"."""
    near = view.tokens[max(here.index - 6, 0) : here.index + 8]
    return any(
        token.index != here.index
        and token.lower in ("to", "for")
        and view.at(token.index + 1).tag in ("VB", "VBG")
        for token in near
    )


_LETTING = words("allow enable permit help cause require let force lead")


def _purpose(view: View, to: Token, verb: Token) -> Iterator[Restructuring]:
    noun = view.tokens[to.index - 1] if to.index else None
    doing = gerund(verb.lemma)
    if noun is None or noun.lower not in _MEANS or doing is None or verb.lemma == "be":
        return
    of_noun = verb.dep in ("acl", "relcl") and verb.head == noun.index
    if view.tokens[noun.head].lemma in _LETTING:  # "allows models to create"
        return
    if not of_noun or _another(view, to) or view.parse.child(verb, "conj", "neg", "auxpass"):
        return
    if view.parse.child(verb, "dobj"):
        yield _replaced(view, to.index, to.index + 2, f"for {doing}", f"verbal form: {noun.lower}")


def possessives(view: View) -> Iterator[Restructuring]:
    """ "the accuracy of the model" and "the model's accuracy"."""
    for token in view.tokens:
        if token.lower == "of" and 2 <= token.index < len(view.tokens) - 3:
            yield from _owner_first(view, token.index)
            yield from _named_owner(view, token.index)
        elif token.tag == "POS" and token.index >= 2:
            yield from _owner_last(view, token.index)


def _named_owner(view: View, at: int) -> Iterator[Restructuring]:
    """ "the accuracy of ResNet" becomes "ResNet's accuracy"."""
    the, owned, owner, after = (view.tokens[at + step] for step in (-2, -1, 1, 2))
    if the.lower != "the" or owned.lower not in _OWNED or owner.pos != "PROPN":
        return
    if not owner.text.isalpha() or owner.text.lower().endswith(("s", "xxx")):
        return
    if after.pos not in ("VERB", "AUX", "ADP", "PUNCT", "SCONJ", "ADV") or after.text in "-('’/$[":
        return
    if view.parse.child(owner, "conj", "prep", "relcl", "acl", "cc", "appos", "compound"):
        return
    if owned.dep == "conj" or view.parse.child(owned, "conj", "cc"):
        return
    yield Restructuring(
        f"of to possessive: {owned.lower}",
        (Swap(the.start, owner.end, f"{owner.text}'s {owned.text}"),),
    )


def _owner_first(view: View, at: int) -> Iterator[Restructuring]:
    the, owned, determiner, owner = (view.tokens[at + step] for step in (-2, -1, 1, 2))
    if owner.dep in ("compound", "amod") and owner.head == owner.index + 1:
        owner = view.tokens[owner.head]  # "the output of the neural network"
    after = view.at(owner.index + 1)
    if (
        the.lower != "the"
        or owned.lower not in _OWNED
        or determiner.lower not in ("the", "our", "a")
    ):
        return
    if (
        owner.lower not in _OWNERS
        or after.pos in ("NOUN", "PROPN", "NUM", "ADJ")
        or after.text in ("-", "'s", "(", "’s", "/")
    ):
        return
    if view.parse.child(owner, "conj", "prep", "relcl", "acl", "cc") or owner.dep == "conj":
        return
    if after.lower in ("of", "to"):
        return  # "the limitation of the model of considering A"
    if owned.dep == "conj" or view.parse.child(owned, "conj", "cc"):
        return
    ending = "'" if owner.lower.endswith("s") else "'s"
    front = determiner.lower
    new = f"{front}{view.text[determiner.end : owner.end]}{ending} {owned.text}"
    new = capitalise_as(new, the.text)
    yield Restructuring(f"of to possessive: {owned.lower}", (Swap(the.start, owner.end, new),))


def _owner_last(view: View, at: int) -> Iterator[Restructuring]:
    determiner, owner = view.tokens[at - 2], view.tokens[at - 1]
    owned = view.tokens[at + 1] if at + 1 < len(view.tokens) else None
    after = view.tokens[at + 2] if at + 2 < len(view.tokens) else None
    if owned is None or owned.lower not in _OWNED or determiner.lower not in ("the", "our"):
        return
    if after is not None and (after.pos in ("NOUN", "PROPN") or after.text == "-"):
        return
    if view.parse.child(owned, "conj", "prep") or owned.dep == "conj" or owner.pos != "NOUN":
        return
    new = f"the {owned.text} of {determiner.lower} {owner.text}"
    new = capitalise_as(new, determiner.text)
    yield Restructuring(
        f"possessive to of: {owned.lower}", (Swap(determiner.start, owned.end, new),)
    )


_WHERE = words(
    "setting settings case cases scenario scenarios situation situations experiment"
    " experiments problem problems dataset datasets framework environment environments"
    " regime space domain domains task tasks section example examples"
)


def pronouns(view: View) -> Iterator[Restructuring]:
    """ "a setting in which" and "a setting where"."""
    for token in view.tokens[2:-2]:
        at = token.index
        before, after = view.tokens[at - 1], view.tokens[at + 1]
        if token.lower == "in" and after.lower == "which" and before.lower in _WHERE:
            yield _replaced(view, at, at + 2, "where", f"relative form: {before.lower} where")
        elif (
            token.lower == "where"
            and before.lower in _WHERE
            and token.dep == "advmod"
            and after.pos in ("DET", "PRON", "NOUN")
            and view.tokens[token.head].dep == "relcl"
        ):
            name = f"relative form: {before.lower} in which"
            yield _replaced(view, at, at + 1, "in which", name)


# Adverbs that can be on either side of "be": "can easily be seen".
_LOOSE = words(
    "easily readily directly usually typically generally potentially possibly simply naturally"
    " theoretically additionally safely efficiently"
)


def adverbs(view: View) -> Iterator[Restructuring]:
    """ "can be easily computed" and "can easily be computed"."""
    for token in view.tokens[1:-2]:
        at = token.index
        one, two, three = view.tokens[at - 1], token, view.tokens[at + 1]
        if one.tag != "MD" or view.tokens[at + 2].tag != "VBN":
            continue
        for be, adverb in ((two, three), (three, two)):
            if adverb.lower not in _LOOSE:
                continue
            if be.lower == "be" and adverb.tag == "RB" and adverb.lower.endswith("ly"):
                yield _replaced(view, at, at + 2, f"{three.text} {two.text}", "adverb order")
