"""Free enumeration order: two neighbouring parts of an enumeration change places."""

from __future__ import annotations

from collections.abc import Iterator

from revkit.english import article_for, capitalise
from revkit.grammar import Token
from revkit_robustrev.guards import BE, words
from revkit_robustrev.restructuring.view import Restructuring, Swap, View

_ORDERED = words(
    "respectively then first second third before after from ratio versus vs subsequently finally"
    " next later followed former latter i.e e.g namely etc"
)
# Pairs whose order is a habit of the language or of the field.
_FIXED = words(
    "precision recall mean median standard deviation input output inputs outputs encoder decoder"
    " train training test testing validation question answer questions answers state action states"
    " actions trial error pros cons research development strengths weaknesses query key keys value"
    " values source target forward backward begin end start more less simple effective accuracy"
    " min max upper lower left right past future black white time day night man woman men women"
    " reading writing head tail plug play back forth one two weights biases weight bias minimum"
    " maximum multiplication addition labeled unlabeled supervised unsupervised hundreds thousands"
    " tens millions theorems propositions width height depth rows columns users items memory"
    " nodes edges local global positive negative hardware software theory practice linear"
    " nonlinear real synthetic hidden visible syntax semantics vision language images text video"
    " audio static dynamic first-order low high large small big short long many few old new teacher"
    " student supply demand cause effect causes effects name address figures tables theoretical"
    " empirical spatial temporal qualitative quantitative discrete continuous"
)
_VERBS = ("AUX", "VERB")
_INSIDE = ("advmod", "nmod", "nummod", "quantmod", "npadvmod", "det")
_WHOLE = ("the", "our", "their", "its", "these", "those", "both", "such", "all", "no", "any")


def enumeration_orders(view: View) -> Iterator[Restructuring]:
    """Every exchange of two neighbouring parts that are nouns or phrases of the same make."""
    lowers = {token.lower for token in view.tokens}
    if lowers & _ORDERED or any(token.text in ("/", "->", "→") for token in view.tokens):
        return
    for token in view.tokens:
        conjunct = view.parse.child(token, "conj")
        if conjunct is None or token.pos != conjunct.pos or token.pos not in ("NOUN", "ADJ"):
            continue
        if token.pos == "ADJ" and not _adjectives(view, token, conjunct):
            continue
        if token.pos == "NOUN" and not _bare(view, token, conjunct):
            continue
        parts = _parts(view, token, conjunct)
        if parts is not None and not _article_differs(view, *parts):
            (a, b), (c, d) = parts
            yield Restructuring(
                f"enumeration order: {_kind(view, token)}",
                (
                    Swap(view.tokens[a].start, view.tokens[b - 1].end, _put(view, c, d, a == 0)),
                    Swap(view.tokens[c].start, view.tokens[d - 1].end, _put(view, a, b, False)),
                ),
            )


def _article_differs(view: View, one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether "a" before the first part may have to be "an", or the other way."""
    before = view.tokens[one[0] - 1].lower if one[0] else ""
    if before not in ("a", "an"):
        return False
    first, second = (article_for(view.tokens[part[0]].text) for part in (one, other))
    return not first or first != second


def _adjectives(view: View, one: Token, other: Token) -> bool:
    """Whether two adjectives are a plain pair: no comparison, nothing below them, one joint."""
    below = {each.dep for token in (one, other) for each in view.parse.children[token.index]}
    if one.index and view.tokens[one.index - 1].pos in ("NOUN", "PROPN"):
        return False  # "AF prior and autoregressive decoder"
    return (
        one.tag == other.tag == "JJ"
        and below <= {"cc", "conj", "punct"}
        and one.dep in ("amod", "acomp")
        and other.index == one.index + 2
        and _heads(view, one, other)
    )


def _heads(view: View, one: Token, other: Token) -> bool:
    """Whether nothing is between the second adjective and the noun, nor makes a compound of
    it: "conventional and deep learning based methods"."""
    if one.dep == "acomp":
        return True
    head, after = view.tokens[one.head], view.at(one.head + 1)
    return head.index == other.index + 1 and (
        after.pos in ("VERB", "AUX", "ADP") or after.text in (".", ",", ";")
    )


def _bare(view: View, one: Token, other: Token) -> bool:
    """Whether "A and B" are two single nouns behind a verb or preposition, and nothing that follows
    or comes before can belong to one of them alone."""
    before, after = view.tokens[one.index - 1], view.at(other.index + 1)
    return (
        one.index > 0
        and other.index == one.index + 2
        and before.pos in ("ADP", "VERB")
        and after.text in (".", ",", ";")
        and view.parse.child(other, "conj") is None
        and one.dep in ("dobj", "pobj")
    )


def _kind(view: View, noun: Token) -> str:
    """Where the enumeration is, for the record: its role in the sentence."""
    return {
        "nsubj": "subject",
        "nsubjpass": "subject",
        "dobj": "object",
        "pobj": f"after {view.tokens[noun.head].lower}",
        "conj": "later parts",
    }.get(noun.dep, "other")


def _put(view: View, first: int, last: int, opening: bool) -> str:
    text = view.written(first, last) if not opening else view.lowered(first, last)
    return capitalise(text) if opening else text


def _parts(view: View, one: Token, other: Token) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """The two parts as ranges of tokens, heads last; None where their scopes could change."""
    first, second = _front(view, one), _front(view, other)
    if first is None or second is None or not one.index < second:
        return None
    between = [token.lower for token in view.tokens[one.index + 1 : second]]
    if between not in (["and"], ["or"], [","], [",", "and"], [",", "or"]):
        return None
    after = view.tokens[other.index + 1] if other.index + 1 < len(view.tokens) else None
    if after is not None and after.text == "-":
        return None  # "public or non-sensitive"
    noun = one.pos == "NOUN"
    if (
        noun
        and after is not None
        and (after.pos in ("NOUN", "PROPN", "NUM") or after.text in ("-", "(", "'s", "/"))
    ):
        return None
    before = view.tokens[first - 1] if first else None
    if before is not None and after is not None and before.lower in BE and after.pos in _VERBS:
        return None  # "where A are B and C are D": two clauses
    if before is not None and first <= before.head <= one.index and before.dep in _INSIDE:
        return None  # "the best attained rewards": a part of the phrase stays behind
    if (
        noun
        and before is not None
        and before.pos in ("ADJ", "NOUN", "PROPN", "NUM", "VERB")
        and before.dep in ("amod", "compound", "nummod", "nmod")
    ):
        return None
    if {token.lower for token in view.tokens[second : other.index]} & {
        "other",
        "same",
        "such",
        "both",
        "its",
        "their",
        "his",
    }:
        return None
    if between == [","] and view.parse.child(other, "prep", "acl", "relcl") is not None:
        return None  # "turns, directions for turning": the phrase belongs to one part
    rest = view.tokens[other.index + 1 : other.index + 3]
    if len(rest) == 2 and rest[0].text == "," and rest[1].tag in ("VBG", "VBN", "WDT", "WRB"):
        return None  # what follows may belong to the last part alone
    texts = view.written(first, one.index + 1), view.written(second, other.index + 1)
    if any(not text.replace(" ", "").replace("-", "").isalpha() for text in texts):
        return None
    if {one.lower, other.lower} & _FIXED or one.lower == other.lower:
        return None
    determined = [view.parse.child(each, "det", "poss") is not None for each in (one, other)]
    bare = [first == one.index, second == other.index]
    if determined[0] != determined[1]:
        determiner = view.parse.child(one, "det", "poss")
        if determiner is None or determiner.lower not in _WHOLE or not bare[1]:
            return None
        if one.index - determiner.index != 1:
            return None
        first = one.index
    elif not determined[0] and bare[0] != bare[1]:
        return None
    if (
        (all(determined) or not all(bare))
        and after is not None
        and after.pos in ("ADP", "SCONJ", "PRON", "VERB")
    ):
        return None  # what follows may belong to the last part alone
    if (one.tag == "NN") != (other.tag == "NN") and not all(determined):
        return None
    return (first, one.index + 1), (second, other.index + 1)


def _front(view: View, noun: Token) -> int | None:
    """Where the noun phrase that ends in ``noun`` begins; None where it is not plain."""
    first = noun.index
    while first > 0:
        token = view.tokens[first - 1]
        if token.dep in ("amod", "compound", "det", "poss") and _above(view, token, noun):
            first -= 1
        elif token.dep == "predet":
            return None
        else:
            break
    return first


def _above(view: View, token: Token, noun: Token) -> bool:
    while token.head != token.index and token.index != noun.index:
        token = view.tokens[token.head]
    return token.index == noun.index
