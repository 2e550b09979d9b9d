"""Predicates: one verb or a verb with a noun, impersonal clauses, and what a clause is about."""

from __future__ import annotations

from collections.abc import Iterator

from revkit.dataclass import dataclass
from revkit.english import article_for, capitalise
from revkit.grammar import Token
from revkit_robustrev.guards import words
from revkit_robustrev.restructuring.inflection import finite_form, gerund, participle
from revkit_robustrev.restructuring.view import PRONOUNS, Restructuring, Swap, View


@dataclass(frozen=True, slots=True)
class _Light:
    """A verb and a noun that say what one verb says: "have" + "an effect on".

    ``cause``: the subject is a thing that brings it about, not a person who does it.
    """

    verb: str
    noun: str
    link: str
    cause: bool = False


PREDICATES = {
    "increase": _Light("lead to", "increase", "in", True),
    "decrease": _Light("lead to", "decrease", "in", True),
    "reduce": _Light("lead to", "reduction", "in", True),
    "improve": _Light("lead to", "improvement", "in", True),
    "affect": _Light("have", "effect", "on", True),
    "influence": _Light("have", "influence", "on", True),
    "impact": _Light("have", "impact", "on", True),
    "measure": _Light("be", "measure", "of", True),
    "support": _Light("provide", "support", "for", True),
    "justify": _Light("provide", "justification", "for"),
    "summarize": _Light("provide", "summary", "of"),
    "summarise": _Light("provide", "summary", "of"),
    "describe": _Light("provide", "description", "of"),
    "discuss": _Light("provide", "discussion", "of"),
    "illustrate": _Light("provide", "illustration", "of"),
    "visualize": _Light("provide", "visualization", "of"),
    "characterize": _Light("provide", "characterization", "of"),
    "explain": _Light("provide", "explanation", "of"),
    "evaluate": _Light("carry out", "evaluation", "of"),
    "analyze": _Light("carry out", "analysis", "of"),
    "analyse": _Light("carry out", "analysis", "of"),
    "investigate": _Light("carry out", "investigation", "of"),
    "estimate": _Light("obtain", "estimate", "of"),
    "solve": _Light("find", "solution", "to"),
    "emphasize": _Light("put", "emphasis", "on"),
    "constrain": _Light("impose", "constraint", "on"),
    "restrict": _Light("impose", "restriction", "on"),
    "limit": _Light("place", "limit", "on"),
    "penalize": _Light("impose", "penalty", "on"),
    "outline": _Light("give", "outline", "of"),
    "survey": _Light("give", "survey", "of"),
    "prove": _Light("give", "proof", "of"),
    "derive": _Light("give", "derivation", "of"),
    "formulate": _Light("give", "formulation", "of"),
    "list": _Light("give", "list", "of"),
    "use": _Light("make", "use", "of"),
    "study": _Light("carry out", "study", "of"),
    "assess": _Light("carry out", "assessment", "of"),
    "review": _Light("give", "review", "of"),
}
_MASS = words("support use emphasis")
DEGREES = {
    "significantly": "significant", "substantially": "substantial", "greatly": "great",
    "considerably": "considerable", "slightly": "slight", "dramatically": "dramatic",
    "drastically": "drastic", "consistently": "consistent", "markedly": "marked",
    "strongly": "strong", "directly": "direct", "negatively": "negative", "further": "further",
    "positively": "positive", "systematically": "systematic", "extensively": "extensive",
    "thoroughly": "thorough", "carefully": "careful", "briefly": "brief",
    "empirically": "empirical", "theoretically": "theoretical", "formally": "formal",
    "qualitatively": "qualitative", "quantitatively": "quantitative", "explicitly": "explicit",
    "experimentally": "experimental", "comprehensively": "comprehensive",
}  # fmt: skip
_PEOPLE = words("we they i you one authors researchers users people humans participants who")
_MEANT = words("that which")


def predicates(view: View) -> Iterator[Restructuring]:
    """Every predicate that has another form."""
    root, subject = view.root, view.subject
    if root is None or len(view.tokens) < 7:
        return
    for token in view.tokens[1:-2]:
        yield from _light(view, token)
        yield from _better(view, token)
    if subject is not None:
        yield from _raised(view, root, subject)
        yield from _necessary(view, root, subject)
        yield from _about(view, root, subject)
        yield from _that(view, root, subject)
        yield from _has_focused(view, root, subject)
    yield from _there_are(view, root)
    yield from _doing_is(view, root)


def _light(view: View, verb: Token) -> Iterator[Restructuring]:
    """ "A affects B" becomes "A has an effect on B"; an adverb becomes an adjective."""
    found = PREDICATES.get(verb.lemma)
    thing = view.parse.child(verb, "dobj")
    if found is None or thing is None or thing.pos not in ("NOUN", "PROPN"):
        return
    span = view.parse.span(thing)
    if span is None or span[0] != verb.index + 1 or view.has_word(*span, _TAKEN):
        return
    if any(each.index > verb.index for each in view.parse.having(verb, "advmod")):
        return
    if view.parse.child(verb, "conj", "xcomp", "ccomp", "dative", "prt", "neg", "oprd", "preconj"):
        return
    joined = view.tokens[verb.head]
    if verb.dep == "conj" and view.parse.child(joined, "dobj", "attr", "prep") is None:
        return
    doer = view.parse.child(verb, "nsubj")
    if doer is None and verb.dep == "conj":
        doer = view.parse.child(joined, "nsubj")
    if not _suits(view, verb, thing, doer):
        return
    if found.cause and not _thing_does(view, verb, doer):
        return
    if found.cause and any(
        each.lower in ("how", "why") for each in view.parse.having(verb, "advmod")
    ):
        return
    if view.at(span[1]).pos in ("PROPN", "NOUN", "NUM", "X") or "xxx" in view.at(span[1]).lower:
        return  # "discuss in detail Figure 2": the object is not where it seems to be
    rest = view.parse.children[verb.index] + view.parse.children[thing.index]
    if verb.lemma in _CHANGES and thing.lower not in _AMOUNTS:
        return
    if any(each.lower == "into" for each in view.parse.having(verb, "prep")):
        return
    if found.cause and any(
        each.lower in ("by", "to", "from", "than") for each in view.parse.having(verb, "prep")
    ):
        return
    if view.tokens[span[1] - 1].index + 1 < view.stop and view.at(span[1]).lower in _MEASURED:
        return
    if verb.tag == "VBG" and verb.lemma != "use":
        return  # "after providing a discussion of"
    if any(each.dep in ("prep", "mark") and each.lower in _COMPLEMENTS for each in rest):
        return  # "describe A as B", "evaluate A against B"
    does = _form(view, verb, found.verb)
    if does is None:
        return
    first, degree = verb, ""
    before = view.tokens[verb.index - 1]
    if before.lower in DEGREES and before.dep == "advmod" and before.head == verb.index:
        first, degree = before, DEGREES[before.lower]
    elif before.tag == "RB" and before.head == verb.index and before.lower.endswith("ly"):
        return
    described = f"{degree} {found.noun}".strip()
    if found.noun not in _MASS:
        described = f"{article_for(described)} {described}"
    yield Restructuring(
        f"predicate with a noun: {verb.lemma}",
        (Swap(first.start, verb.end, f"{does} {described} {found.link}"),),
    )


_BY_HOW_MUCH = words(
    "significantly substantially greatly considerably slightly dramatically drastically markedly"
    " marginally clearly vastly"
)


def _better(view: View, verb: Token) -> Iterator[Restructuring]:
    """ "A outperforms B" becomes "A performs better than B", and back."""
    if verb.lemma == "outperform":
        thing = view.parse.child(verb, "dobj")
        span = None if thing is None else view.parse.span(thing)
        does = _form(view, verb, "perform")
        if does is None or span is None or span[0] != verb.index + 1:
            return
        if view.parse.child(verb, "conj", "neg", "prt") or view.at(span[1]).lower == "by":
            return
        if verb.dep == "conj" or any(
            each.lower == "by" for each in view.parse.having(verb, "prep")
        ):
            return
        before = view.tokens[verb.index - 1]
        degree = before.lower in _BY_HOW_MUCH and before.head == verb.index
        first = before if degree else verb
        much = f"{before.lower} " if degree else ""
        text = f"{does} {much}better than"
        yield Restructuring("predicate: better", (Swap(first.start, verb.end, text),))
    elif verb.lemma == "perform":
        better, than = view.at(verb.index + 1), view.at(verb.index + 2)
        does = _form(view, verb, "outperform")
        after = view.at(than.index + 1)
        if (better.lower, than.lower) != ("better", "than") or does is None:
            return
        if after.pos not in ("DET", "NOUN", "PROPN", "ADJ", "PRON") or after.lower in _NO_RIVAL:
            return
        yield Restructuring("predicate: outperform", (Swap(verb.start, than.end, does),))


_NO_RIVAL = words("that those it they this these what when if expected chance before we i you")
_COMPLEMENTS = words("as against to")
_CHANGES = words("increase decrease reduce improve")
_AMOUNTS = words(
    "number amount accuracy performance error errors loss losses cost costs time complexity size"
    " variance capacity quality robustness efficiency generalization likelihood risk noise bias"
    " rate rates speed diversity sparsity stability precision recall score scores overhead"
    " redundancy dimensionality memory usage expressiveness flexibility power ability uncertainty"
    " results expressivity interpretability fluency consistency sensitivity range"
)
_SOLVED = words("problem problems equation equations puzzle puzzles")
_LINKED = words("when while by for after before without")


def _suits(view: View, verb: Token, thing: Token, doer: Token | None) -> bool:
    """Whether a verb has the sense that its noun has."""
    before = view.tokens[verb.index - 1]
    if verb.lemma == "solve":
        return thing.lower in _SOLVED
    if verb.lemma == "prove":
        return doer is not None and doer.lower == "we"
    if verb.lemma == "use" and verb.tag == "VBG":
        return before.text == "," or before.lower in _LINKED
    if verb.lemma in ("estimate", "update", "modify", "measure"):
        return view.at(verb.index + 1).lower in ("the", "a", "an", "our", "this", "each")
    return True


_TAKEN = words("how what why whether which who it them this that these those itself themselves")
_MEASURED = words("by to from than and or compared")


def _thing_does(view: View, verb: Token, doer: Token | None) -> bool:
    """Whether the subject of ``verb`` is a thing, and the verb is finite or after a modal."""
    modal = verb.tag == "VB" and any(each.tag == "MD" for each in view.parse.having(verb, "aux"))
    if verb.tag not in ("VBZ", "VBP", "VBD") and not modal:
        return False
    if doer is None or doer.lower in _PEOPLE:
        return False
    return doer.pos in ("NOUN", "PROPN") or doer.lower in ("this", "which", "that", "it")


def _form(view: View, verb: Token, phrase: str) -> str | None:
    """``phrase`` ("carry out") in the form of ``verb``; None for a passive or a doubtful form."""
    lemma, _, rest = phrase.partition(" ")
    helping = [each.lower for each in view.parse.having(verb, "aux")]
    if view.parse.child(verb, "auxpass", "nsubjpass"):
        return None
    if verb.tag == "VB":
        done: str | None = lemma if helping else None
    elif verb.tag in ("VBZ", "VBP"):
        done = finite_form(lemma, verb.tag == "VBP", False)
        if lemma == "be":
            done = "are" if verb.tag == "VBP" else "is"
    elif verb.tag == "VBD":
        done = {"be": "was"}.get(lemma) or finite_form(lemma, False, True)
    elif verb.tag == "VBG" and verb.dep in ("pcomp", "advcl") and not helping:
        done = gerund(lemma)
    elif verb.tag == "VBN" and helping and helping[-1] in ("have", "has"):
        done = participle(lemma)
    else:
        done = None
    return None if done is None else f"{done} {rest}".strip()


_SAID = words("know show expect believe assume find report think observe prove demonstrate")


def _raised(view: View, root: Token, subject: Token) -> Iterator[Restructuring]:
    """ "A is known to converge" becomes "it is known that A converges"."""
    below = view.parse.child(root, "xcomp")
    own = view.parse.span(subject)
    if below is None or own is None or root.tag != "VBN" or root.lemma not in _SAID:
        return
    if below.tag != "VB" or below.index != root.index + 2 or view.parse.child(root, "conj", "neg"):
        return
    if view.at(root.index + 1).lower != "to" or view.parse.child(below, "conj", "aux") is None:
        return
    if view.parse.child(below, "conj", "auxpass") or not _plain_subject(view, subject, own):
        return
    between = [token.lower for token in view.tokens[own[1] : root.index]]
    if between not in (["is"], ["are"], ["has", "been"], ["have", "been"]):
        return
    plural = between[0] in ("are", "have")
    if below.lemma == "be":
        does: str | None = "are" if plural else "is"
    else:
        does = finite_form(below.lemma, plural, False)
    if does is None:
        return
    said = "has been" if len(between) == 2 else "is"
    opening = f"it {said} {root.text} that {view.lowered(own[0], own[0] + 1)}"
    yield Restructuring(
        f"impersonal: it is {root.text} that",
        (
            Swap(
                view.tokens[own[0]].start,
                view.tokens[own[0]].end,
                capitalise(opening) if own[0] == 0 else opening,
            ),
            Swap(view.at(own[1]).start, below.end, does),
        ),
    )


def _plain_subject(view: View, subject: Token, own: tuple[int, int]) -> bool:
    if subject.pos not in ("NOUN", "PROPN") or own[1] - own[0] > 9 or own[0] > 8:
        return False
    if own[0] > 0 and view.tokens[own[0] - 1].text != ",":
        return False
    return not (
        view.has_word(*own, PRONOUNS | words("no few none neither only any we our"))
        or view.below(subject, ("relcl", "acl", "appos", "advcl"), own[1])
    )


def _necessary(view: View, root: Token, subject: Token) -> Iterator[Restructuring]:
    """ "We need to compute A" and "A must be computed" become "it is necessary to compute A"."""
    own = view.parse.span(subject)
    if own is None or view.parse.child(root, "neg", "conj", "parataxis", "preconj"):
        return
    if own[0] > 0 and view.tokens[own[0] - 1].text != ",":
        return
    between = [token.lower for token in view.tokens[own[1] : root.index + 1]]
    opening = "it is necessary to"
    start = view.tokens[own[0]].start
    if subject.lower == "we" and between[:-1] == [] and root.lemma in ("need", "have"):
        below = view.parse.child(root, "xcomp")
        if below is None or below.tag != "VB" or below.index != root.index + 2:
            return
        if root.tag != "VBP" or view.at(root.index + 1).lower != "to":
            return
        text, end = opening, view.at(root.index + 1).end
    elif (
        root.tag == "VBN"
        and between[:-1] in (["must", "be"],)
        and _plain_subject(view, subject, own)
    ):
        if view.parse.child(root, "agent", "xcomp", "ccomp", "oprd", "advcl", "prt"):
            return
        if view.at(root.index + 1).lower in _PARTICLES:  # "must be set up on a computer"
            return
        text, end = f"{opening} {root.lemma} {view.lowered(*own)}", root.end
    else:
        return
    yield Restructuring(
        "impersonal: it is necessary",
        (Swap(start, end, capitalise(text) if own[0] == 0 else text),),
    )


_PARTICLES = words("up out off down away back")
_ABOUT = {"focus": ("focus", "on"), "concentrate": ("focus", "on"), "aim": ("aim", "to")}


def _about(view: View, root: Token, subject: Token) -> Iterator[Restructuring]:
    """ "This paper focuses on A" becomes "The focus of this paper is on A"."""
    found = _ABOUT.get(root.lemma)
    own = view.parse.span(subject)
    if found is None or own is None or own[0] != 0 or root.index != own[1]:
        return
    if root.tag not in ("VBZ", "VBP", "VBD") or view.at(root.index + 1).lower != found[1]:
        return
    if view.parse.child(root, "conj", "neg", "dobj") or subject.pos not in ("NOUN", "PRON"):
        return
    be = "was" if root.tag == "VBD" else "is"
    if subject.lower == "we":
        if found[0] == "aim":
            return
        text = f"Our {found[0]} {be}"
    elif subject.pos == "NOUN" and own[1] <= 6 and not view.below(subject, _BELOW, own[1]):
        text = f"The {found[0]} of {view.lowered(*own)} {be}"
    else:
        return
    yield Restructuring(f"frame: the {found[0]} is", (Swap(0, root.end, text),))


def _has_focused(view: View, root: Token, subject: Token) -> Iterator[Restructuring]:
    """ "Recent studies have focused on A" becomes "The focus of recent studies has been on A"."""
    own = view.parse.span(subject)
    if own is None or own[0] != 0 or root.lemma != "focus" or root.tag != "VBN":
        return
    between = [token.lower for token in view.tokens[own[1] : root.index]]
    if between not in (["has"], ["have"], ["has", "mainly"], ["have", "mainly"]):
        return
    if view.at(root.index + 1).lower != "on" or not _plain_subject(view, subject, own):
        return
    text = f"The focus of {view.lowered(*own)} {' '.join(['has', *between[1:], 'been'])}"
    yield Restructuring("frame: the focus is", (Swap(0, root.end, text),))


_BELOW = ("relcl", "acl", "appos", "conj")
_CLAUSAL = words("show find note observe assume see demonstrate prove conclude")


def _that(view: View, root: Token, subject: Token) -> Iterator[Restructuring]:
    """ "We find the model works" becomes "We find that the model works"."""
    said = view.parse.child(root, "ccomp")
    if said is None or root.lemma not in _CLAUSAL or subject.lower != "we":
        return
    at = root.index + 1
    own = view.parse.child(said, "nsubj", "nsubjpass")
    if own is None or view.first(said) != at or view.first(own) != at or said.tag == "VB":
        return
    if view.tokens[at].pos not in ("DET", "PRON") or view.tokens[at].lower in _TAKEN:
        return
    modal = any(each.tag == "MD" for each in view.parse.having(said, "aux"))
    if said.tag not in ("VBZ", "VBP", "VBD") and not modal:
        return
    yield Restructuring("clause: that", (Swap(root.end, root.end, " that"),))


def _there_are(view: View, root: Token) -> Iterator[Restructuring]:
    """ "There are many tasks that need A" becomes "Many tasks need A"."""
    thing = view.parse.child(root, "attr")
    if view.tokens[0].text != "There" or root.index != 1 or thing is None or thing.tag != "NNS":
        return
    clause = view.parse.child(thing, "relcl")
    that = view.at(thing.index + 1)
    if root.lower != "are" or clause is None or that.lower not in _MEANT or view.stop < 8:
        return
    own = view.parse.child(clause, "nsubj", "nsubjpass")
    if own is None or own.index != that.index or view.parse.child(root, "neg", "conj"):
        return
    span = view.parse.span(clause)
    if span is None or span[1] != view.stop or view.tokens[2].lower in ("no", "few", "only", "two"):
        return
    if not view.tokens[2].text.isalpha():
        return
    yield Restructuring(
        "existence: there are",
        (
            Swap(0, view.tokens[2].end, capitalise(view.tokens[2].text)),
            Swap(that.start, view.at(that.index + 1).start, ""),
        ),
    )


_HARD = words(
    "difficult hard easy important necessary challenging useful essential crucial straightforward"
    " common expensive costly beneficial impractical infeasible sufficient"
)


def _doing_is(view: View, root: Token) -> Iterator[Restructuring]:
    """ "Training such a model is difficult" becomes "It is difficult to train such a model"."""
    doing = view.tokens[0]
    quality = view.parse.child(root, "acomp")
    if doing.tag != "VBG" or doing.dep != "csubj" or root.lower not in ("is", "was"):
        return
    if quality is None or quality.lower not in _HARD or quality.index + 1 != view.stop:
        return
    span = view.parse.span(doing)
    if span is None or span[1] != root.index or view.parse.child(doing, "conj", "neg"):
        return
    if view.parse.child(root, "conj", "neg", "advcl") or span[1] > 14:
        return
    middle = view.written(root.index, quality.index + 1)
    yield Restructuring(
        "impersonal: it is hard to do",
        (
            Swap(0, doing.end, f"It {middle} to {doing.lemma}"),
            Swap(view.tokens[root.index - 1].end, quality.end, ""),
        ),
    )


PASSIVE_NOUNS = {
    "describe": ("description", "given"), "discuss": ("discussion", "given"),
    "explain": ("explanation", "given"), "summarize": ("summary", "given"),
    "summarise": ("summary", "given"), "analyze": ("analysis", "carried out"),
    "analyse": ("analysis", "carried out"),
    "evaluate": ("evaluation", "carried out"), "investigate": ("investigation", "carried out"),
    "study": ("study", "carried out"), "define": ("definition", "given"),
    "visualize": ("visualization", "given"), "update": ("update", "performed"),
}  # fmt: skip


def passive_nouns(view: View) -> Iterator[Restructuring]:
    """ "The data are described in Section 3" becomes "A description of the data is given in"."""
    root, subject = view.root, view.subject
    if root is None or subject is None or root.tag != "VBN" or root.lemma not in PASSIVE_NOUNS:
        return
    own = view.parse.span(subject)
    if own is None or not _plain_subject(view, subject, own):
        return
    if view.parse.child(root, "conj", "neg", "agent", "xcomp", "oprd", "advcl", "ccomp"):
        return
    between = [token.lower for token in view.tokens[own[1] : root.index]]
    after = view.at(root.index + 1)
    if len(between) != 1 or between[0] not in ("is", "are", "was", "were"):
        return
    if after.lower not in ("in", "on", "with", "using", "by") and after.text != ".":
        return
    if after.lower == "by" or (root.lemma in ("define", "update") and after.lower != "in"):
        return
    noun, done = PASSIVE_NOUNS[root.lemma]
    be = "was" if between[0] in ("was", "were") else "is"
    opening = f"{article_for(noun)} {noun} of "
    first = view.tokens[own[0]]
    text = opening + view.lowered(own[0], own[0] + 1)
    yield Restructuring(
        f"passive with a noun: {root.lemma}",
        (
            Swap(first.start, first.end, capitalise(text) if own[0] == 0 else text),
            Swap(view.at(own[1]).start, root.end, f"{be} {done}"),
        ),
    )


_CONSIDERED = words(
    "order context structure information relationship relationships dependencies interactions"
    " constraints uncertainty effect effects correlations correlation costs cost noise dynamics"
    " semantics history position positions locality geometry features aspects factors"
)


def accounts(view: View) -> Iterator[Restructuring]:
    """ "by considering the order" becomes "by taking the order into account"."""
    for verb in view.tokens[1:-2]:
        if verb.lemma != "consider" or verb.tag not in ("VBG", "VB", "VBZ", "VBP"):
            continue
        thing, doer = view.parse.child(verb, "dobj"), view.parse.child(verb, "nsubj")
        span = None if thing is None else view.parse.span(thing)
        if thing is None or span is None or span[0] != verb.index + 1 or span[1] - span[0] > 6:
            continue
        if thing.lower not in _CONSIDERED or (doer is not None and doer.lower in _PEOPLE):
            continue
        if verb.tag == "VB" or view.parse.child(verb, "conj", "neg", "xcomp", "prep", "ccomp"):
            continue
        if doer is None and verb.dep != "pcomp":
            continue
        does = _form(view, verb, "take")
        after = view.at(span[1])
        if does is None or after.pos not in ("PUNCT", "CCONJ", "SCONJ") or after.text in "-([–":
            continue
        yield Restructuring(
            "expression: take into account",
            (
                Swap(verb.start, verb.end, does),
                Swap(view.tokens[span[1] - 1].end, view.tokens[span[1] - 1].end, " into account"),
            ),
        )


VERB_NOUNS = {
    "evaluate": "evaluation", "estimate": "estimation", "improve": "improvement",
    "optimize": "optimization", "select": "selection", "compute": "computation",
    "identify": "identification", "detect": "detection", "extract": "extraction",
    "predict": "prediction", "classify": "classification", "reduce": "reduction",
    "generate": "generation", "analyze": "analysis", "validate": "validation",
    "minimize": "minimization", "maximize": "maximization", "construct": "construction",
    "approximate": "approximation", "calculate": "calculation", "reconstruct": "reconstruction",
    "initialize": "initialization", "assess": "assessment", "visualize": "visualization",
    "train": "training", "test": "testing", "verify": "verification", "update": "updating",
    "adjust": "adjustment", "measure": "measurement", "investigate": "investigation",
    "illustrate": "illustration", "simulate": "simulation", "create": "creation",
    "recover": "recovery", "integrate": "integration", "determine": "determination",
}  # fmt: skip
# "For the testing of the speed" and the like are not written.
_SERVED = words(
    "evaluate estimate optimize select compute identify detect extract predict classify generate"
    " analyze minimize maximize construct approximate calculate reconstruct assess train"
)
_TOOLS = words(
    "method methods approach approaches algorithm algorithms procedure technique techniques"
    " framework tool tools mechanism strategy criterion heuristic scheme"
)
_USED = words("use employ apply utilize need require")
_SERVING = words(
    "use employ apply utilize exploit leverage adopt propose introduce develop design need require"
    " combine collect add build follow extend"
)


def purpose_nouns(view: View) -> Iterator[Restructuring]:
    """ "We use A to estimate the B" becomes "We use A for the estimation of the B"."""
    for verb in view.tokens[1:-2]:
        noun = VERB_NOUNS.get(verb.lemma) if verb.lemma in _SERVED else None
        to, thing = view.tokens[verb.index - 1], view.parse.child(verb, "dobj")
        if noun is None or verb.tag != "VB" or to.lower != "to" or thing is None:
            continue
        first = view.tokens[verb.index + 1]
        span = view.parse.span(thing)
        if span is None or span[0] != first.index or thing.pos != "NOUN":
            continue
        if first.lower not in ("the", "our", "these", "this", "each", "a", "an"):
            continue
        if view.parse.child(verb, "conj", "advmod", "xcomp", "ccomp", "advcl", "prt", "neg"):
            continue
        head = view.tokens[verb.head]
        front = to.index == 0 and verb.dep == "advcl" and view.at(span[1]).text == ","
        tool = verb.dep in ("acl", "relcl") and head.lower in _TOOLS and head.index == to.index - 1
        serving = verb.dep == "advcl" and head.lemma in _SERVING and head.index < to.index
        passive = serving and view.parse.child(head, "nsubjpass") is not None
        whole = serving and view.parse.child(head, "dobj") is not None
        used = verb.dep == "xcomp" and head.tag == "VBN" and head.lemma in _USED
        used = used and head.index == to.index - 1
        if not (front or tool or passive or whole or used):
            continue
        before = view.tokens[to.index - 1] if to.index else None
        if before is not None and (before.text == "," or before.lower in ("order", "as", "not")):
            continue
        text = f"for the {noun} of"
        yield Restructuring(
            f"purpose as a noun: {verb.lemma}",
            (Swap(to.start, verb.end, capitalise(text) if to.index == 0 else text),),
        )
