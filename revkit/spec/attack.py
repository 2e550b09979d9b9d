"""The section ``attack`` of an experiment: who searches for successful edits, and how."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import TYPE_CHECKING, get_args

from revkit.contracts import Constraint, Strategy
from revkit.dataclass import dataclass
from revkit.errors import Problem
from revkit.model.attack import Goal, GoalName, Sees
from revkit.model.values import is_number
from revkit.options import spell_value, unknown_name
from revkit.spec.steps import AgentStep

if TYPE_CHECKING:
    from revkit.spec.experiment import Experiment

BASELINE = "best-of-n"  # the default of the schema
_BOUNDS = {"budget": (1, 100_000), "confirm": (0, 1000), "prune": (0, 100_000)}


@dataclass(frozen=True)
class Attack:
    """Strategies that search, under a budget of queries, for edits with which an agent does what an
    attacker wants.

    ``baseline`` and each of ``strategies`` (by names of the user) search each paper against each of
    ``agents`` (none named: all that can be attacked) among the edits of the perturbations ``arms``
    (none named: all), with at most ``budget`` reviews each. ``sees`` says what of a review the
    attacker gets, ``goal`` and ``by`` are as in `revkit.model.attack.Goal`. The whole text of each
    proposal must meet ``keep_if``. A success is reviewed again ``confirm`` times by fresh calls;
    then at most ``prune`` further reviews look for the smallest set of edits that still does it.
    With ``transfer``, the other agents review the smallest successful set of each paper.
    """

    baseline: Strategy
    strategies: Mapping[str, Strategy] = field(default_factory=dict)
    agents: tuple[str, ...] = ()
    arms: tuple[str, ...] = ()
    budget: int = 20
    sees: Sees = "verdict"
    goal: GoalName = "accept"
    by: float | None = None
    keep_if: tuple[Constraint, ...] = ()
    confirm: int = 3
    prune: int = 20
    transfer: bool = True

    @property
    def event(self) -> Goal:
        """The event that is wanted."""
        return Goal(self.goal, self.by or 0.0)

    @property
    def all_strategies(self) -> Mapping[str, Strategy]:
        """All strategies by name, the baseline first."""
        return {self.baseline.name: self.baseline, **self.strategies}


@dataclass(frozen=True)
class AttackStep:
    """One strategy against one agent, with the gate on the whole text."""

    agent: AgentStep
    strategy: Strategy
    keep_if: tuple[Constraint, ...] = ()


def attacked_agents(experiment: Experiment) -> Mapping[str, AgentStep]:
    """The agents that ``experiment`` attacks, by name. By default all but those that repeat what
    people wrote of a paper."""
    attack = experiment.attack
    if attack is None:
        return {}
    return {
        name: step
        for name, step in experiment.agent_steps.items()
        if name in attack.agents or (not attack.agents and "reviews" not in step.component.uses)
    }


def attack_arms(experiment: Experiment) -> tuple[str, ...]:
    """The perturbations whose edits the attacker may use, in the order of the experiment."""
    attack = experiment.attack
    if attack is None:
        return ()
    return tuple(
        name for name in experiment.perturbations if not attack.arms or name in attack.arms
    )


def attack_problems(experiment: Experiment) -> Iterator[Problem]:
    """What is wrong with the section, beyond the shape and the kinds of its components."""
    attack = experiment.attack
    if attack is None:
        return
    for name, (lowest, highest) in _BOUNDS.items():
        value = getattr(attack, name)
        if not isinstance(value, int) or isinstance(value, bool):
            yield Problem(
                f"expected a whole number, not {spell_value(value)}", path=f"attack.{name}"
            )
        elif not lowest <= value <= highest:
            yield Problem(f"must be {lowest} to {highest:,}, not {value}", path=f"attack.{name}")
    for name, known in (("sees", get_args(Sees)), ("goal", get_args(GoalName))):
        if getattr(attack, name) not in known:
            message = f"must be one of {', '.join(known)}, not {getattr(attack, name)!r}"
            yield Problem(message, path=f"attack.{name}")
    yield from _goal_problems(attack)
    yield from _name_problems(experiment, attack)


def _goal_problems(attack: Attack) -> Iterator[Problem]:
    by = attack.by
    number = is_number(by) and math.isfinite(by)
    if attack.goal == "score-up":
        if not number or not by or by <= 0:
            yield Problem("the goal score-up needs a number of points above 0", path="attack.by")
        if attack.sees == "verdict":
            message = "an attacker with the goal score-up must see the score: set sees: score"
            yield Problem(message, path="attack.sees")
    elif by is not None:
        yield Problem(f"belongs to the goal score-up, not to {attack.goal}", path="attack.by")


def _name_problems(experiment: Experiment, attack: Attack) -> Iterator[Problem]:
    if not experiment.perturbations:
        message = "an attack searches among the edits of perturbations; add that section"
        yield Problem(message, path="attack")
    for section, names, known in (
        ("agents", attack.agents, experiment.agents),
        ("arms", attack.arms, experiment.perturbations),
    ):
        for index, name in enumerate(names):
            path = f"attack.{section}.{index}"
            if name not in known:
                what = "agent" if section == "agents" else "perturbation"
                yield Problem(unknown_name(what, name, known), path=path)
            elif name in names[:index]:
                yield Problem(f"{name!r} appears twice in this list", path=path)
    for index, name in enumerate(attack.agents):
        step = experiment.agent_steps.get(name)
        if step is not None and "reviews" in step.component.uses:
            message = f"{name!r} repeats what people wrote of a paper, so edits cannot move it"
            yield Problem(message, path=f"attack.agents.{index}")
    if not attacked_agents(experiment) and not attack.agents:
        yield Problem("needs an agent that can be attacked", path="attack")
    if attack.baseline.name in attack.strategies:
        message = f"{attack.baseline.name!r} is the baseline already; choose another name"
        yield Problem(message, path=f"attack.strategies.{attack.baseline.name}")
