"""Split and join: one sentence becomes two, or two become one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from revkit.english import capitalise
from revkit.grammar import Parse
from revkit_robustrev.guards import words
from revkit_robustrev.restructuring.view import Restructuring, Swap, View

_NEW = {"and": "", "but": "However, "}
_NOT_SPLIT = words(
    "either both neither if respectively whether not only because although while where"
)
_JOINED = re.compile(
    r"\.(\s)(However|Therefore|Thus|Hence|Moreover|Furthermore|Consequently|Nevertheless"
    r"|Nonetheless|Instead|In contrast|In addition|As a result)(, )"
)


def splits(view: View) -> Iterator[Restructuring]:
    """ "We do A, and B is C" becomes "We do A. B is C"; ", but" becomes "However,"."""
    root = view.root
    if root is None or not view.opens_with_subject or view.stop == len(view.tokens):
        return
    second = view.parse.child(root, "conj")
    if second is None or second.tag not in ("VBZ", "VBP", "VBD", "VBN", "MD", "VB"):
        return
    subject = view.parse.child(second, "nsubj", "nsubjpass")
    if subject is None or view.parse.child(second, "conj"):
        return
    start = view.first(subject)
    if start < 7 or view.stop - start < 5:
        return
    comma, joint = view.tokens[start - 2], view.tokens[start - 1]
    if comma.text != "," or joint.lower not in _NEW or joint.head != root.index:
        return
    if view.has_word(0, len(view.tokens), _NOT_SPLIT) or view.has_word(
        0, len(view.tokens), frozenset((":", ";", "(", "—", "–"))
    ):
        return
    opening = view.tokens[start]
    if opening.pos not in ("DET", "PRON", "PROPN", "NUM", "ADJ") or second.index < subject.index:
        return
    new = _NEW[joint.lower]
    text = view.lowered(start, start + 1) if new else capitalise(opening.text)
    yield Restructuring(
        f"split: {joint.lower}", (Swap(comma.start, opening.end, f". {new}{text}"),)
    )


def join(text: str, end: int, high: int) -> Restructuring | None:
    """Join the sentence that ends at ``end`` with the one after it, which begins with a connective
    and ends at ``high``: ". However, we" becomes "; however, we"."""
    match = _JOINED.match(text, end - 1, high)
    if match is None:
        return None
    new = f";{match[1]}{match[2][0].lower()}{match[2][1:]}{match[3]}"
    return Restructuring(f"join: {match[2].lower()}", (Swap(match.start(), match.end(), new),))


_NO_SENTENCE = words(
    "and or but e.g. i.e. where which who whose that while whereas when if as because since"
    " although though so yet hence namely"
)


def semicolons(view: View) -> Iterator[Restructuring]:
    """ "A is B; C is D" becomes "A is B. C is D"."""
    marks = [token for token in view.tokens if token.text == ";"]
    if len(marks) != 1 or view.stop == len(view.tokens):
        return
    at = marks[0].index
    if at < 5 or view.stop - at < 6 or any(t.text in ("(", ":") for t in view.tokens):
        return
    opening = view.tokens[at + 1]
    heads = [t for t in view.tokens[at + 1 :] if t.dep in ("ROOT", "ccomp", "conj", "parataxis")]
    subjects = [
        token
        for token in view.tokens[at + 1 :]
        if token.dep in ("nsubj", "nsubjpass", "expl") and view.tokens[token.head].dep != "relcl"
    ]  # "; something that is impossible" has none
    if not heads or not subjects or opening.lower in _NO_SENTENCE:
        return
    if not any(t.dep in ("nsubj", "nsubjpass", "expl") for t in view.tokens[:at]):
        return
    if subjects[0].index > at + 6 or not opening.text.isalpha():
        return
    yield Restructuring(
        "split: semicolon", (Swap(marks[0].start, opening.end, f". {capitalise(opening.text)}"),)
    )


# What a whole statement does: "this" and ", which" speak of all that was said.
_DONE_BY_FACTS = words(
    "makes allows leads results means implies shows indicates enables demonstrates suggests causes"
    " ensures prevents explains confirms reveals"
)


def which_to_this(view: View) -> Iterator[Restructuring]:
    """ "A is B, which leads to C" becomes "A is B. This leads to C"."""
    root = view.root
    if root is None or not view.opens_with_subject or view.stop == len(view.tokens):
        return
    for which in view.tokens[8 : view.stop - 4]:
        verb, comma = view.at(which.index + 1), view.tokens[which.index - 1]
        if which.lower != "which" or comma.text != "," or verb.lower not in _DONE_BY_FACTS:
            continue
        if view.tokens[which.index - 2].pos not in ("NOUN", "ADJ", "ADV", "VERB"):
            continue
        if verb.tag != "VBZ" or verb.dep != "relcl" or not _open_before(view, which.index):
            continue
        span = view.parse.span(verb)
        if span is None or span[1] != view.stop or view.parse.child(verb, "conj"):
            continue
        yield Restructuring("split: which to this", (Swap(comma.start, which.end, ". This"),))


def _open_before(view: View, at: int) -> bool:
    """Whether the words before a clause are one plain main clause."""
    if any(token.text in (":", ";", "(", "—", "–") for token in view.tokens):
        return False
    return not view.has_word(0, at - 1, words("if although while when which because since whether"))


def this_to_which(text: str, end: int, following: Parse) -> Restructuring | None:
    """ "A is B. This leads to C" becomes "A is B, which leads to C"."""
    if len(following.tokens) < 2:
        return None  # a lone symbol that is read as a sentence
    first, second = following.tokens[:2]
    if first.text != "This" or second.lower not in _DONE_BY_FACTS or second.dep != "ROOT":
        return None
    if text[end - 1] != "." or not text[end - 2].isalpha() or ", which" in text[:end]:
        return None
    start = text.index("This", end - 1)
    if following.child(second, "conj") or text[start - 1] not in " \n":
        return None
    return Restructuring("join: this to which", (Swap(end - 1, start + 4, ", which"),))
