"""Training examples for the drafter of ReviewGrounder.

ReviewGrounder (Li et al., section 4.1): the drafter is a model fine-tuned on human reviews of
papers that are not in the bench; the other roles are not trained.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from revkit.contracts import Context, Services
from revkit.model.exchange import Message, ModelRequest
from revkit.model.paper import Paper
from revkit.model.review import Failure
from revkit.model.training import TrainingExample, fitted
from revkit.model.values import Json
from revkit.model.variant import Rejection
from revkit.prompting import RoleUsage
from revkit_reviewground.pipeline import Pipeline


def example_of(
    pipeline: Pipeline, paper: Paper, review: Mapping[str, Json]
) -> TrainingExample | Rejection:
    """Return the prompt of ``pipeline`` for its drafter on ``paper``, and ``review`` as the
    drafter's reply.

    The drafter is asked as in a review, by the same code, and the question written down instead of
    answered. So instructions, template, form and the cut of a long paper are those of a review. A
    model whose window is smaller than ``input-tokens`` says would get a shorter paper then: set the
    drafter's ``input-tokens`` to what its window holds.
    """
    form = pipeline.form
    reply = fitted(review, form.schema, form.decision)
    if isinstance(reply, Rejection):
        return reply
    asked: list[ModelRequest] = []

    def written_down(request: ModelRequest) -> Failure:
        asked.append(request)
        return Failure("rejected", "written down")

    alone = replace(pipeline, drafts=None, ctx=Context(services=Services(complete=written_down)))
    draft, reading = alone.draft(paper, RoleUsage("drafter", ""))
    if not asked:
        message = draft.detail if isinstance(draft, Failure) else "the drafter is not asked"
        return Rejection(f"no question to the drafter: {message}")
    notes = ("paper cut to fit",) if reading.kept < 1 else ()
    return TrainingExample((*asked[0].messages, Message("assistant", reply)), notes)
