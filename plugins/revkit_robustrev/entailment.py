"""`Entailment`: a model of natural language inference judges each changed sentence in both
directions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from revkit import Check, Constraint, Context, Edit, Paper, option
from revkit.dataclass import dataclass
from revkit.encoders import CrossEncoderFiles, entailments, find_cross_encoder
from revkit.errors import RunError
from revkit.model.values import Json
from revkit.options import options_of
from revkit_robustrev.changed_sentences import ChangedSentence, changed_sentences


@dataclass(frozen=True)
class Entailment(Constraint):
    """Requires that each changed sentence entails the original sentence, and is entailed by it.

    A cross-encoder of sentence-transformers for natural language inference judges both directions;
    the smaller probability counts. The value is the smallest of all changed sentences; `prune`
    drops the edits of sentences below ``min-probability``. One direction alone would pass a
    sentence that says less, or one that says more.

    The model is a folder, or a repository in the local hub cache (``hf download NAME``); its files
    are read as data, and nothing is fetched. No such model comes with a package, so this
    constraint is in no default spec.
    """

    name: ClassVar[str] = "entailment"
    version: ClassVar[str] = "1"

    model: str = option(
        help="A cross-encoder for natural language inference: the path of its folder, or its name "
        "in the local hub cache, as cross-encoder/nli-deberta-v3-base."
    )
    min_probability: float = option(
        0.5, help="The least probability of entailment in each direction.", minimum=0, maximum=1
    )

    def identity(self) -> Json:
        """Return the options, with the digest of the model's files instead of its name."""
        try:
            digest: Json = self._files().digest
        except RunError:
            digest = None
        return {**options_of(self), "model": self.model if digest is None else digest}

    def ready(self) -> Sequence[str]:
        """Why the model cannot be used; nothing where it can."""
        try:
            self._files()
        except RunError as error:
            return [str(error)]
        return []

    def prune(self, paper: Paper, edits: Sequence[Edit], ctx: Context) -> Sequence[Edit]:
        """Return the edits of sentences that pass both ways, and those outside sentences."""
        changed, outside = changed_sentences(paper, edits)
        kept = [
            edit
            for run, probability in zip(changed, self._both_ways(changed), strict=True)
            if probability >= self.min_probability
            for edit in run.edits
        ]
        return sorted([*kept, *outside])

    def check(self, paper: Paper, edits: Sequence[Edit], ctx: Context) -> Check:
        """Return the smallest probability of a changed sentence; it fails where none is left."""
        changed, _ = changed_sentences(paper, edits)
        if not changed:
            detail = "no sentence is changed"
            return Check(self.name, None, self.min_probability, False, "probability", detail)
        least = min(self._both_ways(changed))
        passed = least >= self.min_probability
        return Check(self.name, least, self.min_probability, passed, "probability")

    def _files(self) -> CrossEncoderFiles:
        return find_cross_encoder(self.model, "model of entailment")

    def _both_ways(self, changed: Sequence[ChangedSentence]) -> list[float]:
        pairs = [pair for run in changed for pair in ((run.old, run.new), (run.new, run.old))]
        found = entailments(self._files(), pairs)
        return [min(found[i], found[i + 1]) for i in range(0, len(found), 2)]
