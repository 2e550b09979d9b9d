"""Constraints on the variants of a perturbation, set with ``keep-if``.

`SameMeaning` measures; the rules beside it see what no sentence embedding sees: the distance
between "A outperforms B" and "A is outperformed by B" is 0.06, below that of most paraphrases.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import field
from typing import ClassVar, Literal

from revkit import Check, Constraint, Context, Edit, Paper, english, option
from revkit.contracts import ServiceName
from revkit.dataclass import dataclass
from revkit.errors import OptionError
from revkit_robustrev.changed_sentences import (
    ChangedSentence,
    changed_sentences,
    citations_changed,
    difference,
    numbers_changed,
)


def directions(text: str) -> Counter[str]:
    """Count the words of negation and comparison in ``text``; "n't", "cannot" and "not" are one."""
    counts: Counter[str] = Counter()
    for match in _direction().finditer(text.lower()):
        word = " ".join(match[0].split())
        if word != "unlike":
            counts["not" if word in ("cannot", "can not", "n't", "n’t") else word] += 1
    return counts


def first_direction(text: str) -> int:
    """Where the first such word of ``text`` is; its end where there is none."""
    match = _direction().search(text.lower())
    return match.start() if match else len(text)


def _direction() -> re.Pattern[str]:
    return english.compile_words(english.negations("count") | english.comparisons())


class _Memo:
    """Distances already computed, for one embedder at a time; it only saves work."""

    def __init__(self) -> None:
        self._last: tuple[object, dict[tuple[str, str], float]] = (None, {})

    def of(self, embed: object) -> dict[tuple[str, str], float]:
        owner, known = self._last
        if owner != embed or len(known) > 5_000:
            known = {}
            self._last = (embed, known)
        return known

    def __reduce__(self) -> tuple[type[_Memo], tuple[()]]:
        return (_Memo, ())


@dataclass(frozen=True)
class SameMeaning(Constraint):
    """Requires that the reworded text stays within a cosine distance of the original (ROBUST-REV,
    section 3).

    The distance of a changed sentence is one minus the cosine of its two embeddings, by the run's
    embedder. The paper states a bound of 0.05 without a unit, so there are two readings.
    ``over: sentence`` holds each changed sentence below ``max-distance``: with a MiniLM embedder
    that admits synonyms and rejects most true paraphrases. ``over: paper`` holds the mean over
    **all** sentences of prose below it, in which an unchanged sentence counts as 0, because its
    embedding is the same before and after: that admits real rewriting and bounds the whole.

    `prune` drops the edits of the sentences that exceed the bound: each one that reaches it, or the
    most distant ones until the mean is below it. `check` judges the rest; its value is the largest
    distance of a sentence or the mean of the paper (as ``same-meaning-paper``), and its detail
    states both. With
    ``max-distance: null`` nothing is dropped and the distance is only recorded. Edits outside
    sentences (headings, references) are not judged.

    No distance certifies meaning: an opposite is closer than most paraphrases. Use `same-claim`
    with it.
    """

    name: ClassVar[str] = "same-meaning"
    version: ClassVar[str] = "3"
    uses: ClassVar[tuple[ServiceName, ...]] = ("embedder",)

    max_distance: float | None = option(
        0.05,
        help="The cosine distance to stay below (null: recorded, not limited).",
        minimum=0,
        maximum=2,
    )
    over: Literal["sentence", "paper"] = option(
        "sentence",
        help="What is held below it: each changed sentence, or the mean over all sentences of the "
        "paper.",
    )
    _memo: _Memo = field(default_factory=_Memo, init=False, repr=False, compare=False)

    def prune(self, paper: Paper, edits: Sequence[Edit], ctx: Context) -> Sequence[Edit]:
        """Return the edits that stay within the bound, and those outside sentences."""
        if self.max_distance is None:
            return edits
        changed, outside = changed_sentences(paper, edits)
        distances = self._distances(changed, ctx)
        if self.over == "sentence":
            kept = [run for run, d in zip(changed, distances, strict=True) if d < self.max_distance]
        else:
            kept = _nearest(changed, distances, self.max_distance * len(paper.sentences))
        return sorted([*(edit for run in kept for edit in run.edits), *outside])

    def check(self, paper: Paper, edits: Sequence[Edit], ctx: Context) -> Check:
        """Return the distance that is bounded; it fails where no edit is left."""
        from revkit.model.dose import MEAN_DISTANCE  # with the parsers

        name, unit = self.name, "cosine distance"
        if self.over == "paper":  # a figure of its kind: reports put checks of one name together
            name, unit = f"{self.name}-paper", MEAN_DISTANCE
        changed, outside = changed_sentences(paper, edits)
        if not changed:
            detail = "no edit of a sentence is left" if not outside else "no sentence is changed"
            return Check(name, None, self.max_distance, False, unit, detail)
        distances = self._distances(changed, ctx)
        worst = max(distances)
        weights = sum(d * run.sentences for d, run in zip(distances, changed, strict=True))
        mean = weights / max(len(paper.sentences), 1)
        detail = (
            f"paper {mean:.6f} over {len(paper.sentences)} sentences, {len(changed)} changed"
            + (f", {len(outside)} edits outside sentences not judged" if outside else "")
            + f", largest of a sentence {worst:.6f}"
        )
        value = worst if self.over == "sentence" else mean
        passed = self.max_distance is None or value < self.max_distance
        return Check(name, value, self.max_distance, passed, unit, detail)

    def _distances(self, changed: Sequence[ChangedSentence], ctx: Context) -> list[float]:
        """The distance of each changed sentence; one call of the embedder for all that are new."""
        known = self._memo.of(ctx.services.embed)
        pairs = [(run.old, run.new) for run in changed]
        for old, new in pairs:
            if not (old.strip() and new.strip()):
                known[old, new] = 1.0
        fresh = [pair for pair in dict.fromkeys(pairs) if pair not in known]
        if fresh:
            vectors = ctx.embed([text for pair in fresh for text in pair]).astype("float64")
            for index, pair in enumerate(fresh):
                known[pair] = max(0.0, 1.0 - float(vectors[2 * index] @ vectors[2 * index + 1]))
        return [known[pair] for pair in pairs]


def _nearest(
    changed: Sequence[ChangedSentence], distances: Sequence[float], total: float
) -> list[ChangedSentence]:
    """The changed sentences that are left when the most distant are dropped until the sum of the
    distances is below ``total``; of two at one distance, the later one goes first."""
    left = sum(d * run.sentences for d, run in zip(distances, changed, strict=True))
    dropped: set[int] = set()
    for index in sorted(range(len(changed)), key=lambda i: (-distances[i], -i)):
        if left < total:
            break
        dropped.add(index)
        left -= distances[index] * changed[index].sentences
    return [run for index, run in enumerate(changed) if index not in dropped]


class SentenceRule(Constraint):
    """A count that must be 0 in each changed sentence; `prune` drops the edits of the others."""

    unit: ClassVar[str] = "count"

    def count(self, paper: Paper, run: ChangedSentence) -> int:
        """How many things differ between the two forms of a changed sentence."""
        raise NotImplementedError

    def prune(self, paper: Paper, edits: Sequence[Edit], ctx: Context) -> Sequence[Edit]:
        """Return the edits of sentences in which nothing differs, and those outside sentences."""
        changed, outside = changed_sentences(paper, edits)
        kept = [edit for run in changed if not self.count(paper, run) for edit in run.edits]
        return sorted([*kept, *outside])

    def check(self, paper: Paper, edits: Sequence[Edit], ctx: Context) -> Check:
        """Return how many things differ over all changed sentences; the limit is 0."""
        changed, _ = changed_sentences(paper, edits)
        value = sum(self.count(paper, run) for run in changed)
        return Check(self.name, float(value), 0.0, value == 0, self.unit)


@dataclass(frozen=True)
class SameNumbers(SentenceRule):
    """Requires that each changed sentence keeps its numbers: figures as written, and number
    words.
    """

    name: ClassVar[str] = "same-numbers"
    version: ClassVar[str] = "2"

    def count(self, paper: Paper, run: ChangedSentence) -> int:
        return numbers_changed(paper.text, run)


@dataclass(frozen=True)
class SameCitations(SentenceRule):
    """Requires that each changed sentence keeps its citation markers as written."""

    name: ClassVar[str] = "same-citations"
    version: ClassVar[str] = "1"

    def count(self, paper: Paper, run: ChangedSentence) -> int:
        return citations_changed(paper, run)


@dataclass(frozen=True)
class SameNegation(SentenceRule):
    """Requires that each changed sentence keeps its words of negation, comparison and direction.

    Counted are words such as "not", "without", "fail", "more", "worse", "than", "outperforms",
    "increases". That the words are the same does not say that they are in the same order.
    """

    name: ClassVar[str] = "same-negation"
    version: ClassVar[str] = "1"
    data: ClassVar[tuple[str, ...]] = (
        "revkit.english:comparisons.tsv",
        "revkit.english:negations.tsv",
    )

    def count(self, paper: Paper, run: ChangedSentence) -> int:
        return difference(directions(run.old), directions(run.new))


_STRUCTURE = frozenset(
    ("heading", "table", "code", "math", "figure", "html", "reference", "front-matter", "quote")
)


@dataclass(frozen=True)
class SameStructure(Constraint):
    """Requires that headings, tables, code, mathematics, figures, quotations and references are
    byte-identical.

    The variant is parsed again and its blocks compared in number and content, so an edit that makes
    a paragraph look like a heading is found too. Inline mathematics, code and links of the changed
    sentences are compared in the same way.
    """

    name: ClassVar[str] = "same-structure"
    version: ClassVar[str] = "1"

    def check(self, paper: Paper, edits: Sequence[Edit], ctx: Context) -> Check:
        """Return how many blocks and inline spans differ; the limit is 0."""
        changed, _ = changed_sentences(paper, edits)
        value = blocks_changed(paper, edits)
        value += sum(difference(_inline(run.old), _inline(run.new)) for run in changed)
        return Check(self.name, float(value), 0.0, value == 0, "count")


def blocks_changed(paper: Paper, edits: Sequence[Edit]) -> int:
    """Return how many headings, tables, formulas and the like ``edits`` change."""
    return difference(_blocks(paper), _blocks(paper.edited(edits)))


def _blocks(paper: Paper) -> Counter[str]:
    return Counter(
        f"{block.kind} {paper.text[block.start : block.end]}"
        for block in paper.blocks
        if block.kind in _STRUCTURE
    )


def _inline(text: str) -> Counter[str]:
    from revkit.model.sentences import protected_spans  # with the parsers

    return Counter(text[span.start : span.end] for span in protected_spans(text, 0, len(text)))


@dataclass(frozen=True)
class LengthWindow(Constraint):
    """Requires that the number of words of prose stays within a window around the original, as
    ratios.
    """

    name: ClassVar[str] = "length-window"
    version: ClassVar[str] = "1"

    min_ratio: float = option(
        0.9, help="The least ratio of words after to words before.", minimum=0
    )
    max_ratio: float = option(
        1.1, help="The greatest ratio of words after to words before.", minimum=0
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.min_ratio > self.max_ratio:
            raise OptionError(self.name, [("min-ratio", "is above max-ratio")])

    def check(self, paper: Paper, edits: Sequence[Edit], ctx: Context) -> Check:
        """Return the ratio; the limit shown is the bound on its side of 1."""
        if not paper.words:
            return Check(self.name, None, None, False, "ratio", "the paper has no prose")
        ratio = paper.edited(edits).words / paper.words
        limit = self.min_ratio if ratio < 1 else self.max_ratio
        passed = self.min_ratio <= ratio <= self.max_ratio
        window = f"window {self.min_ratio} to {self.max_ratio}"
        return Check(self.name, ratio, limit, passed, "ratio", window)
