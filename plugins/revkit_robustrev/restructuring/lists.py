"""Lists of two or three: "A and B" with "both", and "A, B, and C" as "A and B as well as C"."""

from __future__ import annotations

from collections.abc import Iterator

from revkit.grammar import Token
from revkit_robustrev.guards import words
from revkit_robustrev.restructuring.view import PRONOUNS, Restructuring, Swap, View

_ROLES = {
    "dobj": "object",
    "pobj": "after a preposition",
    "nsubj": "subject",
    "nsubjpass": "subject",
}
_CLOSE = words("between of among than from as into like")
# With these, two things belong together, and "both" would part them.
_TOGETHER = (
    "between", "trade", "concatenat", "separat", "combin", "join", "vs", "versus", "amongst",
    "interact", "relat", "differ", "sum", "mix", "together", "pair", "minimi",
)  # fmt: skip
_PAIRS = words(
    "precision recall mean median deviation deviations input output inputs outputs train test"
    " encoder decoder error errors time space pros cons mind hand question answer answers trial"
    " research development standard way ways"
)


def lists(view: View) -> Iterator[Restructuring]:
    """Every plain list of nouns that can be joined another way."""
    lowers = [token.lower for token in view.tokens]
    if not {"both", "either", "respectively", "then", "or", "without", "not"}.isdisjoint(lowers):
        return
    for quality in view.tokens[2:-2]:
        yield from _both_qualities(view, quality)
    for noun in view.tokens[1:-3]:
        role = _ROLES.get(noun.dep)
        second = view.parse.child(noun, "conj")
        if role is None or second is None or noun.pos not in ("NOUN", "PROPN"):
            continue
        third = view.parse.child(second, "conj")
        if third is None:
            if lowers.count("and") == 1 or not _amid_others(view, noun, second):
                yield from _both(view, noun, second, role)
        elif view.parse.child(third, "conj") is None:
            yield from _three(view, noun, second, third, role)


def _amid_others(view: View, one: Token, other: Token) -> bool:
    """Whether another list is so near that two parts may belong to it."""
    low, high = max(one.index - 8, 0), other.index + 8
    near = [token.lower for token in view.tokens[low:high]]
    return near.count("and") > 1 or "," in near


def _starts(view: View, noun: Token) -> int:
    """Where a plain noun phrase begins: determiner, adjectives, compounds."""
    first = noun.index
    while first > 0 and view.tokens[first - 1].dep in ("det", "amod", "compound", "poss", "nummod"):
        if view.tokens[first - 1].head != noun.index:
            break
        first -= 1
    return first


def _plain(view: View, *nouns: Token) -> bool:
    """Whether parts of a list are nouns of one kind without a separate phrase or clause."""
    return all(
        noun.pos in ("NOUN", "PROPN")
        and "xxx" not in noun.lower
        and not view.parse.child(noun, "prep", "relcl", "acl", "appos", "nummod", "predet")
        for noun in nouns
    )


def _closed(view: View, last: Token, subject: bool) -> bool:
    after = view.at(last.index + 1)
    if after.pos in ("NOUN", "PROPN", "NUM", "ADP", "PRON", "VERB", "SCONJ", "PART"):
        return False
    if after.pos == "AUX" and not subject:
        return False  # it belongs to another clause, or the parse is wrong
    return after.text not in ("-", "(", "[", "/", "'s", "’s", ":", "–", "$")


def _both(view: View, one: Token, other: Token, role: str) -> Iterator[Restructuring]:
    """ "on MNIST and CIFAR" becomes "on both MNIST and CIFAR"."""
    if any(each.lower.startswith(_TOGETHER) for each in view.tokens):
        return
    if role == "subject" or not _plain(view, one, other) or not _closed(view, other, False):
        return
    first, second = _starts(view, one), _starts(view, other)
    joint = view.at(one.index + 1)
    head = view.tokens[one.head]
    if joint.lower != "and" or second != joint.index + 1 or head.index != first - 1:
        return
    if head.lower in _CLOSE or {one.lower, other.lower} & _PAIRS or one.lower in PRONOUNS:
        return
    determined = [view.parse.child(each, "det", "poss") is not None for each in (one, other)]
    if determined[0] != determined[1] or one.tag != other.tag:
        return
    front = view.tokens[first]
    if front.lower in ("all", "no", "any", "each", "every", "these", "those", "a", "an", "such"):
        return
    if one.tag == "NN" and not determined[0] and not _activities(one, other, head):
        return
    if (first == one.index) != (second == other.index):
        return  # "strong baselines and models": the attribute may belong to both
    if first != one.index and not determined[0]:
        own = [view.parse.child(each, "amod") for each in (one, other)]
        if None in own or view.parse.child(one, "compound") or view.parse.child(other, "compound"):
            return
    yield Restructuring(f"list: both, {role}", (Swap(front.start, front.start, "both "),))


def _both_qualities(view: View, one: Token) -> Iterator[Restructuring]:
    """ "The loss is smooth and convex" becomes "The loss is both smooth and convex"."""
    be, joint, other = view.tokens[one.index - 1], view.at(one.index + 1), view.at(one.index + 2)
    if one.dep != "acomp" or be.lower not in ("is", "are") or one.head != be.index:
        return
    if joint.lower != "and" or other.dep != "conj" or other.head != one.index:
        return
    if {one.tag, other.tag} != {"JJ"} or {one.lower, other.lower} & _ONE_QUALITY:
        return
    if view.at(other.index + 1).text not in (".", ",", ";") or view.parse.child(other, "conj"):
        return
    yield Restructuring("list: both, qualities", (Swap(one.start, one.start, "both "),))


_ONE_QUALITY = words("same different separate safe sound independent i.i.d identical necessary")


def _activities(one: Token, other: Token, head: Token) -> bool:
    """Whether two mass nouns say for or in what something is done: "for training and inference"."""
    return head.lower in ("for", "in", "during", "on") and all(
        each.text.isalpha() and each.text.islower() and len(each.text) > 5 for each in (one, other)
    )


def _three(view: View, one: Token, two: Token, three: Token, role: str) -> Iterator[Restructuring]:
    """ "A, B, and C" becomes "A and B as well as C"."""
    if not _plain(view, one, two, three) or not _closed(view, three, role == "subject"):
        return
    if three.pos == "PROPN" or any(each.dep == "compound" for each in (one, two)):
        return  # "East, Southeast and South Asia": what the last part ends in belongs to all
    comma = view.at(one.index + 1)
    second, third = _starts(view, two), _starts(view, three)
    joint = view.tokens[third - 1]
    if comma.text != "," or second != comma.index + 1 or joint.lower != "and":
        return
    end = view.at(two.index + 1)
    if joint.index not in (two.index + 1, two.index + 2) or (
        joint.index == two.index + 2 and end.text != ","
    ):
        return
    if view.parse.child(one, "det", "poss") and not view.parse.child(three, "det", "poss"):
        return
    if role == "subject" and joint.index > 14:
        return
    start = end.start if end.text == "," else joint.start
    lead = "" if end.text != "," else " "
    if view.tokens[one.head].lower in ("between", "among"):
        return
    yield Restructuring(
        f"list: as well as, {role}",
        (
            Swap(comma.start, comma.end, " and"),
            Swap(start, joint.end, f"{lead}as well as"),
        ),
    )
