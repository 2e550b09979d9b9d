"""Clause order: an adverbial clause or phrase moves from one end of its sentence to the other."""

from __future__ import annotations

from collections.abc import Iterator

from revkit.english import capitalise
from revkit.grammar import Token
from revkit_robustrev.guards import words
from revkit_robustrev.restructuring.view import (
    CLAUSES,
    PRONOUNS,
    Restructuring,
    Swap,
    View,
)

_MARKS = words("if when because although though before after once unless since while whereas as")
_NO_AS = words(
    "see observe know note mention shown seen described discussed mentioned noted depicted"
    " illustrated indicated expected defined"
)
_BINDING = ("ccomp", "relcl", "advcl", "parataxis", "acl", "conj", "pcomp")
_COMMA = words("although though while whereas")  # a comma before them at the end
_PLACES = words("in on for at during under across within throughout")
_WITH = words("with from over")  # moved only where "we" do something to an object
_CONNECTIVES = words(
    "contrast addition example instance particular fact general summary conclusion result"
    " consequence words hand comparison turn short order terms total brief response light essence"
    " way manner sense regard respect case cases line spirit view end reason this purpose above"
    " following spite"
)
# Verbs that choose these prepositions: the phrase belongs to the verb.
_CHOOSING = words(
    "focus rely depend base result be consist build concentrate draw differ lie fall belong"
    " participate engage succeed fail account aim care allow ask look search wait call hold"
    " work operate act serve condition reside live stay remain appear occur exist perform converge"
    " specialize invest involve embed place put set insert map encode split divide convert"
    " transform turn translate project plug feed pass send add include incorporate write express"
    " formulate"
)
# What can be done for a purpose: an infinitive at the end then belongs to it, not to a noun.
_DOING = words(
    "use employ apply add introduce perform conduct compute adopt propose develop design evaluate"
    " run compare extend implement construct create combine follow remove select include optimize"
    " modify repeat set fix define generate sample collect present analyze analyse study explore"
    " investigate examine utilize leverage exploit incorporate integrate build derive measure"
    " report plot visualize consider calculate estimate normalize average train update rely make"
    " take keep initialize augment filter split crop resize tune minimize maximize replace"
)
_DONE = words(
    "provide give show create make collect need choose pick require leave divide discuss need"
    " insert exploit augment assign split pretrain freeze approximate modify process remove select"
)
# What may not come before the noun that it speaks of.
_FORWARD = words("it they them its their itself themselves he she his her latter former one ones")


def clause_orders(view: View) -> Iterator[Restructuring]:
    """Every move of a clause or a phrase that leaves no doubt about what it belongs to."""
    root = view.root
    if root is None or view.subject is None or view.parse.child(root, "conj", "parataxis"):
        return
    if view.has_word(0, len(view.tokens), words("later again above below")):
        return  # "we come back to this later in this section"
    for below in view.parse.children[root.index]:
        if below.dep == "advcl":
            yield from _clause(view, root, below)
        elif below.dep == "prep" and (below.lower in _PLACES or below.lower in _WITH):
            yield from _phrase(view, root, below)


def _clause(view: View, root: Token, verb: Token) -> Iterator[Restructuring]:
    span = view.parse.span(verb)
    if span is None or not 3 <= span[1] - span[0] <= 22:
        return
    first = view.tokens[span[0]]
    if first.lower == "as" or (first.lower == "if" and span[0] > 0):
        return
    finite = first.lower in _MARKS and bool(view.parse.child(verb, "nsubj", "nsubjpass", "expl"))
    purpose = _purpose(view, span[0], verb)
    done = view.parse.child(root, "auxpass") is not None and root.lemma in _DONE
    if purpose and root.lemma not in _DOING and not done:
        return
    if not (finite or purpose or first.lower == "using"):
        return
    if first.lower in ("since", "as", "while") and not finite:
        return
    if first.lower == "as" and (span[0] > 0 or view.has_word(*span, _NO_AS)):
        return
    comma = first.lower in _COMMA
    yield from _moved(view, root, span, "clause order", comma)


def _phrase(view: View, root: Token, preposition: Token) -> Iterator[Restructuring]:
    span, thing = view.parse.span(preposition), view.parse.child(preposition, "pobj")
    if span is None or thing is None or not 3 <= span[1] - span[0] <= 12:
        return
    if thing.lower in _CONNECTIVES or root.lemma in _CHOOSING:
        return
    if view.below(preposition, ("relcl", "advcl", "ccomp", "acl", "cc"), len(view.tokens)):
        return
    if preposition.lower in _WITH and (span[0] == 0 or thing.tag not in ("NN", "NNS", "NNP")):
        return
    if span[0] > 0 and not _ours(view, root) and not _placed(view, root, preposition, thing):
        return
    yield from _moved(view, root, span, "phrase order", comma=False)


def _ours(view: View, root: Token) -> bool:
    """Whether "we" do something to an object: then a phrase at the end is about the doing."""
    return (
        view.subject is not None
        and view.subject.lower == "we"
        and view.parse.child(root, "dobj") is not None
    )


def _placed(view: View, root: Token, preposition: Token, thing: Token) -> bool:
    """Whether a phrase at the end says where or when the whole is done."""
    done = view.parse.child(root, "auxpass") is not None
    quantified = view.parse.child(thing, "det")
    if preposition.lower == "for":
        return quantified is not None and quantified.lower in ("all", "each", "every", "both")
    return (
        preposition.lower in ("in", "during", "within", "across", "throughout", "at", "under")
        and (done or view.parse.child(root, "dobj") is not None)
        and view.parse.child(root, "agent", "dative") is None
        and thing.tag in ("NN", "NNS")
        and (quantified is not None or preposition.lower in ("during", "across", "throughout"))
    )


def _purpose(view: View, at: int, verb: Token) -> bool:
    """Whether a clause begins with "to" or "in order to" and a base verb."""
    if (view.tokens[at].lower, view.tokens[at + 1].lower) == ("in", "order"):
        at += 2
    following = view.tokens[at + 1]
    if following.tag == "RB" and at + 2 < len(view.tokens):
        following = view.tokens[at + 2]
    return view.tokens[at].lower == "to" and following.index == verb.index and verb.tag == "VB"


_SAME_KIND = words("in at during across within throughout under")


def _moved(
    view: View, root: Token, span: tuple[int, int], name: str, comma: bool
) -> Iterator[Restructuring]:
    first, last = span
    if last == view.stop < len(view.tokens) and first > root.index and view.opens_with_subject:
        yield from _to_front(view, root, first, last, name)
    elif first == 0 and last < root.index:
        yield from _to_end(view, root, last, name, comma)


def _to_front(view: View, root: Token, first: int, last: int, name: str) -> Iterator[Restructuring]:
    comma = view.tokens[first - 1].text == ","
    if view.tokens[first - 1].dep in ("npadvmod", "nummod"):
        return  # "is repeated 72 h after the visit"
    if view.tokens[first - 1].pos in ("AUX", "ADV", "SCONJ") or root.lemma == "be":
        return  # "the reason was likely because A": the clause is the predicate
    main = first - 1 if comma else first
    if main < 4 or last - first > 2 * main or view.has_word(first, last, _FORWARD):
        return
    if view.has_word(0, 1, _FORWARD):
        return
    if any(_binds(each) for each in view.tokens[root.index + 1 : main]):
        return
    if view.has_word(0, main, frozenset((":", ";", "—", ",", "only"))):
        return
    if view.tokens[first].lower == "when" and view.tokens[main - 1].lower in ("case", "cases"):
        return
    clause = capitalise(view.written(first, last))
    start, opening = view.tokens[0], view.tokens[first]
    # Either part may move: the one that stays may hold marks that no edit may touch.
    for pieces in (
        (
            Swap(start.start, start.end, f"{clause}, {view.lowered(0, 1)}"),
            Swap(view.tokens[main - 1].end, view.tokens[last - 1].end, ""),
        ),
        (
            Swap(start.start, opening.end, capitalise(opening.text)),
            Swap(
                view.tokens[last - 1].end,
                view.tokens[last - 1].end,
                f", {view.lowered(0, main)}",
            ),
        ),
    ):
        yield Restructuring(f"{name}: {opening.lower} to the front", pieces)


_PARTS = words(
    "section sections paper work experiments experiment appendix subsection settings setting"
    " literature practice study evaluation analysis"
)


def _loose(token: Token) -> bool:
    """Whether a clause or part may come before a phrase that names a part of the paper."""
    return token.dep in ("conj", "xcomp") and (token.dep == "xcomp" or token.pos != "VERB")


def _binds(token: Token) -> bool:
    """Whether what follows ``token`` may belong to its clause; parts of an enumeration bind not."""
    if token.dep == "conj":
        return token.pos not in ("NOUN", "PROPN", "ADJ")
    return token.dep in _BINDING


def _to_end(view: View, root: Token, last: int, name: str, comma: bool) -> Iterator[Restructuring]:
    main = last + 1 if view.tokens[last].text == "," else last
    subject = view.subject
    where = view.has_word(0, last, _PARTS)
    if subject is None or view.first(subject) != main or view.stop == len(view.tokens):
        return
    if not 4 <= view.stop - main <= 28 or view.has_word(main, view.stop, _FORWARD):
        return
    if subject.lower in PRONOUNS or any(
        each.dep in CLAUSES and not (where and _loose(each))
        for each in view.tokens[root.index : view.stop]
    ):
        return
    if view.has_word(main, view.stop, frozenset((":", ";", "(", ",", "—"))):
        return
    own = view.tokens[0].lower
    if name != "clause order" and any(
        each.dep == "prep" and (each.lower == own or each.lower in _SAME_KIND)
        for each in view.tokens[root.index : view.stop]
    ):
        return
    start, end = view.tokens[0], view.tokens[main]
    stop = view.tokens[view.stop - 1].end
    joint = "," if comma else ""
    for pieces in (
        (
            Swap(start.start, end.end, capitalise(view.written(main, main + 1))),
            Swap(stop, stop, f"{joint} {view.lowered(0, last)}"),
        ),
        (
            Swap(
                start.start,
                start.end,
                f"{capitalise(view.written(main, view.stop))}{joint} {view.lowered(0, 1)}",
            ),
            Swap(view.tokens[last - 1].end, stop, ""),
        ),
    ):
        yield Restructuring(f"{name}: {start.lower} to the end", pieces)


_PARENTHETICAL = words("however moreover furthermore nevertheless nonetheless consequently")
_PLAIN = words("therefore thus hence then")


def connective_orders(view: View) -> Iterator[Restructuring]:
    """ "However, the model fails" becomes "The model, however, fails"; "Thus, it" "It thus"."""
    root, subject = view.root, view.subject
    if root is None or subject is None or len(view.tokens) < 7 or view.tokens[1].text != ",":
        return
    word, span = view.tokens[0].lower, view.parse.span(subject)
    if span is None or span[0] != 2 or span[1] - span[0] > 5 or subject.lower in ("it", "there"):
        return
    verb = view.tokens[span[1]]
    if verb.pos not in ("VERB", "AUX") or verb.tag not in ("VBZ", "VBP", "VBD", "MD", "VB"):
        return
    if word in _PARENTHETICAL and subject.lower != "we":
        middle, at = f", {word},", span[1]
    elif word in _PLAIN and subject.lower != "we":
        helps = verb.pos == "AUX"
        middle, at = f" {word}", span[1] + 1 if helps else span[1]
        if helps and view.tokens[at].tag == "RB":
            return
    else:
        return
    opening = view.tokens[2]
    front = Swap(view.tokens[0].start, opening.end, capitalise(opening.text))
    if at == 3:
        front = Swap(front.start, front.end, front.new + middle)
        yield Restructuring(f"connective order: {word}", (front,))
    else:
        place = view.tokens[at - 1].end
        yield Restructuring(f"connective order: {word}", (front, Swap(place, place, middle)))


_PREPOSITIONAL = words("by despite due without after before through via")


def means_orders(view: View) -> Iterator[Restructuring]:
    """ "We reduce noise by averaging" and "By averaging, we reduce noise"; causes likewise."""
    root = view.root
    if root is None or view.subject is None or view.parse.child(root, "conj", "parataxis"):
        return
    if root.lemma == "be":
        return
    for below in view.parse.children[root.index]:
        if below.dep != "prep" or below.lower not in _PREPOSITIONAL:
            continue
        span = view.parse.span(below)
        doing = view.parse.child(below, "pcomp")
        if span is None or not 3 <= span[1] - span[0] <= 16:
            continue
        if below.lower in ("by", "without", "through") and (doing is None or doing.tag != "VBG"):
            continue
        if below.lower in ("due", "via") and span[0] == 0 and below.lower == "via":
            continue
        if view.below(below, ("relcl", "advcl", "ccomp", "parataxis"), len(view.tokens)):
            continue
        yield from _moved(view, root, span, "means order", comma=False)


# Phrases that can be put aside between a subject and its verb.
_ASIDES = (
    ("unlike",), ("compared", "to"), ("compared", "with"), ("based", "on"),
    ("like",), ("despite",), ("depending", "on"), ("as", "a", "result"),
    ("as", "a", "consequence"), ("in", "particular"), ("in", "contrast"), ("by", "contrast"),
    ("in", "addition"), ("in", "fact"),
    ("in", "practice"), ("in", "principle"), ("in", "turn"), ("in", "general"), ("for", "example"),
    ("for", "instance"), ("on", "the", "other", "hand"), ("on", "the", "contrary"),
    ("at", "the", "same", "time"), ("to", "our", "knowledge"), ("because", "of"), ("due", "to"),
    ("thanks", "to"), ("in", "comparison"), ("of", "course"), ("instead", "of"), ("rather", "than"),
    ("in", "this", "case"), ("in", "both", "cases"), ("by", "construction"),
)  # fmt: skip


def asides(view: View) -> Iterator[Restructuring]:
    """ "Unlike A, the model learns B" becomes "The model, unlike A, learns B"."""
    root, subject = view.root, view.subject
    if root is None or subject is None or len(view.tokens) < 9:
        return
    own = view.parse.span(subject)
    lowers = tuple(token.lower for token in view.tokens[:4])
    form = next((each for each in _ASIDES if lowers[: len(each)] == each), None)
    if view.tokens[0].dep == "mark" or (len(view.tokens) > 1 and view.tokens[1].lower == "that"):
        return
    if own is None or form is None or subject.pos not in ("NOUN", "PROPN") or own[1] - own[0] > 6:
        return
    comma = view.tokens[own[0] - 1]
    if comma.text != "," or own[0] > 16 or any(t.text == "," for t in view.tokens[: own[0] - 1]):
        return
    verb = view.tokens[own[1]]
    if verb.pos not in ("VERB", "AUX") or view.has_word(*own, (PRONOUNS - _NEAR) | _NO_NAME):
        return
    if verb.pos == "VERB" and any(token.tag == "MD" for token in view.tokens[verb.index :]):
        return  # "direct reference updates and A can be": a noun that is read as the verb
    if view.has_word(0, own[0], _FORWARD) or view.below(subject, ("relcl", "acl"), own[1]):
        return
    first, last = view.tokens[0], view.tokens[own[1] - 1]
    phrase = view.written(0, own[0] - 1)
    opening = view.tokens[own[0]]
    name = f"aside: {' '.join(form)}"
    yield Restructuring(
        name,
        (
            Swap(0, opening.end, capitalise(opening.text)),
            Swap(last.end, last.end, f", {phrase[0].lower()}{phrase[1:]},"),
        )
        if own[1] - own[0] > 1
        else (
            Swap(0, opening.end, f"{capitalise(opening.text)}, {phrase[0].lower()}{phrase[1:]},"),
        ),
    )
    yield Restructuring(
        name,
        (
            Swap(0, first.end, f"{capitalise(view.written(*own))}, {first.lower}"),
            Swap(comma.end, last.end, ""),
        ),
    )


_NO_NAME = words("none nothing no one something all some any many most few")
_NEAR = words("this these that those such both each same other another")


def places_before_that(view: View) -> Iterator[Restructuring]:
    """ "In this section, we show that S" becomes "We show in this section that S"."""
    root, subject = view.root, view.subject
    if root is None or subject is None or subject.lower != "we" or subject.index == 0:
        return
    at = root.index + 1
    if at >= len(view.tokens) or root.index != subject.index + 1:
        return
    said = view.tokens[at].lower in ("that", "how", "whether") and view.parse.child(root, "ccomp")
    if not said or root.tag not in ("VBP", "VBD"):
        return
    phrase = view.tokens[0]
    comma = view.tokens[subject.index - 1]
    span = view.parse.span(phrase)
    if phrase.dep != "prep" or phrase.lower != "in" or span is None:
        return
    last = subject.index - (comma.text == ",")
    if span != (0, last) or not 2 <= last <= 7 or view.has_word(0, last, _FORWARD):
        return
    thing = view.parse.child(phrase, "pobj")
    if thing is None or thing.lower not in _PARTS:
        return
    yield Restructuring(
        "phrase order: before that",
        (
            Swap(0, phrase.end, f"We {root.text} {phrase.lower}"),
            Swap(view.tokens[last - 1].end, root.end, ""),
        ),
    )
