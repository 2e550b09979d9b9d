"""`Generator`: what the families that a language model writes have in common."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import ClassVar, Literal

from revkit.contracts import Context, Perturbation, ServiceName
from revkit.dataclass import dataclass
from revkit.files import digest, read_text
from revkit.model import Block, Check, Edit, Paper, Part, Sentence
from revkit.model.edits import apply_edits, edits_between
from revkit.model.sentences import protected_spans, split_sentences
from revkit.model.values import Json
from revkit.model.words import count_words
from revkit.options import option, options_of
from revkit.prompting import SamplingOptions, neutralize
from revkit_robustrev.changed_sentences import changed_sentences
from revkit_robustrev.constraints import SameNegation, SameStructure
from revkit_robustrev.hedge_lexicon import count_hedges
from revkit_robustrev.prose import Prose
from revkit_robustrev.rewriting.anchors import anchors, edits_around, texts_of
from revkit_robustrev.rewriting.asking import Answers, Asking
from revkit_robustrev.rewriting.faults import is_english
from revkit_robustrev.sentence_shape import is_formal, is_whole

# Whether numbers, formulas, citation marks and the like keep their order in a sentence.
MarkOrder = Literal["kept", "free"]


def marks(text: str) -> list[str]:
    """The texts of a sentence that no rewriting may change, in their order."""
    return texts_of(text, anchors(text))


_MOST_BYTES = 100_000
# Attempts are numbered within this room, so that two draws at a temperature never share a call.
MOST_ATTEMPTS = 100


@dataclass(frozen=True)
class Generator(SamplingOptions, Perturbation):
    """Options and steps that all families share in which a language model writes the variants."""

    needs: ClassVar[tuple[Part, ...]] = ("headings", "references")
    uses: ClassVar[tuple[ServiceName, ...]] = ("llm",)
    prompt: str | None = option(
        None, help="Path of a text that replaces the built-in instructions; none: those."
    )
    temperature: float = option(
        0.0,
        help="Sampling temperature; at 0 the seed decides what is rewritten and not how.",
        minimum=0,
        maximum=5,
    )
    max_tokens: int = option(2048, help="Longest reply in tokens.", minimum=1)
    attempts: int = option(
        3,
        help="How often a sentence is asked for whose answer does not pass the gates, the first "
        "time included; then it stays as it was.",
        minimum=1,
        maximum=MOST_ATTEMPTS,
    )

    def problems(self) -> Sequence[tuple[str, str]]:
        problems = list(super().problems())
        try:
            self._own_prompt()
        except ValueError as error:
            problems.append(("prompt", str(error)))
        return problems

    def files_needed(self) -> Sequence[str]:
        """The user's own instructions, where there are any."""
        return () if self.prompt is None else (self.prompt,)

    def identity(self) -> Json:
        """The options, with the digest of the prompt's content instead of its path."""
        own = self._own_prompt()
        return {**options_of(self), "prompt": None if own is None else digest(own)}

    def _own_prompt(self) -> str | None:
        return None if self.prompt is None else _read(self.prompt)

    def asking(self, instructions: str, request: str, rng: Random) -> Asking:
        """How this family asks; ``instructions`` are those of its own prompt where it has one."""
        replicate = 0 if self.temperature == 0 else MOST_ATTEMPTS * rng.randrange(2**24)
        message = self._own_prompt() or instructions
        return Asking(self.sampling, message, request, self.attempts, replicate)


def _read(path: str) -> str:
    """The text of a prompt. Raises `ValueError` where there is none."""
    text = read_text(path, _MOST_BYTES).strip()
    if not text:
        raise ValueError(f"{path} is empty")
    return text


def rewritable(paper: Paper) -> list[int]:
    """The sentences that a model may rewrite, by their places in ``paper.sentences``.

    Whole English sentences of four words or more, outside of theorems and captions, in which no
    quotation or protected span begins or ends: such a sentence reads the same by itself.
    """
    prose = Prose(paper)
    return [
        index
        for index, sentence in enumerate(paper.sentences)
        if _alone(paper, paper.blocks[sentence.block], sentence) and prose.editable(sentence)
    ]


def _alone(paper: Paper, block: Block, sentence: Sentence) -> bool:
    start, end = sentence.start, sentence.end
    text = paper.text[start:end]
    if not is_whole(text) or is_formal(paper, sentence.block) or not is_english(text):
        return False
    if neutralize(text) != text:
        return False  # a model reads it otherwise than it is, so its answer would change the token
    head = paper.text[block.start : start]
    if head.count('"') % 2 or head.count("“") > head.count("”"):
        return False  # within a quotation of several sentences
    if count_words(text, 0, len(text)) < 4:
        return False
    within = [
        (span.start, span.end)
        for span in paper.protected(block.start, block.end)
        if span.end > start and span.start < end
    ]
    alone = [(start + span.start, start + span.end) for span in protected_spans(text, 0, len(text))]
    return within == alone


def edits_of(paper: Paper, answers: Answers, note: str, *, order: MarkOrder = "kept") -> list[Edit]:
    """The edits that put the accepted texts into the paper."""
    edits: list[Edit] = []
    for index in sorted(answers.accepted):
        attempt = answers.attempt[index]
        found = edits_within(paper, index, answers.accepted[index], attempt, note, order=order)
        # Two new neighbours may run together where each alone was apart from the old one.
        if found and _apart(paper, index, [*edits, *found]):
            edits += found
    return edits


def _apart(paper: Paper, index: int, edits: Sequence[Edit]) -> bool:
    """Whether the paragraph of a sentence has as many sentences with ``edits`` as without."""
    block = paper.blocks[paper.sentences[index].block]
    within = [edit for edit in edits if block.start <= edit.start and edit.end <= block.end]
    text = paper.text[block.start : block.end]
    moved = [replace(e, start=e.start - block.start, end=e.end - block.start) for e in within]
    after = apply_edits(text, moved)
    before = len(split_sentences(text, 0, len(text)))
    return len(split_sentences(after, 0, len(after))) == before


def edits_within(
    paper: Paper, index: int, new: str, attempt: int, note: str, *, order: MarkOrder = "kept"
) -> list[Edit] | None:
    """The edits of one sentence; None where they cannot be made without touching what is
    protected, where a new line would begin with a sign that makes it a list or a heading, or where
    the sentence would run into the one beside it.

    With the order "free", marks may move within the sentence: then they are part of an edit, and
    only their texts are as they were."""
    sentence = paper.sentences[index]
    message = f"{note}, attempt {attempt}"
    old = paper.text[sentence.start : sentence.end]
    edits = edits_around(old, new, sentence.start, message)
    moved = edits is None
    if moved:
        if order == "kept" or Counter(marks(old)) != Counter(marks(new)):
            return None
        edits = list(edits_between(old, new, offset=sentence.start, note=message))
    prose = Prose(paper)
    for edit in edits or ():
        blocked = edit.start < edit.end and prose.blocked(sentence, edit.start, edit.end)
        if blocked and not moved:
            return None
        if paper.text[edit.start - 1 : edit.start] == "\n" and not edit.new[:1].isalpha():
            return None
    return edits if edits is not None and _apart(paper, index, edits) else None


def kept_checks(paper: Paper, edits: Sequence[Edit], ctx: Context, *, hedges: bool) -> list[Check]:
    """Check that negations and comparisons, blocks and marks, and perhaps ``hedges`` stay."""
    changed, _ = changed_sentences(paper, edits)
    negation = SameNegation()
    directed = sum(negation.count(paper, run) for run in changed)
    structure = SameStructure().check(paper, edits, ctx).value or 0.0
    found = [("directions-changed", float(directed)), ("structure-changed", structure)]
    if hedges:
        moved = sum(abs(count_hedges(run.new) - count_hedges(run.old)) for run in changed)
        found.append(("hedges-changed", float(moved)))
    return [Check(name, value, 0.0, value == 0, "count") for name, value in found]
