"""`LlmParaphrase`: sentences reworded by a language model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from revkit.contracts import Context, ServiceName
from revkit.model import Check, Edit, Paper, Rejection
from revkit.options import option
from revkit.prompting import one_line
from revkit_robustrev.changed_sentences import changed_sentences, unchanged_checks
from revkit_robustrev.constraints import LengthWindow, SameMeaning
from revkit_robustrev.rewriting.asking import ask, passages
from revkit_robustrev.rewriting.faults import (
    Fault,
    Sheet,
    content_fault,
    foreign,
    form_fault,
    hedges_fault,
    length_fault,
    markup_fault,
    names_fault,
    shape_fault,
)
from revkit_robustrev.rewriting.generator import (
    Generator,
    edits_of,
    edits_within,
    kept_checks,
    rewritable,
)

_NOTE = "paraphrased by a model"
_REQUEST = "Reword the sentences with these numbers:"
_INSTRUCTIONS = (
    "You reword sentences of scientific papers. Each sentence must say exactly what it said, in "
    "other words and as an academic author would write it: no better, no worse, no surer and no "
    "less sure. Keep every number, name, formula, citation mark, link, quotation and cross "
    "reference as it is written and in the order in which it stands. Keep every negation, every "
    "comparison and every hedge (may, likely, suggests) as the same word. Keep the length. Add "
    "nothing, leave nothing out, and keep one sentence one sentence."
)


@dataclass(frozen=True)
class LlmParaphrase(Generator):
    """Reword a paper sentence by sentence with a language model (ROBUST-REV, section 3, family 1).

    The model reads a paragraph as numbered sentences, fenced as data, and rewords those asked for.
    Each answer passes the gates of `paraphrase` by itself: the same numbers, citation marks,
    formulas, quotations and cross references, in their old order; the same words of negation and
    comparison; as many hedges; about as many words; no new name; one English sentence; and, where
    ``max-distance`` is set, a cosine distance below it. What does not pass is asked for again with
    its fault, and after ``attempts`` the sentence stays as it was. Where none passes, the paper is
    rejected, with the faults counted. What cannot be asked at all (no connection, no budget) is a
    crashed variant, which the next run tries again.

    Edits lie between what is protected, word by word. Stricter than the paper: a rewording that
    moves a number or a citation within its sentence is turned down, though its meaning may be the
    same. The paper's bound, a distance of 0.05, turns down most free rewordings with a
    MiniLM embedder; its fault asks the model to change fewer words.
    """

    name: ClassVar[str] = "llm-paraphrase"
    version: ClassVar[str] = "1"
    data: ClassVar[tuple[str, ...]] = (
        "revkit.english:*.tsv",
        "revkit_robustrev:hedge-edits.tsv",
        "revkit_robustrev:substitutions.tsv",
    )
    uses: ClassVar[tuple[ServiceName, ...]] = ("llm", "embedder")

    max_distance: float | None = option(
        0.05,
        help="The cosine distance that a reworded sentence must stay below (null: not judged).",
        minimum=0,
        maximum=2,
    )
    share: float = option(
        1.0, help="Share of the sentences that can be reworded that are.", minimum=0, maximum=1
    )
    max_sentences: int | None = option(
        None, help="The most sentences to reword in one paper (null: no limit).", minimum=1
    )
    min_share: float = option(
        0.0,
        help="The least share of the sentences asked for that must be reworded in the end.",
        minimum=0,
        maximum=1,
    )

    def perturb(self, paper: Paper, ctx: Context) -> Sequence[Edit] | Rejection:
        """Return the edits of all sentences that passed, or why there are none."""
        found = rewritable(paper)
        wanted = self._wanted(len(found))
        if not wanted:
            return Rejection("no whole sentence of prose that could be reworded")
        drawn = sorted(ctx.rng.sample(found, wanted))
        asking = self.asking(_INSTRUCTIONS, _REQUEST, ctx.rng)
        sheet = Sheet(paper.text, asking.instructions)

        def judge(said: Mapping[int, str]) -> Mapping[int, Fault]:
            return self._faults(paper, sheet, said, ctx)

        answers = ask(paper, passages(paper, drawn), asking, judge, ctx)
        if not answers.accepted:
            return Rejection(
                f"none of {wanted} sentences passed in {self.attempts} attempts: "
                f"{answers.reasons()}"
            )
        return edits_of(paper, answers, _NOTE)

    def gates(self, paper: Paper, edits: Sequence[Edit], ctx: Context) -> Sequence[Check]:
        """What the offline family checks, and all that a model could have changed beside."""
        window = LengthWindow().check(paper, edits, ctx)
        checks = [*unchanged_checks(paper, edits), *kept_checks(paper, edits, ctx, hedges=True)]
        checks.append(Check("length-ratio", window.value, window.limit, window.passed, "ratio"))
        if self.max_distance is not None:
            checks.append(SameMeaning(max_distance=self.max_distance).check(paper, edits, ctx))
        changed, _ = changed_sentences(paper, edits)
        count, wanted = sum(run.sentences for run in changed), self._wanted(len(rewritable(paper)))
        share = count / wanted if wanted else 0.0
        message = f"{count} of {wanted} sentences asked for"
        checks.append(
            Check(
                "share-reworded", share, self.min_share, share >= self.min_share, "share", message
            )
        )
        return checks

    def _wanted(self, count: int) -> int:
        wanted = round(self.share * count)
        return wanted if self.max_sentences is None else min(wanted, self.max_sentences)

    def _faults(
        self, paper: Paper, sheet: Sheet, said: Mapping[int, str], ctx: Context
    ) -> dict[int, Fault]:
        faults: dict[int, Fault] = {}
        passed: dict[int, list[Edit]] = {}
        for index, new in said.items():
            sentence = paper.sentences[index]
            old = one_line(paper.text[sentence.start : sentence.end])
            fault = reworded_fault(sheet, old, new) or length_fault(old, new, 0.8, 1.2)
            edits = None if fault else edits_within(paper, index, new, 1, _NOTE)
            if edits is None:
                faults[index] = fault or Fault("marks changed", "marks must stay as they are")
            else:
                passed[index] = edits
        if self.max_distance is not None and passed:
            faults.update(self._far(paper, passed, self.max_distance, ctx))
        return faults

    @staticmethod
    def _far(
        paper: Paper, passed: Mapping[int, list[Edit]], limit: float, ctx: Context
    ) -> dict[int, Fault]:
        """The faults of sentences that moved too far, by one call of the embedder."""
        changed = {index: changed_sentences(paper, edits)[0][0] for index, edits in passed.items()}
        vectors = ctx.embed([t for run in changed.values() for t in (run.old, run.new)])
        vectors = vectors.astype("float64")
        faults = {}
        for place, index in enumerate(changed):
            distance = 1.0 - float(vectors[2 * place] @ vectors[2 * place + 1])
            if distance >= limit:
                faults[index] = Fault(
                    "meaning moved",
                    f"it moved too far from what it said (distance {distance:.2f}, to be below "
                    f"{limit:g}): change fewer words",
                )
        return faults


def reworded_fault(sheet: Sheet, old: str, new: str) -> Fault | None:
    """What is wrong with ``new`` as another wording of ``old``; both on one line."""
    fault = form_fault(sheet, new)
    if fault is None and new == old:
        fault = Fault("unchanged", "it is what it was")
    return (
        fault
        or shape_fault(old, new)
        or content_fault(old, new)
        or foreign(sheet, old, new)
        or markup_fault(old, new)
        or names_fault(sheet, new)
        or hedges_fault(old, new)
    )
