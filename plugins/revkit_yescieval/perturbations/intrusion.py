"""Intrusion: one foreign sentence after a text, the heuristic of four rubrics.

YESciEval lowers coherence, relevancy, correctness and informativeness by the same two heuristics,
so they have one implementation. Only the sentences that they draw differ: a judge's four scores
differ by the question, not by the kind of edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from revkit.contracts import Context, ServiceName
from revkit.dataclass import dataclass
from revkit.model import Edit, Paper, Rejection
from revkit_yescieval.perturbations.donors import draw, own_random
from revkit_yescieval.perturbations.heuristic import Heuristic, english_passage
from revkit_yescieval.perturbations.neighbours import borrow_sentence
from revkit_yescieval.perturbations.passage import Passage

_RUBRICS = ("coherence", "relevancy", "correctness", "informativeness")


@dataclass(frozen=True)
class _Intrusion(Heuristic):
    uses: ClassVar[tuple[ServiceName, ...]] = ("corpus",)

    def perturb(self, paper: Paper, ctx: Context) -> Sequence[Edit] | Rejection:
        """Return one insertion after the last sentence."""
        if self.level == "extreme":
            passage = english_passage(paper, self.section)
            if isinstance(passage, Rejection):
                return passage
            return [
                passage.append(draw("sports", paper, self.name, ctx.rng), "sports news appended")
            ]
        passage = Passage.of(paper, self.section)
        if isinstance(passage, Rejection):
            return passage
        part = _RUBRICS.index(self.name)
        rng = own_random(paper, self.name, ctx.rng)
        sentence = borrow_sentence(paper, ctx.peers(), part, len(_RUBRICS), rng)
        if isinstance(sentence, Rejection):
            return sentence
        return [passage.append(sentence, "sentence of another text of the domain appended")]


@dataclass(frozen=True)
class Coherence(_Intrusion):
    """Append a sentence on another subject, which breaks the logical flow.

    YESciEval, rubric 4. Subtle: "Append a sentence from a different synthesis paragraph within the
    same domain": a sentence of a text of the corpus on the same topic that answers another
    question, without its citation marks in any form; a sentence that is not whole without them is
    not used. Extreme: "Append a sentence from an unrelated sports news article". A corpus without
    topics counts as one domain.
    """

    name: ClassVar[str] = "coherence"
    version: ClassVar[str] = "4"
    data: ClassVar[tuple[str, ...]] = ("donors/*.tsv",)
    target: ClassVar[str] = "coherence"


@dataclass(frozen=True)
class Relevancy(_Intrusion):
    """Append a sentence that does not bear on the question.

    YESciEval, rubric 6, with the same heuristics as `coherence`.
    """

    name: ClassVar[str] = "relevancy"
    version: ClassVar[str] = "4"
    data: ClassVar[tuple[str, ...]] = ("donors/*.tsv",)
    target: ClassVar[str] = "relevancy"


@dataclass(frozen=True)
class Correctness(_Intrusion):
    """Append a sentence that the sources of the text do not support.

    YESciEval, rubric 7, with the same heuristics as `coherence`.
    """

    name: ClassVar[str] = "correctness"
    version: ClassVar[str] = "4"
    data: ClassVar[tuple[str, ...]] = ("donors/*.tsv",)
    target: ClassVar[str] = "correctness"


@dataclass(frozen=True)
class Informativeness(_Intrusion):
    """Append a sentence that has no information on the question.

    YESciEval, rubric 9, with the same heuristics as `coherence`.
    """

    name: ClassVar[str] = "informativeness"
    version: ClassVar[str] = "4"
    data: ClassVar[tuple[str, ...]] = ("donors/*.tsv",)
    target: ClassVar[str] = "informativeness"
