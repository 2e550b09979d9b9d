"""The perturbation `scattered-information`: key claims of a paper, moved to unusual places."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import ClassVar, Literal

from revkit.contracts import Context, Perturbation
from revkit.dataclass import dataclass
from revkit.english import capitalise
from revkit.model import Check, Edit, Paper, Part, Rejection, Sentence
from revkit.model.planted_statements import KIND, Planted
from revkit.options import option
from revkit_attacks.planting import Paragraphs, refers_back

TOPIC = "scattered-information"
_NOTE = "moved"
_KEY_ROLES = ("abstract", "introduction", "results", "experiments", "conclusion")
_UNUSUAL = ("related-work", "limitations", "method", "discussion", "appendix", "other")
_PROPOSES = re.compile(
    r"\b(?:we|this paper|this work) (?:propose|introduce|present|develop|describe|show|prove|find"
    r"|demonstrate)s?\b",
    re.IGNORECASE,
)
_CLAIMS = re.compile(
    r"\b(?:outperform|improv|reach|obtain|achiev|increas|decreas|reduc|gain|exceed|surpass"
    r"|better|higher|lower|faster|best)\w{0,6}\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+|\\?%|\s?(?:percent|points|times))")
_FORMULA = re.compile(r"\$[^$]*\$")
_JOINT = re.compile(r"; (?=\w)")
_WORD = re.compile(r"\w+(?:[.,]\d+)*")
_SHORTEST = 4  # words of a part


@dataclass(frozen=True)
class ScatteredInformation(Perturbation):
    """Move key claims of a paper out of their sections, and split them where this is possible.

    The attack "scattered key information" of ReviewGrounder (Li et al., appendix A.2 and Table 6):
    genuine key claims are fragmented and dispersed across sections in which nobody looks for them.
    Key claims are whole sentences of abstract, introduction, results, experiments and conclusion
    that state what the paper proposes, or a result with a number. A sentence is not moved if it, or
    the sentence after it, refers to the sentence before, or if its paragraph would be empty. A
    claim of two main clauses becomes two sentences in two places. No word is lost, added or
    changed: a gate counts them.

    A reviewer should still find the claims: the rubric `scattered-information` checks whether a
    review repeats, questions or ignores them. ``arm: placebo`` moves as many sentences that are no
    key claims. A fair score stays or falls, because the paper is harder to read.
    """

    name: ClassVar[str] = "scattered-information"
    version: ClassVar[str] = "1"
    expect: ClassVar[Literal["may-lower"]] = "may-lower"
    needs: ClassVar[tuple[Part, ...]] = ("headings",)

    count: int = option(3, help="Key claims to move, at most.", minimum=1, maximum=10)
    arm: Literal["attack", "placebo"] = option("attack", help="Key claims, or other sentences.")

    def perturb(self, paper: Paper, ctx: Context) -> Sequence[Edit] | Rejection:
        """Return a deletion and one or two insertions for each claim."""
        paragraphs = Paragraphs(paper)
        return self._scattered(paragraphs, self._chosen(paragraphs, ctx.rng), ctx.rng)

    def _scattered(
        self, paragraphs: Paragraphs, chosen: Sequence[Sentence], rng: Random
    ) -> Sequence[Edit] | Rejection:
        """The edits that move ``chosen``, no two of one paragraph."""
        if not chosen:
            return Rejection("no sentence that can be moved")
        places = _places(paragraphs, {each.block for each in chosen}, rng)
        if len(places) < 2:
            return Rejection("fewer than two paragraphs to which a sentence can be moved")
        edits: list[Edit] = []
        for sentence in chosen:
            edits += self._moved(paragraphs, sentence, places)
        return edits

    def _chosen(self, paragraphs: Paragraphs, rng: Random) -> list[Sentence]:
        """The sentences to move, no two of one paragraph."""
        scored = [
            (_weight(paragraphs.text(sentence)), sentence) for sentence in movable(paragraphs)
        ]
        if self.arm == "placebo":
            others = [sentence for weight, sentence in scored if not weight]
            rng.shuffle(others)
            return one_of_each_paragraph(others)[: self.count]
        ordered = sorted(scored, key=lambda each: (-each[0], each[1].start))
        return one_of_each_paragraph([sentence for weight, sentence in ordered if weight])[
            : self.count
        ]

    def _moved(
        self, paragraphs: Paragraphs, sentence: Sentence, places: list[int]
    ) -> Sequence[Edit]:
        text = paragraphs.text(sentence)
        planted = Planted(TOPIC, text).to_about() if self.arm == "attack" else ()
        kind = KIND if planted else ""
        parts = _parts(text)
        if len(places) < len(parts):
            return ()
        own = [places.pop() for _ in parts]
        return [
            _deletion(paragraphs.paper, sentence),
            *(
                Edit(place, place, f" {part}", _NOTE, kind, planted)
                for place, part in zip(own, parts, strict=True)
            ),
        ]

    def units(self, paper: Paper, edits: Sequence[Edit]) -> Sequence[Sequence[Edit]]:
        """Return all moves as one group, since a deletion alone loses words."""
        return [tuple(edits)]

    def gates(self, paper: Paper, edits: Sequence[Edit], ctx: Context) -> Sequence[Check]:
        """No word is lost or added, and headings, citations and references stay."""
        after = paper.edited(edits)
        before, now = _counted(paper.text), _counted(after.text)
        differ = (before - now).total() + (now - before).total()
        same = (
            _headings(paper) == _headings(after)
            and len(paper.references) == len(after.references)
            and Counter(c.keys for c in paper.citations) == Counter(c.keys for c in after.citations)
        )
        return [
            Check("words-kept", float(differ), 0.0, differ == 0, "count"),
            Check("structure-unchanged", float(not same), 0.0, same, "count"),
        ]


def movable(paragraphs: Paragraphs) -> list[Sentence]:
    """The sentences of abstract, introduction, results, experiments and conclusion that can be
    moved, in order."""
    blocks = paragraphs.within(_KEY_ROLES)
    return [sentence for block in blocks for sentence in _movable(paragraphs, block)]


def _movable(paragraphs: Paragraphs, block: int) -> list[Sentence]:
    """The sentences of a paragraph that can be taken out of it."""
    own = paragraphs.sentences[block]
    following: list[Sentence | None] = [*own[1:], None]
    return [
        sentence
        for sentence, after in zip(own, following, strict=True)
        if len(own) > 1
        and paragraphs.is_whole(sentence)
        and not refers_back(paragraphs.text(sentence))
        and (after is None or not refers_back(paragraphs.text(after)))
    ]


def _weight(text: str) -> int:
    """How much a sentence looks like a key claim: 0 for one that does not."""
    result = bool(_CLAIMS.search(text)) and bool(_NUMBER.search(_FORMULA.sub(" ", text)))
    return 2 * bool(_PROPOSES.search(text)) + 3 * result


def one_of_each_paragraph(sentences: Sequence[Sentence]) -> list[Sentence]:
    """The first sentence of each paragraph in ``sentences``."""
    first: dict[int, Sentence] = {}
    for sentence in sentences:
        first.setdefault(sentence.block, sentence)
    return list(first.values())


def _places(paragraphs: Paragraphs, without: set[int], rng: Random) -> list[int]:
    """The ends of paragraphs of unusual sections, in random order."""
    blocks = [index for index in paragraphs.within(_UNUSUAL) if index not in without]
    ends = [gaps[-1] for index in blocks if (gaps := paragraphs.gaps(index))]
    rng.shuffle(ends)
    return ends


def _parts(text: str) -> list[str]:
    """A sentence of two main clauses as two sentences; else the sentence."""
    for joint in _JOINT.finditer(text):
        first, second = text[: joint.start()], text[joint.end() :]
        if min(len(first.split()), len(second.split())) >= _SHORTEST and not refers_back(second):
            return [f"{first}.", capitalise(second)]
    return [text]


def _deletion(paper: Paper, sentence: Sentence) -> Edit:
    """The deletion of a sentence with one blank beside it."""
    start, end = sentence.start, sentence.end
    if paper.text[end : end + 1] in (" ", "\n") and paper.text[end : end + 2] != "\n\n":
        end += 1
    elif start and paper.text[start - 1] == " ":
        start -= 1
    return Edit(start, end, "", _NOTE)


def _counted(text: str) -> Counter[str]:
    return Counter(word.casefold() for word in _WORD.findall(text))


def _headings(paper: Paper) -> list[str]:
    return [paper.text[b.start : b.end] for b in paper.blocks if b.kind == "heading"]
