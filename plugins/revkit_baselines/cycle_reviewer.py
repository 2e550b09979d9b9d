"""The agent `cycle-reviewer`."""

from __future__ import annotations

import statistics
from collections.abc import Mapping
from typing import ClassVar

from revkit.contracts import Context
from revkit.dataclass import dataclass
from revkit.model.paper import Paper
from revkit.model.review import Failure, Outcome, Review
from revkit.model.values import Json
from revkit.options import option
from revkit.prompting import Places, Values, paper_data
from revkit_baselines.baseline import bounded
from revkit_baselines.layout import panel_layout
from revkit_baselines.review_panel import (
    Simulating,
    aspects_of,
    mean_of,
    read_panel,
    unreadable,
)
from revkit_baselines.values import Unread, verdict


@dataclass(frozen=True)
class CycleReviewer(Simulating):
    """CycleReviewer: a model that writes several reviews, a meta-review and a decision at once.

    Weng et al. 2025 (CycleReviewer, served by any endpoint that speaks the OpenAI protocol, as
    hosted_vllm/...), with our prompt; any other model can be asked for the same layout.
    The layout of the reply is read strictly (see `read_review`): the score is the mean of the
    reviewers' ratings (1-10), the verdict is the section "Paper Decision". The parser of the
    authors reads the first character of a rating, so that 10 becomes 1, a missing rating as 0, and
    any decision without "accept" as a reject; here these are failures.
    """

    name: ClassVar[str] = "cycle-reviewer"
    version: ClassVar[str] = "1"
    data: ClassVar[tuple[str, ...]] = ("prompts/cycle-reviewer-*.md",)
    places: ClassVar[Mapping[str, Places]] = {
        "reviewer": Places(("reviewers",), ("paper",), ("paper",))
    }
    max_tokens: int = option(
        7000,
        help="Maximum length of a reply in tokens; a reply that is cut off there is a failure.",
        minimum=1,
    )

    def review(self, paper: Paper, ctx: Context) -> Outcome:
        """Call the model once and parse its reply."""
        values: Values = {
            "reviewers": str(self.reviewers),
            "paper": paper_data(paper.title, paper.text),
        }
        answer = self.ask(self.turns("reviewer", values), None, 0, ctx)
        if isinstance(answer, Failure):
            return answer
        return read_review(answer.text, self.reviewers, answer.steps)


def read_review(text: str, reviewers: int, steps: tuple[str, ...] = ()) -> Outcome:
    """Return the review in ``text``, a reply in CycleReviewer's layout.

    Accepted are ``## Reviewer`` with fields one level below, and fields alone, separated by lines
    of asterisks; then ``## Meta Review`` and ``## Paper Decision``. Repeated decisions must agree.
    """
    layout = panel_layout(text)
    panel = read_panel(layout.reviewers, reviewers, text)
    if isinstance(panel, Failure):
        return panel
    decisions = layout.others.get("paper decision", [])
    accept = verdict(decisions)
    if isinstance(accept, Unread):
        return unreadable(f"paper decision: {accept.why}", text)
    meta = "\n\n".join(layout.others.get("meta review", []))
    reading = [*steps, *(["decision repeated"] if len(decisions) > 1 else [])]
    details: dict[str, Json] = {
        "rule": "score: mean of the reviewers' ratings; verdict: the paper decision",
        "ratings": [each.rating for each in panel],
        "reviewers": [each.to_json() for each in panel],
        "meta-review": bounded(meta),
        "decision": bounded(decisions[0], 200),
    }
    if reading:
        details["reading"] = list(reading)
    texts = [f"Meta review:\n{meta}"] if meta else []
    texts += [f"Review {n} of {len(panel)}\n\n{each.text()}" for n, each in enumerate(panel, 1)]
    return Review(
        accept=accept,
        score=statistics.fmean(each.rating for each in panel),
        text="\n\n".join(texts),
        confidence=mean_of(panel, "confidence"),
        aspects=aspects_of(panel),
        details=details,
    )
