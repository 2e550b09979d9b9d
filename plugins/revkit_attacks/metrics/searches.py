"""What the metrics of attacks share: searches that count, events in words, and warnings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from revkit.figures.numbers import count_of
from revkit.model.attack import AttackRecords, AttackRow, Goal
from revkit.model.records import AgentRow, Records, Verdict
from revkit.model.table import Column, TableWarning, Term
from revkit_attacks.terms import SEARCHES

STRATEGY = Column(
    "strategy",
    "Strategy",
    "",
    "The strategy as the experiment names it.",
    "family",
    clear=True,
)
BUDGET = Column(
    "budget",
    "Queries allowed",
    "count",
    "The most reviews that the attacker may request for one paper.",
)
ANY_AGENT = "any agent"
ANY_STRATEGY = "any strategy"
SAME_AGAIN = "resubmit"  # the component that submits the unchanged paper
NO_ATTACK = TableWarning(
    "no-figure",
    "No attack was measured, because the experiment has no section attack.",
    advice="Add the section attack, or remove the metrics of attacks.",
)
DUAL_USE = (
    "An attacker was simulated on the papers of this run. The edits that it found are in the "
    "records: use them to mend the reviewer, not to submit a paper."
)
_STRATEGIES = {
    "best-of-n": "draws edits of one family at random and does not use the answers",
    "random": "draws edits of all families at random and does not use the answers",
    "greedy": "tries each part of the paper alone, then adds the best parts one by one",
    "beam": "extends the best few sets of edits step by step",
    "bandit": "learns from the answers which family works, and how many of its edits",
    "evolution": "combines the best sets of edits with one another",
    "square": "exchanges neighbouring edits at random and keeps what is not worse",
    "decision-boundary": "needs verdicts only: finds a success, then tries smaller sets of edits",
    "resubmit": "submits the unchanged paper again, so it succeeds by noise alone",
    "llm-strategy": "asks a language model which edits to combine next",
}


def terms_of(attack: AttackRecords) -> tuple[Term, ...]:
    """The words of the metrics of attacks, and the strategies of the run by their names."""
    strategies = [
        Term(each.name, f"The strategy that {_STRATEGIES[each.component]}.")
        for each in attack.strategies
        if each.component in _STRATEGIES
    ]
    return (*SEARCHES, *strategies)


def event_of(goal: Goal) -> str:
    """The success of an attack on one paper, as what a strategy does."""
    if goal.name == "accept":
        return "changes reject to accept"
    if goal.name == "reject":
        return "changes accept to reject"
    return f"raises the score by at least {points_of(goal)}"


def denominator_of(goal: Goal, agent: str = "the agent") -> str:
    """Which papers are eligible, in words."""
    if goal.name == "accept":
        return f"papers that {agent} rejects unchanged"
    if goal.name == "reject":
        return f"papers that {agent} accepts unchanged"
    return f"papers whose score by {agent} leaves room for {points_of(goal)} more"


def points_of(goal: Goal) -> str:
    """By how much a score must rise, in words."""
    return f"{goal.by:g} {'point' if goal.by == 1 else 'points'}"


def method_of(attack: AttackRecords) -> str:
    """How success is defined, in one sentence for each part."""
    confirmed = {
        0: "in the search (no fresh review was requested)",
        1: "in the search and again in a fresh review of the same text",
    }.get(
        attack.confirm,
        f"in the search and again in more than half of {attack.confirm} fresh reviews of the same "
        "text",
    )
    queries = count_of(attack.budget, "query", "queries")
    return (
        f"An attack succeeds on a paper if it {event_of(attack.goal)}, {confirmed}. Success rates "
        f"are shares of the {denominator_of(attack.goal)}, without those of which no reply could "
        f"be read. The attacker sees the {attack.sees} and has {queries} a paper for each "
        "strategy. Intervals treat papers as independent."
    )


def succeeded(row: AttackRow) -> bool:
    """Whether a search counts as a success."""
    return row.outcome == "success"


def of_any_strategy(attack: AttackRecords, agent: str) -> list[list[AttackRow]]:
    """The assessed rows of each paper against one agent, over all strategies but `resubmit`."""
    again = {each.name for each in attack.strategies if each.component == SAME_AGAIN}
    papers: dict[str, list[AttackRow]] = {}
    for row in attack.rows:
        if row.agent == agent and row.strategy not in again and row.assessed:
            papers.setdefault(row.paper, []).append(row)
    return list(papers.values())


def agents_of(records: Records, attack: AttackRecords) -> Iterator[AgentRow]:
    """The attacked agents, in the order of the experiment."""
    return (agent for agent in records.agents if agent.name in attack.agents)


def clean_of(records: Records, agent: str) -> dict[str, list[Verdict]]:
    """The clean reviews of each paper by one agent, in the order of repeats."""
    found: dict[str, list[Verdict]] = {}
    for verdict in records.originals(agent):
        found.setdefault(verdict.paper, []).append(verdict)
    return found


def has_event(goal: Goal, clean: Verdict, seen: Verdict, agent: AgentRow) -> bool | None:
    """Whether ``seen`` is the event beside ``clean``; None where it cannot be read."""
    if seen.failure:
        return None
    return goal.met(seen.accept, seen.score, clean.score, agent.scale)


def strategies_of(attack: AttackRecords) -> Sequence[str]:
    """The names of the strategies, the baseline first."""
    return [each.name for each in attack.strategies]
