"""What is set between a paper and its reviewer: defenses, and the review that they wrap."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import ClassVar

from revkit.contracts.component import Component
from revkit.contracts.context import Change, Context, join_changes
from revkit.dataclass import dataclass
from revkit.model.edits import Edit
from revkit.model.paper import Paper
from revkit.model.review import Failure, Outcome, Scale


@dataclass(frozen=True)
class Reviewing:
    """The review that a defense wraps: call it with a paper, as often as needed.

    ``scale`` is that of the scores it returns. ``change`` is applied to every request that the
    agent sends to a language model during this call; an agent that asks no model ignores it.
    Two calls with the same paper and the same change return the same outcome.
    """

    scale: Scale
    ask: Callable[[Paper, Change | None], Outcome]

    def __call__(self, paper: Paper, change: Change | None = None) -> Outcome:
        """The outcome of one review of ``paper``."""
        return self.ask(paper.blind(), change)


class Defense(Component):
    """A protection of a reviewer, set on an agent with ``defenses``, in order.

    There are two methods, and each is optional. `screen` edits the paper before the agent sees it,
    or refuses it. `guard` wraps the review: it may show the agent other papers (parts, masked
    copies), change the prompts that it sends, ask it several times, or check its outcome. All
    screens act first, in the order of the list, and each sees the paper that the one before it
    returned. Then the guards act: the first of the list is the outermost.

    ``changes_prompts`` declares that `guard` only works for agents that ask a language model; a
    spec that sets it on another agent is refused.
    """

    changes_prompts: ClassVar[bool] = False

    @property
    def guards(self) -> bool:
        """Whether `guard` does anything. Default: whether the class has one."""
        return type(self).guard is not Defense.guard

    def screen(self, paper: Paper, ctx: Context) -> Sequence[Edit] | Failure:
        """Return the edits to make before the agent sees the paper, or refuse it with a Failure.

        Default: no edit.
        """
        return ()

    def guard(self, paper: Paper, review: Reviewing, ctx: Context) -> Outcome:
        """Return the outcome of reviewing ``paper``, which all screens have edited.

        ``review`` asks the agent (or the next guard). The outcome is a `Review` on ``review.scale``
        or a `Failure`. Set `Review.certified` only where it is proved. Default: one review.
        """
        return review(paper)


def guards_of(defenses: Sequence[Defense]) -> Sequence[Defense]:
    """Those of ``defenses`` that wrap the review."""
    return [each for each in defenses if each.guards]


def guarded(
    defenses: Sequence[Defense], review: Reviewing, context_of: Callable[[Defense, Paper], Context]
) -> Reviewing:
    """``review`` within the guards of ``defenses``, the first one outermost.

    ``context_of`` gives the context of a defense for a paper.
    """
    for defense in reversed(guards_of(defenses)):
        review = Reviewing(review.scale, partial(_guarded, defense, review, context_of))
    return review


def _guarded(
    defense: Defense,
    review: Reviewing,
    context_of: Callable[[Defense, Paper], Context],
    paper: Paper,
    change: Change | None,
) -> Outcome:
    def inner(seen: Paper, more: Change | None) -> Outcome:
        return review.ask(seen, join_changes(more, change))

    return defense.guard(paper, Reviewing(review.scale, inner), context_of(defense, paper))
