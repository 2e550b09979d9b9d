"""What searches for successful edits: strategies of an attacker, and the space that they search.

The space is a set of *units*: each unit is one edit (or a few that only make sense together, such
as a citation mark and its entry) of one arm at one place, as a perturbation made it offline. A
proposal is a set of units, and the text that is reviewed is the paper with these edits made. So a
strategy chooses among edits that exist; it never writes text, and it never sees the paper.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Generator, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Literal, TypeAlias

from revkit.contracts.component import Component
from revkit.contracts.context import Context
from revkit.dataclass import dataclass
from revkit.model.attack import Goal, Sees
from revkit.model.review import Scale
from revkit.model.values import Json

TryOutcome = Literal["met", "missed", "unreadable", "gated"]


@dataclass(frozen=True, slots=True)
class Unit:
    """One unit of edits: its ``number`` in the space, its ``arm`` (the name of a perturbation), the
    ``block`` of the paper in which its first edit lies, what it replaces by what there, and the
    numbers of the units that it cannot be combined with, since their edits overlap."""

    number: int
    arm: str
    block: int
    old: str = ""
    new: str = ""
    note: str = ""
    conflicts: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Try:
    """What came of one proposal, as far as the attacker sees it.

    ``units`` are those that were applied, in ascending order. "met": the event was seen; "missed":
    it was not; "unreadable": the reviewer failed, which costs a query too; "gated": a gate on the
    whole text refused the proposal, which costs no query. ``score`` is None unless the attacker
    sees scores, ``text`` is empty unless the attacker sees reviews.
    """

    units: tuple[int, ...]
    outcome: TryOutcome
    accept: bool | None = None
    score: float | None = None
    text: str = ""

    @property
    def met(self) -> bool:
        """Whether the event was seen."""
        return self.outcome == "met"

    def to_json(self) -> list[Json]:
        return [list(self.units), self.outcome, self.accept, self.score, self.text]


@dataclass(frozen=True)
class SearchSpace:
    """What a strategy searches: the units of one paper, the budget of queries, what is wanted and
    what is seen. ``clean`` is the review of the unchanged paper, ``scale`` that of the agent."""

    units: Sequence[Unit]
    budget: int
    goal: Goal
    sees: Sees
    clean: Try
    scale: Scale

    @cached_property
    def arms(self) -> Mapping[str, tuple[int, ...]]:
        """The numbers of the units of each arm, in the order of the text."""
        found: dict[str, list[int]] = {}
        for unit in self.units:
            found.setdefault(unit.arm, []).append(unit.number)
        return {arm: tuple(numbers) for arm, numbers in found.items()}

    @cached_property
    def blocks(self) -> tuple[tuple[int, ...], ...]:
        """The numbers of the units of one arm in one block of the paper, in the order of arms and
        text: the places that a strategy can rank."""
        found: dict[tuple[str, int], list[int]] = {}
        for unit in self.units:
            found.setdefault((unit.arm, unit.block), []).append(unit.number)
        return tuple(map(tuple, found.values()))

    def groups(self, most: int) -> tuple[tuple[int, ...], ...]:
        """At most ``most`` groups of units that cover all of them (at least one for each arm):
        blocks, or neighbouring blocks of one arm together where there are more."""
        most = max(most, len(self.arms), 1)
        parts: list[list[tuple[int, ...]]] = [
            [block for block in self.blocks if self.units[block[0]].arm == arm] for arm in self.arms
        ]
        while sum(map(len, parts)) > most:
            longest = max(parts, key=len)
            shortest = min(
                range(len(longest) - 1), key=lambda i: len(longest[i]) + len(longest[i + 1])
            )
            longest[shortest : shortest + 2] = [longest[shortest] + longest[shortest + 1]]
        return tuple(group for part in parts for group in part)

    def applied(self, proposal: Iterable[int]) -> tuple[int, ...]:
        """The units of ``proposal`` that can be applied together, in ascending order: of two that
        overlap, the first in the proposal. Raises `ValueError` for a number without a unit."""
        kept: dict[int, None] = {}
        taken: set[int] = set()
        for number in proposal:
            if (
                isinstance(number, bool)
                or not isinstance(number, int)
                or not 0 <= number < len(self.units)
            ):
                raise ValueError(f"there is no unit {number!r}; there are {len(self.units)}")
            if number not in taken:
                kept[number] = None
                taken |= {number, *self.units[number].conflicts}
        return tuple(sorted(kept))

    def gain(self, tried: Try) -> float:
        """How far a try moved towards the goal, as a share of the agent's scale (-1 to 1), where
        scores are seen; else 1 where the event was seen and 0 where it was not."""
        if tried.met:
            return 1.0
        if tried.score is None or self.clean.score is None:
            return 0.0
        rise = (tried.score - self.clean.score) / (self.scale.maximum - self.scale.minimum)
        towards = self.scale.higher_is_better is (self.goal.name != "reject")
        return rise if towards else -rise

    def to_json(self) -> list[Json]:
        """All that a strategy can see of the space."""
        units: list[Json] = [
            [unit.arm, unit.block, unit.old, unit.new, unit.note, sorted(unit.conflicts)]
            for unit in self.units
        ]
        goal: list[Json] = [self.goal.name, self.goal.by]
        return [units, self.budget, goal, self.sees, self.clean.to_json(), self.scale.to_json()]


Search: TypeAlias = Generator[Sequence[int], Try, None]


class Strategy(Component):
    """A way to search for a set of units that makes a reviewer do what the attacker wants."""

    @abstractmethod
    def search(self, space: SearchSpace, ctx: Context) -> Search:
        """Yield proposals, and receive what came of each.

        A generator: ``tried = yield [3, 7]`` asks for a review of the paper with units 3 and 7. It
        draws from ``ctx.rng`` only and keeps no state beyond its own frame, so that the same
        answers lead to the same proposals: a run that was killed goes on by sending the stored
        answers again. It ends with ``return``; the run closes it when the budget is spent. A
        strategy that goes on after the event was seen may look for a smaller set.
        """
