"""Attributes of nouns: before them, behind them, or as clauses; "that" and "which" in clauses."""

from __future__ import annotations

from collections.abc import Iterator

from revkit.english import article_for, capitalise_as
from revkit.grammar import Token
from revkit_robustrev.guards import words
from revkit_robustrev.restructuring.view import Restructuring, Swap, View

# What is said of a whole and has a compound with its name: "the network output".
_PARTS = words(
    "output outputs input inputs dimensions structure"
    " architecture parameters weights accuracy complexity performance quality distribution"
    " statistics values representation representations predictions prediction capacity vocabulary"
    " topology activations states entropy diversity density size width depth length dimension"
    " dimensionality behavior behaviour robustness stability convergence objective gradient"
    " gradients embedding embeddings features elements components coefficients entries design"
    " connectivity content context history position duration norm mean variance"
)
_WHOLES = words(
    "model network batch dataset image layer graph sequence sentence sample word document data"
    " filter kernel vocabulary input output encoder decoder generator discriminator classifier"
    " policy agent task system vector matrix text video signal tree window cluster cell"
    " feature node program question user domain"
)
_STOP = ("NOUN", "PROPN", "NUM", "ADJ")


def compounds(view: View) -> Iterator[Restructuring]:
    """ "the size of the batch" and "the batch size"; "our model size" "the size of our model"."""
    for at in range(len(view.tokens) - 5):
        the, one, two, three, four, after = view.tokens[at : at + 6]
        if the.lower not in ("the", "our", "each"):
            continue
        if the.lower != "the":
            yield from _owned_whole(view, the, one, two, three)
            continue
        parted = one.lower in _PARTS and (two.lower, three.lower) == ("of", "the")
        if parted and four.lower in _WHOLES - {one.lower} and _closed(view, four, after):
            if not view.parse.child(one, "amod", "conj"):
                yield Restructuring(
                    f"of to compound: {one.lower}",
                    (Swap(one.start, four.end, f"{four.text} {one.text}"),),
                )
        elif (
            one.lower in _WHOLES - {"data"}
            and two.lower in _PARTS
            and one.dep == "compound"
            and three.lower != "of"
            and two.lower not in _COUNTED
            and _closed(view, two, three)
        ):
            yield Restructuring(
                f"compound to of: {two.lower}",
                (Swap(one.start, two.end, f"{two.text} of the {one.text}"),),
            )


def _owned_whole(
    view: View, owner: Token, one: Token, two: Token, after: Token
) -> Iterator[Restructuring]:
    if one.lower not in _WHOLES - {"data"} or two.lower not in _PARTS or one.dep != "compound":
        return
    if after.lower == "of" or two.lower in _COUNTED or not _closed(view, two, after):
        return
    front = "The" if owner.text[0].isupper() else "the"
    yield Restructuring(
        f"compound to of: {two.lower}",
        (Swap(owner.start, two.end, f"{front} {two.text} of {owner.lower} {one.text}"),),
    )


# With a word before them they are read as terms: "the input features", "the word embeddings".
_COUNTED = words(
    "features embedding embeddings context content position history mean norm states gradient"
    " gradients variance"
)


def _closed(view: View, noun: Token, after: Token) -> bool:
    """Whether a noun phrase ends at ``noun``: nothing behind it belongs to it."""
    return (
        after.pos not in _STOP
        and after.text not in ("-", "(", "'s", "’s", "/", "$")
        and noun.dep != "compound"
        and not view.parse.child(noun, "conj", "cc", "relcl", "acl", "appos", "prep")
    )


_OURS = words("method approach model algorithm framework technique architecture network system")
_MADE = _OURS | words("loss measure metric tool scheme procedure baseline benchmark heuristic")
_BEHIND = ("VERB", "AUX", "ADP", "PUNCT", "CCONJ", "ADV", "PART", "SCONJ")


def premodifiers(view: View) -> Iterator[Restructuring]:
    """ "the proposed method" and "the method that we propose"; "a simple and fast method"."""
    for token in view.tokens[1:-3]:
        at = token.index
        before, noun, after = view.tokens[at - 1], view.tokens[at + 1], view.tokens[at + 2]
        if token.dep != "amod" or token.head != noun.index or after.pos not in _BEHIND:
            continue
        if after.text in ("-", "(", "'s", "’s") or view.parse.child(noun, "relcl", "acl", "conj"):
            continue
        if before.lower != "the":
            continue
        closed = after.pos in ("VERB", "AUX") or after.text in (".", ",")
        if closed and token.lower == "proposed" and noun.lower in _OURS:
            yield _behind(token, noun, "that we propose")
    yield from _pairs(view)


def _behind(word: Token, noun: Token, clause: str) -> Restructuring:
    return Restructuring(
        f"attribute to clause: {word.lower}",
        (Swap(word.start, noun.start, ""), Swap(noun.end, noun.end, f" {clause}")),
    )


def _pairs(view: View) -> Iterator[Restructuring]:
    """ "a simple and fast method" becomes "a method that is simple and fast"."""
    for token in view.tokens[1:-4]:
        at = token.index
        determiner, joint, other, noun, after = (
            view.tokens[at + step] for step in (-1, 1, 2, 3, 4)
        )
        if determiner.lower not in ("a", "an") or joint.lower not in ("and", "but", "yet"):
            continue
        if token.tag != "JJ" or other.tag != "JJ" or noun.tag != "NN" or token.dep != "amod":
            continue
        if token.head != noun.index or after.pos not in ("PUNCT", "SCONJ", "PART"):
            continue
        if after.text not in (".", ",") and after.lower != "to":
            continue
        if any("-" in each.text for each in (token, other, noun)) or noun.lower not in _MADE:
            continue
        article = article_for(noun.text)
        if not article:
            continue
        yield Restructuring(
            "attribute to clause: pair",
            (
                Swap(
                    determiner.start,
                    noun.end,
                    capitalise_as(article, determiner.text)
                    + f" {noun.text} that is {token.text} {joint.text} {other.text}",
                ),
            ),
        )


_SPEAKING = words("we they one i")
# Behind these, "that" opens a clause and is not a part of it, whatever the parse shows.
_CONTENT = words(
    "hypothesis fact idea claim assumption observation evidence possibility result results"
    " conclusion belief notion view intuition premise conjecture finding findings indication"
    " probability likelihood chance odds convince"
)


def _begun(view: View, noun: Token) -> bool:
    """Whether the main clause has begun before ``noun``: "To test A we had to" has no such noun."""
    return view.subject is not None and view.subject.index <= noun.index


def relative_forms(view: View) -> Iterator[Restructuring]:
    """ "the loss we use" and "the loss that we use"; ", which is based on" and ", based on"."""
    for verb in view.tokens:
        if verb.dep != "relcl" or verb.head >= verb.index:
            continue
        first, noun = view.tokens[view.first(verb)], view.tokens[verb.head]
        if noun.pos != "NOUN":
            continue
        before = view.tokens[first.index - 1]
        if first.lower in _SPEAKING and first.dep == "nsubj" and before.index == noun.index:
            asked = view.has_word(0, first.index, words("which what")) or not _begun(view, noun)
            near = view.has_word(max(first.index - 8, 0), first.index, words("that"))
            if view.parse.child(verb, "dobj") is None and not asked and not near:
                yield Restructuring(
                    f"relative form: {verb.lemma} with that", (Swap(noun.end, noun.end, " that"),)
                )
        elif first.dep in ("nsubj", "nsubjpass"):
            if noun.lower in _CONTENT:
                continue
            if view.at(first.index + 1).text[:1] in ("'", "’"):
                continue  # "a form that's easy"
            if first.lower in ("which", "that") and before.index == noun.index:  # restrictive
                if not _agrees(view, noun, first):
                    continue
                other = "that" if first.lower == "which" else "which"
                swap = Swap(first.start, first.end, other)
                yield Restructuring(f"relative pronoun: {other}", (swap,))
            elif first.lower == "which" and before.text == ",":
                yield from _apposition(view, first, verb)


def _agrees(view: View, noun: Token, pronoun: Token) -> bool:
    """Whether the verb after a relative pronoun has the number of its noun. "Problems which makes
    it hard", "ones which is why" and "trends that fewer errors follow" have no noun as antecedent.
    """
    verb = view.at(pronoun.index + 1)
    if verb.tag == "VBZ":
        return noun.tag == "NN" and view.at(verb.index + 1).lower not in ("why", "not")
    if verb.tag == "VBP":
        return noun.tag == "NNS"
    return verb.tag in ("VBD", "MD", "RB")


def _apposition(view: View, which: Token, verb: Token) -> Iterator[Restructuring]:
    be, after = view.tokens[which.index + 1], view.tokens[which.index + 2]
    if be.lower not in ("is", "are") or view.parse.child(verb, "neg", "conj", "advcl"):
        return
    span = view.parse.span(verb)
    if span is None or span[1] - span[0] > 16:
        return
    participle = verb.tag == "VBN" and verb.index == after.index
    noun = verb.index == be.index and after.lower in ("a", "an", "the")
    follows = view.tokens[after.index + 1].lower if after.index + 1 < len(view.tokens) else ""
    if noun or (participle and follows in ("by", "on", "from", "with", "in", "for", "as", "using")):
        kind = "noun" if noun else "participle"
        yield Restructuring(
            f"relative clause to apposition: {kind}", (Swap(which.start, after.start, ""),)
        )
