"""Planting: where statements come into the paragraphs of a paper, and the gates on them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cached_property
from random import Random
from typing import Literal

from revkit.dataclass import dataclass
from revkit.model import Block, Check, Edit, Paper, Sentence
from revkit.model.latex_sign import is_latex
from revkit.model.planted_statements import KIND, Planted

Arm = Literal["attack", "benign", "placebo"]

# A sentence that begins with one of these words refers to the sentence before it.
_REFERS_BACK = re.compile(
    r"(?:this|these|that|those|it|its|they|their|such|here|there|both|however|moreover|furthermore"
    r"|therefore|thus|hence|then|also|instead|similarly|likewise|consequently|nevertheless|second"
    r"|third|finally|in contrast|in addition|for (?:example|instance)|as a result|on the other"
    r"|to this end|accordingly|again|but|and|so|yet|specifically|in particular"
    r"|the (?:former|latter)|he|she|his|her|we then|otherwise|still|conversely|note that)\b",
    re.IGNORECASE,
)
_NEUTRAL = (
    "The notation follows common use.",
    "Each part begins with a short heading, and terms are used as is usual in the field.",
    "The order of the parts follows the order in which the work was done, and nothing depends on "
    "it.",
    "Symbols keep their meaning through the whole text, and a symbol that occurs once only is "
    "explained where it occurs.",
    "Units are those of the international system unless a table states others, and dates are given "
    "in the form that is usual in the literature of the field.",
)


def neutral_text(words: int, rng: Random) -> str:
    """Return a neutral sentence whose number of words is near ``words``."""
    distance = {text: abs(len(text.split()) - words) for text in _NEUTRAL}
    least = min(distance.values())
    return rng.choice([text for text, far in distance.items() if far == least])


def written(text: str, paper: Paper) -> str:
    """``text`` as the syntax of ``paper`` needs it: LaTeX escapes the sign of percent."""
    return text.replace("%", "\\%") if is_latex(paper.text) else text


def refers_back(text: str) -> bool:
    """Whether a sentence begins with a word that refers to the sentence before it."""
    return bool(_REFERS_BACK.match(text.lstrip()))


@dataclass(frozen=True)
class Paragraphs:
    """The paragraphs of a paper with their whole sentences."""

    paper: Paper

    @cached_property
    def sentences(self) -> dict[int, list[Sentence]]:
        """The sentences of each paragraph of prose, by the place of its block."""
        found: dict[int, list[Sentence]] = {}
        for sentence in self.paper.sentences:
            if self.paper.blocks[sentence.block].kind == "paragraph":
                found.setdefault(sentence.block, []).append(sentence)
        return found

    def block(self, index: int) -> Block:
        """The block at ``index``."""
        return self.paper.blocks[index]

    def text(self, sentence: Sentence) -> str:
        """The text of ``sentence``."""
        return self.paper.text[sentence.start : sentence.end]

    def within(self, roles: Iterable[str]) -> list[int]:
        """The paragraphs of sections with one of ``roles``, in order."""
        wanted = set(roles)
        return [index for index in self.sentences if self.block(index).role in wanted]

    def gaps(self, index: int) -> list[int]:
        """The ends of sentences of a paragraph after which a sentence can be inserted.

        These are the ends that no sentence follows which refers to the one before it.
        """
        own = [each for each in self.sentences[index] if self.is_whole(each)]
        found = []
        for sentence in own:
            rest = self.paper.text[sentence.end : self.block(index).end].lstrip()
            if not rest or (rest[0].isupper() and not refers_back(rest)):
                found.append(sentence.end)
        return found

    def is_whole(self, sentence: Sentence) -> bool:
        """Whether a sentence begins with a capital, ends with a full stop and closes what it
        opens."""
        text = self.text(sentence)
        even = all(text.count(a) == text.count(b) for a, b in ("()", "[]", "{}", "“”"))
        return (
            text[:1].isupper()
            and text.endswith(".")
            and even
            and text.count("$") % 2 == 0
            and text.count('"') % 2 == 0
        )


def choose_gaps(
    paragraphs: Paragraphs, roles: Sequence[str], count: int, rng: Random
) -> list[int] | str:
    """Draw ``count`` places in sections with ``roles``, or in others where these are too few.

    No paragraph gets two of them. Returns the reason where there are too few paragraphs.
    """
    first = paragraphs.within(roles)
    others = [i for i in paragraphs.sentences if i not in first and _is_main(paragraphs.block(i))]
    rng.shuffle(first)
    rng.shuffle(others)
    found: list[int] = []
    for index in [*first, *others]:
        gaps = paragraphs.gaps(index)
        if gaps:
            found.append(rng.choice(gaps))
        if len(found) == count:
            return found
    return f"only {len(found)} paragraphs with room for a sentence, {count} needed"


def _is_main(block: Block) -> bool:
    return block.role not in ("front", "abstract", "appendix", "references", "acknowledgements")


def insertion(place: int, text: str, note: str, planted: Planted | None) -> Edit:
    """The edit that inserts a sentence behind another one."""
    if planted is None:
        return Edit(place, place, f" {text}", note)
    return Edit(place, place, f" {text}", note, KIND, planted.to_about())


def insertion_gates(paper: Paper, edits: Sequence[Edit]) -> list[Check]:
    """The gates of statements that come into paragraphs: each is there once, and nothing else
    changes."""
    after = paper.edited(edits)
    texts = [edit.new.strip() for edit in edits]
    once = sum(after.text.count(text) == texts.count(text) for text in texts)
    removed = sum(edit.end > edit.start for edit in edits)
    return [
        Check("planted-once", float(once), float(len(texts)), once == len(texts), "count"),
        Check("rest-unchanged", float(removed), 0.0, removed == 0, "count"),
        structure_check(paper, after),
    ]


def numberless_insertion_gates(paper: Paper, edits: Sequence[Edit]) -> list[Check]:
    """Return the gates of sentences that state no number: `insertion_gates`, and the number of
    digits that the edits add.
    """
    digits = sum(sign.isdigit() for edit in edits for sign in edit.new)
    none = Check("numbers-added", float(digits), 0.0, not digits, "count")
    return [*insertion_gates(paper, edits), none]


def structure_check(paper: Paper, after: Paper) -> Check:
    """Whether headings, blocks, citations and references are as they were."""
    same = (
        [block.kind for block in paper.blocks] == [block.kind for block in after.blocks]
        and len(paper.references) == len(after.references)
        and len(paper.citations) == len(after.citations)
    )
    return Check("structure-unchanged", float(not same), 0.0, same, "count")
