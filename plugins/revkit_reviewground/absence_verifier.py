"""Verify what a review calls missing: retrieve passages of the paper, then ask a language model.

The rules know a lexicon of topics and the grammar of denial; people deny in other words too. Here
each sentence that denies something goes to a model, next to the passages of the paper that share
most of its rarer words. The model's answer counts only with a quotation that the paper holds.
"""

from __future__ import annotations

import functools
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from revkit.contracts import Context
from revkit.dataclass import dataclass
from revkit.english import stop_words
from revkit.english.stems import cut_ending
from revkit.model.exchange import Message
from revkit.model.paper import Paper
from revkit.model.review import Failure
from revkit.model.values import Json
from revkit.prompting import Data, Sampling, ask, fill, mark_for, split_parts
from revkit.schemas import read_packaged_schema
from revkit_reviewground.checks import Finding, PaperText, ReviewField, fields, find_quote
from revkit_reviewground.checks.missing_content import topic_evidence
from revkit_reviewground.checks.missing_scope import DENIAL
from revkit_reviewground.checks.missing_topics import TOPICS

MOST_CLAIMS = 12
MOST_PASSAGES = 6
# Of each topic of the lexicon that a claim names.
_MOST_SHOWN = 3
_FEWEST_QUOTED = 2
_LONGEST_PASSAGE = 400
_WORD = re.compile(r"[^\W\d_]{3,40}")
_ENDINGS = ("ations", "ation", "ings", "ing", "ies", "ied", "ed", "es", "s", "y")
_HEADING = 1.5


@dataclass(frozen=True, slots=True)
class Denial:
    """A sentence of a review that states that something is missing, at ``start`` of its field."""

    field: ReviewField
    start: int
    text: str


def denials(review: Mapping[str, Json]) -> list[Denial]:
    """Return the sentences of ``review`` that contain a word of denial, at most twelve, without
    questions.
    """
    found = [
        Denial(field, start, sentence)
        for field in fields(review)
        for start, sentence in field.sentences
        if DENIAL.search(sentence) and not sentence.rstrip().endswith("?") and len(sentence) < 1500
    ]
    return found[:MOST_CLAIMS]


@dataclass(frozen=True, slots=True)
class PaperPassage:
    """Characters ``start`` to ``end`` of the paper: a heading, a caption, a table or a sentence."""

    start: int
    end: int
    heading: bool


class Passages:
    """The passages of a paper outside its reference list, with the weights of their words."""

    def __init__(self, paper: PaperText) -> None:
        self.paper = paper
        self._passages = list(_passages(paper))
        self._stems = [stems(paper.text[each.start : each.end]) for each in self._passages]
        counts = Counter(stem for each in self._stems for stem in each)
        self._weights = {
            stem: math.log((len(self._stems) + 1) / count) for stem, count in counts.items()
        }

    def near(self, claim: str) -> list[PaperPassage]:
        """What may show that the paper has the thing of ``claim``: the passages nearest in words,
        and those that show a topic of the lexicon which the claim names."""
        shown = [
            PaperPassage(*self.paper.sentence_at(*span), heading=False)
            for topic in TOPICS
            if topic.named.search(claim)
            for span, _ in islice(topic_evidence(self.paper, topic), _MOST_SHOWN)
        ]
        return list(dict.fromkeys([*shown[:MOST_PASSAGES], *self.nearest(claim)]))

    def nearest(self, text: str, most: int = MOST_PASSAGES) -> list[PaperPassage]:
        """The passages that share most with ``text``, best first; those that share nothing are left
        out. Weights are inverse frequencies, divided by the root of a passage's length."""
        wanted = stems(text)
        scored = []
        for index, (passage, mine) in enumerate(zip(self._passages, self._stems, strict=True)):
            shared = sum(self._weights[stem] for stem in wanted & mine)
            if shared:
                factor = _HEADING if passage.heading else 1.0
                scored.append((-factor * shared / math.sqrt(4 + len(mine)), index))
        return [self._passages[index] for _, index in sorted(scored)[:most]]


def _passages(paper: PaperText) -> Iterator[PaperPassage]:
    for block, _ in paper.headings:
        yield PaperPassage(block.start, block.end, True)
    for start, end in paper.captions:
        yield PaperPassage(start, min(end, start + _LONGEST_PASSAGE), True)
    for block in paper.paper.blocks:
        if block.kind == "table":
            yield PaperPassage(block.start, min(block.end, block.start + _LONGEST_PASSAGE), True)
    for sentence in paper.paper.sentences:
        if paper.role_at(sentence.start) not in ("references", "front"):
            yield PaperPassage(
                sentence.start, min(sentence.end, sentence.start + _LONGEST_PASSAGE), False
            )


def stems(text: str) -> frozenset[str]:
    """Return the words of ``text`` without frequent endings and without words that name nothing."""
    dull = stop_words("claim")
    return frozenset(
        cut_ending(word, _ENDINGS) for word in _WORD.findall(text.lower()) if word not in dull
    )


def verified_absences(
    paper: Paper, review: Mapping[str, Json], ctx: Context, sampling: Sampling
) -> list[Finding] | Failure:
    """Return the sentences of ``review`` that call something missing although the paper has it,
    according to the model of ``sampling``, each with the place of the words that the model quotes;
    a Failure if the model cannot be called. There is one call for each review, and none if no
    sentence denies anything.
    """
    claims = denials(review)
    if not claims:
        return []
    text = PaperText(paper)
    index = Passages(text)
    turns = _turns(text, claims, [index.near(claim.text) for claim in claims])
    answer = ask(ctx.complete, sampling, turns, _schema(), replicate=ctx.repeat)
    if isinstance(answer, Failure):
        return answer
    found: dict[int, Finding] = {}
    for row in answer.data["answers"]:
        number = int(row["number"]) - 1
        if not 0 <= number < len(claims) or number in found:
            continue
        finding = _finding(text, claims[number], row)
        if finding is not None:
            found[number] = finding
    return [found[number] for number in sorted(found)]


def _finding(paper: PaperText, claim: Denial, row: Mapping[str, Any]) -> Finding | None:
    """Return the mark for one answer; `None` if the paper does not contain the quoted words."""
    quote = str(row["quote"]).strip()
    if not row["claims_absence"] or not row["present"] or len(quote.split()) < _FEWEST_QUOTED:
        return None
    place = find_quote(paper, quote)
    if place is None:
        return None
    return claim.field.finding(
        "missing",
        claim.start,
        claim.start + len(claim.text),
        "the review says that this is missing, but the paper has it",
        "suspect",
        place,
    )


def _turns(
    paper: PaperText, claims: Sequence[Denial], passages: Sequence[Sequence[PaperPassage]]
) -> tuple[Message, ...]:
    template = _template()
    listed = []
    for number, (claim, near) in enumerate(zip(claims, passages, strict=True), 1):
        lines = [" ".join(paper.text[each.start : each.end].split()) for each in near]
        listed.append(
            f"Sentence {number}: {' '.join(claim.text.split())}\n"
            + "\n".join(f"- {line}" for line in lines)
        )
    data = Data("sentences and passages", "\n\n".join(listed))
    mark = mark_for("absence", data.text)
    values = {"mark": mark, "claims": data.between_marks(mark)}
    return (
        Message("system", template["system"].strip()),
        Message("user", fill(template["user"], values).strip()),
    )


@functools.cache
def _template() -> Mapping[str, str]:
    path = Path(__file__).parent / "prompts" / "absence.md"
    return split_parts(path.read_text(encoding="utf-8"))


@functools.cache
def _schema() -> dict[str, Json]:
    packaged = read_packaged_schema("revkit_reviewground", "absence")
    return {k: v for k, v in packaged.items() if k not in ("$schema", "title", "description")}
