"""What a sentence is framed by: "In this paper, we show" and "This paper shows", and their like."""

from __future__ import annotations

import re
from collections.abc import Iterator

from revkit.english import capitalise
from revkit.grammar import Token
from revkit_robustrev.guards import words
from revkit_robustrev.restructuring.inflection import finite_form, participle
from revkit_robustrev.restructuring.view import Restructuring, Swap, View

# What a paper or a part of it does, as much as its authors do.
_DONE = words(
    "propose present introduce describe study investigate address show report discuss provide"
    " explore analyze analyse evaluate compare review summarize summarise examine illustrate"
    " develop list give outline demonstrate consider formulate define extend detail highlight"
    " visualize visualise display plot"
)
_PARTS = words("paper work section study article chapter appendix thesis subsection")
_EXHIBITS = words("table tables figure figures fig appendix section")
_SHOWN = words(
    "show present illustrate report list summarize summarise provide give describe display depict"
    " visualize visualise"
)
_FINDINGS = words(
    "result results experiment experiments finding findings analysis analyses evaluation"
    " evaluations observation observations study studies ablation ablations figure table"
    " comparison simulations"
)
_PROVED = words("show demonstrate reveal confirm indicate suggest illustrate highlight")


def frames(view: View) -> Iterator[Restructuring]:
    """The paper as the doer, or "we" in the paper; a table as the doer, or a thing in the table."""
    root, subject = view.root, view.subject
    if root is None or subject is None or len(view.tokens) < 7:
        return
    yield from _paper_does(view, root, subject)
    yield from _exhibit_does(view, root, subject)
    yield from _we_do(view, root, subject)
    yield from _exhibit_shows(view, root, subject)
    yield from _as_shown(view, root, subject)
    yield from _as_we_show(view, root)
    yield from _it_is_shown(view, root, subject)
    yield from _we_in_exhibit(view, root)
    yield from _goal_of(view, root, subject)
    yield from _our_aim(view, root, subject)


def _paper_does(view: View, root: Token, subject: Token) -> Iterator[Restructuring]:
    """ "In this paper, we propose X" becomes "This paper proposes X"."""
    place = view.tokens[0]
    thing = view.parse.child(place, "pobj")
    if place.text != "In" or thing is None or subject.lower != "we" or root.tag != "VBP":
        return
    if thing.lower not in _PARTS or root.lemma not in _DONE or subject.index > 5:
        return
    if view.parse.child(root, "conj", "aux", "neg") or root.index != subject.index + 1:
        return
    inner = view.written(1, thing.index + 1)
    last = subject.index - 1 if view.tokens[subject.index - 1].text == "," else subject.index
    if last != thing.index + 1:
        return  # "In Section 4, we": its number would be lost
    does = finite_form(root.lemma, False, False)
    if (
        does is None
        or not all(t.index in (1, 2) for t in view.tokens[1:last])
        or " we " in view.text[root.end :]
    ):
        return
    yield Restructuring(
        f"frame: the {thing.lower} as the doer",
        (Swap(0, root.end, f"{capitalise(inner)} {does}"),),
    )


_NUMBERED = re.compile(r"(?:Section|Appendix|Table|Figure)[ \n][A-Z]?\.?\d{0,2}[\w.()]{0,6}")
_IN_EXHIBITS = words(
    "show present report provide describe discuss compare plot list summarize summarise illustrate"
    " visualize introduce evaluate give study investigate analyze examine review explain depict"
)


def _exhibit_does(view: View, root: Token, subject: Token) -> Iterator[Restructuring]:
    """ "In Section 4, we describe A" becomes "Section 4 describes A"; the number itself stays."""
    if view.tokens[0].text != "In" or subject.lower != "we" or root.tag != "VBP":
        return
    if root.lemma not in _IN_EXHIBITS or root.index != subject.index + 1 or subject.index > 7:
        return
    if (
        view.parse.child(root, "conj", "aux", "neg", "advcl", "prt")
        or " we " in view.text[root.end :]
    ):
        return
    end = subject.index - 1 if view.tokens[subject.index - 1].text == "," else subject.index
    kind = view.tokens[1]
    if end < 2 or not _NUMBERED.fullmatch(view.written(1, end)):
        return
    if view.parse.child(root, "dobj", "ccomp") is None:
        return
    does = finite_form(root.lemma, False, False)
    if does is not None:
        yield Restructuring(
            "frame: exhibit that does",
            (
                Swap(0, kind.start, ""),
                Swap(view.tokens[end - 1].end, root.end, f" {does}"),
            ),
        )


def _we_do(view: View, root: Token, subject: Token) -> Iterator[Restructuring]:
    """ "This paper proposes X" becomes "In this paper, we propose X"."""
    if root.tag != "VBZ" or root.lemma not in _DONE or root.index not in (2,):
        return
    if subject.index != 1 or subject.lower not in _PARTS or view.tokens[0].text != "This":
        return
    if view.parse.child(root, "conj", "aux", "neg", "prt"):
        return
    yield Restructuring(
        f"frame: we in the {subject.lower}",
        (Swap(0, root.end, f"In this {subject.text}, we {root.lemma}"),),
    )


def _exhibit_shows(view: View, root: Token, subject: Token) -> Iterator[Restructuring]:
    """ "The results are shown in Table 2" becomes "Table 2 shows the results", and back."""
    if root.tag == "VBN" and root.lemma in _SHOWN and view.opens_with_subject:
        place = view.parse.child(root, "prep")
        thing = view.parse.child(place, "pobj") if place is not None else None
        own, span = view.parse.span(subject), None if place is None else view.parse.span(place)
        if place is None or thing is None or own is None or span is None or place.lower != "in":
            return
        between = [token.lower for token in view.tokens[own[1] : root.index]]
        first = view.tokens[place.index + 1]
        if between not in (["is"], ["are"]) or first.lower not in _EXHIBITS or span[1] != view.stop:
            return
        if place.index != root.index + 1 or span[1] - span[0] > 5 or own[1] > 14:
            return
        if subject.lower in ("it", "they", "this", "these", "which") or view.parse.child(
            root, "conj"
        ):
            return
        exhibit = view.written(span[0] + 1, span[1])
        does = finite_form(root.lemma, first.lower.endswith("s"), False)
        if does is not None and not first.lower.endswith("s"):
            yield Restructuring(
                f"frame: {first.lower} as the doer",
                (
                    Swap(0, view.tokens[own[0]].end, f"{exhibit} {does} {view.lowered(0, 1)}"),
                    Swap(view.tokens[own[1] - 1].end, view.tokens[span[1] - 1].end, ""),
                ),
            )
    elif root.tag == "VBZ" and root.lemma in _SHOWN and view.opens_with_subject:
        thing = view.parse.child(root, "dobj")
        span = view.parse.span(thing) if thing is not None else None
        if thing is None or span is None or view.tokens[0].lower not in _EXHIBITS:
            return
        if span[0] != root.index + 1 or span[1] != view.stop or root.index > 3:
            return
        if not 2 <= span[1] - span[0] <= 14 or thing.pos not in ("NOUN", "PROPN"):
            return
        if view.parse.child(root, "conj", "aux") or view.below(thing, ("relcl",), view.stop):
            return
        done = participle(root.lemma)
        be = "are" if view.plural(thing) else "is"
        exhibit = view.written(0, root.index)
        yield Restructuring(
            f"frame: shown in the {view.tokens[0].lower}",
            (
                Swap(0, view.tokens[span[0]].end, capitalise(view.written(span[0], span[0] + 1))),
                Swap(
                    view.tokens[span[1] - 1].end,
                    view.tokens[span[1] - 1].end,
                    f" {be} {done} in {exhibit}",
                ),
            ),
        )


def _as_shown(view: View, root: Token, subject: Token) -> Iterator[Restructuring]:
    """ "Our results show that S" becomes "As our results show, S"."""
    if (
        root.lemma not in _PROVED
        or root.tag not in ("VBP", "VBZ", "VBD")
        or not view.opens_with_subject
    ):
        return
    said = view.parse.child(root, "ccomp")
    at = root.index + 1
    if said is None or subject.lower not in _FINDINGS or view.tokens[at].lower != "that":
        return
    if view.parse.child(root, "conj", "neg", "aux", "dobj") or root.index > 8:
        return
    if view.tokens[at].head != said.index or view.below(subject, ("relcl",), root.index):
        return
    if any(token.lower == "that" and token.dep == "mark" for token in view.tokens[at + 1 :]):
        return
    yield Restructuring(
        f"frame: as the {subject.lower} {root.lemma}",
        (
            Swap(0, view.tokens[0].end, f"As {view.lowered(0, 1)}"),
            Swap(root.end, view.tokens[at].end, ","),
        ),
    )


_OURS = words("show demonstrate prove see observe")


def _as_we_show(view: View, root: Token) -> Iterator[Restructuring]:
    """ "We can see that S" becomes "As we can see, S"."""
    said, at = view.parse.child(root, "ccomp"), root.index + 1
    front = view.written(0, root.index + 1).lower()
    plain = front in (f"we {root.lemma}", f"we can {root.lemma}")
    passive = front in ("it can be seen", "it can be observed")
    if said is None or not ((plain and root.lemma in _OURS) or passive):
        return
    if view.tokens[at].lower != "that" or view.tokens[at].head != said.index:
        return
    if (
        view.parse.child(root, "conj", "neg", "dobj")
        or " that " in view.text[view.tokens[at].end :]
    ):
        return
    if view.tokens[at + 1].lower in ("there", "if", "when", "in", "for"):
        return
    opening = "As can be " + root.text if passive else f"As {view.lowered(0, at)}"
    yield Restructuring(
        f"frame: as we {root.lemma}", (Swap(0, view.tokens[at].end, f"{opening},"),)
    )


# What "we" report, and the same as a noun or without a doer.
_REPORTED = {
    "show": "shown", "demonstrate": "demonstrated", "prove": "proved", "find": "found",
    "observe": "observed", "assume": "assumed", "hypothesize": "hypothesized",
    "conclude": "concluded", "conjecture": "conjectured", "verify": "verified",
    "report": "reported", "note": "noted",
}  # fmt: skip
_REPORT = {
    "assume": "assumption", "hypothesize": "hypothesis", "conclude": "conclusion",
    "conjecture": "conjecture", "claim": "claim",
}  # fmt: skip


def _it_is_shown(view: View, root: Token, subject: Token) -> Iterator[Restructuring]:
    """ "We show that S" becomes "It is shown that S"; "We assume that S" "Our assumption is"."""
    said = view.parse.child(root, "ccomp")
    if subject.lower != "we" or said is None or subject.index > 9:
        return
    if view.parse.child(root, "aux", "neg", "dobj", "conj", "advcl", "prt"):
        return
    at = root.index + 1
    if root.tag not in ("VBP", "VBD") or at >= len(view.tokens):
        return
    if view.tokens[at].lower != "that" or view.tokens[at].dep != "mark":
        return
    between = [token.lower for token in view.tokens[subject.index + 1 : root.index]]
    if between not in ([], ["also"], ["then"], ["further"]):
        return
    if subject.index and view.tokens[subject.index - 1].text != ",":
        return
    if root.lemma == "prove" and view.has_word(at, view.stop, words("provably")):
        return
    be = "was" if root.tag == "VBD" else "is"
    if root.lemma in _REPORT and not between and subject.index == 0:
        noun = f"Our {_REPORT[root.lemma]} {be}"
        yield Restructuring(f"frame: our {_REPORT[root.lemma]}", (Swap(0, root.end, noun),))
    if root.lemma in _REPORTED:
        text = " ".join(["it", be, *between, _REPORTED[root.lemma]])
        if root.lemma == "note":
            text = " ".join(["it should", *between, "be noted"])
        yield Restructuring(
            f"frame: it is {_REPORTED[root.lemma]}",
            (Swap(subject.start, root.end, text if subject.index else capitalise(text)),),
        )


_EXHIBIT = re.compile(
    r"(?:Table|Figure|Fig\.|Section|Appendix|Algorithm)[ \n][A-Z]?\.?\d{0,2}[\w.()]{0,6}"
)
_SHOWN_IN = words(
    "show present illustrate report list summarize summarise provide give describe display depict"
    " visualize visualise compare plot discuss detail outline demonstrate"
)


def _we_in_exhibit(view: View, root: Token) -> Iterator[Restructuring]:
    """ "Figure 3 shows the loss" becomes "In Figure 3, we show the loss", and "Table 2 shows that
    S" "From Table 2, we see that S"."""
    if root.tag != "VBZ" or root.lemma not in _SHOWN_IN or not 1 <= root.index <= 6:
        return
    front = view.written(0, root.index)
    if not _EXHIBIT.fullmatch(front) or front[-1] == "." or view.text[:1] == " ":
        return
    if view.parse.child(root, "conj", "aux", "neg") or view.has_word(root.index, view.stop, _OWN):
        return
    thing, said = view.parse.child(root, "dobj"), view.parse.child(root, "ccomp")
    after = view.at(root.index + 1)
    end = view.tokens[root.index - 1].end
    if said is not None and after.lower == "that" and root.lemma == "show":
        if front.startswith(("Table", "Fig")):
            pieces = (Swap(0, 0, "From "), Swap(end, root.end, ", we see"))
            yield Restructuring("frame: we see in the exhibit", pieces)
    elif (thing is not None and thing.index > root.index) or after.lower in ("how", "that"):
        pieces = (Swap(0, 0, "In "), Swap(end, root.end, f", we {root.lemma}"))
        yield Restructuring(f"frame: we {root.lemma} in the exhibit", pieces)


_OWN = words("its it itself we our us")
_GOALS = words("goal aim objective purpose")


def _goal_of(view: View, root: Token, subject: Token) -> Iterator[Restructuring]:
    """ "The goal of this work is to find A" becomes "This work aims to find A"."""
    own = view.parse.span(subject)
    if root.lower not in ("is", "was") or subject.lower not in _GOALS or own is None:
        return
    if own[0] != 0 or subject.index != 1 or own[1] != root.index or own[1] > 10:
        return
    of, to, verb = view.tokens[2], view.at(root.index + 1), view.at(root.index + 2)
    doer = view.parse.child(of, "pobj")
    if of.lower != "of" or doer is None or to.lower != "to" or verb.tag != "VB":
        return
    if doer.pos not in ("NOUN", "PROPN") or view.below(of, ("relcl", "acl", "pcomp"), own[1]):
        return
    if view.tokens[3].tag == "VBG" or view.parse.child(root, "conj", "neg"):
        return
    does = finite_form("aim", view.plural(doer), root.lower == "was")
    yield Restructuring(
        "frame: what aims",
        (Swap(0, root.end, f"{capitalise(view.written(3, own[1]))} {does}"),),
    )


_AIMS = {
    "aim": "our aim is", "plan": "our plan is", "intend": "our intention is",
    "propose": "our proposal is", "hope": "our hope is",
}  # fmt: skip


def _our_aim(view: View, root: Token, subject: Token) -> Iterator[Restructuring]:
    """ "We aim to reduce A" becomes "Our aim is to reduce A"."""
    aim = _AIMS.get(root.lemma)
    below = view.parse.child(root, "xcomp")
    if aim is None or below is None or subject.lower != "we" or root.index != subject.index + 1:
        return
    if view.tokens[root.index + 1].lower != "to" or view.parse.child(root, "conj", "dobj"):
        return
    if subject.index and view.tokens[subject.index - 1].text != ",":
        return
    if any(token.tag == "VBG" for token in view.tokens[: subject.index]):
        return  # "By varying A, we aim": the participle is of "we"
    text = aim.replace(" is", " was") if root.tag == "VBD" else aim
    yield Restructuring(
        f"frame: {aim}",
        (Swap(subject.start, root.end, text if subject.index else capitalise(text)),),
    )
