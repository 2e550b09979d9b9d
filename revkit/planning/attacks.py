"""Attacks in a run graph: which strategy searches against which agent, and how much that asks."""

from __future__ import annotations

from collections.abc import Mapping

from revkit.spec import AttackStep, Experiment, attacked_agents


def attack_steps(experiment: Experiment) -> Mapping[tuple[str, str], AttackStep]:
    """The searches of ``experiment``, by the names of their agent and strategy, in order."""
    attack = experiment.attack
    if attack is None:
        return {}
    return {
        (agent, name): AttackStep(step, strategy, attack.keep_if)
        for agent, step in attacked_agents(experiment).items()
        for name, strategy in attack.all_strategies.items()
    }


def queries_a_paper(experiment: Experiment) -> int:
    """The most reviews that all searches of one paper ask for: of the budget, of pruning, fresh
    ones of a success and of its smallest set, and those of transferred sets."""
    attack = experiment.attack
    if attack is None:
        return 0
    agents = len(attacked_agents(experiment))
    confirmed = attack.confirm * (2 if attack.prune else 1)
    searches = agents * len(attack.all_strategies) * (attack.budget + attack.prune + confirmed)
    return searches + (agents * (agents - 1) if attack.transfer else 0)
