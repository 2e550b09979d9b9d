"""The defense `model-vote`: the same reviewer with several models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from revkit.contracts import Change, Context, Defense, Reviewing
from revkit.dataclass import dataclass
from revkit.errors import OptionError
from revkit.model.exchange import ModelRequest
from revkit.model.paper import Paper
from revkit.model.review import Failure, Outcome, Review
from revkit.options import option
from revkit_defenses.isolation import aggregated


@dataclass(frozen=True)
class ModelVote(Defense):
    """Ask the agent once with each of several models, and take the median of the scores.

    An attack that was made for one family of models moves another only as far as it transfers. The
    certificate counts models, not parts of the paper, so none is set. All requests of a review go
    to the model whose turn it is, whatever models the agent names.
    """

    name: ClassVar[str] = "model-vote"
    version: ClassVar[str] = "1"
    changes_prompts: ClassVar[bool] = True

    members: tuple[str, ...] = option(help="The models, by their names in litellm; three or more.")

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(set(self.members)) < 3 or len(set(self.members)) != len(self.members):
            raise OptionError(self.name, [("members", "name at least three different models")])

    def models(self) -> Sequence[str]:
        """All members."""
        return self.members

    def guard(self, paper: Paper, review: Reviewing, ctx: Context) -> Outcome:
        """Review with each model; a Failure where half of them or more gave no review."""
        outcomes = [review(paper, _with_model(model)) for model in self.members]
        reviews = [each for each in outcomes if isinstance(each, Review)]
        failures = [each for each in outcomes if isinstance(each, Failure)]
        if 2 * len(reviews) <= len(outcomes):
            detail = f"{self.name}: {len(failures)} of {len(outcomes)} models gave no review"
            return Failure("partial", f"{detail}: {failures[0].detail}", failures[0].raw)
        found = aggregated(reviews, review.scale, 1, "median")
        return replace(found, certified=None)


def _with_model(model: str) -> Change:
    def changed(request: ModelRequest) -> ModelRequest:
        return replace(request, model=model)

    return changed
