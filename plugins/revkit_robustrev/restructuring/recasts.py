"""Impersonal forms and exhibits: "X can be computed" and "it is possible to compute X"."""

from __future__ import annotations

from collections.abc import Iterator

from revkit.english import capitalise
from revkit.grammar import Token
from revkit_robustrev.guards import words
from revkit_robustrev.restructuring.inflection import gerund, participle
from revkit_robustrev.restructuring.view import PRONOUNS, Restructuring, Swap, View

# "X can be seen as" and the like are fixed; they express no ability.
_FIXED = words(
    "see find view interpret think consider regard understand say expect attribute note observe"
    " due relate mean call know do have"
)
# What a reader can do with a thing: "it is possible to accredit successes" is stiff.
_DOABLE = words(
    "compute calculate estimate train apply extend use implement optimize construct generate learn"
    " obtain derive solve approximate evaluate measure improve reduce combine adapt test compare"
    " replace remove add extract detect identify classify predict sample parallelize reuse recover"
    " reconstruct build create simulate visualize integrate optimise minimize maximize modify"
    " control select choose update simplify decompose factorize transfer avoid"
)
_HARD = words(
    "difficult hard easy possible impossible important necessary challenging useful essential"
    " natural crucial straightforward common easier harder feasible infeasible reasonable costly"
    " expensive desirable beneficial helpful impractical sufficient tempting"
)
_SHOWN = words("shown seen illustrated depicted demonstrated")
_NO_OPENER = words("we and or but which that what where when how")


def recastings(view: View) -> Iterator[Restructuring]:
    """Every clause that can be expressed impersonally, or the other way."""
    root, subject = view.root, view.subject
    if root is None or len(view.tokens) < 7:
        return
    for verb in view.tokens:
        doer = view.parse.child(verb, "nsubjpass") if verb.tag == "VBN" else None
        if doer is not None:
            yield from _possible(view, verb, doer)
    if subject is not None:
        yield from _it_is(view, root, subject)
        yield from _we_and_we(view, root, subject)
    yield from _as_shown_in(view)


def _possible(view: View, root: Token, subject: Token) -> Iterator[Restructuring]:
    """ "The loss can be computed in one pass" becomes "It is possible to compute the loss in"."""
    if participle(root.lemma) != root.lower or view.lacks_subject(root):
        return
    if root.tag != "VBN" or root.lemma in _FIXED or view.parse.child(root, "neg", "conj", "agent"):
        return
    if view.parse.child(root, "ccomp", "oprd", "xcomp", "parataxis", "preconj", "dobj"):
        return
    own = view.parse.span(subject)
    if own is None or own[1] - own[0] > 7 or root.lemma not in _DOABLE:
        return
    before = view.tokens[own[0] - 1] if own[0] else None
    if before is not None and before.text != "," and not _opens(before):
        return
    pronoun = _OBJECTS.get(subject.lower) if own[1] - own[0] == 1 else None
    if pronoun is None and not _named(view, subject, own):
        return
    between = [token.lower for token in view.tokens[own[1] : root.index]]
    adverbs = [word for word in between if word not in ("can", "be")]
    if between[:1] != ["can"] or "be" not in between or len(adverbs) > 1:
        return
    adverb = adverbs[0] if adverbs else ""
    if adverb and not (adverb in ("also", "then", "thus", "therefore") or adverb.endswith("ly")):
        return
    if adverb in ("only", "potentially", "possibly"):
        return
    after = view.tokens[root.index + 1] if root.index + 1 < len(view.tokens) else None
    if after is None or (after.lower in ("to", "and", "or", "as", "by") and after.dep != "prep"):
        return
    early = adverb if not adverb.endswith("ly") else ""
    late = adverb if adverb.endswith("ly") else ""
    thing = pronoun or view.lowered(*own)
    parts = ["it", "is", early, "possible", "to", late, root.lemma, thing]
    text = " ".join(part for part in parts if part)
    start = view.tokens[own[0]].start
    yield Restructuring(
        "impersonal: it is possible",
        (Swap(start, root.end, capitalise(text) if own[0] == 0 else text),),
    )


_OBJECTS = {"they": "them", "it": "it", "this": "this", "these": "these"}


def _opens(token: Token) -> bool:
    """Whether a clause begins behind ``token``."""
    return token.dep == "mark" and token.lower in ("that", "because", "since", "as", "although")


def _named(view: View, noun: Token, span: tuple[int, int]) -> bool:
    """Whether a noun phrase can be the object at another place: no pronoun, no clause in it."""
    return (
        noun.pos in ("NOUN", "PROPN")
        and not view.has_word(*span, PRONOUNS - words("these this that those their its"))
        and not (span[1] - span[0] == 1 and noun.lower in PRONOUNS)
        and not view.below(noun, ("relcl", "acl", "advcl", "ccomp", "appos"), span[1])
        and not view.has_word(*span, words("no neither nothing none few any only"))
    )


def _it_is(view: View, root: Token, subject: Token) -> Iterator[Restructuring]:
    """ "It is difficult to train deep networks" becomes "Training deep networks is difficult"."""
    if subject.lower != "it" or subject.index != 0 or root.lemma != "be":
        return
    adjective = view.parse.child(root, "acomp")
    if adjective is None or adjective.lower not in _HARD or view.parse.child(root, "neg", "conj"):
        return
    if view.parse.children[adjective.index] and any(
        below.dep not in ("advmod", "xcomp") for below in view.parse.children[adjective.index]
    ):
        return
    to = adjective.index + 1
    verb = view.tokens[to + 1] if to + 1 < len(view.tokens) else None
    if verb is None or view.tokens[to].lower != "to" or verb.tag != "VB" or verb.lemma == "be":
        return
    span, doing = view.parse.span(verb), gerund(verb.lemma)
    if span is None or doing is None or span[1] != view.stop or not 3 <= span[1] - to <= 14:
        return
    if not view.parse.child(verb, "dobj") or view.below(verb, ("advcl", "relcl", "ccomp"), 99):
        return
    if verb.lemma in (
        "note",
        "see",
        "say",
        "mention",
        "ask",
        "have",
        "do",
        "remember",
        "emphasize",
    ):
        return
    middle = view.written(1, to)  # "is very difficult"
    yield Restructuring(
        "impersonal: doing as the subject",
        (
            Swap(0, verb.end, capitalise(doing)),
            Swap(view.tokens[view.stop - 1].end, view.tokens[view.stop - 1].end, f" {middle}"),
        ),
    )


def _as_shown_in(view: View) -> Iterator[Restructuring]:
    """ "As shown in Table 2, S" becomes "Table 2 shows that S"; the exhibit itself stays."""
    front = [token.lower for token in view.tokens[:3]]
    if front[0] != "as" or front[1] not in _SHOWN or front[2] != "in":
        return
    comma = next((token for token in view.tokens[3:9] if token.text == ","), None)
    if comma is None or comma.index + 5 > len(view.tokens):
        return
    opening = view.tokens[comma.index + 1]
    if opening.lower in _NO_OPENER or opening.text == "," or not opening.text.isalpha():
        return
    exhibit = view.text[view.tokens[3].start : comma.start].lower()
    if not exhibit.startswith(("table ", "figure ", "fig. ", "fig ")) or " and " in exhibit:
        return
    if view.has_word(comma.index + 1, len(view.tokens), words("shows show")):
        return
    verb = {"depicted": "depicts", "illustrated": "illustrates"}.get(front[1], "shows")
    yield Restructuring(
        "frame: exhibit that shows",
        (
            Swap(0, view.tokens[3].start, ""),
            Swap(comma.start, comma.end, f" {verb} that"),
        ),
    )


def _we_and_we(view: View, root: Token, subject: Token) -> Iterator[Restructuring]:
    """ "We train A and evaluate B" becomes "We train A, and we evaluate B"."""
    second = view.parse.child(root, "conj")
    if subject.lower != "we" or second is None or view.parse.child(second, "nsubj", "nsubjpass"):
        return
    if second.tag != root.tag or root.tag not in ("VBP", "VBD") or second.index < root.index + 4:
        return
    if view.parse.child(root, "aux", "neg") or view.parse.child(second, "conj", "aux"):
        return
    joint = view.tokens[second.index - 1]
    adverb = joint.tag == "RB"
    if adverb:
        joint = view.tokens[second.index - 2]
    if joint.lower != "and" or joint.head != root.index or view.stop - second.index < 4:
        return
    before = view.tokens[joint.index - 1]
    if view.has_word(0, joint.index, words("both either if when that whether because and")):
        return
    start = before.start if before.text == "," else before.end
    yield Restructuring("subject repeated: and we", (Swap(start, joint.end, ", and we"),))


def purposes(view: View) -> Iterator[Restructuring]:
    """ "We use A to reduce B" becomes "We use A in order to reduce B"."""
    if view.root is None or "order to" in view.text.lower():
        return
    yield from _first_purpose(view, view.root)
    for verb in view.tokens:
        to = view.tokens[verb.index - 1] if verb.index else verb
        if verb.dep != "advcl" or verb.tag != "VB" or to.lower != "to" or to.head != verb.index:
            continue
        head = view.tokens[verb.head]
        if not head.index + 2 < to.index or head.lemma not in _PURPOSEFUL:
            continue
        if view.parse.child(head, "dobj", "nsubjpass") is None or verb.lower in _NOUNS:
            continue
        before = view.tokens[to.index - 1]
        if before.lower in _AIMED or head.lemma in _MAPPED or verb.lemma in _REACHED:
            continue  # "the motivation to reduce", "extend the layer to input representations"
        if view.parse.child(verb, "dobj") and before.text != ",":
            yield Restructuring("purpose: in order to", (Swap(to.start, to.end, "in order to"),))


def _first_purpose(view: View, root: Token) -> Iterator[Restructuring]:
    """ "To reduce B, we use A" becomes "In order to reduce B, we use A"."""
    to, verb = view.tokens[0], view.tokens[1]
    if to.text != "To" or verb.tag != "VB" or verb.dep != "advcl" or verb.head != root.index:
        return
    span = view.parse.span(verb)
    if view.parse.child(verb, "dobj") is None or span is None or view.subject is None:
        return
    if view.at(span[1]).text == "," and verb.lemma not in ("summarize", "conclude", "give"):
        yield Restructuring(
            "purpose: in order to, at the front", (Swap(to.start, to.end, "In order to"),)
        )


# Nouns that have their infinitive with them, and verbs that have a "to" of another kind.
_REACHED = words("achieve reach attain obtain get yield give")  # a result rather than a purpose
_AIMED = words(
    "as so motivation ability attempt attempts effort efforts need needs goal aim way ways"
    " means method methods strategy incentive desire tendency potential capacity capability chance"
    " opportunity"
    " time reason reasons failure willingness power right freedom permission decision"
)
_MAPPED = words("extend apply compare add adapt generalize update integrate")
# Nouns that a parse takes for verbs: "apply A to graph data".
_NOUNS = words(
    "input output graph image text speech video document network model sequence language label"
)
_PURPOSEFUL = words(
    "use employ apply add introduce perform conduct adopt develop design run construct create"
    " combine remove include modify repeat sample analyze collect explore utilize train"
    " leverage exploit propose extend evaluate implement normalize select compute report compare"
    " follow choose take keep build generate modify tune update integrate incorporate vary make"
    " train optimize initialize define fix derive estimate form produce parameterize split divide"
    " concatenate average aggregate transform adjust filter freeze augment regularize solve"
    " set replace consider sample store crop resize pad scale drop discard test check visualize"
    " plot study examine investigate measure monitor control restrict limit reduce increase"
    " decrease maintain minimize maximize project encode decode feed pass share stack insert"
    " perturb mask sum shuffle rotate group cluster rank sort cut clip bound search assign"
    " present provide inspect annotate label query prune compress deploy enforce impose rescale"
    " truncate interpolate simulate analyse optimise utilise embed fuse merge calibrate relax"
    " formulate rewrite recall describe summarize list discuss conclude exclude double halve"
)
