"""Attacks: what an attacker wants, and what a run recorded of searches under a budget."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from revkit.dataclass import dataclass
from revkit.errors import PaperError
from revkit.model.review import Review, Scale

GoalName = Literal["accept", "reject", "score-up"]
Sees = Literal["verdict", "score", "review"]
Phase = Literal["search", "confirm", "prune", "confirm-smallest"]
AttackOutcome = Literal[
    "success",
    "unconfirmed",
    "resisted",
    "no-edits",
    "unassessed",
    "crashed",
    "ineligible",
    "no-clean-review",
]
"""What came of one search on one paper.

The paper is *eligible* in the first six: the event was possible, since its clean review was not
already what the attacker wants. "success": the event was seen in the search and again in more than
half of the readable fresh calls. "unconfirmed": it was seen in the search only. "resisted": it was
not seen. "no-edits": no arm offers an edit of this paper. "unassessed": no reply could be read, or
the money for models ended first. "crashed": the strategy or a gate raised an error. The last two
are a third outcome, neither success nor failure of the attack. "no-clean-review": the clean review
failed or lacks what the goal needs.
"""


@dataclass(frozen=True, slots=True)
class Goal:
    """The event that an attacker wants of one paper.

    "accept" and "reject": the verdict is that. "score-up": the score is better than that of the
    clean review by at least ``by``, on the agent's own scale and in its direction.
    """

    name: GoalName = "accept"
    by: float = 0.0

    def __post_init__(self) -> None:
        if self.name == "score-up" and not self.by > 0:
            raise PaperError("the goal score-up needs a number of points above 0")

    @property
    def wants(self) -> bool | None:
        """The verdict that is wanted; None where a score is."""
        return None if self.name == "score-up" else self.name == "accept"

    def met(
        self, accept: bool | None, score: float | None, clean: float | None, scale: Scale
    ) -> bool | None:
        """Whether a review is the event, beside the score of the clean review; None where the
        review lacks what the goal is about."""
        if self.wants is not None:
            return None if accept is None else accept is self.wants
        if score is None or clean is None:
            return None
        rise = score - clean if scale.higher_is_better else clean - score
        return rise >= self.by

    def eligible(self, clean: Review, scale: Scale) -> bool | None:
        """Whether the event can come about after ``clean``: another verdict, or points left on the
        scale. None where the clean review lacks what the goal is about."""
        if self.wants is not None:
            return None if clean.accept is None else clean.accept is not self.wants
        if clean.score is None:
            return None
        best = scale.maximum if scale.higher_is_better else scale.minimum
        return abs(best - clean.score) >= self.by


@dataclass(frozen=True, slots=True)
class StrategyRow:
    """One strategy as the experiment names it; ``baseline`` marks the one that all are compared
    with, at the same budget."""

    name: str
    component: str
    baseline: bool = False


@dataclass(frozen=True, slots=True)
class AttackRow:
    """What came of one strategy against one agent on one paper.

    ``queries`` counts the reviews that the search asked for, ``unreadable`` those of them without a
    usable reply, ``gated`` proposals that a gate on the whole text refused before they were asked.
    ``success_at`` is the number of the first query with the event, from 1; None without one.
    ``edits``, ``words`` and ``dose`` describe the set of edits that was confirmed, ``smallest_*``
    the one that was left after pruning; None without a success. ``one_minimal`` states that no
    single unit could be left out, None where the budget for pruning ended before that was known.
    """

    agent: str
    strategy: str
    paper: str
    outcome: AttackOutcome
    units: int = 0
    queries: int = 0
    unreadable: int = 0
    gated: int = 0
    success_at: int | None = None
    confirm_calls: int = 0
    confirm_met: int = 0
    confirm_unreadable: int = 0
    edits: int | None = None
    words: int | None = None
    dose: float | None = None
    arms: tuple[str, ...] = ()
    prune_queries: int = 0
    smallest_edits: int | None = None
    smallest_words: int | None = None
    smallest_dose: float | None = None
    smallest_arms: tuple[str, ...] = ()
    smallest_met: int = 0
    smallest_calls: int = 0
    one_minimal: bool | None = None

    @property
    def eligible(self) -> bool:
        """Whether the event was possible on this paper."""
        return self.outcome not in ("ineligible", "no-clean-review")

    @property
    def assessed(self) -> bool:
        """Whether it counts as success or as failure of the attack."""
        return self.eligible and self.outcome not in ("unassessed", "crashed")


@dataclass(frozen=True, slots=True)
class TransferRow:
    """What ``agent`` answered to a set of edits that was successful against ``target``.

    ``met`` is None where the reply was unreadable; ``eligible`` as in `Goal.eligible`, for
    ``agent``.
    """

    target: str
    agent: str
    paper: str
    strategy: str
    eligible: bool | None
    met: bool | None
    failure: str = ""


@dataclass(frozen=True)
class AttackRecords:
    """All searches of a run: the settings, then a row for each agent, strategy and paper."""

    goal: Goal
    sees: Sees
    budget: int
    confirm: int
    agents: Sequence[str]
    arms: Sequence[str]
    strategies: Sequence[StrategyRow]
    rows: Sequence[AttackRow]
    transfers: Sequence[TransferRow] = ()

    @property
    def baseline(self) -> str:
        """The name of the strategy that the others are compared with."""
        return next(each.name for each in self.strategies if each.baseline)

    def of(self, agent: str, strategy: str) -> list[AttackRow]:
        """The rows of one strategy against one agent, in the order of the corpus."""
        return [row for row in self.rows if (row.agent, row.strategy) == (agent, strategy)]
